/* A model of the accelerator: two memories of rows of 16 floats, a 16 by 16 multiplier, and two registers that
   must hold the distance of the rows of what is loaded and stored. It counts what it is told to do. */
static int_fast32_t accel_ld_stride, accel_st_stride;
static _Atomic long accel_config_lds, accel_config_sts, accel_mvins, accel_mvouts, accel_matmuls;

static inline void accel_config_ld(int_fast32_t stride) {
    accel_config_lds++;
    accel_ld_stride = stride;
}

static inline void accel_config_st(int_fast32_t stride) {
    accel_config_sts++;
    accel_st_stride = stride;
}

static inline void accel_mvin(float *dst, const float *src, int_fast32_t n, int_fast32_t m) {
    accel_mvins++;
    for (int_fast32_t i = 0; i < n; i++)
        for (int_fast32_t j = 0; j < m; j++) dst[16 * i + j] = src[accel_ld_stride * i + j];
}

static inline void accel_mvout(float *dst, const float *src, int_fast32_t n, int_fast32_t m) {
    accel_mvouts++;
    for (int_fast32_t i = 0; i < n; i++)
        for (int_fast32_t j = 0; j < m; j++) dst[accel_st_stride * i + j] = src[16 * i + j];
}

static inline void accel_zero(float *dst, int_fast32_t n) {
    for (int_fast32_t i = 0; i < 16 * n; i++) dst[i] = 0.0f;
}

static inline void accel_matmul(
    float *c, const float *a, const float *b, int_fast32_t n, int_fast32_t m, int_fast32_t p) {
    accel_matmuls++;
    for (int_fast32_t i = 0; i < n; i++)
        for (int_fast32_t j = 0; j < m; j++)
            for (int_fast32_t k = 0; k < p; k++) c[16 * i + j] += a[16 * i + k] * b[16 * k + j];
}
