# expect: name.duplicate-field 5:5 two fields are named `n`
@config
class Cfg:
    n: size
    n: index
