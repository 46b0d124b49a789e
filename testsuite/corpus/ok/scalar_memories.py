# Scalars in other memories than the default, and one that is never needed.
# covers: f32, f64, scalar, window, alloc-scalar, other-memory, reduction
from exo import proc
from exo.libs.memories import DRAM_STACK


@proc
def scalar_memories(n: size, x: [f32][n] @ DRAM, s: f32 @ DRAM):
    acc: f32 @ DRAM_STACK
    unused: f64
    acc = 0.0
    for i in seq(0, n):
        sq: f32 @ DRAM_STACK
        sq = x[i] * x[i]
        acc += sq
    s = acc
