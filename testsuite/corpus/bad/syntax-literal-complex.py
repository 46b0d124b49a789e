# expect: syntax.literal 4:9 no complex
@proc
def p(x: f32):
    x = 2j
