# Tiles of the accelerator in one buffer of three dimensions, which is as large as all of them; of the model's C only a part
# is used.
# covers: accelerator, f32, tensor, window, alloc, calls, other-memory


@proc
def copy_tiles(A: f32[64, 16], B: f32[64, 16]):
    t: f32[4, 16, 16] @ ACCEL_ACCUM
    for k in seq(0, 4):
        accel_ld_acc(16, 16, A[16 * k:16 * k + 16, :], t[3 - k, :, :])
    for k in seq(0, 4):
        accel_st(16, 16, t[k, :, :], B[16 * k:16 * k + 16, :])
