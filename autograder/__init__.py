"""Release the homework, grade submissions of it, and prove that the tests are good.

Data flows one way: `submission` -> `sandbox` -> `grade` -> `results`; `config` and `questions` say what
is asked.
"""

import sys
import time

from autograder import tree

STARTED = time.monotonic()  # on a busy machine the imports that follow take minutes of what a run may take

# jsonschema, which Otter imports, would spend a second of every start on a grammar of addresses that no notebook needs
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

for _folder in (tree.TESTS, tree.ASSIGNMENT):  # test files say `import kit` and `given`, as beside a notebook
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))
