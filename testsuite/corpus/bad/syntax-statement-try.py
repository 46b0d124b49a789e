# expect: syntax.statement 4:5 no exceptions
@proc
def p(x: f32):
    try:
        x = 0.0
    finally:
        x = 1.0
