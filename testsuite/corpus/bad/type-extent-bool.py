# expect: type.extent 3:23 an extent is an integer, not a `bool`
@proc
def p(b: bool, x: f32[b]):
    pass
