# expect: name.unknown-memory 3:19 `SRAM` is not a memory
@proc
def p(x: f32[4] @ SRAM):
    pass
