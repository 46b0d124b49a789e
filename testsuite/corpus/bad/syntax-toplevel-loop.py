# expect: syntax.toplevel 2:1 no control flow
for i in range(4):
    print(i)
