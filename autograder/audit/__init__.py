"""The proof that the tests are good: known mistakes and right answers through the real grader, and q13's threshold."""
