# ASPLOS'25 Fig. 4b: every operand and every operation gets a register of its own, for a machine without a fused
# multiply-add.
@proc
def saxpy(n: size, a: f32, x: f32[n], y: f32[n]):
    assert n % 8 == 0
    for i in seq(0, n):
        y[i] += a * x[i]

p = divide_loop(saxpy, "i", 8, ["io", "ii"], perfect=True)
p = stage_mem(p, "y[_] += _", "y[8 * io + ii]", "var1")
p = merge_writes(p, "var1 = _ ; var1 += _")
p = bind_expr(p, [p.find("y[_]")], "var2")
p = bind_expr(p, [p.find("a * x[_]")], "var3")
p = bind_expr(p, [p.find("a * x[_]").lhs()], "var4")
p = bind_expr(p, [p.find("x[_]")], "var5")
