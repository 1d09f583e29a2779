#!/usr/bin/env python3
"""Openings in a real browser: two hundred games of one player become a repertoire with one click, which is trained for three
weeks; what is missing, files, a move from the analysis, the end of a game: repertoire.py PROGRAM [FOLDER]. Needs Chromium;
photographs into the folder."""

import json
import random
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

from board_page import KNOWN, begin, catch_files, discard_changes, mode, move, photograph, plies, reload, run_parts, start_again
from browser import check
from train_page import PHASE, QUESTION, aged, ask, choose_files, screen

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
PLAYER = "王小明"
DAYS = 21


class Book:
    """The moves of the book of the program, by lines."""

    def __init__(self, program):
        self.program, self.known = program, {}

    def moves(self, line):
        key = " ".join(line)
        if key not in self.known:
            words = ["startpos", *(["moves", *line] if line else [])]
            shown = subprocess.run([self.program, "book", "show", "--json", *words], stdout=subprocess.PIPE, text=True, check=True)
            self.known[key] = [(entry["move"], max(1, entry["weight"])) for entry in json.loads(shown.stdout)["moves"]]
        return self.known[key]


def games_of_player(book, count):
    """Games by chance from the book: the player mostly plays its first move, the others any."""
    chance, games = random.Random(5), []
    for number in range(count):
        side, line = number % 2, []
        for ply in range(14):
            there = book.moves(line)
            if not there:
                break
            if ply % 2 == side:
                line.append(there[0][0] if chance.random() < 0.85 or len(there) == 1 else there[1][0])
            else:
                line.append(chance.choices([mv for mv, _ in there], [weight for _, weight in there])[0])
        result = chance.choice(["1-0", "0-1", "1/2-1/2"])
        names = [PLAYER, f"对手{number % 9}"]
        red, black = names if side == 0 else names[::-1]
        day = f"2026.{number // 28 % 9 + 1:02}.{number % 28 + 1:02}"
        games.append(f'[Red "{red}"]\n[Black "{black}"]\n[Date "{day}"]\n[Result "{result}"]\n\n{" ".join(line)} {result}\n\n')
    return "".join(games)


def shown(browser, side):
    """Shows the openings of a side from the start."""
    browser.click(f"#openingSides [data-side={side}]")
    check(browser.until(f"$('#openingSides [data-side={side}]').ariaPressed === 'true' && chuheBoard.lastPly === 0"), f"the openings of {side} are shown")


def positions(browser, side):
    return ask(browser, "openings", side=side, moves=[])["positions"]


def games_in(browser, book):
    screen(browser, "openings")
    check(browser.until("$('#openingCount')?.innerText.includes('no openings yet')"), "there are no openings at first")
    check(browser.value("$('#openingsMake').disabled"), "and no games to make them of")
    photograph(browser, SHOTS, "openings-empty")
    games = games_of_player(book, 200)
    read = browser.value(f"import(performance.getEntriesByType('resource').find(({{ name }}) => name.includes('/transport.js')).name).then(({{ transport }}) => transport.send('read-file', {json.dumps({'bytes': b64encode(games.encode()).decode(), 'name': 'club.pgn'})}))")
    check(len(read["ids"]) == 200, f"two hundred games are in the list: {len(read['ids'])}")
    reload(browser)
    screen(browser, "openings")
    check(browser.until("$$('#openingPlayers button').length > 3"), "it is asked who the person is")
    photograph(browser, SHOTS, "openings-who")
    browser.click(f"#openingPlayers [data-name={PLAYER}]")
    check(browser.until("$('#openingsMake').innerText.includes('100') && !$('#openingsMake').disabled"), "a hundred games have red")


def made(browser, book):
    for side in ["red", "black"]:
        shown(browser, side)
        browser.click("#openingsMake")
        check(browser.until("/^\\d\\d+ positions/.test($('#openingCount').innerText)"), f"one click makes the openings of {side}")
    counts = [positions(browser, side) for side in ["red", "black"]]
    check(min(counts) > 25, f"of many positions: {counts}")
    shown(browser, "red")
    first = browser.value("$('#openingMoves li .star[aria-pressed=true]').dataset.star")
    check(first in [book.moves([])[0][0], "h0g2"], f"the first move is the one that was played most: {first}")
    check(browser.until("$$('#openingGaps button').length > 0"), "what is missing is listed")
    photograph(browser, SHOTS, "openings-made")
    browser.click("#openingMoves li [data-to]")
    check(browser.until("chuheBoard.lastPly === 1 && $('#openingTitle').innerText === 'Replies'"), "a click goes on in the lines")
    check(browser.value("$$('#openingMoves li .star[aria-pressed=true]').length") > 2, "to the answers")
    photograph(browser, SHOTS, "openings-answers")
    browser.click("#openingGaps button")
    check(browser.until("$('#openingTitle').innerText === 'My moves' && $$('#openingMoves .star[aria-pressed=true]').length === 0"), "a gap leads to its position")
    before = positions(browser, "red")
    legal = browser.value("chuheBoard.legalMoves[0]")
    move(browser, legal)
    check(browser.until("$('#openingTitle').innerText === 'Replies'"), "any move can be looked at")
    browser.click("#openingLine .star")
    check(browser.until("$('#openingLine .star').ariaPressed === 'true'"), "a star takes a move in")
    check(positions(browser, "red") == before + 1, "which is one position more")
    browser.click("#openingLine .star")
    check(browser.until("!$('#notice').hidden && $('#notice').innerText.includes('Undo')"), "another click takes it out")
    check(positions(browser, "red") == before, "again")
    browser.click("#notice button")
    check(browser.until("$('#openingLine .star').ariaPressed === 'true'"), "and it can be brought back")
    browser.key("ArrowLeft")
    check(browser.until("$('#openingTitle').innerText === 'My moves' && $('#openingMoves .star').ariaPressed === 'true'"), "a step back leads to the move")


def wanted(browser, asked):
    """The moves of the openings where a card asks for one."""
    choices = ask(browser, "openings", side=asked["side"], moves=asked["moves"])["choices"]
    return [choice["iccs"] for choice in choices if choice["listed"]]


def wrong(browser, _):
    screen(browser, "openings")
    check(browser.until("!$('#openingsTrain').disabled && $('#openingsTrain').innerText.includes('10')"), "ten new cards are due")
    browser.click("#openingsTrain")
    check(browser.until(f"{PHASE} === 'ask' && chuheBoard.legalMoves.length > 0"), "the training begins")
    asked = browser.value(QUESTION)
    check(asked["kind"] == "opening" and "line" not in asked, "a move of the openings is asked for, and not told")
    right = wanted(browser, asked)
    move(browser, browser.value(f"chuheBoard.legalMoves.find((mv) => !{json.dumps(right)}.includes(mv))"))
    check(browser.until(f"{PHASE} === 'wrong'"), "another move is wrong")
    why = browser.value("$('#exerciseWhy').innerText")
    check(all(part in why for part in ["Your line has", "The engine:", "Your games:"]), f"it is told why: {why}")
    photograph(browser, SHOTS, "openings-wrong")
    browser.click("#goOnExercise")
    browser.until(f"{PHASE} === 'ask' && chuheBoard.legalMoves.length > 0")
    move(browser, right[0])
    check(browser.until(f"{PHASE} === 'right' && $('#exerciseSaid').innerText.includes('your line')"), "the move of the line is right")
    photograph(browser, SHOTS, "openings-right")
    browser.click("#goOnExercise")
    check(browser.until(f"{PHASE} === 'ask' && {QUESTION}.id !== '{asked['id']}' && chuheBoard.ply === {QUESTION}.moves.length && chuheBoard.legalMoves.length > 0"), "the other side moves before the next question")
    photograph(browser, SHOTS, "openings-asked")
    browser.click("#endExercise")


def three_weeks(browser, _):
    """Each day what is due is answered, one of eight answers wrong. Then the program is started again, and all that was
    answered is a day older."""
    chance, per_day = random.Random(3), []

    def a_day_passes():
        [file] = browser.board.home.rglob("train.jsonl")
        file.write_text(aged(file.read_text(), 1))

    for _ in range(DAYS):
        done = 0
        while done < 100:
            asked = ask(browser, "question", kind="opening")["question"]
            if not asked:
                break
            ask(browser, "answer", id=asked["id"], rating=1 if chance.random() < 0.125 else 3)
            done += 1
        per_day.append(done)
        start_again(browser, a_day_passes)
    check(sum(per_day) > 120 and all(per_day[1:10]), f"three weeks of training: {per_day}")
    check(max(per_day[-5:]) < max(per_day[:12]), "what is known comes less often")
    cards = ask(browser, "cards", kind="opening", **{"from": 0, "count": 200})
    check(all(card["answers"] for card in cards["cards"]), f"all of {cards['found']} cards were asked")


def files(browser, _):
    reload(browser)
    screen(browser, "openings")
    browser.until("$$('#openingMoves li').length > 0")
    catch_files(browser)
    before = positions(browser, "black")
    shown(browser, "black")
    for kind in ["Xqf", "Pgn"]:
        browser.value("window.saved = null")
        browser.click("#openingsMenu summary")
        browser.click(f"#openings{kind}")
        check(browser.until("Boolean(window.saved)"), f"they are saved as {kind.upper()}")
    name, text = browser.value("saved.content.text().then((text) => [saved.name, text])")
    check(name == "openings-black.pgn" and "Repertoire: black" in text, f"with their colour: {name}")
    browser.click("#openingsMenu summary")
    browser.click("#openingsClear")
    check(browser.until("$('#openingCount').innerText.includes('no openings yet')"), "they can be taken out")
    check(ask(browser, "today")["due"]["opening"] == ask(browser, "openings", side="red", moves=[])["due"], "with their cards")
    shown(browser, "red")
    choose_files(browser, "openingsFile", [["mine.pgn", text]])
    check(browser.until("$('#openingSides [data-side=black]').ariaPressed === 'true'"), "a file is opened for its colour")
    check(positions(browser, "black") == before, "with all of it")
    check("error" in ask(browser, "openings-file", bytes="bm8gZ2FtZQ==", name="note.txt"), "one without lines is refused")


def analysis(browser, _):
    mode(browser, "analyse")
    browser.until(KNOWN)
    check(browser.value("$('#mineHere').hidden"), "the first position has no move to take")
    before = positions(browser, "red")
    move(browser, "a3a4")
    check(browser.until("!$('#mineHere').hidden && $('#mineHere').ariaPressed === 'false'"), "a move of the analysis is not in the openings")
    browser.click("#mineHere")
    check(browser.until("$('#mineHere').ariaPressed === 'true'"), "a click takes it in")
    choices = ask(browser, "openings", side="red", moves=[])["choices"]
    check(any(choice["iccs"] == "a3a4" and choice["listed"] for choice in choices), "beside the main move")
    photograph(browser, SHOTS, "openings-analysis")
    browser.screen(390, 664, phone=True)
    browser.value("$$('button[data-sheet=more]').find((button) => button.checkVisibility()).click()")
    check(browser.until("$('#mineMore').checkVisibility() && $('#mineMore').ariaPressed === 'true'"), "on a phone the star is behind More")
    browser.photograph(SHOTS / "star.png", False) if SHOTS else None
    browser.click("#mineMore")
    browser.value("document.body.dataset.sheet = ''")
    browser.screen(1280, 720)
    check(browser.until("$('#mineHere').ariaPressed === 'false'") and positions(browser, "red") == before, "and out again")


def game(browser, _):
    begin(browser, seat="red", level=1)
    browser.until("chuheBoard.game.moves.length === 0")
    move(browser, "a3a4")
    check(plies(browser, 2), "a game is played")
    browser.value("$('[data-request=resign]').click()")
    check(browser.until("Boolean(chuheBoard.game.end)"), "and resigned")
    check(browser.until("$('#endOpenings').innerText.includes('You left your openings at move 1')"), f"its end says where it has left the openings: {browser.value('$(`#endOpenings`).innerText')}")
    check("Your chances" in browser.value("$('#endOpenings').innerText"), "and whether that was good")
    photograph(browser, SHOTS, "openings-end")
    browser.value("$('#reviewTime').value = '100'")
    browser.click("#reviewGame")
    told = "$('#openingsLeft').innerText.includes('at move 1')"
    check(discard_changes(browser, told), "and so does its review")
    photograph(browser, SHOTS, "openings-review")


if __name__ == "__main__":
    parts = [games_in, made, wrong, three_weeks, files, analysis, game]
    run_parts(parts, Book(str(Path(sys.argv[1]).resolve())), prefix="chuhe-openings-")
