# expect: syntax.toplevel 2:7 neither a configuration nor a memory
class Sizes:
    n: size
