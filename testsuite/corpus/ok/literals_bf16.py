# Literals of bf16 are rounded once: these lie just above and just below the middle of two numbers, and a double cannot tell
# them from the middle itself; then the middle, and the largest and the smallest number.
# covers: bf16, tensor, constants, rounds


@proc
def bfloats_of_halves(x: bf16[8]):
    x[0] = 1.00390625000000001
    x[1] = 1.01171874999999999
    x[2] = 257.0000000000000001
    x[3] = 1.00390625
    x[4] = 1.01171875
    x[5] = 3.3895313892515355e38
    x[6] = 9.2e-41
    x[7] = 4.6e-41
