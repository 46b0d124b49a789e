# expect: type.extent 3:14 an extent is at least 1, not 0
@proc
def p(x: f32[0]):
    pass
