"""What a program tries on the machine fails, and nothing of it is left."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from holoscope.sandbox import Calls, Scripts
from paths import ROOT
from sandboxed import SANDBOX, needs_sandbox

pytestmark = needs_sandbox


def said(body: str, *args: object, seconds: int = 2) -> object:
    """What `f` returns in the sandbox; the exception's name where it raises one."""
    program = (
        f"import os, socket, subprocess, ctypes, errno\ndef f(*args):\n    {body.replace(chr(10), chr(10) + '    ')}"
    )
    wrapped = f"{program}\ndef g(*args):\n    try: return f(*args)\n    except Exception as e: return type(e).__name__"
    job = Calls(readings=(wrapped,), name="g", arguments=json.dumps([args]), seconds=seconds)
    [verdict] = SANDBOX.run([job])[0].verdicts
    return verdict.value if verdict.outcome == "passed" else verdict.outcome


def marked(number: int) -> str:
    """A name for processes, unlike any other on the machine."""
    return f"hs{os.getpid() % 100000}x{number}"


def named(name: str) -> list[int]:
    """Processes of that name, seen from outside."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text(encoding="utf-8").strip() == name:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


NAME = "ctypes.CDLL(None).prctl(15, args[0].encode(), 0, 0, 0)\n"
"""Gives a process a name that its children inherit."""


def test_it_cannot_write_outside(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    target = tmp_path / "written"
    assert said("open(args[0], 'w').write('x'); return 'written'", str(target)) == "FileNotFoundError"
    assert not target.exists()


@pytest.mark.parametrize("place", ["/usr/written", "/written", "/dev/written", "/usr/bin/written"])
def test_it_cannot_write_to_what_it_sees(place: str) -> None:
    assert said("open(args[0], 'w').write('x'); return 'written'", place) == "OSError"
    assert not Path(place).exists()


@pytest.mark.parametrize("place", ["/etc/shadow", "/etc/passwd", "/root", "/home", "/proc/1/environ", "/sys", "/var"])
def test_it_sees_nothing_of_the_machine(place: str) -> None:
    assert said("return os.path.exists(args[0])", place) is False


def test_it_has_no_environment() -> None:
    found = said("return sorted(os.environ)")
    assert isinstance(found, list)
    assert set(found) <= {
        "PATH",
        "HOME",
        "LC_ALL",
        "PYTHONHASHSEED",
        "TZ",
        "PWD",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
    }


def test_it_cannot_reach_this_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert (
            said("socket.create_connection(('127.0.0.1', args[0]), 1); return 'reached'", port)
            == "ConnectionRefusedError"
        )


def test_it_cannot_reach_the_network() -> None:
    assert said("socket.create_connection(('192.0.2.1', 80), 1); return 'reached'") == "OSError"


@pytest.mark.parametrize("family", ["AF_VSOCK", "AF_NETLINK", "AF_PACKET", "AF_ALG"])
def test_other_kinds_of_sockets_are_refused(family: str) -> None:
    assert said("socket.socket(getattr(socket, args[0]), socket.SOCK_RAW); return 'open'", family) == "PermissionError"


def test_it_reads_no_abstract_socket_of_this_machine() -> None:
    name = f"\0holoscope-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        assert (
            said("socket.socket(socket.AF_UNIX).connect(args[0]); return 'reached'", name) == "ConnectionRefusedError"
        )


@pytest.mark.parametrize(
    "body",
    [
        "os.setuid(0); return 'root'",
        "os.setgroups([0]); return 'root'",
        "os.chroot('/tmp'); return 'moved'",
        "os.mknod('/tmp/disk', 0o60666, os.makedev(8, 0)); return 'made'",
        "os.kill(args[0], 9); return 'killed'",
        "open('/dev/kmsg'); return 'opened'",
        "os.nice(-5); return 'favoured'",
    ],
)
def test_it_has_no_powers(body: str) -> None:
    assert said(body, os.getpid()) in ("PermissionError", "ProcessLookupError", "FileNotFoundError", "OSError")


@pytest.mark.parametrize(
    "call",
    [
        "unshare(0x10000000)",
        "mount(b'none', b'/tmp', b'tmpfs', 0, None)",
        "ptrace(16, 1, 0, 0)",
        "syscall(425, 1, 0)",
        "syscall(321, 0, 0, 0)",
    ],
)
def test_the_kernels_back_doors_are_shut(call: str) -> None:
    body = f"libc = ctypes.CDLL(None, use_errno=True)\nreturn libc.{call} == -1 and errno.errorcode[ctypes.get_errno()]"
    assert said(body) == "EPERM"


def test_it_cannot_make_a_user_namespace_by_clone() -> None:
    body = (
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "pid = libc.syscall(56 if os.uname().machine == 'x86_64' else 220, 0x10000000 | 17, 0, 0, 0, 0)\n"
        "if pid == 0: os._exit(0)\n"
        "return pid == -1"
    )
    assert said(body) is True


def test_it_sees_only_its_own_processes() -> None:
    body = "found = 0\nfor pid in range(1, 50):\n    try: os.kill(pid, 0); found += 1\n    except OSError: pass"
    found = said(f"{body}\nreturn found")
    assert isinstance(found, int)
    assert found <= 3


def test_a_fork_bomb_ends() -> None:
    name = marked(1)
    outcome = said(NAME + "while True:\n    try: os.fork()\n    except OSError: pass", name, seconds=1)
    assert outcome == "time"
    assert _eventually(lambda: not named(name))


def test_processes_are_few() -> None:
    body = (
        "made = 0\n"
        "for _ in range(100):\n"
        "    try: pid = os.fork()\n"
        "    except OSError: return made\n"
        "    if not pid:\n"
        "        import time; time.sleep(60)\n"
        "    made += 1\n"
        "return made"
    )
    made = said(body)
    assert isinstance(made, int)
    assert 1 <= made < 16


def test_memory_is_limited() -> None:
    assert said("return len(bytearray(3 << 30))") == "MemoryError"


def test_the_disk_is_small() -> None:
    body = (
        "written = 0\n"
        "try:\n"
        "    for name in range(64):\n"
        "        with open(f'/tmp/{name}', 'wb') as file: written += file.write(bytes(1 << 20)); file.flush()\n"
        "except OSError: pass\n"
        "return written"
    )
    written = said(body)
    assert isinstance(written, int)
    assert written <= 17 << 20


def test_a_file_is_not_large() -> None:
    assert said("open('/tmp/large', 'wb').truncate(1 << 30); return 'made'") == "OSError"


def test_open_files_are_few() -> None:
    opened = said(
        "found = []\ntry:\n    while True: found.append(os.open('/dev/null', 0))\nexcept OSError: return len(found)"
    )
    assert isinstance(opened, int)
    assert opened < 64


def test_much_output_is_cut() -> None:
    endless = Scripts(readings=("while True: print('x' * 1000000)",), inputs=("",), seconds=2)
    [verdict] = SANDBOX.run([endless])[0].verdicts
    assert verdict.outcome in ("error", "time")
    assert not isinstance(verdict.value, bytes) or len(verdict.value) <= 1 << 24


def test_a_detached_grandchild_is_ended() -> None:
    name = marked(2)
    body = (
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        f"        {NAME}"
        "        os.closerange(0, 64)\n"
        "        import time; time.sleep(3600)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "return 'left behind'"
    )
    assert said(body, name) == "left behind"
    assert _eventually(lambda: not named(name))


PARENT = """
from holoscope.sandbox import Assertions, Sandbox
program = "import ctypes, time\\nctypes.CDLL(None).prctl(15, b'{name}', 0, 0, 0)\\ntime.sleep(3600)"
Sandbox().run([Assertions(readings=(program,), names=("f",), tests="f()", seconds=60)])
"""


def test_nothing_is_left_of_a_killed_parent() -> None:
    name = marked(3)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen([sys.executable, "-c", PARENT.replace("{name}", name)], env=environment) as parent:
        assert _eventually(lambda: bool(named(name)))
        parent.send_signal(signal.SIGKILL)
    assert _eventually(lambda: not named(name))


def _eventually(is_so: Callable[[], bool]) -> bool:
    """True as soon as it is so; False if it is not within half a minute."""
    pause = threading.Event()
    return any(is_so() or pause.wait(0.01) for _ in range(3000))
