/* Sets of squares in 64 bits (a1 = bit 0, h8 = bit 63) and what pieces attack from where. */
#ifndef ENGINE_BITBOARD_H
#define ENGINE_BITBOARD_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t bitboard;

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES };
enum { NO_SQUARE = 64 };

#define BB_FILE_A UINT64_C(0x0101010101010101)
#define BB_FILE_H UINT64_C(0x8080808080808080)
#define BB_RANK_1 UINT64_C(0x00000000000000ff)
#define BB_RANK_8 UINT64_C(0xff00000000000000)
#define BB_DARK UINT64_C(0xaa55aa55aa55aa55)

/* Index of a slider's attacks: by PEXT where the processor has it, else by multiplication; the same sets. */
struct bb_slider {
    bitboard mask, magic;
    uint32_t offset, shift;
};

enum { BB_SLIDER_SETS = 107648 }; /* 102400 for rooks, 5248 for bishops: sum of 2^bits over the squares */

/* Built once by bitboard_init, constant afterwards. */
struct bb_tables {
    struct bb_slider rook[64], bishop[64];
    bitboard knight[64], king[64], pawn[2][64];
    bitboard between[64][64]; /* squares strictly between, if on one line */
    bitboard line[64][64];    /* the whole line through both, from border to border */
    bitboard slider_set[BB_SLIDER_SETS];
};

extern struct bb_tables bb;

/* Fills the tables the first time; cheap later. Everything that makes a position calls it. */
void bitboard_init(void);

static inline bitboard bb_of(int square) { return UINT64_C(1) << square; }
static inline int bb_count(bitboard set) { return __builtin_popcountll(set); }
static inline int bb_first(bitboard set) { return __builtin_ctzll(set); }
static inline bool bb_several(bitboard set) { return (set & (set - 1)) != 0; }

static inline int bb_pop(bitboard *set)
{
    int square = bb_first(*set);
    *set &= *set - 1;
    return square;
}

/* The same set seen from the other side of the board. */
static inline bitboard bb_flip(bitboard set) { return __builtin_bswap64(set); }

static inline int square_rank(int square) { return square >> 3; }
static inline int square_file(int square) { return square & 7; }

static inline bitboard bb_north(bitboard set) { return set << 8; }
static inline bitboard bb_south(bitboard set) { return set >> 8; }
static inline bitboard bb_east(bitboard set) { return (set & ~BB_FILE_H) << 1; }
static inline bitboard bb_west(bitboard set) { return (set & ~BB_FILE_A) >> 1; }

/* One step towards the opponent's side. */
static inline bitboard bb_forward(bitboard set, int side) { return side == WHITE ? set << 8 : set >> 8; }

static inline bitboard bb_pawn_attacks(bitboard pawns, int side)
{
    bitboard ahead = bb_forward(pawns, side);
    return bb_east(ahead) | bb_west(ahead);
}

static inline bitboard slider_attacks(const struct bb_slider *slider, bitboard occupied)
{
#ifdef __BMI2__
    return bb.slider_set[slider->offset + _pext_u64(occupied, slider->mask)];
#else
    return bb.slider_set[slider->offset + (((occupied & slider->mask) * slider->magic) >> slider->shift)];
#endif
}

static inline bitboard rook_attacks(int square, bitboard occupied)
{
    return slider_attacks(&bb.rook[square], occupied);
}

static inline bitboard bishop_attacks(int square, bitboard occupied)
{
    return slider_attacks(&bb.bishop[square], occupied);
}

/* Attacks of a piece that is no pawn. */
static inline bitboard piece_attacks(int type, int square, bitboard occupied)
{
    switch (type) {
    case KNIGHT: return bb.knight[square];
    case BISHOP: return bishop_attacks(square, occupied);
    case ROOK: return rook_attacks(square, occupied);
    case QUEEN: return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
    default: return bb.king[square];
    }
}

#endif
