"""The programs of the pages run as they stand, and so does the notebook."""

import doctest
import json
import os
import pathlib
import subprocess
import sys

import chuhe
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "python" / "notebook.ipynb"


def blocks(page: pathlib.Path) -> str:
    """The programs of a page, one after the other."""
    parts = page.read_text(encoding="utf-8").split("```python\n")[1:]
    return "\n".join(part.split("```")[0] for part in parts)


def test_the_example_of_the_package_is_right() -> None:
    found = doctest.testmod(chuhe)
    assert found.attempted > 4 and found.failed == 0


@pytest.mark.parametrize("name", ["python.md", "python.zh-CN.md"])
def test_programs_of_the_page_run(name: str, tmp_path: pathlib.Path) -> None:
    page = ROOT / "docs" / name
    if not page.exists():
        pytest.skip("the pages are in the repository")
    pytest.importorskip("pandas")
    script = tmp_path / "page.py"
    script.write_text(blocks(page), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, cwd=tmp_path, env=environment, timeout=300)
    out = done.stdout.decode("utf-8")
    assert done.returncode == 0, done.stderr.decode("utf-8")
    assert "'车一进五' is not possible: 兵一 stands in between" in out and "perpetual check" in out
    files = sorted(file.name for file in tmp_path.iterdir())
    assert files == ["games.pgn", "page.py", "review.html", "reviewed.pgn"]


@pytest.mark.parametrize("name", ["clusters.md", "clusters.zh-CN.md"])
def test_programs_for_clusters_are_those_of_the_page(name: str) -> None:
    page = ROOT / "docs" / name
    if not page.exists():
        pytest.skip("the pages are in the repository")
    shown = [part.split("```")[0] for part in page.read_text(encoding="utf-8").split("```python\n")[1:]]
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
