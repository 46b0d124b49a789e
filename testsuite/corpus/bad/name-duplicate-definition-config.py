# expect: name.duplicate-definition 7:7 `Cfg` is defined twice
@config
class Cfg:
    n: size

@config
class Cfg:
    m: size
