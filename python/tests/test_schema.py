"""All that `chuhe analyse` writes for scripts is as docs/analyse.schema.json says, and nothing is in it that is not there."""

import json
import pathlib
from typing import Any, Dict, List

import chuhe
import pytest
from test_program import run

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "analyse.schema.json"
PGN = '[Red "甲"]\n\n1. h2e2 h9g7 2. h0g2 *\n\n[FEN "rubbish"]\n\n1. h2e2 *\n\n[Red "乙"]\n\n1. h2e2 h2e2 *\n'
REPEATED = "3k5/9/9/9/9/9/9/9/4R4/5K3 w moves e1d1 d9e9 d1e1 e9d9"


def closed(schema: Any) -> Any:
    """The same with no other fields than those that are named."""
    if isinstance(schema, dict):
        schema = {name: closed(value) for name, value in schema.items()}
        if "properties" in schema and "required" in schema:
            schema.setdefault("additionalProperties", False)
    elif isinstance(schema, list):
        schema = [closed(value) for value in schema]
    return schema


@pytest.fixture(scope="module")
def validator() -> Any:
    if not SCHEMA.exists():
        pytest.skip("the schema is in the repository")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


def lines(text: str) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


CASES = {
    "one": ["h2e2", "--json", "--nodes", "500", "--lines", "3"],
    "partial": ["--json", "--nodes", "20000", "--every", "0.001"],
    "mate": ["3k5/9/9/9/9/9/9/9/R8/1R2K4 w", "--json", "--mate", "2"],
    "evaluation": ["--json", "--eval-only"],
    "over": ["3R1k3/4R4/9/9/9/9/9/9/9/4K4 b", "--json", "--nodes", "100"],
    "repetition": [REPEATED, "--json", "--nodes", "3000", "--lines", "5"],
    "table": ["3k5/9/9/9/9/9/9/9/9/R3K4 w", "--json", "--nodes", "500"],
    "moves": ["--json", "--nodes", "100", "--only", "h2e2 b2e2", "--rules", "cxa"],
    "games": ["-", "--json", "--nodes", "50"],
    "every ply": ["-", "--json", "--nodes", "50", "--every-ply"],
}


@pytest.mark.parametrize("case", CASES)
def test_answers_are_as_the_schema_says(validator: Any, case: str) -> None:
    done = run("analyse", *CASES[case], "--threads", "1", text=PGN if "-" in CASES[case] else "")
    answers = lines(done.stdout)
    assert answers and all("id" in answer for answer in answers), done.stderr
    for answer in answers:
        validator.validate(answer)
    assert done.returncode == (1 if "-" in CASES[case] else 0)
    assert any("error" in answer for answer in answers) == ("-" in CASES[case])


def test_answers_to_queries_are_as_the_schema_says(validator: Any) -> None:
    queries = [
        {"id": "a", "moves": "h2e2", "nodes": 200, "lines": 2},
        {"id": 2, "moves": "h2e2 h9g7", "plies": "all", "nodes": 50},
        {"id": 3, "mate": 2, "position": "3k5/9/9/9/9/9/9/9/R8/1R2K4 w"},
        {"id": 4, "evaluate": True, "unknown": 1},
        {"id": 5, "position": "rubbish"},
        {"id": 6, "nodes": 0},
        {"nodes": 1},
        {"id": 7, "action": "version"},
        {"id": 8, "action": "terminate", "terminate": "a"},
        {"id": 9, "action": "terminate_all"},
    ]
    text = "\n".join(map(json.dumps, queries)) + "\nno JSON\n[]\n"
    done = run("analyse", "--stdin", "--threads", "1", "--nodes", "100", text=text)
    answers = lines(done.stdout)
    for answer in answers:
        validator.validate(answer)
    assert done.returncode == 1
    assert sum("error" in answer for answer in answers) == 5 and sum("warning" in answer for answer in answers) == 1
    good = run("analyse", "--stdin", "--threads", "1", "--nodes", "100", text='{"id": 1}\n')
    assert good.returncode == 0 and len(lines(good.stdout)) == 1


def test_answers_of_the_package_are_as_the_schema_says(validator: Any, engine: chuhe.Engine) -> None:
    for answer in engine.analyse_many(["startpos", "rubbish", REPEATED], nodes=500, lines=2, errors="return"):
        validator.validate(answer if "error" in answer else {"final": True, **answer})
    for report in engine.analysis("startpos", nodes=5_000):
        validator.validate({"id": 1, **report})


def test_the_schema_would_find_what_is_wrong(validator: Any, engine: chuhe.Engine) -> None:
    answer: Dict[str, Any] = {"id": 1, "final": True, **engine.analyse("startpos", nodes=100)}
    validator.validate(answer)
    for name in answer:
        assert not validator.is_valid({key: value for key, value in answer.items() if key != name})
    for wrong in ({"new": 1}, {"chance": 2}, {"side": "white"}, {"best": ["x"]}, {"depth": "5"}):
        assert not validator.is_valid({**answer, **wrong})
