"""What goes into the zip for Gradescope: the image's set-up, the run of one submission, and what only they need.

`setup.sh` installs `torch.txt` and `requirements.txt` once; `run_autograder` starts `grading` for each submission.
"""
