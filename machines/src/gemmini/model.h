/* A model of Gemmini: an array of 16 by 16, a scratchpad of 16,384 rows of 16 bytes, an accumulator of 1,024 rows of 16
   sums. It does what the instructions do, stops at what the hardware would let pass in silence (rows out of range, cells
   that nothing wrote, a state other than the one that is assumed), and counts instructions, flushes, bytes and cycles.

   Cycles. Three units work side by side, each on one instruction at a time, in order: loads, the array, stores. An
   instruction begins when its unit is free, when the rows that it reads have been written and those that it writes have
   been read and written. A load or store moves 16 bytes of a row in a cycle; what is loaded can be used after a latency.
   A row of stride 0 is fetched once, and written as often as asked for, 16 cells in a cycle, as zeros are.
   The array takes a row in a cycle, and no fewer cycles than the operand that it keeps has rows, which are brought in
   meanwhile. One instruction is issued in a cycle. A configuration waits until all units are done (PLDI'22 §2.4). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEMMINI_ACCUMULATOR 0x80000000u
#define GEMMINI_ACCUMULATE 0x40000000u
#define GEMMINI_FULL_WIDTH 0x20000000u
#define GEMMINI_NOWHERE 0xffffffffu
#define WEIGHT_STATIONARY 1

enum { GEMMINI_DIM = 16, GEMMINI_SP_ROWS = 16384, GEMMINI_ACC_ROWS = 1024, GEMMINI_LATENCY = 40 };

struct gemmini_row {
    int32_t cells[GEMMINI_DIM];
    uint16_t written;           /* a bit for each cell */
    uint8_t allocated;
    int64_t ready, idle;        /* when it has been written, and when nothing reads or writes it any more */
};

static struct {
    struct gemmini_row sp[GEMMINI_SP_ROWS], acc[GEMMINI_ACC_ROWS];
    int64_t next_sp, next_acc;  /* behind the rows that were taken last */
    int64_t ld_stride[3], st_stride;
    float scale;
    int act, weight_stationary;
    /* What the array keeps, and where its next sums go. */
    int8_t kept[GEMMINI_DIM][GEMMINI_DIM];
    int64_t kept_rows, kept_cols, kept_ready;
    uint32_t kept_from, sums;
    int64_t issue, load, array, store;
} gemmini;

/* What was issued; bytes that were moved; products of the array; cycles until all is done. */
static struct {
    long config_ex, config_ld, config_st, flushes, mvin, mvout, preload, compute;
    long bytes_in, bytes_out, products;
} gemmini_count;

static inline void gemmini_stop(const char *why) {
    fprintf(stderr, "gemmini: %s\n", why);
    abort();
}

static inline int64_t gemmini_later(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int64_t gemmini_cycles(void) {
    return gemmini_later(gemmini_later(gemmini.issue, gemmini.load), gemmini_later(gemmini.array, gemmini.store));
}

static inline void gemmini_flush(void) {
    gemmini_count.flushes++;
    gemmini.issue = gemmini_cycles() + 1;
}

/* The next cycle in which something is issued. */
static inline int64_t gemmini_issue(void) { return ++gemmini.issue; }

/* Free rows of a memory that lie together, from a row on; none: -1. */
static inline int64_t gemmini_free_rows(const struct gemmini_row *memory, int64_t from, int64_t all, int64_t rows) {
    int64_t found = 0;
    for (int64_t k = from; k < all; k++) {
        found = memory[k].allocated ? 0 : found + 1;
        if (found >= rows && found > 0) return k + 1 - (rows > 0 ? rows : 1);
    }
    return -1;
}

/* Rows of a memory: the first free ones behind those that were taken last, so that what comes next need not wait until
   what came before has been stored; or else the first ones. */
static inline uint32_t gemmini_rows(struct gemmini_row *memory, int64_t all, int64_t *next, int64_t rows, const char *full) {
    int64_t first = gemmini_free_rows(memory, *next, all, rows);
    if (first < 0) first = gemmini_free_rows(memory, 0, all, rows);
    if (first < 0) gemmini_stop(full);
    *next = first + (rows > 0 ? rows : 1);
    for (int64_t i = first; i < *next; i++) {
        memory[i].allocated = i == first ? 2 : 1;
        memory[i].written = 0;
    }
    return (uint32_t)first;
}

static inline void gemmini_rows_free(struct gemmini_row *memory, int64_t all, int64_t first) {
    for (int64_t i = first; i < all && memory[i].allocated == (i == first ? 2 : 1); i++) memory[i].allocated = 0;
}

static inline uint32_t gemmini_scratchpad_rows(int64_t rows) {
    return gemmini_rows(gemmini.sp, GEMMINI_SP_ROWS, &gemmini.next_sp, rows, "the scratchpad is full");
}

static inline uint32_t gemmini_accumulator_rows(int64_t rows) {
    return gemmini_rows(gemmini.acc, GEMMINI_ACC_ROWS, &gemmini.next_acc, rows, "the accumulator is full") | GEMMINI_ACCUMULATOR;
}

static inline void gemmini_scratchpad_free(uint32_t at) { gemmini_rows_free(gemmini.sp, GEMMINI_SP_ROWS, at); }

static inline void gemmini_accumulator_free(uint32_t at) {
    gemmini_rows_free(gemmini.acc, GEMMINI_ACC_ROWS, at & ~GEMMINI_ACCUMULATOR);
}

/* The row at a local address. */
static inline struct gemmini_row *gemmini_row(uint32_t at) {
    uint32_t number = at & 0x1fffffffu;
    if (at & GEMMINI_ACCUMULATOR) {
        if (number >= GEMMINI_ACC_ROWS) gemmini_stop("a row beyond the accumulator");
        if (!gemmini.acc[number].allocated) gemmini_stop("a row of the accumulator that is no buffer's");
        return &gemmini.acc[number];
    }
    if (number >= GEMMINI_SP_ROWS) gemmini_stop("a row beyond the scratchpad");
    if (!gemmini.sp[number].allocated) gemmini_stop("a row of the scratchpad that is no buffer's");
    return &gemmini.sp[number];
}

static inline uint16_t gemmini_first(int64_t cells) {
    if (cells < 0 || cells > GEMMINI_DIM) gemmini_stop("more cells than a row has");
    return (uint16_t)((1u << cells) - 1);
}

static inline void gemmini_written(const struct gemmini_row *row, int64_t cells) {
    if ((row->written & gemmini_first(cells)) != gemmini_first(cells)) gemmini_stop("a cell that nothing wrote is read");
}

/* What a body asserts of the state. */

static inline void gemmini_assume_ld(int unit, int64_t stride) {
    if (gemmini.ld_stride[unit] != stride) gemmini_stop("a load by a unit with another stride");
}

static inline void gemmini_assume_st(int64_t stride, int wide) {
    if (gemmini.st_stride != stride) gemmini_stop("a store with another stride");
    if (wide && (gemmini.act || gemmini.scale != 1.0f)) gemmini_stop("a store of sums with a scale");
}

static inline void gemmini_assume_ws(void) {
    if (!gemmini.weight_stationary) gemmini_stop("a product with another dataflow");
}

/* Configuration. Strides are in bytes. */

static inline void gemmini_extended_config_ex(
    int dataflow, int act, int shift, int a_stride, int a_transpose, int b_transpose) {
    if (act || shift || a_stride != 1 || a_transpose || b_transpose) gemmini_stop("not modelled: an option of config_ex");
    gemmini_count.config_ex++;
    gemmini_flush();
    gemmini.weight_stationary = dataflow == WEIGHT_STATIONARY;
}

static inline void gemmini_extended3_config_ld(int64_t stride, float scale, int shrunk, int unit) {
    if (scale != 1.0f || shrunk) gemmini_stop("not modelled: an option of config_ld");
    gemmini_count.config_ld++;
    gemmini_flush();
    gemmini.ld_stride[unit] = stride;
}

static inline void gemmini_extended_config_st(int64_t stride, int act, float scale) {
    gemmini_count.config_st++;
    gemmini_flush();
    gemmini.st_stride = stride;
    gemmini.act = act;
    gemmini.scale = scale;
}

/* Loads: blocks of 16 columns go to rows that are 16 apart. Address 0 stands for zeros. */
static inline void gemmini_load(int unit, const void *dram, uint32_t to, int64_t cols, int64_t rows) {
    if (rows < 0 || rows > GEMMINI_DIM || cols < 0 || cols > 4 * GEMMINI_DIM) gemmini_stop("a load of more than there is room for");
    int wide = (to & GEMMINI_ACCUMULATOR) != 0;
    int64_t size = wide ? 4 : 1, begin = gemmini_later(gemmini_issue(), gemmini.load), cost = 0;
    for (int64_t c = 0; c < cols; c++)
        for (int64_t r = 0; r < rows; r++) begin = gemmini_later(begin, gemmini_row(to + (uint32_t)(c / 16 * 16 + r))->idle);
    for (int64_t r = 0; r < rows; r++) {
        const int8_t *from = dram ? (const int8_t *)dram + r * gemmini.ld_stride[unit] : 0;
        for (int64_t c = 0; c < cols; c++) {
            struct gemmini_row *row = gemmini_row(to + (uint32_t)(c / 16 * 16 + r));
            int32_t value = 0;
            if (from && wide) memcpy(&value, from + 4 * c, 4);
            if (from && !wide) value = from[c];
            row->cells[c % 16] = value;
            row->written |= (uint16_t)(1u << (c % 16));
        }
        /* A row that is repeated is fetched once. */
        int is_fetched = dram && (r == 0 || gemmini.ld_stride[unit] != 0);
        cost += is_fetched ? (cols * size + 15) / 16 : (cols + 15) / 16;
        if (is_fetched) gemmini_count.bytes_in += cols * size;
    }
    int64_t ready = begin + cost + (dram ? GEMMINI_LATENCY : 0);
    for (int64_t c = 0; c < cols; c += 16)
        for (int64_t r = 0; r < rows; r++) {
            struct gemmini_row *row = gemmini_row(to + (uint32_t)(c + r));
            row->ready = row->idle = ready;
        }
    gemmini.load = begin + cost;
    gemmini_count.mvin++;
}

static inline void gemmini_extended_mvin(const void *dram, uint32_t to, int64_t cols, int64_t rows) {
    gemmini_load(0, dram, to, cols, rows);
}

static inline void gemmini_extended_mvin2(const void *dram, uint32_t to, int64_t cols, int64_t rows) {
    gemmini_load(1, dram, to, cols, rows);
}

static inline void gemmini_extended_mvin3(const void *dram, uint32_t to, int64_t cols, int64_t rows) {
    gemmini_load(2, dram, to, cols, rows);
}

/* Products. What the array keeps stays where the next preload names no operand. */
static inline void gemmini_extended_preload(
    uint32_t from, uint32_t sums, int64_t cols, int64_t rows, int64_t sum_cols, int64_t sum_rows) {
    gemmini_count.preload++;
    int64_t now = gemmini_issue();
    if (!(sums & GEMMINI_ACCUMULATOR)) gemmini_stop("sums go to the accumulator");
    if (sum_cols > GEMMINI_DIM || sum_rows > GEMMINI_DIM) gemmini_stop("more sums than the array has");
    gemmini.sums = sums;
    if (from == GEMMINI_NOWHERE) return;
    gemmini.kept_from = from, gemmini.kept_rows = rows, gemmini.kept_cols = cols, gemmini.kept_ready = now;
    memset(gemmini.kept, 0, sizeof gemmini.kept);
    for (int64_t r = 0; r < rows; r++) {
        struct gemmini_row *row = gemmini_row(from + (uint32_t)r);
        gemmini_written(row, cols);
        for (int64_t c = 0; c < cols; c++) gemmini.kept[r][c] = (int8_t)row->cells[c];
        gemmini.kept_ready = gemmini_later(gemmini.kept_ready, row->ready);
    }
}

static inline void gemmini_compute(uint32_t a, int64_t cols, int64_t rows, int64_t fresh) {
    if (!gemmini.weight_stationary) gemmini_stop("not modelled: a product with another dataflow");
    if (cols > gemmini.kept_rows) gemmini_stop("more columns than the array keeps rows");
    int64_t begin = gemmini_later(gemmini_later(gemmini_issue(), gemmini.array), gemmini.kept_ready);
    uint32_t sums = gemmini.sums & ~(GEMMINI_ACCUMULATE | GEMMINI_FULL_WIDTH);
    for (int64_t r = 0; r < rows; r++) {
        struct gemmini_row *from = gemmini_row(a + (uint32_t)r), *to = gemmini_row(sums + (uint32_t)r);
        gemmini_written(from, cols);
        if (gemmini.sums & GEMMINI_ACCUMULATE) gemmini_written(to, gemmini.kept_cols);
        begin = gemmini_later(begin, gemmini_later(from->ready - r, to->idle - r));
        for (int64_t c = 0; c < gemmini.kept_cols; c++) {
            uint32_t sum = gemmini.sums & GEMMINI_ACCUMULATE ? (uint32_t)to->cells[c] : 0;
            for (int64_t k = 0; k < cols; k++) sum += (uint32_t)(from->cells[k] * gemmini.kept[k][c]);
            to->cells[c] = (int32_t)sum;
        }
        to->written |= gemmini_first(gemmini.kept_cols);
    }
    int64_t cost = gemmini_later(rows, fresh ? gemmini.kept_rows : 0);
    gemmini.array = begin + cost;
    for (int64_t r = 0; r < rows; r++) {
        struct gemmini_row *from = gemmini_row(a + (uint32_t)r), *to = gemmini_row(sums + (uint32_t)r);
        from->idle = gemmini_later(from->idle, begin + cost);
        /* The next product that adds to a row takes it as it comes out of the array. */
        to->idle = begin + r + 1;
        to->ready = begin + cost + 2 * GEMMINI_DIM;
    }
    for (int64_t r = 0; fresh && r < gemmini.kept_rows; r++) {
        struct gemmini_row *row = gemmini_row(gemmini.kept_from + (uint32_t)r);
        row->idle = gemmini_later(row->idle, begin);
    }
    gemmini_count.compute++;
    gemmini_count.products += rows * cols * gemmini.kept_cols;
}

static inline void gemmini_extended_compute_preloaded(
    uint32_t a, uint32_t d, int64_t cols, int64_t rows, int64_t d_cols, int64_t d_rows) {
    (void)d, (void)d_cols, (void)d_rows;
    gemmini_compute(a, cols, rows, 1);
}

static inline void gemmini_extended_compute_accumulated(
    uint32_t a, uint32_t d, int64_t cols, int64_t rows, int64_t d_cols, int64_t d_rows) {
    (void)d, (void)d_cols, (void)d_rows;
    gemmini_compute(a, cols, rows, 0);
}

/* A sum as a byte: without what is negative if that is asked for, scaled, rounded to even, held to -128 … 127. */
static inline int8_t gemmini_byte(int32_t sum) {
    float value = (float)(gemmini.act && sum < 0 ? 0 : sum) * gemmini.scale;
    return (int8_t)fmaxf(fminf(rintf(value), 127.0f), -128.0f);
}

static inline void gemmini_extended_mvout(void *dram, uint32_t from, int64_t cols, int64_t rows) {
    if (cols > GEMMINI_DIM || rows > GEMMINI_DIM) gemmini_stop("a store of more than a tile");
    int wide = (from & GEMMINI_FULL_WIDTH) != 0;
    int64_t size = wide ? 4 : 1, begin = gemmini_later(gemmini_issue(), gemmini.store);
    uint32_t first = from & ~GEMMINI_FULL_WIDTH;
    for (int64_t r = 0; r < rows; r++) begin = gemmini_later(begin, gemmini_row(first + (uint32_t)r)->ready - r);
    int64_t cost = rows * ((cols * size + 15) / 16);
    for (int64_t r = 0; r < rows; r++) {
        struct gemmini_row *row = gemmini_row(first + (uint32_t)r);
        gemmini_written(row, cols);
        int8_t *to = (int8_t *)dram + r * gemmini.st_stride;
        for (int64_t c = 0; c < cols; c++) {
            if (wide) memcpy(to + 4 * c, &row->cells[c], 4);
            else to[c] = gemmini_byte(row->cells[c]);
        }
        row->idle = gemmini_later(row->idle, begin + cost);
    }
    gemmini.store = begin + cost;
    gemmini_count.mvout++;
    gemmini_count.bytes_out += rows * cols * size;
}

static inline void gemmini_fence(void) { gemmini.issue = gemmini_cycles(); }
