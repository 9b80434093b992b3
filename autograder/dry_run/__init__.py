"""The autograder's zip tried out where nothing is installed: a bare Debian root, laid out as Gradescope does.

`root` makes the root, `pip_settings` lends it this machine's way to packages, `inside` runs a command in it and
watches its memory, `rehearsal` plays Gradescope and compares with this machine's own grade.
"""
