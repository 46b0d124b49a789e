# command: compile
# expect: backend.memory-window 17:13 an operand in AVX2 is one whole register, and this is a part of a register
# expect: backend.memory-window 19:13 an operand in AVX2 is one whole register, and this is a part of a register
# expect: backend.memory-window 20:13 an operand in AVX2 is one whole register, and this is a single lane
# Lanes 0 to 3 of a register, through a window that shows fewer, are not all of it.
@instr("f({x_data});")
def some(n: size, x: [f32][n] @ AVX2):
    pass

@instr("g({x_data});")
def lane(n: size, x: f32 @ AVX2):
    pass

@proc
def p(y: f32[8]):
    v: f32[8] @ AVX2
    some(4, v[0:4])
    low = v[0:4]
    some(4, low[0:4])
    lane(1, v[0])
