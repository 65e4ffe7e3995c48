/* The tables that a policy is handed: c, s, b and p. They live as long as the game, and each call only refreshes their
   numbers; nothing is allocated then. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "vclock/event.h"
#include "vclock/policy_internal.h"

static const char *const clock_fields[] = {
    "time", "inc", "movestogo", "base", "period_base", "period_moves", "ply", "moves", "opp_time", "opp_inc", "lag",
    "pieces", "phase", "legal", "rand", "ponder", "threads"};

static const char *const signal_fields[] = {
    "elapsed", "nodes", "depth", "score", "prev_score", "prev_move_score", "drop", "mate", "prev_mate", "changed",
    "changes", "stable", "last_change", "share", "fail_low", "fail_high", "legal", "iteration_start", "scores"};

static const char *const budget_fields[] = {"soft", "hard", "ceiling"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A time in the policy's unit. Nodes are multiplied before they are divided, which keeps them exact longer. */
static double in_units(const struct policy_game *game, tm_ns t)
{
    if (game->unit == POLICY_NODE)
        return (double)t * (double)game->rate / 1e9;
    return (double)t / policy_unit_ns(game->policy, 0);
}

/* Most fields are the same at call after call (a solver asks about one clock after another), and a table remembers
   them: only what has changed is written. `shown` is the field's place in the game's memory of that. */
static bool is_shown(struct policy_shown *shown, enum policy_shown_kind kind, double value)
{
    if (shown->kind == kind && memcmp(&shown->value, &value, sizeof value) == 0) /* bits: -0 is not 0 here */
        return true;
    *shown = (struct policy_shown){kind, value};
    return false;
}

static void set_number(lua_State *lua, int table, struct policy_shown *shown, const char *name, double value)
{
    if (is_shown(shown, SHOWN_NUMBER, value))
        return;
    lua_pushnumber(lua, value);
    lua_setfield(lua, table, name);
}

static void set_optional(lua_State *lua, int table, struct policy_shown *shown, const char *name, bool known,
                         double value)
{
    if (known) {
        set_number(lua, table, shown, name, value);
    } else if (!is_shown(shown, SHOWN_NIL, 0)) {
        lua_pushnil(lua);
        lua_setfield(lua, table, name);
    }
}

static void set_boolean(lua_State *lua, int table, struct policy_shown *shown, const char *name, bool value)
{
    if (is_shown(shown, SHOWN_BOOLEAN, value))
        return;
    lua_pushboolean(lua, value);
    lua_setfield(lua, table, name);
}

void policy_fill_clock(lua_State *lua, int table)
{
    struct policy_game *game = policy_game_of(lua);
    const struct clock_state *c = &game->clock;
    struct policy_shown *shown = game->shown_clock;
    set_number(lua, table, shown++, "time", in_units(game, c->time));
    set_number(lua, table, shown++, "inc", in_units(game, c->inc));
    set_optional(lua, table, shown++, "movestogo", c->has_movestogo, c->movestogo);
    set_number(lua, table, shown++, "base", in_units(game, c->base));
    set_number(lua, table, shown++, "period_base", in_units(game, c->period_base));
    set_optional(lua, table, shown++, "period_moves", c->period_moves != 0, c->period_moves);
    set_number(lua, table, shown++, "ply", c->ply);
    set_number(lua, table, shown++, "moves", c->moves);
    set_number(lua, table, shown++, "opp_time", in_units(game, c->opp_time));
    set_number(lua, table, shown++, "opp_inc", in_units(game, c->opp_inc));
    set_number(lua, table, shown++, "lag", in_units(game, c->lag));
    set_number(lua, table, shown++, "pieces", c->pieces);
    set_number(lua, table, shown++, "phase", c->phase);
    set_number(lua, table, shown++, "legal", c->legal);
    set_number(lua, table, shown++, "rand", c->rand);
    set_boolean(lua, table, shown++, "ponder", c->ponder);
    set_number(lua, table, shown, "threads", c->threads);
}

static struct policy_shown *fill_scores(lua_State *lua, int table, int scores, const struct signals *s,
                                        struct policy_shown *shown)
{
    bool known = s->known & TM_KNOWS_SCORE;
    set_optional(lua, table, shown++, "score", known, s->score);
    set_optional(lua, table, shown++, "prev_score", known, s->prev_score);
    set_optional(lua, table, shown++, "prev_move_score", known && s->has_prev_move_score, s->prev_move_score);
    set_optional(lua, table, shown++, "drop", known, s->drop);
    set_optional(lua, table, shown++, "mate", known && s->mate, s->mate);
    set_optional(lua, table, shown++, "prev_mate", known && s->prev_mate, s->prev_mate);
    if (!is_shown(shown++, known ? SHOWN_TABLE : SHOWN_NIL, 0)) {
        if (known)
            lua_pushvalue(lua, scores);
        else
            lua_pushnil(lua);
        lua_setfield(lua, table, "scores");
    }
    return shown;
}

void policy_fill_signals(lua_State *lua, int table, int scores)
{
    struct policy_game *game = policy_game_of(lua);
    const struct signals *s = game->signals;
    struct policy_shown *shown = game->shown_signals;
    bool nodes = s->known & TM_KNOWS_NODES, bounds = s->known & TM_KNOWS_BOUND;
    set_number(lua, table, shown++, "elapsed", in_units(game, s->elapsed));
    set_number(lua, table, shown++, "iteration_start", in_units(game, s->iteration_start));
    set_optional(lua, table, shown++, "nodes", nodes, (double)s->nodes);
    set_number(lua, table, shown++, "depth", s->depth);
    shown = fill_scores(lua, table, scores, s, shown);
    set_boolean(lua, table, shown++, "changed", s->changed);
    set_optional(lua, table, shown++, "changes", s->known & TM_KNOWS_CHANGES, s->changes);
    set_number(lua, table, shown++, "stable", s->stable);
    set_number(lua, table, shown++, "last_change", s->last_change);
    set_optional(lua, table, shown++, "share", nodes && (s->known & TM_KNOWS_BEST_NODES), s->share);
    set_optional(lua, table, shown++, "fail_low", bounds, s->fail_low);
    set_optional(lua, table, shown++, "fail_high", bounds, s->fail_high);
    set_optional(lua, table, shown, "legal", s->known & TM_KNOWS_LEGAL, s->legal);
}

void policy_fill_budget(lua_State *lua, int table)
{
    struct policy_game *game = policy_game_of(lua);
    const struct budget *b = game->budget;
    struct policy_shown *shown = game->shown_budget;
    set_number(lua, table, shown++, "soft", b->floored.soft < b->floored.hard ? b->floored.soft : b->floored.hard);
    set_number(lua, table, shown++, "hard", b->floored.hard);
    set_optional(lua, table, shown, "ceiling", b->has_ceiling, b->ceiling);
}

static int score_at(lua_State *lua)
{
    const struct signals *s = policy_game_of(lua)->signals;
    luaL_checktype(lua, 2, LUA_TNUMBER);
    double k = lua_tonumber(lua, 2);
    if (!(k >= 0 && k == floor(k)))
        return luaL_error(lua, "scores[k] needs a whole k of at least 0");
    if (k >= s->score_count)
        return 0;
    lua_pushnumber(lua, s->scores[(int)k]);
    return 1;
}

static int scores_written(lua_State *lua)
{
    return luaL_error(lua, "s.scores is read-only");
}

static void push_scores(lua_State *lua)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 2);
    lua_pushcfunction(lua, score_at);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, scores_written);
    lua_setfield(lua, -2, "__newindex");
    lua_setmetatable(lua, -2);
}

static void push_parameters(lua_State *lua)
{
    const struct policy_info *info = &policy_game_of(lua)->policy->info;
    policy_view_push(lua, "p", NULL, 0);
    for (int i = 0; i < info->param_count; i++) {
        lua_pushnumber(lua, info->param[i].value);
        lua_setfield(lua, -2, info->param[i].name);
    }
    lua_pop(lua, 1);
}

int policy_tables_make(lua_State *lua)
{
    luaL_checkstack(lua, LUA_MINSTACK + SLOT_COUNT, NULL);
    policy_view_push(lua, "c", clock_fields, COUNT(clock_fields));
    policy_view_push(lua, "s", signal_fields, COUNT(signal_fields));
    push_scores(lua);
    policy_view_push(lua, "b", budget_fields, COUNT(budget_fields));
    push_parameters(lua);
    lua_newtable(lua);
    return SLOT_G;
}
