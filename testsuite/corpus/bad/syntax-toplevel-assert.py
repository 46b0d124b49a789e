# expect: syntax.toplevel 3:1 top level
N = 4
assert N == 4
