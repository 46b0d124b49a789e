@proc
def dot(n: size, x: i8[n], y: i8[n], s: i32):
    assert n % 8 == 0
    for i in seq(0, n):
        a: i32
        b: i32
        a = x[i]
        b = y[i]
        s += a * b


p = divide_loop(dot, "i", 8, ["io", "k"], perfect=True)
p = stage_mem(p, "for k in _: _", "x[8 * io:8 * io + 8]", "u")
p = stage_mem(p, "for k in _: _ #0", "y[8 * io:8 * io + 8]", "v")
p = set_memory(p, "u", "DSP_REG")
p = set_memory(p, "v", "DSP_REG")
p = write_config(p, p.find("u : _").before(), Dsp, "fractional", "False")
p = replace(p, "for i0 in _: _ #0", dsp_load)
p = replace(p, "for i0 in _: _ #0", dsp_load)
p = replace(p, "for k in _: _", dsp_dot)
p = replace(p, "Dsp.fractional = _", dsp_mode)
p = fission(p, p.find("dsp_mode(_)").after())
p = remove_loop(p, p.find("dsp_mode(_)").parent())
