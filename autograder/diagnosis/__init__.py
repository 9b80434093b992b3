"""Which known mistake behaves exactly like a student's answer.

`probes` are small experiments on a question's names; an `Observer` runs them on a student's names or on a known
mistake's and notes what it sees; `match` keeps the mistakes that agree with the student everywhere.
"""

from autograder.diagnosis.match import Diagnosis, diagnose

__all__ = ["Diagnosis", "diagnose"]
