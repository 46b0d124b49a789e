# RVV 1.0: 2 doubles in a register, as many as every processor holds. The first n lanes are changed, which is the
# vector length of the instruction; the others stay (`_tu`). Sums are taken in order, as their body does.


@instr("{dst_data} = __riscv_vle64_v_f64m1(&{src_data}, 2);")
def rvv_load_f64(dst: [f64][2] @ RVV, src: [f64][2] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 2):
        dst[i] = src[i]


@instr("__riscv_vse64_v_f64m1(&{dst_data}, {src_data}, 2);")
def rvv_store_f64(dst: [f64][2] @ DRAM, src: [f64][2] @ RVV):
    assert stride(dst, 0) == 1
    for i in seq(0, 2):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def rvv_mov_f64(dst: [f64][2] @ RVV, src: [f64][2] @ RVV):
    for i in seq(0, 2):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vfmv_v_f_f64m1(0.0, 2);")
def rvv_zero_f64(dst: [f64][2] @ RVV):
    for i in seq(0, 2):
        dst[i] = 0.0


@instr("{dst_data} = __riscv_vle64_v_f64m1_tu({dst_data}, &{src_data}, {n});")
def rvv_vle64(n: size, dst: [f64][2] @ RVV, src: [f64][n] @ DRAM):
    assert n <= 2
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("__riscv_vse64_v_f64m1(&{dst_data}, {src_data}, {n});")
def rvv_vse64(n: size, dst: [f64][n] @ DRAM, src: [f64][2] @ RVV):
    assert n <= 2
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vlse64_v_f64m1_tu({dst_data}, &{src_data}, 8 * ({src}.strides[0]), {n});")
def rvv_vlse64(n: size, dst: [f64][2] @ RVV, src: [f64][n] @ DRAM):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = src[i]


@instr("__riscv_vsse64_v_f64m1(&{dst_data}, 8 * ({dst}.strides[0]), {src_data}, {n});")
def rvv_vsse64(n: size, dst: [f64][n] @ DRAM, src: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vmv_v_v_f64m1_tu({dst_data}, {src_data}, {n});")
def rvv_vmv_f64(n: size, dst: [f64][2] @ RVV, src: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = __riscv_vfmv_v_f_f64m1_tu({dst_data}, *{src}, {n});")
def rvv_vfmv_f64(n: size, dst: [f64][2] @ RVV, src: f64 @ DRAM):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = src


@instr("{dst_data} = __riscv_vfadd_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfadd_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = __riscv_vfsub_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfsub_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = __riscv_vfmul_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfmul_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = __riscv_vfdiv_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfdiv_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = __riscv_vfadd_vv_f64m1_tu({dst_data}, {dst_data}, {a_data}, {n});")
def rvv_accumulate_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] += a[i]


@instr("{dst_data} = __riscv_vfmax_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfmax_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = __riscv_vfmin_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});")
def rvv_vfmin_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = __riscv_vfmax_vf_f64m1_tu({dst_data}, {a_data}, 0.0, {n});")
def rvv_relu_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = relu(a[i])


@instr("{dst_data} = __riscv_vfneg_v_f64m1_tu({dst_data}, {a_data}, {n});")
def rvv_vfneg_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = -a[i]


@instr(
    "{dst_data} = __riscv_vmerge_vvm_f64m1_tu({dst_data}, {d_data}, {c_data}, __riscv_vmflt_vv_f64m1_b64({a_data}, {b_data}, {n}), {n});",
)
def rvv_select_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV, c: [f64][2] @ RVV, d: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr("{dst_data} = __riscv_vfmacc_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});", rounds="fused")
def rvv_vfmacc_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = __riscv_vfmacc_vf_f64m1_tu({dst_data}, *{a}, {b_data}, {n});", rounds="fused")
def rvv_vfmacc_vf_f64(n: size, dst: [f64][2] @ RVV, a: f64 @ DRAM, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr("{dst_data} = __riscv_vfnmsac_vv_f64m1_tu({dst_data}, {a_data}, {b_data}, {n});", rounds="fused")
def rvv_vfnmsac_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV, b: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] += -(a[i] * b[i])


@instr(
    "*{dst} = __riscv_vfmv_f_s_f64m1_f64(__riscv_vfredosum_vs_f64m1_f64m1({src_data}, __riscv_vfmv_s_f_f64m1(*{dst}, 1), {n}));",
)
def rvv_vfredosum_f64(n: size, dst: f64 @ DRAM, src: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst += src[i]


@instr(
    "*{dst} = __riscv_vfmv_f_s_f64m1_f64(__riscv_vfredmax_vs_f64m1_f64m1({src_data}, __riscv_vfmv_s_f_f64m1(*{dst}, 1), {n}));",
)
def rvv_vfredmax_f64(n: size, dst: f64 @ DRAM, src: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst = fmaxf(dst, src[i])


@instr("{dst_data} = __riscv_vfabs_v_f64m1_tu({dst_data}, {a_data}, {n});")
def rvv_vfabs_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = fabsf(a[i])


@instr("{dst_data} = __riscv_vfsqrt_v_f64m1_tu({dst_data}, {a_data}, {n});")
def rvv_vfsqrt_f64(n: size, dst: [f64][2] @ RVV, a: [f64][2] @ RVV):
    assert n <= 2
    for i in seq(0, n):
        dst[i] = sqrt(a[i])
