# expect: name.unknown-field 8:9 no field `m`
@config
class Cfg:
    n: size

@proc
def p():
    Cfg.m = 4
