# Neon: 4 floats in a register.

LANES = r"""
/* The instructions take the lane as a constant: where it is one, a compiler keeps one case. */
static inline float32x4_t neon_fma_lane_f32(float32x4_t c, float32x4_t a, float32x4_t b, int_fast32_t lane) {
    switch (lane) {
        case 0: return vfmaq_laneq_f32(c, a, b, 0);
        case 1: return vfmaq_laneq_f32(c, a, b, 1);
        case 2: return vfmaq_laneq_f32(c, a, b, 2);
        default: return vfmaq_laneq_f32(c, a, b, 3);
    }
}

static inline float32x4_t neon_load_lane_f32(const float *x, float32x4_t v, int_fast32_t lane) {
    switch (lane) {
        case 0: return vld1q_lane_f32(x, v, 0);
        case 1: return vld1q_lane_f32(x, v, 1);
        case 2: return vld1q_lane_f32(x, v, 2);
        default: return vld1q_lane_f32(x, v, 3);
    }
}

static inline void neon_store_lane_f32(float *x, float32x4_t v, int_fast32_t lane) {
    switch (lane) {
        case 0: vst1q_lane_f32(x, v, 0); break;
        case 1: vst1q_lane_f32(x, v, 1); break;
        case 2: vst1q_lane_f32(x, v, 2); break;
        default: vst1q_lane_f32(x, v, 3); break;
    }
}
"""


@instr("{dst_data} = vld1q_f32(&{src_data});")
def neon_vld1q_f32(dst: [f32][4] @ Neon, src: [f32][4] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("vst1q_f32(&{dst_data}, {src_data});")
def neon_vst1q_f32(dst: [f32][4] @ DRAM, src: [f32][4] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def neon_mov_f32(dst: [f32][4] @ Neon, src: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_f32(0);")
def neon_zero_f32(dst: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_f32(*{src});")
def neon_vdupq_n_f32(dst: [f32][4] @ Neon, src: f32 @ DRAM):
    for i in seq(0, 4):
        dst[i] = src


@instr("{dst_data} = vaddq_f32({a_data}, {b_data});")
def neon_vaddq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = vsubq_f32({a_data}, {b_data});")
def neon_vsubq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = vmulq_f32({a_data}, {b_data});")
def neon_vmulq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = vdivq_f32({a_data}, {b_data});")
def neon_vdivq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = vaddq_f32({dst_data}, {a_data});")
def neon_accumulate_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] += a[i]


@instr("{dst_data} = vnegq_f32({a_data});")
def neon_vnegq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = -a[i]


@instr("{dst_data} = vmaxnmq_f32({a_data}, {b_data});")
def neon_vmaxnmq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminnmq_f32({a_data}, {b_data});")
def neon_vminnmq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxnmq_f32({a_data}, vdupq_n_f32(0));")
def neon_relu_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = relu(a[i])


@instr("{dst_data} = vbslq_f32(vcltq_f32({a_data}, {b_data}), {c_data}, {d_data});")
def neon_select_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon, c: [f32][4] @ Neon, d: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = vabsq_f32({a_data});")
def neon_vabsq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = fabsf(a[i])


@instr("{dst_data} = vsqrtq_f32({a_data});")
def neon_vsqrtq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = sqrt(a[i])


@instr("{dst_data} = vfmaq_f32({dst_data}, {a_data}, {b_data});", rounds="fused")
def neon_vfmaq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = vfmsq_f32({dst_data}, {a_data}, {b_data});", rounds="fused")
def neon_vfmsq_f32(dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] += -(a[i] * b[i])


@instr("{dst_data} = vfmaq_n_f32({dst_data}, {b_data}, *{a});", rounds="fused")
def neon_vfmaq_n_f32(dst: [f32][4] @ Neon, a: f32 @ DRAM, b: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] += a * b[i]


@instr("{dst_data} = neon_fma_lane_f32({dst_data}, {a_data}, {b_data}, {lane});", LANES, rounds="fused")
def neon_vfmaq_laneq_f32(lane: index, dst: [f32][4] @ Neon, a: [f32][4] @ Neon, b: [f32][4] @ Neon):
    assert 0 <= lane
    assert lane < 4
    for i in seq(0, 4):
        dst[i] += a[i] * b[lane]


@instr("{dst_data} = neon_load_lane_f32({src}, {dst_data}, {lane});", LANES)
def neon_vld1q_lane_f32(lane: index, dst: [f32][4] @ Neon, src: f32 @ DRAM):
    assert 0 <= lane
    assert lane < 4
    dst[lane] = src


@instr("neon_store_lane_f32({dst}, {src_data}, {lane});", LANES)
def neon_vst1q_lane_f32(lane: index, dst: f32 @ DRAM, src: [f32][4] @ Neon):
    assert 0 <= lane
    assert lane < 4
    dst = src[lane]


# Neighbours are added until one number is left.
@proc
def neon_sum_f32(dst: f32, src: [f32][4]):
    pair: f32[2]
    for i in seq(0, 2):
        pair[i] = src[2 * i] + src[2 * i + 1]
    dst += pair[0] + pair[1]


@instr("*{dst} += vaddvq_f32({src_data});", rounds=neon_sum_f32)
def neon_vaddvq_f32(dst: f32 @ DRAM, src: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst += src[i]


@instr("*{dst} = fmaxf(*{dst}, vmaxnmvq_f32({src_data}));", "#include <math.h>")
def neon_vmaxnmvq_f32(dst: f32 @ DRAM, src: [f32][4] @ Neon):
    for i in seq(0, 4):
        dst = fmaxf(dst, src[i])
