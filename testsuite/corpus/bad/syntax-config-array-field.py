# expect: syntax.config 4:13 holds one value
@config
class Cfg:
    scales: f32[4]
