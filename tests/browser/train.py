#!/usr/bin/env python3
"""A week of training in a real browser: games in, their review, exercises right and wrong, days that pass, cards on a second
device, a sheet; by mouse and by keys: train.py PROGRAM [FOLDER]. Needs Chromium; photographs into the folder.
Where axe-core is installed (.ci/run does it) the screens are checked with it."""

import json
import re
import sys
import tempfile
from base64 import b64decode
from contextlib import contextmanager
from pathlib import Path

import board_keyboard
from board_keyboard import press, tab_to
from board_page import LOADED, Board, axe, board_in_browser, catch_files, mode, move, open_record, photograph, reload, review, speak
from browser import check, finish
from train_page import (
    ENDING, GAMES, PHASE, QUESTION, SETTLED, TRAINING, aged, ask, begin_ending, choose_files, days_pass, give_away, pgn, screen, win_ending,
)
from web_faults import tab

SCREENS = ["today", "games", "cards", "openings", "endings", "rulings", "pattern"]
SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None


def games_in(browser):
    screen(browser, "today")
    check(browser.until("$('#todayText').innerText.includes('Add your games')"), "without cards the training asks for games")
    photograph(browser, SHOTS, "empty")
    browser.click("#toGames")
    files = [[f"game-{number}.pgn", pgn([game])] for number, game in enumerate(GAMES)]
    choose_files(browser, "trainFiles", [*files, ["nothing.xqf", "no game at all"]])
    check(browser.until("$('#faultCount').innerText.includes('1') && $('#faultList').textContent.includes('nothing.xqf')"), "a file without a game is named")
    check(browser.until("$('#playerNames button')?.dataset.name === '甲'"), "who recurs in the games is offered")
    photograph(browser, SHOTS, "who")
    axe(browser, "the question who one is")
    browser.click("#playerNames button")
    browser.click("#thatIsMe")
    check(browser.until(f"{TRAINING}.today.me.join() === '甲' && $('#iAmText').innerText.includes('甲')"), "and asked once")
    check(browser.until(f"{TRAINING}.today.queue.done === 3 && {TRAINING}.today.cards >= 3", 120), "the games are reviewed behind")
    check(browser.until("$('#queueText').innerText.startsWith('3 of 3 games')"), f"a line says how far they are: {browser.value('$(`#queueText`).innerText')!r}")
    choose_files(browser, "trainFiles", files)
    check(browser.until("$('#queueText').innerText.includes('Known already: 3')"), "nothing is reviewed twice")


def large_file(browser):
    """A file that is larger than a request may be comes in parts; one of a single game does not."""
    count = "import('./transport.js').then(({ transport }) => transport.send('game-ids', {})).then(({ ids }) => ids.length)"
    before = browser.value(count)
    screen(browser, "games")
    for ends, games in [("\\n", 4), ("\\r\\n", 3), ("\\n", 1)]:
        browser.value(
            f"((count) => {{ const end = '{ends}', data = new DataTransfer(), comment = 'x '.repeat(count > 1 ? 2e6 : 7e6);"
            " const game = (number) => `[Red \"戊${number}${escape(end)}\"]${end}${end}1. H2-E2 {${comment}} *${end}${end}`;"
            " data.items.add(new File([...Array(count).keys()].map(game), 'large.pgn')); $('#trainFiles').files = data.files;"
            f" $('#trainFiles').dispatchEvent(new Event('change')); }})({games})"
        )
        # The third file is chosen while the second one is read.
        if games == 4:
            check(browser.until(f"{count}.then((count) => count === {before} + 4)"), "the games of a large file are in the list")
    check(browser.until(f"{count}.then((count) => count === {before} + 7)"), "and those of the next one")
    check(browser.until("$('#faultList').textContent.includes('large.pgn')"), "a single game that is too large is named")


def due_today(browser):
    screen(browser, "today")
    check(browser.until("/^\\d+ due: \\d+ mistakes\\./.test($('#todayText').innerText)"), f"it says what is due: {browser.value('$(`#todayText`).innerText')!r}")
    check(browser.value("$('.top nav').lastElementChild.id === 'trainEntry' && Number($('#trainDue').textContent) >= 3"), "the entry has the number")
    photograph(browser, SHOTS, "today")
    axe(browser, "today")


ANSWERS = ["best", "line", "reply", "reason", "refutation"]


def board_place(browser):
    return browser.value("(box => [box.left, box.top, box.width, box.height])($('[data-part=board]').getBoundingClientRect())")


def wrong(browser):
    """A wrong move is refuted on the board; what is asked gives nothing away."""
    place = board_place(browser)
    browser.click("#beginTraining")
    check(browser.until(f"{PHASE} === 'ask' && chuheBoard.legalMoves.length > 5"), "the exercise begins")
    asked = browser.value(QUESTION)
    check(asked["played"]["iccs"] in ["e2e6", "e7e3"], f"at the mistake of a game: {asked['played']}")
    text = browser.value("$('#exerciseText').innerText")
    check(text.startswith(f"Move {asked['move_number']}: you played {asked['played']['name']} (−"), f"which is named: {text!r}")
    check(browser.value("chuheBoard.isFlipped") == (asked["side"] == "black"), "with one's own side below")
    check(not [key for key in ANSWERS if key in asked], "the question holds no answer")
    best = ask(browser, "show", id=asked["id"])["best"]
    seen = browser.value("document.documentElement.outerHTML")
    known = browser.value(f"JSON.stringify([{TRAINING}, chuheBoard.analysis, chuheBoard.preview, chuheBoard.hint])").replace(json.dumps(asked["legal"], separators=(",", ":")), "")
    check(best not in seen.replace(" ".join(asked["moves"]), "") and best not in known, "nor does the page")
    check(browser.value("$$('.stage .arrows *').length + [...$$('.bar')].filter((bar) => bar.checkVisibility()).length") == 0, "no arrow, no bar")
    photograph(browser, SHOTS, "question")
    axe(browser, "a question")
    check(board_place(browser) == place, "the board stays where it is")
    move(browser, asked["played"]["iccs"])
    check(browser.until(f"{PHASE} === 'wrong'"), "the mistake again is wrong")
    reply = browser.value(f"{TRAINING}.exercise.lines[0].moves.map(({{ iccs }}) => iccs)")
    check(browser.until(f"chuheBoard.ply === {len(asked['moves'])} + 1 + {len(reply)}"), "and is refuted on the board, move by move")
    check("loses" in browser.value("$('#exerciseSaid').innerText") and browser.value("$('#goOnExercise').innerText") == "Try again", "it says what it loses")
    photograph(browser, SHOTS, "wrong")
    axe(browser, "a refutation")
    check(board_place(browser) == place, "the board stays where it is")
    browser.key("ArrowLeft")
    check(browser.until(f"chuheBoard.ply === {len(asked['moves'])} + {len(reply)}"), "which can be stepped through")
    browser.click("#goOnExercise")
    check(browser.until(f"{PHASE} === 'ask' && chuheBoard.ply === {len(asked['moves'])}"), "then it is tried again")
    move(browser, best)
    check(browser.until(f"{PHASE} === 'right'"), "the best move is right")
    check(browser.until("$$('#exerciseLines .step').length > 0"), "and what follows is shown")
    check(browser.value("$('#easyExercise').checkVisibility()") is False, "after a wrong move it was not easy")
    check(browser.until("$$('#around .move.blunder').length === 1 && $$('#around .curve').length === 1"), "beside it are the moves of the game, with the mistake, and the curve")
    said = browser.value("$('#around .is-wrong').innerText")
    check(asked["played"]["name"] in said and said.endswith("(wrong)"), f"and the move that was tried: {said}")
    photograph(browser, SHOTS, "right")
    axe(browser, "an answer")
    browser.click("#goOnExercise")
    check(browser.until(f"{QUESTION}?.id !== '{asked['id']}' && {PHASE} === 'ask'"), "the next card comes")


def right(browser):
    """Hints, notes, a flag; all that is due is done."""
    asked = browser.value(QUESTION)
    browser.click("#hintExercise")
    check(browser.until("$$('.stage .arrows circle').length === 1"), "a hint shows the piece")
    browser.click("#hintExercise")
    check(browser.until("$$('.stage .arrows path').length === 1 && $('#hintExercise').disabled"), "a second one its square")
    best = ask(browser, "show", id=asked["id"])["best"]
    move(browser, best)
    browser.until(f"{PHASE} === 'right'")
    check(browser.value(f"{TRAINING}.exercise.rating") == 2, "with hints an answer counts less")
    browser.click("#flagCard")
    browser.click("#noteCard")
    browser.value("$('#noteOfCard').value = 'look at the cannon'")
    browser.click("#cardDialog [value=save]")
    check(browser.until("$('#exerciseNote').innerText.includes('cannon') && $('#flagCard').matches('[aria-pressed=true]')"), "a card has a note and a flag")
    left = 0
    while browser.until(f"{TRAINING}.screen === 'today' || {PHASE} === 'right'") and left < 20:
        left += 1
        if browser.value(f"{TRAINING}.screen") == "today":
            break
        id = browser.value(f"{QUESTION}.id")
        browser.click("#goOnExercise")
        browser.until(f"{TRAINING}.screen === 'today' || {QUESTION}?.id !== '{id}' && {PHASE} === 'ask' && chuheBoard.legalMoves.length > 0")
        if browser.value(f"{TRAINING}.screen") == "today":
            break
        move(browser, ask(browser, "show", id=browser.value(f"{QUESTION}.id"))["best"])
    check(browser.until("/^Nothing is due\\. The next card: /.test($('#todayText').innerText)"), f"then nothing is due, and it says when the next one is: {browser.value('$(`#todayText`).innerText')!r}")
    check(browser.value("$('.top nav').lastElementChild.id === 'trainEntry' && $('#trainDue').textContent === ''"), "the entry keeps its place")
    photograph(browser, SHOTS, "done")
    check(reload(browser) and browser.until("$('#todayText').innerText.startsWith('Nothing is due')"), "also after a reload")


SLOW_ANSWERS = """void (window.quickFetch = window.fetch.bind(window), window.fetch = async (...asked) => {
    if (String(asked[1]?.body).includes('"answer"')) await new Promise((done) => setTimeout(done, 700));
    return quickFetch(...asked);
})"""


def next_day(browser):
    days_pass(browser, 1)
    check(browser.until("$('#todayText').innerText.startsWith('1 due: one mistake')"), "on the next day the wrong one is due")
    check(browser.value("$('#trainDue').textContent !== ''"), "and the entry has a number again")
    browser.click("#beginTraining")
    browser.until(f"{PHASE} === 'ask' && chuheBoard.legalMoves.length > 0")
    browser.click("#showExercise")
    check(browser.until(f"{PHASE} === 'shown' && chuheBoard.ply > {QUESTION}.moves.length"), "the answer is shown, and played")
    # The answer is on its way for long, and what is due must not be asked before it has arrived.
    browser.value(SLOW_ANSWERS)
    browser.click("#endExercise")
    check(browser.until(f"{TRAINING}.screen === 'today' && {TRAINING}.today.due.mistake === 0"), "which counts as wrong: it comes again")
    browser.value("void (window.fetch = quickFetch)")
    days_pass(browser, 0)


def cards(browser):
    screen(browser, "cards")
    count = browser.value(f"{TRAINING}.today.cards")
    check(browser.until(f"$$('[data-part=card]').length === {count}"), "all cards are listed")
    photograph(browser, SHOTS, "cards")
    axe(browser, "the cards")
    browser.value("$('#cardKind').value = 'flagged'; $('#cardKind').dispatchEvent(new Event('change'))")
    check(browser.until("$$('[data-part=card]').length === 1 && $('[data-part=card]').innerText.includes('look at the cannon')"), "the flagged one is found")
    browser.value("$('#cardKind').value = ''; $('#cardSearch').value = '丁'; $('#cardSearch').dispatchEvent(new Event('input'))")
    check(browser.until("$$('[data-part=card]').length === 1 && $('[data-part=card]').innerText.includes('丁')"), "one is found by a player")
    browser.value("$('#cardSearch').value = ''; $('#cardSearch').dispatchEvent(new Event('input'))")
    browser.until(f"$$('[data-part=card]').length === {count}")
    browser.click("[data-part=card] [data-drop]")
    check(browser.until(f"$$('[data-part=card]').length === {count - 1}"), "a card is dropped")
    browser.click("#notice button")
    check(browser.until(f"$$('[data-part=card]').length === {count}"), "and brought back")
    browser.click("#chooseFound")
    check(browser.until(f"$$('[data-part=card] input:checked').length === {count}"), "all that are found are chosen")
    browser.click("#chooseNoCards")
    browser.click("[data-part=card] input")
    browser.click("#moveChosen")
    browser.value("$('#deckOfCard').value = 'cannons'")
    browser.click("#cardDialog [value=save]")
    check(browser.until("[...$('#cardDeck').options].some((option) => option.value === 'cannons')"), "a card is moved to a deck")
    for box in ["[data-part=card]:nth-child(2) input", "[data-part=card]:nth-child(3) input"]:
        browser.click(box)


def sheet(browser):
    catch_files(browser)
    browser.click("#sheetOfChosen")
    axe(browser, "the dialog of a sheet")
    browser.click("#sheetDialog [value=save]")
    check(browser.until("window.saved && saved.name.endsWith('.html')"), "a sheet is saved")
    text = browser.value("window.saved.content.text()")
    check(text.count("<svg") >= 3 and "Find the best move" in text and "@page" in text, "with a diagram of each card")
    check(text.count("<i></i>") == 1 and "Name <i>甲</i>" in text, "the name of the only player, and a line for the date")
    printed(browser)


def printed(browser):
    """A full page of exercises is one of paper, of either size, and the answers are the next one."""
    ids = [card["id"] for card in ask(browser, "cards", **{"from": 0}, count=3)["cards"]] * 2
    for count in [4, 6]:
        page = b64decode(ask(browser, "sheet", ids=ids[:count], title="Sheet", per_page=count)["bytes"])
        with tab(browser), tempfile.NamedTemporaryFile(suffix=".html") as file:
            file.write(page)
            file.flush()
            browser.open(f"file://{file.name}")
            for name, width, height in [("A4", 8.27, 11.69), ("Letter", 8.5, 11)]:
                pdf = b64decode(browser.ask("Page.printToPDF", paperWidth=width, paperHeight=height, preferCSSPageSize=True)["data"])
                pages = len(re.findall(rb"/Type /Page\b", pdf))
                check(pages == 2, f"{count} diagrams fit on a page of {name}: {pages} pages with the answers")
                if SHOTS:
                    (SHOTS / f"sheet-{count}-{name}.pdf").write_bytes(pdf)


def pattern(browser):
    screen(browser, "pattern")
    check(browser.until("$$('#patternBars li').length > 3"), "the pattern has bars")
    check("of your answers are right" in browser.value("$('#patternText').innerText"), "and the share of right answers")
    photograph(browser, SHOTS, "pattern")
    axe(browser, "the pattern")


def export(browser):
    screen(browser, "cards")
    browser.value("window.saved = null")
    browser.click(".menu.up summary")
    browser.click("[data-export-cards=all]")
    check(browser.until("window.saved && saved.name.endsWith('.jsonl')"), "all cards and answers are one file")
    return browser.value("window.saved.content.text()")


@contextmanager
def other_device(browser, folder):
    """The page of a program that has nothing yet."""
    board = Board(browser.board.program, folder)
    try:
        browser.open(board.address)
        browser.until(LOADED)
        mode(browser, "train")
        screen(browser, "cards")
        yield
        browser.open("about:blank")
    finally:
        board.close()


def give_cards(browser, name, text, deck="own"):
    """Opens a file of cards, as one's own or as a deck; what the page says of it."""
    browser.value("$('#notice').textContent = ''")
    choose_files(browser, "cardFile", [[name, text]])
    browser.click(f"#importDialog [value={deck}]")
    browser.until("$('#notice').innerText !== ''")
    return browser.value("$('#notice').innerText")


def weeks_later(browser, folder, file):
    """What was answered weeks ago is due again."""
    answered = {line["answer"]["card"] for line in map(json.loads, file.splitlines()) if "answer" in line}
    with other_device(browser, folder):
        give_cards(browser, "train.jsonl", aged(file, 40))
        screen(browser, "today")
        check(len(answered) > 2 and browser.until(f"Object.values({TRAINING}.today.due).reduce((sum, due) => sum + due) >= {len(answered)}"), "forty days later all that was answered is due")


def second_device(browser, folder, file):
    """The cards on another device; a pupil's deck."""
    count = browser.value(f"{TRAINING}.today.cards")
    with other_device(browser, folder):
        check(f"New: {count} cards" in give_cards(browser, "train.jsonl", file), "the cards come to another device")
        check("New: 0 cards" in give_cards(browser, "train.jsonl", file), "nothing twice")
        check(browser.until(f"{TRAINING}.today.cards === {count}"), "all of them")
        check("New:" in give_cards(browser, "coach.jsonl", file, "deck"), "or as the deck of somebody else")
        said = give_cards(browser, "bad.jsonl", "no cards")
        check("New" not in said, f"what is no file of cards is told: {said!r}")


def mistakes_of_a_review(browser):
    """The mistakes of a reviewed game become cards, which are asked at once."""
    mode(browser, "analyse")
    open_record(browser, pgn([("戊", "己", "1. C0-E2 H7-E7 2. H0-G2 E7-E3 3. G2-E3 H9-G7 4. E3-F5 A9-A7")]).encode(), 9)
    review(browser)
    browser.click("#learnBlack")
    bad = "chuheBoard.review.moves.filter(({ side, mark }) => side === 'black' && mark?.includes('?')).map(({ move }) => move)"
    check(browser.until(f"chuheBoard.mode === 'train' && {PHASE} === 'ask' && {bad}.includes({QUESTION}.played.iccs)"), "the mistakes of a side are exercises at once")
    browser.click("#endExercise")


def endings(browser):
    """An ending won against the best defence, and one given away."""
    screen(browser, "endings")
    check(browser.until("$$('[data-part=shelf]').length > 20"), "endings stand on shelves")
    photograph(browser, SHOTS, "endings")
    axe(browser, "the shelves")
    check(begin_ending(browser, "attack", 1, "KRK"), "an ending begins")
    check(browser.value("$('#endingGoal').innerText") == "Win this.", "with its goal")
    photograph(browser, SHOTS, "ending")
    axe(browser, "an ending")
    check(win_ending(browser, browser.board.program, move) == "passed", f"it is won: {browser.value('$(`#endingSaid`).innerText')!r}")
    cards = ask(browser, "cards", **{"from": 0}, count=1)["total"]
    give_away(browser, "KRKAABB", move)
    said = browser.value("$('#endingSaid').innerText")
    check(browser.value(f"{ENDING}.state") == "spoiled" and len(said) > 10, f"one is given away, and it says where: {said!r}")
    photograph(browser, SHOTS, "spoiled")
    check(ask(browser, "cards", **{"from": 0}, count=1)["total"] == cards + 1, "that position is a card")
    browser.click("#endingAgain")
    check(browser.until(f"{ENDING}.state === 'on' && {SETTLED}"), "and it goes on from there")


def rulings(browser):
    screen(browser, "rulings")
    check(browser.until("$$('#rulingChoices button').length === 3"), "a repetition is asked about")
    check(browser.until(f"chuheBoard.ply === {TRAINING}.ruling.question.moves.length"), "its moves are played on the board")
    check(browser.value(f"{TRAINING}.ruling.verdict") is None, "without the ruling")
    photograph(browser, SHOTS, "ruling")
    axe(browser, "a ruling")
    browser.click("#rulingChoices button")
    check(browser.until("$('#rulingWhy').innerText.length > 10 && !$('#nextRuling').hidden"), f"the answer gives the reason: {browser.value('$(`#rulingWhy`).innerText')!r}")
    rows = "$$('#rulingDeeds li').length"
    check(browser.until(f"{rows} >= 4 && $$('.stage .arrows path[marker-end]').length > 0"), "and each move says what it does, with arrows")
    browser.click("#rulingDeeds li:last-child .step")
    check(browser.until(f"chuheBoard.ply === {TRAINING}.ruling.question.moves.length && Boolean($('#rulingDeeds li:last-child [aria-current]'))"), "a click shows one")
    photograph(browser, SHOTS, "ruled")
    asked = browser.value(f"{TRAINING}.ruling.question.id")
    browser.click("#nextRuling")
    check(browser.until(f"{TRAINING}.ruling && {TRAINING}.ruling.question.id !== '{asked}'"), "and another one follows")


def by_keys(browser):
    """An exercise by keys alone."""
    ids = [card["id"] for card in ask(browser, "cards", **{"from": 0}, count=1)["cards"]]
    screen(browser, "cards")
    browser.until("$$('[data-part=card]').length > 0")
    press(browser, "Tab")
    browser.value("document.activeElement.blur(); $('.top h1').tabIndex = -1; $('.top h1').focus()")
    check(tab_to(browser, "[data-part=card] [data-exercise]"), "a card is reached by keys")
    press(browser, "Enter")
    check(browser.until(f"{PHASE} === 'ask' && {QUESTION}.id === '{ids[0]}' && document.activeElement === $('.stage .board')"), "and asked at the board")
    board_keyboard.move(browser, ask(browser, "show", id=ids[0])["best"])
    check(browser.until(f"{PHASE} === 'right' && document.activeElement === $('#goOnExercise')"), "answered there, and it goes on with Enter")
    check(browser.until("$('#spoken').textContent.includes('best move')"), "what was said is heard")
    press(browser, "Enter")
    check(browser.until(f"{TRAINING}.screen === 'today'"), "to the end")


def small(browser):
    """On a phone everything is within the window."""
    for width, height, phone in [(390, 664, True), (360, 640, True), (1366, 657, False), (1920, 1080, False)]:
        browser.screen(width, height, phone)
        for language in ["en", "zh"]:
            speak(browser, language)
            for name in SCREENS:
                browser.value(f"location.hash = '#train{'' if name == 'today' else '/' + name}'")
                browser.until(f"{TRAINING}.screen === '{name}'")
                inside = browser.inside(".stage .board, .top button, .tools summary, .screens button")
                check(inside and browser.value("document.documentElement.scrollWidth") <= width, f"{name} lies within {width} × {height}, {language}")
    speak(browser, "en")
    browser.screen(1280, 720)


def main():
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="chuhe-train-") as folder:
        homes = [Path(folder) / name for name in ["one", "two", "three"]]
        for home in homes:
            home.mkdir()
        with board_in_browser(program, homes[0]) as browser:
            for part in [games_in, due_today, wrong, right, next_day, cards, sheet, pattern, mistakes_of_a_review, by_keys, endings, rulings, large_file, small]:
                print(f"-- {part.__name__}", flush=True)
                part(browser)
            catch_files(browser)
            file = export(browser)
            second_device(browser, homes[1], file)
            weeks_later(browser, homes[2], file)
    finish()


if __name__ == "__main__":
    main()
