"""The program with its board, and what the tests of the board page do on it."""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from browser import Browser, check, finish

# The windows that the page is looked at in: width, height, whether it is a phone.
SIZES = [(1440, 900, False), (1366, 657, False), (390, 844, True), (390, 664, True)]


class Board:
    """The program serving the board, with a state folder of its own."""

    def __init__(self, program, home):
        self.program, self.home = program, Path(home)
        self.start()

    def start(self):
        environment = dict(os.environ, XDG_STATE_HOME=str(self.home), LC_ALL="C")
        command = [self.program, "board", "--no-open"]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait(10)


@contextmanager
def board_in_browser(program, home, width=1280, height=720):
    """The page of the program in a browser, in English; at the end its scripts may have no complaint."""
    board, browser = Board(program, home), Browser()
    browser.board = board
    try:
        browser.screen(width, height)
        browser.open(board.address)
        browser.until(LOADED)
        speak(browser, "en")
        yield browser
        check(not browser.faults(), f"no faults: {browser.faults()[:2]}")
    finally:
        browser.close()
        board.close()


def start_again(browser, meanwhile=lambda: None):
    """Ends the program, and starts it on what it has kept."""
    browser.open("about:blank")
    browser.board.close()
    meanwhile()
    browser.board.start()
    browser.open(browser.board.address)
    browser.until(LOADED)


def run_parts(parts, *more, prefix, width=1280, height=720):
    """Runs parts of a test, each with the browser and `more`, on the page of the program that the command line names."""
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix=prefix) as home, board_in_browser(program, home, width, height) as browser:
        for part in parts:
            print(f"-- {part.__name__}", flush=True)
            part(browser, *more)
    finish()


def photograph(browser, folder, name):
    """The window in each size, language and theme; nothing where no folder is named."""
    if not folder:
        return
    folder.mkdir(parents=True, exist_ok=True)
    before = browser.value("[innerWidth, innerHeight]")
    for width, height, phone in SIZES:
        browser.screen(width, height, phone)
        for language in ["zh", "en"]:
            speak(browser, language)
            for theme in ["light", "dark"]:
                browser.value(f"document.documentElement.dataset.theme = '{theme}'")
                browser.photograph(folder / f"{name}-{width}x{height}-{language}-{theme}.png", whole=False)
    browser.value("document.documentElement.dataset.theme = 'light'")
    browser.screen(*before)


# The facts about the current node are known.
KNOWN = "Boolean(chuheBoard.facts)"
LOADED = "document.readyState === 'complete' && typeof chuheBoard === 'object' && Boolean(chuheBoard.game)"


AXE = Path("target/typescript/node_modules/axe-core/axe.min.js")


def at_rest(browser):
    """Waits until nothing moves or fades any more, but for what never ends."""
    browser.value("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(0))))")
    moving = "document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations < 9)"
    browser.value(f"Promise.all({moving}.map(({{ finished }}) => finished.catch(() => 0))).then(() => 0)")


def axe(browser, what):
    """What axe finds on the page, where it is installed."""
    if not AXE.exists():
        return
    browser.value("typeof axe === 'object'") or browser.value(f"{AXE.read_text()}; 0")
    found = browser.value("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 90))}`))")
    check(not found, f"axe has nothing to say of {what} {found or ''}")


def at(browser, square):
    """The coordinates of a square in the window, once the board is at rest."""
    browser.still(".stage .board")
    return browser.value(f"chuheBoard.pointOf('{square}')")


def click_at(browser, x, y):
    for kind in ["mousePressed", "mouseReleased"]:
        browser.mouse(kind, x, y, button="left", buttons=1 if kind == "mousePressed" else 0, clickCount=1)


def click_square(browser, square):
    click_at(browser, *at(browser, square))


def move(browser, text):
    click_square(browser, text[:2])
    click_square(browser, text[2:])


def tap_move(browser, text):
    """Moves a piece by two taps."""
    browser.value("scrollTo(0, 0)")
    for square in [text[:2], text[2:]]:
        browser.tap(*at(browser, square))


def plies(browser, count):
    return browser.until(f"chuheBoard.game && chuheBoard.game.moves.length === {count} && !chuheBoard.game.thinking")


def begin(browser, position="", seat="red", level=1, clock=""):
    """Begins a game through the dialog."""
    browser.value("$('#beginning').open || $('#newGame').click()")
    browser.click(f'#begin [value="{seat}"]')
    values = {"level": level, "position": position, "clock": clock}
    for name, value in values.items():
        browser.value(f"$('#begin').elements.{name}.value = '{value}'")
    turn = browser.value("chuheBoard.game.turn")
    browser.click("#begin .main")
    browser.until(f"chuheBoard.game.turn > {turn} && !$('#beginning').open || !$('#beginWrong').hidden")


def mode(browser, name):
    """Enters a state of the board by its tab, or what is beside them."""
    shown = browser.value(f"$('.top [data-mode-of={name}]').checkVisibility()")
    if shown:
        browser.click(f".top [data-mode-of={name}]")
    else:
        browser.value(f"$('[data-mode-of={name}]').click()")


def speak(browser, language):
    """The page in this language: it is loaded anew."""
    if browser.value("document.documentElement.lang") == language:
        return
    browser.value("chuheBoard.flushed()")
    browser.await_load(lambda: browser.value(f"$('#language').value = '{language}'; $('#language').dispatchEvent(new Event('change')); 0"))
    browser.until(f"{LOADED} && document.documentElement.lang === '{language}'")


def reload(browser):
    browser.value("chuheBoard.flushed()")
    browser.reload()
    return browser.until(LOADED)


def setup(browser, fen):
    """Enters a position as a FEN; returns the message about it."""
    mode(browser, "setup")
    browser.value(f"$('#fen').value = '{fen}'; $('#fen').dispatchEvent(new Event('input'))")
    browser.until(f"chuheBoard.setup.check && chuheBoard.setup.fen === '{fen}'")
    return browser.value("$('#wrong').innerText")


def analyse_position(browser, fen):
    """Analyses a position that is set up; a game with changes is given up."""
    setup(browser, fen)
    browser.click("#setupAnalyse")
    discard_changes(browser, f"chuheBoard.mode === 'analyse' && {KNOWN}")


def discard_changes(browser, done):
    """Waits for something before which the page may ask about a game with changes, which is given up."""
    browser.until(f"$('#question').open || {done}")
    if browser.value("$('#question').open"):
        browser.click('#question [value="discard"]')
    return browser.until(done)


def set_option(browser, name, on):
    """Ticks an option of the settings, or the reverse."""
    browser.value(f"$('[data-option={name}]').checked === {'true' if on else 'false'} || $('[data-option={name}]').click()")


def more(browser):
    """Opens the menu of the rest."""
    browser.value("document.body.dataset.sheet === 'more' || [...$$('button[data-sheet=more]')].find((button) => button.checkVisibility()).click()")


def catch_files(browser):
    """From now on `saved` has the last file that the page has the browser save: its name and its content."""
    browser.value(
        "window.saved = null; URL.createObjectURL = ((real) => (content) => { window.savedContent = content; return real(content); })"
        "(URL.createObjectURL.bind(URL)); HTMLAnchorElement.prototype.click = function () {"
        " window.saved = { name: this.download, content: window.savedContent }; }"
    )


def save(browser, kind):
    """Saves a file of this kind by the menu."""
    browser.value("window.saved = null")
    more(browser)
    browser.click(f'[data-save="{kind}"]')


def paste(browser, data, name="chuheBoard.game.pgn"):
    """Pastes a file."""
    script = (
        "(bytes) => { const data = new DataTransfer();"
        f" data.items.add(new File([Uint8Array.from(bytes)], '{name}'));"
        " document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })); }"
    )
    browser.value(f"({script})({list(data)})")


def open_record(browser, data, nodes):
    """Pastes a record that has so many positions; a game with changes is given up."""
    paste(browser, data)
    return discard_changes(browser, f"chuheBoard.tree.nodes.length === {nodes} && {KNOWN}")


def review(browser):
    """Reviews the game that is open, in a short time."""
    mode(browser, "review")
    browser.value("$('#reviewTime').value = '200'; $('#review').click()")
    return browser.until("Boolean(chuheBoard.review)")
