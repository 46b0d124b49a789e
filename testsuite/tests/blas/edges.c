#define _GNU_SOURCE
#include <cblas.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
int main(int argc, char **argv) {
    if (argc > 1) {
        struct rlimit r = {1ul << 20, 1ul << 20};
        int n = 3000;
        double *a = calloc((size_t)n * n, 8), *x = calloc(40ul * n, 8);
        for (int i = 0; i < n; i++) a[i * (n + 1l)] = 1;
        setrlimit(RLIMIT_AS, &r);
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 500, 140, 1, a, n, x, 500);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, 1, n, 2, a, n, x, n, 1, x + n, n);
        return 0;
    }
    feenableexcept(FE_INVALID | FE_DIVBYZERO);
    for (int n = 1; n < 10; n++) {
        double a[81] = {0}, b[81] = {0};
        float c[81] = {0}, d[81] = {0};
        for (int i = 0; i < n; i++) a[i * n + i] = c[i * n + i] = 2, b[i * n + i] = d[i * n + i] = 6;
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, n, 1, a, n, b, n);
        cblas_strsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, n, 1, c, n, d, n);
        printf("%g%g ", b[n * n - 1], d[n * n - 1]);
    }
    // Neither does an infinity times what a triangle does not have.
    for (int t = 0; t < 2 * 2 * 2 * 19; t++) {
        int uplo = t % 2 ? CblasUpper : CblasLower, trans = t / 2 % 2 ? CblasTrans : CblasNoTrans;
        int diag = t / 4 % 2 ? CblasUnit : CblasNonUnit, n = 19, at = t / 8;
        double a[19 * 19], x[19], y[19];
        float b[19 * 19], u[19], v[19];
        for (int i = 0; i < n * n; i++) a[i] = b[i] = 1;
        for (int i = 0; i < n; i++) x[i] = y[i] = u[i] = v[i] = 1;
        x[at] = u[at] = INFINITY;
        cblas_dsymv(CblasColMajor, uplo, n, 1, a, n, x, 1, 1, y, 1);
        cblas_ssymv(CblasColMajor, uplo, n, 1, b, n, u, 1, 1, v, 1);
        cblas_dtrmv(CblasColMajor, uplo, trans, diag, n, a, n, x, 1);
        cblas_strmv(CblasColMajor, uplo, trans, diag, n, b, n, u, 1);
    }
    fedisableexcept(FE_ALL_EXCEPT);
    double p[5] = {0}, d1 = 1, d2 = 1, x1 = 1, q[5] = {2, 5, 7, 11, 13}, x = 1, y = 1;
    cblas_drotmg(&d1, &d2, &x1, NAN, p);
    cblas_drotm(1, &x, 1, &y, 1, q);
    printf("%g %d%d%d %g %g", p[0], isnan(d1), isnan(d2), isnan(p[1]), x, y);
}
