# expect: syntax.config 4:5 fields only
@config
class Cfg:
    def get(self):
        pass
