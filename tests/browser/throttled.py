#!/usr/bin/env python3
"""How fast the page is on a processor slowed four times: its first board, and a move after the click, in *Play* and in *Train*;
throttled.py PROGRAM [--times N] [--profile FILE]. Prints the best and the median of N, and the load; asserts only what is far off,
as others may use the machine. Needs Chromium."""

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median

from board_page import LOADED, at, begin, board_in_browser, click_at
from browser import check, finish

SLOWER = 4
# What is wanted, in milliseconds, and what is refused.
BOARD, MOVE = (1500, 6000), (50, 500)

# Notes when the board is seen with its pieces: after the frame that has them.
WATCH = """{
    const look = () => requestAnimationFrame(() => {
        const pieces = document.querySelectorAll(".stage .board .pieces use").length;
        if (pieces && READY) setTimeout(() => { window.boardAt = performance.now(); });
        else look();
    });
    look();
}"""


def slow(browser, is_slow=True):
    browser.ask("Emulation.setCPUThrottlingRate", rate=SLOWER if is_slow else 1)


def first_board(browser, address, ready):
    browser.open("about:blank")
    script = browser.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH.replace("READY", ready))["identifier"]
    slow(browser)
    browser.ask("Page.navigate", url=address)
    browser.until("window.boardAt > 0", 60)
    time = browser.value("boardAt")
    slow(browser, False)
    browser.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    browser.until(LOADED)
    return time


def traced(browser, act):
    """What the browser did meanwhile."""
    browser.ask("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink"]})
    before = len(browser.events)
    act()
    browser.ask("Tracing.end")
    browser.await_event("Tracing.tracingComplete", before)
    found = [event["params"]["value"] for event in browser.events[before:] if event.get("method") == "Tracing.dataCollected"]
    return [one for part in found for one in part]


def shown(browser, move):
    """The time from the second press until the page has handed over the picture with the move."""
    (x0, y0), (x1, y1) = at(browser, move[:2]), at(browser, move[2:])
    slow(browser)
    click_at(browser, x0, y0)
    browser.value("new Promise((go) => setTimeout(go, 300))")

    def act():
        click_at(browser, x1, y1)
        browser.value("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go, 100))))")

    events = traced(browser, act)
    slow(browser, False)
    down = next(event for event in events if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "pointerdown")
    ends = [event["ts"] + event["dur"] for event in events if event["name"] == "Commit" and event["tid"] == down["tid"] and event["ts"] > down["ts"]]
    return (min(ends) - down["ts"]) / 1000


def play(browser):
    begin(browser, seat="red", level=1)
    move = browser.value("chuheBoard.legalMoves.find((move) => move[0] === move[2])")
    time = shown(browser, move)
    browser.until("chuheBoard.game.moves.length >= 2 && !chuheBoard.game.thinking")
    return time


def tactic(browser):
    browser.value("location.hash = '#train/tactics'")
    browser.until("$('#tacticLevel')?.checkVisibility()")
    browser.click("#tacticLevel")
    browser.until("!$('#tacticParts').hidden && chuheBoard.legalMoves.length > 0 && chuheBoard.lastPly === 0")
    time = shown(browser, browser.value("chuheBoard.legalMoves[0]"))
    browser.until("$('#tacticSaid').className !== 'said is-ask'")
    browser.click("#tacticEnd")
    return time


def report(name, times, limits):
    wanted, refused = limits
    best = min(times)
    print(f"{name}: best {best:.0f} ms, median {median(times):.0f} ms of {len(times)} (wanted {wanted} ms, load {os.getloadavg()[0]:.1f})")
    check(best < refused, f"{name} is not far off")


def profile(browser, path, act):
    """Writes the functions in which most time went."""
    browser.ask("Profiler.enable")
    browser.ask("Profiler.setSamplingInterval", interval=200)
    browser.ask("Profiler.start")
    act()
    found = browser.ask("Profiler.stop")["profile"]
    own, names = {}, {}
    for node in found["nodes"]:
        frame = node["callFrame"]
        names[node["id"]] = f"{frame['functionName'] or '(anonymous)'} {frame['url'].split('/')[-1]}:{frame['lineNumber'] + 1}"
    for sample, delta in zip(found["samples"], found["timeDeltas"]):
        own[names[sample]] = own.get(names[sample], 0) + delta / 1000
    lines = [f"{time:8.1f} ms  {name}" for name, time in sorted(own.items(), key=lambda item: -item[1])[:40]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chuhe", type=Path)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--profile", type=Path)
    arguments = parser.parse_args()
    program = str(arguments.chuhe.resolve())
    with tempfile.TemporaryDirectory(prefix="chuhe-throttled-") as home, board_in_browser(program, home, 1440, 900) as browser:
        start = browser.value("location.origin + location.pathname")
        places = {"Play": ("#play", "true"), "Train": ("#train", "document.querySelector('#todayText')?.innerText")}
        for name, (place, ready) in places.items():
            report(f"{name}, first board", [first_board(browser, start + place, ready) for _ in range(arguments.times)], BOARD)
        browser.value("location.hash = '#play'")
        for name, once in {"Play": play, "Train, a tactic": tactic}.items():
            report(f"{name}, a move", [once(browser) for _ in range(arguments.times)], MOVE)
        if arguments.profile:
            profile(browser, arguments.profile.with_suffix(".board"), lambda: first_board(browser, start + "#train", "true"))
            browser.value("location.hash = '#play'")
            profile(browser, arguments.profile.with_suffix(".move"), lambda: play(browser))
    finish()


if __name__ == "__main__":
    main()
