# expect: syntax.statement 4:5 no `match`
@proc
def p(n: size, x: f32):
    match n:
        case 1:
            x = 0.0
