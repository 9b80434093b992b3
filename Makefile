# make demo    builds the release, grades three notebooks, prints their tables
# make test    the project's tests; slow families sampled
# make proof   the same families in full
# make coverage  which lines of the tool and the kit no test runs
# make check   format, lint, types
# make release what students download, and the autograder's zip
# make gradescope SUBMISSION=FILE   set up and grade as Gradescope does, in a bare Debian root (as root)
# make gradescope-shell             look into that root

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
DEMO := build/demo
SUBMISSION ?= build/solution.ipynb
# one thread per process: the tensors are small, and two test processes share the cores
export OMP_NUM_THREADS := 1

.PHONY: demo test proof coverage check release gradescope gradescope-shell

demo: release
	mkdir -p $(DEMO)
	$(RUN) tests/project/specimens/three_mistakes.py build/solution.ipynb $(DEMO)/three_mistakes.ipynb
	$(RUN) -m autograder grade build/solution.ipynb --results $(DEMO)/solved.json
	$(RUN) -m autograder grade student_template/transformers.ipynb --results $(DEMO)/blank.json
	$(RUN) -m autograder grade $(DEMO)/three_mistakes.ipynb --results $(DEMO)/three_mistakes.json

release: $(READY)
	$(RUN) -m autograder release

gradescope: $(READY)
	$(RUN) -m autograder.dry_run "$(SUBMISSION)"

gradescope-shell: $(READY)
	$(RUN) -m autograder.dry_run --shell

test: $(READY)
	$(RUN) -m pytest -n 2 -m "not proof"

proof: $(READY)
	$(RUN) -m pytest -n 2

coverage: $(READY)
	$(RUN) -m pytest -n 2 -m "not proof" --cov --cov-report=term

check: $(READY)
	$(RUN) -m ruff format --check
	$(RUN) -m ruff check
	$(RUN) -m mypy

$(READY): pyproject.toml
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --editable '.[dev]' 'torch==2.13.0'
	touch $@
