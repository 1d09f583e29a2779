#!/usr/bin/env python3
"""Tactics in a real browser: at the level of the person, a wrong move, by theme, a run, a file of one's own; tactics.py PROGRAM
[FOLDER]. Needs Chromium; photographs into the folder."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from board_page import LOADED, Board, move, reload, speak
from browser import Browser, check
from train_page import TRAINING, ask, screen

SIZES = [(1440, 900, False), (1366, 657, False), (390, 844, True), (390, 664, True)]
SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
# Keeps the tactic that the program has sent last.
LISTEN = """const real = window.fetch; window.fetch = async (...words) => {
    const answer = await real(...words);
    const reply = await answer.clone().json().catch(() => null);
    if (reply?.fen && reply.difficulty) window.lastTactic = reply;
    return answer;
}; 0"""
ASKED = "!$('#tacticParts').hidden && $('#tacticSaid').className === 'said is-ask' && chuheBoard.legalMoves.length > 0"


def photograph(browser, name):
    if not SHOTS:
        return
    SHOTS.mkdir(parents=True, exist_ok=True)
    for width, height, phone in SIZES:
        browser.screen(width, height, phone)
        for language in ["zh", "en"]:
            speak(browser, language)
            for theme in ["light", "dark"]:
                browser.value(f"document.documentElement.dataset.theme = '{theme}'")
                browser.photograph(SHOTS / f"tactics-{name}-{width}x{height}-{language}-{theme}.png", whole=False)
    browser.value("document.documentElement.dataset.theme = 'light'")
    browser.screen(1280, 720)


def asked(browser, tactics):
    """The tactic on the board."""
    fen = browser.value("lastTactic.fen").split()[:2]
    return next(tactic for tactic in tactics if tactic["fen"].split()[:2] == fen)


def solution(browser, tactics):
    """The moves that solve the tactic on the board."""
    return asked(browser, tactics)["moves"]


def solve(browser, tactics):
    """Plays the moves of the solver; the program answers."""
    moves = solution(browser, tactics)
    for index in range(0, len(moves), 2):
        browser.until(f"{ASKED} && chuheBoard.lastPly === {index} && chuheBoard.ply === {index}")
        move(browser, moves[index])
    return moves


def empty(browser, _):
    screen(browser, "today")
    check(browser.until("!$('#withoutGames').hidden"), "who has no games is offered something")
    offered = browser.value("$$('#withoutGames button').map((button) => button.dataset.screenOf).join()")
    check(offered == "tactics,endings,rulings", f"tactics, endings and rulings: {offered}")
    photograph(browser, "empty")
    browser.click("#withoutGames [data-screen-of=tactics]")
    check(browser.until("$('#tacticRating')?.innerText.includes('1100')"), "the rating is there")
    check(browser.value("$$('#tacticThemes button').length") > 8, "and the themes")
    photograph(browser, "start")


def at_level(browser, tactics):
    browser.click("#tacticLevel")
    check(browser.until(ASKED), "a tactic is asked")
    solve(browser, tactics)
    check(browser.until("$('#tacticSaid').className === 'said is-right' && $('#tacticNotes').innerText.includes('Rating')"), "it is solved, and the rating moves")
    check("(+" in browser.value("$('#tacticNotes').innerText"), "upwards")
    photograph(browser, "solved")
    browser.click("#tacticNext")
    check(browser.until(ASKED), "another one is asked")
    right = solution(browser, tactics)[0]
    other = browser.value(f"chuheBoard.legalMoves.find((mv) => mv !== '{right}')")
    move(browser, other)
    check(browser.until("$('#tacticSaid').className !== 'said is-ask'"), "another move is judged")
    if browser.value("$('#tacticSaid').className") == "said is-wrong":
        check(browser.until("$('#tacticNotes').innerText.includes('card')"), "a wrong one becomes a card")
        check(browser.until("$('#tacticLine').innerText.length > 2"), "and is refuted")
        photograph(browser, "wrong")
        browser.click("#tacticAgain")
        check(browser.until(ASKED), "it is tried again")
        browser.click("#tacticShow")
        check(browser.until("$('#tacticSaid').innerText.includes('solution')"), "the solution is shown")
        check(browser.until(f"{TRAINING}.today.cards === 1"), "there is one card")
    browser.click("#tacticEnd")
    check(browser.until("!$('#tacticStart').hidden"), "and back")


def by_theme(browser, tactics):
    key = browser.value("$('#tacticThemes button').dataset.theme")
    browser.click("#tacticThemes button")
    check(browser.until(ASKED), "a theme is practised")
    check(key in asked(browser, tactics)["themes"], f"it has the theme {key}")
    browser.click("#tacticEnd")


def run(browser, tactics):
    browser.until("!$('#tacticStart').hidden")
    browser.click("#tacticBegin")
    check(browser.until(f"{ASKED} && /^[23]:/.test($('#tacticRun').innerText)"), "the clock of a run is seen")
    photograph(browser, "run")
    solve(browser, tactics)
    check(browser.until("$('#tacticRun').innerText.includes('1 solved')"), "what is solved is counted")
    for wrong in range(1, 4):
        browser.until(f"{ASKED} && chuheBoard.lastPly === 0")
        right = solution(browser, tactics)[0]
        for other in browser.value("chuheBoard.legalMoves"):
            if other != right:
                break
        move(browser, other)
        browser.until(f"$('#tacticRun').innerText.includes('{wrong} wrong') || !$('#tacticStart').hidden")
    check(browser.until("!$('#tacticStart').hidden && $('#tacticRunOver').innerText.includes('over')"), "three wrong ones end it")
    check(browser.until("$('#tacticBest').innerText.includes('best')"), "the best run is kept")
    photograph(browser, "over")


def week(browser, _):
    screen(browser, "pattern")
    check(browser.until("$('#tacticsWeek').innerText.includes('last seven days')"), "the pattern has the numbers of the week")
    photograph(browser, "pattern")
    reload(browser)
    screen(browser, "tactics")
    check(browser.until("$('#tacticRating') && !$('#tacticRating').innerText.includes('1100 ±')"), "the rating is kept")


def own_file(browser, tactics):
    lines = "".join(json.dumps(tactic) + "\n" for tactic in tactics[:3])
    browser.value(
        f"((text) => {{ const data = new DataTransfer(); data.items.add(new File([text], 'club.jsonl')); $('#tacticFile').files = data.files;"
        f" $('#tacticFile').dispatchEvent(new Event('change')); }})({json.dumps(lines)})"
    )
    check(browser.until("$('#tacticCount').innerText.includes('club.jsonl: 3')"), "a file is opened")
    check("error" in ask(browser, "tactics-file", bytes="bm8gdGFjdGlj", name="note.txt", own=False), "one that is none is refused")
    browser.click("#tacticOwn")
    check(browser.until(f"$('#tacticCount').innerText.includes('{len(tactics)}')"), "and closed again")


def main():
    program = str(Path(sys.argv[1]).resolve())
    listed = subprocess.run([program, "tactics", "list", "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    tactics = [json.loads(line) for line in listed.splitlines()]
    with tempfile.TemporaryDirectory(prefix="chuhe-tactics-") as folder:
        board, browser = Board(program, Path(folder)), Browser()
        try:
            browser.screen(1280, 720)
            browser.open(board.address)
            browser.until(LOADED)
            speak(browser, "en")
            browser.value(LISTEN)
            for part in [empty, at_level, by_theme, run, week, own_file]:
                print(f"-- {part.__name__}", flush=True)
                part(browser, tactics)
            check(not browser.faults(), f"no faults: {browser.faults()[:2]}")
        finally:
            browser.close()
            board.close()
    print(f"{check.passed} checks passed, {check.failed} failed")
    sys.exit(check.failed > 0)


if __name__ == "__main__":
    main()
