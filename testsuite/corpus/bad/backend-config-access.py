# command: compile
# expect: backend.config-access 12:5 Dma.rows is written by instructions only
# expect: backend.config-access 13:21 Dma.rows is read by instructions only
@config(readwrite=False)
class Dma:
    stride: stride
    rows: size


@proc
def direct(n: size, x: f32[n]):
    Dma.rows = n
    for i in seq(0, Dma.rows):
        x[i] = 0.0
