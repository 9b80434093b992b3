#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: everything is installed here, and nothing later.
set -euo pipefail
cd "$(dirname "$0")"
VENV=/opt/autograder    # outside /autograder, which students' code cannot enter; run_autograder names it too
CPU_INDEX=https://download.pytorch.org/whl/cpu    # PyTorch's own builds without GPU libraries

python3 -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' ||
    { echo "setup.sh: Python 3.10 to 3.14 is needed, this is $(python3 --version)" >&2; exit 1; }
if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends python3-venv > /dev/null
fi
python3 -m venv "$VENV"

# Wheels only, so nothing is compiled. pip's own settings (mirrors, wheel folders, certificates) hold as ever.
install() { "$VENV/bin/python" -m pip install --quiet --no-cache-dir --only-binary :all: "$@"; }
pins=autograder/gradescope
install --no-deps --index-url "$CPU_INDEX" --timeout 10 --retries 0 -r "$pins/torch.txt" ||
    install -r "$pins/torch.txt"    # the default index brings its GPU libraries along
install --no-deps --require-hashes -r "$pins/requirements.txt"

# The tests are for root alone; the packages, which students' code imports, for everybody.
chmod -R a+rX "$VENV"
"$VENV/bin/python" -m compileall -q .
chown -R root:root .
chmod -R go-rwx .
"$VENV/bin/python" -c 'import autograder.gradescope.grading'    # better to learn it now than at a deadline
