# Neon: integers of 8, 16 and 32 bits, which wrap: signed ones are computed as unsigned, because GCC's `vaddq_s8` is C's
# `+`, which must not overflow. Products of bytes are added to words by the dot product alone.


@instr("{dst_data} = vld1q_s8(&{src_data});")
def neon_vld1q_s8(dst: [i8][16] @ Neon, src: [i8][16] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("vst1q_s8(&{dst_data}, {src_data});")
def neon_vst1q_s8(dst: [i8][16] @ DRAM, src: [i8][16] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def neon_mov_s8(dst: [i8][16] @ Neon, src: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_s8(0);")
def neon_zero_s8(dst: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_s8(*{src});")
def neon_vdupq_n_s8(dst: [i8][16] @ Neon, src: i8 @ DRAM):
    for i in seq(0, 16):
        dst[i] = src


@instr("{dst_data} = vreinterpretq_s8_u8(vaddq_u8(vreinterpretq_u8_s8({a_data}), vreinterpretq_u8_s8({b_data})));")
def neon_vaddq_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = vreinterpretq_s8_u8(vsubq_u8(vreinterpretq_u8_s8({a_data}), vreinterpretq_u8_s8({b_data})));")
def neon_vsubq_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = vreinterpretq_s8_u8(vmulq_u8(vreinterpretq_u8_s8({a_data}), vreinterpretq_u8_s8({b_data})));")
def neon_vmulq_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = vreinterpretq_s8_u8(vaddq_u8(vreinterpretq_u8_s8({dst_data}), vreinterpretq_u8_s8({a_data})));")
def neon_accumulate_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] += a[i]


@instr("{dst_data} = vreinterpretq_s8_u8(vsubq_u8(vdupq_n_u8(0), vreinterpretq_u8_s8({a_data})));")
def neon_vnegq_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = -a[i]


@instr("{dst_data} = vmaxq_s8({a_data}, {b_data});")
def neon_vmaxq_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminq_s8({a_data}, {b_data});")
def neon_vminq_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxq_s8({a_data}, vdupq_n_s8(0));")
def neon_relu_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = relu(a[i])


@instr("{dst_data} = vbslq_s8(vcltq_s8({a_data}, {b_data}), {c_data}, {d_data});")
def neon_select_s8(dst: [i8][16] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon, c: [i8][16] @ Neon, d: [i8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = vld1q_u8(&{src_data});")
def neon_vld1q_u8(dst: [ui8][16] @ Neon, src: [ui8][16] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("vst1q_u8(&{dst_data}, {src_data});")
def neon_vst1q_u8(dst: [ui8][16] @ DRAM, src: [ui8][16] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def neon_mov_u8(dst: [ui8][16] @ Neon, src: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_u8(0);")
def neon_zero_u8(dst: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_u8(*{src});")
def neon_vdupq_n_u8(dst: [ui8][16] @ Neon, src: ui8 @ DRAM):
    for i in seq(0, 16):
        dst[i] = src


@instr("{dst_data} = vaddq_u8({a_data}, {b_data});")
def neon_vaddq_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon, b: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = vsubq_u8({a_data}, {b_data});")
def neon_vsubq_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon, b: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = vmulq_u8({a_data}, {b_data});")
def neon_vmulq_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon, b: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = vaddq_u8({dst_data}, {a_data});")
def neon_accumulate_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] += a[i]


@instr("{dst_data} = vmaxq_u8({a_data}, {b_data});")
def neon_vmaxq_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon, b: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminq_u8({a_data}, {b_data});")
def neon_vminq_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon, b: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxq_u8({a_data}, vdupq_n_u8(0));")
def neon_relu_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = relu(a[i])


@instr("{dst_data} = vbslq_u8(vcltq_u8({a_data}, {b_data}), {c_data}, {d_data});")
def neon_select_u8(dst: [ui8][16] @ Neon, a: [ui8][16] @ Neon, b: [ui8][16] @ Neon, c: [ui8][16] @ Neon, d: [ui8][16] @ Neon):
    for i in seq(0, 16):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = vld1q_u16(&{src_data});")
def neon_vld1q_u16(dst: [ui16][8] @ Neon, src: [ui16][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("vst1q_u16(&{dst_data}, {src_data});")
def neon_vst1q_u16(dst: [ui16][8] @ DRAM, src: [ui16][8] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def neon_mov_u16(dst: [ui16][8] @ Neon, src: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_u16(0);")
def neon_zero_u16(dst: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_u16(*{src});")
def neon_vdupq_n_u16(dst: [ui16][8] @ Neon, src: ui16 @ DRAM):
    for i in seq(0, 8):
        dst[i] = src


@instr("{dst_data} = vaddq_u16({a_data}, {b_data});")
def neon_vaddq_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon, b: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = vsubq_u16({a_data}, {b_data});")
def neon_vsubq_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon, b: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = vmulq_u16({a_data}, {b_data});")
def neon_vmulq_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon, b: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] * b[i]


# x / 3 = (x * 43691) >> 17 for all x of 16 bits.
@instr("{dst_data} = vshrq_n_u16(vcombine_u16(vshrn_n_u32(vmull_u16(vget_low_u16({src_data}), vdup_n_u16(43691)), 16), vshrn_n_u32(vmull_u16(vget_high_u16({src_data}), vdup_n_u16(43691)), 16)), 1);")
def neon_third_u16(dst: [ui16][8] @ Neon, src: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = src[i] / 3.0


@instr("{dst_data} = vaddq_u16({dst_data}, {a_data});")
def neon_accumulate_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] += a[i]


@instr("{dst_data} = vmaxq_u16({a_data}, {b_data});")
def neon_vmaxq_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon, b: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminq_u16({a_data}, {b_data});")
def neon_vminq_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon, b: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxq_u16({a_data}, vdupq_n_u16(0));")
def neon_relu_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = relu(a[i])


@instr("{dst_data} = vbslq_u16(vcltq_u16({a_data}, {b_data}), {c_data}, {d_data});")
def neon_select_u16(dst: [ui16][8] @ Neon, a: [ui16][8] @ Neon, b: [ui16][8] @ Neon, c: [ui16][8] @ Neon, d: [ui16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = vld1q_s32(&{src_data});")
def neon_vld1q_s32(dst: [i32][4] @ Neon, src: [i32][4] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("vst1q_s32(&{dst_data}, {src_data});")
def neon_vst1q_s32(dst: [i32][4] @ DRAM, src: [i32][4] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def neon_mov_s32(dst: [i32][4] @ Neon, src: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_s32(0);")
def neon_zero_s32(dst: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_s32(*{src});")
def neon_vdupq_n_s32(dst: [i32][4] @ Neon, src: i32 @ DRAM):
    for i in seq(0, 4):
        dst[i] = src


@instr(
    "{dst_data} = vreinterpretq_s32_u32(vaddq_u32(vreinterpretq_u32_s32({a_data}), vreinterpretq_u32_s32({b_data})));"
)
def neon_vaddq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = vreinterpretq_s32_u32(vsubq_u32(vreinterpretq_u32_s32({a_data}), vreinterpretq_u32_s32({b_data})));"
)
def neon_vsubq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = vreinterpretq_s32_u32(vmulq_u32(vreinterpretq_u32_s32({a_data}), vreinterpretq_u32_s32({b_data})));"
)
def neon_vmulq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = a[i] * b[i]


@instr(
    "{dst_data} = vreinterpretq_s32_u32(vaddq_u32(vreinterpretq_u32_s32({dst_data}), vreinterpretq_u32_s32({a_data})));"
)
def neon_accumulate_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] += a[i]


@instr("{dst_data} = vreinterpretq_s32_u32(vsubq_u32(vdupq_n_u32(0), vreinterpretq_u32_s32({a_data})));")
def neon_vnegq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = -a[i]


@instr("{dst_data} = vmaxq_s32({a_data}, {b_data});")
def neon_vmaxq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminq_s32({a_data}, {b_data});")
def neon_vminq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxq_s32({a_data}, vdupq_n_s32(0));")
def neon_relu_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = relu(a[i])


@instr("{dst_data} = vbslq_s32(vcltq_s32({a_data}, {b_data}), {c_data}, {d_data});")
def neon_select_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon, c: [i32][4] @ Neon, d: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr(
    "{dst_data} = vreinterpretq_s32_u32(vmlaq_u32(vreinterpretq_u32_s32({dst_data}), vreinterpretq_u32_s32({a_data}), vreinterpretq_u32_s32({b_data})));"
)
def neon_vmlaq_s32(dst: [i32][4] @ Neon, a: [i32][4] @ Neon, b: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst[i] += a[i] * b[i]


@instr("*{dst} = (int32_t)((uint32_t)*{dst} + (uint32_t)vaddvq_s32({src_data}));")
def neon_vaddvq_s32(dst: i32 @ DRAM, src: [i32][4] @ Neon):
    for i in seq(0, 4):
        dst += src[i]


@instr("{dst_data} = vdotq_s32({dst_data}, {a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vdotq_s32(dst: [i32][4] @ Neon, a: [i8][16] @ Neon, b: [i8][16] @ Neon):
    for i in seq(0, 4):
        for k in seq(0, 4):
            dst[i] += a[4 * i + k] * b[4 * i + k]
