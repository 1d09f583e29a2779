#!/usr/bin/env python3
"""Tactics in a real browser: at the level of the person, a wrong move, by theme, a run, a file of one's own; tactics.py PROGRAM
[FOLDER]. Needs Chromium; photographs into the folder."""

import json
import subprocess
import sys
from pathlib import Path

from board_page import move, photograph, reload, run_parts
from browser import check
from train_page import TRAINING, ask, screen

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
# Keeps the tactic that the program has sent last.
LISTEN = """const real = window.fetch; window.fetch = async (...words) => {
    const answer = await real(...words);
    const reply = await answer.clone().json().catch(() => null);
    if (reply?.fen && reply.difficulty) window.lastTactic = reply;
    return answer;
}; 0"""
ASKED = "!$('#tacticParts').hidden && $('#tacticSaid').className === 'said is-ask' && chuheBoard.legalMoves.length > 0"


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
    photograph(browser, SHOTS, "tactics-empty")
    browser.click("#withoutGames [data-screen-of=tactics]")
    check(browser.until("$('#tacticRating')?.innerText.includes('1100')"), "the rating is there")
    check(browser.value("$$('#tacticThemes button').length") > 8, "and the themes")
    photograph(browser, SHOTS, "tactics-start")


def at_level(browser, tactics):
    browser.click("#tacticLevel")
    check(browser.until(ASKED), "a tactic is asked")
    solve(browser, tactics)
    check(browser.until("$('#tacticSaid').className === 'said is-right' && $('#tacticNotes').innerText.includes('Rating')"), "it is solved, and the rating moves")
    check("(+" in browser.value("$('#tacticNotes').innerText"), "upwards")
    notes = browser.value("$('#tacticNotes').innerText")
    check("Difficulty" in notes and "your rating" in notes and "From a game" in notes, f"its difficulty beside mine, and where it comes from: {notes}")
    check(browser.value("$$('#tacticOthers [data-theme]').length") > 0, "its themes lead to others")
    photograph(browser, SHOTS, "tactics-solved")
    browser.click("#tacticNext")
    check(browser.until(ASKED), "another one is asked")
    right = solution(browser, tactics)[0]
    other = browser.value(f"chuheBoard.legalMoves.find((mv) => mv !== '{right}')")
    move(browser, other)
    check(browser.until("$('#tacticSaid').className !== 'said is-ask'"), "another move is judged")
    if browser.value("$('#tacticSaid').className") == "said is-wrong":
        check(browser.until("$('#tacticNotes').innerText.includes('card')"), "a wrong one becomes a card")
        check(browser.until("/^[.\\s\\S]*\\d of \\d: ./.test($('#tacticLine').innerText)"), "and is refuted, a move at a time")
        why = browser.value("$('#tacticWhy').innerText")
        check(len(why) > 10 and why.endswith("."), f"a sentence says what the answer does: {why}")
        browser.until("chuheBoard.ply === chuheBoard.lastPly")
        last = browser.value("chuheBoard.ply")
        browser.click("#tacticBack")
        check(browser.until(f"chuheBoard.ply === {last - 1}"), "which is stepped through on the board")
        browser.click("#tacticReplay")
        check(browser.until(f"chuheBoard.ply === chuheBoard.lastPly"), "and played again")
        photograph(browser, SHOTS, "tactics-wrong")
        browser.click("#tacticAgain")
        check(browser.until(ASKED), "it is tried again")
        browser.click("#tacticShow")
        check(browser.until("$('#tacticSaid').innerText.includes('solution')"), "the solution is shown")
        check(browser.until(f"{TRAINING}.today.cards === 1"), "there is one card")
    browser.click("#tacticEnd")
    check(browser.until("!$('#tacticStart').hidden"), "and back")
    before = browser.value("[innerWidth, innerHeight]")
    browser.screen(1440, 900)
    check(browser.until("$('#tacticWeek').checkVisibility() && $$('#tacticWeek [data-again]').length === 2 && Boolean($('#tacticWeek .curve'))"), "a wide window has the week and the last ones")
    again = browser.value("$$('#tacticWeek [data-again]')[1].dataset.again")
    browser.click("#tacticWeek [data-again]:nth-child(2)")
    check(browser.until(f"{ASKED} && location.hash === '#train/tactics/{again}'"), "a click leads back to one, at its address")
    browser.click("#tacticEnd")
    browser.screen(*before)


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
    photograph(browser, SHOTS, "tactics-run")
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
    photograph(browser, SHOTS, "tactics-over")


def week(browser, _):
    screen(browser, "pattern")
    check(browser.until("$('#tacticsWeek').innerText.includes('last seven days')"), "the pattern has the numbers of the week")
    photograph(browser, SHOTS, "tactics-pattern")
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
    check("error" in ask(browser, "tactics-file", bytes="bm8gdGFjdGlj", name="note.txt"), "one that is none is refused")
    browser.click("#tacticOwn")
    check(browser.until(f"$('#tacticCount').innerText.includes('{len(tactics)}')"), "and closed again")


def listen(browser, _):
    browser.value(LISTEN)


def main():
    command = [sys.argv[1], "tactics", "list", "--json"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    tactics = [json.loads(line) for line in listed.splitlines()]
    run_parts([listen, empty, at_level, by_theme, run, week, own_file], tactics, prefix="chuhe-tactics-")


if __name__ == "__main__":
    main()
