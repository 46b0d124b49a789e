# expect: name.unknown-memory 4:17 `SRAM` is not a memory
@proc
def p():
    x: f32[4] @ SRAM
