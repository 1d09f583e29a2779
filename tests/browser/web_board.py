#!/usr/bin/env python3
"""Tests the board of static hosts in a real browser, on a phone: a game by touch, without a network, with its faults.

    tests/browser/web_board.py dist/chuhe-board-web-VERSION.zip [--shots FOLDER] [--measure]

Needs Chromium. With --shots screenshots are saved. With --measure only times and memory are measured, on a slow processor
and a slow network.
"""

import argparse
from pathlib import Path

import web_faults
from board_page import LOADED, analyse_position, begin, catch_files, mode, open_record, plies, review, speak, tap_move
from browser import check, finish
from web_host import READY, WORKS_OFFLINE, next_version, site_in_browser
from web_measure import measure

MIDDLE = "r1bakabr1/9/1cn3n1c/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1"
# Red mates in two: the rooks take turns on the open lines.
MATE = "4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1"
# The page may be on its way to the next one.
STYLE = "(document.documentElement ? getComputedStyle(document.documentElement).getPropertyValue('--next-version') : '')"


def first_visit(browser, host, shots):
    host.pauses["chuhe.bin"] = 300000
    browser.open(host.address)
    check(browser.value("$$('.stage .pieces use').length") == 32, "the board is there before the engine")
    check(browser.until("/0\\.[1-9].*1\\.\\d MB/.test(document.getElementById('shell').innerText)"), "how much of the engine is there is shown")
    shots.take("download", every=True)
    host.breaks_off("chuhe.bin")
    check(browser.until(READY), "a download that breaks off goes on, and the engine is there")
    ranges = [part for name, part in host.asked if name == "chuhe.bin"]
    check(len(ranges) == 2 and ranges[1] not in [None, "bytes=0-"], f"from where it was: {ranges}")
    check(browser.until(WORKS_OFFLINE), "the page keeps itself")
    asked = [name for name, _ in host.asked]
    check(asked.count("chuhe.bin") == 2, "without downloading the engine again")
    check(browser.value("document.getElementById('shell').hidden"), "and has nothing more to say")
    check(browser.until("caches.match('tables.bin').then(Boolean)"), "the endgame tables come then, and are kept")


def whole_game(browser, shots):
    begin(browser, level=3)
    check(plies(browser, 0), "a game begins against level 3")
    tap_move(browser, "h2e2")
    check(plies(browser, 2), "two taps move a piece, and the engine answers")
    tap_move(browser, "h0g2")
    check(plies(browser, 4), "and again")
    shots.take("game", every=True)
    moves = browser.value("chuheBoard.game.moves.join()")
    browser.reload()
    check(browser.until(f"{LOADED} && chuheBoard.game.moves.join() === '{moves}' && !chuheBoard.game.thinking"), "a reload in the middle of the game keeps it")
    tap_move(browser, "i0h0")
    check(plies(browser, 6), "and it goes on")
    begin(browser, MATE, level=3)
    plies(browser, 0)
    tap_move(browser, "b1b8")
    check(plies(browser, 2), "another one comes to its end")
    tap_move(browser, "a2a9")
    check(browser.until("chuheBoard.game.end && chuheBoard.game.end.result === '1-0'"), "by mate")
    shots.take("end")


def read_own_picture(browser):
    """Pastes a picture of a position, as the page draws it. Whether it is read."""
    analyse_position(browser, f"{MIDDLE} w - - 0 1")
    catch_files(browser)
    browser.value("$('[data-save=png]').click()")
    browser.until("window.saved && saved.name.endsWith('.png')")
    browser.value(
        "(() => { const data = new DataTransfer(); data.items.add(new File([saved.content], 'shot', { type: 'image/png' }));"
        " document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })); })()"
    )
    read = browser.until(f"chuheBoard.mode === 'setup' && !$('#shot').hidden && !/Reading/.test($('#shotText').innerText)")
    return read and browser.value(f"chuheBoard.setup.fen.startsWith('{MIDDLE}') && !$('#shot').classList.contains('setting')")


def pictures(browser, host, shots):
    check(not any(name.startswith("picture") for name, _ in host.asked), "the reader of pictures is not downloaded at first")
    check(read_own_picture(browser), "a picture is read")
    check([name for name, _ in host.asked].count("picture.bin") == 1, "with a module that comes then")
    shots.take("picture", every=True)
    browser.click("#shotClose")
    mode(browser, "play")


def in_other_languages(browser, host, shots):
    """Each language has a page of its own, which the service worker keeps once it was used."""
    for language, wanted in [("vi", "Chơi"), ("zh", "对弈"), ("en", "Play")]:
        speak(browser, language)
        check(browser.until(READY) and browser.value("$('.states [data-mode-of=play]').innerText") == wanted, f"the page speaks {language}")
        check(browser.until(f"caches.keys().then((names) => caches.match('texts_{language}.js', {{ ignoreSearch: true }})).then(Boolean)"), "which is kept")


def without_network(browser, host, shots):
    host.stop()
    browser.events.clear()
    browser.open("about:blank")
    browser.open(host.address)
    check(browser.until(READY), "the second visit needs no network")
    check(browser.value("getComputedStyle(document.body).display") != "", "nor does its style")
    begin(browser, level=1)
    tap_move(browser, "b2e2")
    check(plies(browser, 2), "a game is played without one")
    mode(browser, "analyse")
    check(browser.until("chuheBoard.analysis && chuheBoard.analysis.lines.length === 3 && chuheBoard.analysis.depth > 4"), "positions are analysed")
    shots.take("analysis", every=True)
    analyse_position(browser, "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1")
    check(browser.until("chuheBoard.facts?.table?.length > 0"), "the endgame tables tell who wins")
    check(open_record(browser, "1. 炮二平五 马8进7 2. 炮五进四 马7进5 3. 兵七进一 马5进4".encode(), 7), "a game is read")
    check(review(browser), "it is reviewed")
    check(browser.value("$('#chances').getAttribute('points').split(' ').length") == 7, "with its curve")
    browser.key("Escape")
    shots.take("review", every=True)
    check(read_own_picture(browser), "so is a picture")
    speak(browser, "zh")
    check(browser.value("$('.states [data-mode-of=play]').innerText") == "对弈", "it speaks Chinese")
    speak(browser, "en")
    browser.value("$('#language').value = 'zh-Hant'; $('#language').dispatchEvent(new Event('change'))")
    check(browser.until("$('#notice').innerText.includes('needs the network')") and browser.value("$('#language').value") == "en", "a language that was never used is told")
    catch_files(browser)
    browser.value("$('[data-save=pgn]').click()")
    check(browser.until("window.saved && saved.content.size > 30"), "a file is saved")
    browser.value("saved = null; $('#saving > div > button:last-child').click()")
    check(browser.until("window.saved && saved.content.text().then((text) => text.includes('4k4/9/9'))"), "and all games that were kept")
    mode(browser, "play")


def update(browser, host, shots):
    host.folder = next_version(host.folder, host.folder.parent / "next")
    host.start()
    moves = browser.value("chuheBoard.game.moves.join()")
    browser.reload()
    check(browser.until(f"{LOADED} && Boolean($('#shell button'))"), "a new version is offered")
    check(browser.value(STYLE) == "" and browser.value("chuheBoard.game.moves.join()") == moves, "and not forced upon the game")
    shots.take("update", every=True)
    browser.click("#shell button")
    check(browser.until(f"{STYLE} === '1' && {READY}"), "it comes when it is wanted")
    check(browser.until(f"chuheBoard.game.moves.join() === '{moves}'"), "the game is still there")
    check(browser.value("caches.keys().then((all) => all.length)") == 1, "the old version is gone")
    check([name for name, _ in host.asked].count("chuhe.bin") == 2, "what has not changed is not downloaded")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--shots", type=Path, help="photograph the page into this folder")
    parser.add_argument("--measure", action="store_true", help="measure times and memory, and nothing else")
    arguments = parser.parse_args()
    if arguments.measure:
        return measure(arguments.archive)
    with site_in_browser(arguments.archive, arguments.shots) as (host, browser, shots):
        browser.screen(390, 844, phone=True)
        first_visit(browser, host, shots)
        whole_game(browser, shots)
        pictures(browser, host, shots)
        in_other_languages(browser, host, shots)
        without_network(browser, host, shots)
        update(browser, host, shots)
        web_faults.run(browser, host, shots)
    finish()


if __name__ == "__main__":
    main()
