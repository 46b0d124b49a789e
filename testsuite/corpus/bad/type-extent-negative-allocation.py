# expect: type.extent 4:12 an extent is at least 1, not -4
@proc
def p():
    x: f32[-4]
    x[0] = 0.0
