# expect: type.extent 3:14 an extent is an integer, not a data literal
@proc
def p(x: f32[4.0]):
    pass
