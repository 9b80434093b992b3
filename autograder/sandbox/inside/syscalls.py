"""Seccomp: the system calls that a notebook has no business with."""

import contextlib
import errno
import importlib
from typing import Any

DENIED = [
    # other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp"),
    *("pidfd_getfd", "pidfd_send_signal", "move_pages", "migrate_pages", "setsid", "setpgid"),
    # programs and sockets
    *("execve", "execveat", "socket"),
    # namespaces and mounts
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsmount"),
    *("fsconfig", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at", "mknod", "mknodat"),
    # what outlives the process, or the kernel's larger doors
    *("shmget", "msgget", "semget", "mq_open", "memfd_create", "memfd_secret", "add_key", "request_key", "keyctl"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "truncate", "acct", "quotactl", "personality"),
]
SIGNALS = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]
# what the owner of the grader's files and processes may do to them, past Landlock
OWNER = [
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "utimensat", "futimesat", "setpriority", "ioprio_set"),
]
SET_OWNER, SET_OWNER_EX = 8, 15  # F_SETOWN and F_SETOWN_EX in linux/fcntl.h: whom a descriptor signals
NEW_USER_NAMESPACE = 1 << 28  # CLONE_NEWUSER in linux/sched.h


def load_library() -> Any:
    """Return the module pyseccomp, or None: it looks for libseccomp by running a program, so before any lock-down."""
    try:
        return importlib.import_module("pyseccomp")
    except (ImportError, OSError, RuntimeError):
        return None


seccomp = load_library()


def restrict_calls(with_signals: bool, as_owner: bool) -> bool:
    """Refuse these system calls from here on; return whether the system could.

    Args:
        with_signals: whether signals must be refused too, because neither another user nor Landlock keeps them in
        as_owner: whether this user owns the grader's files and processes
    """
    if seccomp is None:
        return False
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse = seccomp.ERRNO(errno.EPERM)
    for name in [*DENIED, *(SIGNALS if with_signals else []), *(OWNER if as_owner else [])]:
        with contextlib.suppress(Exception):  # unknown to this libseccomp or architecture
            rules.add_rule(refuse, name)
    flags = seccomp.Arg(0, seccomp.MASKED_EQ, NEW_USER_NAMESPACE, NEW_USER_NAMESPACE)
    rules.add_rule(refuse, "clone", flags)
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")  # its flags cannot be read; libc takes clone instead
    for command in (SET_OWNER, SET_OWNER_EX):
        rules.add_rule(refuse, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        rules.add_rule(refuse, name, seccomp.Arg(0, seccomp.NE, 0))  # 0 is the process itself
    rules.load()
    return True
