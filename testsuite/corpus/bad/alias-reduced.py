# A reduction is a change.
# expect: call.alias 14:5 the arguments `x` and `s` of `add` may overlap in `x`, and it changes `s`
# because: for n = 1: both show `x[0]`


@proc
def add(n: size, x: f32[n], s: f32[n]):
    for i in seq(0, n):
        s[i] += x[i]


@proc
def p(n: size, x: f32[n]):
    add(n, x, x)
