/* Runs the product of bf16 in the model of AMX: all remainders of the three sizes by those of a tile, on numbers of any kind.
   Whether the sums have the bits that the instructions give them, and how often the tiles were configured. */
#include "amx_matmul_bf16.c"

enum { MOST = 96 * 96 };

static bfloat16 A[MOST], B[MOST];
static float C[MOST], expected[MOST];

static uint32_t state = 1;

static uint32_t any(void) {
    state = 1664525u * state + 1013904223u;
    return state >> 16;
}

/* Every third product is of any bits; the others of numbers about 1, and of ones so small that their products are. */
static bfloat16 any_number(long kind) {
    uint32_t bits = any();
    if (kind == 1) bits = (bits & 0x80ffu) | 0x3f00u;
    if (kind == 2) bits = (bits & 0x83ffu) | 0x1c00u;
    return (bfloat16){ (uint16_t)bits };
}

static float value(bfloat16 x) {
    uint32_t bits = (uint32_t)x.bits << 16;
    float out;
    memcpy(&out, &bits, 4);
    return out;
}

static float flushed(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x; }

static float once(float a, float b, float c) { return flushed(fmaf(flushed(a), flushed(b), flushed(c))); }

/* Pairs of a tile's depth are added up by themselves; what is left of odd sizes is added as written. */
static float cell(long m, long k, long i, long j, float sum) {
    for (long first = 0; first < k / 2; first += 16) {
        float sums[2] = { 0.0f, 0.0f };
        for (long l = first; l < first + 16; l++)
            for (long q = 0; q < 2; q++)
                sums[q] = l < k / 2 ? once(value(A[k * i + 2 * l + q]), value(B[m * (2 * l + q) + j]), sums[q])
                                    : once(0.0f, 0.0f, sums[q]);
        sum = flushed(flushed(sum) + flushed(sums[0] + sums[1]));
    }
    return k % 2 ? sum + value(A[k * i + k - 1]) * value(B[m * (k - 1) + j]) : sum;
}

static long run(long n, long m, long k) {
    long kind = (n + m + k) % 3;
    for (long i = 0; i < n * k; i++) A[i] = any_number(kind);
    for (long i = 0; i < k * m; i++) B[i] = any_number(kind);
    for (long i = 0; i < n * m; i++) C[i] = value(any_number(kind)) * 1.001f;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) expected[m * i + j] = cell(m, k, i, j, C[m * i + j]);
    memset(&amx_count, 0, sizeof amx_count);
    amx_matmul_bf16(n, m, k, A, B, C);
    long wrong = amx_count.config != 1;
    for (long i = 0; i < n * m; i++) {
        int is_none = C[i] != C[i] && expected[i] != expected[i];
        wrong += !is_none && memcmp(&C[i], &expected[i], 4) != 0;
    }
    long products = (n + 15) / 16 * ((m + 15) / 16) * ((k / 2 + 15) / 16);
    return wrong + (amx_count.product != products);
}

int main(void) {
    long wrong = 0, runs = 0;
    for (long n = 1; n <= 16; n++)
        for (long m = 1; m <= 16; m++)
            for (long k = 1; k <= 32; k++) {
                long more = n + 3 * m + 7 * k;
                wrong += run(n + 16 * (more % 3), m + 16 * (more / 3 % 3), k + 32 * (more % 2));
                runs++;
            }
    printf("%ld products of all remainders, %ld wrong\n", runs, wrong);
    return 0;
}
