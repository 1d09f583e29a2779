#!/usr/bin/env python3
"""A week of training in the board of static hosts, on a small phone without a network: games in, their review, an exercise
wrong and right, days that pass, endings, a sheet, the cards on another device, and two tabs.

    tests/browser/web_train.py chuhe-board-web-VERSION.zip PROGRAM [--shots FOLDER]

Needs Chromium; the program, which is the native one, wins an ending.
"""

import argparse
import json
from contextlib import contextmanager
from pathlib import Path

from board_page import catch_files, tap_move
from browser import check, finish
from train_page import (
    ENDING, GAMES, PHASE, QUESTION, TRAINING, aged, ask, begin_ending, choose_files, days_pass, give_away, pgn, screen, win_ending,
)
from web_faults import tab
from web_host import READY, WORKS_OFFLINE, site_in_browser

TODAY = f"{TRAINING}.today"
NOTICE = "$('#notice').innerText"


def tap(browser, selector):
    browser.tap(*browser.still(selector))


def visit(browser, address):
    browser.screen(390, 664, phone=True)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.open(address)
    return browser.until(READY)


def games_in(browser, shots):
    screen(browser, "today")
    tap(browser, "#toGames")
    choose_files(browser, "trainFiles", [[f"game-{number}.pgn", pgn([game])] for number, game in enumerate(GAMES)])
    browser.until("$('#playerNames button')?.dataset.name === '甲'")
    check(browser.value("$('#thatIsMe').disabled && $('#thatIsMe').title.length > 5"), "what cannot be used yet says why")
    browser.tap(*browser.value("(({ left, top, width, height }) => [left + width / 2, top + height / 2])($('#thatIsMe').getBoundingClientRect())"))
    check(browser.until(f"{NOTICE}.includes('names')", 5), "also to a finger")
    tap(browser, "#playerNames button")
    tap(browser, "#thatIsMe")
    check(browser.until(f"{TODAY}.queue.done === 3 && {TODAY}.cards >= 3", 120), "games are reviewed without a network")
    screen(browser, "today")
    shots.take("today", every=True)
    # Nothing is lost with the page.
    count = browser.value(f"{TODAY}.cards")
    browser.reload()
    browser.until(READY)
    screen(browser, "today")
    check(browser.until(f"{TODAY}?.cards === {count} && {TODAY}.queue.games === {TODAY}.queue.done"), "a reload keeps the cards")


def exercises(browser, shots):
    tap(browser, "#beginTraining")
    browser.until(f"{PHASE} === 'ask' && chuheBoard.legalMoves.length > 5")
    asked = browser.value(QUESTION)
    shots.take("question", every=True)
    tap_move(browser, asked["played"]["iccs"])
    check(browser.until(f"{PHASE} === 'wrong'"), "the mistake is wrong again")
    check(browser.until(f"chuheBoard.ply > {len(asked['moves'])} + 1"), "and refuted on the board")
    shots.take("wrong", every=True)
    tap(browser, "#goOnExercise")
    browser.until(f"{PHASE} === 'ask' && chuheBoard.ply === {len(asked['moves'])}")
    tap_move(browser, ask(browser, "show", id=asked["id"])["best"])
    check(browser.until(f"{PHASE} === 'right'"), "the best move is right")
    shots.take("right", every=True)
    tap(browser, "#goOnExercise")
    browser.until(f"{QUESTION}?.id !== '{asked['id']}' && {PHASE} === 'ask' && chuheBoard.legalMoves.length > 0")
    second = browser.value(QUESTION)
    tap_move(browser, ask(browser, "show", id=second["id"])["best"])
    check(browser.until(f"{PHASE} === 'right' && {TRAINING}.exercise.rating === 3"), "one that is right at once")
    tap(browser, "#endExercise")
    browser.until(f"{TRAINING}.screen === 'today'")
    return asked["id"], second["id"]


def days(browser, wrong, right):
    due = f"{TODAY}.due.mistake"
    rest = ask(browser, "today")["due"]["mistake"]
    days_pass(browser, 1)
    check(browser.until(f"{due} === {rest} + 1"), "on the next day the wrong one is due again")
    answers = {card["id"]: card["answers"] for card in ask(browser, "cards", **{"from": 0}, count=60)["cards"]}
    check(answers[wrong] == 1 and answers[right] == 1, "with their answers")
    days_pass(browser, 0)


def endings(browser, program, shots):
    begin_ending(browser, "attack", 1, "KRK")
    check(win_ending(browser, program, tap_move) == "passed", "an ending is won")
    cards = ask(browser, "cards", **{"from": 0}, count=1)["total"]
    give_away(browser, "KRKAABB", tap_move)
    check(browser.value(f"{ENDING}.state") == "spoiled", f"one is given away: {browser.value('$(`#endingSaid`).innerText')!r}")
    shots.take("spoiled", every=True)
    screen(browser, "today")
    check(browser.until(f"{TODAY}.cards === {cards} + 1"), "and is a card")


def files(browser):
    """A sheet, and all cards as a file."""
    screen(browser, "cards")
    count = browser.value(f"{TODAY}.cards")
    browser.until(f"$$('[data-part=card]').length === {count}")
    for number in [1, 2, 3]:
        tap(browser, f"[data-part=card]:nth-child({number}) input")
    catch_files(browser)
    tap(browser, "#sheetOfChosen")
    tap(browser, "#sheetDialog [value=save]")
    check(browser.until("window.saved && saved.name.endsWith('.html')"), "a sheet is saved")
    check(browser.value("saved.content.text()").count("<svg") >= 3, "with its diagrams")
    browser.value("window.saved = null")
    tap(browser, ".menu.up summary")
    tap(browser, "[data-export-cards=all]")
    check(browser.until("window.saved && saved.name.endsWith('.jsonl')"), "all cards are a file")
    return browser.value("saved.content.text()")


@contextmanager
def other_device(browser):
    """A tab with a storage of its own."""
    session, browser.session = browser.session, None
    context = browser.ask("Target.createBrowserContext")["browserContextId"]
    browser.session = session
    with tab(browser, browserContextId=context):
        yield
    browser.session = None
    browser.ask("Target.disposeBrowserContext", browserContextId=context)
    browser.session = session


def second_device(browser, host, file):
    count = browser.value(f"{TODAY}.cards")
    with other_device(browser):
        visit(browser, host.address)
        screen(browser, "cards")
        choose_files(browser, "cardFile", [["train.jsonl", aged(file, 40)]])
        tap(browser, "#importDialog [value=own]")
        lines = [json.loads(line) for line in file.splitlines()]
        answered = {line["answer"]["card"] for line in lines if "answer" in line}
        check(browser.until(f"{TODAY}?.cards === {count}"), "the cards come to another device")
        cards = {card["id"]: card["answers"] for card in ask(browser, "cards", **{"from": 0}, count=60)["cards"]}
        check({id for id, answers in cards.items() if answers} == answered and len(answered) >= 2, "with all answers")
        check(browser.until(f"Object.values({TODAY}.due).reduce((sum, due) => sum + due) >= {len(answered)}"), "which are due again forty days later")


def two_tabs(browser, host, id):
    """One of two tabs writes, the other says that it does not, and nothing is lost."""
    count = browser.value(f"{TODAY}.cards")
    with tab(browser):
        visit(browser, host.address)
        check(browser.until("$('#shell').innerText.includes('another tab')"), "the second tab says that it keeps nothing")
        screen(browser, "cards")
        check(browser.until(f"{TODAY}?.cards === {count}"), "and has the same cards")
        ask(browser, "drop", ids=[id])
        check(browser.until("true") and ask(browser, "cards", **{"from": 0}, count=1)["total"] == count - 1, "where a card may be dropped")
    ask(browser, "edit", id=id, flagged=True)
    browser.reload()
    browser.until(READY)
    cards = ask(browser, "cards", **{"from": 0}, count=60)["cards"]
    check(len(cards) == count and next(card for card in cards if card["id"] == id)["flagged"], "what the first tab has is kept")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--shots", type=Path, help="photograph the screens into this folder")
    arguments = parser.parse_args()
    with site_in_browser(arguments.archive, arguments.shots) as (host, browser, shots):
        visit(browser, host.address)
        check(browser.until(WORKS_OFFLINE), "the page keeps itself")
        check(browser.until("caches.match('tables.bin').then(Boolean)"), "and the endgame tables, which come last")
        host.stop()
        check(visit(browser, host.address), "and needs no network")
        games_in(browser, shots)
        wrong, right = exercises(browser, shots)
        days(browser, wrong, right)
        endings(browser, str(arguments.program.resolve()), shots)
        file = files(browser)
        host.start()
        second_device(browser, host, file)
        two_tabs(browser, host, wrong)
    finish()


if __name__ == "__main__":
    main()
