#!/usr/bin/env python3
"""Tests the board page in a real browser: clicks, drags, keys, touch, languages, small and large windows.

    tests/browser/board.py target/release/chuhe [--shots FOLDER]

Needs Chromium. With --shots screenshots are saved.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import board_extras
import board_faults
import board_frame
import board_keyboard
from board_page import (
    KNOWN, analyse_position, at, begin, board_in_browser, catch_files, click_square, discard_changes, mode, more, move, paste, plies, reload, review, save, setup,
    speak, tap_move,
)
from browser import check, finish

# Red mates in two: the rooks take turns on the open lines.
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
MATE = "4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1"


def play(browser):
    check(browser.until("chuheBoard.game && chuheBoard.game.legal.length === 44"), "the board is there, with 44 moves to choose from")
    check(browser.value("$$('.stage .pieces use').length") == 32, "and 32 pieces")
    begin(browser, level=1)
    click_square(browser, "h2")
    check(browser.value("$$('.hand .target, .hand .prey').length") == 12, "a cannon shows its twelve squares")
    click_square(browser, "e2")
    check(plies(browser, 2), "a click moves it, and Chuhe answers")
    check(browser.value("$$('.marks use').length") == 2, "the last move is marked")
    browser.drag(at(browser, "h0"), at(browser, "g2"))
    check(plies(browser, 4), "a horse is dragged")
    browser.drag(at(browser, "b0"), at(browser, "b5"))
    check(browser.value("chuheBoard.game.moves.length") == 4, "where it cannot go it does not go")
    browser.click("#typed")
    browser.type("兵七进一")
    browser.key("Enter")
    browser.ask("Input.dispatchKeyEvent", type="char", text="\r")
    check(plies(browser, 6), "a move is typed in Chinese")
    browser.key("Tab")
    browser.value("$('.stage .board').focus({focusVisible: true})")
    for name in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter", "ArrowRight", "ArrowUp", "ArrowUp", "Enter"]:
        browser.key(name)
    check(plies(browser, 8), "a horse is moved by keys")
    browser.value("$('.stage .board').blur()")
    check(browser.until("$('#spoken').textContent.length > 3"), "what happens is said to those who do not see it")
    browser.click('[data-request="undo"]')
    check(plies(browser, 6), "two plies are taken back")
    browser.key("ArrowLeft")
    check(browser.value("chuheBoard.ply") == 5 and browser.value("chuheBoard.legalMoves.length") == 0, "an earlier position is looked at")
    browser.key("End")
    browser.click('[data-request="hint"]')
    check(browser.until("chuheBoard.hint && chuheBoard.hint.turn === chuheBoard.game.turn && !chuheBoard.game.thinking"), "a hint comes")
    check(browser.value("$$('.arrows path').length") == 1, "with an arrow")
    browser.click('[data-request="offer-draw"]')
    check(browser.until("chuheBoard.game.message || chuheBoard.game.end"), "Chuhe has a word on a draw")
    if browser.value("Boolean(chuheBoard.game.end)"):
        # It stands so badly that it agrees.
        browser.click('[data-request="undo"]')
        browser.until("!chuheBoard.game.end")
    browser.click('[data-request="resign"]')
    check(browser.until("chuheBoard.game.end && chuheBoard.game.end.result === '0-1'"), "the game is given up")
    browser.click('[data-request="undo"]')
    check(browser.until("!chuheBoard.game.end"), "and taken back")


def mate(browser):
    begin(browser, MATE)
    check(plies(browser, 0), "a game begins with any position")
    move(browser, "b1b8")
    check(plies(browser, 2), "the first rook closes a line")
    move(browser, "a2a9")
    check(browser.until("chuheBoard.game.end && chuheBoard.game.end.result === '1-0'"), "the second one mates")
    said = browser.value("$('#ending').innerText")
    check("You won: checkmate, move 2" in said and "is in check, and no move helps" in said, f"a card says so: {said!r}")
    browser.click("#swapSides")
    swapped = "!chuheBoard.game.end && chuheBoard.game.seat === 'black' && chuheBoard.game.moves.length === 1 && !chuheBoard.game.thinking"
    check(browser.until(f"{swapped} && chuheBoard.isFlipped && $('#ending').hidden"), "the card of the end begins the game with the other side")
    begin(browser, "not a position")
    check(browser.until("$('#beginWrong').innerText.includes('FEN')"), "what is no position is told")
    begin(browser, seat="black", clock="60+1")
    check(plies(browser, 1), "who plays black waits for the first move")
    king = "$('.stage .pieces use[href=\"#piece-k\"]').getAttribute('y')"
    check(browser.value(king) == "450", "and sits before his own king")
    check(browser.until("/^0:5\\d|^1:0/.test($('#below').querySelector('time').textContent)"), "his clock runs")


def look(browser):
    """The choices of the look: one set of pieces is seen, and the choice is remembered."""
    style = "$('#piece-{}').querySelector('{}')"
    shown = lambda kind: browser.value(f"getComputedStyle({style.format('R', kind)}).display") != "none"
    check(shown(".traditional") and shown(".set-wood") and not shown(".set-letters") and not shown(".simplified"), "pieces have characters")
    browser.click("#settings summary")
    check(browser.value("[...$$('#settings .thumbnail')].every((picture) => picture.getBoundingClientRect().width > 20)"), "each choice shows what it looks like")
    browser.click('[data-set="pieces"][data-value="simplified"]')
    check(shown(".simplified") and shown(".set-wood") and not shown(".traditional") and not shown(".set-letters"), "or simplified ones")
    browser.click('[data-set="pieces"][data-value="letters"]')
    browser.click('[data-set="board"][data-value="green"]')
    check(not shown(".traditional") and not shown(".simplified") and not shown(".set-wood") and shown(".set-letters"), "or letters")
    reload(browser)
    check(browser.value("(({ pieces, board }) => [pieces, board])(document.documentElement.dataset)") == ["letters", "green"], "the look is remembered")
    for name, value in [("pieces", "wood"), ("board", "wood"), ("theme", "dark"), ("theme", "system")]:
        browser.value(f"$('[data-set={name}][data-value={value}]').click()")


def dock(browser):
    """On a phone the rest of the buttons is in a sheet."""
    browser.screen(390, 844, phone=True)
    hidden = "getComputedStyle($('#newGame').closest('.sheet')).visibility === 'hidden'"
    check(browser.until(hidden), "on a phone the board comes first")
    browser.click('.dock [data-sheet="more"]')
    check(browser.until(f"!({hidden})"), "a button has the rest")
    browser.click("#newGame")
    check(browser.until(f"$('#beginning').open && {hidden}"), "such as a new game")
    browser.click("#notBegin")
    sizes = "[...$$('.dock button, nav button')].filter((button) => button.checkVisibility())"
    check(browser.value(f"{sizes}.every((button) => button.getBoundingClientRect().height >= 44)"), "fingers hit its buttons")


def touch(browser):
    browser.screen(390, 844, phone=True)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    begin(browser, level=1)
    tap_move(browser, "h2e2")
    check(plies(browser, 2), "two taps move a piece")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)


# Answers that say that there is no stream.
NO_STREAM = """{
    const real = fetch;
    const none = () => Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } }));
    window.fetch = (path, more) => path.startsWith("/stream/") ? none() : real(path, more);
}"""


def held_back(browser):
    """A proxy that blocks the event stream: the page polls."""
    browser.ask("Page.addScriptToEvaluateOnNewDocument", source=NO_STREAM)
    reload(browser)
    mode(browser, "play")
    begin(browser, level=1)
    move(browser, "h2e2")
    check(plies(browser, 2), "a page without a stream asks for its news")
    browser.value("document.documentElement.dataset.theme = 'dark'")
    dark = browser.value("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((part) => part < 60)")
    check(dark, "the page can be dark")


def sizes(browser, shots):
    for width, height, phone in [(1280, 720, False), (390, 844, True), (1024, 600, False), (1920, 1080, False), (360, 640, True)]:
        browser.screen(width, height, phone)
        for language in ["zh", "en"]:
            speak(browser, language)
            inside = browser.inside(".stage .board, .buttons button, .dock button, .player")
            check(inside, f"board and buttons lie within {width} × {height}, {language}")
            check(browser.value("document.documentElement.scrollWidth") <= width, "and nothing is wider")
            if shots and (width, height) in [(1280, 720), (390, 844)]:
                for theme in ["light", "dark"]:
                    browser.value(f"document.documentElement.dataset.theme = '{theme}'")
                    browser.photograph(shots / f"{width}-{language}-{theme}.png", whole=False)
                browser.value("document.documentElement.dataset.theme = 'light'")
    for width, height, phone in [(1280, 720, False), (390, 844, True)]:
        browser.screen(width, height, phone)
        for name in ["analyse", "review", "games", "train", "setup", "play"]:
            mode(browser, name)
            browser.value("scrollTo(0, 0)")
            inside = browser.inside(".stage .board, .buttons button, .dock button, nav button, .tools button")
            check(inside and browser.value("document.documentElement.scrollWidth") <= width, f"{name} lies within {width} × {height}")
            if shots:
                browser.until("['setup', 'play', 'train'].includes(chuheBoard.mode) || chuheBoard.analysis && chuheBoard.analysis.depth > 5")
                browser.photograph(shots / f"{width}-{name}.png", whole=False)
    browser.screen(1280, 720)
    check(browser.inside(".panel [data-request]"), "so do the buttons of the game")


def analyse(browser):
    mode(browser, "play")
    begin(browser, level=1)
    more(browser)
    browser.click("#analyseGame")
    for position in [START, "2bakab1r/9/2n1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/2N1C1N2/9/R1BAKAB2 b - - 0 12", "r3kabr1/4a4/2n1b1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB1R w - - 0 20"]:
        analyse_position(browser, position)
        check(browser.value("chuheBoard.setup.check.error") is None, "a position is set up")
        lines = "chuheBoard.analysis && chuheBoard.analysis.lines.length === 3 && chuheBoard.analysis.depth"
        check(browser.until(f"{lines} > 2"), "three lines are shown")
        depth = browser.value("chuheBoard.analysis.depth")
        check(browser.until(f"{lines} > {depth}"), "and grow")
        check(browser.value("$$('#lines li').length") == 3, "line by line")
        check(browser.value("$$('.stage .arrows path').length") >= 1, "with arrows")
    browser.value("$('#lines .score').click()")
    check(browser.until("$$('#lines .unfolded').length === 1"), "a line is unfolded")
    browser.value("$('#lines .score').click()")
    browser.key("l")
    check(browser.value("$$('#lines li').length") == 0, "the engine can be switched off")
    analyse_position(browser, START)
    move(browser, "h2e2")
    check(browser.until(f"chuheBoard.node === 1 && {KNOWN}"), "a move is made")
    check("Central Cannon" in browser.value("$('#known').innerText"), "the opening has a name")
    check(browser.value("$$('#book .step').length") > 2, "the book knows moves")
    browser.click("#book .step")
    check(browser.until("chuheBoard.moves.length === 2"), "of which one is played")
    browser.key("ArrowLeft")
    browser.until(f"chuheBoard.node === 1 && {KNOWN}")
    move(browser, "b7e7")
    check(browser.until("chuheBoard.tree.nodes[1].children.length === 2 && chuheBoard.moves[1] === 'b7e7'"), "another answer is a variation")
    check(browser.value("$$('#tree .branch').length") == 1, "which stands apart")
    browser.click("#comment")
    browser.type("good <b>play</b>")
    check("good <b>play</b>" in browser.value("$('#tree').innerText"), "a comment is a comment")
    browser.click('[data-mark="1"]')
    check("!" in browser.value("$('#tree .here').innerText"), "a mark is set")
    browser.value("$('.stage .board').focus(); $('.stage .board').blur()")
    browser.key("ArrowUp")
    check(browser.until("chuheBoard.moves[1] !== 'b7e7'"), "keys go to the other variation")
    browser.key("x")
    browser.key("l")
    check(browser.until("chuheBoard.analysis && chuheBoard.analysis.lines.length && $('#threat').matches('[aria-pressed=true]')"), "a threat is shown")
    browser.key("x")
    [before, shown] = [browser.value("chuheBoard.moves.join()"), browser.value("chuheBoard.ply")]
    for language in ["zh", "en"]:
        speak(browser, language)
        check(browser.until("chuheBoard.tree.nodes.length > 3"), f"the tree outlives another language: {language}")
        check(browser.value(f"chuheBoard.mode === 'analyse' && chuheBoard.ply === {shown} && chuheBoard.moves.join() === '{before}'"), "with its place")
    reload(browser)
    check(browser.value("document.documentElement.lang") == "en", "the last language is remembered")


RECORD = '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 {hello} 马8进7 (1... 炮8平5 2. 马二进三) 2. 马二进三 车9平8 3. 炮五进四 马7进5 4. 马三退五 *'


def games(browser, program, folder):
    game = folder / "chuheBoard.game.pgn"
    game.write_text(RECORD)
    file = folder / "chuheBoard.game.xqf"
    subprocess.run([program, "convert", str(game), "--out", str(file)], check=True, stdout=subprocess.DEVNULL)
    paste(browser, file.read_bytes(), "chuheBoard.game.xqf")
    check(discard_changes(browser, "chuheBoard.tree.nodes.length === 10 && chuheBoard.facts"), "an XQF is pasted")
    check("甲" in browser.value("$('#tags').innerText"), "with its players")
    check("hello" in browser.value("$('#tree').innerText"), "with its comment")
    check(browser.value("$$('#tree .branch').length") == 1, "and its variation")
    catch_files(browser)
    for kind in ["pgn", "xqf", "ubb", "svg", "png", "apng"]:
        save(browser, kind)
        check(browser.until("window.saved && saved.content.size > 30"), f"{kind} is saved")
    check(review(browser), "the game is reviewed")
    check(browser.value("$('#chances').getAttribute('points').split(' ').length") == 8, "the curve has all positions")
    check("accuracy" in browser.value("$('#redPlayed').innerText"), "both sides are weighed")
    bad = "chuheBoard.review.moves.filter((move) => ['?!', '?', '??'].includes(move.mark))"
    check(browser.value(f"{bad}.length === $('#dots').children.length && {bad}.length > 0"), "each mistake is a dot on the curve")
    browser.value("$('#dots').firstChild.click()")
    check(browser.until(f"chuheBoard.ply === {bad}[0].ply"), "which leads to it")
    save(browser, "html")
    check(browser.until("window.saved && saved.name === 'review.html'"), "the review is saved")


def positions(browser):
    said = setup(browser, "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1")
    check("king" in said, f"an impossible position is told why: {said!r}")
    check(browser.value("chuheBoard.checkedSquare") == "e9", "and marked on the board")
    check(browser.value("$('#setupAnalyse').disabled"), "and not analysed")
    speak(browser, "zh")
    said = browser.value("$('#wrong').innerText")
    check("将" in said, f"in Chinese, too: {said!r}")
    speak(browser, "en")
    browser.click("#empty")
    for piece, square in [("K", "d0"), ("k", "e9"), ("R", "a5")]:
        browser.click(f'[data-piece="{piece}"]')
        click_square(browser, square)
    check(browser.until("!chuheBoard.setup.check?.error && chuheBoard.setup.fen.startsWith('4k4/9/9/9/R8/9/9/9/9/3K5')"), "a position is set up by hand")
    browser.click("#setupPlay")
    check(browser.until("chuheBoard.mode === 'play' && chuheBoard.game.start.startsWith('4k4/9/9/9/R8')"), "and played from")


def run(browser, arguments, home):
    tests = [
        play, lambda browser: sizes(browser, arguments.shots), mate, look, dock, touch, analyse,
        lambda browser: games(browser, arguments.chuhe, home), positions, *board_faults.TESTS, *board_frame.TESTS,
        *board_extras.TESTS, board_keyboard.run, held_back,
    ]
    for test in tests:
        if arguments.only and test.__name__ not in arguments.only:
            continue
        print(f"-- {test.__name__}")
        browser.screen(1280, 720)
        test(browser)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chuhe", help="the program")
    parser.add_argument("--shots", type=Path, help="photograph the page into this folder")
    parser.add_argument("--only", nargs="*", help="only the tests of these names")
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, board_in_browser(arguments.chuhe, home) as browser:
        run(browser, arguments, Path(home))
        place = browser.board.address.split("#")[0]
        strangers = [address for address in browser.addresses() if not address.startswith((place, "data:"))]
        check(not strangers, f"the page asks nobody else {strangers or ''}")
    finish()


if __name__ == "__main__":
    main()
