/* AMX. With `-DAMX_HARDWARE -mamx-tile -mamx-int8 -mamx-bf16` the processor's own tiles, by <immintrin.h>; without, a model
   of them, which stops where the processor would raise an exception (a tile that is not configured, shapes that do not fit,
   one tile as two operands) and at cells that nothing wrote, and counts what is executed.

   A buffer uses a part of its tile. What lies beyond is zero in operands, so that a product of whole tiles is that of the
   parts: where a part is smaller than the tile, it is loaded and stored by way of a kilobyte in memory. A configuration loses
   the tiles' contents; those of buffers are kept in memory meanwhile. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef AMX_HARDWARE
#include <immintrin.h>
#endif

enum { AMX_TILES = 8, AMX_ROWS = 16, AMX_ROW = 64, AMX_BYTES = 0, AMX_HALVES = 1 };

/* As the instruction ldtilecfg takes it. */
struct amx_config {
    uint8_t palette, start, reserved[14];
    uint16_t colsb[16];
    uint8_t rows[16];
};

static _Thread_local struct amx_config amx_shapes;

/* What buffers hold: whether a tile is a buffer's, the part of it that is used and has been written, and its contents
   while there is another configuration. */
static _Thread_local struct {
    int used;
    int64_t rows, bytes, written_rows, written_bytes;
    uint8_t kept[AMX_ROWS][AMX_ROW];
} amx_buffers[AMX_TILES];

/* What was executed. */
static _Thread_local struct {
    long config, release, load, store, zero, product;
} amx_count;

static inline void amx_stop(const char *why) {
    fprintf(stderr, "amx: %s\n", why);
    abort();
}

#ifdef AMX_HARDWARE

/* The number of a tile is a constant in an instruction. */
#define AMX_EACH(X) \
    switch (tile) { \
        case 0: X(0); break; \
        case 1: X(1); break; \
        case 2: X(2); break; \
        case 3: X(3); break; \
        case 4: X(4); break; \
        case 5: X(5); break; \
        case 6: X(6); break; \
        case 7: X(7); break; \
        default: amx_stop("there is no such tile"); \
    }

#ifdef __linux__
long syscall(long number, ...);
#endif

/* What was written to memory is there: compilers' headers do not say of all these instructions that they read it. */
static inline void amx_settle(const void *at) { __asm__ volatile("" : : "r"(at) : "memory"); }

/* Linux grants the tiles to processes that ask for them: arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA). */
static inline void amx_ldtilecfg(void) {
#ifdef __linux__
    static _Thread_local int granted;
    if (!granted && syscall(158, 0x1023, 18) != 0) amx_stop("the system grants no tiles");
    granted = 1;
#endif
    amx_settle(&amx_shapes);
    _tile_loadconfig(&amx_shapes);
}

static inline void amx_tilerelease(void) { _tile_release(); }

static inline void amx_tileloadd(int tile, const void *from, int64_t stride) {
#define AMX_LOAD(t) _tile_loadd(t, from, stride)
    amx_settle(from);
    AMX_EACH(AMX_LOAD)
#undef AMX_LOAD
}

static inline void amx_tilestored(int tile, void *to, int64_t stride) {
#define AMX_STORE(t) _tile_stored(t, to, stride)
    AMX_EACH(AMX_STORE)
    amx_settle(to);
#undef AMX_STORE
}

static inline void amx_tilezero(int tile) {
#define AMX_ZERO(t) _tile_zero(t)
    AMX_EACH(AMX_ZERO)
#undef AMX_ZERO
}

/* Sums are in tiles 0 to 3, left operands in 4 and 5, right ones in 6 and 7. */
#define AMX_PRODUCTS(X, c) \
    case 4 * c + 0: X(c, 4, 6); break; \
    case 4 * c + 1: X(c, 4, 7); break; \
    case 4 * c + 2: X(c, 5, 6); break; \
    case 4 * c + 3: X(c, 5, 7); break;
#define AMX_EACH_PRODUCT(X) \
    switch (4 * c + 2 * (a - 4) + (b - 6)) { \
        AMX_PRODUCTS(X, 0) AMX_PRODUCTS(X, 1) AMX_PRODUCTS(X, 2) AMX_PRODUCTS(X, 3) \
        default: amx_stop("there are no such tiles"); \
    }

static inline void amx_tdpbssd_of(int c, int a, int b) { AMX_EACH_PRODUCT(_tile_dpbssd) }

static inline void amx_tdpbf16ps_of(int c, int a, int b) { AMX_EACH_PRODUCT(_tile_dpbf16ps) }

#else

static _Thread_local struct {
    struct amx_config shapes;
    uint8_t rows[AMX_TILES][AMX_ROWS][AMX_ROW];
} amx_model;

static inline void amx_ldtilecfg(void) {
    const struct amx_config *s = &amx_shapes;
    if (s->palette != 1 || s->start != 0) amx_stop("a configuration with another palette or a first row");
    for (int t = 0; t < AMX_TILES; t++) {
        if (s->rows[t] > AMX_ROWS || s->colsb[t] > AMX_ROW) amx_stop("a tile that is configured larger than tiles are");
        if ((s->rows[t] == 0) != (s->colsb[t] == 0)) amx_stop("a tile that is configured without rows or without columns");
    }
    amx_model.shapes = *s;
    memset(amx_model.rows, 0, sizeof amx_model.rows);
}

static inline void amx_tilerelease(void) { memset(&amx_model, 0, sizeof amx_model); }

static inline void amx_is_configured(int tile) {
    if (tile < 0 || tile >= AMX_TILES) amx_stop("there is no such tile");
    if (amx_model.shapes.palette == 0) amx_stop("tiles are not configured");
    if (amx_model.shapes.rows[tile] == 0) amx_stop("a tile that is not configured");
    if (amx_model.shapes.colsb[tile] % 4 != 0) amx_stop("a tile whose rows are no whole cells");
}

/* What lies beyond the configured rows and columns becomes zero. */
static inline void amx_tileloadd(int tile, const void *from, int64_t stride) {
    amx_is_configured(tile);
    memset(amx_model.rows[tile], 0, sizeof amx_model.rows[tile]);
    for (int r = 0; r < amx_model.shapes.rows[tile]; r++)
        memcpy(amx_model.rows[tile][r], (const uint8_t *)from + r * stride, amx_model.shapes.colsb[tile]);
}

static inline void amx_tilestored(int tile, void *to, int64_t stride) {
    amx_is_configured(tile);
    for (int r = 0; r < amx_model.shapes.rows[tile]; r++)
        memcpy((uint8_t *)to + r * stride, amx_model.rows[tile][r], amx_model.shapes.colsb[tile]);
}

static inline void amx_tilezero(int tile) {
    amx_is_configured(tile);
    memset(amx_model.rows[tile], 0, sizeof amx_model.rows[tile]);
}

static inline void amx_are_factors(int c, int a, int b) {
    const struct amx_config *s = &amx_model.shapes;
    amx_is_configured(c), amx_is_configured(a), amx_is_configured(b);
    if (c == a || c == b || a == b) amx_stop("a product with one tile as two operands");
    if (s->rows[c] != s->rows[a] || s->colsb[c] != s->colsb[b] || s->colsb[a] != 4 * s->rows[b])
        amx_stop("a product of tiles whose shapes do not fit");
}

/* Four products of signed bytes are added to a sum of 32 bits, without saturation. */
static inline void amx_tdpbssd_of(int c, int a, int b) {
    amx_are_factors(c, a, b);
    for (int i = 0; i < amx_model.shapes.rows[c]; i++)
        for (int l = 0; l < amx_model.shapes.rows[b]; l++)
            for (int j = 0; j < amx_model.shapes.colsb[c] / 4; j++) {
                uint32_t sum;
                memcpy(&sum, &amx_model.rows[c][i][4 * j], 4);
                for (int q = 0; q < 4; q++)
                    sum += (uint32_t)((int8_t)amx_model.rows[a][i][4 * l + q] * (int8_t)amx_model.rows[b][l][4 * j + q]);
                memcpy(&amx_model.rows[c][i][4 * j], &sum, 4);
            }
}

/* Denormal numbers are zeros of their sign. */
static inline double amx_flushed(float x) { return fabsf(x) < 0x1p-126f ? copysign(0.0, x) : (double)x; }

/* A double and what it leaves out, as a float: rounded once, to even, with as many digits if it is small, and then zero if
   it is smaller than any normal number. Rounding to odd first leaves nothing to be seen twice. */
static inline float amx_rounded(double sum, double rest) {
    uint64_t bits;
    memcpy(&bits, &sum, 8);
    if (rest != 0.0 && sum - sum == 0.0) {
        bits -= sum != 0.0 && (rest < 0.0) != (sum < 0.0);
        bits |= 1;
        memcpy(&sum, &bits, 8);
    }
    if (fabs(sum) > 0x1p-60) return (float)sum;
    float large = (float)(sum * 0x1p64);
    return fabsf(large) < 0x1p-62f ? copysignf(0.0f, large) : large * 0x1p-64f;
}

/* x * y + z. The product of two numbers of 8 digits is exact. */
static inline float amx_fma(float x, float y, float z) {
    double p = amx_flushed(x) * amx_flushed(y), c = amx_flushed(z), sum = p + c, part = sum - p;
    double rest = sum - sum == 0.0 ? (p - (sum - part)) + (c - part) : 0.0;
    return amx_rounded(sum, rest);
}

static inline float amx_half(int tile, int row, int cell) {
    uint16_t half;
    memcpy(&half, &amx_model.rows[tile][row][2 * cell], 2);
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

/* The sums of even and of odd cells are added to each other, and then to the cell. */
static inline void amx_tdpbf16ps_of(int c, int a, int b) {
    amx_are_factors(c, a, b);
    for (int i = 0; i < amx_model.shapes.rows[c]; i++)
        for (int j = 0; j < amx_model.shapes.colsb[c] / 4; j++) {
            float sums[2] = { 0.0f, 0.0f }, cell;
            for (int l = 0; l < amx_model.shapes.rows[b]; l++)
                for (int q = 0; q < 2; q++) sums[q] = amx_fma(amx_half(a, i, 2 * l + q), amx_half(b, l, 2 * j + q), sums[q]);
            memcpy(&cell, &amx_model.rows[c][i][4 * j], 4);
            cell = amx_fma(cell, 1.0f, amx_fma(sums[0], 1.0f, sums[1]));
            memcpy(&amx_model.rows[c][i][4 * j], &cell, 4);
        }
}

#endif

/* Tiles as buffers: the first free one of a kind. */
static inline int amx_tile(int kind, int64_t rows, int64_t bytes) {
    if (rows > AMX_ROWS || bytes > AMX_ROW) amx_stop("a buffer that is larger than a tile");
    for (int t = kind; t < (kind == 0 ? 4 : kind + 2); t++) {
        if (amx_buffers[t].used) continue;
        memset(&amx_buffers[t], 0, sizeof amx_buffers[t]);
        amx_buffers[t].used = 1;
        amx_buffers[t].rows = rows;
        amx_buffers[t].bytes = bytes;
        return t;
    }
    amx_stop("no tile is left");
    return 0;
}

static inline void amx_tile_free(int tile) { amx_buffers[tile].used = 0; }

/* What buffers hold goes to memory, and comes back. In the tile of one that was not written there may be another's bytes. */
static inline void amx_keep(void) {
    for (int t = 0; amx_shapes.palette && t < AMX_TILES; t++)
        if (amx_buffers[t].used && amx_buffers[t].written_rows) amx_tilestored(t, amx_buffers[t].kept, AMX_ROW);
}

static inline void amx_tile_config(int64_t rows, int64_t cols, int64_t depth) {
    amx_keep();
    memset(&amx_shapes, 0, sizeof amx_shapes);
    amx_shapes.palette = 1;
    for (int t = 0; t < AMX_TILES; t++) {
        amx_shapes.rows[t] = (uint8_t)(t < 6 ? rows : depth);
        amx_shapes.colsb[t] = (uint16_t)(4 * (t < 4 || t >= 6 ? cols : depth));
    }
    amx_ldtilecfg();
    for (int t = 0; t < AMX_TILES; t++)
        if (amx_buffers[t].used) amx_tileloadd(t, amx_buffers[t].kept, AMX_ROW);
    amx_count.config++;
}

static inline void amx_tile_release(void) {
    amx_keep();
    memset(&amx_shapes, 0, sizeof amx_shapes);
    amx_tilerelease();
    amx_count.release++;
}

/* Whether an operand is the part of the tile that its buffer uses, and the tile has room for it. */
static inline void amx_is_operand(int tile, int64_t rows, int64_t bytes) {
    if (tile < 0 || tile >= AMX_TILES || !amx_buffers[tile].used) amx_stop("an operand that is no buffer's tile");
    if (rows != amx_buffers[tile].rows || bytes != amx_buffers[tile].bytes) amx_stop("an operand that is a part of a buffer");
    if (rows > amx_shapes.rows[tile] || bytes > amx_shapes.colsb[tile]) amx_stop("an operand beyond the tile as configured");
}

static inline void amx_is_written(int tile) {
    if (amx_buffers[tile].written_rows < amx_buffers[tile].rows || amx_buffers[tile].written_bytes < amx_buffers[tile].bytes)
        amx_stop("a cell that nothing wrote is read");
}

static inline void amx_write(int tile) {
    amx_buffers[tile].written_rows = amx_buffers[tile].rows;
    amx_buffers[tile].written_bytes = amx_buffers[tile].bytes;
}

static inline int amx_is_whole(int tile, int64_t rows, int64_t bytes) {
    return rows == amx_shapes.rows[tile] && bytes == amx_shapes.colsb[tile];
}

/* Strides are in bytes. */
static inline void amx_load(int tile, const void *from, int64_t stride, int64_t rows, int64_t bytes) {
    amx_is_operand(tile, rows, bytes);
    if (amx_is_whole(tile, rows, bytes)) {
        amx_tileloadd(tile, from, stride);
    } else {
        uint8_t part[AMX_ROWS][AMX_ROW] = { { 0 } };
        for (int64_t r = 0; r < rows; r++) memcpy(part[r], (const uint8_t *)from + r * stride, (size_t)bytes);
        amx_tileloadd(tile, part, AMX_ROW);
    }
    amx_write(tile);
    amx_count.load++;
}

static inline void amx_store(void *to, int tile, int64_t stride, int64_t rows, int64_t bytes) {
    amx_is_operand(tile, rows, bytes);
    amx_is_written(tile);
    if (amx_is_whole(tile, rows, bytes)) {
        amx_tilestored(tile, to, stride);
    } else {
        uint8_t part[AMX_ROWS][AMX_ROW];
        amx_tilestored(tile, part, AMX_ROW);
        for (int64_t r = 0; r < rows; r++) memcpy((uint8_t *)to + r * stride, part[r], (size_t)bytes);
    }
    amx_count.store++;
}

static inline void amx_zero(int tile, int64_t rows, int64_t bytes) {
    amx_is_operand(tile, rows, bytes);
    amx_tilezero(tile);
    amx_write(tile);
    amx_count.zero++;
}

static inline void amx_product(int c, int a, int b, int64_t n, int64_t m, int64_t k, int cells) {
    amx_is_operand(c, n, 4 * m);
    amx_is_operand(a, n, 4 * k);
    amx_is_operand(b, k, 4 * m);
    amx_is_written(c), amx_is_written(a), amx_is_written(b);
    if (cells == AMX_BYTES) amx_tdpbssd_of(c, a, b);
    else amx_tdpbf16ps_of(c, a, b);
    amx_count.product++;
}
