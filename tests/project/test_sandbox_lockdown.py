"""What student code cannot do: read the grader, reach it, outlive it, or take the machine's memory and disk."""

from __future__ import annotations

import ctypes
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from project.ordinary_user import is_open
from project.sandboxed import Limits, cells, make_given, statuses, student_of

from autograder import tree
from autograder.errors import UserError
from autograder.sandbox import Run, Sandbox, StudentError
from autograder.sandbox.isolation import MISSING, Isolation, interpreter_folders
from autograder.sandbox.run import bound_folder
from autograder.sandbox.session import is_zombie, list_processes

linux = pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")
root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
pytestmark = linux


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits()) as sandbox:
        yield sandbox


def try_out(sandbox: Sandbox, *sources: str) -> object:
    """Run hostile cells and return what they leave under `x`."""
    with student_of(sandbox, "import os, sys, socket, ctypes\nx = 'nothing'", *sources) as student:
        return student.stand_ins(["x"])["x"]


# ------------------------------------------------------------------------------------------------------------ refused


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("secret") / "expected.txt"
    path.write_text("42")
    for folder in (path, path.parent, path.parent.parent):
        folder.chmod(0o777)  # only Landlock stands before it
    yield path
    path.unlink(missing_ok=True)


ATTEMPTS = [
    "open(SECRET).read()",
    "open(SECRET, 'w')",
    "os.listdir(os.path.dirname(SECRET))",
    "os.truncate(SECRET, 0)",
    "os.remove(SECRET)",
    "os.rename(SECRET, SECRET + '2')",
    "os.link(SECRET, 'mine')",
    "os.symlink(SECRET, 'mine') or open('mine').read()",
    "os.listdir(ROOT)",
    "open(ROOT + '/grading.yml').read()",
    "open('/etc/shadow').read()",
    "os.listdir('/proc')",
    "open(f'/proc/{GRADER}/mem', 'r+b')",
    "open(f'/proc/{GRADER}/environ').read()",
    "open('/tmp/planted', 'w')",
    "open('/dev/shm/planted', 'w')",
    "open(sys.prefix + '/planted', 'w')",
    "open(os.path.dirname(os.__file__) + '/planted.py', 'w')",
    "open(PLANTED, 'w')",
    "os.kill(GRADER, 9)",
    "os.kill(os.getppid(), 9)",
    "os.killpg(os.getpgid(GRADER), 9)",
    "os.setpriority(os.PRIO_PROCESS, GRADER, 19)",
    "os.sched_setaffinity(GRADER, {0})",
    "__import__('resource').prlimit(GRADER, __import__('resource').RLIMIT_CPU, (0, 0))",
    "socket.socket()",
    "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_UNIX)",
    "__import__('urllib.request').request.urlopen(f'http://127.0.0.1:{PORT}', timeout=5).read()",
    "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', LISTENER)",
    "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendmsg([b'x'], [], 0, LISTENER)",
    "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].connect(LISTENER)",
    "socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
    "__import__('fcntl').fcntl(os.open(os.__file__, os.O_RDONLY), 1024, 0)",
    "__import__('subprocess').run(['/bin/true'])",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.setuid(0)",
    "os.setsid()",
    "os.setpgid(0, 0)",
    "os.chroot('.')",
    "os.mknod('device', 0o20666, os.makedev(1, 1))",
    "os.memfd_create('memory')",
]
CALLS = {  # numbers of x86-64
    "ptrace": "101, 16, GRADER, 0, 0",
    "process_vm_readv": "310, GRADER, 0, 0, 0, 0, 0",
    "process_vm_writev": "311, GRADER, 0, 0, 0, 0, 0",
    "unshare user": "272, 0x10000000",
    "mount": "165, 0, 0, 0, 0, 0",
    "bpf": "321, 0, 0, 0",
    "perf_event_open": "298, 0, 0, -1, -1, 0",
    "userfaultfd": "323, 0",
    "io_uring_setup": "425, 8, 0",
    "keyctl": "250, 0, 0, 0, 0, 0",
    "open_by_handle_at": "304, -1, 0, 0",
    "pidfd_getfd": "438, 3, 0, 0",
    "clone user": "56, 0x10000011, 0, 0, 0, 0",
    "clone3": "435, 0, 0",
    "shmget": "29, 0, 4096, 0o1666",
    "shmat": "30, SEGMENT, 0, 0",
    "shmctl": "31, SEGMENT, 2, BUFFER",
    "msgget": "68, 0, 0o1666",
    "msgctl": "71, -1, 2, BUFFER",
    "semctl": "66, -1, 0, 2, BUFFER",
    "inotify_init1": "294, 0",
    "fanotify_init": "300, 0x200, 0",
    "mq_unlink": "241, -1",
}
DENIED = [(-1, 1), (-1, 38)]  # EPERM, and ENOSYS for clone3
TRY = """
    import ctypes, os, socket, sys
    results = {}
    libc = ctypes.CDLL(None, use_errno=True)
    BUFFER = ctypes.create_string_buffer(4096)
    for attempt in ATTEMPTS:
        try:
            eval(attempt)
            results[attempt] = "done"
        except OSError as error:
            results[attempt] = error.errno
    calls = {name: (eval(f"libc.syscall({arguments})"), ctypes.get_errno()) for name, arguments in CALLS.items()}
"""
UNLOCKED = """
import json, os, signal, sys, time
told = json.load(sys.stdin)
done = {}

def try_one(names, outcome):
    exec(told["try"], names)
    write([names["results"], names["calls"]], outcome)

def write(content, outcome):  # a call that makes a process comes back in both, and each of them writes
    with open(f"{outcome}-{os.getpid()}", "w") as file:
        json.dump(content, file)
    os.replace(f"{outcome}-{os.getpid()}", outcome)

tries = [*((attempt, None) for attempt in told["ATTEMPTS"]), *((None, call) for call in told["CALLS"])]
for number, (attempt, call) in enumerate(tries):
    outcome = f"outcome-{number}"
    with open("expected.txt", "w") as file:
        file.write("42")
    other = os.fork()
    if other == 0:
        os.setsid()
        time.sleep(100)
    attempts, calls = [attempt] if attempt else [], {call: told["CALLS"][call]} if call else {}
    names = told["names"] | {"SECRET": os.path.abspath("expected.txt"), "PLANTED": "planted.py", "GRADER": other}
    names |= {"ATTEMPTS": attempts, "CALLS": calls}
    between = os.fork()
    if between == 0:  # a parent that may be killed
        if (pid := os.fork()) == 0:
            try_one(names, outcome)
            os._exit(0)
        if os.waitpid(pid, 0)[1] == 0 and not os.path.exists(outcome):  # it has become another program
            write([dict.fromkeys(attempts, "done"), {}], outcome)
        os._exit(0)
    os.waitpid(between, 0)
    for _ in range(100):
        if os.path.exists(outcome):
            results, calls = json.load(open(outcome))
            done |= results | calls
            break
        time.sleep(0.01)
    try:
        os.kill(other, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(other, 0)
    for path in [*told["planted"], "expected.txt2", "mine", "device"]:
        if os.path.lexists(path):
            os.unlink(path)
print(json.dumps(done))
"""


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """A server, a service's socket and a shared segment, as other programs have them: open to everybody."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    server.RequestHandlerClass.log_message = lambda *args: None  # type: ignore[method-assign,assignment]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = tmp_path_factory.mktemp("service") / "log"
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(0, 4096, 0o1666)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service:
        service.bind(str(path))
        for place in (path, *list(path.parents)[:3]):
            place.chmod(0o777)
        yield {"PORT": server.server_port, "LISTENER": str(path), "SEGMENT": segment, "ROOT": str(tree.ROOT)}
    libc.shmctl(segment, 0, None)  # IPC_RMID
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def refusals(sandbox: Sandbox, secret: Path, surroundings: dict[str, object]) -> Iterator[dict[str, dict[str, object]]]:
    names = {**surroundings, "SECRET": str(secret), "GRADER": os.getpid(), "ATTEMPTS": ATTEMPTS}
    names["CALLS"] = CALLS if os.uname().machine == "x86_64" else {}
    constants = "\n".join(f"{name} = {value!r}" for name, value in names.items())
    planted = "import os\nimport given\nPLANTED = os.path.dirname(given.__file__) + '/planted.py'"
    with student_of(sandbox, constants, planted, TRY) as student:
        yield student.stand_ins(["results", "calls"])


@pytest.fixture(scope="module")
def unlocked(tmp_path_factory: pytest.TempPathFactory, surroundings: dict[str, object]) -> dict[str, object]:
    """What becomes of each without the sandbox, by the same user, on a file and a process that nobody needs."""
    folder = tmp_path_factory.mktemp("unlocked")
    planted = [Path("/tmp/planted"), Path("/dev/shm/planted"), Path(sys.prefix) / "planted", folder / "planted.py"]
    told: dict[str, Any] = {"names": surroundings, "try": dedent(TRY), "ATTEMPTS": ATTEMPTS, "CALLS": {}}
    if os.uname().machine == "x86_64":
        told["CALLS"] = CALLS
    told["planted"] = [str(path) for path in [*planted, Path(os.__file__).parent / "planted.py"]]
    command = [sys.executable, "-W", "ignore", "-c", UNLOCKED]
    done = subprocess.run(command, input=json.dumps(told), text=True, cwd=folder, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_is_refused_that_succeeds_without_the_sandbox(
    refusals: dict[str, dict[str, object]], secret: Path, unlocked: dict[str, object], attempt: str
) -> None:
    assert refusals["results"][attempt] != "done"
    assert secret.read_text() == "42"
    if unlocked.get(attempt) != "done" and os.geteuid() != 0:
        pytest.skip("this user cannot do it anyhow")
    assert unlocked.get(attempt) == "done"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86-64")
def test_a_system_call_is_refused_that_the_kernel_would_answer(
    refusals: dict[str, dict[str, object]], unlocked: dict[str, object], call: str
) -> None:
    assert refusals["calls"][call] in DENIED
    without = unlocked[call]
    assert isinstance(without, list)
    if tuple(without) in DENIED:
        pytest.skip("this kernel refuses it anyhow")


def test_nothing_of_the_grader_is_inherited(sandbox: Sandbox) -> None:
    os.environ["SECRET_TOKEN"] = "42"
    source = """
        x = [key for key in os.environ if "TOKEN" in key]
        for fd in range(3, 256):
            try:
                os.fstat(fd)
                x.append(fd)
            except OSError:
                pass
    """
    found = try_out(sandbox, source)
    del os.environ["SECRET_TOKEN"]
    assert isinstance(found, list)
    assert len(found) <= 2  # its own socket, and that of the state it is a copy of


def test_output_past_python_goes_nowhere(sandbox: Sandbox, capfd: pytest.CaptureFixture[str]) -> None:
    try_out(
        sandbox,
        "os.write(1, b'forged')\nos.write(2, b'forged')\nsys.__stdout__.write('forged')\nsys.__stdout__.flush()",
    )
    assert "forged" not in "".join(capfd.readouterr())


# ----------------------------------------------------------------------------------------------------------- bounded


def test_memory_is_bounded_and_the_cell_goes_on(sandbox: Sandbox) -> None:
    source = (
        "import torch\ntry:\n    y = torch.ones(6 << 30, dtype=torch.uint8)\nexcept RuntimeError:\n    x = 'refused'"
    )
    assert try_out(sandbox, source) == "refused"


def test_a_materialised_view_is_refused_and_the_next_call_works(sandbox: Sandbox) -> None:
    with student_of(sandbox, "import torch\ndef f(n): return torch.zeros(1).expand(n).clone().sum().item()") as student:
        f = student.stand_ins(["f"])["f"]
        with pytest.raises(StudentError) as caught:
            f(10**10)
        assert caught.value.reason == "error"
        assert f(3) == 0.0


@root
def test_the_disk_is_bounded(sandbox: Sandbox) -> None:
    source = """
        x = 0
        try:
            for i in range(20):
                with open(f"file{i}", "wb") as file:
                    x += file.write(bytes(10 << 20))
                    file.flush()
        except OSError:
            pass
    """
    with sandbox.run(cells("import os", source)) as run:
        with run.fork("", seconds=5) as student:
            written = student.stand_ins(["x"])["x"]
        if run.layers["folder"]:
            assert written <= 70 << 20
        assert sum(path.stat().st_size for path in run._folder.rglob("*")) <= 70 << 20


def test_a_folder_that_cannot_be_mounted_is_emptied_once_it_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    for folder in (home, home / "inner", outside):
        folder.mkdir()
        (folder / "file").write_bytes(bytes(1000))
    (home / "link").symlink_to(outside)
    bound_folder(home, 2100)
    assert (home / "file").exists()
    bound_folder(home, 1900)
    assert list(home.iterdir()) == []
    assert (outside / "file").exists()
    monkeypatch.setattr("autograder.sandbox.run.MAX_FILES", 3)
    for i in range(4):
        (home / str(i)).touch()
    bound_folder(home, 1900)
    assert list(home.iterdir()) == []


def test_what_a_run_does_to_the_given_files_no_other_run_meets(sandbox: Sandbox) -> None:
    told = "import os, given.training as t\nx = [hasattr(t, 'mark'), sorted(os.listdir(os.path.dirname(t.__file__)))]"
    found = []
    for _ in range(2):
        with sandbox.run(cells(told)) as run:
            course = run._isolation.course / "given"
            (course / "training.py").unlink()  # as a student could whom neither Landlock nor another user holds back
            (course / "training.py").write_text("mark = 1")
            (course / "planted.py").write_text("")
            with run.fork("", seconds=30) as student:
                found.append(student.stand_ins(["x"])["x"])
        assert not course.exists()
    assert found == [[False, ["__init__.py", "training.py"]]] * 2


def test_the_given_files_are_open_to_all_and_writable_by_none(sandbox: Sandbox) -> None:
    with sandbox.run(cells("x = 1")) as run:
        modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in run._isolation.course.rglob("*")}
    assert modes == {True: 0o755, False: 0o444}


def test_a_folder_whose_files_come_and_go_is_measured_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(10):
        (tmp_path / str(i)).write_bytes(bytes(1000))
    lstat, iterdir = Path.lstat, Path.iterdir

    def lose(path: Path) -> os.stat_result:
        if path.name == "3":
            path.unlink(missing_ok=True)
        return lstat(path)

    def lose_more(path: Path) -> Iterator[Path]:
        for child in iterdir(path):
            child.unlink()
            yield child

    monkeypatch.setattr(Path, "lstat", lose)
    bound_folder(tmp_path, 9100)
    assert len(list(iterdir(tmp_path))) == 9
    monkeypatch.setattr(Path, "iterdir", lose_more)
    bound_folder(tmp_path, 8900)
    assert list(iterdir(tmp_path)) == []
    bound_folder(tmp_path / "gone", 0)


BOMB = """
    x = 0
    for _ in range(400):
        try:
            if os.fork() == 0:
                import time
                time.sleep(1000)
            x += 1
        except OSError:
            break
"""


@root
def test_a_fork_bomb_is_bounded_and_swept_away_before_the_questions(sandbox: Sandbox) -> None:
    with sandbox.run(cells("import os", BOMB, "check:q01", "y = 1")) as run:
        assert statuses(run)[1] in ("ran", "timeout")
        assert statuses(run)[2:] == ["ran", "ran"]
        with run.fork("q01", seconds=5) as student:
            assert 0 < student.stand_ins(["x"])["x"] < 120
        assert len(members(run)) <= 3  # the snapshot, the final state, and one that just ends


@root
def test_a_fork_bomb_in_a_question_does_not_touch_the_next(sandbox: Sandbox) -> None:
    bomb = "import os, time\ndef f():\n    while True:\n        if os.fork() == 0: time.sleep(1000)\ndef g(): return 5"
    with sandbox.run(cells(bomb, "check:q01")) as run:
        for _ in range(2):
            with run.fork("q01", seconds=5) as student, pytest.raises(StudentError):
                student.stand_ins(["f"])["f"]()
            with run.fork("q01", seconds=5) as student:
                assert student.stand_ins(["g"])["g"]() == 5


def members(run: Run) -> list[int]:
    """Return the processes of a run."""
    found = []
    for pid in list_processes():
        try:
            if os.getsid(pid) in {attempt.session for attempt in run._attempts} and not is_zombie(pid):
                found.append(pid)
        except OSError:
            continue
    return found


def test_every_process_of_a_run_is_gone_when_it_is_closed(sandbox: Sandbox) -> None:
    source = """
        import signal
        for s in range(1, 30):
            try: signal.signal(s, signal.SIG_IGN)
            except (OSError, ValueError): pass
        if os.fork() == 0:
            if os.fork() == 0:
                while True: pass
            os._exit(0)
    """
    with sandbox.run(cells("import os", source, "check:q01")) as run:
        pass
    deadline = time.monotonic() + 5
    while members(run) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert members(run) == []
    assert not run._folder.exists()


def test_a_case_cannot_kill_the_state_it_was_copied_from(sandbox: Sandbox) -> None:
    with sandbox.run(cells("import os\ndef f():\n    os.kill(os.getppid(), 9)", "check:q01")) as run:
        if run.layers["landlock"] < 6:
            pytest.skip("this kernel's Landlock does not scope signals")
        with run.fork("q01", seconds=5) as student, pytest.raises(StudentError) as caught:
            student.stand_ins(["f"])["f"]()
        assert caught.value.type_name == "PermissionError"


# ---------------------------------------------------------------------------------------------------- protocol attacks

GARBAGE = {
    "huge length": "struct.pack('>II', 2**32 - 1, 2**32 - 1)",
    "nested": "struct.pack('>II', 100000, 0) + b'[' * 100000",
    "random": "os.urandom(4096)",
    "half": "struct.pack('>II', 100, 0) + b'['",
    "stale": "message({'id': 1, 'value': 5, 'changed': []})",
    "forged pid": "message({'id': 2, 'pid': 1})",
    "no value": "message({'id': 2})",
    "wrong kind": "message([])",
    "wrong object": "message({'id': 2, 'value': {'o': [3, 'grader', 'x']}, 'changed': []})",
    "wrong change": "message({'id': 2, 'value': 3, 'changed': [[99, 1]]})",
    "nothing": "b''",
}
SPEAK = """
    import json, os, socket, struct, time
    def message(header):
        text = json.dumps([header, []]).encode()
        return struct.pack('>II', len(text), 0) + text
    def f(kind):
        for fd in range(3, 64):
            try:
                socket.socket(fileno=os.dup(fd)).send(eval(kind))
            except OSError:
                pass
        time.sleep(30)
    def g(): return 5
"""


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_on_the_wire_ends_the_students_process_only(sandbox: Sandbox, kind: str) -> None:
    with sandbox.run(cells(SPEAK, "check:q01")) as run:
        with run.fork("q01", seconds=2) as student:
            f = student.stand_ins(["f"])["f"]
            with pytest.raises(StudentError) as caught:
                f(GARBAGE[kind])
            assert caught.value.reason in ("died", "timeout")
        with run.fork("q01", seconds=2) as student:
            assert student.stand_ins(["g"])["g"]() == 5


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_from_a_cell_never_costs_what_stands_before_it(sandbox: Sandbox, kind: str) -> None:
    with sandbox.run(cells(SPEAK, f"f({GARBAGE[kind]!r})", "x = 1")) as run:
        assert len(run.outcomes) == 3
        with run.fork("", seconds=5) as student:
            assert student.stand_ins(["g"])["g"]() == 5


# ------------------------------------------------------------------------------------------------------------- report


def test_the_layers_in_force_are_told_with_a_sentence(sandbox: Sandbox) -> None:
    with sandbox.run(cells("x = 1")) as run:
        layers = run.layers
    assert set(MISSING) < set(layers)
    assert isinstance(layers["note"], str)
    if os.geteuid() == 0:
        assert layers["user"] is True
    assert layers["landlock"] > 0
    assert layers["seccomp"] is True


def isolation(*required: str) -> Isolation:
    return Isolation(uid=None, closed=False, course=Path("/"), seconds=1, required=required)


NONE: dict[str, object] = dict.fromkeys(MISSING, False)


@pytest.mark.parametrize("layer", MISSING)
def test_a_required_layer_that_is_missing_stops_the_run(layer: str) -> None:
    assert MISSING[layer] in isolation().report(NONE)["note"]
    with pytest.raises(UserError, match=f"layer '{layer}' is required, but"):
        isolation(layer).report(NONE)
    everything = {**NONE, layer: True}
    assert MISSING[layer] not in isolation(layer).report(everything)["note"]


def test_a_required_layer_that_nobody_knows_stops_the_run(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_required", ("moat",))
    with (
        pytest.raises(UserError, match="there is no such layer, only user, landlock"),
        sandbox.run(cells("x = 1")),
    ):
        pass


def test_an_interpreter_folder_that_holds_the_grader_counts_as_no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tree.ROOT))
    assert str(tree.ROOT) in interpreter_folders()
    assert isolation().report({"landlock": 7})["landlock"] == 0


# --------------------------------------------------------------------------------------------------- other situations

SITUATION = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
home = os.path.realpath(sys.base_prefix)
first = "/" + home.split("/")[1]
if libc.unshare(0x20000) or libc.mount(b"none", b"/", None, 0x44000, None):
    sys.exit(99)                                    # no mounts here: the situation cannot be made
if open_home:
    keep = os.open(home, os.O_PATH)
    libc.mount(b"none", first.encode(), b"tmpfs", 0, b"mode=0755")
    os.makedirs(home)
    libc.mount(f"/proc/self/fd/{keep}".encode(), home.encode(), None, 0x1000, None) and sys.exit(98)
if uid:
    os.setgroups([]); os.setresgid(uid, uid, uid); os.setresuid(uid, uid, uid)
sys.path[:0] = [root, root + "/tests"]
from pathlib import Path
from project.sandboxed import Limits, cells
from autograder.sandbox import Sandbox
source = '''
import os, statistics, sqlite3, decimal, xml.dom.minidom
found = {}
for name, attempt in {
    "uid": lambda: os.getuid(),
    "tests": lambda: os.listdir(ROOT + "/tests"),
    "socket": lambda: __import__("socket").socket(),
    "program": lambda: __import__("subprocess").run(["/bin/true"]),
    "kill": lambda: os.kill(GRADER, 9),
    "memory": lambda: open(f"/proc/{GRADER}/mem", "rb"),
}.items():
    try: found[name] = attempt()
    except OSError: found[name] = "refused"
'''
names = f"ROOT, GRADER = {root!r}, {os.getpid()}"
with Sandbox(Path(given), Limits(cell=20)) as sandbox, sandbox.run(cells(names, source)) as run:
    with run.fork("", seconds=5) as student:
        print(repr({"outcome": run.outcomes[1].error, "layers": run.layers, **student.stand_ins(["found"])["found"]}))
"""


def in_situation(tmp_path: Path, uid: int, open_home: bool) -> dict[str, object]:
    """Run a notebook with the interpreter's home open or closed to others, as root or as an ordinary user."""
    given = make_given(tmp_path)
    above = [folder for folder in tmp_path.parents if Path(tempfile.gettempdir()) in folder.parents]
    for path in [tmp_path, *above, *tmp_path.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    values = f"uid, open_home, root, given = {uid}, {open_home}, {str(tree.ROOT)!r}, {str(given)!r}\n"
    done = subprocess.run([sys.executable, "-c", values + SITUATION], capture_output=True, text=True, timeout=100)
    if done.returncode == 99:
        pytest.skip("no mounts are allowed here")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = eval(done.stdout)
    return found


@root
@pytest.mark.skipif(not is_open(tree.ROOT), reason="another user cannot enter this checkout's folder")
@pytest.mark.parametrize(("uid", "open_home"), [(0, True), (12_345, True)])
def test_the_same_is_refused_whoever_grades_and_wherever_the_interpreter_lies(
    tmp_path: Path, uid: int, open_home: bool
) -> None:
    found = in_situation(tmp_path, uid, open_home)
    assert found.pop("outcome") is None
    layers = found.pop("layers")
    assert isinstance(layers, dict)
    student = found.pop("uid")
    assert layers["user"] is (uid == 0)
    assert (student == uid) is (uid != 0)
    assert bool(layers["reads_by"]) is (uid == 0 and not open_home and Path("/root").stat().st_mode & 0o77 == 0)
    assert set(found.values()) == {"refused"}
    assert ("same user as the grader" in layers["note"]) is (uid != 0)
