"""The stubs: that they say what there is, and that a typed program passes."""

import ast
import inspect
import pathlib
import subprocess
import sys
from typing import Iterator, List, Tuple

import chuhe
import pytest
from chuhe import _native

PACKAGE = pathlib.Path(chuhe.__file__).parent
EXAMPLE = pathlib.Path(__file__).parent / "typed_example.py"


def documented() -> Iterator[Tuple[str, object, str]]:
    """Each class, method and function of the stubs that has a text: its name, what is there, the text."""
    for node in ast.parse((PACKAGE / "_native.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield node.name, getattr(_native, node.name), ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef) and hasattr(_native, node.name):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and ast.get_docstring(member):
                    there = inspect.getattr_static(getattr(_native, node.name), member.name)
                    yield f"{node.name}.{member.name}", there, ast.get_docstring(member) or ""


def test_help_and_stubs_say_the_same() -> None:
    names = []
    for name, there, text in documented():
        names.append(name)
        assert inspect.cleandoc(getattr(there, "__doc__") or "") == text, name
    assert len(names) >= 100


def test_stubs_name_all_that_there_is() -> None:
    names = {name for name, _, _ in documented()}
    for class_name in ("Move", "Position", "Game", "Node", "GameReader", "Engine", "LiveAnalysis", "AnalysisStream", "Review", "Explorer", "Tactic", "Tactics", "TacticMiner", "Repertoire"):
        public = {name for name in vars(getattr(_native, class_name)) if not name.startswith("_")}
        assert {f"{class_name}.{name}" for name in public} <= names


def test_package_exports_what_it_lists() -> None:
    assert sorted(chuhe.__all__, key=str.lower) == sorted(set(chuhe.__all__), key=str.lower)
    assert all(hasattr(chuhe, name) for name in chuhe.__all__)
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize("what", [[str(EXAMPLE)], ["-p", "chuhe"]], ids=["example", "package"])
def test_types_are_strict(what: List[str], tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *what]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_example_runs() -> None:
    done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, encoding="utf-8", check=True)
    assert len(done.stdout.splitlines()) == 3
