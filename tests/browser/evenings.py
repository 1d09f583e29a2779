#!/usr/bin/env python3
"""Two first evenings, as a person spends them, with pictures: of who is new to the game, and of who plays in a club; evenings.py
PROGRAM FOLDER [LANGUAGE]. Needs Chromium. The days after come by the person's clock."""

import sys
from pathlib import Path

from board_page import at_rest, begin, click_square, mode, move, open_record, review, run_parts, speak
from browser import check
from train_page import ASKED, PHASE, TRAINING, days_pass, screen

FOLDER = Path(sys.argv[2])
LANGUAGE = sys.argv[3] if len(sys.argv) > 3 else "en"
PHONE, DESKTOP = (390, 844, True), (1440, 900, False)
GAME = '[Red "甲"]\n[Black "乙"]\n[Date "2026.11.28"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 炮五进四 马7进5 4. 马三退五 车8进4 5. 兵三进一 卒5进1 *\n'


def take(browser, name):
    """A picture of the window, once nothing moves."""
    at_rest(browser)
    browser.photograph(FOLDER / f"{name}.png", whole=False)


def dress(browser, window, theme):
    browser.screen(*window)
    speak(browser, LANGUAGE)
    browser.value(f"document.documentElement.dataset.theme = '{theme}'")


def answer(browser, count_of_moves):
    """Moves of a game, any that are legal, which a newcomer finds."""
    for number in range(count_of_moves):
        if browser.value("Boolean(chuheBoard.game.end)"):
            return
        browser.until("chuheBoard.game.legal.length > 0 && !chuheBoard.game.thinking && chuheBoard.legalMoves.length > 0")
        count, legal = browser.value("[chuheBoard.game.moves.length, chuheBoard.game.legal]")
        move(browser, "h2e2" if not count else legal[(7 * number) % len(legal)])
        browser.until(f"chuheBoard.game.moves.length >= {count + 2} && !chuheBoard.game.thinking || Boolean(chuheBoard.game.end)")


def newcomer(browser):
    """On a phone, in the dark: the first question, lessons, a game that is lost, its review, its mistakes; three days later."""
    dress(browser, PHONE, "dark")
    check(browser.until("$('[data-part=welcome]').checkVisibility()"), "the first question")
    take(browser, "newcomer-1-question")
    browser.click("[data-part=welcome] button")
    check(browser.until(f"$('[data-part=lesson]')?.checkVisibility() && {ASKED}"), "the first lesson")
    click_square(browser, "a4")
    take(browser, "newcomer-2-lesson")
    click_square(browser, "a5")
    check(browser.until("$('#lessonSaid').innerText.length > 0"), "a wrong move")
    take(browser, "newcomer-3-wrong")
    browser.until(ASKED)
    move(browser, "a4a6")
    browser.click("#lessonNext")
    check(browser.until(f"location.hash === '#train/learn/2' && {ASKED}"), "the next lesson")
    mode(browser, "play")
    answer(browser, 6)
    take(browser, "newcomer-4-game")
    if not browser.value("Boolean(chuheBoard.game.end)"):
        browser.value("$('[data-request=resign]').click()")
    check(browser.until("Boolean(chuheBoard.game.end)"), "a game is lost")
    check(browser.until("/%/.test($('#endReview').innerText)"), "and its review comes by itself")
    take(browser, "newcomer-5-end")
    browser.click("#reviewGame")
    check(browser.until("Boolean(chuheBoard.review)"), "it is looked at")
    take(browser, "newcomer-6-review")
    days_pass(browser, 3)
    screen(browser, "today")
    check(browser.until(f"{TRAINING}.today.cards > 0"), "three days later there are cards")
    take(browser, "newcomer-7-later")
    browser.click("#beginTraining")
    check(browser.until(f"{PHASE} === 'ask' && chuheBoard.legalMoves.length > 0"), "the first of them")
    take(browser, "newcomer-8-card")
    browser.click("#showExercise")
    check(browser.until(f"{PHASE} !== 'ask'"), "its answer")


def club_player(browser):
    """On a wide screen: a game of the club, its review, an opening, tactics, a game at level twelve."""
    dress(browser, DESKTOP, "light")
    mode(browser, "play")
    open_record(browser, GAME.encode(), 11)
    check(browser.until("chuheBoard.analysis?.depth > 8"), "a game of the club is analysed")
    take(browser, "club-1-analysis")
    check(review(browser), "and reviewed")
    take(browser, "club-2-review")
    mode(browser, "games")
    check(browser.until("$$('[data-part=game]').length >= 2"), "it is in the list")
    take(browser, "club-3-games")
    screen(browser, "tactics")
    browser.until("$('#tacticLevel')?.checkVisibility()")
    browser.click("#tacticLevel")
    check(browser.until(f"!$('#tacticParts').hidden && {ASKED}"), "a tactic")
    take(browser, "club-4-tactic")
    move(browser, browser.value("chuheBoard.legalMoves[0]"))
    check(browser.until("$('#tacticSaid').className !== 'said is-ask'"), "is answered")
    take(browser, "club-5-answer")
    screen(browser, "endings")
    check(browser.until("$$('[data-part=shelf]').length > 20"), "the endings")
    take(browser, "club-6-endings")
    # The level by hand, not that of the newcomer.
    browser.value("$('#newGame').click()")
    browser.until("$('#beginning').open && !$('#ownLevelRow').hidden")
    browser.click("#ownLevel")
    begin(browser, seat="black", level=12)
    check(browser.until("chuheBoard.game.moves.length === 1 && !chuheBoard.game.thinking"), "a game")
    check(browser.value("chuheBoard.game.strength") == "level 12", "at level twelve")
    take(browser, "club-7-game")
    days_pass(browser, 6)
    screen(browser, "pattern")
    take(browser, "club-8-week")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    run_parts([newcomer, club_player], prefix="chuhe-evenings-")
