# Makes its own grader, checks everything at once, exports, and reads the reports.
# loses: nothing
# %%
import otter
grader = otter.Notebook("transformers.ipynb")
report = grader.check("q02_attention")
grader.check_all()
grader.export(run_tests=True, pdf=True)
if report.points == 3:
    x = 1
from given.checks import Checks
