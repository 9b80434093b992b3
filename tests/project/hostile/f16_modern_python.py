# Uses __future__, top-level await, an event loop and display.
# loses: nothing
# %%
from __future__ import annotations
import asyncio
await asyncio.sleep(0.01)
# %%
loop = asyncio.new_event_loop()
loop.run_until_complete(asyncio.sleep(0))
# %%
_ = display(1)
1 + 1
_
