/* Runs the product in the model of Gemmini, beside the plain program. */
#include "kernel.c"
#include "plain.h"

enum { MOST = 12544 * 2048 / 4 };

static int8_t A[MOST], B[MOST], C[MOST], expected[MOST];

static uint32_t state = 1;

static uint32_t any(void) {
    state = 1664525u * state + 1013904223u;
    return state >> 8;
}

/* How many cells are wrong, or -1 where the plain program is not run. */
static long run(long n, long m, long k, int act, int is_checked) {
    float scale = 0.5f / (float)(16 * (k % 5 + 1) * (k % 5 + 1));
    for (long i = 0; i < n * k; i++) A[i] = (int8_t)any();
    for (long i = 0; i < k * m; i++) B[i] = (int8_t)any();
    for (long i = 0; i < n * m; i++) C[i] = expected[i] = (int8_t)any();
    memset(&gemmini, 0, sizeof gemmini);
    memset(&gemmini_count, 0, sizeof gemmini_count);
    gemmini_matmul(n, m, k, &scale, act, A, B, C);
    long wrong = gemmini_count.products != n * m * k;
    if (!is_checked) return -1 - wrong;
    matmul(n, m, k, &scale, act, A, B, expected);
    for (long i = 0; i < n * m; i++) wrong += C[i] != expected[i];
    return wrong;
}

/* All remainders by 16 of the three sizes, and up to five tiles, in one in six combinations. */
static void remainders(void) {
    long wrong = 0, runs = 0;
    for (long n = 0; n < 16; n++)
        for (long m = 0; m < 16; m++)
            for (long k = 0; k < 16; k++) {
                long more = n + 3 * m + 7 * k;
                long N = n + 16 * (more % 6), M = m + 16 * (more / 6 % 6), K = k + 16 * (more % 4);
                if (N == 0 || M == 0 || K == 0 || more % 3 == 2) continue;
                wrong += run(N, M, K, (int)((N + M + K) % 2), 1);
                runs++;
            }
    printf("%ld products, %ld cells wrong\n", runs, wrong);
}

/* Sizes up to 33, with and without ReLU: as many as asked for, or all of them. */
static void sample(long runs) {
    long wrong = 0;
    for (long i = 0; i < runs; i++) wrong += run(1 + any() % 33, 1 + any() % 33, 1 + any() % 33, (int)(i % 2), 1);
    printf("%ld products, %ld cells wrong\n", runs, wrong);
}

static void all(void) {
    long wrong = 0, runs = 0;
    for (long n = 1; n <= 33; n++)
        for (long m = 1; m <= 33; m++)
            for (long k = 1; k <= 33; k++)
                for (int act = 0; act < 2; act++, runs++) wrong += run(n, m, k, act, 1);
    printf("%ld products, %ld cells wrong\n", runs, wrong);
}

/* One line of what the model says. */
static void layer(long n, long m, long k, int is_checked) {
    long wrong = run(n, m, k, (int)(m / 64 % 2), is_checked);
    printf("%ld %.1f %ld %ld %ld %ld %.1f\n", wrong, 100.0 * (double)(n * m * k) / 256.0 / (double)gemmini_cycles(),
           gemmini_count.config_ex + gemmini_count.config_ld + gemmini_count.config_st, gemmini_count.mvin,
           gemmini_count.compute, gemmini_count.mvout, (double)gemmini_count.bytes_in / 1e6);
}

/* `remainders`, `sample RUNS`, `all`, or `layers` or `checked` with sizes by three. */
int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "sample") == 0) sample(atol(argv[2]));
    else if (argc > 1 && strcmp(argv[1], "all") == 0) all();
    else if (argc > 1 && strcmp(argv[1], "remainders") == 0) remainders();
    else
        for (int i = 2; i + 2 < argc; i += 3)
            layer(atol(argv[i]), atol(argv[i + 1]), atol(argv[i + 2]), strcmp(argv[1], "checked") == 0);
    return 0;
}
