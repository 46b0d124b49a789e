# command: compile
# expect: backend.precision 6:9 an expression has one precision, not two
# expect: backend.precision 7:9 this literal is computed in bf16, and 1e39 does not fit bf16
@proc
def mixed(x: bf16, y: f32, z: bf16):
    y = x * y
    z = 1e39
