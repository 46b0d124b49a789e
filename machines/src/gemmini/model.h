/* A model of the accelerator: two memories of rows of 16 floats, a 16 by 16 multiplier, and two registers that
   must hold the distance of the rows of what is loaded and stored. It counts what it is told to do. */
static int_fast32_t gemmini_ld_stride, gemmini_st_stride;
static _Atomic long gemmini_config_lds, gemmini_config_sts, gemmini_mvins, gemmini_mvouts, gemmini_matmuls;

static inline void gemmini_model_config_ld(int_fast32_t stride) {
    gemmini_config_lds++;
    gemmini_ld_stride = stride;
}

static inline void gemmini_model_config_st(int_fast32_t stride) {
    gemmini_config_sts++;
    gemmini_st_stride = stride;
}

static inline void gemmini_model_mvin(float *dst, const float *src, int_fast32_t n, int_fast32_t m) {
    gemmini_mvins++;
    for (int_fast32_t i = 0; i < n; i++)
        for (int_fast32_t j = 0; j < m; j++) dst[16 * i + j] = src[gemmini_ld_stride * i + j];
}

static inline void gemmini_model_mvout(float *dst, const float *src, int_fast32_t n, int_fast32_t m) {
    gemmini_mvouts++;
    for (int_fast32_t i = 0; i < n; i++)
        for (int_fast32_t j = 0; j < m; j++) dst[gemmini_st_stride * i + j] = src[16 * i + j];
}

static inline void gemmini_model_zero(float *dst, int_fast32_t n) {
    for (int_fast32_t i = 0; i < 16 * n; i++) dst[i] = 0.0f;
}

static inline void gemmini_model_matmul(
    float *c, const float *a, const float *b, int_fast32_t n, int_fast32_t m, int_fast32_t p) {
    gemmini_matmuls++;
    for (int_fast32_t i = 0; i < n; i++)
        for (int_fast32_t j = 0; j < m; j++)
            for (int_fast32_t k = 0; k < p; k++) c[16 * i + j] += a[16 * i + k] * b[16 * k + j];
}
