#include <cblas.h>
#include <stdio.h>
void xerbla_(const char *routine, const int *info, size_t length) { printf("%.*s%d ", (int)length, routine, *info); }
void dger_(const int *, const int *, const double *, const double *, const int *, const double *, const int *, double *, const int *);
int main(void) {
    double x[4] = {1, 2, 3, 4}, one = 1;
    int two = 2, inc = 1, lda = 1;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, 2, -1, 1, x, 2, x, 1, 0, x, 1);
    cblas_dgemm(7, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1, x, 1, x, 1, 0, x, 1);
    dger_(&two, &two, &one, x, &inc, x, &inc, x, &lda);
    printf("%g", x[0]);
    return 0;
}
