"""What the board page offers beyond moving pieces: premoves, questions, drawings, links, sounds."""

from board_faults import START
from board_page import KNOWN, analyse_position, at, begin, click_square, mode, move, plies, reload
from browser import check

# Red mates with the next move.
NEARLY_MATE = "4k4/1R7/9/9/9/9/9/R8/9/3K5 w - - 0 1"


def option(browser, name, on):
    browser.value(f"setOption('{name}', {'true' if on else 'false'})")


def premoves(browser):
    mode(browser, "play")
    begin(browser, level=1)
    # As while Chuhe thinks: it is black's turn, and no news comes.
    browser.value("window.deaf = listeners.splice(0); game.thinking = true; game.side = 'black'; game.legal = []; refresh()")
    move(browser, "h0g2")
    check(browser.value("premove") == "h0g2", "a move in advance is noted")
    check(browser.value("document.querySelectorAll('.arrows path').length") == 1, "with an arrow")
    browser.key("Escape")
    check(browser.value("premove") is None, "and taken back")
    move(browser, "b0c2")
    browser.value("listeners.push(...deaf); Object.assign(game, { thinking: false, side: 'red', legal: ['b0c2'] }); playPremove()")
    check(plies(browser, 2) and browser.value("game.moves[0]") == "b0c2", "or played as soon as it can be")
    squares = browser.value("[reach('n', 'e5'), reach('b', 'c9'), reach('A', 'e1'), reach('P', 'e3'), reach('P', 'e5'), reach('K', 'e0')].map((list) => list.length)")
    check(squares == [8, 2, 4, 1, 3, 3], f"pieces reach what they may: {squares}")


def questions(browser):
    begin(browser, level=1)
    option(browser, "confirm", True)
    move(browser, "h2e2")
    check(browser.value("proposed") == "h2e2" and browser.value("game.moves.length") == 0, "a move can be asked about")
    browser.click("#refuseMove")
    check(browser.value("proposed") is None, "and refused")
    move(browser, "h2e2")
    browser.click("#confirmMove")
    check(plies(browser, 2), "and played")
    option(browser, "confirm", False)
    option(browser, "blind", True)
    check(browser.value("getComputedStyle(document.querySelector('.stage .pieces')).opacity") == "0", "blindfold the pieces are hidden")
    move(browser, "h0g2")
    check(plies(browser, 4), "and can be moved")
    reload(browser)
    check(browser.value("document.body.classList.contains('blind')"), "options are remembered")
    option(browser, "blind", False)


def drawings(browser):
    def right(start, end, modifiers=0):
        browser.mouse("mousePressed", *start, button="right", buttons=2, clickCount=1, modifiers=modifiers)
        browser.mouse("mouseMoved", *end, button="right", buttons=2, modifiers=modifiers)
        browser.mouse("mouseReleased", *end, button="right", buttons=0, clickCount=1, modifiers=modifiers)

    analyse_position(browser, START)
    right(at(browser, "h2"), at(browser, "e2"))
    right(at(browser, "e6"), at(browser, "e6"), modifiers=8)
    shown = "[document.querySelectorAll('.shapes .head').length, document.querySelectorAll('.shapes circle').length]"
    check(browser.value(shown) == [1, 1], "the right button draws an arrow and a circle")
    check(browser.value("drawnArrows().join()") == "h2e2", "the arrow is in the picture")
    right(at(browser, "h2"), at(browser, "e2"))
    check(browser.value(shown) == [0, 1], "the same again erases it")
    click_square(browser, "e5")
    check(browser.value(shown) == [0, 0], "a click erases all")


def links(browser):
    analyse_position(browser, START)
    for text in ["h2e2", "h9g7"]:
        browser.value(f"playHere('{text}')")
        browser.until(f"movesTo(here).at(-1) === '{text}' && {KNOWN}")
    link = browser.value("linkHere()")
    analyse_position(browser, "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    browser.value(f"location.hash = new URL('{link}').hash")
    check(browser.until(f"movesTo(here).join() === 'h2e2,h9g7' && mode === 'analyse' && {KNOWN}"), "a link holds a position and its moves")
    check("fen" not in browser.value("location.hash"), "it is followed once")


def ends(browser):
    mode(browser, "play")
    begin(browser, NEARLY_MATE)
    plies(browser, 0)
    move(browser, "a2a9")
    check(browser.until("game.over && !byId('ending').hidden"), "at its end a game has a card")
    browser.click("#swapSides")
    check(browser.until("!game.over && game.seat === 'black' && turned"), "from which sides are swapped")
    begin(browser, NEARLY_MATE)
    plies(browser, 0)
    move(browser, "a2a9")
    browser.until("game.over")
    browser.value("byId('reviewTime').value = '200'")
    browser.click("#reviewGame")
    check(browser.until("mode === 'games' && review"), "and the game is reviewed")
    mode(browser, "play")
    browser.screen(390, 844, phone=True)
    browser.click("#reviewGame")
    check(browser.until("review && document.body.dataset.sheet === 'files'"), "on a phone in a sheet")
    check(browser.inside("#found .card, #curve"), "where its result is in sight")
    browser.value("openSheet('')")
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
    browser.until("game.over && !byId('ending').hidden")
    browser.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    # Clicks come in the order of their touches.
    browser.tap(*browser.still("header.top", across=0.6))
    browser.until("testClicks.includes('HEADER')")
    check(browser.value("testClicks.filter(Boolean).length === 1 && game.over"), "the tap that mates presses nothing on it")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)


def sounds(browser):
    option(browser, "sound", True)
    browser.value("window.heard = []; sound = ((made) => (kind) => { heard.push(kind); made(kind); })(sound)")
    browser.value("window.said = []; readAloud = (text) => said.push(text.zh)")
    analyse_position(browser, "4k4/9/9/9/9/4p4/9/9/R8/3K5 w - - 0 1")
    for text in ["a1a4", "e4d4", "a4d4", "e9e8", "d4e4"]:
        browser.value(f"playHere('{text}')")
        browser.until(f"movesTo(here).at(-1) === '{text}' && {KNOWN}")
    check(browser.value("heard.join()") == "move,move,capture,move,check", f"moves sound as what they are: {browser.value('heard.join()')}")
    check(browser.value("said.length") == 5, "and can be read aloud")
    option(browser, "sound", False)


# Black mates in two by e8f7 alone.
PROBLEM = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1"


def solutions(browser):
    analyse_position(browser, PROBLEM)
    # So many nodes settle it on every machine.
    browser.value("window.wished = wish; wish = (name, more = {}) => wished(name, name === 'solve' ? { ...more, nodes: 300000 } : more)")
    browser.click("#solve")
    check(browser.until("isSolving() || solving?.found") and browser.value("!byId('solution').hidden"), "a win is looked for")
    check(browser.until("solving && solving.found"), "and found")
    said = browser.value("byId('solution').innerText")
    check("Mate in 2 by A5+6, proven" in said and "No other first move" in said, f"what is proven is said: {said!r}")
    check(browser.until("thoughts && thoughts.node === here"), "then the engine goes on")
    browser.click("#addAll")
    check(browser.until("tree.nodes.length > 4 && tree.nodes[0].children.length === 1"), "all defences become variations")
    check("proven" in browser.value("tree.nodes[0].comment"), "with what is said of them")
    browser.value("travel('undo')")
    check(browser.value("lineHere().length") == 0, "which is undone at once")
    browser.until(KNOWN)
    browser.click("#addDefence")
    check(browser.until("lineHere().length === 3"), "or the longest defence alone")
    browser.click("#defence .step:nth-child(2)")
    check(browser.until("modes.analyse.at() === 2"), "a click on a move of the line goes there")
    browser.value("tree.edited = false")
    analyse_position(browser, START)
    check(browser.value("byId('solution').hidden"), "another game has no solution")
    browser.value("wish = wished; 0")
    browser.click("#solve")
    check(browser.until("isSolving() && byId('solutionText').innerText.includes('no mate')"), "it tells how far it is")
    browser.click("#stopSolve")
    check(browser.until("solving.found && byId('solution').innerText.includes('interrupted')"), "and can be stopped")
    browser.click("#closeSolution")
    check(browser.value("byId('solution').hidden"), "and put away")


def run(browser):
    browser.screen(1280, 720)
    for test in [premoves, questions, drawings, links, ends, sounds, solutions]:
        print(f"-- {test.__name__}")
        test(browser)
