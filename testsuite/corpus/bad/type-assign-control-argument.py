# expect: type.assign-control 4:5 `n` is a `size` and cannot be assigned
@proc
def p(n: size):
    n = 4
