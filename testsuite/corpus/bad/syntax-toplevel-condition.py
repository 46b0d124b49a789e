# expect: syntax.toplevel 4:1 no control flow
N = 4

if N > 2:
    M = 3
