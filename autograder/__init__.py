"""Release the homework, grade submissions of it, and prove that the tests are good.

Data flows one way: `submission` -> `sandbox` -> `grade` -> `results`; `config` and `questions` say what
is asked.
"""

import sys

from autograder import tree

if str(tree.TESTS) not in sys.path:
    sys.path.insert(0, str(tree.TESTS))  # test files say `import kit`, here as beside a student's notebook
