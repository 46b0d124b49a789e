// The interface: CBLAS and Fortran names over the kernels. It checks arguments, brings matrices by columns and by rows
// and vectors of any strides to what kernels take, does what alpha and beta ask for where they are 0 or 1, and
// chooses the kernels of the processor when it is loaded. Compiled three times: for each PRECISION, and for the rest.
//
// Kernels see matrices by rows. A matrix by columns is its transpose by rows, so that a routine on columns is
// another variant of the same kernel: the other triangle, the other side, and transposed where it was not.

#include "kernels.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define PUBLIC __attribute__((visibility("default")))

extern const struct rewright_kernels *rewright_kernels;
void xerbla_(const char *routine, const int *info, size_t length);
void cblas_xerbla(int info, const char *routine, const char *format, ...);
extern int RowMajorStrg;

#ifndef PRECISION

// ---- What both precisions share ------------------------------------------------------------------------------------

const struct rewright_kernels *rewright_kernels = &rewright_kernels_portable;

// Whether the routine that found an error was called for matrices by rows: such positions are told as its caller
// counts them.
PUBLIC int RowMajorStrg = 0;

// The kernels of this processor, or those that REWRIGHT_BLAS_KERNELS names, if this processor can run them. Before the
// constructors of programs, which may call the library.
__attribute__((constructor(101))) static void choose(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    const struct { const char *name; const struct rewright_kernels *kernels; bool can_run; } all[] = {
        { "avx512", &rewright_kernels_avx512, avx512 },
        { "avx2", &rewright_kernels_avx2, avx2 },
        { "portable", &rewright_kernels_portable, true },
    };
    const char *wish = getenv("REWRIGHT_BLAS_KERNELS");
    int best = avx512 ? 0 : avx2 ? 1 : 2, named = wish && *wish ? -1 : best;
    for (int i = 0; i < 3 && named < 0; i++) {
        if (strcmp(wish, all[i].name) == 0) {
            named = i;
        }
    }
    if (named < 0) {
        fprintf(stderr, "rewright_blas: REWRIGHT_BLAS_KERNELS=%s is none of avx512, avx2, portable\n", wish);
    } else if (!all[named].can_run) {
        fprintf(stderr, "rewright_blas: this processor cannot run the kernels of %s, but those of %s\n", wish, all[best].name);
    }
    rewright_kernels = all[named >= 0 && all[named].can_run ? named : best].kernels;
#endif
}

// The name of the chosen kernels.
PUBLIC const char *rewright_blas_kernels(void) {
    if (rewright_kernels == &rewright_kernels_portable) {
        return "portable";
    }
    return rewright_kernels == &rewright_kernels_avx2 ? "avx2" : "avx512";
}

static void told(const char *routine, const int *info, size_t length) {
    int n = (int)length;
    while (n > 0 && routine[n - 1] == ' ') {
        n--;
    }
    fprintf(stderr, " ** On entry to %.*s parameter number %d had an illegal value\n", n, routine, *info);
    exit(1);
}

// Programs may define their own, of this one and of the next.
PUBLIC __attribute__((weak, alias("told"))) void xerbla_(const char *routine, const int *info, size_t length);

static int swapped(int info, int a, int b) { return info == a ? b : info == b ? a : info; }

// `info` is where the argument stands when matrices by rows are seen as transposed ones by columns.
PUBLIC __attribute__((weak)) void cblas_xerbla(int info, const char *routine, const char *format, ...) {
    (void)format;
    if (RowMajorStrg) {
        if (strstr(routine, "gemm")) {
            info = swapped(swapped(info, 4, 5), 9, 11);
        } else if (strstr(routine, "symm")) {
            info = swapped(info, 4, 5);
        } else if (strstr(routine, "trmm") || strstr(routine, "trsm")) {
            info = swapped(info, 6, 7);
        } else if (strstr(routine, "gemv")) {
            info = swapped(info, 3, 4);
        } else if (strstr(routine, "ger")) {
            info = swapped(swapped(info, 2, 3), 6, 8);
        }
    }
    // A program that defines only the other one hears of all errors.
    if (xerbla_ != told) {
        xerbla_(routine, &info, strlen(routine));
        return;
    }
    fprintf(stderr, "Parameter %d to routine %s was incorrect\n", info, routine);
    exit(1);
}

#else

// ---- Names and types -----------------------------------------------------------------------------------------------

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define JOIN3(a, b, c) JOIN(JOIN(a, b), c)
#define IS_SINGLE_s 1
#define IS_SINGLE_d 0
#define IS_SINGLE JOIN(IS_SINGLE_, PRECISION)

#if IS_SINGLE
typedef float T;
#define LETTER "S"
#define SMALL_LETTER "s"
#define ABS fabsf
#define SQRT sqrtf
#define COPYSIGN copysignf
#define WINDOW(rank, suffix) struct win_##rank##f32##suffix
#else
typedef double T;
#define LETTER "D"
#define SMALL_LETTER "d"
#define ABS fabs
#define SQRT sqrt
#define COPYSIGN copysign
#define WINDOW(rank, suffix) struct win_##rank##f64##suffix
#endif

#define KERNEL(name) (rewright_kernels->JOIN(PRECISION, name))
#define FORTRAN(name) JOIN3(PRECISION, name, _)
#define CBLAS(name) JOIN3(cblas_, PRECISION, name)

// Vectors and matrices as kernels take them: to read, and to write.
#define IN(x, inc) ((WINDOW(1, c)){ x, { inc } })
#define OUT(x, inc) ((WINDOW(1, )){ x, { inc } })
#define MATRIX_IN(a, lda) ((WINDOW(2, c)){ a, { lda, 1 } })
#define MATRIX_OUT(a, lda) ((WINDOW(2, )){ a, { lda, 1 } })

enum { ROWS = 101, COLUMNS = 102, NO_TRANS = 111, TRANS = 112, CONJ_TRANS = 113, UPPER = 121, LOWER = 122 };
enum { NON_UNIT = 131, UNIT = 132, LEFT = 141, RIGHT = 142 };

// ---- Vectors -------------------------------------------------------------------------------------------------------

// Where the first cell of a vector is: with a negative stride, the last in memory.
#define FIRST(n, x, inc) ((inc) < 0 ? (x) - ((long)(n) - 1) * (inc) : (x))

enum { ROOM = 512 };

static T *space(long n, T *room) {
    if (n <= ROOM) {
        return room;
    }
    T *made = malloc((size_t)n * sizeof(T));
    if (!made) {
        fprintf(stderr, "no memory for a vector of %ld cells\n", n);
        abort();
    }
    return made;
}

// A vector to read, whose cells lie next to each other: itself, or a copy in the room or in memory of its own.
static const T *gathered(long n, const T *x, long inc, T *room) {
    if (inc == 1) {
        return x;
    }
    T *copy = space(n, room);
    KERNEL(copy_strided)(n, IN(FIRST(n, x, inc), inc), OUT(copy, 1));
    return copy;
}

static void forget(const T *copy, const T *x, const T *room) {
    if (copy != x && copy != room) {
        free((T *)copy);
    }
}

// Back to where a vector was gathered from.
static void scattered(long n, const T *copy, T *x, long inc) {
    if (copy != x) {
        KERNEL(copy_strided)(n, IN(copy, 1), OUT(FIRST(n, x, inc), inc));
    }
}

// x = beta x. What is there does not matter where beta is 0: it need not be a number.
static void scaled(long n, T beta, T *x) {
    if (beta == 0) {
        memset(x, 0, (size_t)n * sizeof(T));
    } else if (beta != 1) {
        KERNEL(scal)(n, &beta, OUT(x, 1));
    }
}

static void matrix_scaled(long rows, long columns, T beta, T *c, long ldc) {
    for (long i = 0; beta != 1 && i < rows; i++) {
        scaled(columns, beta, c + i * ldc);
    }
}

// ---- Level 1 -------------------------------------------------------------------------------------------------------

// A kernel of two vectors: with strides, or without.
#define TWO(name, n, incx, incy, ...)                \
    do {                                             \
        if (incx == 1 && incy == 1) {                \
            KERNEL(name)(n, __VA_ARGS__);            \
        } else {                                     \
            KERNEL(name##_strided)(n, __VA_ARGS__);  \
        }                                            \
    } while (0)

#define X_IN IN(FIRST(n, x, incx), incx)
#define X_OUT OUT(FIRST(n, x, incx), incx)
#define Y_IN IN(FIRST(n, y, incy), incy)
#define Y_OUT OUT(FIRST(n, y, incy), incy)

PUBLIC T CBLAS(asum)(int n, const T *x, int incx) {
    T sum = 0;
    if (n > 0 && incx > 0) {
        TWO(asum, n, incx, 1, X_IN, &sum);
    }
    return sum;
}

PUBLIC void CBLAS(axpy)(int n, T alpha, const T *x, int incx, T *y, int incy) {
    if (n > 0 && alpha != 0) {
        TWO(axpy, n, incx, incy, &alpha, X_IN, Y_OUT);
    }
}

PUBLIC void CBLAS(copy)(int n, const T *x, int incx, T *y, int incy) {
    if (n > 0) {
        TWO(copy, n, incx, incy, X_IN, Y_OUT);
    }
}

PUBLIC T CBLAS(dot)(int n, const T *x, int incx, const T *y, int incy) {
    T sum = 0;
    if (n > 0) {
        TWO(dot, n, incx, incy, X_IN, Y_IN, &sum);
    }
    return sum;
}

// The first of the cells that are as large as the largest, counted from 0. What is no number counts only if it is first.
PUBLIC size_t JOIN3(cblas_i, PRECISION, amax)(int n, const T *x, int incx) {
    if (n <= 0 || incx <= 0 || x[0] != x[0]) {
        return 0;
    }
    // The cells are read once: the search is in the part that has the largest.
    enum { PART = 1024 };
    T largest = ABS(x[0]);
    long k = 0;
    for (long from = 0; from < n; from += PART) {
        T before = largest;
        long part = n - from < PART ? n - from : PART;
        TWO(amax, part, incx, 1, IN(x + from * incx, incx), &largest);
        if (largest != before) {
            k = from;
        }
    }
    while (ABS(x[k * incx]) != largest) {
        k++;
    }
    return (size_t)k;
}

#if IS_SINGLE

static double wide(int n, const T *x, int incx, const T *y, int incy, double sum) {
    if (n > 0) {
        TWO(dot64, n, incx, incy, X_IN, Y_IN, &sum);
    }
    return sum;
}

PUBLIC double cblas_dsdot(int n, const T *x, int incx, const T *y, int incy) { return wide(n, x, incx, y, incy, 0); }

PUBLIC float cblas_sdsdot(int n, T alpha, const T *x, int incx, const T *y, int incy) {
    return (float)wide(n, x, incx, y, incy, alpha);
}

PUBLIC double dsdot_(const int *n, const T *x, const int *incx, const T *y, const int *incy) {
    return wide(*n, x, *incx, y, *incy, 0);
}

PUBLIC float sdsdot_(const int *n, const T *alpha, const T *x, const int *incx, const T *y, const int *incy) {
    return (float)wide(*n, x, *incx, y, *incy, *alpha);
}

// Squares of `float` neither overflow nor vanish as `double`.
PUBLIC float cblas_snrm2(int n, const T *x, int incx) { return (float)sqrt(wide(n, x, incx, x, incx, 0)); }

#else

PUBLIC double cblas_dnrm2(int n, const T *x, int incx) {
    if (n <= 0) {
        return 0;
    }
    T sum = 0;
    TWO(dot, n, incx, incx, X_IN, X_IN, &sum);
    if (sum > 0x1p-960 && sum < 0x1p1020) {
        return sqrt(sum);
    }
    const T least = 0x1p-511, most = 0x1p486, up = 0x1p537, down = 0x1p-538;
    T small = 0, middle = 0, large = 0;
    TWO(squares, n, incx, 1, X_IN, &least, &most, &up, &down, &small, &middle, &large);
    if (large > 0 || large != large) {
        return sqrt(large + middle * down * down) / down;
    }
    if (small > 0 && (middle > 0 || middle != middle)) {
        T a = sqrt(small) / up, b = sqrt(middle);
        T less = b < a ? b : a, more = b < a ? a : b;
        return more * sqrt(1 + (less / more) * (less / more));
    }
    return small > 0 ? sqrt(small) / up : sqrt(middle);
}

#endif

PUBLIC void CBLAS(rot)(int n, T *x, int incx, T *y, int incy, T c, T s) {
    if (n > 0) {
        TWO(rot, n, incx, incy, X_OUT, Y_OUT, &c, &s);
    }
}

// How the parameters of a modified rotation say its matrix: whole, with ones on the diagonal or beside it, or none.
PUBLIC void CBLAS(rotm)(int n, T *x, int incx, T *y, int incy, const T *p) {
    if (n <= 0 || p[0] == -2) {
        return;
    }
    T h[4] = { p[1], p[3], p[2], p[4] };
    if (p[0] == 0) {
        h[0] = h[3] = 1;
    } else if (p[0] > 0) {
        h[1] = 1;
        h[2] = -1;
    }
    TWO(rotm, n, incx, incy, X_OUT, Y_OUT, h);
}

PUBLIC void CBLAS(scal)(int n, T alpha, T *x, int incx) {
    if (n > 0 && incx > 0) {
        TWO(scal, n, incx, 1, &alpha, X_OUT);
    }
}

PUBLIC void CBLAS(swap)(int n, T *x, int incx, T *y, int incy) {
    if (n > 0) {
        TWO(swap, n, incx, incy, X_OUT, Y_OUT);
    }
}

// A rotation that makes (a, b) to (r, 0), scaled so that nothing overflows. A few operations: no kernel.
PUBLIC void CBLAS(rotg)(T *a, T *b, T *c, T *s) {
    const T least = IS_SINGLE ? 0x1p-126 : (T)0x1p-1022, most = 1 / least;
    T p = ABS(*a), q = ABS(*b);
    if (q == 0) {
        *c = 1;
        *s = 0;
        *b = 0;
        return;
    }
    if (p == 0) {
        *c = 0;
        *s = 1;
        *a = *b;
        *b = 1;
        return;
    }
    T larger = p > q ? p : q;
    T scale = larger < least ? least : larger > most ? most : larger;
    T r = COPYSIGN(scale * SQRT((*a / scale) * (*a / scale) + (*b / scale) * (*b / scale)), p > q ? *a : *b);
    *c = *a / r;
    *s = *b / r;
    *b = p > q ? *s : *c != 0 ? 1 / *c : 1;
    *a = r;
}

// A modified rotation (C. Lawson and others, 1979). A few operations and branches on data: no kernel.
PUBLIC void CBLAS(rotmg)(T *d1, T *d2, T *x1, T y1, T *p) {
    const T gamma = 4096, most = gamma * gamma, least = 1 / most;
    T flag = -1, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
    T p2 = *d2 * y1, p1 = *d1 * *x1, q2 = p2 * y1, q1 = p1 * *x1;
    // What is no number is not negative, and stays.
    if (!(*d1 < 0) && p2 == 0) {
        p[0] = -2;
        return;
    }
    if (!(*d1 < 0) && ABS(q1) > ABS(q2)) {
        h21 = -y1 / *x1;
        h12 = p2 / p1;
        T u = 1 - h12 * h21;
        if (u > 0) {
            flag = 0;
            *d1 /= u;
            *d2 /= u;
            *x1 *= u;
        }
    } else if (!(*d1 < 0) && !(q2 < 0)) {
        flag = 1;
        h11 = p1 / p2;
        h22 = *x1 / y1;
        T u = 1 + h11 * h22, d = *d2 / u;
        *d2 = *d1 / u;
        *d1 = d;
        *x1 = y1 * u;
    }
    if (flag < 0) {
        h12 = h21 = *d1 = *d2 = *x1 = 0;
    }
    for (int k = 0; k < 2; k++) {
        T *d = k ? d2 : d1, *left = k ? &h21 : &h11, *right = k ? &h22 : &h12;
        while (*d != 0 && isfinite(*d) && (ABS(*d) <= least || ABS(*d) >= most)) {
            if (flag == 0) {
                h11 = h22 = 1;
            } else if (flag == 1) {
                h21 = -1;
                h12 = 1;
            }
            flag = -1;
            bool up = ABS(*d) <= least;
            *d = up ? *d * most : *d / most;
            *left = up ? *left / gamma : *left * gamma;
            *right = up ? *right / gamma : *right * gamma;
            if (!k) {
                *x1 = up ? *x1 / gamma : *x1 * gamma;
            }
        }
    }
    p[0] = flag;
    if (flag != 0) {
        p[1] = h11;
        p[4] = h22;
    }
    if (flag != 1) {
        p[2] = h21;
        p[3] = h12;
    }
}

PUBLIC T FORTRAN(asum)(const int *n, const T *x, const int *incx) { return CBLAS(asum)(*n, x, *incx); }
PUBLIC T FORTRAN(nrm2)(const int *n, const T *x, const int *incx) { return CBLAS(nrm2)(*n, x, *incx); }

PUBLIC void FORTRAN(axpy)(const int *n, const T *alpha, const T *x, const int *incx, T *y, const int *incy) {
    CBLAS(axpy)(*n, *alpha, x, *incx, y, *incy);
}

PUBLIC void FORTRAN(copy)(const int *n, const T *x, const int *incx, T *y, const int *incy) {
    CBLAS(copy)(*n, x, *incx, y, *incy);
}

PUBLIC T FORTRAN(dot)(const int *n, const T *x, const int *incx, const T *y, const int *incy) {
    return CBLAS(dot)(*n, x, *incx, y, *incy);
}

PUBLIC int JOIN3(i, PRECISION, amax_)(const int *n, const T *x, const int *incx) {
    return *n <= 0 || *incx <= 0 ? 0 : (int)JOIN3(cblas_i, PRECISION, amax)(*n, x, *incx) + 1;
}

PUBLIC void FORTRAN(rot)(const int *n, T *x, const int *incx, T *y, const int *incy, const T *c, const T *s) {
    CBLAS(rot)(*n, x, *incx, y, *incy, *c, *s);
}

PUBLIC void FORTRAN(rotm)(const int *n, T *x, const int *incx, T *y, const int *incy, const T *p) {
    CBLAS(rotm)(*n, x, *incx, y, *incy, p);
}

PUBLIC void FORTRAN(rotg)(T *a, T *b, T *c, T *s) { CBLAS(rotg)(a, b, c, s); }
PUBLIC void FORTRAN(rotmg)(T *d1, T *d2, T *x1, const T *y1, T *p) { CBLAS(rotmg)(d1, d2, x1, *y1, p); }
PUBLIC void FORTRAN(scal)(const int *n, const T *alpha, T *x, const int *incx) { CBLAS(scal)(*n, *alpha, x, *incx); }

PUBLIC void FORTRAN(swap)(const int *n, T *x, const int *incx, T *y, const int *incy) {
    CBLAS(swap)(*n, x, *incx, y, *incy);
}

// ---- Options and errors --------------------------------------------------------------------------------------------

// Options of Fortran as those of CBLAS; 0 where there is no such option.
static int trans_of(const char *c) {
    switch (*c) {
    case 'N': case 'n': return NO_TRANS;
    case 'T': case 't': return TRANS;
    case 'C': case 'c': return CONJ_TRANS;
    default: return 0;
    }
}

static int one_of(const char *c, char first, int one, char second, int other) {
    char upper = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    return upper == first ? one : upper == second ? other : 0;
}

static int uplo_of(const char *c) { return one_of(c, 'U', UPPER, 'L', LOWER); }
static int diag_of(const char *c) { return one_of(c, 'N', NON_UNIT, 'U', UNIT); }
static int side_of(const char *c) { return one_of(c, 'L', LEFT, 'R', RIGHT); }

static bool is_trans(int t) { return t >= NO_TRANS && t <= CONJ_TRANS; }
static bool is_uplo(int u) { return u == UPPER || u == LOWER; }
static bool is_diag(int d) { return d == NON_UNIT || d == UNIT; }
static bool is_side(int s) { return s == LEFT || s == RIGHT; }

// What is not an option stays what it is: it is refused later.
static int other_trans(int t) { return t == NO_TRANS ? TRANS : is_trans(t) ? NO_TRANS : t; }
static int other_uplo(int u) { return is_uplo(u) ? UPPER + LOWER - u : u; }
static int other_side(int s) { return is_side(s) ? LEFT + RIGHT - s : s; }

static int at_least_one(int n) { return n > 1 ? n : 1; }

// Tells of the argument at `info` as Fortran counts them, which CBLAS counts from the layout. 0: all is well.
static bool refused(bool c, int info, const char *fortran, const char *cblas) {
    if (info == 0) {
        return false;
    }
    if (c) {
        cblas_xerbla(info + 1, cblas, "");
    } else {
        xerbla_(fortran, &info, strlen(fortran));
    }
    return true;
}

#define REFUSED(name, padded) refused(c, info, LETTER padded, "cblas_" SMALL_LETTER name)

// Whether matrices lie by rows; a layout that is none of both is refused.
static bool by_rows(int layout, const char *routine, bool *rows) {
    *rows = layout == ROWS;
    RowMajorStrg = *rows;
    if (layout != ROWS && layout != COLUMNS) {
        cblas_xerbla(1, routine, "");
        return false;
    }
    return true;
}

#define LAYOUT(name)                                                      \
    bool rows;                                                            \
    if (!by_rows(layout, "cblas_" SMALL_LETTER name, &rows)) {            \
        return;                                                           \
    }

// Kernels by their options.
#define BY_DIAG(f) { KERNEL(f##n), KERNEL(f##u) }
#define BY_TRANS_DIAG(f) { BY_DIAG(f##n), BY_DIAG(f##t) }
#define BY_UPLO_TRANS_DIAG(f) { BY_TRANS_DIAG(f##u), BY_TRANS_DIAG(f##l) }
#define BY_ALL(f) { BY_UPLO_TRANS_DIAG(f##l), BY_UPLO_TRANS_DIAG(f##r) }
#define BY_TRANS(f) { KERNEL(f##n), KERNEL(f##t) }
#define BY_UPLO(f) { KERNEL(f##u), KERNEL(f##l) }
#define TRIANGLE(uplo) (uplo == LOWER ? 0 : 1)  // of the transpose

// ---- Level 2, by columns -------------------------------------------------------------------------------------------

static void gemv(bool c, int trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    int info = !is_trans(trans) ? 1 : m < 0 ? 2 : n < 0 ? 3 : lda < at_least_one(m) ? 6 : !incx ? 8 : !incy ? 11 : 0;
    if (REFUSED("gemv", "GEMV ") || m == 0 || n == 0 || (alpha == 0 && beta == 1)) {
        return;
    }
    bool plain = trans == NO_TRANS;
    long from = plain ? n : m, to = plain ? m : n;
    T x_room[ROOM], y_room[ROOM];
    T *out = (T *)gathered(to, y, incy, y_room);
    scaled(to, beta, out);
    if (alpha != 0) {
        const T *in = gathered(from, x, incx, x_room);
        (plain ? KERNEL(gemv_t) : KERNEL(gemv_n))(n, m, &alpha, MATRIX_IN(a, lda), IN(in, 1), OUT(out, 1));
        forget(in, x, x_room);
    }
    scattered(to, out, y, incy);
    forget(out, y, y_room);
}

static void ger(bool c, int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    int info = m < 0 ? 1 : n < 0 ? 2 : !incx ? 5 : !incy ? 7 : lda < at_least_one(m) ? 9 : 0;
    if (REFUSED("ger", "GER  ") || m == 0 || n == 0 || alpha == 0) {
        return;
    }
    T x_room[ROOM], y_room[ROOM];
    const T *u = gathered(m, x, incx, x_room), *v = gathered(n, y, incy, y_room);
    KERNEL(ger)(n, m, &alpha, IN(v, 1), IN(u, 1), MATRIX_OUT(a, lda));
    forget(u, x, x_room);
    forget(v, y, y_room);
}

static void symv(bool c, int uplo, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    int info = !is_uplo(uplo) ? 1 : n < 0 ? 2 : lda < at_least_one(n) ? 5 : !incx ? 7 : !incy ? 10 : 0;
    if (REFUSED("symv", "SYMV ") || n == 0 || (alpha == 0 && beta == 1)) {
        return;
    }
    T x_room[ROOM], y_room[ROOM];
    T *out = (T *)gathered(n, y, incy, y_room);
    scaled(n, beta, out);
    if (alpha != 0) {
        const T *in = gathered(n, x, incx, x_room);
        __typeof__(KERNEL(symv_u)) all[2] = BY_UPLO(symv_);
        all[TRIANGLE(uplo)](n, &alpha, MATRIX_IN(a, lda), IN(in, 1), OUT(out, 1));
        forget(in, x, x_room);
    }
    scattered(n, out, y, incy);
    forget(out, y, y_room);
}

static void syr(bool c, int uplo, int n, T alpha, const T *x, int incx, T *a, int lda) {
    int info = !is_uplo(uplo) ? 1 : n < 0 ? 2 : !incx ? 5 : lda < at_least_one(n) ? 7 : 0;
    if (REFUSED("syr", "SYR  ") || n == 0 || alpha == 0) {
        return;
    }
    T room[ROOM];
    const T *in = gathered(n, x, incx, room);
    __typeof__(KERNEL(syr_u)) all[2] = BY_UPLO(syr_);
    all[TRIANGLE(uplo)](n, &alpha, IN(in, 1), MATRIX_OUT(a, lda));
    forget(in, x, room);
}

static void syr2(bool c, int uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    int info = !is_uplo(uplo) ? 1 : n < 0 ? 2 : !incx ? 5 : !incy ? 7 : lda < at_least_one(n) ? 9 : 0;
    if (REFUSED("syr2", "SYR2 ") || n == 0 || alpha == 0) {
        return;
    }
    T x_room[ROOM], y_room[ROOM];
    const T *u = gathered(n, x, incx, x_room), *v = gathered(n, y, incy, y_room);
    __typeof__(KERNEL(syr2_u)) all[2] = BY_UPLO(syr2_);
    all[TRIANGLE(uplo)](n, &alpha, IN(u, 1), IN(v, 1), MATRIX_OUT(a, lda));
    forget(u, x, x_room);
    forget(v, y, y_room);
}

typedef void triangular(int_fast32_t, WINDOW(2, c), WINDOW(1, ));

static void tr_v(bool c, const char *fortran, const char *cblas, triangular *all[2][2][2], int uplo, int trans, int diag, int n, const T *a, int lda, T *x, int incx) {
    int info = !is_uplo(uplo) ? 1 : !is_trans(trans) ? 2 : !is_diag(diag) ? 3 : n < 0 ? 4 : lda < at_least_one(n) ? 6 : !incx ? 8 : 0;
    if (refused(c, info, fortran, cblas) || n == 0) {
        return;
    }
    T room[ROOM];
    T *at = (T *)gathered(n, x, incx, room);
    all[TRIANGLE(uplo)][trans == NO_TRANS][diag == UNIT](n, MATRIX_IN(a, lda), OUT(at, 1));
    scattered(n, at, x, incx);
    forget(at, x, room);
}

static void trmv(bool c, int uplo, int trans, int diag, int n, const T *a, int lda, T *x, int incx) {
    triangular *all[2][2][2] = BY_UPLO_TRANS_DIAG(trmv_);
    tr_v(c, LETTER "TRMV ", "cblas_" SMALL_LETTER "trmv", all, uplo, trans, diag, n, a, lda, x, incx);
}

static void trsv(bool c, int uplo, int trans, int diag, int n, const T *a, int lda, T *x, int incx) {
    triangular *all[2][2][2] = BY_UPLO_TRANS_DIAG(trsv_);
    tr_v(c, LETTER "TRSV ", "cblas_" SMALL_LETTER "trsv", all, uplo, trans, diag, n, a, lda, x, incx);
}

// ---- Level 3, by columns -------------------------------------------------------------------------------------------

// Kernels copy whole operands. Where few columns or rows are asked for, routines of vectors read the matrix as often; and where
// the result is small, the products are summed up in parts, whose copies stay near.

enum { NEAR_CELLS = 1 << 15, LEAST_PART = 64 };

// For so many columns of the result the kernels read a matrix that is not transposed where it is.
enum { IN_PLACE = 16 };

// Large triangles are halved: the square beside the halves is one of a product, which copies less.
enum { WHOLE = 512, WHOLE_OF_THIN = 256, THIN = 128 };

// Threads share the rows of a triangle of sums if it has `WHOLE` of them: with threads, no half has fewer.
#ifdef _OPENMP
enum { WHOLE_OF_SUMS = 2 * WHOLE - 1 };
#else
enum { WHOLE_OF_SUMS = WHOLE };
#endif

static int half_of(int n) {
    return n / 2 / 16 * 16;
}

// Up to so many columns, rows or products are done one by one.
enum { FEW_SYMM = 12, FEW_SYRK = 4, FEW_SYR2K = 6, FEW_TRIANGULAR = 6 };

// How many of k products at a time, for a result of `cells` cells and operands that have `width` cells for each product. The
// result is read and written for each part: parts are no shorter than makes up for that.
static long part_of(long k, long cells, long width) {
    long part = 8 * cells / width;
    part = part < NEAR_CELLS / width ? NEAR_CELLS / width : part;
    part = part < LEAST_PART ? LEAST_PART : part;
    return part < k ? part : k;
}

static void gemm(bool c, int ta, int tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *to, int ldc) {
    bool a_plain = ta == NO_TRANS, b_plain = tb == NO_TRANS;
    int info = !is_trans(ta) ? 1 : !is_trans(tb) ? 2 : m < 0 ? 3 : n < 0 ? 4 : k < 0 ? 5
        : lda < at_least_one(a_plain ? m : k) ? 8 : ldb < at_least_one(b_plain ? k : n) ? 10 : ldc < at_least_one(m) ? 13 : 0;
    if (REFUSED("gemm", "GEMM ") || m == 0 || n == 0) {
        return;
    }
    matrix_scaled(n, m, beta, to, ldc);
    if (alpha == 0 || k == 0) {
        return;
    }
    int a_row = a_plain ? lda : 1, a_column = a_plain ? 1 : lda, b_row = b_plain ? ldb : 1, b_column = b_plain ? 1 : ldb;
    if (n == 1) {
        gemv(false, ta, a_plain ? m : k, a_plain ? k : m, alpha, a, lda, b, b_column, 1, to, 1);
    } else if (m == 1) {
        gemv(false, other_trans(tb), b_plain ? k : n, b_plain ? n : k, alpha, b, ldb, a, a_row, 1, to, ldc);
    } else if (k == 1) {
        ger(false, m, n, alpha, a, a_column, b, b_row, to, ldc);
    } else if (alpha == 1 && a_plain && b_plain) {
        KERNEL(gemm_one)(n, m, k, MATRIX_IN(b, ldb), MATRIX_IN(a, lda), MATRIX_OUT(to, ldc));
    } else {
        __typeof__(KERNEL(gemm_nn)) all[2][2] = { BY_TRANS(gemm_n), BY_TRANS(gemm_t) };
        long part = a_plain && n <= IN_PLACE ? k : part_of(k, (long)m * n, (long)m + n);
        for (long l = 0; l < k; l += part, a += part * a_row, b += part * b_column) {
            long some = k - l < part ? k - l : part;
            all[!b_plain][!a_plain](n, m, some, &alpha, MATRIX_IN(b, ldb), MATRIX_IN(a, lda), MATRIX_OUT(to, ldc));
        }
    }
}

static void symm(bool c, int side, int uplo, int m, int n, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *to, int ldc) {
    int info = !is_side(side) ? 1 : !is_uplo(uplo) ? 2 : m < 0 ? 3 : n < 0 ? 4 : lda < at_least_one(side == LEFT ? m : n) ? 7
        : ldb < at_least_one(m) ? 9 : ldc < at_least_one(m) ? 12 : 0;
    if (REFUSED("symm", "SYMM ") || m == 0 || n == 0) {
        return;
    }
    matrix_scaled(n, m, beta, to, ldc);
    if (alpha == 0) {
        return;
    }
    bool left = side == LEFT;
    int lines = left ? n : m;
    if (lines > FEW_SYMM) {
        __typeof__(KERNEL(symm_lu)) all[2][2] = { BY_UPLO(symm_l), BY_UPLO(symm_r) };
        all[left][TRIANGLE(uplo)](n, m, &alpha, MATRIX_IN(a, lda), MATRIX_IN(b, ldb), MATRIX_OUT(to, ldc));
    }
    for (long i = 0; lines <= FEW_SYMM && i < lines; i++) {
        long from = left ? i * ldb : i, at = left ? i * ldc : i;
        symv(false, uplo, left ? m : n, alpha, a, lda, b + from, left ? 1 : ldb, 1, to + at, left ? 1 : ldc);
    }
}

// The triangle of a matrix by columns.
static void triangle_scaled(int uplo, int n, T beta, T *to, long ldc) {
    for (long j = 0; beta != 1 && j < n; j++) {
        bool upper = uplo == UPPER;
        scaled(upper ? j + 1 : n - j, beta, to + j * ldc + (upper ? 0 : j));
    }
}

static void syrk_halved(int uplo, int trans, int n, int k, T alpha, const T *a, int lda, T *to, int ldc) {
    bool plain = trans == NO_TRANS;
    if (n > WHOLE_OF_SUMS) {
        int first = half_of(n), second = n - first;
        const T *a_second = a + (plain ? first : (long)first * lda);
        syrk_halved(uplo, trans, first, k, alpha, a, lda, to, ldc);
        if (uplo == UPPER) {
            gemm(false, trans, other_trans(trans), first, second, k, alpha, a, lda, a_second, lda, 1, to + (long)first * ldc, ldc);
        } else {
            gemm(false, trans, other_trans(trans), second, first, k, alpha, a_second, lda, a, lda, 1, to + first, ldc);
        }
        syrk_halved(uplo, trans, second, k, alpha, a_second, lda, to + first * (ldc + 1L), ldc);
        return;
    }
    __typeof__(KERNEL(syrk_un)) all[2][2] = { BY_TRANS(syrk_u), BY_TRANS(syrk_l) };
    long part = part_of(k, (long)n * n / 2, 2L * n);
    for (long l = 0; l < k; l += part, a += part * (plain ? lda : 1)) {
        all[TRIANGLE(uplo)][plain](n, k - l < part ? k - l : part, &alpha, MATRIX_IN(a, lda), MATRIX_OUT(to, ldc));
    }
}

static void syrk(bool c, int uplo, int trans, int n, int k, T alpha, const T *a, int lda, T beta, T *to, int ldc) {
    bool plain = trans == NO_TRANS;
    int info = !is_uplo(uplo) ? 1 : !is_trans(trans) ? 2 : n < 0 ? 3 : k < 0 ? 4 : lda < at_least_one(plain ? n : k) ? 7
        : ldc < at_least_one(n) ? 10 : 0;
    if (REFUSED("syrk", "SYRK ") || n == 0) {
        return;
    }
    triangle_scaled(uplo, n, beta, to, ldc);
    if (alpha == 0 || k == 0) {
        return;
    }
    int row = plain ? lda : 1, column = plain ? 1 : lda;
    if (n == 1) {
        *to += alpha * CBLAS(dot)(k, a, row, a, row);
        return;
    }
    if (k <= FEW_SYRK) {
        for (int l = 0; l < k; l++) {
            syr(false, uplo, n, alpha, a + (long)l * row, column, to, ldc);
        }
        return;
    }
    syrk_halved(uplo, trans, n, k, alpha, a, lda, to, ldc);
}

static void syr2k_halved(int uplo, int trans, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T *to, int ldc) {
    bool plain = trans == NO_TRANS;
    if (n > WHOLE_OF_SUMS) {
        int first = half_of(n), second = n - first, other = other_trans(trans);
        const T *a_second = a + (plain ? first : (long)first * lda), *b_second = b + (plain ? first : (long)first * ldb);
        syr2k_halved(uplo, trans, first, k, alpha, a, lda, b, ldb, to, ldc);
        if (uplo == UPPER) {
            gemm(false, trans, other, first, second, k, alpha, a, lda, b_second, ldb, 1, to + (long)first * ldc, ldc);
            gemm(false, trans, other, first, second, k, alpha, b, ldb, a_second, lda, 1, to + (long)first * ldc, ldc);
        } else {
            gemm(false, trans, other, second, first, k, alpha, a_second, lda, b, ldb, 1, to + first, ldc);
            gemm(false, trans, other, second, first, k, alpha, b_second, ldb, a, lda, 1, to + first, ldc);
        }
        syr2k_halved(uplo, trans, second, k, alpha, a_second, lda, b_second, ldb, to + first * (ldc + 1L), ldc);
        return;
    }
    __typeof__(KERNEL(syr2k_un)) all[2][2] = { BY_TRANS(syr2k_u), BY_TRANS(syr2k_l) };
    long part = part_of(k, (long)n * n / 2, 4L * n);
    for (long l = 0; l < k; l += part, a += part * (plain ? lda : 1), b += part * (plain ? ldb : 1)) {
        long some = k - l < part ? k - l : part;
        all[TRIANGLE(uplo)][plain](n, some, &alpha, MATRIX_IN(a, lda), MATRIX_IN(b, ldb), MATRIX_OUT(to, ldc));
    }
}

static void syr2k(bool c, int uplo, int trans, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *to, int ldc) {
    bool plain = trans == NO_TRANS;
    int least = at_least_one(plain ? n : k);
    int info = !is_uplo(uplo) ? 1 : !is_trans(trans) ? 2 : n < 0 ? 3 : k < 0 ? 4 : lda < least ? 7 : ldb < least ? 9
        : ldc < at_least_one(n) ? 12 : 0;
    if (REFUSED("syr2k", "SYR2K") || n == 0) {
        return;
    }
    triangle_scaled(uplo, n, beta, to, ldc);
    if (alpha == 0 || k == 0) {
        return;
    }
    if (k <= FEW_SYR2K) {
        for (long l = 0; l < k; l++) {
            const T *u = a + l * (plain ? lda : 1), *v = b + l * (plain ? ldb : 1);
            syr2(false, uplo, n, alpha, u, plain ? 1 : lda, v, plain ? 1 : ldb, to, ldc);
        }
        return;
    }
    syr2k_halved(uplo, trans, n, k, alpha, a, lda, b, ldb, to, ldc);
}

typedef void triangular_factor(int_fast32_t, int_fast32_t, WINDOW(2, c), WINDOW(2, ));

// One of trmm and trsm: which, its kernel, and the triangle.
struct triangular {
    bool solves;
    triangular_factor *kernel;
    int side, uplo, trans, lda;
};

// With a triangle of so many rows, on the side of so many lines of B.
static void halved(const struct triangular *t, int order, int lines, const T *a, T *b, int ldb) {
    bool left = t->side == LEFT;
    if (order <= (lines > THIN ? WHOLE : WHOLE_OF_THIN)) {
        t->kernel(left ? lines : order, left ? order : lines, MATRIX_IN(a, t->lda), MATRIX_OUT(b, ldb));
        return;
    }
    int first = half_of(order), second = order - first;
    const T *square = t->uplo == UPPER ? a + (long)first * t->lda : a + first, *a_second = a + first * (t->lda + 1L);
    T *b_second = b + (left ? first : (long)first * ldb);
    // Whether the first half of B takes from the second. Of a product, what the other was before; of a solution, what it becomes.
    bool upper = (t->uplo == UPPER) == (t->trans == NO_TRANS), takes = upper == left, is_last = takes == t->solves;
    T *to = takes ? b : b_second;
    const T *from = takes ? b_second : b;
    int rows = takes ? first : second, k = takes ? second : first;
    halved(t, is_last ? second : first, lines, is_last ? a_second : a, is_last ? b_second : b, ldb);
    if (left) {
        gemm(false, t->trans, NO_TRANS, rows, lines, k, t->solves ? -1 : 1, square, t->lda, from, ldb, 1, to, ldb);
    } else {
        gemm(false, NO_TRANS, t->trans, lines, rows, k, t->solves ? -1 : 1, from, ldb, square, t->lda, 1, to, ldb);
    }
    halved(t, is_last ? first : second, lines, is_last ? a : a_second, is_last ? b : b_second, ldb);
}

static void tr_m(bool c, const char *fortran, const char *cblas, bool solves, triangular_factor *all[2][2][2][2], triangular *one[2][2][2], int side, int uplo, int trans, int diag, int m, int n, T alpha, const T *a, int lda, T *b, int ldb) {
    int info = !is_side(side) ? 1 : !is_uplo(uplo) ? 2 : !is_trans(trans) ? 3 : !is_diag(diag) ? 4 : m < 0 ? 5 : n < 0 ? 6
        : lda < at_least_one(side == LEFT ? m : n) ? 9 : ldb < at_least_one(m) ? 11 : 0;
    if (refused(c, info, fortran, cblas) || m == 0 || n == 0) {
        return;
    }
    matrix_scaled(n, m, alpha, b, ldb);
    if (alpha == 0) {
        return;
    }
    int lines = side == LEFT ? n : m;
    if (lines > FEW_TRIANGULAR) {
        triangular_factor *kernel = all[side == LEFT][TRIANGLE(uplo)][trans != NO_TRANS][diag == UNIT];
        struct triangular t = { solves, kernel, side, uplo, trans, lda };
        halved(&t, side == LEFT ? m : n, lines, a, b, ldb);
    }
    for (int i = 0; lines <= FEW_TRIANGULAR && i < lines; i++) {
        int of = side == LEFT ? trans : other_trans(trans);
        T *line = side == LEFT ? b + (long)i * ldb : b + i;
        tr_v(false, fortran, cblas, one, uplo, of, diag, side == LEFT ? m : n, a, lda, line, side == LEFT ? 1 : ldb);
    }
}

static void trmm(bool c, int side, int uplo, int trans, int diag, int m, int n, T alpha, const T *a, int lda, T *b, int ldb) {
    triangular_factor *all[2][2][2][2] = BY_ALL(trmm_);
    triangular *one[2][2][2] = BY_UPLO_TRANS_DIAG(trmv_);
    tr_m(c, LETTER "TRMM ", "cblas_" SMALL_LETTER "trmm", false, all, one, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

static void trsm(bool c, int side, int uplo, int trans, int diag, int m, int n, T alpha, const T *a, int lda, T *b, int ldb) {
    triangular_factor *all[2][2][2][2] = BY_ALL(trsm_);
    triangular *one[2][2][2] = BY_UPLO_TRANS_DIAG(trsv_);
    tr_m(c, LETTER "TRSM ", "cblas_" SMALL_LETTER "trsm", true, all, one, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

// ---- Levels 2 and 3 of CBLAS ---------------------------------------------------------------------------------------

PUBLIC void CBLAS(gemv)(int layout, int trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    LAYOUT("gemv")
    gemv(true, rows ? other_trans(trans) : trans, rows ? n : m, rows ? m : n, alpha, a, lda, x, incx, beta, y, incy);
}

PUBLIC void CBLAS(ger)(int layout, int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    LAYOUT("ger")
    if (rows) {
        ger(true, n, m, alpha, y, incy, x, incx, a, lda);
    } else {
        ger(true, m, n, alpha, x, incx, y, incy, a, lda);
    }
}

PUBLIC void CBLAS(symv)(int layout, int uplo, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    LAYOUT("symv")
    symv(true, rows ? other_uplo(uplo) : uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}

PUBLIC void CBLAS(syr)(int layout, int uplo, int n, T alpha, const T *x, int incx, T *a, int lda) {
    LAYOUT("syr")
    syr(true, rows ? other_uplo(uplo) : uplo, n, alpha, x, incx, a, lda);
}

PUBLIC void CBLAS(syr2)(int layout, int uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    LAYOUT("syr2")
    syr2(true, rows ? other_uplo(uplo) : uplo, n, alpha, x, incx, y, incy, a, lda);
}

PUBLIC void CBLAS(trmv)(int layout, int uplo, int trans, int diag, int n, const T *a, int lda, T *x, int incx) {
    LAYOUT("trmv")
    trmv(true, rows ? other_uplo(uplo) : uplo, rows ? other_trans(trans) : trans, diag, n, a, lda, x, incx);
}

PUBLIC void CBLAS(trsv)(int layout, int uplo, int trans, int diag, int n, const T *a, int lda, T *x, int incx) {
    LAYOUT("trsv")
    trsv(true, rows ? other_uplo(uplo) : uplo, rows ? other_trans(trans) : trans, diag, n, a, lda, x, incx);
}

PUBLIC void CBLAS(gemm)(int layout, int ta, int tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *to, int ldc) {
    LAYOUT("gemm")
    if (!is_trans(ta) || !is_trans(tb)) {
        cblas_xerbla(is_trans(ta) ? 3 : 2, "cblas_" SMALL_LETTER "gemm", "");
    } else if (rows) {
        gemm(true, tb, ta, n, m, k, alpha, b, ldb, a, lda, beta, to, ldc);
    } else {
        gemm(true, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, to, ldc);
    }
}

PUBLIC void CBLAS(symm)(int layout, int side, int uplo, int m, int n, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *to, int ldc) {
    LAYOUT("symm")
    if (rows) {
        symm(true, other_side(side), other_uplo(uplo), n, m, alpha, a, lda, b, ldb, beta, to, ldc);
    } else {
        symm(true, side, uplo, m, n, alpha, a, lda, b, ldb, beta, to, ldc);
    }
}

PUBLIC void CBLAS(syrk)(int layout, int uplo, int trans, int n, int k, T alpha, const T *a, int lda, T beta, T *to, int ldc) {
    LAYOUT("syrk")
    syrk(true, rows ? other_uplo(uplo) : uplo, rows ? other_trans(trans) : trans, n, k, alpha, a, lda, beta, to, ldc);
}

PUBLIC void CBLAS(syr2k)(int layout, int uplo, int trans, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *to, int ldc) {
    LAYOUT("syr2k")
    syr2k(true, rows ? other_uplo(uplo) : uplo, rows ? other_trans(trans) : trans, n, k, alpha, a, lda, b, ldb, beta, to, ldc);
}

#define TRIANGULAR_FACTOR(name)                                                                                        \
    PUBLIC void CBLAS(name)(int layout, int side, int uplo, int trans, int diag, int m, int n, T alpha, const T *a, int lda, T *b, int ldb) { \
        LAYOUT(#name)                                                                                                  \
        name(true, rows ? other_side(side) : side, rows ? other_uplo(uplo) : uplo, trans, diag, rows ? n : m, rows ? m : n, alpha, a, lda, b, ldb); \
    }                                                                                                                  \
    PUBLIC void FORTRAN(name)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n, const T *alpha, const T *a, const int *lda, T *b, const int *ldb) { \
        name(false, side_of(side), uplo_of(uplo), trans_of(trans), diag_of(diag), *m, *n, *alpha, a, *lda, b, *ldb);   \
    }

TRIANGULAR_FACTOR(trmm)
TRIANGULAR_FACTOR(trsm)

// ---- Levels 2 and 3 of Fortran -------------------------------------------------------------------------------------

PUBLIC void FORTRAN(gemv)(const char *trans, const int *m, const int *n, const T *alpha, const T *a, const int *lda, const T *x, const int *incx, const T *beta, T *y, const int *incy) {
    gemv(false, trans_of(trans), *m, *n, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}

PUBLIC void FORTRAN(ger)(const int *m, const int *n, const T *alpha, const T *x, const int *incx, const T *y, const int *incy, T *a, const int *lda) {
    ger(false, *m, *n, *alpha, x, *incx, y, *incy, a, *lda);
}

PUBLIC void FORTRAN(symv)(const char *uplo, const int *n, const T *alpha, const T *a, const int *lda, const T *x, const int *incx, const T *beta, T *y, const int *incy) {
    symv(false, uplo_of(uplo), *n, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}

PUBLIC void FORTRAN(syr)(const char *uplo, const int *n, const T *alpha, const T *x, const int *incx, T *a, const int *lda) {
    syr(false, uplo_of(uplo), *n, *alpha, x, *incx, a, *lda);
}

PUBLIC void FORTRAN(syr2)(const char *uplo, const int *n, const T *alpha, const T *x, const int *incx, const T *y, const int *incy, T *a, const int *lda) {
    syr2(false, uplo_of(uplo), *n, *alpha, x, *incx, y, *incy, a, *lda);
}

PUBLIC void FORTRAN(trmv)(const char *uplo, const char *trans, const char *diag, const int *n, const T *a, const int *lda, T *x, const int *incx) {
    trmv(false, uplo_of(uplo), trans_of(trans), diag_of(diag), *n, a, *lda, x, *incx);
}

PUBLIC void FORTRAN(trsv)(const char *uplo, const char *trans, const char *diag, const int *n, const T *a, const int *lda, T *x, const int *incx) {
    trsv(false, uplo_of(uplo), trans_of(trans), diag_of(diag), *n, a, *lda, x, *incx);
}

PUBLIC void FORTRAN(gemm)(const char *ta, const char *tb, const int *m, const int *n, const int *k, const T *alpha, const T *a, const int *lda, const T *b, const int *ldb, const T *beta, T *to, const int *ldc) {
    gemm(false, trans_of(ta), trans_of(tb), *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, to, *ldc);
}

PUBLIC void FORTRAN(symm)(const char *side, const char *uplo, const int *m, const int *n, const T *alpha, const T *a, const int *lda, const T *b, const int *ldb, const T *beta, T *to, const int *ldc) {
    symm(false, side_of(side), uplo_of(uplo), *m, *n, *alpha, a, *lda, b, *ldb, *beta, to, *ldc);
}

PUBLIC void FORTRAN(syrk)(const char *uplo, const char *trans, const int *n, const int *k, const T *alpha, const T *a, const int *lda, const T *beta, T *to, const int *ldc) {
    syrk(false, uplo_of(uplo), trans_of(trans), *n, *k, *alpha, a, *lda, *beta, to, *ldc);
}

PUBLIC void FORTRAN(syr2k)(const char *uplo, const char *trans, const int *n, const int *k, const T *alpha, const T *a, const int *lda, const T *b, const int *ldb, const T *beta, T *to, const int *ldc) {
    syr2k(false, uplo_of(uplo), trans_of(trans), *n, *k, *alpha, a, *lda, b, *ldb, *beta, to, *ldc);
}

// ---- Beside the BLAS -----------------------------------------------------------------------------------------------

// y = max(0, bias + x * a): n images of h + kh - 1 rows of w + kw - 1 places of c channels, filters of kh by kw places
// for f channels, results of h rows of w places. All arrays are dense; the channels of x, and f, come last.
PUBLIC void JOIN3(rewright_, PRECISION, conv)(int n, int h, int w, int kh, int kw, int c, int f, const T *x,
    const T *a, const T *bias, T *y) {
    int info = n < 0 ? 1 : h < 0 ? 2 : w < 0 ? 3 : kh < 1 ? 4 : kw < 1 ? 5 : c < 1 ? 6 : f < 0 ? 7 : 0;
    if (info) {
        cblas_xerbla(info, "rewright_" SMALL_LETTER "conv", "");
        return;
    }
    if (n == 0 || h == 0 || w == 0 || f == 0) {
        return;
    }
    int_fast32_t row = (int_fast32_t)(w + kw - 1) * c, image = (h + kh - 1) * row, place = f;
    KERNEL(conv)(n, h, w, kh, kw, c, f, (WINDOW(4, c)){ x, { image, row, c, 1 } },
        (WINDOW(4, c)){ a, { place * kw * kh, place * kw, place, 1 } }, IN(bias, 1),
        (WINDOW(4, )){ y, { place * w * h, place * w, place, 1 } });
}

#endif
