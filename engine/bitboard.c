/* Attack tables, filled once. The magic factors were searched for offline with splitmix64; a test holds the
   tables against rays walked square by square. */
#include "engine/bitboard.h"

#include <pthread.h>
#include <stddef.h>

struct bb_tables bb;

static const bitboard bishop_magic[64] = {
    UINT64_C(0x0008100098044280), UINT64_C(0x0411220800408088), UINT64_C(0x0004010202040020), UINT64_C(0x000805a1004c0111),
    UINT64_C(0x0404042010008004), UINT64_C(0xa82208020a100801), UINT64_C(0x0008809010108010), UINT64_C(0x10010400d2083400),
    UINT64_C(0x28062020c2008102), UINT64_C(0x0002190204044202), UINT64_C(0x0200040440820010), UINT64_C(0x4800110402880240),
    UINT64_C(0x00e5040504208008), UINT64_C(0x0002020842080818), UINT64_C(0x2000804804042004), UINT64_C(0x2100043084100810),
    UINT64_C(0x02a100109a061814), UINT64_C(0x4404001084084844), UINT64_C(0x4102000108010100), UINT64_C(0x0000820802004000),
    UINT64_C(0x0102000412024000), UINT64_C(0x0100200210100820), UINT64_C(0x4004800064042060), UINT64_C(0x0808300304010440),
    UINT64_C(0x0620100061050135), UINT64_C(0x6102020048088800), UINT64_C(0x2804100004444080), UINT64_C(0x0008080050820002),
    UINT64_C(0x4121001189004000), UINT64_C(0x20010200040a0100), UINT64_C(0x448204002041080c), UINT64_C(0x800c010d1c209a02),
    UINT64_C(0x0110220a01103000), UINT64_C(0x8c01082000080185), UINT64_C(0x000200444a100504), UINT64_C(0x0a00020084080080),
    UINT64_C(0x0210020020260128), UINT64_C(0x1004080200684b01), UINT64_C(0x20908419500a8200), UINT64_C(0x8808460020844312),
    UINT64_C(0x002108a840083410), UINT64_C(0x0210480888200402), UINT64_C(0x0004840401009200), UINT64_C(0x050000c208044080),
    UINT64_C(0x2008281100410400), UINT64_C(0x24200600c0c00a06), UINT64_C(0x0008420084000620), UINT64_C(0x0004080200401038),
    UINT64_C(0x0400980808042118), UINT64_C(0x0004a0ac1018100a), UINT64_C(0x0000004044100008), UINT64_C(0x1000040041108000),
    UINT64_C(0x0001440420822011), UINT64_C(0x00184050a2088100), UINT64_C(0x010520040d120006), UINT64_C(0x9420040100710001),
    UINT64_C(0x0080110108024082), UINT64_C(0x9080202088080800), UINT64_C(0x0380401200441214), UINT64_C(0x0800001004420200),
    UINT64_C(0x0000272220224424), UINT64_C(0x0002004024482082), UINT64_C(0x0410242004194200), UINT64_C(0x1884343408021210),
};

static const bitboard rook_magic[64] = {
    UINT64_C(0x4580008020400930), UINT64_C(0x0040001000402000), UINT64_C(0x0880200008100182), UINT64_C(0x0480041000480081),
    UINT64_C(0x0080040008008002), UINT64_C(0x03000c0001000208), UINT64_C(0x9100008200040100), UINT64_C(0x0200040048210082),
    UINT64_C(0x8200800020804004), UINT64_C(0x040480200481c000), UINT64_C(0x8280801000200080), UINT64_C(0x0001002100081000),
    UINT64_C(0x0001000500080010), UINT64_C(0x2000800200800401), UINT64_C(0x2031808002008100), UINT64_C(0x018100089041000a),
    UINT64_C(0x8080044000200442), UINT64_C(0x08a0220042010080), UINT64_C(0x0206820010220041), UINT64_C(0x4088808010000801),
    UINT64_C(0x0420910008010004), UINT64_C(0x165c004002004100), UINT64_C(0x000a340011500208), UINT64_C(0x0044060000418c03),
    UINT64_C(0x2814e6808000c000), UINT64_C(0x0220008480400024), UINT64_C(0x0080402200108200), UINT64_C(0x1310004040080400),
    UINT64_C(0x4060080080040080), UINT64_C(0x0414010040400200), UINT64_C(0x0280580400028110), UINT64_C(0x1130040200208041),
    UINT64_C(0x0000408001002101), UINT64_C(0x0040003000200800), UINT64_C(0x0210420082001028), UINT64_C(0x1858800800801000),
    UINT64_C(0x0110800400800800), UINT64_C(0x0242001002000409), UINT64_C(0x0201000401000200), UINT64_C(0x0020004102000084),
    UINT64_C(0x1083944008208000), UINT64_C(0x0860004030004001), UINT64_C(0x0010040028002000), UINT64_C(0x0010010080080800),
    UINT64_C(0x020e0120100a0004), UINT64_C(0x8282000400808002), UINT64_C(0x8002040200010100), UINT64_C(0x0080110060820004),
    UINT64_C(0x0890420020810200), UINT64_C(0x0900200080400080), UINT64_C(0x0614228200415200), UINT64_C(0x0000080010008080),
    UINT64_C(0x000a080104008080), UINT64_C(0x800c000200800480), UINT64_C(0xa700082221100400), UINT64_C(0x9020208900440a00),
    UINT64_C(0x0002124100802202), UINT64_C(0x0002804000110621), UINT64_C(0x0002008010082042), UINT64_C(0x04228c0860300101),
    UINT64_C(0x0012003810200406), UINT64_C(0x0001000284000841), UINT64_C(0xb008011220900814), UINT64_C(0x000208210c408c02),
};

struct step {
    int file, rank;
};

static const struct step diagonal_steps[4] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
static const struct step straight_steps[4] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
static const struct step knight_steps[8] = { { 1, 2 }, { 2, 1 }, { 2, -1 }, { 1, -2 },
                                             { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };

static bitboard stepped(int square, struct step step)
{
    int file = square_file(square) + step.file, rank = square_rank(square) + step.rank;
    bool inside = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return inside ? bb_of(rank * 8 + file) : 0;
}

static bitboard walk(int square, struct step step, bitboard occupied)
{
    bitboard set = 0;
    for (bitboard at = stepped(square, step); at; at = stepped(bb_first(at), step)) {
        set |= at;
        if (at & occupied)
            break;
    }
    return set;
}

static bitboard walk_all(int square, const struct step step[4], bitboard occupied)
{
    bitboard set = 0;
    for (int i = 0; i < 4; i++)
        set |= walk(square, step[i], occupied);
    return set;
}

/* Squares whose occupation matters: border squares end a ray anyway. */
static bitboard relevant(int square, const struct step step[4])
{
    bitboard set = 0;
    for (int i = 0; i < 4; i++)
        for (bitboard at = stepped(square, step[i]); at && stepped(bb_first(at), step[i]);
             at = stepped(bb_first(at), step[i]))
            set |= at;
    return set;
}

static uint32_t slider_index(const struct bb_slider *slider, bitboard occupied)
{
#ifdef __BMI2__
    return slider->offset + (uint32_t)_pext_u64(occupied, slider->mask);
#else
    return slider->offset + (uint32_t)(((occupied & slider->mask) * slider->magic) >> slider->shift);
#endif
}

/* Returns the offset of the next slider's sets. */
static uint32_t fill_slider(struct bb_slider *slider, int square, const struct step step[4], bitboard magic,
                            uint32_t offset)
{
    bitboard mask = relevant(square, step);
    *slider = (struct bb_slider){ .mask = mask, .magic = magic, .offset = offset,
                                  .shift = (uint32_t)(64 - bb_count(mask)) };
    bitboard occupied = 0;
    do {
        bb.slider_set[slider_index(slider, occupied)] = walk_all(square, step, occupied);
        occupied = (occupied - mask) & mask;
    } while (occupied);
    return offset + (UINT32_C(1) << bb_count(mask));
}

static void fill_steppers(int square)
{
    for (int i = 0; i < 8; i++)
        bb.knight[square] |= stepped(square, knight_steps[i]);
    for (int i = 0; i < 4; i++)
        bb.king[square] |= stepped(square, diagonal_steps[i]) | stepped(square, straight_steps[i]);
    bb.pawn[WHITE][square] = bb_pawn_attacks(bb_of(square), WHITE);
    bb.pawn[BLACK][square] = bb_pawn_attacks(bb_of(square), BLACK);
}

static void fill_lines(int square, const struct step step[4])
{
    for (int i = 0; i < 4; i++) {
        struct step back = { -step[i].file, -step[i].rank };
        bitboard ray = walk(square, step[i], 0);
        for (bitboard left = ray; left;) {
            int other = bb_pop(&left);
            bb.line[square][other] = ray | bb_of(square) | walk(square, back, 0);
            bb.between[square][other] = ray & walk(other, back, bb_of(square)) & ~bb_of(square);
        }
    }
}

static void fill(void)
{
    uint32_t offset = 0;
    for (int square = 0; square < 64; square++) {
        fill_steppers(square);
        fill_lines(square, diagonal_steps);
        fill_lines(square, straight_steps);
        offset = fill_slider(&bb.rook[square], square, straight_steps, rook_magic[square], offset);
        offset = fill_slider(&bb.bishop[square], square, diagonal_steps, bishop_magic[square], offset);
    }
}

void bitboard_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}
