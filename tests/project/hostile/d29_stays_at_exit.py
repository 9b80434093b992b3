# Hangs wherever something is cleaned up: exit handlers, destructors, weak references, threads that are no daemons.
# loses: nothing
# %%
import atexit, threading, time, weakref
class Sticky:
    def __del__(self): time.sleep(300)
sticky = Sticky()
weakref.finalize(sticky, time.sleep, 300)
atexit.register(time.sleep, 300)
threading.Thread(target=time.sleep, args=(300,)).start()
