class DSP_REG(Memory):
    def global_(cls):
        return MODEL

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = dsp_register({size});"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"dsp_release({new_name});"

    def can_read(cls):
        return False


@config(readwrite=False)
class Dsp:
    fractional: bool


@instr("dsp_mode({on});", MODEL)
def dsp_mode(on: bool):
    Dsp.fractional = on


@instr("dsp_load({dst}.data, &{src_data});", MODEL)
def dsp_load(dst: [i8][8] @ DSP_REG, src: [i8][8] @ DRAM):
    assert stride(src, 0) == 1
    for k in seq(0, 8):
        dst[k] = src[k]


@instr("dsp_dot({sum}, {x}.data, {y}.data);", MODEL)
def dsp_dot(sum: i32, x: [i8][8] @ DSP_REG, y: [i8][8] @ DSP_REG):
    assert Dsp.fractional == False
    for k in seq(0, 8):
        a: i32
        b: i32
        a = x[k]
        b = y[k]
        sum += a * b
