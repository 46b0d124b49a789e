# A callee asks what is true of every size.


@config
class Cfg:
    n: size


@proc
def go():
    assert Cfg.n >= 1


@proc
def p():
    go()
