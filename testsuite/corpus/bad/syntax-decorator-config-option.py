# expect: syntax.decorator 2:1 one option
@config(readonly=True)
class Cfg:
    n: size
