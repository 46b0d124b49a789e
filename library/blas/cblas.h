/* CBLAS in single and double precision: the real routines of levels 1, 2 and 3 on full matrices. */
#ifndef CBLAS_H
#define CBLAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CBLAS_INDEX size_t
#define CBLAS_INT int

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;
#define CBLAS_ORDER CBLAS_LAYOUT

/* What happens where an argument is wrong, unless the program defines its own: a message, and the end. */
void cblas_xerbla(int info, const char *routine, const char *format, ...);

/* The kernels that were chosen for this processor: "avx512", "avx2" or "portable". */
const char *rewright_blas_kernels(void);

/* Single precision. */
float cblas_sasum(int n, const float *x, int incx);
void cblas_saxpy(int n, float alpha, const float *x, int incx, float *y, int incy);
void cblas_scopy(int n, const float *x, int incx, float *y, int incy);
float cblas_sdot(int n, const float *x, int incx, const float *y, int incy);
void cblas_srot(int n, float *x, int incx, float *y, int incy, float c, float s);
void cblas_srotm(int n, float *x, int incx, float *y, int incy, const float *p);
void cblas_sscal(int n, float alpha, float *x, int incx);
void cblas_sswap(int n, float *x, int incx, float *y, int incy);
void cblas_srotg(float *a, float *b, float *c, float *s);
void cblas_srotmg(float *d1, float *d2, float *x1, float y1, float *p);
void cblas_sgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, int m, int n, float alpha, const float *a, int lda,
    const float *x, int incx, float beta, float *y, int incy);
void cblas_sger(CBLAS_LAYOUT layout, int m, int n, float alpha, const float *x, int incx, const float *y, int incy,
    float *a, int lda);
void cblas_ssymv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, float alpha, const float *a, int lda, const float *x,
    int incx, float beta, float *y, int incy);
void cblas_ssyr(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, float alpha, const float *x, int incx, float *a,
    int lda);
void cblas_ssyr2(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, float alpha, const float *x, int incx,
    const float *y, int incy, float *a, int lda);
void cblas_strmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n,
    const float *a, int lda, float *x, int incx);
void cblas_strsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n,
    const float *a, int lda, float *x, int incx);
void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha,
    const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_ssymm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, int m, int n, float alpha, const float *a,
    int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_ssyrk(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n, int k, float alpha,
    const float *a, int lda, float beta, float *c, int ldc);
void cblas_ssyr2k(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n, int k, float alpha,
    const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_strmm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag,
    int m, int n, float alpha, const float *a, int lda, float *b, int ldb);
void cblas_strsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag,
    int m, int n, float alpha, const float *a, int lda, float *b, int ldb);
double cblas_dsdot(int n, const float *x, int incx, const float *y, int incy);
float cblas_sdsdot(int n, float alpha, const float *x, int incx, const float *y, int incy);
float cblas_snrm2(int n, const float *x, int incx);
size_t cblas_isamax(int n, const float *x, int incx);

/* Double precision. */
double cblas_dasum(int n, const double *x, int incx);
void cblas_daxpy(int n, double alpha, const double *x, int incx, double *y, int incy);
void cblas_dcopy(int n, const double *x, int incx, double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
void cblas_drot(int n, double *x, int incx, double *y, int incy, double c, double s);
void cblas_drotm(int n, double *x, int incx, double *y, int incy, const double *p);
void cblas_dscal(int n, double alpha, double *x, int incx);
void cblas_dswap(int n, double *x, int incx, double *y, int incy);
void cblas_drotg(double *a, double *b, double *c, double *s);
void cblas_drotmg(double *d1, double *d2, double *x1, double y1, double *p);
void cblas_dgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, int m, int n, double alpha, const double *a, int lda,
    const double *x, int incx, double beta, double *y, int incy);
void cblas_dger(CBLAS_LAYOUT layout, int m, int n, double alpha, const double *x, int incx, const double *y,
    int incy, double *a, int lda);
void cblas_dsymv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, double alpha, const double *a, int lda,
    const double *x, int incx, double beta, double *y, int incy);
void cblas_dsyr(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, double alpha, const double *x, int incx, double *a,
    int lda);
void cblas_dsyr2(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, int n, double alpha, const double *x, int incx,
    const double *y, int incy, double *a, int lda);
void cblas_dtrmv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n,
    const double *a, int lda, double *x, int incx);
void cblas_dtrsv(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n,
    const double *a, int lda, double *x, int incx);
void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha,
    const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);
void cblas_dsymm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, int m, int n, double alpha,
    const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);
void cblas_dsyrk(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n, int k, double alpha,
    const double *a, int lda, double beta, double *c, int ldc);
void cblas_dsyr2k(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n, int k, double alpha,
    const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);
void cblas_dtrmm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag,
    int m, int n, double alpha, const double *a, int lda, double *b, int ldb);
void cblas_dtrsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag,
    int m, int n, double alpha, const double *a, int lda, double *b, int ldb);
double cblas_dnrm2(int n, const double *x, int incx);
size_t cblas_idamax(int n, const double *x, int incx);

/* y = max(0, bias + x * a) of n images: x is n, h + kh - 1, w + kw - 1, c; a is c, kh, kw, f; y is n, h, w, f. */
void rewright_sconv(int n, int h, int w, int kh, int kw, int c, int f, const float *x, const float *a, const float *bias,
    float *y);

/* y = max(0, bias + x * a) of n images: x is n, h + kh - 1, w + kw - 1, c; a is c, kh, kw, f; y is n, h, w, f. */
void rewright_dconv(int n, int h, int w, int kh, int kw, int c, int f, const double *x, const double *a, const double *bias,
    double *y);

#ifdef __cplusplus
}
#endif

#endif
