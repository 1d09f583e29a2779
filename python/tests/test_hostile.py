"""Every argument of every function and method is given objects that lie, as found by introspection: what is added is covered."""

import subprocess
import sys
from typing import List

import pytest

# A process of its own: what ends the interpreter ends that, and its last line tells the call.
SCRIPT = r"""
import faulthandler, inspect, itertools, os, resource, sys
import chuhe
from chuhe import _native

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
faulthandler.enable()
faulthandler.dump_traceback_later(1000, exit=True)

def raising(self, *_):
    raise KeyError("hostile")

class Huge:
    def __len__(self): return 2**62
    def __getitem__(self, index): return "a0"

class Endless:
    def __iter__(self): return self
    def __next__(self): return "a0"
    def __length_hint__(self): return 2**62

class Broken:
    __len__ = __iter__ = __str__ = __repr__ = __index__ = __float__ = __fspath__ = __eq__ = __bool__ = read = keys = raising
    __hash__ = None

class Itself:
    def read(self, *_): return self
    def __iter__(self): return iter([self])
    def __fspath__(self): return self
    def keys(self): return self
    def __getitem__(self, key): return self
    def __index__(self): return self

class Text(str):
    def __len__(self): return 2**62

def circle():
    values = []
    values.append(values)
    return values

HOSTILE = {
    "a long range": lambda: range(10**12),
    "a longer range": lambda: range(2**62),
    "endless repetition": lambda: itertools.repeat("h2e2"),
    "endless iterator": Endless,
    "a huge length": Huge,
    "a broken object": Broken,
    "an object of itself": Itself,
    "a text of a false length": lambda: Text("h2e2"),
    "half a character": lambda: "\ud800",
    "NUL": lambda: "\0",
    "a large number": lambda: 10**400,
    "2**63": lambda: 2**63,
    "-1": lambda: -1,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "bytes": lambda: b"\xff\0" * 10,
    "a list in itself": circle,
    "a dict of numbers": lambda: {1: 2},
    "a class": lambda: type,
    "a game": chuhe.Game,
    "a position": chuhe.Position,
}

# What an argument of this name may be; others are left out if they can be.
USUAL = {
    "position": lambda: "startpos", "positions": lambda: ["startpos"], "fen": lambda: "startpos", "game": chuhe.Game,
    "games": lambda: [chuhe.Game()], "mv": lambda: "h2e2", "move": lambda: "h2e2", "moves": lambda: ["h2e2"],
    "text": lambda: "h2e2", "source": lambda: b"1. h2e2 *", "path": lambda: "out.pgn", "square": lambda: "e0",
    "side": lambda: "red", "depth": lambda: 1, "nodes": lambda: 1, "time": lambda: 0.01, "pieces": lambda: {"e0": "K", "e9": "k"},
    "overwrite": lambda: True, "width": lambda: 200, "index": lambda: 0,
}

def instances():
    engine = chuhe.Engine(hash=1)
    game = chuhe.Game(moves=["h2e2"])
    yield from (engine, game, chuhe.Position(), chuhe.Move("h2e2"), game.nodes()[1] if callable(game.nodes) else game.nodes[1])
    yield engine.analyse("startpos", nodes=1)
    yield engine.review(game, nodes=1)

def parameters(function):
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    return [one for one in found if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and one.name not in ("self", "cls")]

def functions():
    seen = set()
    for module in (chuhe, _native):
        for name in dir(module):
            found = getattr(module, name)
            # These end the process, or panic, as they are asked to.
            is_own = str(getattr(found, "__module__", None) or "chuhe").startswith("chuhe")
            is_new = id(found) not in seen and not name.startswith("__")
            if callable(found) and is_own and is_new and name not in ("main", "_panic"):
                seen.add(id(found))
                yield f"{module.__name__}.{name}", lambda found=found: found, found
    for number, there in enumerate(instances()):
        kind = type(there)
        for name in dir(kind) if kind.__module__.startswith("chuhe") else ():
            if name.startswith("__") and name not in ("__init__", "__eq__", "__contains__", "__getitem__", "__lt__", "__setstate__", "__deepcopy__"):
                continue
            if name in ("close", "__init__"):
                continue
            static = inspect.getattr_static(kind, name)
            if inspect.isdatadescriptor(static):
                yield f"{kind.__name__}.{name} =", lambda there=there, name=name: (lambda value: setattr(there, name, value)), None
            elif callable(getattr(there, name, None)):
                found = getattr(there, name)
                yield f"{kind.__name__}.{name}", lambda found=found: found, found

def call(told, function, arguments):
    print(told, flush=True)
    try:
        result = function(**arguments) if isinstance(arguments, dict) else function(*arguments)
        if hasattr(result, "__next__"):
            next(result, None)
    except chuhe.InternalError:
        raise
    except Exception as error:
        assert len(type(error).__name__) > 0
    finally:
        sys.stdout.flush()

count = 0
for name, get, found in functions():
    wanted = parameters(found) if found is not None else None
    if wanted is None:
        for what, make in HOSTILE.items():
            call(f"{name} {what}", get(), [make()])
            count += 1
        continue
    for hostile in wanted:
        for what, make in HOSTILE.items():
            others = [one for one in wanted if one is not hostile]
            given = {one.name: USUAL[one.name]() for one in others if one.name in USUAL}
            given.update({one.name: make() for one in others if one.default is one.empty and one.name not in USUAL})
            given[hostile.name] = make()
            if any(one.kind is one.POSITIONAL_ONLY for one in wanted):
                given = [given[one.name] for one in wanted if one.name in given]
            call(f"{name}({hostile.name} = {what})", get(), given)
            count += 1
# The command itself takes words only.
for what in ("a long range", "a longer range", "a huge length", "a broken object", "a large number", "endless iterator"):
    call(f"main({what})", _native.main, [HOSTILE[what]()])
print("calls:", count)
"""


def test_no_argument_of_any_function_ends_the_interpreter(tmp_path) -> None:  # type: ignore[no-untyped-def]
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=tmp_path, errors="replace")
    told: List[str] = done.stdout.splitlines()
    assert done.returncode == 0, (done.returncode, told[-3:], done.stderr[-1500:])
    assert int(told[-1].removeprefix("calls: ") if hasattr(str, "removeprefix") else told[-1][7:]) > 2_000


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal of the console there")
def test_interrupt_ends_a_count_on_several_threads() -> None:
    script = (
        "import os, signal, threading, time, chuhe\n"
        "def interrupt():\n"
        "    while not counting: pass\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "counting = False\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        "try:\n"
        "    counting = True\n"
        "    chuhe.Position().perft(12, threads=2)\n"
        "except KeyboardInterrupt:\n"
        "    print('heard')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100)
    assert done.stdout == "heard\n", done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal of the console there")
def test_interrupt_ends_the_reading_of_a_file() -> None:
    # One game of 80 MB, of words that are no moves.
    script = (
        "import os, signal, threading, time, chuhe\n"
        "text = b'1. h2e2 ' + b'x ' * 40_000_000\n"
        "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    list(chuhe.read_games(text))\n"
        "except KeyboardInterrupt:\n"
        "    print('heard')\n"
        "    os._exit(0 if print(end='', flush=True) is None else 1)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100)
    assert done.stdout == "heard\n", done.stderr


def test_iterables_are_read_to_a_bound() -> None:
    import itertools

    import chuhe

    for call in (
        lambda: chuhe.Position().svg(marked=itertools.repeat("a0")),  # type: ignore[arg-type]
        lambda: chuhe.Position().svg(arrows=itertools.repeat("h2e2")),
        lambda: chuhe.Position().format_line(itertools.cycle(["h2e2", "h9g7", "e2h2", "g7h9"])),
    ):
        with pytest.raises(ValueError, match="more than 100000 values"):
            call()
