"""A class at once: every submission of a folder or of Gradescope's export, graded on a Dask cluster.

Read it in this order: `files` and `metadata` say what was handed in, `roster` who handed it in, `course` what workers
need, `cluster` where they are, `forge` what those on this machine are forked from, `worker` and `grader` what they do,
`queue` who grades what, `store`, `gradebook`, `grades` and `moves` what came out; `command` joins them. `interrupts`
lets Ctrl-C wait while a cluster opens.
"""
