"""The command that comes with the package."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig
from typing import List

import chuhe
import pytest


def program() -> List[str]:
    """The installed command, or the module where it was not installed."""
    name = "chuhe.exe" if os.name == "nt" else "chuhe"
    script = pathlib.Path(sysconfig.get_path("scripts")) / name
    return [str(script)] if script.exists() else [sys.executable, "-m", "chuhe"]


def run(*words: str, text: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*program(), *words],
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, **environment},
    )


def test_version_is_that_of_the_package() -> None:
    assert chuhe.__version__ in run("--version").stdout and run("--version").stdout == f"chuhe {chuhe.BUILD}\n"
    done = subprocess.run([sys.executable, "-m", "chuhe", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == run("--version").stdout


def test_exit_codes_and_messages_are_those_of_the_program() -> None:
    assert run("perft", "2").returncode == 0
    wrong = run("analyse", "--no-such-option", LC_ALL="C")
    assert wrong.returncode == 2 and wrong.stdout == "" and "--no-such-option" in wrong.stderr
    assert run("judge", "startpos", "--exit-code").returncode == 0
    assert run("judge", "3R1k3/4R4/9/9/9/9/9/9/9/4K4 b", "--exit-code").returncode == 12


def test_language_is_that_of_the_user() -> None:
    assert "用法" in run("--help", "--lang", "zh").stdout
    told = [run("analyse", "no-such-file.pgn", LC_ALL=locale) for locale in ("C", "zh_CN.UTF-8")]
    assert [done.returncode for done in told] == [2, 2]
    assert told[0].stderr.isascii() and not told[1].stderr.isascii()


def test_the_program_speaks_ucci() -> None:
    done = run(text="ucci\nsetoption usebook false\nposition startpos\ngo nodes 100\nquit\n")
    assert done.stdout.startswith("id name Chuhe") and "bestmove" in done.stdout and done.stdout.endswith("bye\n")


def test_analyses_of_the_program_and_of_the_package_are_equal(engine: chuhe.Engine) -> None:
    done = run("analyse", "h2e2", "--nodes", "2000", "--json", "--threads", "1", "--hash", "16")
    theirs = json.loads(done.stdout)
    ours = engine.analyse("h2e2", nodes=2_000)
    assert theirs["best"] == ours["best"] and theirs["chance"] == ours["chance"] and theirs["nodes"] == ours["nodes"]
    assert set(ours) <= set(theirs)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_the_program_as_it_does_without_python() -> None:
    command = [*program(), "analyse", "--json", "--time", "600", "--every", "0.01"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline().startswith(b"{")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert b"Traceback" not in err and process.returncode == 130
    assert json.loads(out.splitlines()[-1])["final"] is True


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_no_error() -> None:
    words = " ".join(f"'{word}'" for word in program())
    shell = f"{words} perft 1 --divide 2>&1 | head -1; {words} help perft | head -1"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stdout + done.stderr
