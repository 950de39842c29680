from config_common import *
a = {}
a.update(b)
def f():
    global c
    c = 1
c = 2
if True: d = 1
try: e = f"{a}"
except: pass
exec("x")
