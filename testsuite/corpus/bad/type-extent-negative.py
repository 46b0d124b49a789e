# expect: type.extent 3:14 an extent must not be negative, but this is -1
@proc
def p(x: f32[-1]):
    pass
