#!/usr/bin/env python3
"""Tests in a real browser that a picture of a board becomes a position: pasted, dropped or chosen, with its doubtful points.

    tests/browser/pictures.py target/release/chuhe [FOLDER]

Needs Chromium; photographs into the folder.
"""

import subprocess
import sys
from pathlib import Path

from board_page import click_square, mode, photograph, run_parts, setup
from browser import check

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None

MIDDLE = "r1bakabr1/9/1cn3n1c/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1"
READ = "chuheBoard.mode === 'setup' && chuheBoard.setup.check && !$('#shot').hidden && !/Reading/.test($('#shotText').innerText)"


def drawn(browser, fen, *options):
    """A picture of a position, as the program draws it."""
    path = browser.board.home / "shot.png"
    subprocess.run([browser.board.program, "show", f"{fen} w - - 0 1", "--png", path, "--force", *options], check=True, stdout=subprocess.DEVNULL)
    return path.read_bytes()


def give(browser, data, how="paste", kind="image/png"):
    """Pastes or drops a file of this type."""
    event = "new ClipboardEvent('paste', { clipboardData: data })" if how == "paste" else "new DragEvent('drop', { dataTransfer: data, cancelable: true })"
    script = (
        "(bytes) => { const data = new DataTransfer();"
        f" data.items.add(new File([Uint8Array.from(bytes)], 'shot', {{ type: '{kind}' }}));"
        f" document.dispatchEvent({event}); }}"
    )
    browser.value(f"$('#shot').hidden = true; ({script})({list(data)})")


def spoiled(browser, data, square_x, square_y):
    """The picture with a veil over a point, which makes it doubtful."""
    return browser.value(
        f"(async () => {{ const bitmap = await createImageBitmap(new Blob([Uint8Array.from({list(data)})]));"
        " const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });"
        " const context = canvas.getContext('2d'); context.drawImage(bitmap, 0, 0);"
        f" const [x, y, r] = [{square_x} * bitmap.width, {square_y} * bitmap.height, bitmap.width / 22];"
        " context.filter = 'blur(6px)'; context.drawImage(canvas, x - r, y - r, 2 * r, 2 * r, x - r, y - r, 2 * r, 2 * r);"
        " context.filter = 'none'; context.fillStyle = 'rgb(222 190 140 / .55)'; context.fillRect(x - r, y - r, 2 * r, 1.1 * r);"
        " const blob = await new Promise((done) => canvas.toBlob(done)); return [...new Uint8Array(await blob.arrayBuffer())]; })()"
    )


def pictures(browser):
    plain = drawn(browser, MIDDLE)
    mode(browser, "analyse")
    give(browser, plain)
    check(browser.until(f"{READ} && chuheBoard.setup.fen.startsWith('{MIDDLE} w')"), "a pasted picture is set up")
    check(browser.value("$('#shotView').width > 100 && chuheBoard.setup.doubts.size === 0"), "with the picture beside it and without a doubt")
    browser.value("$('#fenSide').value = 'b'; $('#fenSide').dispatchEvent(new Event('change'))")
    check(browser.until(f"chuheBoard.setup.fen.startsWith('{MIDDLE} b') && !$('#setupAnalyse').disabled"), "who is to move is chosen")
    mode(browser, "play")
    give(browser, drawn(browser, MIDDLE, "--flip"), "drop")
    check(browser.until(f"{READ} && chuheBoard.setup.fen.startsWith('{MIDDLE} w') && document.body.classList.contains('turned')"), "a dropped one with black below turns the board")
    browser.click("#shotTurn")
    turned = "/".join(row[::-1] for row in reversed(MIDDLE.split("/")))
    check(browser.until(f"chuheBoard.setup.fen.startsWith('{turned}')"), "and is read the other way round, where the user knows better")
    browser.click("#shotClose")
    check(browser.value("$('#shot').hidden"), "it is put away")
    browser.value("document.body.classList.contains('turned') && $('.setup [data-go=flip]').click()")


def photographed(browser, data):
    """The picture as somebody sees it who sits at its lower edge."""
    return browser.value(
        f"(async () => {{ const bitmap = await createImageBitmap(new Blob([Uint8Array.from({list(data)})]));"
        " const { width, height } = bitmap;"
        " const canvas = Object.assign(document.createElement('canvas'), { width, height });"
        " const context = canvas.getContext('2d'); context.fillStyle = '#5a5046'; context.fillRect(0, 0, width, height);"
        " for (let y = 0; y < height; y++) { const seen = height - y, away = seen / (1 - 0.5 * seen / height);"
        " const scale = 1 / (1 + 0.5 * away / height);"
        " if (away < height) context.drawImage(bitmap, 0, height - away, width, 1, width / 2 * (1 - scale), y, width * scale, 1); }"
        " const blob = await new Promise((done) => canvas.toBlob(done)); return [...new Uint8Array(await blob.arrayBuffer())]; })()"
    )


def photograph_of_a_board(browser):
    give(browser, photographed(browser, drawn(browser, MIDDLE, "--width", "800")))
    same = f"chuheBoard.setup.fen.split('/').filter((row, at) => row.split(' ')[0] === '{MIDDLE}'.split('/')[at]).length"
    check(browser.until(f"{READ} && !$('#shot').classList.contains('setting') && {same} > 7"), "a photograph is read between the corners that are found")
    photograph(browser, SHOTS, "picture-photograph")
    browser.click("#shotClose")


def corners(browser):
    give(browser, plain_paper(browser))
    check(browser.until(f"{READ} && $('#shot').classList.contains('setting')"), "without a board the corners are asked for")
    check("no xiangqi board" in browser.value("$('#shotText').innerText"), "with the reason")
    photograph(browser, SHOTS, "picture-corners")
    before = browser.value("$('#shotCorners button').style.left")
    browser.value("$('#shotCorners button').focus()")
    browser.key("ArrowRight")
    check(browser.value("$('#shotCorners button').style.left") != before, "a corner is moved by keys")
    browser.click("#shotRead")
    check(browser.until(READ), "and the picture is read again")
    browser.click("#shotClose")
    give(browser, b"no picture")
    check(browser.until("/cannot be opened/.test($('#notice').innerText)"), "what is no picture says so")


def plain_paper(browser):
    return browser.value(
        "(async () => { const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 500 });"
        " const blob = await new Promise((done) => canvas.toBlob(done)); return [...new Uint8Array(await blob.arrayBuffer())]; })()"
    )


def doubts(browser):
    """A point that the picture leaves open is marked; a click takes the other reading."""
    give(browser, spoiled(browser, drawn(browser, MIDDLE), *DOUBTFUL))
    check(browser.until(f"{READ} && chuheBoard.setup.doubts.size > 0"), "a veiled point is doubtful")
    check(browser.value("$$('.stage .arrows .doubt').length === chuheBoard.setup.doubts.size"), "and marked")
    photograph(browser, SHOTS, "picture-doubts")
    square, other = browser.value("(([square, { other }]) => [square, other])([...chuheBoard.setup.doubts][0])")
    count = browser.value("chuheBoard.setup.doubts.size")
    click_square(browser, square)
    check(browser.value(f"(chuheBoard.setup.pieces.get('{square}') ?? null)") == other, "a click takes the other reading")
    check(browser.value("chuheBoard.setup.doubts.size") == count - 1, "which is an answer")
    browser.value(
        "window.saved = []; window.made = null; window.makeUrl = URL.createObjectURL;"
        " URL.createObjectURL = (blob) => { made = blob; return 'blob:file'; };"
        " HTMLAnchorElement.prototype.click = function () {"
        " const { download } = this; made.text().then((text) => saved.push([download, text])); }, true"
    )
    browser.click("#shotSave")
    check(browser.until("saved.length === 2"), "the picture and what is set up are saved")
    files = dict(browser.value("saved"))
    picture, position = sorted(files, reverse=True)
    check(picture.endswith(".png") and position == picture[:-3] + "fen", "as two files of one name")
    check(files[position] == browser.value("chuheBoard.setup.fen") + "\n", "the position with the correction")
    browser.value("delete HTMLAnchorElement.prototype.click, URL.createObjectURL = makeUrl, true")
    setup(browser, f"{MIDDLE} w - - 0 1")
    check(browser.value("chuheBoard.setup.doubts.size") == 0, "another position has no doubts")
    browser.click("#shotClose")


# Where the veiled point is: the horse of red on the right, with parts of the width and the height.
DOUBTFUL = (0.735, 0.745)


if __name__ == "__main__":
    run_parts([pictures, doubts, photograph_of_a_board, corners], prefix="chuhe-pictures-", width=1440, height=900)
