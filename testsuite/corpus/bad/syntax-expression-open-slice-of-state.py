# expect: syntax.expression 9:11 may have changed
@config
class Cfg:
    n: size

@proc
def p():
    x: f32[Cfg.n]
    y = x[1:]
