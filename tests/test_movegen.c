#include <criterion/criterion.h>
#include <string.h>

#include "engine/eval.h"
#include "engine/movegen.h"
#include "engine/see.h"
#include "tests/perft_table.h"

static bitboard walk(int square, int file_step, int rank_step, bitboard occupied)
{
    bitboard set = 0;
    int file = square % 8 + file_step, rank = square / 8 + rank_step;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        set |= UINT64_C(1) << (rank * 8 + file);
        if (occupied >> (rank * 8 + file) & 1)
            break;
        file += file_step;
        rank += rank_step;
    }
    return set;
}

static uint64_t random64(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* With either build of the index, PEXT or magic factors. */
Test(movegen, slider_tables_equal_rays_walked)
{
    uint64_t state = 88172645463325252u;
    bitboard_init();
    for (int square = 0; square < 64; square++)
        for (int i = 0; i < 500; i++) {
            bitboard occupied = random64(&state) & random64(&state);
            bitboard rook = walk(square, 1, 0, occupied) | walk(square, -1, 0, occupied)
                          | walk(square, 0, 1, occupied) | walk(square, 0, -1, occupied);
            bitboard bishop = walk(square, 1, 1, occupied) | walk(square, -1, 1, occupied)
                            | walk(square, 1, -1, occupied) | walk(square, -1, -1, occupied);
            cr_assert_eq(rook_attacks(square, occupied), rook, "rook on %d", square);
            cr_assert_eq(bishop_attacks(square, occupied), bishop, "bishop on %d", square);
        }
}

static bool listed(const move_t *moves, int count, move_t move)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

static move_t mirrored_move(move_t move)
{
    return move_new(move_from(move) ^ 56, move_to(move) ^ 56, move_flag(move));
}

/* The colours swapped and the board turned over, through text. */
static void mirror(const struct position *p, struct position *out)
{
    char fen[FEN_SIZE], turned[FEN_SIZE], *row[8], *save = NULL;
    position_print(fen, p);
    char *rest = strchr(fen, ' ');
    *rest++ = '\0';
    int rows = 0;
    for (char *part = strtok_r(fen, "/", &save); part; part = strtok_r(NULL, "/", &save))
        row[rows++] = part;
    turned[0] = '\0';
    for (int i = 7; i >= 0; i--) {
        strcat(turned, row[i]);
        strcat(turned, i ? "/" : " ");
    }
    strcat(turned, *rest == 'w' ? "b" : "w");
    char *end = turned + strlen(turned);
    strcpy(end, rest + 1);
    for (char *c = turned; c < end - 2; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
    for (char *c = end + 1; *c != ' ' && *c != '-'; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : (char)(*c + 32);
    char *ep = strchr(end + 1, ' ') + 1;
    if (*ep != '-')
        ep[1] = ep[1] == '3' ? '6' : '3';
    struct tm_error error;
    cr_assert(position_parse(out, turned, &error), "%s: %s", turned, error.message);
}

static void check_mirror(const struct position *p, const move_t *moves, int count)
{
    static struct eval_pawns pawns[EVAL_PAWN_SLOTS];
    struct position other;
    move_t others[MOVES_MAX];
    mirror(p, &other);
    cr_assert_eq(position_legal_moves(&other, others), count);
    for (int i = 0; i < count; i++)
        cr_assert_eq(others[i], mirrored_move(moves[i]), "move %d", i);
    cr_assert_eq(eval_position(p, pawns), eval_position(&other, pawns));
}

/* Every 16-bit code: legal exactly if it is in the list. */
static void check_codes(const struct position *p, const move_t *moves, int count)
{
    int legal = 0;
    for (unsigned code = 0; code < 65536; code++) {
        bool is_legal = position_is_legal(p, (move_t)code);
        legal += is_legal;
        cr_assert_eq(is_legal, listed(moves, count, (move_t)code), "code %04x", code);
    }
    cr_assert_eq(legal, count, "a move is listed twice");
}

static void check_position(struct position *p, bool codes)
{
    move_t moves[MOVES_MAX];
    int count = position_legal_moves(p, moves);
    cr_assert_eq(p->key, position_key_slow(p));
    cr_assert_eq(p->pawn_key, position_pawn_key_slow(p));
    struct position fresh = *p;
    position_refresh(&fresh);
    cr_assert_eq(memcmp(&fresh, p, sizeof fresh), 0, "what is kept up to date differs from computing it");
    check_mirror(p, moves, count);
    if (codes)
        check_codes(p, moves, count);
}

static void walk_tree(struct position *p, int depth, bool codes)
{
    move_t moves[MOVES_MAX];
    check_position(p, codes);
    if (!depth)
        return;
    int count = position_legal_moves(p, moves);
    for (int i = 0; i < count; i++) {
        struct position before = *p;
        struct undo undo;
        position_make(p, moves[i], &undo);
        walk_tree(p, depth - 1, false);
        position_unmake(p, moves[i], &undo);
        cr_assert_eq(memcmp(&before, p, sizeof before), 0, "unmake does not restore");
    }
}

Test(movegen, keys_masks_and_mirrors_hold_in_whole_trees)
{
    for (int i = 0; i < PERFT_ROWS; i++) {
        struct position p;
        cr_assert(position_parse(&p, perft_rows[i].fen, NULL));
        walk_tree(&p, 2, true);
    }
}

/* Random games reach promotions, castlings and captures that the table's trees do not. */
Test(movegen, random_games)
{
    uint64_t state = 123456789;
    for (int game = 0; game < 30; game++) {
        struct position p;
        struct undo undo;
        move_t moves[MOVES_MAX];
        position_parse(&p, perft_rows[game % PERFT_ROWS].fen, NULL);
        for (int ply = 0, count; ply < 120 && (count = position_legal_moves(&p, moves)); ply++) {
            check_position(&p, ply % 20 == 0);
            position_make(&p, moves[random64(&state) % (uint64_t)count], &undo);
        }
    }
}

Test(movegen, many_moves)
{
    static const struct {
        const char *fen;
        int moves;
    } rows[] = {
        { "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218 }, /* N. Petrovic 1964 */
        { "k7/8/2QQQQQQ/2QQQ3/8/8/8/4K3 b - - 0 1", 0 },
        { "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 218 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        struct tm_error error;
        move_t moves[MOVES_MAX];
        cr_assert(position_parse(&p, rows[i].fen, &error), "%s", error.message);
        int count = position_legal_moves(&p, moves);
        if (rows[i].moves)
            cr_expect_eq(count, rows[i].moves, "%s: %d", rows[i].fen, count);
    }
}

/* Worked out by hand with 100, 320, 330, 500, 950. */
Test(movegen, exchanges)
{
    static const struct {
        const char *fen, *move;
        int value;
    } rows[] = {
        { "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100 },              /* free pawn */
        { "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320 }, /* defended by three */
        { "4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "e2e5", 100 - 500 },
        { "4k3/8/3p4/4p3/5P2/8/8/4K3 w - - 0 1", "f4e5", 0 },
        { "3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 500 },
        { "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850 },
        { "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 850 },
        { "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100 },
        { "4k3/8/8/8/8/5n2/8/4K2R w K - 0 1", "e1d1", 0 },
        { "3qk3/8/8/3p4/4P3/5B2/8/4K3 w - - 0 1", "e4d5", 100 }, /* the queen had better not take back */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position p;
        struct tm_error error;
        cr_assert(position_parse(&p, rows[i].fen, &error), "%s: %s", rows[i].fen, error.message);
        move_t move = move_parse(&p, rows[i].move);
        cr_assert(move, "%s", rows[i].move);
        cr_expect(see_at_least(&p, move, rows[i].value), "%s in %s below %d", rows[i].move, rows[i].fen,
                  rows[i].value);
        cr_expect_not(see_at_least(&p, move, rows[i].value + 1), "%s in %s above %d", rows[i].move, rows[i].fen,
                      rows[i].value);
    }
}
