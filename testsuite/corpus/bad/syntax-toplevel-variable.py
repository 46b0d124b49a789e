# expect: syntax.toplevel 2:1 no global variables
x: f32[4]
