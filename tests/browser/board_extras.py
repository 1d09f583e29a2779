"""What the board page offers beyond moving pieces: premoves, questions, drawings, links, sounds."""

from board_faults import START
from board_page import KNOWN, analyse_position, at, begin, catch_files, click_square, discard_changes, mode, more, move, plies, reload, set_option
from browser import check

# Red mates with the next move.
NEARLY_MATE = "4k4/1R7/9/9/9/9/9/R8/9/3K5 w - - 0 1"


# A start that is in no book: the engine thinks.
NO_BOOK = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P2/1C5C1/9/RNBAKABNR w - - 0 1"
# Black begins.
REACH = "r2k4r/9/9/9/4N1P2/9/4P4/9/4A4/2B1K4 b - - 0 1"


def premoves(browser):
    mode(browser, "play")
    # It thinks for some seconds.
    begin(browser, NO_BOOK, level=20)
    move(browser, "h2e2")
    browser.until("chuheBoard.game.thinking")
    move(browser, "h0g2")
    check(browser.value("chuheBoard.premove") == "h0g2", "a move in advance is noted")
    check(browser.value("$$('.arrows path').length") == 1, "with an arrow")
    browser.key("Escape")
    check(browser.value("chuheBoard.premove") is None, "and taken back")
    move(browser, "g3g4")
    browser.click('[data-request="move-now"]')
    check(browser.until("chuheBoard.game.moves[2] === 'g3g4'"), "or played as soon as it can be")
    begin(browser, REACH, level=20)
    browser.until("chuheBoard.game.thinking")
    counts = []
    for square in ["e5", "c0", "e1", "e3", "g5", "e0"]:
        click_square(browser, square)
        counts.append(browser.value("$$('.hand .target, .hand .prey').length"))
    check(counts == [8, 2, 4, 1, 3, 3], f"pieces reach what they may: {counts}")
    browser.click('[data-request="move-now"]')
    browser.until("!chuheBoard.game.thinking")


def questions(browser):
    begin(browser, level=1)
    set_option(browser, "confirm", True)
    move(browser, "h2e2")
    check(browser.value("chuheBoard.proposedMove") == "h2e2" and browser.value("chuheBoard.game.moves.length") == 0, "a move can be asked about")
    browser.click("#refuseMove")
    check(browser.value("chuheBoard.proposedMove") is None, "and refused")
    browser.value("$('#typed').value = 'e4e5'; $('#typing').requestSubmit()")
    browser.until("!$('#notice').hidden")
    move(browser, "h2e2")
    browser.click("#refuseMove")
    check(browser.value("chuheBoard.proposedMove") is None and not browser.value("$('#notice').hidden"), "also beside a message")
    browser.value("$('#typed').value = ''")
    move(browser, "h2e2")
    browser.click("#confirmMove")
    check(plies(browser, 2), "and played")
    set_option(browser, "confirm", False)
    set_option(browser, "blind", True)
    check(browser.value("getComputedStyle($('.stage .pieces')).opacity") == "0", "blindfold the pieces are hidden")
    move(browser, "h0g2")
    check(plies(browser, 4), "and can be moved")
    reload(browser)
    check(browser.value("document.body.classList.contains('blind')"), "options are remembered")
    set_option(browser, "blind", False)


def drawings(browser):
    def right(start, end, modifiers=0):
        browser.mouse("mousePressed", *start, button="right", buttons=2, clickCount=1, modifiers=modifiers)
        browser.mouse("mouseMoved", *end, button="right", buttons=2, modifiers=modifiers)
        browser.mouse("mouseReleased", *end, button="right", buttons=0, clickCount=1, modifiers=modifiers)

    analyse_position(browser, START)
    right(at(browser, "h2"), at(browser, "e2"))
    right(at(browser, "e6"), at(browser, "e6"), modifiers=8)
    shown = "[$$('.shapes .head').length, $$('.shapes circle').length]"
    check(browser.value(shown) == [1, 1], "the right button draws an arrow and a circle")
    catch_files(browser)
    browser.value("$('[data-save=svg]').click()")
    browser.until("window.saved")
    check("marker-end" in browser.value("saved.content.text()"), "the arrow is in the picture")
    right(at(browser, "h2"), at(browser, "e2"))
    check(browser.value(shown) == [0, 1], "the same again erases it")
    click_square(browser, "e5")
    check(browser.value(shown) == [0, 0], "a click erases all")


def links(browser):
    analyse_position(browser, START)
    for text in ["h2e2", "h9g7"]:
        move(browser, text)
        browser.until(f"chuheBoard.moves.at(-1) === '{text}' && {KNOWN}")
    browser.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    browser.value("$('#copyLink').click()")
    browser.until("window.copied")
    link = browser.value("copied")
    analyse_position(browser, "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    browser.value(f"location.hash = new URL('{link}').hash")
    check(discard_changes(browser, f"chuheBoard.moves.join() === 'h2e2,h9g7' && chuheBoard.mode === 'analyse' && {KNOWN}"), "a link holds a position and its moves")
    # The game is in the list now, and the address leads there.
    check(browser.value("location.hash").startswith("#games/"), "it is followed once")
    check(link.split("#")[1].startswith("fen="), "it does not hold the token")
    browser.open("about:blank")
    browser.open(link)
    browser.until("typeof chuheBoard === 'object'")
    check(discard_changes(browser, f"chuheBoard.moves.join() === 'h2e2,h9g7' && {KNOWN}"), "and opens on this computer")


def ends(browser):
    """The card at the end of a game leads to its review; more of it is in `board.mate`."""
    mode(browser, "play")
    begin(browser, NEARLY_MATE)
    plies(browser, 0)
    move(browser, "a2a9")
    browser.until("chuheBoard.game.end")
    browser.value("$('#reviewTime').value = '200'")
    browser.click("#reviewGame")
    check(discard_changes(browser, "chuheBoard.mode === 'review' && Boolean(chuheBoard.review)"), "and the game is reviewed")
    mode(browser, "play")
    browser.screen(390, 844, phone=True)
    browser.click("#reviewGame")
    check(discard_changes(browser, "Boolean(chuheBoard.review)"), "on a phone as well")
    check(browser.inside("#found .accuracy, #curve"), "where its result is in sight")
    mode(browser, "play")
    taps_that_mate(browser)
    browser.screen(1280, 720)


def taps_that_mate(browser):
    """The browser sends a click after a touch, to whatever is there by then."""
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    begin(browser, NEARLY_MATE)
    plies(browser, 0)
    browser.value(
        "window.testClicks = [];"
        " document.addEventListener('click', (event) => testClicks.push(event.target.closest('#ending, header')?.tagName), true)"
    )
    browser.tap(*at(browser, "a2"))
    # The finger stays until the card is under it.
    x, y = at(browser, "a9")
    browser.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    browser.until("chuheBoard.game.end && !$('#ending').hidden")
    browser.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    # Clicks come in the order of their touches.
    browser.tap(*browser.still("header.top", across=0.6))
    browser.until("testClicks.includes('HEADER')")
    check(browser.value("testClicks.filter(Boolean).length === 1 && chuheBoard.game.end"), "the tap that mates presses nothing on it")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)


# Notes what is heard: the tones of each move, and what is read aloud.
EARS = """{
    window.tones = [];
    window.spoken = [];
    window.AudioContext = class extends AudioContext {
        createOscillator() {
            const made = super.createOscillator();
            made.frequency.setValueAtTime = (value) => { tones.push(value); };
            return made;
        }
    };
    speechSynthesis.speak = (speech) => { spoken.push(speech.text); };
}"""
# A knock of the wood, and more for a capture or a check.
TONES = {"move": [165], "capture": [165, 165], "check": [165, 660, 880]}


def sounds(browser):
    reload(browser)
    browser.value(EARS)
    mode(browser, "play")
    set_option(browser, "sound", True)
    set_option(browser, "voice", True)
    analyse_position(browser, "4k4/9/9/9/9/4p4/9/9/R8/3K5 w - - 0 1")
    for text, kind in [("a1a4", "move"), ("e4d4", "move"), ("a4d4", "capture"), ("e9e8", "move"), ("d4e4", "check")]:
        browser.value("tones.length = 0; spoken.length = 0")
        move(browser, text)
        browser.until(f"chuheBoard.moves.at(-1) === '{text}' && {KNOWN} && tones.length > 0")
        check(browser.value("tones") == TONES[kind], f"{text} sounds as a {kind}: {browser.value('tones')}")
        check(browser.value("spoken.length") == 1, "and is read aloud")
    set_option(browser, "voice", False)
    set_option(browser, "sound", False)


# Black mates in two by e8f7 alone.
PROBLEM = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1"


def solutions(browser):
    analyse_position(browser, PROBLEM)
    more(browser)
    browser.click("#solve")
    check(browser.until("(chuheBoard.solving && !chuheBoard.solving.result) || chuheBoard.solving?.result") and browser.value("!$('#solution').hidden"), "a win is looked for")
    check(browser.until("chuheBoard.solving?.result"), "and found")
    said = browser.value("$('#solution').innerText")
    check("Mate in 2 by A5+6, proven" in said and "No other first move" in said, f"what is proven is said: {said!r}")
    check(browser.until("Boolean(chuheBoard.analysis)"), "then the engine goes on")
    browser.click("#addAll")
    check(browser.until("chuheBoard.tree.nodes.length > 4 && chuheBoard.tree.nodes[0].children.length === 1"), "all defences become variations")
    check("proven" in browser.value("chuheBoard.tree.nodes[0].comment"), "with what is said of them")
    browser.click("#undoChange")
    check(browser.value("chuheBoard.lastPly") == 0, "which is undone at once")
    browser.until(KNOWN)
    browser.click("#addDefence")
    check(browser.until("chuheBoard.lastPly === 3"), "or the longest defence alone")
    browser.click("#defence .step:nth-child(2)")
    check(browser.until("chuheBoard.ply === 2"), "a click on a move of the line goes there")
    browser.value("chuheBoard.tree.edited = false")
    analyse_position(browser, START)
    check(browser.value("$('#solution').hidden"), "another game has no solution")
    more(browser)
    browser.click("#solve")
    check(browser.until("(chuheBoard.solving && !chuheBoard.solving.result) && $('#solutionText').innerText.includes('no mate')"), "it tells how far it is")
    browser.click("#stopSolve")
    check(browser.until("chuheBoard.solving?.result && $('#solution').innerText.includes('interrupted')"), "and can be stopped")
    browser.click("#closeSolution")
    check(browser.value("$('#solution').hidden"), "and put away")


TESTS = [premoves, questions, drawings, links, ends, sounds, solutions]
