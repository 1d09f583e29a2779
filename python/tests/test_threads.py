"""The interpreter's lock, several engines, processes, Ctrl-C."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from typing import Callable, List, Tuple

import chuhe
import pytest
from chuhe import Engine, Position

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def test_other_threads_run_while_an_engine_searches() -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1

    with Engine() as engine:
        thread = threading.Thread(target=count)
        thread.start()
        before = counted
        engine.analyse("startpos", time=0.5)
        after = counted
        done.set()
        thread.join()
    assert after > before


def test_several_engines_search_at_once_with_the_same_answers() -> None:
    def search(_: int) -> Tuple[str, ...]:
        with Engine() as engine:
            return tuple(engine.analyse("startpos moves h2e2", nodes=3_000)["best"] or ())

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(search, range(8)))) == 1


def test_one_engine_serves_several_threads(engine: Engine) -> None:
    def search(number: int) -> int:
        return len(engine.analyse("startpos", nodes=500, lines=1 + number % 3)["lines"])

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(search, range(24))) == [1 + number % 3 for number in range(24)]


def test_an_engine_with_threads_searches() -> None:
    with Engine(threads=3, hash=8) as engine:
        answer = engine.analyse("startpos", nodes=20_000)
        assert answer["conditions"]["threads"] == 3 and answer["complete"]
        assert (engine.threads, engine.hash) == (3, 8) and engine.tables == 0


def test_one_position_serves_several_threads() -> None:
    position = Position()
    done = threading.Event()
    errors: List[BaseException] = []

    def use(work: Callable[[], object]) -> None:
        try:
            while not done.is_set():
                work()
        except BaseException as error:
            errors.append(error)

    def play() -> None:
        position.push("a0a1")
        position.pop()

    # Red plays and takes back, black never has the move for long: the others see either position.
    works = (play, lambda: position.perft(3, threads=2), lambda: position.outcome(), lambda: position.fen(), position.copy)
    threads = [threading.Thread(target=use, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    time.sleep(1.5)
    done.set()
    for thread in threads:
        thread.join()
    assert errors == [] and position == Position() and position.ply == 0


def test_closing_from_another_thread_ends_a_search() -> None:
    engine = Engine()
    threading.Timer(0.3, engine.close).start()
    before = time.monotonic()
    answer = engine.analyse("startpos", time=600)
    assert not answer["complete"] and time.monotonic() - before < 60


def _count_in_process(fen: str) -> int:
    with Engine() as engine:
        return engine.analyse(fen, nodes=300)["nodes"]


def test_processes_have_engines_of_their_own() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        counts = list(pool.map(_count_in_process, ["startpos", "h2e2", "startpos"]))
    assert counts[0] == counts[2] > 0


@POSIX
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_engine_says_that_it_does_not_follow_into_a_fork(engine: Engine) -> None:
    engine.analyse("startpos", nodes=10)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            engine.analyse("startpos", nodes=10)
            text = "no error"
        except chuhe.EngineError as error:
            text = str(error)
        with Engine() as own:
            text += f"; {own.analyse('startpos', nodes=10)['complete']}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        assert lines.read() == "this engine belongs to another process: make one in each process; True"
    os.waitpid(child, 0)


INTERRUPTED = """
import chuhe, sys, threading, os, signal, time
engine = chuhe.Engine()
def interrupt():
    time.sleep(0.7)
    os.kill(os.getpid(), signal.SIGINT)
try:
    threading.Thread(target=interrupt).start()
    {call}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", engine.analyse("startpos", nodes=10)["complete"])
"""


@POSIX
@pytest.mark.parametrize(
    "call",
    [
        "engine.analyse('startpos', time=600)",
        "engine.play('startpos', time=600)",
        "list(engine.analysis('startpos'))",
        "list(engine.analyse_many(['startpos'] * 9, time=600, threads=2))",
        "engine.review(chuhe.Game(moves=['h2e2', 'h9g7']), time=600)",
        "chuhe.Position().perft(30)",
    ],
)
def test_ctrl_c_ends_what_runs_and_leaves_the_engine_usable(call: str) -> None:
    script = INTERRUPTED.replace("{call}", call)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted True\n", done.stderr
    assert done.returncode == 0


@POSIX
def test_ctrl_c_without_a_handler_ends_the_process() -> None:
    script = "import chuhe\nprint('ready', flush=True)\nchuhe.Engine().analyse('startpos', time=600)"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) != 0
        assert process.stderr is not None and b"KeyboardInterrupt" in process.stderr.read()


def test_a_search_that_runs_at_the_end_of_the_process_does_not_hold_it() -> None:
    script = "import chuhe\nengine = chuhe.Engine()\nanalysis = engine.analysis('startpos')\nnext(analysis)\nprint('end')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_positions_are_shared_by_threads() -> None:
    position = Position()

    def count(_: int) -> int:
        return sum(len(position.legal_moves) for _ in range(200))

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(count, range(8))) == {44 * 200}
