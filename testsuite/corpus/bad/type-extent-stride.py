# expect: type.extent 3:25 an extent is an integer, not a `stride`
@proc
def p(s: stride, x: f32[s]):
    pass
