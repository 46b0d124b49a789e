# expect: name.unknown-field 8:25 no field `m`
@config
class Cfg:
    n: size

@proc
def p(x: f32):
    for i in seq(0, Cfg.m):
        x = 0.0
