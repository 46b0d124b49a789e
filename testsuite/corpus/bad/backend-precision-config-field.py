# command: compile
# expect: backend.precision 10:9 an expression has one precision, not two
@config
class Act:
    scale: f64


@proc
def scale(x: f32):
    x = x * Act.scale
