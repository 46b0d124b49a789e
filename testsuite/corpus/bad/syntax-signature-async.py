# expect: syntax.signature 3:11 not `async`
@proc
async def p(x: f32):
    pass
