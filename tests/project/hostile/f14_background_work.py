# Leaves threads, an executor and data loaders with workers running.
# loses: nothing
# %%
import concurrent.futures, threading, time
pool = concurrent.futures.ThreadPoolExecutor(4)
jobs = [pool.submit(time.sleep, 0.01) for _ in range(100)]
threading.Thread(target=lambda: [time.sleep(0.001) for _ in range(10**5)]).start()
loader = iter(torch.utils.data.DataLoader(range(100), num_workers=2))
next(loader)
