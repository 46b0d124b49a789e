# expect: syntax.decorator 2:1 not known
@proc
class Cfg:
    n: size
