"""What the tests of the training share: its requests, its screens, the person's clock, endings."""

import json
import subprocess
from random import Random

from board_page import mode
from browser import check

# In each of these games 甲 gives a cannon for a pawn.
GAMES = [
    ("甲", "乙", "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. E2-E6 G7-E6 4. G2-E1"),
    ("丙", "甲", "1. G3-G4 H7-E7 2. H0-G2 E7-E3 3. G2-E3"),
    ("甲", "丁", "1. B2-E2 B9-C7 2. B0-C2 A9-B9 3. E2-E6 C7-E6"),
]
# The address of the module, which has a version on a static host: another one would be another module.
TRANSPORT = "performance.getEntriesByType('resource').find(({ name }) => name.includes('/transport.js')).name"
TRAINING = "chuheBoard.training"
QUESTION = f"{TRAINING}.exercise?.question"
PHASE = f"{TRAINING}.exercise?.phase"
# A move is asked for.
ASKED = "chuheBoard.legalMoves.length > 0 && chuheBoard.ply === chuheBoard.lastPly"
ENDING = f"{TRAINING}.ending"
SETTLED = f"{ENDING} && ({ENDING}.state !== 'on' || chuheBoard.legalMoves.length > 0) && chuheBoard.ply === {ENDING}.moves.length"


def pgn(games):
    return "\n".join(f'[Red "{red}"]\n[Black "{black}"]\n[Date "2026.11.0{number + 1}"]\n\n{moves} *\n' for number, (red, black, moves) in enumerate(games))


def ask(browser, what, **fields):
    """A request of the training, as the page sends it."""
    body = json.dumps({"do": what, "offset": 0, **fields})
    return browser.value(f"import({TRANSPORT}).then(({{ transport }}) => transport.send('train', {body}))")


def screen(browser, name):
    if browser.value("document.body.dataset.mode") != "train":
        mode(browser, "train")
    browser.value(f"location.hash = '#train{'' if name == 'today' else '/' + name}'")
    check(browser.until(f"{TRAINING}.screen === '{name}' && document.body.dataset.screen === '{name}'"), f"the address leads to {name}")


def choose_files(browser, field, files):
    """Chooses files in a field, as the dialog of the browser does."""
    browser.value(
        f"((files) => {{ const data = new DataTransfer(); for (const [name, text] of files) data.items.add(new File([text], name));"
        f" $('#{field}').files = data.files; $('#{field}').dispatchEvent(new Event('change')); }})({json.dumps(files)})"
    )


def days_pass(browser, days):
    """The person's clock goes forward."""
    browser.value(f"Date.prototype.getTimezoneOffset = () => -1440 * {days}; document.dispatchEvent(new Event('visibilitychange'))")
    browser.value("window.dispatchEvent(new Event('visibilitychange'))")


def aged(file, days):
    """The file of cards, had they been answered so many days earlier."""
    lines = [json.loads(line) for line in file.splitlines()]
    for line in lines:
        if "answer" in line:
            line["answer"]["answer"]["at"] -= 86400 * days
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


class Engine:
    """The program as an engine."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("ucci")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def best(self, fen, moves):
        self.say(f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else ""))
        self.say("go nodes 30000")
        while True:
            line = self.process.stdout.readline().split()
            if line[:1] == ["bestmove"]:
                return line[1]

    def close(self):
        self.say("quit")
        self.process.wait(10)


def begin_ending(browser, side, level, shelf):
    screen(browser, "endings")
    browser.until("$$('[data-part=shelf]').length > 20")
    browser.value(f"$('#endingSide').value = '{side}'; $('#endingSide').dispatchEvent(new Event('change')); $('#endingLevel').value = '{level}'")
    browser.click(f"[data-ending={shelf}]")
    return browser.until(f"{TRAINING}.screen === 'ending' && {SETTLED}")


def win_ending(browser, program, move):
    """Plays the moves of the engine by this function until the ending is over; how it ends."""
    engine = Engine(program)
    for _ in range(60):
        state, start, moves = browser.value(f"[{ENDING}.state, {ENDING}.start, {ENDING}.moves]")
        if state != "on":
            break
        move(browser, engine.best(start, moves))
        browser.until(f"{ENDING}.moves.length > {len(moves)} && {SETTLED}")
    engine.close()
    return browser.value(f"{ENDING}.state")


def give_away(browser, shelf, move):
    """Defends endings by random moves, made by this function, until one is given away."""
    pick = Random(1)
    for _ in range(12):
        if not begin_ending(browser, "defend", 3, shelf):
            break
        for _ in range(12):
            count, legal = browser.value(f"[{ENDING}.moves.length, chuheBoard.legalMoves]")
            if not legal or browser.value(f"{ENDING}.state") != "on":
                break
            move(browser, pick.choice(legal))
            browser.until(f"{ENDING}.moves.length > {count} && {SETTLED}")
        if browser.value(f"{ENDING}.state") == "spoiled":
            break
