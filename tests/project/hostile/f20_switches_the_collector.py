# Switches the garbage collector, the switch interval, the stack size and fault handling.
# loses: nothing
# %%
import faulthandler, gc, sys, threading
gc.disable()
gc.set_threshold(1)
gc.set_debug(gc.DEBUG_STATS)
gc.callbacks.append(lambda *args: None)
sys.setswitchinterval(100)
threading.stack_size(1 << 16)
faulthandler.enable()
