/* Runs the product in the model of Gemmini: all remainders by 16 of the three sizes, and layers of ResNet-50 with four
   images. Whether the results are right, how often what was set, and how much of the array was busy. */
#include "gemmini_matmul.c"

enum { MOST = 12544 * 2048 / 4 };

static int8_t A[MOST], B[MOST], C[MOST], expected[MOST];

static uint32_t state = 1;

static int8_t any(void) {
    state = 1664525u * state + 1013904223u;
    return (int8_t)(state >> 24);
}

static void plain(long n, long m, long k, float scale, int act) {
    for (long i = 0; i < n; i++) {
        static int32_t row[4096];
        memset(row, 0, sizeof row);
        for (long l = 0; l < k; l++)
            for (long j = 0; j < m; j++) row[j] += A[k * i + l] * B[m * l + j];
        for (long j = 0; j < m; j++) {
            float value = (float)(act && row[j] < 0 ? 0 : row[j]) * scale;
            expected[m * i + j] = (int8_t)fmaxf(fminf(rintf(value), 127.0f), -128.0f);
        }
    }
}

static long run(long n, long m, long k) {
    float scale = 0.5f / (float)(16 * (k % 5 + 1) * (k % 5 + 1));
    int act = (int)((n + m + k) % 2);
    for (long i = 0; i < n * k; i++) A[i] = any();
    for (long i = 0; i < k * m; i++) B[i] = any();
    for (long i = 0; i < n * m; i++) C[i] = any();
    memset(&gemmini, 0, sizeof gemmini);
    memset(&gemmini_count, 0, sizeof gemmini_count);
    gemmini_matmul(n, m, k, &scale, act, A, B, C);
    plain(n, m, k, scale, act);
    long wrong = 0;
    for (long i = 0; i < n * m; i++) wrong += C[i] != expected[i];
    if (gemmini_count.products != n * m * k) wrong++;
    return wrong;
}

static void remainders(void) {
    long wrong = 0, runs = 0;
    for (long n = 0; n < 16; n++)
        for (long m = 0; m < 16; m++)
            for (long k = 0; k < 16; k++) {
                long more = n + 3 * m + 7 * k;
                long N = n + 16 * (more % 6), M = m + 16 * (more / 6 % 6), K = k + 16 * (more % 4);
                if (N == 0 || M == 0 || K == 0 || more % 3 == 2) continue;
                wrong += run(N, M, K);
                runs++;
            }
    printf("%ld products of all remainders, %ld cells wrong\n", runs, wrong);
}

static void layers(void) {
    static const long all[][3] = {
        { 12544, 64, 64 }, { 12544, 256, 64 }, { 12544, 64, 256 }, { 3136, 512, 128 }, { 3136, 128, 512 },
        { 784, 1024, 256 }, { 784, 256, 1024 }, { 196, 2048, 512 }, { 196, 512, 2048 },
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        long n = all[i][0], m = all[i][1], k = all[i][2], wrong = run(n, m, k);
        double busy = 100.0 * (double)(n * m * k) / 256.0 / (double)gemmini_cycles();
        printf("%ld x %ld x %ld: %ld wrong, array busy %.1f %%, %ld flushes, %ld loads, %ld products, %ld stores, "
               "%.1f MB in\n",
               n, m, k, wrong, busy, gemmini_count.flushes, gemmini_count.mvin, gemmini_count.compute,
               gemmini_count.mvout, (double)gemmini_count.bytes_in / 1e6);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "layers") == 0) layers();
    else remainders();
    return 0;
}
