# expect: name.unbound 4:9 `Cfg` is not a configuration
@proc
def p(x: f32):
    x = Cfg.scale
