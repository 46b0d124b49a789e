/* Times the generated SGEMM, one core: bench_sgemm [OPENBLAS.so]. Where OpenBLAS is given, the two take turns, and the
   results are compared too. Prints the peak of fused multiply-adds first, in GFLOP/s, and a line for each size:
   M N K, GFLOP/s of ours, of OpenBLAS (0 without), the best of many runs each. */
#define _POSIX_C_SOURCE 200809L
#include "sgemm.h"

#include <dlfcn.h>
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*cblas_sgemm)(
    int, int, int, int64_t, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t, float, float *, int64_t);

static const int64_t SIZES[][3] = {
    { 64, 64, 64 },      { 96, 96, 96 },      { 128, 128, 128 },   { 192, 192, 192 },    { 256, 256, 256 },
    { 384, 384, 384 },   { 512, 512, 512 },   { 768, 768, 768 },   { 1000, 1000, 1000 }, { 1024, 1024, 1024 },
    { 16, 1024, 1024 },  { 1024, 16, 1024 },  { 1024, 1024, 16 },  { 8, 1024, 1024 },    { 1024, 8, 1024 },
    { 64, 2048, 64 },    { 2048, 64, 64 },    { 77, 93, 1111 },    { 1, 1024, 1024 },   { 1024, 1, 1024 },
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define CHAINS(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)
#define BEGIN(i) __m512 a##i = _mm512_set1_ps((float)i);
#define STEP(i) a##i = _mm512_fmadd_ps(a##i, x, y);
#define SUM(i) sum = _mm512_add_ps(sum, a##i);

/* Twelve chains of multiply-adds that do not wait for each other. */
static double peak(void) {
    double best = 0;
    for (int run = 0; run < 5; run++) {
        CHAINS(BEGIN)
        const __m512 x = _mm512_set1_ps(0.5f), y = _mm512_set1_ps(0.25f);
        const long n = 2000000;
        double t = now();
        for (long k = 0; k < n; k++) {
            CHAINS(STEP)
        }
        t = now() - t;
        __m512 sum = x;
        CHAINS(SUM)
        volatile float kept = _mm512_reduce_add_ps(sum);
        (void)kept;
        double speed = 12.0 * 32.0 * (double)n / t * 1e-9;
        best = speed > best ? speed : best;
    }
    return best;
}

static float *matrix(int64_t cells, int random) {
    float *m = malloc((size_t)cells * sizeof(float));
    for (int64_t i = 0; i < cells; i++) m[i] = random ? (float)(rand() % 7 - 3) : 0.0f;
    return m;
}

int main(int argc, char **argv) {
    cblas_sgemm other = NULL;
    if (argc > 1) {
        void *lib = dlopen(argv[1], RTLD_NOW);
        if (lib == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        *(void **)&other = dlsym(lib, "scipy_cblas_sgemm64_");
        void (*threads)(int) = NULL;
        *(void **)&threads = dlsym(lib, "scipy_openblas_set_num_threads64_");
        if (other == NULL || threads == NULL) {
            fprintf(stderr, "%s has no sgemm\n", argv[1]);
            return 1;
        }
        threads(1);
    }
    printf("peak %.1f\n", peak());
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        const int64_t M = SIZES[s][0], N = SIZES[s][1], K = SIZES[s][2];
        const double flops = 2.0 * (double)M * (double)N * (double)K;
        float *A = matrix(M * K, 1), *B = matrix(K * N, 1), *C = matrix(M * N, 0), *D = matrix(M * N, 0);
        sgemm(M, N, K, A, B, C);
        if (other != NULL) {
            other(101, 111, 111, M, N, K, 1.0f, A, K, B, N, 1.0f, D, N);
            if (memcmp(C, D, (size_t)(M * N) * sizeof(float)) != 0) {
                printf("the results for %ld %ld %ld differ\n", (long)M, (long)N, (long)K);
                return 1;
            }
        }
        const long inner = (long)(2e6 / flops) + 1;
        double ours = 1e9, theirs = 1e9;
        const double end = now() + 1.2;
        for (int run = 0; run < 5 || now() < end; run++) {
            double t = now();
            for (long i = 0; i < inner; i++) sgemm(M, N, K, A, B, C);
            t = (now() - t) / (double)inner;
            ours = t < ours ? t : ours;
            if (other != NULL) {
                t = now();
                for (long i = 0; i < inner; i++) other(101, 111, 111, M, N, K, 1.0f, A, K, B, N, 1.0f, D, N);
                t = (now() - t) / (double)inner;
                theirs = t < theirs ? t : theirs;
            }
        }
        printf("%ld %ld %ld %.1f %.1f\n", (long)M, (long)N, (long)K, flops / ours * 1e-9,
               other != NULL ? flops / theirs * 1e-9 : 0.0);
        fflush(stdout);
        free(A);
        free(B);
        free(C);
        free(D);
    }
    return 0;
}
