#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "profiles/profile.h"

#define DIRECTORY TEST_DATA "/../data/profiles"

Test(profile, the_shipped_profile_gives_the_published_line_and_clamps_outside_the_measured_range)
{
    struct profile *profile;
    struct tm_error error;
    cr_assert(profile_load("sunfish-pypy3", DIRECTORY, &profile, &error), "%s", error.message);
    /* 49614.8 - 837.32 * pieces, thomasahle/sunfish tools/ctwin/npsmodel.json */
    cr_expect(eq(i64, profile_rate(profile, 32, 1), 22821), "22820.56");
    cr_expect(eq(i64, profile_rate(profile, 20, 1), 32868), "32868.4");
    cr_expect(eq(i64, profile_rate(profile, 3, 1), 47103), "47102.84");
    cr_expect(eq(i64, profile_rate(profile, 2, 1), 47103), "clamped at 3");
    cr_expect(eq(i64, profile_rate(profile, 32, 0.1), 2282), "scale before rounding");
    cr_expect(eq(i64, profile_rate(profile, 32, 1e-9), 1), "at least one node a second");
    int64_t low, high;
    profile_range(profile, 1, &low, &high);
    cr_expect(eq(i64, low, 22821));
    cr_expect(eq(i64, high, 47103));
    cr_expect(strlen(profile_hash(profile)) == 32);
    profile_free(profile);
}

#define START "{\"format\":\"zeitnot.profile/1\",\"name\":\"x\",\"engine\":\"y\",\"model\":{\"kind\":\"linear_pieces\""

static const struct {
    const char *text, *says;
} refused[] = {
    { "", "p:1:0: not a JSON profile" },
    { "{\"format\": ", "p:1:" },
    { "[]", "expected a JSON object" },
    { "{}", "'format': expected a text" },
    { "{\"format\":\"zeitnot.profile/2\"}", "expected zeitnot.profile/1" },
    { "{\"format\":\"zeitnot.profile/1\",\"name\":\"\"}", "'name': expected a text" },
    { "{\"format\":\"zeitnot.profile/1\",\"name\":\"x\",\"engine\":\"y\"}", "'model': expected an object" },
    { "{\"format\":\"zeitnot.profile/1\",\"name\":\"x\",\"engine\":\"y\",\"model\":{\"kind\":\"cubic\"}}", "unknown 'cubic'" },
    { START "}}", "'model.intercept': expected a number" },
    { START ",\"intercept\":\"9\",\"slope_per_piece\":0,\"clamp_pieces\":[3,32]}}", "'model.intercept': expected a number" },
    { START ",\"intercept\":1e300,\"slope_per_piece\":0,\"clamp_pieces\":[3,32]}}", "out of range" },
    { START ",\"intercept\":9000,\"slope_per_piece\":0,\"clamp_pieces\":[3]}}", "expected [lowest, highest]" },
    { START ",\"intercept\":9000,\"slope_per_piece\":0,\"clamp_pieces\":[32,3]}}", "found [32, 3]" },
    { START ",\"intercept\":9000,\"slope_per_piece\":-300,\"clamp_pieces\":[3,32]}}", "at 30 pieces is 0 nodes/s" },
    { START ",\"intercept\":9000,\"slope_per_piece\":0,\"clamp_pieces\":[3,32]},\"name\":\"z\"}", "duplicate" },
};

Test(profile, a_corrupt_file_is_refused_with_its_place)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct profile *profile;
        struct tm_error error = { 0 };
        cr_assert_not(profile_load_text("p", refused[i].text, strlen(refused[i].text), &profile, &error), "%s",
                      refused[i].text);
        cr_expect(error.code == TM_INPUT);
        cr_expect(strstr(error.message, refused[i].says) != NULL, "%s: %s", refused[i].text, error.message);
    }
}

Test(profile, a_missing_file_is_named)
{
    struct profile *profile;
    struct tm_error error = { 0 };
    cr_assert_not(profile_load("nonesuch", DIRECTORY, &profile, &error));
    cr_expect(strstr(error.message, "nonesuch.json") != NULL && error.code == TM_INPUT);
}

Test(profile, identity_does_not_depend_on_layout)
{
    static const char a[] = START ",\"intercept\":9000,\"slope_per_piece\":0,\"clamp_pieces\":[3,32]}}";
    static const char b[] = "{ \"name\":\"x\", \"format\":\"zeitnot.profile/1\",\n \"engine\":\"y\", \"model\":{\"slope_per_piece\":0,"
                            "\"kind\":\"linear_pieces\", \"intercept\":9000, \"clamp_pieces\":[3, 32]}}";
    struct profile *first, *second;
    struct tm_error error;
    cr_assert(profile_load_text("a", a, sizeof a - 1, &first, &error));
    cr_assert(profile_load_text("b", b, sizeof b - 1, &second, &error));
    cr_expect_str_eq(profile_hash(first), profile_hash(second));
    profile_free(first);
    profile_free(second);
}
