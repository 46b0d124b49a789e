# expect: syntax.statement 8:5 not reduced into
@config
class Cfg:
    scale: f32

@proc
def p():
    Cfg.scale += 1.0
