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
    *("execve", "execveat", "socket", "bind", "connect", "listen", "accept", "accept4"),
    # namespaces and mounts
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsmount"),
    *("fsconfig", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at", "mknod", "mknodat"),
    # what outlives the process, or the kernel's larger doors
    *("mq_open", "mq_unlink", "memfd_create", "memfd_secret", "add_key", "request_key", "keyctl"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff"),
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr"),
    *("removexattrat", "file_setattr", "truncate", "acct", "quotactl", "quotactl_fd", "personality", "uselib"),
    # objects of System V, which any program of the same user, or of any user, may have left open
    *("shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl"),
    # what others do in folders, past Landlock, and what is mounted
    *("inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark", "lookup_dcookie"),
    *("statmount", "listmount", "open_tree_attr", "syslog"),
]
SIGNALS = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]
# what the owner of the grader's files and processes may do to them, past Landlock
OWNER = [
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "utimensat", "futimesat", "setpriority", "ioprio_set"),
]
SET_OWNER, SET_OWNER_EX = 8, 15  # F_SETOWN and F_SETOWN_EX in linux/fcntl.h: whom a descriptor signals
SET_LEASE, NOTIFY = 1024, 1026  # F_SETLEASE, which holds up whoever opens the file, and F_NOTIFY, of the same header
KIND_OF_SOCKET, STREAM = 0xF, 1  # the mask of a socket's type in linux/net.h, and SOCK_STREAM
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
    for kind in range(KIND_OF_SOCKET + 1):  # one of a pair of datagram sockets may write to any socket with a path
        if kind != STREAM:
            rules.add_rule(refuse, "socketpair", seccomp.Arg(1, seccomp.MASKED_EQ, KIND_OF_SOCKET, kind))
    for command in (SET_OWNER, SET_OWNER_EX, SET_LEASE, NOTIFY):
        rules.add_rule(refuse, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        rules.add_rule(refuse, name, seccomp.Arg(0, seccomp.NE, 0))  # 0 is the process itself
    rules.load()
    return True
