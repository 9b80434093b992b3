"""What runs inside the student's process: nothing here knows a test, an oracle or an expected value.

Only `wire` is shared with the grader. The rest is loaded once by `zygote`, before any student code exists.
"""
