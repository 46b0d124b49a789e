// Level 3 on operands of few rows, columns and products, beside plain loops. Cells are small whole numbers: every sum is
// exact in whatever order. Cells between columns, and those of the other triangle, must stay.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 3, LONG = 9000, CELLS = 64 * (LONG + PAD) };
static double a[CELLS], b[CELLS], c[CELLS], expected[CELLS];
static int calls;

// The kernels' names are no names of the library.
void saxpy_avx2(void) { calls++; }

static void fill(double *x, long n, int seed) {
    for (long i = 0; i < n; i++) {
        x[i] = (double)((i * 7 + seed * 13 + i / 5) % 7) - 3;
    }
}

static void same(const char *what, long n, int p, int q, int r) {
    calls++;
    for (long i = 0; i < n; i++) {
        if (c[i] != expected[i]) {
            printf("%s %d %d %d: cell %ld is %g and not %g\n", what, p, q, r, i, c[i], expected[i]);
            exit(1);
        }
    }
}

// The cell of a matrix, or of its transpose.
static double at(const double *x, int ld, int transposed, int i, int j) {
    return transposed ? x[j + (long)i * ld] : x[i + (long)j * ld];
}

static double of_triangle(const double *x, int ld, int uplo, int i, int j) {
    int stored = uplo == CblasUpper ? i <= j : i >= j;
    return stored ? x[i + (long)j * ld] : x[j + (long)i * ld];
}

static double triangular(const double *x, int ld, int uplo, int trans, int diag, int i, int j) {
    int row = trans == CblasNoTrans ? i : j, column = trans == CblasNoTrans ? j : i;
    if (row == column) {
        return diag == CblasUnit ? 1 : x[row + (long)column * ld];
    }
    return (uplo == CblasUpper ? row < column : row > column) ? x[row + (long)column * ld] : 0;
}

static void gemm(int ta, int tb, int m, int n, int k, double alpha, double beta) {
    int lda = (ta == CblasNoTrans ? m : k) + PAD, ldb = (tb == CblasNoTrans ? k : n) + PAD, ldc = m + PAD;
    fill(a, (long)lda * (ta == CblasNoTrans ? k : m), 1);
    fill(b, (long)ldb * (tb == CblasNoTrans ? n : k), 2);
    fill(c, (long)ldc * n, 3);
    memcpy(expected, c, sizeof(double) * (size_t)ldc * (size_t)n);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) {
                sum += at(a, lda, ta != CblasNoTrans, i, l) * at(b, ldb, tb != CblasNoTrans, l, j);
            }
            expected[i + (long)j * ldc] = alpha * sum + beta * expected[i + (long)j * ldc];
        }
    }
    cblas_dgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    same("gemm", (long)ldc * n, m, n, k);
}

// One operand or two.
static void rank_k(int two, int uplo, int trans, int n, int k, double alpha, double beta) {
    int ld = (trans == CblasNoTrans ? n : k) + PAD, ldc = n + PAD;
    fill(a, (long)ld * (trans == CblasNoTrans ? k : n), 1);
    fill(b, (long)ld * (trans == CblasNoTrans ? k : n), 2);
    fill(c, (long)ldc * n, 3);
    memcpy(expected, c, sizeof(double) * (size_t)ldc * (size_t)n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (uplo == CblasUpper ? i > j : i < j) {
                continue;
            }
            double sum = 0;
            int t = trans != CblasNoTrans;
            for (int l = 0; l < k; l++) {
                double x = at(a, ld, t, i, l), y = at(a, ld, t, j, l);
                sum += two ? x * at(b, ld, t, j, l) + at(b, ld, t, i, l) * y : x * y;
            }
            expected[i + (long)j * ldc] = alpha * sum + beta * expected[i + (long)j * ldc];
        }
    }
    if (two) {
        cblas_dsyr2k(CblasColMajor, uplo, trans, n, k, alpha, a, ld, b, ld, beta, c, ldc);
    } else {
        cblas_dsyrk(CblasColMajor, uplo, trans, n, k, alpha, a, ld, beta, c, ldc);
    }
    same(two ? "syr2k" : "syrk", (long)ldc * n, n, k, uplo);
}

static void symm(int side, int uplo, int m, int n) {
    int order = side == CblasLeft ? m : n, lda = order + PAD, ld = m + PAD;
    fill(a, (long)lda * order, 1);
    fill(b, (long)ld * n, 2);
    fill(c, (long)ld * n, 3);
    memcpy(expected, c, sizeof(double) * (size_t)ld * (size_t)n);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < order; l++) {
                sum += side == CblasLeft ? of_triangle(a, lda, uplo, i, l) * b[l + j * ld] : b[i + l * ld] * of_triangle(a, lda, uplo, l, j);
            }
            expected[i + j * ld] = 2 * sum - expected[i + j * ld];
        }
    }
    cblas_dsymm(CblasColMajor, side, uplo, m, n, 2, a, lda, b, ld, -1, c, ld);
    same("symm", (long)ld * n, m, n, side);
}

// c = alpha op(a) c, or from the right; and back again.
static void triangle(int side, int uplo, int trans, int diag, int m, int n) {
    int order = side == CblasLeft ? m : n, lda = order + PAD, ld = m + PAD;
    fill(a, (long)lda * order, 1);
    for (int i = 0; i < order; i++) {
        a[i + i * lda] = i % 2 ? 2 : -1;
    }
    fill(b, (long)ld * n, 3);
    memcpy(c, b, sizeof(double) * (size_t)ld * (size_t)n);
    memcpy(expected, b, sizeof(double) * (size_t)ld * (size_t)n);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < order; l++) {
                sum += side == CblasLeft ? triangular(a, lda, uplo, trans, diag, i, l) * b[l + j * ld]
                                         : b[i + l * ld] * triangular(a, lda, uplo, trans, diag, l, j);
            }
            expected[i + j * ld] = 2 * sum;
        }
    }
    cblas_dtrmm(CblasColMajor, side, uplo, trans, diag, m, n, 2, a, lda, c, ld);
    same("trmm", (long)ld * n, m, n, side);
    memcpy(expected, b, sizeof(double) * (size_t)ld * (size_t)n);
    cblas_dtrsm(CblasColMajor, side, uplo, trans, diag, m, n, 0.5, a, lda, c, ld);
    same("trsm", (long)ld * n, m, n, side);
}

int main(void) {
    const int few[] = { 1, 3, 6, 7, 13 }, depths[] = { 1, 2, 70, LONG };
    const int trans[] = { CblasNoTrans, CblasTrans }, uplo[] = { CblasUpper, CblasLower };
    const int sides[] = { CblasLeft, CblasRight }, diags[] = { CblasNonUnit, CblasUnit };
    for (int t = 0; t < 4; t++) {
        for (int s = 0; s < 100; s++) {
            int m = few[s % 5], n = few[s / 5 % 5], k = depths[s / 25];
            gemm(trans[t % 2], trans[t / 2], m, n, k, s % 3 ? 1 : -2, s % 2);
            if (s < 20) {
                rank_k(0, uplo[t % 2], trans[t / 2], few[s % 5], depths[s / 5], 2, s % 2);
                rank_k(1, uplo[t % 2], trans[t / 2], few[s % 5], depths[s / 5], -1, s % 2);
            }
            if (s < 50) {
                int other = s < 25 ? few[s / 5] : 40;
                symm(sides[t % 2], uplo[t / 2], m, other);
                symm(sides[t % 2], uplo[t / 2], other, m);
                for (int d = 0; d < 4; d++) {
                    triangle(sides[t % 2], uplo[t / 2], trans[d % 2], diags[d / 2], m, other);
                    triangle(sides[t % 2], uplo[t / 2], trans[d % 2], diags[d / 2], other, m);
                }
            }
        }
    }
    // Triangles that are halved, once and more often.
    for (int t = 0; t < 16; t++) {
        int left = t % 2 == 0;
        triangle(sides[!left], uplo[t / 2 % 2], trans[t / 4 % 2], diags[t / 8], left ? 533 : 9, left ? 9 : 533);
    }
    for (int t = 0; t < 8; t++) {
        if (t < 4) {
            triangle(sides[t % 2], uplo[t / 2], trans[t == 1 || t == 2], CblasNonUnit, t % 2 ? 130 : 530, t % 2 ? 530 : 130);
        }
        rank_k(t / 4, uplo[t % 2], trans[t / 2 % 2], 533, 9, 2, 1);
    }
    printf("%d calls", calls);
}
