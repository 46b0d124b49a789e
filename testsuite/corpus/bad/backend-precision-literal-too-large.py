# command: compile
# expect: backend.precision 7:9 this literal is computed in f32, and 1e39 does not fit f32
# expect: backend.precision 8:9 this literal is computed in i32, and 3000000000.0 does not fit i32
# expect: backend.precision 9:9 this literal is computed in f16, and 1000000.0 does not fit f16
@proc
def huge(x: f32, y: i32, z: f16):
    x = 1e39
    y = 3000000000.0
    z = 1e6
