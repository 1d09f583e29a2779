"""Faults of use that were found on the board page: each has a test here."""

from board_page import KNOWN, analyse_position, at, begin, catch_files, discard_changes, mode, move, paste, plies, reload, save, set_option, setup, speak
from browser import check

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
ANNOTATED = '[Red "甲"]\n[Black "乙"]\n[Date "2026.01.02"]\n\n{An introduction.} 1. 炮二平五 {hello} 马8进7 2. 马二进三 *'


def choose(browser, name):
    """Answers the question of the page."""
    browser.click(f'#question [value="{name}"]')
    browser.until("!$('#question').open")


def control_key(browser, key):
    browser.value(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', ctrlKey: true, bubbles: true }}))")


def sides(browser):
    mode(browser, "play")
    begin(browser, seat="red")
    begin(browser, seat="black")
    check(plies(browser, 1) and browser.value("chuheBoard.isFlipped"), "who plays black sees the board from there")
    begin(browser, seat="red")
    check(plies(browser, 0) and not browser.value("chuheBoard.isFlipped"), "and who plays red from the other side")
    begin(browser, level=5)
    check(browser.value("chuheBoard.game.strength") == "level 5", "against the level that was chosen")


def finger(browser):
    browser.screen(390, 844, phone=True)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    mode(browser, "play")
    begin(browser, level=1)
    browser.value("scrollTo(0, 0)")
    browser.drag_finger(at(browser, "h2"), at(browser, "h6"))
    check(plies(browser, 2) and browser.value("chuheBoard.game.moves[0]") == "h2h6", "a finger drags a piece up")
    check(browser.value("scrollY") == 0, "and not the page")
    below = "$('.stage .board').getBoundingClientRect().top"
    before = browser.value(below)
    browser.click('.dock [data-request="hint"]')
    browser.until("chuheBoard.hint && chuheBoard.hint.turn === chuheBoard.game.turn && !chuheBoard.game.thinking")
    check(browser.value(below) == before, "a hint does not move the board")
    browser.key("End")
    browser.tap(*at(browser, "a0"))
    browser.key("ArrowLeft")
    check(browser.value("chuheBoard.ply") == 1, "after a touch the keys go on")
    browser.key("End")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.screen(1280, 720)


def changes(browser):
    analyse_position(browser, START)
    move(browser, "h2e2")
    browser.until(f"chuheBoard.node === 1 && {KNOWN}")
    browser.click("#comment")
    browser.type("a word")
    browser.click('[data-mark="1"]')
    browser.value("document.activeElement.blur()")
    control_key(browser, "z")
    check(browser.value("chuheBoard.tree.nodes[1].marks.length") == 0, "a mark is undone")
    control_key(browser, "z")
    check(browser.value("chuheBoard.tree.nodes[1].comment") == "", "a comment is undone in one")
    control_key(browser, "y")
    check(browser.value("chuheBoard.tree.nodes[1].comment") == "a word", "and done again")
    browser.until(KNOWN)
    browser.click("#prune")
    check(browser.until("chuheBoard.tree.nodes[0].children.length === 0"), "a move is deleted")
    browser.click("#undoChange")
    check(browser.until(f"chuheBoard.tree.nodes[0].children.length === 1 && chuheBoard.node === 1 && {KNOWN}"), "and is there again")
    paste(browser, ANNOTATED.encode())
    check(browser.until("$('#question').open"), "before a game with changes goes, the page asks")
    choose(browser, "cancel")
    check(browser.value("chuheBoard.tree.nodes[1].comment") == "a word", "and it may stay")
    paste(browser, ANNOTATED.encode())
    browser.until("$('#question').open")
    choose(browser, "keep")
    check(browser.until("chuheBoard.mode === 'analyse' && chuheBoard.tree.nodes.length === 4"), "or be put into the list")
    mode(browser, "games")
    check(browser.until("$('#gameRows .game-text')?.textContent.includes('one move')"), "where it is")
    mode(browser, "analyse")
    control_key(browser, "z")
    check(browser.until("chuheBoard.tree.nodes[1].comment === 'a word'"), "another game is undone, too")
    control_key(browser, "y")
    browser.until(f"chuheBoard.tree.nodes.length === 4 && {KNOWN}")
    mode(browser, "games")
    browser.click("#gameRows .game-text")
    check(discard_changes(browser, "chuheBoard.tree.nodes.length === 2 && chuheBoard.tree.nodes[1].comment === 'a word'"), "a kept game is opened")
    check(browser.value("/^#games\\/./.test(location.hash)"), "with an address of its own")
    mode(browser, "games")
    count = browser.value("$$('[data-part=game]').length")
    browser.click("#gameRows [data-remove]")
    check(browser.until(f"$$('[data-part=game]').length === {count - 1}"), "and discarded")


def files(browser):
    paste(browser, ANNOTATED.encode())
    discard_changes(browser, f"chuheBoard.tree.nodes.length === 4 && {KNOWN}")
    check("An introduction." in browser.value("$('#tree').innerText"), "the introduction of a file is shown")
    speak(browser, "zh")
    tags = browser.value("$('#tags').innerText")
    check("甲" in tags and "FEN" not in tags and "Date" not in tags, f"of the tags what people read is shown: {tags!r}")
    lists = browser.value("[...$$('option')].map((option) => option.textContent).join()")
    check("/" not in lists and "asian" not in lists.lower(), "a list speaks one language")
    speak(browser, "en")
    catch_files(browser)
    save(browser, "pgn")
    check(browser.until("window.saved && saved.name === '甲-乙-2026.01.02.pgn'"), "a file is named after the game")
    for width, height in [(1440, 900), (1366, 657)]:
        browser.screen(width, height)
        box = browser.value("(b => [b.top, b.height, b.bottom])($('#tree').getBoundingClientRect())")
        check(box[1] >= 100 and box[2] < height, f"the moves of a file are in sight at {width} × {height}: {box}")
    browser.screen(390, 844, phone=True)
    seen = browser.value("(b => Math.min(b.bottom, $('.dock').getBoundingClientRect().top) - b.top)($('#tree').getBoundingClientRect())")
    check(seen >= 80, f"on a phone they are in sight with the board: {seen}")
    browser.screen(720, 450)
    beside = browser.value("$('#tree').getBoundingClientRect().left >= $('.stage .board').getBoundingClientRect().right")
    check(beside, "in a short window the moves stand beside the board")
    browser.screen(1280, 720)


def long_game(browser):
    mode(browser, "analyse")
    rounds = "a0a1 a9a8 a1a0 a8a9 ".split()
    drawn = []
    for count in [4999, 1500]:
        paste(browser, f"{START} moves {' '.join(rounds * count)}".encode(), "long.txt")
        check(discard_changes(browser, f"chuheBoard.tree.nodes.length === {4 * count + 1} && {KNOWN}"), f"a game of {4 * count} plies is opened")
        drawn.append(browser.value("$$('#tree .move').length"))
    check(0 < drawn[0] <= drawn[1] <= 800, f"of a long game no more is drawn than of a shorter one: {drawn} moves")
    browser.value("$('#tree').scrollTop = 1e6")
    check(browser.until("Boolean($('#tree [data-node=\"6000\"]'))"), "what comes into sight is drawn")
    browser.value("document.activeElement.blur()")
    browser.key("End")
    check(browser.until(f"chuheBoard.node === 6000 && {KNOWN}"), "and gone through")
    save(browser, "pgn")
    check(browser.until("window.saved && saved.content.size > 30000"), "and saved")
    paste(browser, f"{START} moves {' '.join(rounds * 5001)}".encode(), "long.txt")
    check(browser.until("$('#notice').innerText.includes('20000')"), "one that is too long is not cut silently")


def preview_fourth_move(browser):
    """Points at a move of the first line; until then the engine may change the line at any time."""
    for _ in range(50):
        x, y = browser.still("#lines li .step:nth-child(4)")
        browser.mouse("mouseMoved", x, y)
        browser.mouse("mouseMoved", x + 1, y)
        if browser.value("chuheBoard.preview?.length === 4"):
            return True
    return False


def lines(browser):
    analyse_position(browser, START)
    browser.until("chuheBoard.analysis && chuheBoard.analysis.lines.length === 3 && chuheBoard.analysis.lines[0].moves.length > 4")
    browser.click("#lines .score")
    unfolded = "(li => li && li.classList.contains('unfolded'))($('#lines li'))"
    check(browser.until(unfolded), "a line is unfolded")
    browser.click("#engine")
    browser.click("#engine")
    browser.until("chuheBoard.analysis && chuheBoard.analysis.lines[0].moves.length > 4")
    check(browser.value(unfolded), "and stays so")
    check(preview_fourth_move(browser), "a pointer over a move of a line shows its board")
    browser.mouse("mouseMoved", *at(browser, "e4"))
    check(browser.until("!chuheBoard.preview"), "and the board is as it was")
    before = len(browser.asked())
    browser.click("#lines li .step:nth-child(4)")
    check(browser.until(f"chuheBoard.ply === 4 && {KNOWN}"), "a click plays the line")
    names = browser.asked()[before:]
    check(names.count("position-facts") == 1 and names.count("analyse") <= 1, f"in one request: {names}")


def pieces(browser):
    setup(browser, START)
    browser.drag(at(browser, "a0"), at(browser, "a5"))
    check(browser.until("chuheBoard.setup.pieces.get('a5') === 'R' && !chuheBoard.setup.pieces.has('a0')"), "a piece is dragged to another square")
    x, y = at(browser, "a5")
    browser.drag((x, y), (x - 200, y))
    check(browser.until("!chuheBoard.setup.pieces.has('a5')"), "and off the board")
    browser.drag(browser.still('[data-piece="R"]'), at(browser, "a0"))
    check(browser.until("chuheBoard.setup.pieces.get('a0') === 'R'"), "and out of the box")
    check(browser.value("chuheBoard.setup.chosenPiece") == "", "where it stays chosen no longer")


def notices(browser):
    mode(browser, "play")
    browser.value("navigator.clipboard.writeText = async () => {}; $('#copyFen').click()")
    browser.until("!$('#notice').hidden")
    covers = browser.value(
        "((one) => ['.stage', '[data-part=panel]'].some((name) => { const other = $(name).getBoundingClientRect();"
        " return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom; }))"
        "($('#notice').getBoundingClientRect())"
    )
    check(not covers, "a notice covers neither board nor status")


def reloads(browser):
    mode(browser, "play")
    browser.click('.buttons [data-go="flip"]')
    set_option(browser, "sound", True)
    mode(browser, "analyse")
    reload(browser)
    check(browser.until("chuheBoard.mode === 'analyse' && chuheBoard.isFlipped"), "mode and side outlive a reload")
    # The answer leads to another request, which the key of the next test would not let in.
    browser.until(KNOWN)
    check(browser.value("$('[data-option=sound]').checked"), "so does the sound")
    mode(browser, "play")
    set_option(browser, "sound", False)
    browser.click('.buttons [data-go="flip"]')


def keys(browser):
    browser.key("Tab")
    browser.value("$('.states [data-mode-of=play]').focus()")
    browser.key("ArrowRight")
    check(browser.value("chuheBoard.mode") == "analyse", "arrow keys go through the tabs")
    browser.key("ArrowLeft")
    check(browser.value("chuheBoard.mode") == "play", "and back")
    begin(browser)
    browser.key("Tab")
    browser.value("$('.stage .board').focus({focusVisible: true})")
    for name in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]:
        browser.key(name)
    spoken = browser.value("$('#spoken').textContent")
    check("it may go to" in spoken and "a2" in spoken, f"what a lifted piece may do is spoken: {spoken!r}")
    browser.key("Escape")
    move(browser, "h2e2")
    plies(browser, 2)
    check(browser.value("$('.stage .board').getAttribute('aria-label').includes(chuheBoard.game.names[1])"), "the name of the board tells the last move")
    x, y = at(browser, "e4")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120)
    check(browser.until("chuheBoard.ply === 1"), "the wheel steps back")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=120)
    check(browser.until("chuheBoard.ply === 2"), "and on")


def told(browser):
    mode(browser, "play")
    begin(browser)
    said = "$('#notice').innerText"
    for language, typed, wanted in [("zh", "马二进四", "相三蹩马腿"), ("en", "R1+5", "P1 stands in between"), ("en", "e4e5", "no piece on e4")]:
        speak(browser, language)
        browser.value(f"$('#typed').value = '{typed}'; $('#typing').requestSubmit()")
        check(browser.until(f"{said}.includes('{wanted}')"), f"an illegal move is told in its own notation: {browser.value(said)!r}")
    browser.value("$('#typed').value = ''")
    both = "[...$$('[aria-label], [title]')].flatMap((one) => [one.ariaLabel, one.title])"
    left = browser.value(f"{both}.filter((text) => text?.includes(' / '))")
    check(not left, f"no name is in two languages {left or ''}")
    for language in ["zh", "en"]:
        speak(browser, language)
        names = browser.value(
            "Array.from({ length: 20 }, (_, at) => { $('#levelRange').value = at + 1; $('#levelRange').dispatchEvent(new Event('input'));"
            " return $('#levelToBegin').textContent.split(' · ').slice(1).join(); })"
        )
        check(len(set(names)) == 20, f"each level has its own description, {language}")
    analyse_position(browser, "3k1a3/9/9/9/9/9/9/9/9/R3K4 w - - 120 61")
    shown = browser.value("$('[data-part=panel]').innerText")
    check(shown.count("natural limit") == 1, f"a verdict is told once: {shown[:80]!r}")
    analyse_position(browser, "3k1a3/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    check(browser.until("chuheBoard.analysis?.lines[0]?.score.endsWith('T') && $('#legend').innerText.includes('endgame tables')"), "what a letter of a score means is told")


def cannot_run(browser):
    """The page is there, and its scripts are not: it says why."""
    seen = "[...document.querySelectorAll('.cannot-run')].filter((line) => line.checkVisibility()).map((line) => line.innerText).join()"
    reload(browser)
    check(browser.value(seen) == "", "a page that works complains of nothing")
    browser.ask("Network.setCacheDisabled", cacheDisabled=True)
    browser.ask("Network.setBlockedURLs", urls=["*/tree.js"])
    browser.reload()
    check(browser.until(f"{seen}.includes('could not be loaded')"), f"a module that is lost on the way is told: {browser.value(seen)!r}")
    browser.ask("Network.setBlockedURLs", urls=[])
    browser.forgive("tree.js")
    for what, script in [
        ("without modules", "delete HTMLScriptElement.prototype.noModule"),
        ("that cannot read them", "addEventListener('load', () => dispatchEvent(new ErrorEvent('error', { message: 'Uncaught SyntaxError: ?' })))"),
    ]:
        known = browser.ask("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        browser.reload()
        check(browser.until(f"{seen}.includes('too old')"), f"a browser {what} is told that it is too old")
        browser.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=known)
    browser.ask("Network.setCacheDisabled", cacheDisabled=False)
    reload(browser)


TESTS = [cannot_run, sides, finger, changes, files, long_game, lines, pieces, notices, reloads, keys, told]
