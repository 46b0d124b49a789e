# expect: name.unknown-procedure 12:5 `accel_mvin_acc`
# The file's class hides the machine's, and the register of the hardware would never be set.
@config
class ConfigLoad:
    src_stride: stride


@proc
def p(A: f32[2, 3], y: f32[2, 1]):
    ConfigLoad.src_stride = 3
    a: f32[2, 16] @ ACCEL_ACCUM
    accel_mvin_acc(2, 1, A[0:2, 0:1], a)
    accel_st(2, 1, a, y)
