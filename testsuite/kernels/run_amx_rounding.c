/* How `tdpbf16ps` rounds where [rule: machines.amx] says it: one sum of one cell, in the model or on the processor. */
#include "amx_matmul_bf16.c"

static bfloat16 half(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return (bfloat16){ (uint16_t)(bits >> 16) };
}

/* c + the products of the even cells of n pairs. */
static float sum(long n, const float *a, const float *b, float c) {
    bfloat16 left[32] = { { 0 } }, right[32] = { { 0 } };
    for (long l = 0; l < n; l++) {
        left[2 * l] = half(a[l]);
        right[2 * l] = half(b[l]);
    }
    int sums = amx_tile(0, 1, 4), as = amx_tile(4, 1, 4 * n), bs = amx_tile(6, n, 4);
    amx_load(sums, &c, 4, 1, 4);
    amx_load(as, left, 64, 1, 4 * n);
    amx_load(bs, right, 4, n, 4);
    amx_product(sums, as, bs, 1, 1, n, AMX_HALVES);
    amx_store(&c, sums, 4, 1, 4);
    amx_tile_free(sums);
    amx_tile_free(as);
    amx_tile_free(bs);
    return c;
}

static int wrong;

static void is(const char *what, long n, const float *a, const float *b, float c, float expected) {
    float found = sum(n, a, b, c);
    if (memcmp(&found, &expected, 4) == 0) return;
    printf("%s: %a, not %a\n", what, (double)found, (double)expected);
    wrong++;
}

#define F(...) (const float[]){ __VA_ARGS__ }

int main(void) {
    amx_tile_config(16, 16, 16);
    is("2^-126 - 2^-151 becomes normal", 2, F(0x1p-63f, 0x1p-75f), F(0x1p-63f, -0x1p-76f), 0.0f, 0x1p-126f);
    is("2^-126 - 1.5 * 2^-151 is denormal", 2, F(0x1p-63f, 0x1.8p-75f), F(0x1p-63f, -0x1p-76f), 0.0f, 0.0f);
    is("a denormal operand is zero", 1, F(0x1p-130f), F(0x1p100f), 0.0f, 0.0f);
    is("a denormal sum is zero", 1, F(1.0f), F(0.0f), 0x1p-130f, 0.0f);
    is("zeros beyond the operands make 0 of -0", 1, F(-0.0f), F(1.0f), -0.0f, 0.0f);
    is("a product beyond all floats is infinite", 2, F(0x1p120f, -0x1p100f), F(0x1p10f, 0x1p10f), 0.0f, HUGE_VALF);
    is("each sum is rounded", 3, F(1.0f, 0x1p-24f, 0x1p-24f), F(1.0f, 1.0f, 1.0f), 0x1p-24f, 1.0f);
    is("products are added before the cell", 2, F(0x1p-24f, 0x1p-24f), F(1.0f, 1.0f), 1.0f, 1.0f + 0x1p-23f);
    printf("%d wrong\n", wrong);
    return 0;
}
