# Opens files until no descriptor is left.
# loses: nothing
# %%
held = []
try:
    while True:
        held.append(open("/dev/null"))
except OSError:
    pass
# %%
x = 1
