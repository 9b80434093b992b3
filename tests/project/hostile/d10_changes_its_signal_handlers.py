# Takes SIGINT, SIGALRM, SIGCHLD and SIGTERM into its own hands and sets timers.
# loses: nothing
# %%
import faulthandler, signal, time
faulthandler.enable()
faulthandler.dump_traceback_later(1, exit=True)
signal.signal(signal.SIGINT, lambda *args: None)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
time.sleep(0.2)
faulthandler.cancel_dump_traceback_later()
# %%
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True: pass
