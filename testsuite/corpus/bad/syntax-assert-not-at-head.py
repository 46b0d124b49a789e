# expect: syntax.assert 5:5 at the head
@proc
def p(n: size, x: f32):
    x = 0.0
    assert n > 4
