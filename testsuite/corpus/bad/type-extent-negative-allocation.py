# expect: type.extent 4:12 an extent must not be negative, but this is -4
@proc
def p():
    x: f32[-4]
    x[0] = 0.0
