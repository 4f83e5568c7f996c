"""A filter of system calls for the sandbox, as the kernel's own program: what no Python program needs is refused.

Namespaces keep a program from seeing the host; the filter keeps it from the parts of the kernel that have let programs
out of namespaces (tracing, io_uring, bpf, keys, mounts), from the examiner that holds its tests (tracing, reading
another process's memory), and from sockets that no network namespace holds back (vsock).
"""

import platform
import struct
from typing import NamedTuple

_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
"""Go on; fail with EPERM; end the process."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Where the kernel puts them."""
_FAMILIES = (1, 2, 10)
"""Unix, IPv4 and IPv6 sockets: their namespaces are the sandbox's own."""
_NEW = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442)
"""io_uring, the new mount interface and pidfd_getfd: one number on every machine."""


class _Machine(NamedTuple):
    architecture: int
    refused: tuple[int, ...]
    socket: int
    first_foreign: int | None = None
    """From this number on calls are of another calling convention."""


_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        (
            *(101, 310, 311, 312),  # ptrace, process_vm_readv, process_vm_writev, kcmp
            *(248, 249, 250, 321, 298, 323),  # add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd
            *(155, 165, 166, 272, 308, 303, 304),  # pivot_root, mount, umount2, unshare, setns, file handles
            *(103, 163, 167, 168, 169, 179),  # syslog, acct, swapon, swapoff, reboot, quotactl
            *(175, 176, 246, 313, 320),  # modules and kexec
        ),
        socket=41,
        first_foreign=0x40000000,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (
            *(117, 270, 271, 272),
            *(217, 218, 219, 280, 241, 282),
            *(41, 40, 39, 97, 268, 264, 265),
            *(116, 89, 224, 225, 142, 60),
            *(105, 106, 104, 273, 294),
        ),
        socket=198,
    ),
}


def program(machine: str | None = None) -> bytes:
    """The filter for a machine (this one by default); empty for one whose numbers are not listed here."""
    found = _MACHINES.get(machine or platform.machine())
    return b"" if found is None else _assembled(found)


def _assembled(machine: _Machine) -> bytes:
    """Each test jumps to the refusal at the end; a jump counts the instructions it leaves out."""
    refused = [(_EQUAL, number) for number in (*machine.refused, *_NEW)]
    if machine.first_foreign is not None:
        refused.insert(0, (_AT_LEAST, machine.first_foreign))
    tail = len(_FAMILIES) + 3  # the socket's test, its argument, the families, the two ends
    lines = [_line(_LOAD, _ARCHITECTURE), _line(_EQUAL, machine.architecture, 1, 0), _line(_RETURN, _KILL)]
    lines.append(_line(_LOAD, _NUMBER))
    for left, (test, number) in zip(range(len(refused), 0, -1), refused, strict=True):
        lines.append(_line(test, number, left - 1 + tail, 0))
    lines += [_line(_EQUAL, machine.socket, 0, len(_FAMILIES) + 1), _line(_LOAD, _FIRST_ARGUMENT)]
    for left, family in zip(range(len(_FAMILIES), 0, -1), _FAMILIES, strict=True):
        lines.append(_line(_EQUAL, family, left - 1, 1 if left == 1 else 0))
    return b"".join([*lines, _line(_RETURN, _ALLOW), _line(_RETURN, _REFUSE)])


def _line(operation: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_so, if_not, value)
