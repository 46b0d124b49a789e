/* What Exo's C of Gemmini calls, on arrays instead of a scratchpad and an accumulator: rows of 16, registers that begin with
   what no program asks for, and memories that begin with what no program wrote. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WS 1
#define ACC_SCALE(x, scale) ((float)(x) * (scale))

enum { ROWS = 1 << 12 };

static struct {
    int64_t stride, block_rows;
    int shrunk;
} gemmini_ld[3] = {{7, 3, 1}, {7, 3, 1}, {7, 3, 1}};

static struct {
    int64_t stride;
    int act;
    float scale;
} gemmini_st = {7, 1, 3.0f};

static int gemmini_dataflow;
static int8_t gemmini_sp[ROWS][16];
static int32_t gemmini_acc[ROWS][16];
static int64_t gemmini_sp_next, gemmini_acc_next;
static struct {
    uint32_t operand, sums;
    int64_t operand_rows, columns;
} gemmini_kept;

static void gemmini_reset(void) {
    for (int u = 0; u < 3; u++) gemmini_ld[u].stride = 7, gemmini_ld[u].block_rows = 3, gemmini_ld[u].shrunk = 1;
    gemmini_st.stride = 7, gemmini_st.act = 1, gemmini_st.scale = 3.0f;
    gemmini_dataflow = 0;
    gemmini_sp_next = gemmini_acc_next = 0;
    memset(gemmini_sp, 0x55, sizeof gemmini_sp);
    memset(gemmini_acc, 0x55, sizeof gemmini_acc);
}

static uint64_t gemm_malloc(int64_t bytes) {
    uint64_t at = (uint64_t)gemmini_sp_next;
    gemmini_sp_next += (bytes + 15) / 16;
    if (gemmini_sp_next > ROWS) abort();
    return at;
}

static uint32_t gemm_acc_malloc(int64_t bytes) {
    uint32_t at = (uint32_t)gemmini_acc_next | 0x80000000u;
    gemmini_acc_next += (bytes + 63) / 64;
    if (gemmini_acc_next > ROWS) abort();
    return at;
}

static void gemm_free(uint64_t at) { (void)at; }
static void gemm_acc_free(uint32_t at) { (void)at; }

static int64_t gemmini_row(uint32_t at) {
    int64_t row = at & 0x1fffffffu;
    if (row >= ROWS) abort();
    return row;
}

static void gemmini_extended4_config_ld(int64_t stride, float scale, int shrunk, int64_t block_rows, int unit) {
    if (scale != 1.0f) abort();
    gemmini_ld[unit].stride = stride, gemmini_ld[unit].block_rows = block_rows, gemmini_ld[unit].shrunk = shrunk;
}

#define gemmini_extended3_config_ld(stride, scale, shrunk, unit) gemmini_extended4_config_ld(stride, scale, shrunk, 16, unit)

static void gemmini_extended_config_st(int64_t stride, int act, float scale) {
    gemmini_st.stride = stride, gemmini_st.act = act, gemmini_st.scale = scale;
}

static void gemmini_extended_config_ex(int dataflow, int act, int shift, int a_stride, int a_transpose, int b_transpose) {
    if (act || shift || a_stride != 1 || a_transpose || b_transpose) abort();
    gemmini_dataflow = dataflow;
}

static void gemmini_load(int unit, const void *dram, uint32_t to, int64_t cols, int64_t rows) {
    if (rows > 16 || cols > 64) abort();
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            const int8_t *row = dram ? (const int8_t *)dram + r * gemmini_ld[unit].stride : 0;
            int64_t at = gemmini_row(to) + c / 16 * gemmini_ld[unit].block_rows + r;
            if (at >= ROWS) abort();
            if (!(to & 0x80000000u)) gemmini_sp[at][c % 16] = row ? row[c] : 0;
            else if (!row || gemmini_ld[unit].shrunk) gemmini_acc[at][c % 16] = row ? row[c] : 0;
            else memcpy(&gemmini_acc[at][c % 16], row + 4 * c, 4);
        }
}

#define gemmini_extended_mvin(dram, to, cols, rows) gemmini_load(0, (const void *)(dram), (uint32_t)(to), cols, rows)
#define gemmini_extended_mvin2(dram, to, cols, rows) gemmini_load(1, (const void *)(dram), (uint32_t)(to), cols, rows)
#define gemmini_extended_mvin3(dram, to, cols, rows) gemmini_load(2, (const void *)(dram), (uint32_t)(to), cols, rows)

static int8_t gemmini_byte(int32_t sum) {
    float value = (float)sum * gemmini_st.scale;
    value = value > 127.0f ? 127.0f : value < -128.0f ? -128.0f : value;
    return (int8_t)(gemmini_st.act && value < 0 ? 0 : value);
}

static void gemmini_extended_mvout(uint64_t dram, uint32_t from, int64_t cols, int64_t rows) {
    if (rows > 16 || cols > 16) abort();
    for (int64_t r = 0; r < rows; r++) {
        int8_t *row = (int8_t *)dram + r * gemmini_st.stride;
        for (int64_t c = 0; c < cols; c++) {
            int64_t at = gemmini_row(from) + r;
            if (!(from & 0x80000000u)) row[c] = gemmini_sp[at][c];
            else if (from & 0x20000000u) memcpy(row + 4 * c, &gemmini_acc[at][c], 4);
            else row[c] = gemmini_byte(gemmini_acc[at][c]);
        }
    }
}

static void gemmini_extended_preload(uint32_t operand, uint32_t sums, int64_t cols, int64_t rows, int64_t sum_cols, int64_t sum_rows) {
    (void)sum_cols, (void)sum_rows;
    gemmini_kept.operand = operand, gemmini_kept.sums = sums, gemmini_kept.operand_rows = rows, gemmini_kept.columns = cols;
}

static void gemmini_extended_compute_preloaded(uint32_t a, uint32_t d, int64_t cols, int64_t rows, int64_t d_cols, int64_t d_rows) {
    (void)d, (void)d_cols, (void)d_rows;
    /* With the other dataflow the array computes something else. */
    int64_t wrong = gemmini_dataflow != WS;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < gemmini_kept.columns; c++) {
            int32_t *sum = &gemmini_acc[gemmini_row(gemmini_kept.sums) + r][c];
            int32_t total = gemmini_kept.sums & 0x40000000u ? *sum : 0;
            for (int64_t k = 0; k < cols && k < gemmini_kept.operand_rows; k++)
                total += gemmini_sp[gemmini_row(a) + r][k] * gemmini_sp[gemmini_row(gemmini_kept.operand) + k][c];
            *sum = total + (int32_t)wrong;
        }
}
