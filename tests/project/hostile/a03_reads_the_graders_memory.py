# Reads the memory of the processes above it: /proc/PID/mem, process_vm_readv, ptrace.
# otter: wins
# loses: nothing
# %%
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
loot = []
for pid in range(os.getppid() - 3, os.getppid() + 1):
    try:
        loot.append(open(f"/proc/{pid}/maps").read(40))
        loot.append(open(f"/proc/{pid}/mem", "rb").read(1))
    except OSError:
        pass
    buffer = ctypes.create_string_buffer(8)
    pair = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    if libc.syscall(310, pid, pair, 1, pair, 1, 0) >= 0:
        loot.append(MARK + " process_vm_readv")
    if libc.ptrace(16, pid, 0, 0) == 0:
        libc.ptrace(17, pid, 0, 0)
        loot.append(MARK + " ptrace")
raise RuntimeError(str(loot) + (MARK if loot else ""))
