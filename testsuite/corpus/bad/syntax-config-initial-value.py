# expect: syntax.config 4:15 no initial value
@config
class Cfg:
    n: size = 4
