#!/usr/bin/env python3
"""The page for who does not see it, or has no mouse: axe at every place, light in a wide window and dark on a phone (with `all` in
both themes in each); lessons by keyboard alone, and what Chromium tells a screen reader of them; accessible.py PROGRAM [all]
[PART…]. Needs Chromium and axe-core (.ci/run installs it)."""

import sys

from board_page import AXE, at_rest, axe, begin, click_square, mode, more, open_record, plies, review, run_parts
from board_keyboard import move, press, tab_to
from browser import check
from train_page import ASKED, begin_ending, screen

PARTS = [name for name in sys.argv[2:] if name != "all"]
WINDOWS = [(1440, 900, False), (390, 844, True)]
SCREENS = ["today", "games", "cards", "learn", "openings", "tactics", "endings", "rulings", "pattern"]
GAME = '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 *\n'


def look(browser, what):
    for width, height, phone in WINDOWS:
        browser.screen(width, height, phone)
        for theme in ["light", "dark"] if "all" in sys.argv else ["dark" if phone else "light"]:
            browser.value(f"document.documentElement.dataset.theme = '{theme}'")
            at_rest(browser)
            axe(browser, f"{what}, {theme}, {width} x {height}")
    browser.value("document.documentElement.dataset.theme = 'light'")
    browser.screen(*WINDOWS[0])


def dialogs(browser):
    check(browser.until("$('[data-part=welcome]').checkVisibility()"), "the first question is there")
    look(browser, "the first question")
    browser.value("$('#newGame').click()")
    browser.until("$('#beginning').open")
    look(browser, "a new game")
    browser.click("#notBegin")
    more(browser)
    look(browser, "the menu of the rest")
    browser.value("$('#settings').open = true")
    look(browser, "the settings")
    browser.value("$('#settings').open = false")
    browser.value("document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))")
    browser.until("$('#question').open")
    look(browser, "the keys")
    browser.click("#question form button")


def places(browser):
    begin(browser)
    browser.until("chuheBoard.game.legal.length === 44")
    click_square(browser, "a3")
    click_square(browser, "a4")
    check(plies(browser, 2), "a game is played")
    browser.value("$('[data-request=resign]').click()")
    check(browser.until("Boolean(chuheBoard.game.end)"), "and given up")
    look(browser, "a game")
    for name in ["review", "games", "setup"]:
        mode(browser, name)
        look(browser, f"{name} before anything is there")
    check(open_record(browser, GAME.encode(), 9), "a game is there")
    look(browser, "analyse")
    check(review(browser), "a game is reviewed")
    look(browser, "review")
    mode(browser, "games")
    check(browser.until("Boolean($('[data-part=game]'))"), "a game is in the list")
    look(browser, "games")


def training(browser):
    for name in SCREENS:
        screen(browser, name)
        browser.until({
            "learn": f"$('[data-part=lesson]') && {ASKED}", "tactics": "Boolean($('#tacticRating')?.innerText)",
            "openings": "$('#openings')?.children.length > 0", "endings": "$$('[data-part=shelf]').length > 20",
        }.get(name, "true"))
        look(browser, f"train/{name}")
    screen(browser, "tactics")
    browser.click("#tacticLevel")
    browser.until(f"!$('#tacticParts').hidden && {ASKED}")
    look(browser, "a tactic")
    screen(browser, "rulings")
    begin_ending(browser, "attack", 1, "KRK")
    look(browser, "an ending")


def told(browser):
    """What Chromium tells a screen reader: roles and names, and the texts."""
    nodes = browser.ask("Accessibility.getFullAXTree")["nodes"]
    value = lambda node, key: node.get(key, {}).get("value") or ""
    return [(value(node, "role"), value(node, "name")) for node in nodes if not node.get("ignored")]


def by_keyboard(browser):
    """A lesson without a mouse: the task, the board, and what is said of a wrong move."""
    browser.value("location.hash = '#train/learn/1'")
    check(browser.until(f"location.hash === '#train/learn/1' && {ASKED}"), "a lesson is asked")
    lines = told(browser)
    task = browser.value("$('#lessonText').innerText")
    check(any(task in name for _, name in lines), f"the task is told: {task}")
    board = next((name for role, name in lines if role in ["application", "grid", "group", "img"] and "oard" in name), "")
    check("a4 Red rook" in board and "a6 Black pawn" in board, f"and the board: {board!r}")
    check(browser.value("$('#spoken').innerText") == task, "the task is said when the lesson opens")
    browser.value("$('.top h1').tabIndex = -1; $('.top h1').focus()")
    check(tab_to(browser, ".stage .board"), "the tabulator leads to the board")
    press(browser, "ArrowUp")
    move(browser, "a4a5")
    check(browser.until("$('#lessonSaid').innerText.includes('Not that one')"), "a wrong move is made by keys")
    check(any("Not that one" in name for _, name in told(browser)), "and what is said of it is told")
    check(browser.value("$('#spoken').getAttribute('aria-live') !== null && $('#spoken').innerText.includes('Not that one')"), "at once")
    browser.until(f"chuheBoard.lastPly === 0 && {ASKED}")
    move(browser, "a4a6")
    check(browser.until("document.activeElement?.id === 'lessonNext'"), "the right one leads to the next lesson")
    press(browser, "Enter")
    check(browser.until(f"location.hash === '#train/learn/2' && {ASKED}") and browser.value("Boolean(document.activeElement?.closest('.stage'))"), "which is at the board again")


if __name__ == "__main__":
    print("with axe" if AXE.exists() else "axe-core is not installed: places are not looked at")
    run_parts([part for part in [dialogs, places, training, by_keyboard] if not PARTS or part.__name__ in PARTS], prefix="chuhe-accessible-", width=1440, height=900)
