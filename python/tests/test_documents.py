"""The programs of the pages run as they stand and print what is shown, and so does the notebook."""

from __future__ import annotations

import doctest
import json
import os
import pathlib
import re
import subprocess
import sys

import chuhe
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Printed between the programs of a page.
SEPARATOR = "\x1e"
NOTEBOOK = ROOT / "python" / "notebook.ipynb"


def blocks(page: pathlib.Path) -> list[tuple[str, str]]:
    """The blocks of a page, each with the word that marks it, and the prose between them."""
    if not page.exists():
        pytest.skip("the pages are in the repository")
    found = []
    for part in re.split(r"^```(?=\w)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, rest = part.partition("\n")
        block, _, between = rest.partition("```")
        found.append((head, block))
        if between.strip():
            found.append(("prose", between))
    return found


def environment() -> dict[str, str]:
    """The variables of a program, which finds the command `chuhe` and writes UTF-8."""
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8", "LC_ALL": "C"}


def run_page(page: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Runs the programs of a page in a folder, each behind the ones before it and the commands that stand before it, checks
    the output that is shown, and returns what each of them prints."""
    script, shown = ["import subprocess"], []
    marked = blocks(page)
    for place, (kind, text) in enumerate(marked):
        following = marked[place + 1][0] if place + 1 < len(marked) else ""
        if kind == "sh" and following == "python":
            script.append(f"subprocess.run({text!r}, shell=True, check=True, stdout=subprocess.DEVNULL)")
        elif kind == "python":
            script += [text, f"print({SEPARATOR!r})"]
            shown.append(marked[place + 1][1] if following == "text" else None)
    (folder / "page.py").write_text("\n".join(script), encoding="utf-8")
    command = [sys.executable, "page.py"]
    done = subprocess.run(command, capture_output=True, cwd=folder, env=environment(), timeout=300)
    assert done.returncode == 0, done.stderr.decode("utf-8")
    printed = done.stdout.decode("utf-8").split(SEPARATOR)[:-1]
    assert len(printed) == len(shown)
    for text, wanted in zip(printed, shown):
        assert wanted is None or is_as_shown(text.split(), wanted.split()), text
    return printed


def is_as_shown(words: list[str], shown: list[str]) -> bool:
    """Whether words are those of a page, numbers with a point up to a tenth: a change of the search moves them."""

    def is_same(word: str, other: str) -> bool:
        if "." in other and re.fullmatch(r"-?\d+\.\d+", word):
            return abs(float(word) - float(other)) <= 0.1
        return word == other

    return len(words) == len(shown) and all(map(is_same, words, shown))


def test_the_example_of_the_package_is_right() -> None:
    found = doctest.testmod(chuhe)
    assert found.attempted > 4 and found.failed == 0


@pytest.mark.parametrize("name", ["python.md", "python.zh-CN.md"])
def test_programs_of_the_page_run(name: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pandas")
    out = "".join(run_page(ROOT / "docs" / name, tmp_path))
    assert "'车一进五' is not possible: 兵一 stands in between" in out and "perpetual check" in out
    files = sorted(file.name for file in tmp_path.iterdir())
    assert files == ["club.index", "opening.pgn", "page.py", "review.html", "reviewed.pgn"]
    # Whoever checks types writes the same program.
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "page.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["scripts.md", "scripts.zh-CN.md"])
def test_programs_for_scripts_print_what_is_shown(name: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pandas")
    _, queries, session = run_page(ROOT / "docs" / name, tmp_path)
    assert sorted(line.split(" ")[0] for line in queries.splitlines()) == ["", "0", "1", "2", "3"]
    chuhe.Position(session.strip())
    assert len(session.split()) == 8
    programs = [[text for kind, text in blocks(ROOT / "docs" / page) if kind == "python"] for page in ("scripts.md", name)]
    assert programs[0] == programs[1], "those of both languages are the same"


def test_program_of_the_readme_runs(tmp_path: pathlib.Path) -> None:
    assert len(run_page(ROOT / "python" / "README.md", tmp_path)) == 1


def analysed(folder: pathlib.Path, program: str, *extra: str) -> None:
    """Runs a program for clusters over forty-five positions, of which one is none, in the folder; it has two minutes."""
    fens = [chuhe.Position(f"startpos moves {move}").fen() for move in chuhe.Position().legal_moves] + ["no position"]
    with open(folder / "positions.csv", "w", encoding="utf-8") as table, open(folder / "queries", "w", encoding="utf-8") as lines:
        table.write("id,fen\n")
        for number, fen in enumerate(fens):
            table.write(f"{number},{fen}\n")
            lines.write(json.dumps({"id": number, "position": fen}) + "\n")
    command = [sys.executable, str(ROOT / "python" / "clusters" / program), *extra, "answers"]
    done = subprocess.run(command, capture_output=True, cwd=folder, env=environment() | {"RAY_ADDRESS": "local"}, timeout=120)
    assert done.returncode == 0, done.stderr.decode("utf-8")


def test_program_for_ray_ends_on_two_processors(tmp_path: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pytest.importorskip("ray")
    # Ray takes as many processors as it sees, or as this says.
    os.environ["RAY_OVERRIDE_RESOURCES"] = json.dumps({"CPU": 2})
    analysed(tmp_path, "ray_batches.py", "positions.csv")
    answers = pandas.read_parquet(tmp_path / "answers")
    assert sorted(answers["id"]) == list(range(45)) and answers["error"].notna().sum() == 1


def test_program_for_dask_answers_each_query(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("dask")
    analysed(tmp_path, "dask_bag.py", "queries")
    answers = [json.loads(line) for file in (tmp_path / "answers").iterdir() for line in file.read_text("utf-8").splitlines()]
    assert sorted(answer["id"] for answer in answers) == list(range(45)) and sum("error" in answer for answer in answers) == 1


def test_programs_for_spark_answer_each_query(tmp_path: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyspark")
    for program, queries in [("spark_pipe.py", "queries"), ("spark_pandas.py", "positions.csv")]:
        folder = tmp_path / program
        folder.mkdir()
        analysed(folder, program, queries)
    lines = [line for file in (tmp_path / "spark_pipe.py" / "answers").glob("part-*") for line in file.read_text("utf-8").splitlines()]
    assert sorted(json.loads(line)["id"] for line in lines) == list(range(45))
    assert sorted(pandas.read_parquet(tmp_path / "spark_pandas.py" / "answers")["id"]) == list(range(45))


@pytest.mark.parametrize("name", ["clusters.md", "clusters.zh-CN.md"])
def test_programs_for_clusters_are_those_of_the_page(name: str) -> None:
    shown = [text for kind, text in blocks(ROOT / "docs" / name) if kind == "python"]
    files = sorted((ROOT / "python" / "clusters").glob("*.py"))
    assert sorted(shown) == sorted(file.read_text(encoding="utf-8") for file in files)
    for text in shown:
        compile(text, name, "exec")


def test_the_notebook_runs_and_shows_pictures(tmp_path: pathlib.Path) -> None:
    if not NOTEBOOK.exists():
        pytest.skip("the notebook is in the repository")
    for module in ("nbconvert", "ipykernel", "pandas"):
        pytest.importorskip(module)
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(tmp_path)]
    subprocess.run([*command, str(NOTEBOOK)], check=True, capture_output=True, timeout=300)
    executed = json.loads((tmp_path / NOTEBOOK.name).read_text(encoding="utf-8"))
    outputs = [output for cell in executed["cells"] for output in cell.get("outputs", [])]
    pictures = ["".join(output["data"]["image/svg+xml"]) for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 3 and all(picture.startswith("<svg") for picture in pictures)
    assert sum("text/html" in output.get("data", {}) for output in outputs) == 2
