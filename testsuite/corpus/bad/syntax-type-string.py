# expect: syntax.type 3:10 not written as a string
@proc
def p(x: "f32"):
    pass
