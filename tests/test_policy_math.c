/* The functions of policies: correctly rounded, C's conversions, NaN as in C++. */
#include <criterion/criterion.h>

#include <math.h>

#include "tests/policy_text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The value of an expression, through a budget's first value. */
static double value_of(const char *expression)
{
    char body[256];
    snprintf(body, sizeof body, "return %s, 0", expression);
    struct subject s = subject_with(body);
    struct budget b;
    cr_assert(s.game != NULL, "%s: %s", expression, s.error.message);
    cr_assert(budget_at(&s, 1, &b), "%s: %s", expression, s.error.message);
    subject_drop(&s);
    return b.raw.soft;
}

/* Lua writes the condition; an expression that must be true. */
static void expect_true(const char *condition)
{
    char body[256];
    snprintf(body, sizeof body, "assert(%s)\nreturn 0, 0", condition);
    struct subject s = subject_with(body);
    struct budget b;
    cr_assert(s.game != NULL, "%s: %s", condition, s.error.message);
    cr_expect(budget_at(&s, 1, &b), "%s", s.error.message);
    subject_drop(&s);
}

/* Values from a computation with 400 bits that does not use MPFR. The first four arguments are among the worst for
   double precision (Lefevre and Muller 2001): the exact value is within 2^-57 of an ulp of a double or of the middle
   of two. The three after them are within 2^-13 of a middle, the worst of 60000 random ones. Two subnormal
   values come out wrong if rounded to 53 bits first. */
Test(policy_math, transcendental_functions_are_correctly_rounded)
{
    static const struct {
        const char *expression;
        double value;
    } table[] = {
        {"exp(0x1.9e9cbbfd6080bp-31)", 0x1.000000033d398p+0},
        {"exp(-0x1.ed318efb627eap-27)", 0x1.ffffff84b39c5p-1},
        {"exp(0x1.83d4bcdebb3f4p+2)", 0x1.ac50b409c8aeep+8},
        {"log10(0x1.e12d66744ff81p+429)", 0x1.02d4f53729e45p+7},
        {"pow(0x1.d935715b4b659p+6, 0.461073)", 0x1.21090d879186ep+3},
        {"pow(0x1.1d966796c1109p+7, 0.461073)", 0x1.3b3b01cc1a3fbp+3},
        {"pow(0x1.02c2a18dd3d16p+6, 0.461073)", 0x1.b5a1984ef878fp+2},
        {"log(0x1.62a88613629b5p+678)", 0x1.d6479eba7c971p+8},
        {"exp(1.0)", 0x1.5bf0a8b145769p+1},
        {"exp(-1.0)", 0x1.78b56362cef38p-2},
        {"exp(709.5)", 0x1.81e9b4b52d0c9p+1023},
        {"exp(-744.5)", 0x0.0000000000001p-1022},
        {"exp(-745.0)", 0x0.0000000000001p-1022},
        {"exp(-720.25)", 0x0.000077564144fp-1022},
        {"log(2.0)", 0x1.62e42fefa39efp-1},
        {"log(10.0)", 0x1.26bb1bbb55516p+1},
        {"log(0x1.0000000000001p+0)", 0x1.fffffffffffffp-53},
        {"log10(2.0)", 0x1.34413509f79ffp-2},
        {"log10(60.0)", 0x1.c734eb9bbd3ffp+0},
        {"log10(0.001)", -0x1.8000000000000p+1},
        {"pow(3.22713, 0.46866)", 0x1.bb4de2d8f1f95p+0},
        {"pow(1.5, -1800.5)", 0x0.00000001b611fp-1022},
        {"pow(10, 0.1)", 0x1.4248ef8fc2604p+0},
        {"pow(-2, 3.0)", -0x1.0000000000000p+3},
        {"exp(-708.85)", 0x0.a2a6348e03e5dp-1022}, {"exp(-709.0375)", 0x0.86d748dc952c3p-1022},
        {"exp(1000)", HUGE_VAL}, {"exp(-1000)", 0}, {"log(0)", -HUGE_VAL}, {"pow(0, 0)", 1}, {"exp(0)", 1},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        double value = value_of(table[i].expression);
        cr_expect(value == table[i].value, "%s = %a, expected %a", table[i].expression, value, table[i].value);
    }
}

Test(policy_math, sigmoid_is_its_formula)
{
    cr_expect_eq(value_of("sigmoid(0)"), 0.5);
    cr_expect_eq(value_of("sigmoid(1000)"), 1);
    cr_expect_eq(value_of("sigmoid(-1000)"), 0);
    cr_expect_eq(value_of("sigmoid(2) - 1 / (1 + exp(-2))"), 0);
}

Test(policy_math, roundings_and_interpolation)
{
    static const char *const table[] = {
        "floor(-1.5) == -2", "ceil(-1.5) == -1", "trunc(-1.5) == -1", "trunc(1.5) == 1", "abs(-2.5) == 2.5",
        "sqrt(2) == 0x1.6a09e667f3bcdp+0", "lerp(2, 4, 0.25) == 2.5", "lerp(0, 1, 2) == 2", "clamp(5, 1, 3) == 3",
        "clamp(0, 1, 3) == 1", "clamp(2, 1, 3) == 2", "idiv(7, 2) == 3", "idiv(-7, 2) == -3", "idiv(7.9, 2.9) == 3",
        "idiv(i64(-7), i64(2)) == -3", "idiv(i64(-0x7fffffffffffffff) - 1, i64(-1)) == i64(-0x7fffffffffffffff) - 1",
        "abs(i64(-3)) == 3", "log10(1000) == 3", "huge > 1e308", "floor(huge) == huge"};
    for (size_t i = 0; i < COUNT(table); i++)
        expect_true(table[i]);
}

Test(policy_math, integer_types_convert_and_wrap_as_in_c)
{
    static const char *const table[] = {
        "i64(3.9) == 3 and i64(-3.9) == -3",
        "i64(9223372036854774784.0) == 9223372036854774784",
        "i64(9223372036854775808.0) == -0x7fffffffffffffff - 1",
        "i64(-1e300) == -0x7fffffffffffffff - 1 and i64(0/0) == -0x7fffffffffffffff - 1",
        "i64(9223372036854774784.0) + 1024 == -0x7fffffffffffffff - 1",
        "u64(18446744073709549568.0) == -2048", "u64(-1.0) == -1", "u64(huge) == 0", "u64(3.9) == 3",
        "u64(0/0) == -0x7fffffffffffffff - 1",
        "i32(2147483647.9) == 2147483647 and i32(2147483648.0) == -2147483648",
        "i32(-2147483648.9) == -2147483648 and i32(-1e10) == -2147483648 and i32(0/0) == -2147483648",
        "i32(i64(2147483647) + 1) == -2147483648 and i32(i64(4294967297)) == 1",
        "u32(4294967295.0) == 4294967295 and u32(4294967296.0) == 0 and u32(-1.0) == 4294967295",
        "u32(i64(-1)) == 4294967295 and u32(1e300) == 0",
        "f32(0.1) == 0x1.99999ap-4", "f32(16777217) == 16777216", "f32(1e39) == huge"};
    for (size_t i = 0; i < COUNT(table); i++)
        expect_true(table[i]);
}

Test(policy_math, min_and_max_treat_nan_as_cxx_does)
{
    cr_expect_eq(value_of("max(1, 0/0)"), 1, "1 < NaN is false: the first stays");
    cr_expect_eq(value_of("min(1, 0/0)"), 1);
    cr_expect_eq(value_of("when(max(0/0, 1) == 1, 1, 2)"), 2, "NaN < 1 is false: NaN stays");
    cr_expect_eq(value_of("max(1, 3, 2)"), 3);
    cr_expect_eq(value_of("min(3, 1, 2)"), 1);
    cr_expect_eq(value_of("clamp(0/0, 1, 2) == 1 and 1 or 2"), 2, "NaN is not clamped");
}

Test(policy_math, only_numbers_are_numbers)
{
    static const char *const table[] = {"max('1', 2)", "exp('1')", "floor(nil)", "max()", "i64({})",
                                         "clamp(1, 2)", "pow(2)"};
    for (size_t i = 0; i < COUNT(table); i++) {
        char body[128];
        snprintf(body, sizeof body, "return %s, 1", table[i]);
        struct subject s = subject_with(body);
        struct budget b;
        cr_expect(!budget_at(&s, 1, &b), "%s is accepted", table[i]);
        cr_expect(strstr(s.error.message, "number expected") != NULL, "%s: %s", table[i], s.error.message);
        subject_drop(&s);
    }
}
