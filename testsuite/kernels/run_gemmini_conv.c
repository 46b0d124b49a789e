/* Runs a convolution in the model of Gemmini, beside the plain program. CONV and PLAIN are the functions, TAPS the rows
   and columns of the weights, BIAS says whether there is a bias. */
#include "kernel.c"
#include "plain.h"

enum { MOST = 4 * 56 * 56 * 256, MOST_WEIGHTS = 9 * 512 * 2048 / 4 };

static int8_t image[MOST], out[MOST], expected[MOST], weights[MOST_WEIGHTS];
static int32_t bias[2048];

static uint32_t state = 1;

static uint32_t any(void) {
    state = 1664525u * state + 1013904223u;
    return state >> 8;
}

struct shape { long batch, height, width, ic, oc; };

/* How many cells are wrong, or -1 where the plain program is not run. */
static long run(struct shape s, int is_checked) {
    long pixels = s.batch * s.height * s.width, depth = TAPS * TAPS * s.ic;
    float scale = 0.5f / (float)(32 * (1 + any() % 8));
    int act = (int)(any() % 2);
    for (long i = 0; i < pixels * s.ic; i++) image[i] = (int8_t)any();
    for (long i = 0; i < depth * s.oc; i++) weights[i] = (int8_t)any();
    for (long i = 0; i < s.oc; i++) bias[i] = (int32_t)(any() % 20000) - 10000;
    for (long i = 0; i < pixels * s.oc; i++) expected[i] = out[i] = (int8_t)any();
    memset(&gemmini, 0, sizeof gemmini);
    memset(&gemmini_count, 0, sizeof gemmini_count);
#if BIAS
    CONV(s.batch, s.height, s.width, s.ic, s.oc, &scale, act, image, weights, bias, out);
    if (is_checked) PLAIN(s.batch, s.height, s.width, s.ic, s.oc, &scale, act, image, weights, bias, expected);
#else
    CONV(s.batch, s.height, s.width, s.ic, s.oc, &scale, act, image, weights, out);
    if (is_checked) PLAIN(s.batch, s.height, s.width, s.ic, s.oc, &scale, act, image, weights, expected);
#endif
    if (!is_checked) return -1;
    long wrong = 0;
    for (long i = 0; i < pixels * s.oc; i++) wrong += out[i] != expected[i];
    return wrong;
}

/* Shapes around the sizes of tiles and blocks: rows by 8, columns and channels by 16 and 64. */
static void sample(long runs) {
    long wrong = 0, flushes = 0;
    for (long i = 0; i < runs; i++) {
        struct shape s = { 1 + any() % 2, 1 + any() % 18, 1 + any() % 35, 1 + any() % 35, 1 + any() % 35 };
        if (any() % 4 == 0) s.oc += 64, s.width = 1 + any() % 17;
        wrong += run(s, 1);
        flushes += gemmini_count.flushes;
    }
    printf("%ld convolutions, %ld cells wrong, %ld registers set\n", runs, wrong, flushes);
}

/* Images of some rows and up to 18 columns, with up to 33 channels in and out. */
static void all(void) {
    long wrong = 0, runs = 0;
    for (long height = 1; height <= 9; height += 4)
        for (long width = 1; width <= 18; width++)
            for (long ic = 1; ic <= 33; ic++)
                for (long oc = 1; oc <= 33; oc++, runs++) wrong += run((struct shape){ 1, height, width, ic, oc }, 1);
    printf("%ld convolutions, %ld cells wrong\n", runs, wrong);
}

/* One line of what the model says. */
static void layer(struct shape s, int is_checked) {
    long wrong = run(s, is_checked);
    double products = (double)(s.batch * s.height * s.width * s.oc) * (double)(TAPS * TAPS * s.ic);
    printf("%ld %.1f %ld %ld %ld %ld %.1f\n", wrong, 100.0 * products / 256.0 / (double)gemmini_cycles(),
           gemmini_count.config_ex + gemmini_count.config_ld + gemmini_count.config_st, gemmini_count.mvin, gemmini_count.compute, gemmini_count.mvout,
           (double)gemmini_count.bytes_in / 1e6);
}

/* `sample RUNS`, `all`, or `layers` or `checked` with shapes of four images: rows, channels in, channels out. */
int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "sample") == 0) sample(atol(argv[2]));
    else if (argc > 1 && strcmp(argv[1], "all") == 0) all();
    else
        for (int i = 2; i + 2 < argc; i += 3) {
            struct shape s = { 4, atol(argv[i]), atol(argv[i]), atol(argv[i + 1]), atol(argv[i + 2]) };
            layer(s, strcmp(argv[1], "checked") == 0);
        }
    return 0;
}
