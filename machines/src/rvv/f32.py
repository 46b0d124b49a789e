# RVV 1.0: 4 floats in a register, as many as every processor holds. The first n lanes are changed, which is the
# vector length of the instruction; the others stay (`_tu`). Sums are taken in order, as their body does.


@instr("{dst_data} = __riscv_vle32_v_f32m1(&{src_data}, 4);")
def rvv_load_f32(dst: [f32][4] @ RVV, src: [f32][4] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("__riscv_vse32_v_f32m1(&{dst_data}, {src_data}, 4);")
def rvv_store_f32(dst: [f32][4] @ DRAM, src: [f32][4] @ RVV):
    assert stride(dst, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def rvv_mov_f32(dst: [f32][4] @ RVV, src: [f32][4] @ RVV):
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vfmv_v_f_f32m1(0.0f, 4);")
def rvv_zero_f32(dst: [f32][4] @ RVV):
    for i in seq(0, 4):
        dst[i] = 0.0


@instr("{dst_data} = __riscv_vle32_v_f32m1_tu({dst_data}, &{src_data}, {n});")
def rvv_vle32(n: size, dst: [f32][4] @ RVV, src: [f32][n] @ DRAM):
    assert n <= 4
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("__riscv_vse32_v_f32m1(&{dst_data}, {src_data}, {n});")
def rvv_vse32(n: size, dst: [f32][n] @ DRAM, src: [f32][4] @ RVV):
    assert n <= 4
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vlse32_v_f32m1_tu({dst_data}, &{src_data}, 4 * ({src}.strides[0]), {n});")
def rvv_vlse32(n: size, dst: [f32][4] @ RVV, src: [f32][n] @ DRAM):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = src[i]


@instr("__riscv_vsse32_v_f32m1(&{dst_data}, 4 * ({dst}.strides[0]), {src_data}, {n});")
def rvv_vsse32(n: size, dst: [f32][n] @ DRAM, src: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vmv_v_v_f32m1_tu({dst_data}, {src_data}, {n});")
def rvv_vmv_f32(n: size, dst: [f32][4] @ RVV, src: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vfmv_v_f_f32m1_tu({dst_data}, *{src}, {n});")
def rvv_vfmv_f32(n: size, dst: [f32][4] @ RVV, src: f32 @ DRAM):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = src


@instr("{dst_data} = __riscv_vfadd_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfadd_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = __riscv_vfsub_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfsub_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = __riscv_vfmul_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfmul_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = __riscv_vfdiv_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfdiv_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = __riscv_vfadd_vv_f32m1_tu({dst_data}, {dst_data}, {a_data}, {n});")
def rvv_accumulate_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a[i]


@instr("{dst_data} = __riscv_vfmax_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfmax_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = __riscv_vfmin_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfmin_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = __riscv_vfmax_vf_f32m1_tu({dst_data}, {a_data}, 0.0f, {n});")
def rvv_relu_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = relu(a[i])


@instr("{dst_data} = __riscv_vfneg_v_f32m1_tu({dst_data}, {a_data}, {n});")
def rvv_vfneg_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = -a[i]


@instr(
    "{dst_data} = __riscv_vmerge_vvm_f32m1_tu({dst_data}, {d_data}, {c_data}, __riscv_vmflt_vv_f32m1_b32({a_data}, {b_data}, {n}), {n});",
)
def rvv_select_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV, c: [f32][4] @ RVV, d: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = __riscv_vfmacc_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});", rounds="fused")
def rvv_vfmacc_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = __riscv_vfmacc_vf_f32m1_tu({dst_data}, *{a}, {b_data}, {n});", rounds="fused")
def rvv_vfmacc_vf_f32(n: size, dst: [f32][4] @ RVV, a: f32 @ DRAM, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr("{dst_data} = __riscv_vfnmsac_vv_f32m1_tu({dst_data}, {a_data}, {b_data}, {n});", rounds="fused")
def rvv_vfnmsac_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV, b: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += -(a[i] * b[i])


@instr(
    "*{dst} = __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredosum_vs_f32m1_f32m1({src_data}, __riscv_vfmv_s_f_f32m1(*{dst}, 1), {n}));",
)
def rvv_vfredosum_f32(n: size, dst: f32 @ DRAM, src: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst += src[i]


@instr(
    "*{dst} = __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredmax_vs_f32m1_f32m1({src_data}, __riscv_vfmv_s_f_f32m1(*{dst}, 1), {n}));",
)
def rvv_vfredmax_f32(n: size, dst: f32 @ DRAM, src: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst = fmaxf(dst, src[i])


@instr("{dst_data} = __riscv_vfabs_v_f32m1_tu({dst_data}, {a_data}, {n});")
def rvv_vfabs_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = fabsf(a[i])


@instr("{dst_data} = __riscv_vfsqrt_v_f32m1_tu({dst_data}, {a_data}, {n});")
def rvv_vfsqrt_f32(n: size, dst: [f32][4] @ RVV, a: [f32][4] @ RVV):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = sqrt(a[i])
