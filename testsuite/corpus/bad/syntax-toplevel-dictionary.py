# expect: syntax.toplevel 2:1 not a constant
SIZES = {"small": 4, "large": 8}
