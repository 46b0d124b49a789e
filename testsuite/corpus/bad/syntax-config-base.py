# expect: syntax.config 3:10 no bases
@config
class Cfg(Base):
    n: size
