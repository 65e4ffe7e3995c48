/* Gates that judge: numbers on both sides of their limits. */
#include "tests/store_fixture.h"
#include "tmsim/gates.h"

static const struct gate *find(const struct gate_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->gate[i].name, name) == 0)
            return &list->gate[i];
    cr_assert(false, "no gate %s", name);
    return NULL;
}

static struct profile *profile_of(const char *engine)
{
    char text[400];
    struct profile *profile;
    struct tm_error error = { 0 };
    snprintf(text, sizeof text, "{\"format\":\"zeitnot.profile/1\",\"name\":\"x\",\"engine\":\"%s\",\"model\":{\"kind\":"
             "\"linear_pieces\",\"intercept\":9000,\"slope_per_piece\":0,\"clamp_pieces\":[3,32]}}", engine);
    cr_assert(profile_load_text("x", text, strlen(text), &profile, &error), "%s", error.message);
    return profile;
}

Test(gates, seconds_must_mean_the_same_to_all_players)
{
    struct profile *ours = profile_of("Zeitnot 0.1.0"), *fish = profile_of("Stockfish 15.1");
    const struct {
        struct charged player[2];
        bool passed;
        double value;
        const char *detail;
    } table[] = {
        { { { ours, "zeitnot" }, { ours, "zeitnot" } }, true, 1, "measured with the searcher that plays" },
        { { { ours, "zeitnot" }, { fish, "Stockfish 15.1" } }, true, 1, "measured with the searcher that plays" },
        { { { fish, "zeitnot" }, { fish, "zeitnot" } }, true, 0, "unmatched, the same for all: zeitnot plays, the nodes are those "
                                                               "of Stockfish 15.1" },
        { { { fish, "zeitnot" }, { fish, "Stockfish 15.1" } }, true, 0.5, "unmatched, the same for all" },
        { { { ours, "zeitnot" }, { ours, "dev" } }, true, 0.5, "unmatched, the same for all: dev plays" },
        { { { ours, "zeitnot" }, { fish, "dev" } }, false, 0.5, "that of dev is of another searcher (Stockfish 15.1)" },
        { { { fish, "zeitnot" }, { ours, "Stockfish 15.1" } }, false, 0, "different profiles" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct gate_list list = { 0 };
        gates_profiles(&list, table[i].player, 2);
        const struct gate *gate = find(&list, "profile_match");
        cr_expect_eq(gate->passed, table[i].passed, "row %zu: %s", i, gate->detail);
        cr_expect_eq(gate->value, table[i].value, "row %zu: %g", i, gate->value);
        cr_expect(strstr(gate->detail, table[i].detail), "row %zu: %s", i, gate->detail);
    }
    profile_free(ours);
    profile_free(fish);
}

enum { PLIES = 20 };

/* What becomes of the moves of one pair whose moves ask for 10000 nodes and use 9000, but for `odd` of each game. */
struct moves {
    const char *engine; /* identity; NULL: a foreign one */
    int odd;
    int64_t asked, used; /* of those */
    bool fallback;
};

static struct gate_list judge(const struct moves *moves)
{
    struct fixture_path path = fixture_path("s.db");
    struct store *store = fixture_open(path.file);
    struct run_identity run = fixture_run("60+0");
    struct tm_error error = { 0 };
    struct gate_list list = { 0 };
    char key[33];
    int64_t id, pairing;
    run.engine = moves->engine ? moves->engine : run.engine;
    const int64_t a = fixture_policy(store, "a", "01"), b = fixture_policy(store, "b", "02");
    cr_assert(store_run(store, &run, &id, key, &error) && store_pairing(store, id, a, b, &pairing, &error), "%s", error.message);
    for (int leg = 0; leg < 2; leg++) {
        struct game_record game = fixture_game(0, leg, 1, PLIES);
        for (int i = 0; i < PLIES; i++) {
            const bool odd = i < moves->odd;
            game.move[i].nodes_asked = odd ? moves->asked : 10000;
            game.move[i].nodes_used = odd ? moves->used : 9000;
            game.move[i].fallback = odd && moves->fallback;
        }
        fixture_store(store, pairing, game, FIXTURE_WHITE);
    }
    const struct gate_request request = { .run = id, .pairing = &pairing, .pairing_count = 1, .pairs = 1 };
    cr_assert(gates_games(&list, store, &request, &error), "%s", error.message);
    store_close(store, NULL);
    fixture_remove(&path);
    return list;
}

Test(gates, nodes_beyond_what_was_asked_void_a_run)
{
    static const char ours[] = "{\"name\":\"zeitnot\",\"bench\":1234}";
    static const struct { struct moves moves; bool passed; double value; } table[] = {
        { { ours, 0, 0, 0, false }, true, 0.9 },
        { { ours, 1, 10000, 10000, false }, true, 0.905 },
        { { ours, 1, 10000, 10001, false }, false, 0.90500 + 1.0 / 200000 }, /* it stops at exactly the node */
        { { NULL, 1, 10000, 10001, false }, true, 0.90500 + 1.0 / 200000 },
        { { NULL, 20, 300, 4300, false }, true, 4300.0 / 300 },           /* one poll beyond a small number */
        { { NULL, 10, 10000, 15000, false }, true, 1.2 },                 /* 904 of 10000 beyond a poll, in half of the moves */
        { { NULL, 10, 10000, 15200, false }, false, 1.21 },               /* 1104 of 10000: 5.5 % of all */
        { { NULL, 1, 10000, -1, false }, true, 0.9 },                     /* 5 % unknown */
        { { NULL, 2, 10000, -1, false }, false, 0.9 },
        { { NULL, 20, 0, 77777, false }, true, 0 },                       /* on its own clock: nothing was asked */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct gate_list list = judge(&table[i].moves);
        const struct gate *gate = find(&list, "nodes");
        cr_expect_eq(gate->passed, table[i].passed, "row %zu: %s", i, gate->detail);
        cr_expect_float_eq(gate->value, table[i].value, 1e-9, "row %zu: %.9f", i, gate->value);
    }
}

Test(gates, more_than_a_quarter_of_fallback_moves_voids_a_run)
{
    for (int odd = 5; odd <= 6; odd++) {
        const struct moves moves = { NULL, odd, 10, 10, true };
        const struct gate_list list = judge(&moves);
        const struct gate *gate = find(&list, "fallback_share");
        cr_expect_eq(gate->passed, odd == 5, "%s", gate->detail);
        cr_expect_float_eq(gate->value, odd / 20.0, 1e-12);
    }
}
