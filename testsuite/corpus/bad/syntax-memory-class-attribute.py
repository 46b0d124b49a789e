# expect: syntax.memory-class 3:5 methods only
class ACC(Memory):
    banks = 4
