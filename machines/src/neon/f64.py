# Neon: 2 doubles in a register.

LANES = r"""
/* The instructions take the lane as a constant: where it is one, a compiler keeps one case. */
static inline float64x2_t neon_fma_lane_f64(float64x2_t c, float64x2_t a, float64x2_t b, int_fast32_t lane) {
    switch (lane) {
        case 0: return vfmaq_laneq_f64(c, a, b, 0);
        default: return vfmaq_laneq_f64(c, a, b, 1);
    }
}

static inline float64x2_t neon_load_lane_f64(const double *x, float64x2_t v, int_fast32_t lane) {
    switch (lane) {
        case 0: return vld1q_lane_f64(x, v, 0);
        default: return vld1q_lane_f64(x, v, 1);
    }
}

static inline void neon_store_lane_f64(double *x, float64x2_t v, int_fast32_t lane) {
    switch (lane) {
        case 0: vst1q_lane_f64(x, v, 0); break;
        default: vst1q_lane_f64(x, v, 1); break;
    }
}
"""


@instr("{dst_data} = vld1q_f64(&{src_data});")
def neon_vld1q_f64(dst: [f64][2] @ Neon, src: [f64][2] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 2):
        dst[i] = src[i]


@instr("vst1q_f64(&{dst_data}, {src_data});")
def neon_vst1q_f64(dst: [f64][2] @ DRAM, src: [f64][2] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 2):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def neon_mov_f64(dst: [f64][2] @ Neon, src: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_f64(0);")
def neon_zero_f64(dst: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_f64(*{src});")
def neon_vdupq_n_f64(dst: [f64][2] @ Neon, src: f64 @ DRAM):
    for i in seq(0, 2):
        dst[i] = src


@instr("{dst_data} = vaddq_f64({a_data}, {b_data});")
def neon_vaddq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = vsubq_f64({a_data}, {b_data});")
def neon_vsubq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = vmulq_f64({a_data}, {b_data});")
def neon_vmulq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = vdivq_f64({a_data}, {b_data});")
def neon_vdivq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = vaddq_f64({dst_data}, {a_data});")
def neon_accumulate_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] += a[i]


@instr("{dst_data} = vnegq_f64({a_data});")
def neon_vnegq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = -a[i]


@instr("{dst_data} = vmaxnmq_f64({a_data}, {b_data});")
def neon_vmaxnmq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminnmq_f64({a_data}, {b_data});")
def neon_vminnmq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxnmq_f64({a_data}, vdupq_n_f64(0));")
def neon_relu_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = relu(a[i])


@instr("{dst_data} = vbslq_f64(vcltq_f64({a_data}, {b_data}), {c_data}, {d_data});")
def neon_select_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon, c: [f64][2] @ Neon, d: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = vabsq_f64({a_data});")
def neon_vabsq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = fabsf(a[i])


@instr("{dst_data} = vsqrtq_f64({a_data});")
def neon_vsqrtq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] = sqrt(a[i])


@instr("{dst_data} = vfmaq_f64({dst_data}, {a_data}, {b_data});", rounds="fused")
def neon_vfmaq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = vfmsq_f64({dst_data}, {a_data}, {b_data});", rounds="fused")
def neon_vfmsq_f64(dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] += -(a[i] * b[i])


@instr("{dst_data} = vfmaq_n_f64({dst_data}, {b_data}, *{a});", rounds="fused")
def neon_vfmaq_n_f64(dst: [f64][2] @ Neon, a: f64 @ DRAM, b: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst[i] += a * b[i]


@instr("{dst_data} = neon_fma_lane_f64({dst_data}, {a_data}, {b_data}, {lane});", LANES, rounds="fused")
def neon_vfmaq_laneq_f64(lane: index, dst: [f64][2] @ Neon, a: [f64][2] @ Neon, b: [f64][2] @ Neon):
    assert 0 <= lane
    assert lane < 2
    for i in seq(0, 2):
        dst[i] += a[i] * b[lane]


@instr("{dst_data} = neon_load_lane_f64({src}, {dst_data}, {lane});", LANES)
def neon_vld1q_lane_f64(lane: index, dst: [f64][2] @ Neon, src: f64 @ DRAM):
    assert 0 <= lane
    assert lane < 2
    dst[lane] = src


@instr("neon_store_lane_f64({dst}, {src_data}, {lane});", LANES)
def neon_vst1q_lane_f64(lane: index, dst: f64 @ DRAM, src: [f64][2] @ Neon):
    assert 0 <= lane
    assert lane < 2
    dst = src[lane]


@proc
def neon_sum_f64(dst: f64, src: [f64][2]):
    dst += src[0] + src[1]


@instr("*{dst} += vaddvq_f64({src_data});", rounds=neon_sum_f64)
def neon_vaddvq_f64(dst: f64 @ DRAM, src: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst += src[i]


@instr("*{dst} = fmax(*{dst}, vmaxnmvq_f64({src_data}));", "#include <math.h>")
def neon_vmaxnmvq_f64(dst: f64 @ DRAM, src: [f64][2] @ Neon):
    for i in seq(0, 2):
        dst = fmaxf(dst, src[i])
