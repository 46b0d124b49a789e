# command: compile
# expect: backend.parallel 17:9 a parallel loop does not write configuration state, and Tile.width is written here
# expect: backend.parallel 18:9 a parallel loop does not write configuration state, and Tile.width is written here
@config
class Tile:
    width: size


@proc
def set_width(n: size):
    Tile.width = n


@proc
def widths():
    for i in par(0, 1):
        Tile.width = 4
        set_width(4)
