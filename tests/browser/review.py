#!/usr/bin/env python3
"""Tests the page of a review in a real browser: keys, clicks, wheel, curve, lines; the page of several games; and the
page of a review and the one of `mates check` on paper.

    tests/browser/review.py target/release/chuhe [--shots FOLDER]

Needs Chromium. With --shots screenshots are saved: on a desktop, in the dark, on a phone; and PDF files of both pages on paper.
"""

import argparse
import base64
import subprocess
import tempfile
from pathlib import Path

from browser import Browser, check, finish

# Red leaves a rook en prise with the sixth move; the rest is quiet.
GAME = (
    "startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 b0c2 c9e7 a0b0 b7b0 c2b0 h7i7 h0h9 g7h9 e2e6 d9e8"
)


# Mate in two moves, twice: once for each diagram.
PROBLEM = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1"

PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}

# The pictures that are printed, and of what they use the definitions that would draw nothing.
PRINTED = """(() => {
    const shown = (element) => { for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).display === "none") return false; return true; };
    const pictures = [...document.querySelectorAll("svg.board")].filter((board) => shown(board) && board.getBoundingClientRect().width > 100);
    const named = /(?:href="|url\\(["']?)#([\\w-]+)/g;
    const lost = new Set();
    const follow = (html, seen) => {
        for (const [, id] of html.matchAll(named)) {
            if (seen.has(id)) continue;
            seen.add(id);
            const definition = document.getElementById(id);
            if (!definition || !shown(definition.closest("svg"))) lost.add(id);
            else follow(definition.outerHTML, seen);
        }
    };
    for (const picture of pictures) follow(picture.outerHTML, new Set());
    return { count: pictures.length, lost: [...lost] };
})()"""


def print_page(browser, name, pictures, folder):
    """Whether discs and arrow heads are on paper. The discs of the pieces are the only gradients of the page."""
    browser.ask("Emulation.setEmulatedMedia", media="print")
    printed = browser.value(PRINTED)
    browser.ask("Emulation.setEmulatedMedia", media="")
    check(printed["count"] == pictures, f"{name}: pictures on paper: {printed['count']} of {pictures}")
    check(not printed["lost"], f"{name}: all that they use is drawn {printed['lost'] or ''}")
    for paper, (width, height) in PAPERS.items():
        data = browser.ask("Page.printToPDF", printBackground=True, paperWidth=width, paperHeight=height)["data"]
        pdf = base64.b64decode(data)
        if folder:
            (folder / f"{name}-{paper}.pdf").write_bytes(pdf)
        check(pdf.count(b"/ShadingType") > 0, f"{name}: discs are filled on {paper}")


def play(browser, plies):
    here = "Number(document.querySelector('.move.here')?.dataset.ply ?? 0)"
    pieces = "document.querySelectorAll('.stage .pieces use').length"
    shown = "document.querySelector('.about:not([hidden])').dataset.ply"

    check(browser.value(pieces) == 32 and browser.value(here) == 0, "the game begins with 32 pieces")
    browser.key("ArrowRight")
    browser.key("ArrowRight")
    check(browser.value(here) == 2 and browser.value(shown) == "2", "two keys, two moves")
    marks = "document.querySelectorAll('.stage .marks use').length"
    check(browser.value(marks) == 2, "the last move is marked")
    browser.key("ArrowLeft")
    check(browser.value(here) == 1, "a key goes back")
    browser.key("End")
    check(browser.value(here) == plies, "End goes to the end")
    check(browser.value(pieces) < 32, "pieces were taken")
    browser.key("Home")
    check(browser.value(here) == 0, "Home goes to the beginning")

    browser.value("document.getElementById('moves').style.maxHeight = '6rem'")
    browser.key("End")
    seen = "((m, l) => m.top >= l.top - 1 && m.bottom <= l.bottom + 1)(document.querySelector('.move.here').getBoundingClientRect(), document.getElementById('moves').getBoundingClientRect())"
    check(browser.value(seen), "a long list of moves is moved to where the reader is")
    browser.value("document.getElementById('moves').style.maxHeight = ''")

    browser.click(".curve", across=0.5)
    check(browser.value(here) == plies // 2, "a click in the middle of the curve goes to the middle of the game")
    browser.click(".curve", across=0.999)
    check(browser.value(here) == plies, "a click at its end goes to the end")
    browser.click('.move[data-ply="5"]')
    check(browser.value(here) == 5, "a click on a move goes there")
    browser.click('[data-go="on"]')
    check(browser.value(here) == 6, "a button goes on")
    browser.click(".stage .board")
    x, y = browser.value("(b => [b.left + 50, b.top + 50])(document.querySelector('.stage .board').getBoundingClientRect())")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=120)
    check(browser.value(here) == 7, "the wheel goes on")

    browser.key("Home")
    browser.key("ArrowDown")
    bad = browser.value(here)
    check(bad > 0 and browser.value(f"GAME.bad.includes({bad})"), "a key goes to the first mistake")
    arrows = "document.querySelectorAll('.stage .arrows path').length"
    browser.key("ArrowLeft")
    check(browser.value(arrows) == 2, "before it, arrows show what was played and what was better")
    browser.key("ArrowRight")
    line = browser.value("[...document.querySelectorAll('.about:not([hidden]) .better .step')].map((move) => Number(move.dataset.step))")
    browser.click(f".about:not([hidden]) .better .step[data-step='{line[-2]}']")
    check(browser.value("document.body.classList.contains('aside')"), "a click on a line steps into it")
    step = "$('.step.here').dataset.step"
    check(browser.value(step) == str(line[-2]) and browser.value(shown) == str(bad), "as far as was clicked")
    browser.key("ArrowRight")
    check(browser.value(step) == str(line[-1]), "keys step on in it")
    browser.key("Escape")
    check(browser.value(here) == bad and not browser.value("document.body.classList.contains('aside')"), "Escape goes back to the game")

    browser.key("f")
    king = "document.querySelector('.stage .pieces use[href=\"#piece-K\"]').getAttribute('y')"
    check(browser.value(king) == "0", "the board can be turned")
    browser.key("f")
    browser.click("#theme")
    check(browser.value("document.documentElement.dataset.theme") in ["dark", "light"], "the colours can be chosen")
    browser.click("#theme")


def open_games(browser, page, folder):
    """The page of several games, of which the last one is GAME."""
    here = "[...document.querySelectorAll('.move')].findIndex((move) => move.classList.contains('here')) + 1"
    title = "document.getElementById('title').innerText"
    browser.screen(1280, 1000)
    browser.open(page.resolve().as_uri())
    check(browser.value("$$('tr[data-game]').length") == 3, "all games are listed")
    check("One" in browser.value(title), "the first one is open")
    browser.click("tr[data-game='2'] button")
    check("Five" in browser.value(title) and browser.value("location.hash") == "#3", "a click on a game opens it")
    check(browser.value("$$('.move').length") == len(GAME.split()) - 2 and browser.value(here) == 0, "with all of its moves")
    browser.key("ArrowDown")
    bad = browser.value(here)
    note = "document.getElementById('thought').innerText"
    check(bad == 11 and "better:" in browser.value(note), "a key goes to the mistake, and its note is told")
    browser.key("ArrowLeft")
    check(browser.value("$$('.stage .arrows path').length") == 2, "before it, arrows show what was played and what was better")
    browser.click("tr[data-game='0'] button")
    browser.click(".costliest button[data-ply='10']")
    check("Five" in browser.value(title) and browser.value(here) == 10, "a click on a mistake opens the position before it")
    browser.key("End")
    browser.key("ArrowUp")
    browser.key("ArrowUp")
    check(browser.value(here) <= bad, "keys go back to mistakes")
    for width in [1440, 390, 320]:
        browser.screen(width, 844, phone=width < 500)
        check(browser.value("document.documentElement.scrollWidth") <= width, f"nothing is wider than a window of {width}")
        if folder:
            browser.value("scrollTo(0, 0)")
            browser.photograph(folder / f"games-{width}.png")
    browser.reload()
    check("Five" in browser.value(title), "the address keeps the game")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chuhe", help="the program")
    parser.add_argument("--shots", type=Path, help="photograph the page into this folder")
    parser.add_argument("--page", type=Path, help="photograph this page instead of a game of the script's own")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = arguments.page or Path(folder) / "review.html"
        if not arguments.page:
            command = [arguments.chuhe, "review", GAME, "--nodes", "3000", "--threads", "1", "--lang", "en", "--html", str(page)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        browser = Browser()
        try:
            browser.screen(1280, 1000)
            browser.open(page.resolve().as_uri())
            if not arguments.page:
                play(browser, len(GAME.split()) - 2)
            browser.screen(1280, 720)
            browser.value("scrollTo(0, 0)")
            check(browser.inside(".stage .board, .stage .buttons button"), "board and buttons lie within a window of 1280 × 720")
            for width in [390, 320]:
                browser.screen(width, 844, phone=True)
                check(browser.value("document.documentElement.scrollWidth") <= width, f"nothing is wider than a phone of {width}")
            if not arguments.page:
                if arguments.shots:
                    arguments.shots.mkdir(parents=True, exist_ok=True)
                browser.screen(1280, 1000)
                print_page(browser, "review", browser.value("document.querySelectorAll('.moments figure').length"), arguments.shots)
                checked = Path(folder) / "check.html"
                problems = Path(folder) / "problems.txt"
                problems.write_text(f"{PROBLEM}\n{PROBLEM}\n")
                command = [arguments.chuhe, "mates", "check", str(problems), "--nodes", "200000", "--html", str(checked)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                browser.open(checked.resolve().as_uri())
                print_page(browser, "check", 2, arguments.shots)
                games = Path(folder) / "games.pgn"
                pair = '[Red "One"]\n[Black "Two"]\n\n1. h2e2 h9g7 *\n\n[Red "Three"]\n[Black "Four"]\n\n1. b2e2 *\n\n'
                games.write_text(f'{pair}[Red "Five"]\n[Black "Six"]\n\n{" ".join(GAME.split()[2:])} *\n')
                together = Path(folder) / "games.html"
                command = [arguments.chuhe, "review", str(games), "--nodes", "3000", "--lang", "en", "--html", str(together)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                open_games(browser, together, arguments.shots)
                browser.open(page.resolve().as_uri())
            if arguments.shots:
                arguments.shots.mkdir(parents=True, exist_ok=True)
                shots(browser, arguments.shots)
        finally:
            browser.close()
        faults, asked = browser.faults(), browser.addresses()
        check(not faults, f"the script has no complaints{faults or ''}")
        check(all(url.startswith("file:") for url in asked) and len(asked) == (1 if arguments.page else 5), f"the page asks for nothing from outside: {len(asked)}")
    finish()


def shots(browser, folder):
    def theme(name):
        browser.value(f"document.documentElement.dataset.theme = '{name}'")

    theme("light")
    browser.key("Home")
    browser.key("ArrowDown")
    browser.screen(1280, 1000)
    browser.photograph(folder / "desktop.png")
    browser.key("ArrowLeft")
    theme("dark")
    browser.photograph(folder / "dark.png")
    theme("light")
    browser.screen(390, 844, phone=True)
    browser.photograph(folder / "phone.png")


if __name__ == "__main__":
    main()
