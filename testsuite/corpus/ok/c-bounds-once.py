# A loop's bounds are evaluated once, before the first iteration, even when the body changes what they
# read; so are the extents of a buffer.


@config
class Tile:
    width: size


@proc
def narrow(n: size):
    Tile.width = 1


@proc
def shrinking(n: size, x: f32[n + 1]):
    Tile.width = n
    for i in seq(0, Tile.width):
        x[i] += 1.0
        Tile.width = 1
    x[Tile.width] += 2.0
    Tile.width = n
    for i in seq(Tile.width / 2, Tile.width + 1):
        x[i] += 3.0
        narrow(n)


@proc
def kept_strides(n: size, y: f32[n, n]):
    Tile.width = n
    t: f32[n, Tile.width]
    for i in seq(0, n):
        for j in seq(0, n):
            t[i, j] = 2.0
    Tile.width = 1
    for i in seq(0, n):
        for j in seq(0, n):
            y[i, j] = t[i, j]
