# Makes and removes thousands of files in its own folder from a thread, as caches and loggers do.
# loses: nothing
# %%
import os, threading, time
def churn():
    while True:
        for k in range(3000):
            open(f't{k}', 'w').close()
        for k in range(3000):
            os.unlink(f't{k}')
threading.Thread(target=churn, daemon=True).start()
time.sleep(0.5)
# %%
time.sleep(0.1)
# %%
time.sleep(0.1)
