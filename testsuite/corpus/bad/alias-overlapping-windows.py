# Two windows that share a cell.
# expect: call.alias 14:5 the arguments `x` and `y` of `copy` may overlap in `x`, and it changes `y`
# because: both show `x[3]`


@proc
def copy(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        y[i] = x[i]


@proc
def p(x: f32[8]):
    copy(x[0:4], x[3:7])
