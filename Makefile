# make demo    builds the release, grades three notebooks, prints their tables
# make test    the project's tests; slow families sampled
# make proof   the same families in full
# make coverage  which lines of the tool and the kit no test runs
# make versions  do the oldest and the newest versions of a student give the same verdicts?
# make check   format, lint, types
# make release what students download, and the autograder's zip
# make lock    resolve the lock files after a change of dependencies
# make gradescope SUBMISSION=FILE   set up and grade as Gradescope does, in a bare Debian root (as root)
# make gradescope-shell             look into that root

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
DEMO := build/demo
PINS := autograder/gradescope
PIP := $(RUN) -m pip install --quiet
# PyTorch's own builds without GPU libraries
CPU_INDEX := https://download.pytorch.org/whl/cpu
SUBMISSION ?= build/solution.ipynb
# one thread per process: the tensors are small, and two test processes share the cores
export OMP_NUM_THREADS := 1

.PHONY: demo test proof coverage versions check release lock gradescope gradescope-shell

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

versions: $(READY)
	$(RUN) tests/project/versions.py

check: $(READY)
	$(RUN) -m ruff format --check
	$(RUN) -m ruff check
	$(RUN) -m mypy

LOCK := $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-annotate --no-header \
	--no-emit-package torch --constraints $(PINS)/torch.txt --excludes $(PINS)/gpu_libraries.txt pyproject.toml

# what stands in a lock file stays as long as it fits; add --upgrade for newer versions
lock: $(READY)
	$(LOCK) --extra dev --output-file development.txt
	$(LOCK) --constraints development.txt --excludes $(PINS)/left_out.txt --output-file $(PINS)/requirements.txt

$(READY): pyproject.toml development.txt $(PINS)/torch.txt
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(PIP) --no-deps --require-hashes --requirement development.txt
	$(PIP) --no-deps --index-url $(CPU_INDEX) --timeout 10 --retries 0 --requirement $(PINS)/torch.txt || \
		$(PIP) --requirement $(PINS)/torch.txt
	$(PIP) --no-deps --editable .
	touch $@
