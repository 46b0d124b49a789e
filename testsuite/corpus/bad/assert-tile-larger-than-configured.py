# An operand has more rows than tiles are configured with.
# expect: call.assert 9:5 assertion 2 of `amx_tileload_a_i8` may not hold here: `n <= AmxTiles.rows`
# because: for AmxTiles.cols = 1, AmxTiles.depth = 1, AmxTiles.rows = 1: it is False
# run: larger AmxTiles.cols=1 AmxTiles.depth=1 AmxTiles.palette=0 AmxTiles.rows=1
@proc
def larger(A: i8[16, 64]):
    amx_tile_config(8, 16, 16)
    a: i8[16, 64] @ AMX_A
    amx_tileload_a_i8(16, 16, a, A)
