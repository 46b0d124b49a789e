# command: compile
# expect: backend.precision 5:9 the arguments of fmaxf have one precision, not two
@proc
def larger(x: f32, y: f64, z: f64):
    z = fmaxf(x, y)
