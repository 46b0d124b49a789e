# expect: syntax.undecorated 2:5 `helper` is not marked
def helper(x: f32):
    x = 0.0
