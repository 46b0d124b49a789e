# A loop variable that starts at 1.


@proc
def callee(m: size):
    pass


@proc
def p(n: size):
    for i in seq(1, n):
        callee(i)
