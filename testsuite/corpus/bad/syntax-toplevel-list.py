# expect: syntax.toplevel 2:1 not a constant
SIZES = [4, 8]
