# Waits for input, a password and a debugger.
# loses: nothing
# %%
name = input("Your name? ")
# %%
import getpass
getpass.getpass()
# %%
breakpoint()
# %%
%debug
