"""The program with its board, and what the tests of the board page do on it."""

import os
import subprocess


class Board:
    """The program serving the board, with a state folder of its own."""

    def __init__(self, program, home, *words):
        environment = dict(os.environ, XDG_STATE_HOME=str(home), LC_ALL="C")
        command = [program, "board", "--no-open", *words]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait(10)


# The facts about the current node are known.
KNOWN = "looked && looked.node === here"
LOADED = "document.readyState === 'complete' && typeof tree === 'object' && tree && typeof game === 'object' && game"


def at(browser, square):
    """The coordinates of a square in the window, once the board is at rest."""
    browser.still(".stage .board")
    return browser.value(
        "((square) => { const [x, y] = spot(square);"
        " const at = new DOMPoint(x, y).matrixTransform(board.getScreenCTM()); return [at.x, at.y]; })" + f"('{square}')"
    )


def click_square(browser, square):
    x, y = at(browser, square)
    for kind in ["mousePressed", "mouseReleased"]:
        browser.mouse(kind, x, y, button="left", buttons=1 if kind == "mousePressed" else 0, clickCount=1)


def move(browser, text):
    click_square(browser, text[:2])
    click_square(browser, text[2:])


def plies(browser, count):
    return browser.until(f"game && game.moves.length === {count} && !game.thinking")


def begin(browser, position="", seat="red", level=1, clock=""):
    """Begins a game through the form."""
    browser.value(f"byId('level').value = {level}; byId('level').dispatchEvent(new Event('change'))")
    browser.value("byId('beginning').open || byId('newGame').click()")
    browser.click(f'#begin [value="{seat}"]')
    browser.value(f"document.querySelector('#begin [name=position]').value = '{position}'")
    browser.value(f"document.querySelector('#begin [name=clock]').value = '{clock}'")
    turn = browser.value("game.turn")
    browser.click("#begin .main")
    browser.until(f"game.turn > {turn} && !byId('beginning').open || !byId('notice').hidden")


def mode(browser, name):
    browser.click(f'[data-mode-of="{name}"]')


def speak(browser, language):
    browser.value(f"if (document.documentElement.dataset.language !== '{language}') byId('language').click()")


def reload(browser):
    browser.value("store.settled()")
    browser.reload()
    return browser.until(LOADED)


def setup(browser, fen):
    """Enters a position as a FEN; returns the message about it."""
    mode(browser, "setup")
    browser.value(f"byId('fen').value = '{fen}'; byId('fen').dispatchEvent(new Event('input'))")
    browser.until(f"setup.told && setup.fen === '{fen}'")
    return browser.value("byId('wrong').innerText")


def analyse_position(browser, fen):
    """Analyses a position that is set up; a game with changes is given up."""
    setup(browser, fen)
    browser.click("#setupAnalyse")
    browser.until("mode === 'analyse' || byId('question').open")
    if browser.value("byId('question').open"):
        browser.click('#question [value="dropIt"]')
    browser.until(f"mode === 'analyse' && {KNOWN}")


def paste(browser, data, name="game.pgn"):
    """Pastes a file."""
    script = (
        "(bytes) => { const data = new DataTransfer();"
        f" data.items.add(new File([Uint8Array.from(bytes)], '{name}'));"
        " document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })); }"
    )
    browser.value(f"({script})({list(data)})")
