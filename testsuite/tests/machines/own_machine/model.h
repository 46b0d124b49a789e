#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Two registers of eight bytes. It stops where the hardware has no third one. */
static int8_t dsp_registers[2][8];
static int dsp_taken[2], dsp_fractional;
static long dsp_modes;

static inline int8_t *dsp_register(int_fast32_t bytes) {
    for (int r = 0; r < 2 && bytes <= 8; r++)
        if (!dsp_taken[r]) {
            dsp_taken[r] = 1;
            return dsp_registers[r];
        }
    fprintf(stderr, "dsp: there is no register left\n");
    abort();
}

static inline void dsp_release(const int8_t *x) { dsp_taken[x == dsp_registers[1]] = 0; }

static inline void dsp_mode(int on) {
    dsp_modes++;
    dsp_fractional = on;
}

static inline void dsp_load(int8_t *x, const int8_t *from) {
    for (int k = 0; k < 8; k++) x[k] = from[k];
}

static inline void dsp_dot(int32_t *sum, const int8_t *x, const int8_t *y) {
    for (int k = 0; k < 8; k++) *sum += dsp_fractional ? x[k] * y[k] / 2 : x[k] * y[k];
}
