"""The frame of the board page: the board never moves, the list of moves has its space, nothing leaves its panel."""

from board_page import KNOWN, begin, discard_changes, mode, more, move, open_record, paste, plies, review, setup, speak
from browser import check

# A phone less the bars of its browser, a phone, a small notebook, larger screens; whether there are fingers.
SIZES = [(390, 664, True), (390, 844, True), (1366, 657, False), (1440, 900, False), (1920, 1080, False)]
STATES = ["play", "analyse", "review", "setup", "games", "train"]
RECORD = (
    '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 5. 车二进六 炮8平9'
    " 6. 车二平三 炮9退1 7. 马八进七 士4进5 8. 马七进六 炮9平7 9. 车三平四 马7进8 10. 马六进五 马3进5 11. 炮五进四 象3进5"
    " 12. 炮八平五 炮2进4 13. 兵三进一 *"
)

BOARD = "(box => [box.left, box.top, box.width, box.height])($('[data-part=board]').getBoundingClientRect())"
# How many rows of the list of moves are in sight, its share of the panel, and whether the current move is.
LIST = """(() => {
    const list = [...$$("[data-part=moves]")].find((one) => one.checkVisibility());
    const sight = list.closest(".list, .tree").getBoundingClientRect();
    const inside = (element) => (box => box.top >= sight.top - 1 && box.bottom <= sight.bottom + 1)(element.getBoundingClientRect());
    const tops = [...list.querySelectorAll("[data-part=move]")].filter(inside).map((one) => Math.round(one.getBoundingClientRect().top / 4));
    const current = list.querySelector("[aria-current]");
    const panel = $("[data-part=panel]").getBoundingClientRect();
    return { rows: new Set(tops).size, share: sight.height / panel.height, current: Boolean(current) && inside(current) };
})()"""
# The elements of a menu that stick out of it, of the panel or of the window.
OUTSIDE = """((menu) => {
    const frame = menu.getBoundingClientRect();
    const around = [frame, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
    const within = (box, other) => box.left >= other.left - 1 && box.right <= other.right + 1 && box.top >= other.top - 1;
    const bad = [...menu.querySelectorAll("button, label, select, p")].filter((one) => one.checkVisibility() && !around.every((other) => within(one.getBoundingClientRect(), other)));
    const isWhole = frame.left >= -1 && frame.top >= -1 && frame.right <= innerWidth + 1 && frame.bottom <= innerHeight + 1;
    return [...bad.map((one) => one.outerHTML.slice(0, 60)), ...(isWhole ? [] : ["the menu itself"])];
})"""


def play_moves(browser, moves):
    for text in moves.split():
        count = browser.value("chuheBoard.game.moves.length")
        browser.value(f"$('#typed').value = '{text}'; $('#typing').requestSubmit()")
        browser.until(f"chuheBoard.game.moves.length === {count + 1}")


def one_place(browser):
    """The same place and size of the board in all states, and the space of the moves."""
    begin(browser, seat="both")
    play_moves(browser, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 b0c2 d9e8 c2d4 i8g8 g6f6 g7h5 d4e6 c7e6 e2e6 c9e7")
    mode(browser, "analyse")
    open_record(browser, RECORD.encode(), 26)
    check(review(browser), "a game is reviewed")
    browser.value("for (const score of $$('#lines .unfolded .score')) score.click()")
    for width, height, touch in SIZES:
        browser.screen(width, height, touch)
        browser.ask("Emulation.setTouchEmulationEnabled", enabled=touch)
        boards, rows = {}, {}
        for state in STATES:
            mode(browser, state)
            if state in ["analyse", "review"]:
                browser.until(KNOWN)
                browser.value("document.activeElement.blur()")
                browser.key("End")
                browser.until(f"chuheBoard.ply === 25 && {KNOWN}")
            check(browser.value("document.documentElement.dataset.state") == state, f"the root says that the state is {state}")
            boards[state] = browser.value(BOARD)
            if state in ["play", "analyse", "review"]:
                # Lines that come in change the height of the list; the page follows in the next frame.
                browser.until(f"{LIST}.current")
                rows[state] = browser.value(LIST)
        mode(browser, "play")
        browser.value("chuheBoard.flushed(); $('#confirming').hidden = false")
        boards["question"] = browser.value(BOARD)
        browser.value("$('#confirming').hidden = true")
        mode(browser, "train")
        for screen in ["cards", "pattern", "games", "today"]:
            browser.value(f"location.hash = '#train{'' if screen == 'today' else '/' + screen}'")
            browser.until(f"document.body.dataset.screen === '{screen}'")
            boards[screen] = browser.value(BOARD)
        first = boards["play"]
        same = all(abs(a - b) <= 1 for box in boards.values() for a, b in zip(box, first))
        check(same, f"at {width} × {height} the board stays where it is: {boards if not same else first}")
        # On a phone less its bars the board takes what there is.
        least = 8 if not touch else 6 if height > 700 else 1
        seen = all(row["rows"] >= least and row["share"] >= 0.399 and row["current"] for row in rows.values())
        check(seen, f"at {width} × {height} {least} rows of moves are in sight, with the current one: {rows}")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)


def menus(browser):
    """No menu is cut off, and none leaves the window."""
    for width, height, touch in SIZES:
        browser.screen(width, height, touch)
        for state in ["play", "analyse", "review"]:
            mode(browser, state)
            more(browser)
            browser.until("getComputedStyle($('#sheet')).opacity === '1'")
            name = "sheet" if touch else "more"
            bad = browser.value(f"{OUTSIDE}($('#{name}'))")
            check(not bad, f"the menu of {state} is whole at {width} × {height} {bad or ''}")
            browser.key("Escape")
            check(browser.value("document.body.dataset.sheet") == "", "and closed by Escape")
        browser.value("$('#settings').open = true")
        bad = browser.value(f"{OUTSIDE}($('#settings > div'))")
        check(not bad, f"the settings are whole at {width} × {height} {bad or ''}")
        browser.value("$('#settings').open = false")


def new_games(browser):
    """A game that runs is kept before another one begins, and that is said."""
    mode(browser, "play")
    begin(browser, seat="both")
    play_moves(browser, "h2e2 h9g7 h0g2")
    browser.click("#newGame")
    check(browser.value("$('#running').innerText").startswith("The game that is played now (3 moves)"), "the dialog says what becomes of the game that runs")
    pictures = browser.value(
        "[1, 10, 20].map((level) => { $('#levelRange').value = level; $('#levelRange').dispatchEvent(new Event('input'));"
        " return $('#levelPicture use').getAttribute('href') + $('#levelToBegin').innerText; })"
    )
    check(len(set(pictures)) == 3, f"levels have pictures and words: {pictures}")
    check(not browser.value("$('#begin [name=position]').checkVisibility()"), "a FEN is asked for on demand alone")
    browser.click('#begin [value="random"]')
    turn = browser.value("chuheBoard.game.turn")
    browser.click("#begin .main")
    check(browser.until(f"chuheBoard.game.turn > {turn} && chuheBoard.game.seat !== 'both'"), "the colour is chosen at random")
    check(browser.until("!$('#notice').hidden && $('#notice').innerText.includes('kept')"), "and the other game is said to be kept")
    mode(browser, "games")
    check(browser.until("$$('[data-part=game]').length > 0"), "in the list of games")


def after_play(browser):
    """What was played is what is analysed."""
    mode(browser, "play")
    begin(browser, seat="both")
    play_moves(browser, "h2e2 h9g7")
    mode(browser, "analyse")
    taken = discard_changes(browser, "chuheBoard.moves.join() === 'h2e2,h9g7' || $('#notice').innerText.includes('played since')")
    if not browser.value("chuheBoard.moves.join() === 'h2e2,h9g7'"):
        browser.click("#notice .deed")
        taken = discard_changes(browser, "chuheBoard.moves.join() === 'h2e2,h9g7'")
    check(taken, "the analysis goes on from the game that was played")
    browser.until(KNOWN)
    move(browser, "c3c4")
    browser.until(f"chuheBoard.moves.length === 3 && {KNOWN}")
    mode(browser, "play")
    play_moves(browser, "h0g2")
    mode(browser, "analyse")
    check(browser.until("chuheBoard.moves.join() === 'h2e2,h9g7,h0g2' && chuheBoard.tree.nodes.length === 5"), "later moves join it, and variations stay")
    browser.until(KNOWN)


def mated(browser):
    """A position that is over has its result in the bar, and a mate its number."""
    paste(browser, b"4k4/1R7/9/9/9/9/9/R8/9/3K5 w - - 0 1 moves a2a9", "mate.txt")
    discard_changes(browser, f"chuheBoard.tree.nodes.length === 2 && {KNOWN}")
    check(browser.until("$('#barScore').textContent.includes('M')"), "the bar counts the moves to a mate")
    fits = "$('#barScore').scrollWidth <= $('#barScore').clientWidth"
    check(browser.value(fits), "within its width")
    browser.value("document.activeElement.blur()")
    browser.key("End")
    browser.until(f"chuheBoard.ply === 1 && {KNOWN}")
    check(browser.until("$('#bar').style.height === '100%' && $('#barScore').textContent === '1–0'"), "of a position that is over it has the result")
    check(browser.value(fits), "which fits as well")


# Buttons that cannot be used and do not say why in the language of the page.
SILENT = """(isChinese) => [...$$("button:disabled")]
    .filter((button) => button.checkVisibility() && (!button.title || /[\\u4e00-\\u9fff]/.test(button.title) !== isChinese))
    .map((button) => button.outerHTML.slice(0, 80))"""


def reasons(browser):
    """What cannot be used says why: to who points at it, and to a finger."""
    begin(browser, seat="red", level=1)
    plies(browser, 0)
    silent = []
    for state in STATES:
        mode(browser, state)
        for language in ["zh", "en"]:
            speak(browser, language)
            silent += browser.value(f"({SILENT})({'true' if language == 'zh' else 'false'})")
    setup(browser, "4k4/9/9/9/9/9/9/R8/1R7/9 w - - 0 1")
    silent += browser.value(f"({SILENT})(false)")
    check(not silent, f"buttons that cannot be used say why {silent or ''}")
    check("no king" in browser.value("$('#setupPlay').title"), "those of a position what is wrong with it")
    mode(browser, "play")
    check(browser.value("$('.tile[data-request=resign]').title").startswith("No move"), "those of a game what is missing")


def small_phone(browser):
    """On a phone less its browser's bars the board is as wide as the phone, and nothing needed is out of sight."""
    browser.screen(390, 664, phone=True)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    setup(browser, "4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1")
    check(browser.value(BOARD)[2] >= 350, f"the board is {browser.value(BOARD)[2]:.0f} pixels wide")
    check(browser.inside(".setup button, .setup select, .setup input, .setup p"), "a position is set up without scrolling")
    browser.click("#setupAnalyse")
    discard_changes(browser, f"chuheBoard.mode === 'analyse' && {KNOWN}")
    browser.value("$('#solve').click()")
    browser.until("chuheBoard.solving?.result")
    hit = "[...$$('.dock button')].filter((button) => button.checkVisibility()).every((button) => { const box = button.getBoundingClientRect(); return button.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)); })"
    check(browser.value(hit), "a solution leaves the dock free")
    browser.value("$('#closeSolution').click()")
    mode(browser, "play")
    begin(browser, seat="red", level=1)
    plies(browser, 0)
    undo = "(({ left, top, width, height }) => [left + width / 2, top + height / 2])($('.dock [data-request=undo]').getBoundingClientRect())"
    browser.tap(*browser.value(undo))
    check(browser.until("$('#notice').innerText.startsWith('No move')", 10), "a button that cannot be used says why to a finger")
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.screen(1280, 720)


TESTS = [one_place, menus, new_games, after_play, mated, reasons, small_phone]
