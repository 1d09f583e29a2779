#!/usr/bin/env python3
"""How long moves took, in a real browser: shown while a game is played, after a restart, in the analysis, in the review and in
its page, from the list, and read from files of others: move_times.py PROGRAM [FOLDER]. Needs Chromium; photographs into the
folder."""

import sys
import time
from pathlib import Path

from board_page import begin, catch_files, mode, move, paste, photograph, plies, reload, run_parts, save, start_again
from browser import check

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None

CLOCKS = """[Red "甲"]
[Black "乙"]
[TimeControl "300+5"]

1. H2-E2 {[%clk 0:05:01]} H9-G7 {[%clk 0:03:33] a long thought} 2. H0-G2 {[%clk 0:04:56]} (2. B0-C2 {[%emt 0:00:42]}) I9-H9 {[%clk 0:03:31]} *
"""
TIMES = "$$('#tree .time').map((time) => time.textContent).join()"
SHOWN = "$$('#moves small').map((time) => time.textContent).join()"


def play(browser):
    """Two moves of red, with a thought before each."""
    begin(browser, seat="red")
    for count, (text, seconds) in enumerate([("h2e2", 1.3), ("h0g2", 2.2)], 1):
        time.sleep(seconds)
        move(browser, text)
        plies(browser, 2 * count)
    times = browser.value(SHOWN).split(",")
    check(times[0] in ["1s", "2s"] and len(times) >= 2 and "0s" not in times, f"moves of a second or more show their time: {times}")


def after_restart(browser):
    """The game goes on; a move that is taken back takes its time along."""
    times = browser.value(SHOWN)
    start_again(browser)
    browser.until("!$('#notice').hidden")
    browser.click("#notice button")
    mode(browser, "play")
    check(browser.until(f"{SHOWN} === '{times}'"), f"the times are there after a restart: {browser.value(SHOWN)}")
    mode(browser, "analyse")
    check(browser.until(f"{TIMES} === '{times}'"), f"and in the analysis: {browser.value(TIMES)}")
    mode(browser, "play")
    browser.click("[data-request=undo]")
    check(browser.until(f"chuheBoard.game.moves.length === 2 && {SHOWN}.length < {len(times)}"), "a move that is taken back takes its time along")
    time.sleep(1.2)
    move(browser, "b0c2")
    plies(browser, 4)
    mode(browser, "analyse")
    count = browser.value(SHOWN).count("s")
    check(browser.until(f"{TIMES}.split(',').length > {count} && chuheBoard.tree.nodes.length > 5"), f"the line before keeps its own: {browser.value(TIMES)}")


def in_list(browser):
    mode(browser, "play")
    browser.click("[data-request=resign]")
    browser.until("Boolean(chuheBoard.game.end)")
    times = browser.value(SHOWN)
    paste(browser, CLOCKS.encode())
    check(browser.until(f"{TIMES} === '4s,1:32,10s,42s,7s'"), f"clocks of others give times: {browser.value(TIMES)}")
    check(browser.value("chuheBoard.tree.nodes[2].comment === 'a long thought' && !$('#tree').textContent.includes('%clk')"), "and no signs for programs")
    photograph(browser, SHOTS, "analyse")
    catch_files(browser)
    save(browser, "pgn")
    browser.until("Boolean(window.saved)")
    browser.value("saved.content.text().then((text) => { window.savedText = text; })")
    check(browser.until("window.savedText?.includes('{[%clk 0:03:33] a long thought}') && savedText.includes('{[%emt 0:00:42]}')"), "the file has what was in it")
    mode(browser, "games")
    browser.until("$$('#gameRows li').length === 2")
    browser.value("$$('#gameRows li')[1].querySelector('.game-text').click()")
    check(browser.until(f"chuheBoard.mode === 'analyse' && {TIMES} === '{times}'"), f"a game of the list has its times: {browser.value(TIMES)}")
    browser.value("$('#reviewTime').value = '100'")
    mode(browser, "review")
    browser.value("$('#reviewGame').click()")
    check(browser.until(f"Boolean(chuheBoard.review) && {TIMES} === '{times}'"), "and in its review")
    check(reload(browser) and browser.until(f"{TIMES} === '{times}'"), "also after a reload")
    photograph(browser, SHOTS, "review")
    paste(browser, b"1. H2-E2 H9-G7 *")
    check(browser.until("chuheBoard.tree.nodes.length === 3 && $$('#tree .move').length === 2") and not browser.value(TIMES), "a game without times has none")


if __name__ == "__main__":
    run_parts([play, after_restart, in_list], prefix="chuhe-times-", width=1440, height=900)
