#!/usr/bin/env python3
"""A week at the board in a real browser: each day a game is reviewed with one click, and after each restart all reviews are
there, in the list and with the games. Also what the board says of a score, and the small things of every day.

    tests/browser/kept_reviews.py target/release/chuhe [FOLDER]

Needs Chromium; photographs into the folder.
"""

import sys
from pathlib import Path

from board_page import LOADED, begin, mode, move, photograph, plies, reload, run_parts, start_again
from browser import check

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
DAY = 24 * 3600 * 1000
# The first moves of red, one for each day.
FIRST = ["h2e2", "b2e2", "h0g2", "b0c2", "c3c4", "g3g4", "h2f2"]
REVIEWED = "$$('#gameRows li[data-reviewed=\"true\"]').length"
FOUND = "Boolean(chuheBoard.review) && !$('#found').hidden && $('#busy').hidden"


def next_day(browser):
    """The program is started again on the next day, by the clock of the page."""
    source = f"(() => {{ const now = Date.now; Date.now = () => now() + {DAY}; }})()"
    browser.ask("Page.addScriptToEvaluateOnNewDocument", source=source)
    start_again(browser)
    check(browser.value("$('#notice').hidden"), "nothing is wrong after the restart")


def play_and_review(browser, first):
    """A short game that ends, and its review by the card at its end."""
    begin(browser)
    browser.until("chuheBoard.game.legal.length === 44")
    move(browser, first)
    check(plies(browser, 2), f"{first} is answered")
    browser.click("[data-request=resign]")
    browser.until("chuheBoard.game.end && !$('#ending').hidden")
    browser.value("$('#reviewTime').value = '100'")
    browser.click("#reviewGame")
    check(browser.until(FOUND), "one click reviews the game")
    told = browser.value("$('#story').textContent")
    check("worst mistake" in told or "Neither side" in told, f"in words: {told}")
    names = browser.value("$('#tags strong').innerText + ' / ' + $('#below b').innerText + ' / ' + $('#above b').innerText")
    check(names == "You 0-1 Chuhe, level 1 / You / Chuhe, level 1", f"players have the names that they had in the game: {names}")
    check(browser.value("$('#tree').dataset.reviewed") == "true", "the open game bears that it has a review")


def phone_review(browser):
    """On a low phone moves are in sight, and what decided and the phases can be scrolled to."""
    browser.screen(390, 664, phone=True)
    height = "$('[data-mode=review] .listing').getBoundingClientRect()"
    check(browser.value(f"{height}.height >= 70 && {height}.bottom <= $('.dock').getBoundingClientRect().top + 1"), "three rows of moves are in sight")
    browser.value("$('.panel').scrollTop = 9999")
    seen = "$('#phases').getBoundingClientRect().bottom <= $('.dock').getBoundingClientRect().top + 1 && $('#phases').checkVisibility()"
    check(browser.value(seen), "and the phases below them")
    browser.screen(1440, 900)


def small_things(browser):
    """Scores, keys, a clock of one's own, the notation of moves, and that resigning against a person is asked about."""
    mode(browser, "analyse")
    text = "$('#lines .score')?.lastChild.textContent"
    check(browser.until(f"$('#barScore').textContent && $('#barScore').textContent === {text}"), "the bar writes the score as the line does")
    check(browser.value("/ahead by|even|mates/.test($('#lines .score').ariaLabel)"), "and a screen reader hears it in words")
    mode(browser, "play")
    browser.value("$('#newGame').click()")
    browser.value("$('#begin').elements.clock.value = 'own'; $('#begin').dispatchEvent(new Event('change'))")
    browser.value("$('#begin').elements.ownClock.value = '25 + 10'")
    browser.click("#begin .main")
    check(browser.until("chuheBoard.game.clocks?.control === '1500+10'"), "any clock can be chosen")
    begin(browser, seat="two")
    browser.until("Boolean(chuheBoard.game.two)")
    move(browser, "h2e2")
    browser.until("chuheBoard.game.moves.length === 1")
    browser.value("$('.tile[data-request=resign]').click()")
    check(browser.until("$('#question').open") and browser.value("!chuheBoard.game.end"), "to resign against a person is asked about")
    browser.click('#question [value="cancel"]')
    check(browser.value("!chuheBoard.game.end"), "and may be thought over")
    browser.value("const list = $('[data-listed=notation]'); list.value = 'coordinates'; list.dispatchEvent(new Event('change'))")
    named = "$('#moves .move')?.textContent"
    check(browser.until(f"{LOADED} && /^H2[-.]?E2$/i.test({named} ?? '')"), "moves are written in the notation that was chosen")


def arrives(browser):
    """A game that is over is reviewed by the queue: the card at its end says when, and the review is there without a click."""
    begin(browser, seat="red")
    # Shorter games are not worth a review.
    for count in range(2, 10, 2):
        move(browser, browser.value("chuheBoard.game.legal[0]"))
        plies(browser, count)
    check(browser.value("chuheBoard.game.moves.length") == 8, "another game is played")
    browser.value("$$('[data-request=resign]')[0].click()")
    browser.until("chuheBoard.game.end && !$('#ending').hidden")
    check(browser.until("/The review is there: accuracy [\\d–]+ %/.test($('#endReview').innerText)"), "the card says that its review is there")
    mode(browser, "review")
    check(browser.until(FOUND) and browser.value("chuheBoard.review.moves.length") == 8, "which is shown without a click")
    mode(browser, "games")
    check(browser.until("$$('#gameRows .of-review [role=img]').length > 1"), "the list has accuracies")
    told = browser.value("$('#gameRows .of-review').innerText + ' / ' + $('#gameRows .of-review [role=img]').title")
    check("accuracy" in told and "Red: accuracy" in told and "mistakes" in told, f"with their words: {told!r}")
    browser.screen(390, 844, phone=True)
    lines = "(box => box.height < 24 && box.right <= innerWidth)($('#gameRows .of-review').getBoundingClientRect())"
    check(browser.until(lines), "in one line on a phone")
    browser.screen(1440, 900)


def come_back(browser, day):
    """The reviews of the days before."""
    mode(browser, "games")
    check(browser.until(f"{REVIEWED} === {day}"), f"day {day + 1}: {day} reviews are in the list")
    browser.click("#gameRows li[data-reviewed] .game-text")
    browser.until("chuheBoard.mode === 'analyse'")
    browser.key("Home")
    losses = "$$('#playedMoves em').map((loss) => loss.textContent).join(' ').includes('%')"
    check(browser.until(losses), "what its moves have lost is told with my games")
    mode(browser, "review")
    check(browser.until(FOUND), "the review is there without a search")
    check(browser.until("$('#tree').dataset.reviewed === 'true'"), "and the game says so")
    check(reload(browser) and browser.until(FOUND), "also after a reload")
    mode(browser, "play")


def week(browser):
    for day, first in enumerate(FIRST):
        if day:
            next_day(browser)
            come_back(browser, day)
        play_and_review(browser, first)
        if day == 0 and SHOTS:
            photograph(browser, SHOTS, "review")
            mode(browser, "games")
            browser.until(f"{REVIEWED} === 1")
            photograph(browser, SHOTS, "games")
            mode(browser, "play")
            photograph(browser, SHOTS, "end")
    mode(browser, "review")


if __name__ == "__main__":
    run_parts([week, phone_review, small_things, arrives], prefix="chuhe-week-", width=1440, height=900)
