/* The arithmetic of policies: transcendental functions correctly rounded by MPFR, and C's integer types.

   Conversions copy what x86-64 does where C leaves them undefined, because published formulas are run there:
   out of range or NaN gives the smallest integer of the type that the processor converts to. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>
#include <mpfr.h>

#include "vclock/policy_internal.h"

enum {
    MPFR_FUEL = 64,      /* of exp and log: as long as that many instructions (measured: 1 to 3 us) */
    POW_FUEL = 256,      /* of pow (measured: up to 12 us) */
    DOUBLE_BITS = 53,
    DOUBLE_EMIN = -1073, /* MPFR's exponents of the smallest subnormal and the largest double */
    DOUBLE_EMAX = 1024
};

static double number_at(lua_State *lua, int index)
{
    luaL_checktype(lua, index, LUA_TNUMBER); /* luaL_checknumber would take "10" too */
    return lua_tonumber(lua, index);
}

struct range {
    mpfr_exp_t least, most;
};

static struct range range_enter(void)
{
    struct range outer = {mpfr_get_emin(), mpfr_get_emax()};
    mpfr_set_emin(DOUBLE_EMIN);
    mpfr_set_emax(DOUBLE_EMAX);
    return outer;
}

static double range_leave(struct range outer, mpfr_t value, int ternary)
{
    mpfr_subnormalize(value, ternary, MPFR_RNDN);
    double result = mpfr_get_d(value, MPFR_RNDN);
    mpfr_set_emin(outer.least);
    mpfr_set_emax(outer.most);
    return result;
}

/* An mpfr_t on our own limbs: nothing to free when Lua jumps over us. */
static void place(mpfr_t value, mp_limb_t *limbs, double x)
{
    mpfr_custom_init(limbs, DOUBLE_BITS);
    mpfr_custom_init_set(value, MPFR_ZERO_KIND, 0, DOUBLE_BITS, limbs);
    mpfr_set_d(value, x, MPFR_RNDN);
}

enum function { FUNCTION_NONE, FUNCTION_EXP, FUNCTION_LOG, FUNCTION_LOG10, FUNCTION_POW };

static double compute(enum function function, double x, double y)
{
    mp_limb_t limbs[2], power_limbs[2], result_limbs[2];
    mpfr_t value, power, result;
    struct range outer = range_enter();
    place(value, limbs, x);
    place(power, power_limbs, y);
    place(result, result_limbs, 0);
    int ternary = function == FUNCTION_EXP     ? mpfr_exp(result, value, MPFR_RNDN)
                  : function == FUNCTION_LOG   ? mpfr_log(result, value, MPFR_RNDN)
                  : function == FUNCTION_LOG10 ? mpfr_log10(result, value, MPFR_RNDN)
                                               : mpfr_pow(result, value, power, MPFR_RNDN);
    return range_leave(outer, result, ternary);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool is_remembered(const struct policy_rounded *entry, enum function function, double x, double y)
{
    return entry->function == (int)function && bits_of(entry->x) == bits_of(x) && bits_of(entry->y) == bits_of(y);
}

/* The value from the game's table or from MPFR. Each has two places there, of which the second is for what was pushed
   out of the first: with one, a formula over a hundred values loses a dozen of them at each call. The fuel is the
   same, so that no limit depends on the past. */
static double rounded(lua_State *lua, enum function function, double x, double y)
{
    policy_sandbox_charge(lua, function == FUNCTION_POW ? POW_FUEL : MPFR_FUEL);
    const uint64_t hash = policy_mix(bits_of(x) ^ policy_mix(bits_of(y) + (uint64_t)function));
    struct policy_rounded *entry = &policy_game_of(lua)->rounded[hash % (POLICY_ROUNDED / 2) * 2];
    if (is_remembered(&entry[0], function, x, y))
        return entry[0].value;
    if (is_remembered(&entry[1], function, x, y))
        return entry[1].value;
    entry[1] = entry[0];
    entry[0] = (struct policy_rounded){(int)function, x, y, compute(function, x, y)};
    return entry[0].value;
}

static int push_rounded(lua_State *lua, enum function function)
{
    double x = number_at(lua, 1), y = function == FUNCTION_POW ? number_at(lua, 2) : 0;
    lua_pushnumber(lua, rounded(lua, function, x, y));
    return 1;
}

static int math_exp(lua_State *lua) { return push_rounded(lua, FUNCTION_EXP); }
static int math_log(lua_State *lua) { return push_rounded(lua, FUNCTION_LOG); }
static int math_log10(lua_State *lua) { return push_rounded(lua, FUNCTION_LOG10); }
static int math_pow(lua_State *lua) { return push_rounded(lua, FUNCTION_POW); }

/* 1 / (1 + exp(-x)): exp correctly rounded, the sum and the quotient by IEEE. */
static int math_sigmoid(lua_State *lua)
{
    double x = number_at(lua, 1);
    lua_pushnumber(lua, 1 / (1 + rounded(lua, FUNCTION_EXP, -x, 0)));
    return 1;
}

static int push_real(lua_State *lua, double (*function)(double))
{
    double x = number_at(lua, 1);
    if (lua_isinteger(lua, 1) && function != sqrt)
        lua_pushvalue(lua, 1);
    else
        lua_pushnumber(lua, function(x));
    return 1;
}

static int math_floor(lua_State *lua) { return push_real(lua, floor); }
static int math_ceil(lua_State *lua) { return push_real(lua, ceil); }
static int math_trunc(lua_State *lua) { return push_real(lua, trunc); }
static int math_sqrt(lua_State *lua) { return push_real(lua, sqrt); }

static int64_t wrap(uint64_t bits)
{
    return (int64_t)bits;
}

static int math_abs(lua_State *lua)
{
    double x = number_at(lua, 1);
    if (!lua_isinteger(lua, 1)) {
        lua_pushnumber(lua, fabs(x));
        return 1;
    }
    lua_Integer i = lua_tointeger(lua, 1);
    lua_pushinteger(lua, i < 0 ? wrap(0 - (uint64_t)i) : i);
    return 1;
}

static int math_lerp(lua_State *lua)
{
    double a = number_at(lua, 1), b = number_at(lua, 2), t = number_at(lua, 3);
    lua_pushnumber(lua, a + (b - a) * t);
    return 1;
}

/* a / b rounded toward zero; integers stay integers, floats are truncated first. */
static int math_idiv(lua_State *lua)
{
    double a = trunc(number_at(lua, 1)), b = trunc(number_at(lua, 2));
    if (b == 0)
        return luaL_error(lua, "integer division by zero");
    if (!lua_isinteger(lua, 1) || !lua_isinteger(lua, 2)) {
        lua_pushnumber(lua, trunc(a / b));
        return 1;
    }
    lua_Integer i = lua_tointeger(lua, 1), j = lua_tointeger(lua, 2);
    lua_pushinteger(lua, j == -1 ? wrap(0 - (uint64_t)i) : i / j);
    return 1;
}

/* cvttsd2si with a 64 bit target. */
static int64_t to_i64(double x)
{
    return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

/* What compilers emit for a conversion to unsigned 64 bit. */
static int64_t to_u64(double x)
{
    return x >= 0x1p63 ? wrap((uint64_t)to_i64(x - 0x1p63) ^ (UINT64_C(1) << 63)) : to_i64(x);
}

static int math_i64(lua_State *lua)
{
    double x = number_at(lua, 1);
    lua_pushinteger(lua, lua_isinteger(lua, 1) ? lua_tointeger(lua, 1) : to_i64(x));
    return 1;
}

static int math_u64(lua_State *lua)
{
    double x = number_at(lua, 1);
    lua_pushinteger(lua, lua_isinteger(lua, 1) ? lua_tointeger(lua, 1) : to_u64(x));
    return 1;
}

static int math_i32(lua_State *lua)
{
    double x = number_at(lua, 1);
    if (lua_isinteger(lua, 1))
        lua_pushinteger(lua, (int32_t)(uint32_t)lua_tointeger(lua, 1));
    else
        lua_pushinteger(lua, x > -0x1p31 - 1 && x < 0x1p31 ? (int32_t)x : INT32_MIN);
    return 1;
}

static int math_u32(lua_State *lua)
{
    double x = number_at(lua, 1);
    lua_pushinteger(lua, (uint32_t)(lua_isinteger(lua, 1) ? lua_tointeger(lua, 1) : to_i64(x)));
    return 1;
}

static int math_f32(lua_State *lua)
{
    lua_pushnumber(lua, (double)(float)number_at(lua, 1));
    return 1;
}

/* Units in one second, for sec and ms. The unit "node" has a rate only while a hook runs. */
static double units_per_second(lua_State *lua)
{
    const struct policy_game *game = policy_game_of(lua);
    if (game->unit == POLICY_NODE && game->rate <= 0)
        luaL_error(lua, "sec and ms need the node rate, which only the hooks know");
    static const double per_second[] = {[POLICY_S] = 1, [POLICY_MS] = 1e3, [POLICY_CS] = 100};
    return game->unit == POLICY_NODE ? (double)game->rate : per_second[game->unit];
}

static int math_sec(lua_State *lua)
{
    lua_pushnumber(lua, number_at(lua, 1) * units_per_second(lua));
    return 1;
}

static int math_ms(lua_State *lua)
{
    lua_pushnumber(lua, number_at(lua, 1) * units_per_second(lua) / 1e3);
    return 1;
}

void policy_math_set(lua_State *lua)
{
    static const struct {
        const char *name;
        lua_CFunction function;
    } table[] = {
        {"abs", math_abs}, {"ceil", math_ceil}, {"exp", math_exp}, {"f32", math_f32}, {"floor", math_floor},
        {"i32", math_i32}, {"i64", math_i64}, {"idiv", math_idiv}, {"lerp", math_lerp}, {"log", math_log},
        {"log10", math_log10}, {"ms", math_ms}, {"pow", math_pow}, {"sec", math_sec},
        {"sigmoid", math_sigmoid}, {"sqrt", math_sqrt}, {"trunc", math_trunc}, {"u32", math_u32},
        {"u64", math_u64},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lua_pushcfunction(lua, table[i].function);
        lua_setfield(lua, -2, table[i].name);
    }
    lua_pushnumber(lua, HUGE_VAL);
    lua_setfield(lua, -2, "huge");
}
