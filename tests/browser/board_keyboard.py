"""The board page by keys alone: a game to its end, an analysis, a position; each stop of the tabulator is seen."""

from board_page import KNOWN, mode, plies
from browser import check

CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
TEXTS = {"Enter": "\r", " ": " "}
# Red mates in two: the rooks take turns on the open lines.
MATE = "4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1"
# More stops than any mode has.
MOST_STOPS = 120


def press(browser, *keys):
    for key in keys:
        more = {"text": TEXTS[key]} if key in TEXTS else {"text": key} if len(key) == 1 else {}
        code = CODES.get(key, ord(key.upper()[0]))
        browser.ask("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
        browser.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)


def tab_to(browser, selector, back=False):
    """Goes on with the tabulator until this has the focus; false if it is never reached."""
    for _ in range(MOST_STOPS):
        if browser.value(f"document.activeElement.matches({selector!r})"):
            return True
        modifiers = 8 if back else 0
        browser.ask("Input.dispatchKeyEvent", type="keyDown", key="Tab", windowsVirtualKeyCode=9, modifiers=modifiers)
        browser.ask("Input.dispatchKeyEvent", type="keyUp", key="Tab", windowsVirtualKeyCode=9, modifiers=modifiers)
    return False


# The focused element, and whether its focus is seen on itself or on what stands for it.
FOCUSED = """(() => {
    const element = document.activeElement;
    const shown = element.matches(".seats input") ? element.nextElementSibling : element.closest("label.file") ?? element;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const box = shown.getBoundingClientRect();
    const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && box.width > 0 && box.height > 0;
    const name = element.id ? "#" + element.id : element.outerHTML.slice(0, 70);
    return { name, seen, body: element === document.body };
})()"""


def stops(browser, name):
    """Goes through all stops of a mode; the focus is seen at each."""
    press(browser, "Tab")
    browser.value("document.activeElement.blur?.()")
    browser.value("$('.top h1').tabIndex = -1; $('.top h1').focus()")
    unseen, count = [], 0
    for count in range(1, MOST_STOPS):
        press(browser, "Tab")
        found = browser.value(FOCUSED)
        if found["body"]:
            break
        if not found["seen"]:
            unseen.append(found["name"])
    # Every game of the list has its buttons.
    check(not unseen and 5 < count < (MOST_STOPS if name == "games" else 60), f"{name}: the focus is seen at all of {count - 1} stops {unseen or ''}")


def to_square(browser, square):
    """Brings the cursor of the board to a square, also on a turned board."""
    cursor, turned = browser.value("[chuheBoard.cursor, chuheBoard.isFlipped]")
    files, ranks = ord(square[0]) - ord(cursor[0]), int(square[1]) - int(cursor[1])
    press(browser, *["ArrowRight" if (files > 0) != turned else "ArrowLeft"] * abs(files))
    press(browser, *["ArrowUp" if (ranks > 0) != turned else "ArrowDown"] * abs(ranks))


def move(browser, text):
    to_square(browser, text[:2])
    press(browser, "Enter")
    to_square(browser, text[2:])
    press(browser, "Enter")


def game(browser):
    check(tab_to(browser, "#newGame"), "a new game is reached by keys")
    press(browser, "Enter")
    check(browser.until("$('#beginning').open"), "and opened")
    tab_to(browser, "[name=seat]")
    press(browser, "ArrowRight", "ArrowLeft")
    tab_to(browser, "#fromPosition summary")
    press(browser, "Enter")
    tab_to(browser, "[name=position]")
    browser.type(MATE)
    press(browser, "Enter")
    check(browser.until("!$('#beginning').open && document.activeElement === $('.stage .board')"), "it begins at the board")
    plies(browser, 0)
    move(browser, "b1b8")
    check(plies(browser, 2), "a piece is moved by arrows and Enter")
    move(browser, "a2a9")
    check(browser.until("chuheBoard.game.end && !$('#ending').hidden"), "to the end of the game")
    check(tab_to(browser, "#rematch"), "where the next one is reached")
    press(browser, " ")
    check(browser.until("!chuheBoard.game.end && chuheBoard.game.moves.length === 0"), "and begun with the space bar")


def analysis(browser):
    tab_to(browser, "[role=tab]", back=True)
    press(browser, "ArrowRight")
    check(browser.until(f"chuheBoard.mode === 'analyse' && {KNOWN}"), "an analysis is reached by arrows")
    check(tab_to(browser, "#board, .stage .board"), "and its board")
    move(browser, "h2e2")
    check(browser.until(f"chuheBoard.node && {KNOWN} && chuheBoard.moves.at(-1) === 'h2e2'"), "a move is made")
    browser.until("chuheBoard.analysis && chuheBoard.analysis.lines[0].moves.length > 2")
    check(tab_to(browser, "#lines .step"), "the lines of the engine are reached")
    press(browser, "ArrowRight")
    check(browser.until("chuheBoard.preview && chuheBoard.preview.length === 2"), "and looked through by arrows")
    press(browser, "Enter")
    check(browser.until(f"chuheBoard.tree.nodes[chuheBoard.node].depth === 3 && {KNOWN}"), "and played")
    check(tab_to(browser, "#tree .move"), "the list of moves is one stop")
    press(browser, "ArrowLeft")
    check(browser.until(f"chuheBoard.tree.nodes[chuheBoard.node].depth === 2 && document.activeElement.dataset.node === String(chuheBoard.node) && {KNOWN}"), "with arrows inside")
    check(tab_to(browser, "[data-mark]"), "a mark is reached")
    press(browser, " ")
    check(browser.until("chuheBoard.tree.nodes[chuheBoard.node].marks.length === 1 && chuheBoard.tree.nodes[chuheBoard.node].children.length === 1"), "and set by the space bar")


def position(browser):
    mode(browser, "setup")
    press(browser, "Tab")
    browser.value("$('.states [data-mode-of=setup]').focus()")
    tab_to(browser, "#empty")
    press(browser, "Enter")
    for piece, square in [("K", "e0"), ("k", "d9"), ("R", "a5")]:
        check(tab_to(browser, f"[data-piece={piece}]", back=not browser.value("document.activeElement === $('.stage .board')")), f"{piece} is chosen by keys")
        press(browser, "Enter")
        tab_to(browser, ".stage .board", back=True)
        to_square(browser, square)
        press(browser, "Enter")
    check(browser.until("chuheBoard.setup.fen.startsWith('3k5/9/9/9/R8/9/9/9/9/4K4')"), "and put on squares")
    browser.until("!$('#setupAnalyse').disabled")
    check(tab_to(browser, "#setupAnalyse"), "the position is analysed")
    press(browser, "Enter")
    browser.until("$('#question').open || chuheBoard.mode === 'analyse'")
    if browser.value("$('#question').open"):
        tab_to(browser, "#question [value=discard]")
        press(browser, "Enter")
    check(browser.until("chuheBoard.mode === 'analyse' && document.activeElement === $('.stage .board')"), "at its board")


def run(browser):
    browser.screen(1280, 720)
    mode(browser, "play")
    press(browser, "Tab")
    for test in [game, analysis, position]:
        print(f"-- {test.__name__} by keys")
        test(browser)
    for name in ["play", "analyse", "review", "games", "setup", "train"]:
        mode(browser, name)
        stops(browser, name)
