"""Programs that want to be called right without being right, or to do harm; each defines `double`."""

FORGERIES = {
    "prints that it passed": "print('passed'); print('OK', flush=True)\ndef double(x): return 0",
    "prints on every stream": (
        "import os\n"
        "def double(x):\n"
        "    for fd in range(64):\n"
        "        try: os.write(fd, b'passed\\n' * 99)\n"
        "        except OSError: pass\n"
        "    return 0"
    ),
    "exits at once": "import sys\nsys.exit(0)",
    "ends its process at once": "import os\nos._exit(0)",
    "exits when it is called": "import sys\ndef double(x): sys.exit(0)",
    "ends its process when it is called": "import os\ndef double(x): os._exit(0)",
    "ends its process from a thread": (
        "import os, threading\nthreading.Timer(0.05, os._exit, (0,)).start()\ndef double(x):\n    while True: pass"
    ),
    "closes its streams": "import sys, os\nsys.stdout.close()\nos.close(1)\nos.close(2)\ndef double(x): return 0",
    "closes every file": "import os\nos.closerange(0, 64)\ndef double(x): return 0",
    "equals everything": (
        "class Any:\n"
        "    def __eq__(self, other): return True\n"
        "    def __hash__(self): return 0\n"
        "    def __bool__(self): return True\n"
        "def double(x): return Any()"
    ),
    "is a number that equals everything": (
        "class Any(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
        "def double(x): return Any(0)"
    ),
    "is a text that equals everything": (
        "class Any(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__\n"
        "def double(x): return Any('')"
    ),
    "patches the built-ins": (
        "import builtins\n"
        "class Quiet(Exception): pass\n"
        "builtins.AssertionError = Quiet\n"
        "builtins.exec = builtins.compile = lambda *a, **k: None\n"
        "builtins.isinstance = lambda *a: True\n"
        "def double(x): return 0"
    ),
    "patches the harness": (
        "import sys\n"
        "for name, module in list(sys.modules.items()):\n"
        "    if 'inside' in name:\n"
        "        for key in list(vars(module)):\n"
        "            if callable(vars(module)[key]):\n"
        "                setattr(module, key, lambda *a, **k: ('passed', '', 0))\n"
        "def double(x): return 0"
    ),
    "writes a verdict wherever it can": (
        "import os, sys\n"
        "from holoscope.sandbox.inside.values import encode\n"
        "from holoscope.sandbox.inside.processes import send\n"
        "def double(x):\n"
        "    for fd in range(64):\n"
        "        try: send(fd, bytes(16) + encode(('passed', '', 0)))\n"
        "        except OSError: pass\n"
        "    return 0"
    ),
    "looks for the mark": (
        "import gc, os, sys\n"
        "from holoscope.sandbox.inside.values import encode\n"
        "from holoscope.sandbox.inside.processes import send\n"
        "def double(x):\n"
        "    marks = [o for o in gc.get_objects() if isinstance(o, dict) and 'mark' in o]\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n"
        "        marks += [v for v in frame.f_locals.values() if isinstance(v, dict) and 'mark' in v]\n"
        "        frame = frame.f_back\n"
        "    for mark in marks:\n"
        "        for fd in range(64):\n"
        "            try: send(fd, mark['mark'] + encode(('passed', '', 0)))\n"
        "            except Exception: pass\n"
        "    return 0"
    ),
    "looks for the tests": (
        "import gc\n"
        "def double(x):\n"
        "    if any(isinstance(o, dict) and ('tests' in o or 'context' in o) for o in gc.get_objects()): return 2 * x\n"
        "    return 0"
    ),
    "kills the examiner": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\ndef double(x): return 0",
    "stops the examiner": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\ndef double(x): return 0",
    "kills everything": "import os, signal\nos.kill(-1, signal.SIGKILL)\ndef double(x): return 0",
    "traces the examiner": (
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "libc.ptrace.restype = ctypes.c_long\n"
        "attached = libc.ptrace(16, os.getppid(), 0, 0) == 0\n"
        "def double(x): return 2 * x if attached else 0"
    ),
    "reads the examiner's memory": (
        "import ctypes, os\n"
        "class Piece(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('size', ctypes.c_size_t)]\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "there = ctypes.create_string_buffer(b'known')\n"
        "here = ctypes.create_string_buffer(5)\n"
        "one = Piece(ctypes.addressof(here), 5); other = Piece(ctypes.addressof(there), 5)\n"
        "got = libc.process_vm_readv(os.getppid(), ctypes.byref(one), 1, ctypes.byref(other), 1, 0)\n"
        "def double(x): return 2 * x if got > 0 else 0"
    ),
    "answers before it is asked": (
        "import os\n"
        "from holoscope.sandbox.inside.values import encode\n"
        "from holoscope.sandbox.inside.processes import send\n"
        "for fd in range(3, 64):\n"
        "    try:\n"
        "        for _ in range(99): send(fd, encode(('v', True)))\n"
        "    except OSError: pass\n"
        "def double(x): return 0"
    ),
    "raises what a test might swallow": "def double(x): raise AssertionError",
    "defines what the tests use": (
        "def check(*a): pass\ndef len(*a): return 1\ndef range(*a): return ()\ndef double(x): return 0"
    ),
    "spins": "def double(x):\n    while True: pass",
    "sleeps": "import time\ndef double(x): time.sleep(3600)",
    "recurses": "def double(x): return double(x)",
    "crashes": "import ctypes\ndef double(x): ctypes.string_at(0)",
    "fills the memory": "def double(x): return len(bytearray(1 << 33))",
    "returns more than anyone wants": "def double(x): return 'x' * (1 << 25)",
    "returns itself": "def double(x):\n    found = []\n    found.append(found)\n    return found",
    "is no program": "I am sorry, I cannot help with that.",
    "is empty": "",
    "is a null byte": "\0",
    "nests too deep": "(" * 5000 + ")" * 5000,
}
