/* Fits the weights of the evaluation to the outcomes of games (Texel's method): logistic loss, Newton's steps.
     tune POSITIONS [STEPS [RESULT_SHARE]] > engine/weights.c
   POSITIONS are the lines that selfplay prints. The target of a position is the game's result and the expectation that
   the search's score stands for, RESULT_SHARE (0..1, default 0.7) of the former. The tuner knows nothing of the
   evaluation's form: each weight is moved a little and the change of the value is its derivative, so terms that are
   not linear are fitted too, by repeating the step. Built with its own copy of the evaluation, whose weights change.
   A developer's tool; progress goes to standard error. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

#include "engine/eval.h"

enum {
    PAIRS = sizeof(struct weights) / sizeof(score_pair), NUMBERS = 2 * PAIRS,
    SQUARES_FROM = offsetof(struct weights, pawn_squares) / sizeof(score_pair),
    SQUARES_END = offsetof(struct weights, tempo) / sizeof(score_pair),
    MATERIAL_FROM = offsetof(struct weights, material) / sizeof(score_pair),
    MOVED = 16,       /* centipawns that a weight is moved for its derivative */
    LINE_SIZE = 256
};

/* The prior: a weight is where it was, give or take so many centipawns (guess). About so many positions of a game
   say together what one independent result says (guess: a game gives some 70, all with one result). */
static const double prior_deviation = 25, positions_per_result = 20;

struct row {
    const char *name;
    size_t offset, count; /* in pairs */
};

#define ROW(field) { #field, offsetof(struct weights, field) / sizeof(score_pair), \
                     sizeof(((struct weights *)0)->field) / sizeof(score_pair) }

static const struct row rows[] = {
    ROW(material), ROW(pawn_squares), ROW(knight_squares), ROW(bishop_squares), ROW(rook_squares), ROW(queen_squares),
    ROW(king_squares), ROW(tempo), ROW(bishop_pair), ROW(knight_mobility), ROW(bishop_mobility), ROW(rook_mobility),
    ROW(queen_mobility), ROW(rook_open_file), ROW(rook_half_open_file), ROW(knight_outpost), ROW(bishop_outpost),
    ROW(minor_sheltered), ROW(bishop_own_colour), ROW(isolated), ROW(doubled), ROW(backward), ROW(phalanx),
    ROW(supported), ROW(passed), ROW(passed_blocked), ROW(passed_free), ROW(passed_own_king), ROW(passed_enemy_king),
    ROW(shelter), ROW(storm), ROW(pawn_threat), ROW(push_threat), ROW(minor_on_minor), ROW(minor_on_rook),
    ROW(minor_on_queen), ROW(rook_on_queen), ROW(hanging), ROW(king_attack), ROW(king_attacker), ROW(king_weak_square),
    ROW(safe_check), ROW(no_queen), ROW(danger_base),
};

enum { ROWS = sizeof rows / sizeof *rows };

struct sample {
    struct position position;
    float target; /* expected score of White, 0..1 */
};

struct tuner {
    struct sample *sample;
    size_t count;
    double scale;                          /* centipawns to logits */
    double value[NUMBERS], prior[NUMBERS]; /* middle game and endgame number of each pair in turn */
    struct eval_pawns pawns[EVAL_PAWN_SLOTS];
};

/* Derivatives of one position's value: only those that are not zero. */
struct slope {
    int count;
    int index[NUMBERS];
    double by[NUMBERS];
};

static score_pair *pair_at(int index) { return (score_pair *)(void *)&weights + index; }

/* Every pair of the struct is in one row, in order: the output can then not miss any. */
static bool rows_cover_weights(void)
{
    size_t next = 0;
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].offset != next)
            return false;
        next += rows[i].count;
    }
    return next == PAIRS;
}

static double expectation(const struct tuner *t, double centipawns) { return 1 / (1 + exp(-t->scale * centipawns)); }

/* White's view. The pawn cache is bypassed: weights change under it. */
static int evaluate(struct tuner *t, const struct position *p)
{
    t->pawns[p->pawn_key % EVAL_PAWN_SLOTS].kings = 0;
    int value = eval_position(p, t->pawns);
    return p->side == WHITE ? value : -value;
}

static void put_weights(struct tuner *t)
{
    for (int i = 0; i < PAIRS; i++)
        *pair_at(i) = SCORE_PAIR(lround(t->value[2 * i]), lround(t->value[2 * i + 1]));
    psq_fill();
    for (size_t i = 0; i < t->count; i++)
        position_refresh(&t->sample[i].position);
}

static void take_weights(struct tuner *t)
{
    for (int i = 0; i < PAIRS; i++) {
        t->prior[2 * i] = t->value[2 * i] = score_mg(*pair_at(i));
        t->prior[2 * i + 1] = t->value[2 * i + 1] = score_eg(*pair_at(i));
    }
}

static void add_slope(struct slope *slope, int index, double by)
{
    if (by == 0)
        return;
    slope->index[slope->count] = index;
    slope->by[slope->count++] = by;
}

/* How many more of White's men than Black's count a pair: material by type, squares by half board. */
static void count_men(const struct position *p, int count[PAIRS])
{
    memset(count, 0, PAIRS * sizeof *count);
    for (bitboard men = position_occupied(p); men;) {
        int square = bb_pop(&men), piece = p->board[square], type = piece_type(piece);
        bool white = piece_colour(piece) == WHITE;
        int half = psq_half_square(white ? square : square ^ 56);
        count[SQUARES_FROM + type * HALF_BOARD + half] += white ? 1 : -1;
        if (type < KING)
            count[MATERIAL_FROM + type] += white ? 1 : -1;
    }
}

/* Material and squares come in through the position's sum: one derivative of the sum serves them all. */
static void square_slopes(struct tuner *t, struct position *p, int value, struct slope *slope)
{
    int count[PAIRS];
    double by[2];
    count_men(p, count);
    for (int half = 0; half < 2; half++) {
        score_pair moved = half ? SCORE_PAIR(0, MOVED) : SCORE_PAIR(MOVED, 0);
        p->psq += moved;
        by[half] = (evaluate(t, p) - value) / (double)MOVED;
        p->psq -= moved;
    }
    for (int i = 0; i < SQUARES_END; i++)
        for (int half = 0; half < 2; half++)
            add_slope(slope, 2 * i + half, count[i] * by[half]);
}

static void find_slope(struct tuner *t, struct position *p, int value, struct slope *slope)
{
    slope->count = 0;
    square_slopes(t, p, value, slope);
    for (int i = SQUARES_END; i < PAIRS; i++)
        for (int half = 0; half < 2; half++) {
            score_pair moved = half ? SCORE_PAIR(0, MOVED) : SCORE_PAIR(MOVED, 0);
            *pair_at(i) += moved;
            add_slope(slope, 2 * i + half, (evaluate(t, p) - value) / (double)MOVED);
            *pair_at(i) -= moved;
        }
}

static double mean_loss(struct tuner *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        double q = t->sample[i].target, e = expectation(t, evaluate(t, &t->sample[i].position));
        sum -= q * log(e + 1e-12) + (1 - q) * log(1 - e + 1e-12);
    }
    return sum / (double)t->count;
}

/* The gradient and the (Gauss-Newton) curvature of the loss, summed over all positions, lower triangle. */
static void accumulate(struct tuner *t, gsl_matrix *curvature, gsl_vector *gradient)
{
    static struct slope slope;
    for (size_t s = 0; s < t->count; s++) {
        struct position *p = &t->sample[s].position;
        int value = evaluate(t, p);
        double e = expectation(t, value), error = e - (double)t->sample[s].target;
        double pull = t->scale * error / positions_per_result;
        double bend = t->scale * t->scale * e * (1 - e) / positions_per_result;
        find_slope(t, p, value, &slope);
        for (int i = 0; i < slope.count; i++) {
            double *row = gsl_matrix_ptr(curvature, (size_t)slope.index[i], 0), by = bend * slope.by[i];
            *gsl_vector_ptr(gradient, (size_t)slope.index[i]) += pull * slope.by[i];
            for (int j = 0; j <= i; j++)
                row[slope.index[j]] += by * slope.by[j];
        }
    }
}

static void add_prior(const struct tuner *t, gsl_matrix *curvature, gsl_vector *gradient)
{
    double strength = 1 / (prior_deviation * prior_deviation);
    for (size_t i = 0; i < NUMBERS; i++) {
        *gsl_matrix_ptr(curvature, i, i) += strength;
        *gsl_vector_ptr(gradient, i) += strength * (t->value[i] - t->prior[i]);
    }
}

static void step(struct tuner *t)
{
    gsl_matrix *curvature = gsl_matrix_calloc(NUMBERS, NUMBERS);
    gsl_vector *gradient = gsl_vector_calloc(NUMBERS);
    accumulate(t, curvature, gradient);
    add_prior(t, curvature, gradient);
    gsl_linalg_cholesky_decomp1(curvature);
    gsl_linalg_cholesky_svx(curvature, gradient);
    for (size_t i = 0; i < NUMBERS; i++)
        t->value[i] -= gsl_vector_get(gradient, i);
    gsl_matrix_free(curvature);
    gsl_vector_free(gradient);
    put_weights(t);
}

/* The scale with which the weights as they are fit best, by golden section: the weights keep their unit. */
static void fit_scale(struct tuner *t)
{
    double low = 0.001, high = 0.02, ratio = (sqrt(5) - 1) / 2;
    for (int i = 0; i < 14; i++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low);
        t->scale = left;
        double left_loss = mean_loss(t);
        t->scale = right;
        if (left_loss < mean_loss(t))
            high = right;
        else
            low = left;
    }
    t->scale = (low + high) / 2;
}

/* Targets need the scale, which needs targets: results alone first. */
static bool read_samples(struct tuner *t, FILE *file, double **score)
{
    char line[LINE_SIZE];
    size_t room = 0;
    while (fgets(line, sizeof line, file)) {
        if (t->count == room) {
            room = room ? 2 * room : 65536;
            t->sample = realloc(t->sample, room * sizeof *t->sample);
            *score = realloc(*score, room * sizeof **score);
            if (!t->sample || !*score)
                return false;
        }
        int points;
        char *bar = strchr(line, '|');
        if (!bar || sscanf(bar, "| %lf | %d", &(*score)[t->count], &points) != 2)
            return false;
        *bar = '\0';
        while (bar > line && bar[-1] == ' ')
            *--bar = '\0';
        if (!position_parse(&t->sample[t->count].position, line, NULL))
            return false;
        t->sample[t->count++].target = (float)(points / 2.0);
    }
    return t->count > 0;
}

static void mix_targets(struct tuner *t, const double *score, double result_share)
{
    for (size_t i = 0; i < t->count; i++) {
        double mixed = result_share * (double)t->sample[i].target + (1 - result_share) * expectation(t, score[i]);
        t->sample[i].target = (float)mixed;
    }
}

static void print_row(const struct row *row)
{
    printf("    .%s = ", row->name);
    for (size_t i = 0; i < row->count; i++) {
        score_pair pair = *pair_at((int)(row->offset + i));
        const char *before = row->count == 1 ? "" : i == 0 ? "{\n        " : i % 4 == 0 ? "\n        " : " ";
        printf("%sSCORE_PAIR(%d, %d),", before, score_mg(pair), score_eg(pair));
    }
    puts(row->count == 1 ? "" : "\n    },");
}

static void print_weights(const struct tuner *t, double loss)
{
    printf("/* Made by tests/bench/tune.c from %zu positions: mean loss %.5f, %.5f logits a centipawn. */\n", t->count,
           loss, t->scale);
    puts("#include \"engine/weights.h\"\n\n#ifndef ZEITNOT_TUNER\nconst\n#endif\nstruct weights weights = {");
    for (int i = 0; i < ROWS; i++)
        print_row(&rows[i]);
    puts("};");
}

int main(int argc, char **argv)
{
    static struct tuner tuner;
    double *score = NULL;
    if (argc < 2 || !rows_cover_weights()) {
        fputs(argc < 2 ? "usage: tune POSITIONS [STEPS [RESULT_SHARE]]\n" : "tune: its table of rows is out of date\n",
              stderr);
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file || !read_samples(&tuner, file, &score)) {
        fprintf(stderr, "tune: no file, no memory, or line %zu is no sample\n", tuner.count + 1);
        return 2;
    }
    fclose(file);
    take_weights(&tuner);
    fit_scale(&tuner);
    mix_targets(&tuner, score, argc > 3 ? strtod(argv[3], NULL) : 0.7);
    free(score);
    double loss = mean_loss(&tuner);
    fprintf(stderr, "%zu positions, scale %.5f, loss %.5f\n", tuner.count, tuner.scale, loss);
    for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 4); i++) {
        step(&tuner);
        loss = mean_loss(&tuner);
        fprintf(stderr, "step %d: loss %.5f\n", i + 1, loss);
    }
    print_weights(&tuner, loss);
    free(tuner.sample);
    return 0;
}
