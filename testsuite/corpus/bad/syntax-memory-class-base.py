# expect: syntax.memory-class 2:7 only `Memory`
class ACC(DRAM):
    pass
