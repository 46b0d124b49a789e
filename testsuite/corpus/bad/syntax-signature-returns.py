# expect: syntax.signature 3:18 returns nothing
@proc
def p(x: f32) -> f32:
    pass
