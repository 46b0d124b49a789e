# Literals of half precision are rounded once: these lie just above and just below the middle of two halves, and a double
# cannot tell them from the middle itself.
# covers: f16, tensor, constants, rounds


@proc
def halves_of_halves(x: f16[4]):
    x[0] = 1.00048828125000001
    x[1] = 1.00146484374999999
    x[2] = 2049.00000000000001
    x[3] = 0.0000000298023223876953125001
