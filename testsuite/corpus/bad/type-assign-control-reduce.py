# expect: type.assign-control 4:5 `n` is an `index` and cannot be assigned
@proc
def p(n: index):
    n += 1
