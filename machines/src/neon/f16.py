# Neon: 8 halves in a register. Multiplying and adding at once is left out: `fma` of halves is rounded twice in the
# domain Machine [rule: data.machine], and once by the processor.


@instr("{dst_data} = vld1q_f16((const float16_t *)&{src_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vld1q_f16(dst: [f16][8] @ Neon, src: [f16][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("vst1q_f16((float16_t *)&{dst_data}, {src_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vst1q_f16(dst: [f16][8] @ DRAM, src: [f16][8] @ Neon):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_mov_f16(dst: [f16][8] @ Neon, src: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = vdupq_n_f16(0);", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_zero_f16(dst: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = 0.0


@instr("{dst_data} = vdupq_n_f16(*{src});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vdupq_n_f16(dst: [f16][8] @ Neon, src: f16 @ DRAM):
    for i in seq(0, 8):
        dst[i] = src


@instr("{dst_data} = vaddq_f16({a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vaddq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = vsubq_f16({a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vsubq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = vmulq_f16({a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vmulq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = vdivq_f16({a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vdivq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = vaddq_f16({dst_data}, {a_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_accumulate_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] += a[i]


@instr("{dst_data} = vnegq_f16({a_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vnegq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = -a[i]


@instr("{dst_data} = vmaxnmq_f16({a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vmaxnmq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = vminnmq_f16({a_data}, {b_data});", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_vminnmq_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = vmaxnmq_f16({a_data}, vdupq_n_f16(0));", cflags="-march=armv8.2-a+fp16+dotprod")
def neon_relu_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = relu(a[i])


@instr(
    "{dst_data} = vbslq_f16(vcltq_f16({a_data}, {b_data}), {c_data}, {d_data});",
    cflags="-march=armv8.2-a+fp16+dotprod",
)
def neon_select_f16(dst: [f16][8] @ Neon, a: [f16][8] @ Neon, b: [f16][8] @ Neon, c: [f16][8] @ Neon, d: [f16][8] @ Neon):
    for i in seq(0, 8):
        dst[i] = select(a[i], b[i], c[i], d[i])
