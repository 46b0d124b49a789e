# expect: syntax.loop 4:14 `seq` or `par`
@proc
def p(x: f32[4], y: f32):
    for v in x:
        y += 1.0
