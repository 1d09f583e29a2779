#!/usr/bin/env python3
"""The addresses of the page: each place has one, which can be kept, opened in a second window and gone back from; a word that
is none leads to the nearest place and is no token; addresses.py PROGRAM. Needs Chromium."""

from board_page import KNOWN, LOADED, discard_changes, mode, move, paste, reload, run_parts, setup
from browser import check

GAME = '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n'
PLACE = "location.hash.slice(1).split('&')[0]"
STATE = "document.documentElement.dataset.state"


def go(browser, place):
    browser.value(f"location.hash = '#{place}'")


def unknown_words(browser):
    """An unknown word is no token: what is asked for afterwards is answered."""
    words = {
        "openings": "train/openings", "tactics": "train/tactics", "analysis": "analyse", "analyze": "analyse", "Games": "games", "train/nothing": "train",
        "endings": "train/endings", "plays": "play", "tacticz/17": "train/tactics",
    }
    for word, place in words.items():
        go(browser, "setup")
        browser.until(f"{STATE} === 'setup'")
        go(browser, word)
        check(browser.until(f"{PLACE} === '{place}'", 10), f"#{word} leads to {place}: {browser.value('location.hash')}")
    go(browser, "games")
    browser.until(f"{STATE} === 'games'")
    go(browser, "xyzzy")
    check(browser.until("location.hash === '#games'", 10), f"what resembles nothing leaves all as it is: {browser.value('location.hash')}")
    go(browser, "%E0%A4%A")
    check(browser.until("location.hash === '#games'", 10), "and what is no text")
    notice = browser.value("$('#notice').hidden ? '' : $('#notice').innerText")
    check("ended" not in notice and "whole" not in notice, f"nothing has ended: {notice!r}")
    reload(browser)
    check(browser.value("$('#notice').hidden && !$('#games')?.hidden"), "and a reload finds the program")
    check(browser.until("$('#gameCount').innerText.length > 0"), "which answers")


def a_bookmark(browser):
    """A page that is opened at an old bookmark."""
    start = browser.value("location.origin + location.pathname")
    for word, place in {"openings": "train/openings", "game": "games", "learning": "train/learn"}.items():
        browser.open("about:blank")
        browser.open(f"{start}#{word}")
        browser.until(LOADED)
        check(browser.until(f"{PLACE}.startsWith('{place}')", 10), f"a bookmark of #{word} opens {place}: {browser.value('location.hash')}")
        check(browser.value("$('#notice').hidden"), "without a complaint")


def wrong_keys(browser):
    """A key of another run of the program: the one that this browser knows is taken, and nothing is asked of the person. One
    who knows none keeps what was refused in the address, whatever is opened."""
    start = browser.value("location.origin + location.pathname")
    wrong = "0123456789abcdef" * 2
    browser.open("about:blank")
    browser.open(f"{start}#{wrong}&games")
    check(browser.until(f"{LOADED} && location.hash === '#games' && $('#notice').hidden"), f"an old key is passed over: {browser.value('location.hash')}")
    known = browser.value("localStorage.getItem('chuhe.token')")
    browser.value("localStorage.clear()")
    browser.open("about:blank")
    browser.open(f"{start}#{wrong}&games")
    check(browser.until("!$('#notice').hidden && $('#notice').innerText.includes('whole')"), "without another one the page says so")
    browser.value("$('[data-mode-of=analyse]').click()")
    check(browser.until(f"location.hash === '#{wrong}&analyse'"), "the key stays in the address")
    browser.value(f"location.hash = '#{known}'")
    check(browser.until("$('#notice').hidden && chuheBoard.game") and browser.value("!location.hash.includes('&')"), "and the right one opens the page")
    browser.forgive("403")


def of_a_game(browser):
    mode(browser, "play")
    paste(browser, GAME.encode())
    discard_changes(browser, f"chuheBoard.tree.nodes.length === 5 && {KNOWN}")
    address = browser.value("location.href")
    check("#games/" in address, f"a game of the list has an address: {address}")
    mode(browser, "review")
    check(browser.until("/^#games\\/.+\\/review$/.test(location.hash)"), "and its review")
    browser.value("history.back()")
    check(browser.until(f"{STATE} === 'analyse' && location.href === '{address}'"), "Back leads from one to the other")
    browser.open("about:blank")
    browser.open(address.replace("#games/", "#game/"))
    check(browser.until(f"{LOADED} && chuheBoard.tree.nodes.length === 5 && location.href === '{address}'"), "an older address of it is understood")


def of_a_position(browser):
    """A position that is in no list: the address follows it, a second window shows it, and what was added stays."""
    setup(browser, "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    check(browser.until("location.hash.startsWith('#setup&fen=3k5')", 10), "a position that is set up has an address")
    browser.click("#setupAnalyse")
    discard_changes(browser, f"{STATE} === 'analyse' && {KNOWN}")
    for text in ["a0a1", "d9d8", "a1b1"]:
        move(browser, text)
        browser.until(f"chuheBoard.moves.at(-1) === '{text}' && {KNOWN}")
    browser.key("ArrowLeft")
    browser.until(f"chuheBoard.ply === 2 && {KNOWN}")
    check(browser.until("location.hash.startsWith('#analyse&fen=3k5') && location.hash.endsWith('moves=a0a1+d9d8')", 10), "a position that is analysed has one")
    address = browser.value("location.href")
    reload(browser)
    browser.until(f"{STATE} === 'analyse' && {KNOWN}")
    check(browser.value("chuheBoard.ply === 2 && chuheBoard.lastPly === 3"), "after a reload the moves behind it are still there")
    mode(browser, "games")
    browser.value("history.back()")
    check(browser.until(f"{STATE} === 'analyse' && chuheBoard.ply === 2 && chuheBoard.lastPly === 3"), "and when one comes back")
    # A second window has a page of its own.
    browser.value("sessionStorage.clear(); chuheBoard.flushed()")
    browser.open("about:blank")
    browser.value("0")
    browser.open(address)
    browser.until(LOADED)
    check(discard_changes(browser, f"chuheBoard.moves.join() === 'a0a1,d9d8' && {STATE} === 'analyse' && {KNOWN}"), "a second window shows it")
    check(browser.until(f"location.href === '{address}'"), "at the same address")
    go(browser, "analyse&moves=h2e2")
    check(discard_changes(browser, f"chuheBoard.moves.join() === 'h2e2' && {KNOWN}"), "from the usual start moves are enough")
    go(browser, "analyse&fen=nonsense")
    check(browser.until("!$('#notice').hidden"), "of nonsense it says so")
    check(browser.value("chuheBoard.moves.join()") == "h2e2", "and nothing goes")


def of_training(browser):
    for screen in ["cards", "openings", "tactics", "endings", "rulings", "pattern"]:
        go(browser, f"train/{screen}")
        check(browser.until(f"chuheBoard.training.screen === '{screen}'"), f"#train/{screen}")
    browser.value("history.back()")
    check(browser.until("chuheBoard.training.screen === 'rulings'"), "Back goes from screen to screen")
    reload(browser)
    check(browser.until("chuheBoard.mode === 'train' && chuheBoard.training.screen === 'rulings'"), "and a reload stays")


if __name__ == "__main__":
    run_parts([unknown_words, a_bookmark, wrong_keys, of_a_game, of_a_position, of_training], prefix="chuhe-addresses-")
