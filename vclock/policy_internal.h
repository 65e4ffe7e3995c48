/* What the source files of policies share; nobody else includes this. */
#ifndef VCLOCK_POLICY_INTERNAL_H
#define VCLOCK_POLICY_INTERNAL_H

#include <lua.h>

#include "vclock/policy.h"

enum {
    POLICY_TEXT_MAX = 64 * 1024,
    POLICY_MEMORY = 1024 * 1024,   /* bytes that one Lua state may hold */
    POLICY_STRING_MAX = 4096,      /* bytes of one string: comparing and joining long ones would cost time
                                      that instructions do not show */
    POLICY_PARAMS = 32,
    POLICY_BRANCHES = 64           /* branches kept with line and winner; the signature covers the winners of all */
};

/* One unit of fuel is one instruction of the Lua machine. A million takes at most 0.1 s in the worst policy that the
   tests know (measured), and the longest published formula, a sum over 50 moves with a power in each term, needs 20
   thousand. */
#define POLICY_CALL_FUEL INT64_C(1000000)
#define POLICY_LOAD_FUEL INT64_C(10000000)

enum policy_breach { BREACH_NONE, BREACH_MEMORY, BREACH_STRING, BREACH_FUEL };

struct policy_sandbox {
    size_t used;
    int64_t fuel;
    enum policy_breach breach;
};

enum { POLICY_VECTOR_KEYS = 24, POLICY_VECTOR_NAME = 48 };

struct policy_vector_key {
    char key[POLICY_VECTOR_NAME], target[POLICY_VECTOR_NAME];
};

struct policy {
    struct policy_info info;
    char *text;
    size_t size;
    char *code;      /* the text, compiled by us: a state made from it need not parse; NULL while the file is read */
    size_t code_size;
    char *name, *title, *source, *label, *path;
    char hash[33];
    struct policy_param param[POLICY_PARAMS];
    struct tc tc; /* behind info.tc */
    struct policy_vector_key vector[POLICY_VECTOR_KEYS];
    int vector_count;
};

/* Where things lie on the Lua stack of a game between calls. */
enum policy_slot {
    SLOT_C = 1, SLOT_C_VALUES, SLOT_S, SLOT_S_VALUES, SLOT_SCORES, SLOT_B, SLOT_B_VALUES, SLOT_P, SLOT_G,
    SLOT_BUDGET, SLOT_LIMIT, SLOT_FINISH, SLOT_COUNT = SLOT_FINISH
};

enum policy_hook { HOOK_LOAD, HOOK_BUDGET, HOOK_LIMIT, HOOK_FINISH };

/* One remembered value of exp, log, log10 or pow. */
struct policy_rounded {
    int function; /* 0: empty */
    double x, y, value;
};

enum { POLICY_ROUNDED = 512 }; /* even; formulas over coming moves ask for the same hundred values at each move */

/* What a field of c, s or b holds now; it starts as nothing. */
enum policy_shown_kind { SHOWN_NOTHING, SHOWN_NIL, SHOWN_NUMBER, SHOWN_BOOLEAN, SHOWN_TABLE };

struct policy_shown {
    enum policy_shown_kind kind;
    double value;
};

struct policy_game {
    const struct policy *policy;
    struct policy *loading;        /* the same while its file is read, else NULL */
    lua_State *lua;
    struct policy_sandbox sandbox;
    bool dead;
    int fault_line;                /* where fuel ran out or a field is wrong; 0: Lua's message knows */
    enum policy_unit unit;
    int64_t rate;                  /* of the last clock state; 0 while loading */
    enum policy_hook hook;         /* the running or last one, with its inputs: */
    struct clock_state clock;
    const struct signals *signals;
    const struct budget *budget;
    uint64_t locals;               /* policy_locals_digest after the chunk has run */
    int digested;                  /* values that the running digest has seen */
    bool noting;                   /* branches are noted during `budget` only */
    uint64_t signature;
    int branch_count;
    struct policy_branch branch[POLICY_BRANCHES];
    struct policy_memory *before;  /* g before the last hook ran, so that policy_locate can run it again */
    int nan_line, line_at[64];     /* of policy_locate */
    struct policy_rounded rounded[POLICY_ROUNDED];
    struct policy_shown shown_clock[17], shown_signals[20], shown_budget[3]; /* one for each field of the tables */
};

/* The game that a Lua state belongs to. */
/* Replaces *memory by a new save; keeps it where both are empty, as for most policies. */
void policy_game_save_again(const struct policy_game *game, struct policy_memory **memory);

static inline struct policy_game *policy_game_of(lua_State *lua)
{
    return *(struct policy_game **)lua_getextraspace(lua);
}

/* `policy_sandbox_open` makes the state with its hook; false: out of memory.
   `policy_sandbox_call` runs the function below its `arguments` with fresh fuel, in protected mode. On failure
   one value is left on the stack, the error object; after a breach the game is dead. */
bool policy_sandbox_open(struct policy_game *game);
bool policy_sandbox_call(struct policy_game *game, int arguments, int results, int64_t fuel);
/* Restores the count hook after a caller has used its own. */
void policy_sandbox_hook(lua_State *lua);
/* Takes fuel for work that instructions do not show; raises a Lua error if it is used up. */
void policy_sandbox_charge(lua_State *lua, int64_t fuel);

/* Pushes the table that is the chunk's _ENV. */
void policy_environment_push(lua_State *lua);
/* Pushes a read-only view called `name` and the table of its values. Reading a field that is not in `fields`
   (NULL: the policy's parameters) is an error. */
void policy_view_push(lua_State *lua, const char *name, const char *const *fields, size_t count);

/* Lua function: makes and returns everything from SLOT_C to SLOT_G. The others refresh the values in the table at an
   index of the stack from the inputs of the running hook. */
int policy_tables_make(lua_State *lua);
void policy_fill_clock(lua_State *lua, int table);
void policy_fill_signals(lua_State *lua, int table, int scores);
void policy_fill_budget(lua_State *lua, int table);

/* Sets the functions of the language in the table on top of the stack. */
void policy_math_set(lua_State *lua);
void policy_branch_set(lua_State *lua);
void policy_branch_reset(struct policy_game *game);

/* A state for the policy in which nothing has run yet; NULL: out of memory. */
struct policy_game *policy_game_open(const struct policy *policy, enum policy_unit unit);

/* Runs the chunk: fills the game's slots and leaves the table of the file on top. */
bool policy_chunk_run(struct policy_game *game, struct tm_error *error);

/* Reads the fields of the table on top, and takes it off. */
bool policy_file_read(struct policy_game *game, struct tm_error *error);

/* Pushes the running hook with its arguments; the number of arguments goes to policy_sandbox_call. */
int policy_hook_push(struct policy_game *game);
const char *policy_hook_name(enum policy_hook hook);

/* A digest of everything that the hooks can reach but g: locals of the file, what their tables hold. It may not
   change, since only g is saved and restored. */
uint64_t policy_locals_digest(struct policy_game *game);
bool policy_locals_unchanged(struct policy_game *game, struct tm_error *error);

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t policy_mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Fault messages: FILE:LINE: text, the inputs of the hook, the source line. `line` 0 is unknown.
   `policy_fault_lua` takes the error object off Lua's stack. Both return false. */
bool policy_fault(const struct policy_game *game, int line, struct tm_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool policy_fault_lua(struct policy_game *game, struct tm_error *error);

/* Runs the hook once more and tells the line where a local first became NaN, or else the last line of it. */
int policy_locate(struct policy_game *game);

#endif
