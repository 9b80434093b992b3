# Hangs in a cell that swallows every interrupt.
# otter: broken
# loses: nothing
# %%
x = 1
while True:
    try:
        while True: pass
    except BaseException:
        pass
