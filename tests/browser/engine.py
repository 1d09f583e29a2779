#!/usr/bin/env python3
"""Tests the npm package in Node, and in a real browser where there is one.

    tests/browser/engine.py chuhe-VERSION.tgz --nodes N

N is what `chuhe bench` of the native program counts. Needs Node 20 or later.
"""

import argparse
import functools
import http.server
import json
import os
import pty
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
from pathlib import Path

from browser import NAMES, Browser, check, finish

ROOT = Path(__file__).resolve().parents[2]
PERFT_4 = 3290240

# Two engines in one page: one takes in messages while it thinks, where the browser can do that, the other cannot.
PAGE = """<!doctype html><meta charset="utf-8"><title>Chuhe</title><script type="module">
import Chuhe from "./chuhe.js";

// Sends lines and waits for a line that begins with a word; all lines up to it.
function asker(engine) {
  let heard = [], wanted = null;
  engine.addMessageListener((line) => {
    heard.push(line);
    wanted?.();
  });
  return (text, word) => new Promise((resolve) => {
    wanted = () => {
      const at = heard.findIndex((line) => line === word || line.startsWith(word + " "));
      if (at >= 0) {
        wanted = null;
        resolve(heard.splice(0, at + 1));
      }
    };
    engine.postMessage(text);
    wanted();
  });
}

async function start(options) {
  const engine = await Chuhe(options);
  const ask = asker(engine);
  await ask("uci", "uciok");
  return { engine, ask };
}

// The nodes of the bench, by a conversation. The bench has no endgame tables.
async function bench(ask, positions, depth) {
  let nodes = 0;
  await ask("setoption name UseTables value false\\nisready", "readyok");
  for (const position of positions) {
    const lines = await ask(`ucinewgame\\nposition fen ${position}\\ngo depth ${depth}`, "bestmove");
    nodes += Number(lines.at(-2).match(/nodes (\\d+)/)[1]);
  }
  return nodes;
}

// The longest that a `stop` takes to be answered, in milliseconds.
async function stops(ask, count) {
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const thinking = ask("go infinite", "info");
    await thinking;
    await ask("isready", "readyok");
    await new Promise((resolve) => setTimeout(resolve, 100));
    const begun = performance.now();
    await ask("stop", "bestmove");
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}

Object.assign(window, { Chuhe, start, bench, stops, loaded: true });
</script>"""


def unpack(package, folder):
    with tarfile.open(package) as archive:
        archive.extractall(folder, filter="data")
    modules = folder / "node_modules"
    modules.mkdir()
    (folder / "package").rename(modules / "chuhe")
    return modules / "chuhe"


def node(*words, text="", folder=None):
    command = ["node", *map(str, words)]
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, timeout=300, cwd=folder)
    return done.stdout.decode("utf-8", "replace"), done.returncode


def check_node(package, folder, nodes):
    program = package / "chuhe.js"
    output, code = node(program, text="uci\nperft 4\n")
    check(f"Nodes searched: {PERFT_4}" in output and code == 0, "node chuhe.js counts perft 4 as the native program does")
    output, code = node(program, "bench")
    print(output.strip())
    check(f"\n{nodes} nodes " in output and code == 0, f"its bench has the signature of the native program, {nodes}")
    output, code = node(program, "--nonsense")
    check(output == "" and code == 2, "it refuses what it does not know")
    readme = (package / "README.md").read_text(encoding="utf-8")
    (folder / "example.mjs").write_text(re.search(r"```js\n(.*?)```", readme, re.DOTALL)[1], encoding="utf-8")
    output, code = node("example.mjs", folder=folder)
    check("uciok" in output and "bestmove" in output and code == 0, "the example of its README runs")
    for page in ("web.md", "web.zh-CN.md"):
        shown = re.findall(r"```js\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
        (folder / "page.mjs").write_text("\n".join(shown), encoding="utf-8")
        output, code = node("page.mjs", folder=folder)
        check(shown and "bestmove" in output and code == 0, f"the program of docs/{page} runs")
    failing = 'import C from "chuhe"; C({ wasm: "nowhere.wasm" }).catch((error) => console.log("no engine:", error.message));'
    output, code = node("--input-type=module", "-e", failing, folder=folder)
    check("no engine: " in output and "nowhere.wasm" in output and code == 0, "a missing module is an error with a reason")
    licences = (package / "THIRD-PARTY.txt").read_text(encoding="utf-8")
    check("miniz_oxide" in licences and "rand " in licences and "Permission is hereby granted" in licences, "licences are inside")


def at_terminal(program, **variables):
    """What it says at a terminal of an illegal FEN, and of a word that it does not know."""
    environment = {name: value for name, value in os.environ.items() if name not in ["LC_ALL", "LC_MESSAGES", "LANG"]}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(["node", str(program)], stdin=theirs, stdout=theirs, stderr=theirs, env=environment | variables)
    os.close(theirs)
    os.write(ours, b"position fen 9\nquit\n")
    output = b""
    try:
        # Linux answers with an error when the other side is closed.
        while part := os.read(ours, 1 << 16):
            output += part
    except OSError:
        pass
    os.close(ours)
    process.wait(60)
    usage = subprocess.run(["node", str(program), "--nonsense"], env=environment | variables, stderr=subprocess.PIPE).stderr
    return output.decode("utf-8", "replace"), usage.decode("utf-8", "replace")


def check_languages(package):
    program = package / "chuhe.js"
    for variables, is_chinese in [({"LANG": "zh_CN.UTF-8"}, True), ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, False), ({}, False)]:
        said, usage = at_terminal(program, **variables)
        name = f"at a terminal it speaks {'Chinese' if is_chinese else 'English'} under {variables}"
        check(("局面无效" in said) == is_chinese and ("refused" in said) != is_chinese and ("用法" in usage) == is_chinese, f"{name}: {said.splitlines()[2:3]}")
    done = subprocess.run(["node", str(program)], input=b"position fen 9\nquit\n", stdout=subprocess.PIPE, env=os.environ | {"LC_ALL": "zh_CN.UTF-8"})
    check(b"refused" in done.stdout and done.stdout.isascii(), "a host gets English in ASCII, as from the native program")


def serve(folder):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None
    handler.func.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def check_browser(package, nodes):
    (package / "page.html").write_text(PAGE, encoding="utf-8")
    server = serve(package)
    browser = Browser()
    try:
        browser.open(f"http://127.0.0.1:{server.server_port}/page.html")
        browser.until("window.loaded === true", 60)
        positions = (ROOT / "src/bench_positions.txt").read_text(encoding="utf-8").splitlines()
        for suspending in [True, False]:
            name = "with messages in its search" if suspending else "with a flag for its search"
            browser.value(f"start({{ suspending: {json.dumps(suspending)} }}).then((all) => void Object.assign(window, all))")
            lines = browser.value("ask('perft 4', 'Nodes')")
            check(lines[-1] == f"Nodes searched: {PERFT_4}", f"perft 4 in the browser, {name}")
            depth, wanted = (11, nodes) if suspending else (1, None)
            found = browser.value(f"bench(ask, {json.dumps(positions)}, {depth})")
            check(found == wanted if wanted else found > 0, f"its searches have the native signature, {name}: {found}")
            longest = browser.value("stops(ask, 5)")
            check(longest < 30000, f"a search is stopped, {name}: after {longest:.0f} ms at most")
            lines = browser.value("ask('position startpos moves b0c2 b9c7\\ngo ponder wtime 3000 btime 3000\\nponderhit', 'bestmove')")
            check(lines[-1].startswith("bestmove "), f"the ponder hit starts the clock, {name}")
            lines = browser.value("ask('go infinite\\nposition startpos moves h2e2\\ngo depth 2\\nisready', 'bestmove')")
            more = browser.value("ask('', 'bestmove')")
            check(len([line for line in lines + more if line.startswith("bestmove")]) == 2, f"a new search ends the old, {name}")
            browser.value("engine.postMessage('quit'), engine.closed")
        reason = browser.value("Chuhe({ wasm: 'nowhere.wasm' }).then(() => null, (error) => error.message)")
        check(reason is not None and "404" in reason, f"a missing module is an error with a reason: {reason}")
    finally:
        browser.close()
        server.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path)
    parser.add_argument("--nodes", type=int, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chuhe-package-") as name:
        folder = Path(name)
        package = unpack(arguments.package, folder)
        check_node(package, folder, arguments.nodes)
        check_languages(package)
        if any(map(shutil.which, NAMES)):
            check_browser(package, arguments.nodes)
        else:
            print("NOT RUN: no browser")
    finish()


main()
