/* Runs the product of bytes in the model of AMX: all remainders of the three sizes by those of a tile. Whether the sums are
   right, and how often the tiles were configured. */
#include "amx_matmul_i8.c"

enum { MOST = 160 * 160 };

static int8_t A[MOST], B[MOST];
static int32_t C[MOST], expected[MOST];

static uint32_t state = 1;

static uint32_t any(void) {
    state = 1664525u * state + 1013904223u;
    return state;
}

static long run(long n, long m, long k) {
    for (long i = 0; i < n * k; i++) A[i] = (int8_t)(any() >> 24);
    for (long i = 0; i < k * m; i++) B[i] = (int8_t)(any() >> 24);
    for (long i = 0; i < n * m; i++) C[i] = expected[i] = (int32_t)(any() >> 8);
    for (long i = 0; i < n; i++)
        for (long l = 0; l < k; l++)
            for (long j = 0; j < m; j++) expected[m * i + j] += A[k * i + l] * B[m * l + j];
    memset(&amx_count, 0, sizeof amx_count);
    amx_matmul_i8(n, m, k, A, B, C);
    long wrong = amx_count.config != 1;
    for (long i = 0; i < n * m; i++) wrong += C[i] != expected[i];
    long products = (n + 15) / 16 * ((m + 15) / 16) * ((k / 4 + 15) / 16);
    return wrong + (amx_count.product != products);
}

int main(void) {
    long wrong = 0, runs = 0;
    for (long n = 1; n <= 16; n++)
        for (long m = 1; m <= 16; m++)
            for (long k = 1; k <= 64; k++) {
                long more = n + 3 * m + 7 * k;
                wrong += run(n + 16 * (more % 3), m + 16 * (more / 3 % 3), k + 64 * (more % 2));
                runs++;
            }
    printf("%ld products of all remainders, %ld wrong\n", runs, wrong);
    return 0;
}
