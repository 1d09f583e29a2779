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
    """Runs each program of a page alone, in a folder of its own, behind the commands that stand right before it; checks the
    output that is shown, and returns what each of them prints."""
    printed = []
    marked = blocks(page)
    for place, (kind, text) in enumerate(marked):
        if kind != "python":
            continue
        own = folder / f"block{len(printed)}"
        own.mkdir(parents=True)
        (own / f"{own.name}.py").write_text(text, encoding="utf-8")
        before, behind = marked[place - 1] if place else ("", ""), marked[place + 1] if place + 1 < len(marked) else ("", "")
        how = {"cwd": own, "env": environment(), "timeout": 300, "capture_output": True}
        if before[0] == "sh":
            subprocess.run(before[1], shell=True, check=True, **how)
        done = subprocess.run([sys.executable, f"{own.name}.py"], **how)
        assert done.returncode == 0, text + done.stderr.decode("utf-8")
        out = done.stdout.decode("utf-8")
        assert behind[0] != "text" or is_as_shown(out.split(), behind[1].split()), out
        printed.append(out)
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
    printed = run_page(ROOT / "docs" / name, tmp_path)
    out = "".join(printed)
    assert "'车一进五' is not possible: 兵一 stands in between" in out and "perpetual check" in out
    files = sorted(file.name for file in tmp_path.glob("*/*") if not file.name.startswith("block"))
    assert files == ["club.index", "club.pgn", "opening.pgn", "red.pgn", "review.html", "reviewed.pgn"]
    # Whoever checks types writes the same programs.
    pytest.importorskip("mypy")
    programs = [str(file) for file in sorted(tmp_path.glob("*/*.py"))]
    assert len(programs) == len(printed) > 8
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, *programs]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["scripts.md", "scripts.zh-CN.md"])
def test_programs_for_scripts_print_what_is_shown(name: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pandas")
    _, queries, session = run_page(ROOT / "docs" / name, tmp_path)
    assert sorted(line.split(" ")[0] for line in queries.splitlines()) == ["0", "1", "2", "3"]
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
    assert len(pictures) == 4 and all(picture.startswith("<svg") for picture in pictures)
    assert sum("text/html" in output.get("data", {}) for output in outputs) == 3
