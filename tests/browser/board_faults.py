"""Faults of use that were found on the board page: each has a test here."""

import json

from board_page import KNOWN, analyse_position, at, begin, click_square, mode, move, paste, plies, reload, setup, speak
from browser import check

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
ANNOTATED = '[Red "甲"]\n[Black "乙"]\n[Date "2026.01.02"]\n\n{An introduction.} 1. 炮二平五 {hello} 马8进7 2. 马二进三 *'


def choose(browser, name):
    """Answers the question of the page."""
    browser.click(f'#question [value="{name}"]')
    browser.until("!byId('question').open")


def control_key(browser, key):
    browser.value(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', ctrlKey: true, bubbles: true }}))")


def sides(browser):
    mode(browser, "play")
    begin(browser, seat="red")
    begin(browser, seat="black")
    check(plies(browser, 1) and browser.value("turned"), "who plays black sees the board from there")
    begin(browser, seat="red")
    check(plies(browser, 0) and not browser.value("turned"), "and who plays red from the other side")
    browser.click("#newGame")
    browser.value("byId('begin').elements.level.value = '5'; byId('begin').elements.level.dispatchEvent(new Event('input'))")
    check("5 · " in browser.value("byId('levelToBegin').innerText"), "the level is chosen with the game")
    browser.click("#begin .main")
    check(browser.until("game.strength === 'level 5' && !byId('beginning').open"), "and played")


def finger(browser):
    browser.screen(390, 844, phone=True)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    mode(browser, "play")
    begin(browser, level=1)
    browser.value("scrollTo(0, 0)")
    browser.drag_finger(at(browser, "h2"), at(browser, "h6"))
    check(plies(browser, 2) and browser.value("game.moves[0]") == "h2h6", "a finger drags a piece up")
    check(browser.value("scrollY") == 0, "and not the page")
    below = "board.getBoundingClientRect().top"
    before = browser.value(below)
    browser.click('.dock [data-wish="hint"]')
    browser.until("hint && hint.turn === game.turn && !game.thinking")
    check(browser.value(below) == before, "a hint does not move the board")
    browser.value("stepTo(2)")
    browser.tap(*at(browser, "a0"))
    browser.key("ArrowLeft")
    check(browser.value("ply()") == 1, "after a touch the keys go on")
    browser.key("End")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.screen(1280, 720)


def changes(browser):
    analyse_position(browser, START)
    move(browser, "h2e2")
    browser.until(f"here === 1 && {KNOWN}")
    browser.click("#comment")
    browser.type("a word")
    browser.click('[data-mark="1"]')
    browser.value("document.activeElement.blur()")
    control_key(browser, "z")
    check(browser.value("tree.nodes[1].marks.length") == 0, "a mark is undone")
    control_key(browser, "z")
    check(browser.value("tree.nodes[1].comment") == "", "a comment is undone in one")
    control_key(browser, "y")
    check(browser.value("tree.nodes[1].comment") == "a word", "and done again")
    browser.until(KNOWN)
    browser.click("#prune")
    check(browser.until("tree.nodes[0].children.length === 0"), "a move is deleted")
    browser.click("#undoChange")
    check(browser.until(f"tree.nodes[0].children.length === 1 && here === 1 && {KNOWN}"), "and is there again")
    paste(browser, ANNOTATED.encode())
    check(browser.until("byId('question').open"), "before a game with changes goes, the page asks")
    choose(browser, "cancel")
    check(browser.value("tree.nodes[1].comment") == "a word", "and it may stay")
    paste(browser, ANNOTATED.encode())
    browser.until("byId('question').open")
    choose(browser, "keepIt")
    check(browser.until("mode === 'games' && tree.nodes.length === 4"), "or be put into the list")
    check(browser.until("document.querySelectorAll('#keptGames li').length === 1"), "where it is")
    control_key(browser, "z")
    check(browser.until("tree.nodes[1].comment === 'a word'"), "another game is undone, too")
    control_key(browser, "y")
    browser.until(f"tree.nodes.length === 4 && {KNOWN}")
    browser.value("tree.edited = false; byId('kept').open = true")
    browser.click("#keptGames .step")
    check(browser.until("tree.nodes.length === 2 && tree.nodes[1].comment === 'a word'"), "a kept game is opened")
    browser.click("#keptGames .fold")
    check(browser.until("document.querySelectorAll('#keptGames li').length === 0"), "and discarded")


def files(browser):
    mode(browser, "games")
    browser.value("tree.edited = false")
    paste(browser, ANNOTATED.encode())
    browser.until(f"tree.nodes.length === 4 && {KNOWN}")
    check("An introduction." in browser.value("byId('tree').innerText"), "the introduction of a file is shown")
    speak(browser, "zh")
    tags = browser.value("byId('tags').innerText")
    check("甲" in tags and "FEN" not in tags and "Date" not in tags, f"of the tags what people read is shown: {tags!r}")
    lists = browser.value("[...document.querySelectorAll('option')].map((option) => option.textContent).join()")
    check("/" not in lists and "asian" not in lists.lower(), "a list speaks one language")
    speak(browser, "en")
    browser.value("window.saved = null; save = (file) => { saved = file; }; 0")
    browser.value("byId('saving').open = true")
    browser.click('[data-save="pgn"]')
    check(browser.until("saved && saved.name === '甲-乙-2026.01.02.pgn'"), "a file is named after the game")
    for width, height in [(1440, 900), (1366, 657)]:
        browser.screen(width, height)
        box = browser.value("(b => [b.top, b.height, b.bottom])(byId('tree').getBoundingClientRect())")
        check(box[1] >= 100 and box[2] < height, f"the moves of a file are in sight at {width} × {height}: {box}")
    browser.screen(390, 844, phone=True)
    seen = browser.value("(b => Math.min(b.bottom, document.querySelector('.dock').getBoundingClientRect().top) - b.top)(byId('tree').getBoundingClientRect())")
    check(seen >= 80, f"on a phone they are in sight with the board: {seen}")
    browser.screen(720, 450)
    beside = browser.value("byId('tree').getBoundingClientRect().left >= board.getBoundingClientRect().right")
    check(beside, "in a short window the moves stand beside the board")
    browser.screen(1280, 720)


def long_game(browser):
    mode(browser, "games")
    browser.value("tree.edited = false")
    rounds = "a0a1 a9a8 a1a0 a8a9 ".split()
    browser.value("window.made = 0; moveButton = ((real) => (...all) => { made += 1; return real(...all); })(moveButton); 0")
    made = []
    for count in [4999, 1500]:
        browser.value("made = 0")
        paste(browser, f"{START} moves {' '.join(rounds * count)}".encode(), "long.txt")
        check(browser.until(f"tree.nodes.length === {4 * count + 1} && {KNOWN}"), f"a game of {4 * count} plies is opened")
        made.append(browser.value("made"))
    check(0 < made[0] <= made[1] <= 800, f"of a long game no more is drawn than of a shorter one: {made} moves")
    browser.value("byId('tree').scrollTop = 1e6")
    check(browser.until("Boolean(document.querySelector('#tree [data-node=\"6000\"]'))"), "what comes into sight is drawn")
    browser.value("deeds.last()")
    check(browser.until(f"here === 6000 && {KNOWN}"), "and gone through")
    browser.value("window.saved = null")
    browser.value("byId('saving').open = true")
    browser.click('[data-save="pgn"]')
    check(browser.until("saved && saved.bytes.length > 40000"), "and saved")
    browser.value(f"loadTree({{ ...bareTree('{START}'), nodes: [newNode(0, '', null), ...Array.from({{ length: 20000 }}, (_, id) => newNode(id, ['a0a1', 'a9a8', 'a1a0', 'a8a9'][id % 4], {{ zh: '', en: '' }}))] }}); 0")
    browser.value("byId('saving').open = true")
    browser.click('[data-save="pgn"]')
    check(browser.until("byId('notice').innerText.includes('20000')"), "one that is too long is not cut silently")
    browser.value("loadTree(bareTree(START)); tree.edited = false; notice(null); visit(0)")


def lines(browser):
    analyse_position(browser, START)
    browser.until("thoughts && thoughts.node === here && thoughts.lines.length === 3 && thoughts.lines[0].moves.length > 4")
    browser.click("#lines .score")
    unfolded = "(li => li && li.classList.contains('unfolded'))(document.querySelector('#lines li'))"
    check(browser.until(unfolded), "a line is unfolded")
    browser.click("#engine")
    browser.value("thoughts = null")
    browser.click("#engine")
    browser.until("thoughts && thoughts.node === here && thoughts.lines[0].moves.length > 4")
    check(browser.value(unfolded), "and stays so")
    # The engine is held, so that its lines stay.
    browser.value("wish('rest', { number: ++question })")
    browser.until("thoughts && thoughts.lines.length")
    x, y = browser.still("#lines li .step:nth-child(4)")
    browser.mouse("mouseMoved", x, y)
    browser.mouse("mouseMoved", x + 1, y)
    check(browser.until("preview && preview.length === 4"), "a pointer over a move of a line shows its board")
    browser.mouse("mouseMoved", *at(browser, "e4"))
    check(browser.until("!preview"), "and the board is as it was")
    before = len(browser.asked())
    browser.click("#lines li .step:nth-child(4)")
    check(browser.until(f"here === 4 && {KNOWN}"), "a click plays the line")
    names = browser.asked()[before:]
    check(names.count("look") == 1 and names.count("think") <= 1, f"in one request: {names}")


def pieces(browser):
    setup(browser, START)
    browser.drag(at(browser, "a0"), at(browser, "a5"))
    check(browser.until("setup.pieces.get('a5') === 'R' && !setup.pieces.has('a0')"), "a piece is dragged to another square")
    x, y = at(browser, "a5")
    browser.drag((x, y), (x - 200, y))
    check(browser.until("!setup.pieces.has('a5')"), "and off the board")
    browser.drag(browser.still('[data-piece="R"]'), at(browser, "a0"))
    check(browser.until("setup.pieces.get('a0') === 'R'"), "and out of the box")
    check(browser.value("setup.held") == "", "where it stays chosen no longer")


def notices(browser):
    mode(browser, "play")
    browser.value("notice(WORDS.copied)")
    covers = browser.value(
        "((one) => ['.stage', '#status'].some((name) => { const other = document.querySelector(name).getBoundingClientRect();"
        " return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom; }))"
        "(byId('notice').getBoundingClientRect())"
    )
    check(not covers, "a notice covers neither board nor status")
    browser.value("notice(null)")


def reloads(browser):
    mode(browser, "play")
    browser.click('.desk > .buttons [data-go="flip"]')
    browser.click("#sound")
    mode(browser, "analyse")
    reload(browser)
    check(browser.until("mode === 'analyse' && turned"), "mode and side outlive a reload")
    # The answer leads to another request, which the key of the next test would not let in.
    browser.until(KNOWN)
    check(browser.value("byId('sound').getAttribute('aria-pressed')") == "true", "so does the sound")
    mode(browser, "play")
    browser.click("#sound")
    browser.click('.desk > .buttons [data-go="flip"]')


def addresses(browser):
    # Nothing is sent while the page has the key of no program.
    browser.value(
        "window.followed = 0; window.real = [enter, treeChanged, location.hash];"
        " enter = async () => { followed += 1; }; treeChanged = () => {}; location.hash = '#0123456789abcdef'"
    )
    check(browser.until("followed === 1"), "another address in the same tab is followed")
    browser.value("location.hash = real[2]")
    check(browser.until("followed === 2"), "and the first one again")
    browser.value("[enter, treeChanged] = real; 0")


def keys(browser):
    browser.value("pointed = false; document.querySelector('[data-mode-of=play]').focus()")
    browser.key("ArrowRight")
    check(browser.value("mode") == "analyse", "arrow keys go through the tabs")
    browser.key("ArrowLeft")
    check(browser.value("mode") == "play", "and back")
    begin(browser)
    browser.value("board.focus({focusVisible: true}); hand.cursor = 'b0'")
    browser.key("Enter")
    spoken = browser.value("byId('spoken').textContent")
    check("it may go to" in spoken and "a2" in spoken, f"what a lifted piece may do is spoken: {spoken!r}")
    browser.key("Escape")
    move(browser, "h2e2")
    plies(browser, 2)
    check(browser.value("board.getAttribute('aria-label').includes(plain(nameOf(1)))"), "the name of the board tells the last move")
    x, y = at(browser, "e4")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120)
    check(browser.until("ply() === 1"), "the wheel steps back")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=120)
    check(browser.until("ply() === 2"), "and on")


def told(browser):
    mode(browser, "play")
    begin(browser)
    said = "byId('notice').innerText"
    for language, typed, wanted in [("zh", "马二进四", "相三蹩马腿"), ("en", "R1+5", "P1 stands in between"), ("en", "e4e5", "no piece on e4")]:
        speak(browser, language)
        browser.value(f"byId('typed').value = '{typed}'; byId('typing').requestSubmit()")
        check(browser.until(f"{said}.includes('{wanted}')"), f"an illegal move is told in its own notation: {browser.value(said)!r}")
    browser.value("byId('typed').value = ''; notice(null)")
    both = "[...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => [one.ariaLabel, one.title])"
    left = browser.value(f"{both}.filter((text) => text?.includes(' / '))")
    check(not left, f"no name is in two languages {left or ''}")
    for language in ["zh", "en"]:
        check(browser.value(f"new Set(CLASSES.map((level) => level.{language})).size") == 20, f"each level has its own description, {language}")
    analyse_position(browser, "3k1a3/9/9/9/9/9/9/9/9/R3K4 w - - 120 61")
    shown = browser.value("document.querySelector('[data-panel=\"analyse games\"].panel').innerText")
    check(shown.count("natural limit") == 1, f"a verdict is told once: {shown[:80]!r}")
    analyse_position(browser, "3k1a3/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    check(browser.until("thoughts?.lines[0]?.score.endsWith('T') && byId('legend').innerText.includes('endgame tables')"), "what a letter of a score means is told")


def run(browser):
    browser.screen(1280, 720)
    for test in [sides, finger, changes, files, long_game, lines, pieces, notices, reloads, addresses, keys, told]:
        print(f"-- {test.__name__}")
        test(browser)
