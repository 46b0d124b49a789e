# expect: syntax.memory-class 6:9 no text that is known here
class POOL(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = pool;"

    def global_(cls):
        return HEADERS + "static float pool[64];"
