/* How the players of a run played, which heads its table: three ways to play are three kinds of results. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tmsim/rank_internal.h"
#include "tmsim/store_internal.h"

/* `own`: engines on their own clock, `profiled`: those among them with a profile of their own. Their policy's source is
   the engine's identity. */
static const char way_sql[] =
    "SELECT e.identity, f.json, count(DISTINCT q.id) FILTER (WHERE q.source LIKE '{%'), "
    "count(DISTINCT q.id) FILTER (WHERE CASE WHEN json_valid(q.source) THEN json_extract(q.source, '$.profile') <> '' END), "
    "count(DISTINCT q.id), json_extract(r.identity, '$.rate_noise') FROM run r JOIN engine e ON e.id = r.engine JOIN profile f ON f.id = r.profile "
    "JOIN pairing p ON p.run = r.id JOIN policy q ON q.id IN (p.first, p.second) WHERE r.id = ?";

struct way {
    char engine[200];       /* that policies play through: name and version; "" if none do */
    const char *clock;      /* "cold", "warm"; NULL: built in */
    const char *profile;    /* the engine it was measured on */
    const char *noise;      /* of the rate; NULL: none */
    int own, profiled, all; /* players */
};

static void read_engine(const json_t *identity, struct way *way)
{
    const char *name = json_string_value(json_object_get(identity, "name"));
    const char *version = json_string_value(json_object_get(identity, "version"));
    way->clock = json_string_value(json_object_get(identity, "clock"));
    if (way->own < way->all)
        snprintf(way->engine, sizeof way->engine, "%s%s%s", name ? name : "", version ? " " : "", version ? version : "");
}

/* A policy is measured in the nodes of the engine that searches; only its own profile says what these cost. */
static bool is_unmatched(const struct way *way)
{
    return *way->engine && strcasecmp(way->engine, way->profile) != 0;
}

static void say_players(const struct way *way, char *text, size_t size)
{
    int used = 0;
    if (*way->engine && way->clock)
        used = snprintf(text, size, "policies drive %s, %s", way->engine,
                        strcmp(way->clock, "warm") == 0 ? "warm (its hash is kept)" : "cold (its hash is cleared before every move)");
    else if (*way->engine)
        used = snprintf(text, size, "policies through %s, built in", way->engine);
    if (way->own > 0 && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "%s%d engine%s by their own time managers on the node clock", used ? "; " : "",
                 way->own, way->own == 1 ? "" : "s");
}

static void say_profile(const struct way *way, char *text, size_t size)
{
    if (way->profiled > 0)
        snprintf(text, size, "%d with a profile of their own", way->profiled);
    else if (is_unmatched(way))
        snprintf(text, size, "one profile for all, unmatched: measured on %s", way->profile);
    else
        snprintf(text, size, "one profile for all");
}

static bool describe(const struct way *way, struct ranking *ranking, struct tm_error *error)
{
    char players[400], profile[300], noise[200], whole[1000];
    players[0] = noise[0] = '\0';
    if (way->noise)
        snprintf(noise, sizeof noise, "; rates vary, %s", way->noise);
    say_players(way, players, sizeof players);
    say_profile(way, profile, sizeof profile);
    snprintf(whole, sizeof whole, "Players: %s; %s%s.", players, profile, noise);
    ranking->way = strdup(whole);
    ranking->warm = way->clock && strcmp(way->clock, "warm") == 0;
    return ranking->way || error_fail(error, TM_INTERNAL, "out of memory while ranking");
}

bool rank_way_read(struct store *store, struct ranking *ranking, struct tm_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, way_sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, "ranking", error);
    sqlite3_bind_int64(statement, 1, ranking->run);
    bool ok = sqlite3_step(statement) == SQLITE_ROW || store_fail(store, "ranking", error);
    json_t *identity = ok ? json_loads((const char *)sqlite3_column_text(statement, 0), 0, NULL) : NULL;
    json_t *profile = ok ? json_loads((const char *)sqlite3_column_text(statement, 1), 0, NULL) : NULL;
    const char *measured_on = json_string_value(json_object_get(profile, "engine"));
    struct way way = { .profile = measured_on ? measured_on : "" };
    if (ok) {
        way.own = sqlite3_column_int(statement, 2);
        way.profiled = sqlite3_column_int(statement, 3);
        way.all = sqlite3_column_int(statement, 4);
        way.noise = (const char *)sqlite3_column_text(statement, 5);
        read_engine(identity, &way);
        ok = describe(&way, ranking, error);
    }
    json_decref(identity);
    json_decref(profile);
    sqlite3_finalize(statement);
    return ok;
}
