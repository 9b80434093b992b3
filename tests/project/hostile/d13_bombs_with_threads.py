# Starts threads until it may not start another.
# loses: nothing
# %%
import threading, time
for _ in range(400):
    try:
        threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
    except RuntimeError:
        break
