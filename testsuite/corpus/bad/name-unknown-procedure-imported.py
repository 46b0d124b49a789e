# expect: name.unknown-procedure 6:5 no procedure `load`
from machine import load

@proc
def p(x: f32):
    load(x)
