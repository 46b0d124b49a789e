# expect: type.window-annotation 4:8 declared `f64` and shows cells of type `f32`
@proc
def p(x: f32[8]):
    y: [f64] = x[0]
    y = 0.0
