"""Make a release: one source in, the students' folder and the autograder's files out.

`steps` is the list of what happens, in order. What is read: `source`, from `handout`, `stub` (answers) and `cases`.
What is made: `master`, `assign` (Otter), `template`, `solved`, `archive`, put in `place`. What may refuse it:
`assign`, `leak` (with `secret`) and `proof`.
"""
