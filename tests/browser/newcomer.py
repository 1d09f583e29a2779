#!/usr/bin/env python3
"""Who sits down for the first time: the first question, the lessons, the level that goes with a person, the keys;
newcomer.py PROGRAM [FOLDER]. Needs Chromium; photographs into the folder."""

import json
import sys
from pathlib import Path

from board_page import LOADED, begin, mode, move, photograph, plies, reload, run_parts
from browser import check
from train_page import ASKED, TRAINING

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
LESSONS = json.loads((Path(__file__).parents[2] / "crates/board/src/page/train/lessons.json").read_text())
WELCOME = "$('[data-part=welcome]').checkVisibility()"


def first_question(browser, _):
    check(browser.until(WELCOME), "the first start asks one question")
    check(browser.value("$$('[data-part=welcome] button').length") == 3, "with three answers")
    photograph(browser, SHOTS, "welcome")
    move(browser, "h2e2")
    check(browser.until(f"chuheBoard.game.moves.length > 0 && !{WELCOME}"), "who just plays is not asked any more")
    browser.until("!chuheBoard.game.thinking")


def lessons(browser, _):
    browser.value("$('#newGame').click()")
    check(browser.until("$('#beginning').open"), "a new game")
    browser.value("$('#begin').elements.level.value = 1")
    browser.click("#begin .main")
    check(browser.until(f"{WELCOME}"), "before its first move the question is there again")
    browser.click("[data-part=welcome] button")
    check(browser.until(f"{TRAINING}.screen === 'learn' && $('[data-part=lesson]')?.checkVisibility()"), "the first answer leads to the lessons")
    check(browser.value("chuheBoard.game.strength") == "elo 1000", "and the first game is easy")
    check(browser.until("location.hash === '#train/learn/1'"), "each has an address")
    photograph(browser, SHOTS, "lesson")
    for number, lesson in enumerate(LESSONS, 1):
        if not browser.until(f"location.hash === '#train/learn/{number}' && {ASKED}", 15):
            check(False, f"lesson {number} is asked: {browser.value('location.hash')}")
            return
        if number == 1:
            wrong = browser.value(f"chuheBoard.legalMoves.find((move) => !{json.dumps(lesson['steps'][0])}.includes(move))")
            move(browser, wrong)
            check(browser.until("$('#lessonSaid').innerText.includes('Not that one')"), "another move is told so")
            browser.until(f"chuheBoard.lastPly === 0 && {ASKED}")
        for at in range(0, len(lesson["steps"]), 2):
            answers = lesson["steps"][at] or browser.value("chuheBoard.legalMoves")
            if lesson["goal"] == "free":
                answers = ["f5f4"]
            browser.until(f"{ASKED} && chuheBoard.lastPly === {at + len(lesson.get('before', []))}", 15)
            move(browser, answers[0])
        if not browser.until("$('#lessonNext').checkVisibility()", 15):
            check(False, f"lesson {number} is solved: {browser.value('$(`#lessonSaid`).innerText')}")
            return
        if number < len(LESSONS):
            browser.value("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }))")
    check(browser.value("$('#lessonSaid').innerText.includes('know how')"), "all forty are solved by moving")
    reload(browser)
    check(browser.until("$$('#lessonTopics small').length > 8 && $$('#lessonTopics small').every((one) => new Set(one.innerText.trim().split('/')).size === 1)"), "and that is remembered")


def own_level(browser, _):
    mode(browser, "play")
    check(not browser.value(WELCOME), "the question was answered")
    browser.value("$('#newGame').click()")
    check(browser.until("!$('#ownLevelRow').hidden && $('#ownLevel').checked"), "a new game is at the level of the person")
    text = browser.value("$('#ownLevelText').innerText")
    check("1000" in text or "Elo" in text, f"which is told: {text}")
    photograph(browser, SHOTS, "own-level")
    browser.value("$('#levelRange').value = '8.5'; $('#levelRange').dispatchEvent(new Event('input'))")
    check(browser.value("$('#levelToBegin').innerText") == "8½ · Elo 2240", "there are half steps between levels")
    browser.click("#ownLevel")
    browser.click("#begin .main")
    check(browser.until("chuheBoard.game.strength === 'elo 2240'"), "which are played")
    move(browser, "h2e2")
    browser.until("chuheBoard.game.moves.length === 2")
    browser.value("$$('[data-request=resign]')[0].click()")
    check(browser.until("Boolean(chuheBoard.game.end)"), "a game is lost")
    browser.value("$('#newGame').click()")
    check(browser.until("$('#ownLevelText').innerText.includes('without help: 1')"), f"and counts: {browser.value('$(`#ownLevelText`).innerText')}")
    browser.click("#ownLevel")
    browser.click("#begin .main")
    check(browser.until("chuheBoard.game.strength.startsWith('elo 1')"), "the next one is at the level of the person again")
    reload(browser)
    browser.value("$('#newGame').click()")
    check(browser.until("$('#ownLevel').checked"), "and the one after that")
    browser.click("#notBegin")


def comes_back(browser, _):
    """Another page, as on the next day: an opponent of the own level, and what was left is offered until it is decided."""
    begin(browser, seat="red")
    move(browser, "h2e2")
    check(plies(browser, 2), "a game is left in the middle")
    strength = browser.value("chuheBoard.game.strength")
    start = browser.value("sessionStorage.clear(); location.origin + location.pathname")
    browser.open("about:blank")
    browser.open(f"{start}#play")
    browser.until(LOADED)
    check(browser.until(f"chuheBoard.game.strength === '{strength}' && chuheBoard.game.moves.length === 0"), f"who comes back plays {strength}")
    check(browser.until("$('#notice').innerText.startsWith('Unfinished game: 2 moves')"), "and is offered to go on")
    mode(browser, "games")
    mode(browser, "play")
    check(browser.until("$('#notice').innerText.startsWith('Unfinished game')"), "also after another place was looked at")
    browser.click("#notice button")
    check(plies(browser, 2) and browser.value("chuheBoard.game.strength") == strength, "it goes on")
    mode(browser, "games")
    mode(browser, "play")
    check(browser.value("$('#notice').hidden"), "and is not offered again")


def keys(browser, _):
    for name, key in {"play": "takes a move", "analyse": "best move", "train": "the solution"}.items():
        mode(browser, name)
        browser.value("document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))")
        check(browser.until("$('#question').open && $$('#question table kbd').length > 8"), f"? shows a table of keys in {name}")
        first = browser.value("$('#question tbody').innerText")
        check(key in first, f"those of the place first: {first!r}")
        photograph(browser, SHOTS, f"keys-{name}")
        browser.click("#question form button")
        check(browser.until("!$('#question').open && !$('#question table')"), "and closes it")


if __name__ == "__main__":
    run_parts([first_question, lessons, own_level, comes_back, keys], None, prefix="chuhe-newcomer-")
