"""The list of games in a real browser: thousands of games, searched, renamed, deleted and brought back, saved; what was
played is in it by itself: games_list.py PROGRAM [FOLDER]. Needs Chromium, nothing else."""

import statistics
import sys
from pathlib import Path

from board_page import SIZES, begin, catch_files, mode, move, photograph, reload, run_parts
from browser import check

SHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
GAMES = 2000
PLAYERS = ["王天一", "郑惟桐", "Hu Ronghua", "许银川"]
# Scroll positions of a list, in rows.
STOPS = [0, 700, 1999, 1000, 3]


def many_games():
    """A file of games that differ by their players and their first moves."""
    lines = ["1. H2-E2 H9-G7 2. H0-G2 I9-H9", "1. C3-C4 C6-C5 2. B0-C2", "1. G0-E2 H7-E7", "1. B2-E2 B9-C7 2. B0-C2 A9-B9"]
    results = ["1-0", "0-1", "1/2-1/2", "*"]
    games = []
    for number in range(GAMES):
        red, black = PLAYERS[number % 4], f"player-{number:04}"
        result = results[number // 4 % 4]
        games.append(f'[Red "{red}"]\n[Black "{black}"]\n[Date "20{number % 26:02}.01.02"]\n\n{lines[number % 4]} {result}\n\n')
    return "".join(games)


def open_file(browser, text, name):
    script = "(text, name) => { const data = new DataTransfer(); data.items.add(new File([text], name)); document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })); }"
    browser.value(f"window.bigFile = {text!r}")
    browser.value(f"({script})(window.bigFile, '{name}')")


ROWS = "$$('#gameRows li').length"
COUNT = "$('#gameCount')?.textContent"


def search(browser, text):
    """Types a search and waits for its reply; the milliseconds from the last letter to the rows, without the pause."""
    browser.value("$('#gameSearch').value = ''")
    browser.value(f"""(() => {{
        window.searched = null;
        const begun = performance.now();
        new MutationObserver((_, watch) => {{ watch.disconnect(); window.searched = performance.now() - begun; }})
          .observe($('#gameRows'), {{ childList: true }});
        $('#gameSearch').value = {text!r};
        $('#gameSearch').dispatchEvent(new Event('input'));
    }})()""")
    browser.until("window.searched !== null")
    return browser.value("window.searched")


def thousands(browser):
    mode(browser, "games")
    open_file(browser, many_games(), "cup.pgn")
    check(browser.until(f"{COUNT} === 'Games: {GAMES}'"), f"a file of {GAMES} games is in the list")
    check(browser.value("$('#gameRows li b').innerText").startswith("王天一 – player-0000"), "its first game is on top")
    check(reload(browser) and browser.until(f"{COUNT} === 'Games: {GAMES}'"), "all of them after a reload")
    for stop in STOPS:
        browser.value(f"$('#gameList').scrollTop = {stop} * 68")
        at = f"[...$$('#gameRows li')].some((row) => Math.abs(row.getBoundingClientRect().top - $('#gameList').getBoundingClientRect().top) < 70)"
        check(browser.until(f"{at} && {ROWS} > 3"), f"rows at {stop}")
        check(browser.value(ROWS) < 60, f"and no others are in the page at {stop}")
    check(browser.value("$$('#gameRows svg').length > 3 && $$('#gameRows .end-picture use').length > 60"), "with pictures of their ends")
    times = [search(browser, text) for text in ["player-1234", "Hu Ronghua", "中炮", "player-00"]]
    check(browser.until(f"{COUNT} === 'Games: 100 of {GAMES}'"), "a search finds what has all words")
    print(f"     a search in {GAMES} games, from the last letter to the rows: {statistics.median(times):.0f} ms, of which 120 ms wait for more letters")
    asked = browser.value("(async () => { const begun = performance.now(); for (let i = 0; i < 20; i++) await (await fetch('/')).text(); return (performance.now() - begun) / 20; })()")
    print(f"     (a request of the page itself takes {asked:.0f} ms)")
    browser.value("$('#gameSearch').value = 'ronghua'; $('#gameResult').value = '1-0'; $('#gameResult').dispatchEvent(new Event('change'))")
    check(browser.until(f"{COUNT} === 'Games: 125 of {GAMES}'"), "a result is a filter, too")
    browser.value("$('#gameSearch').value = ''; $('#gameResult').value = ''; $('#gameSource').value = 'played'; $('#gameSource').dispatchEvent(new Event('change'))")
    check(browser.until(f"{COUNT} === 'Games: 0 of {GAMES}'"), "and a source")
    browser.value("$('#gameSource').value = ''; $('#gameSource').dispatchEvent(new Event('change'))")
    browser.until(f"{COUNT} === 'Games: {GAMES}'")


def single_games(browser):
    browser.value("$('#gameList').scrollTop = 0")
    browser.click("#gameRows li [data-rename]")
    browser.until("document.activeElement.matches('.game-name')")
    browser.value("document.activeElement.value = 'The immortal game'")
    browser.value("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))")
    check(browser.until("$('#gameRows li b').innerText === 'The immortal game'"), "a game is renamed")
    search(browser, "immortal")
    check(browser.until(f"{COUNT} === 'Games: 1 of {GAMES}'"), "and found by its name")
    browser.click("#gameRows li [data-remove]")
    check(browser.until(f"{COUNT} === 'Games: 0 of {GAMES - 1}'"), "a game is deleted")
    browser.click("#notice button")
    check(browser.until(f"{COUNT} === 'Games: 1 of {GAMES}'"), "and brought back")
    browser.click("#gameRows li .game-text")
    check(browser.until("chuheBoard.mode === 'analyse' && chuheBoard.tree.nodes.length === 5"), "a click opens it")
    check(browser.value("location.hash.includes('games/')"), "at an address of its own")
    mode(browser, "games")


def played_here(browser):
    """What the games of the list say about a position: beside the book, with the games that had it."""
    browser.value("$('#gameSearch').value = ''; $('#gameSearch').dispatchEvent(new Event('input'))")
    browser.until(f"{COUNT} === 'Games: {GAMES}'")
    browser.value("$('#gameList').scrollTop = 0")
    browser.click("#gameRows li .game-text")
    browser.until("chuheBoard.mode === 'analyse' && chuheBoard.tree.nodes.length === 5")
    button = "$('#playedHere')?.textContent"
    check(browser.until(f"!$('#playedHere').hidden && {button} === 'My games: {GAMES}'"), "the start position is that of all games")
    before = browser.value("JSON.stringify($('.stage .board').getBoundingClientRect())")
    browser.click("#playedHere")
    rows = "[...$$('#playedMoves li')].map((row) => row.querySelector('.step').dataset.line + ' ' + row.querySelector('b').textContent).join()"
    check(browser.until(f"{rows} === 'b2e2 500,c3c4 500,g0e2 500,h2e2 500'"), "with the moves that were played")
    check(browser.value("getComputedStyle($('#played')).visibility") == "visible", "in a sheet")
    check(before == browser.value("JSON.stringify($('.stage .board').getBoundingClientRect())"), "which moves nothing")
    if SHOTS:
        for width, height, phone in SIZES:
            browser.screen(width, height, phone)
            browser.photograph(SHOTS / f"played-{width}.png", False)
        browser.screen(1440, 900)
    browser.value("document.body.dataset.sheet = ''")
    browser.screen(390, 844, phone=True)
    browser.value("$$('button[data-sheet=more]').find((button) => button.checkVisibility()).click()")
    browser.click("#playedMore")
    check(browser.until("getComputedStyle($('#played')).visibility === 'visible'"), "on a phone they are behind More")
    browser.screen(1440, 900)
    browser.click("#playedMoves [data-line=h2e2]")
    check(browser.until(f"{rows} === 'h9g7 1000' && {button} === 'My games: 1000'"), "a click plays a move, and mirrored games count")
    browser.value("$('#playedSearch').value = 'player-0003'; $('#playedSearch').dispatchEvent(new Event('input'))")
    check(browser.until(f"{rows} === 'h9g7 1' && $$('#playedGames li').length === 1"), "a search narrows them down")
    for colour, expected in [("red", ""), ("black", "h9g7 1")]:
        browser.value(f"$('#playedColour').value = '{colour}'; $('#playedColour').dispatchEvent(new Event('change'))")
        check(browser.until(f"{rows} === '{expected}'"), f"and the colour of the player: {colour}")
    browser.value("$('#playedColour').value = ''; $('#playedUntil').value = '1999-12-31'; $('#playedUntil').dispatchEvent(new Event('change'))")
    check(browser.until(f"{rows} === ''"), "and the days")
    browser.value("$('#playedUntil').value = ''; $('#playedUntil').dispatchEvent(new Event('change'))")
    browser.until(f"{rows} === 'h9g7 1'")
    browser.click("#playedGames button")
    check(browser.until("chuheBoard.tree.nodes[1].move === 'b2e2' && chuheBoard.node === 1"), "a game opens where it has the position")
    check(browser.value("getComputedStyle($('#played')).visibility") == "hidden", "and the sheet is closed")
    browser.value("$('#playedSearch').value = ''")
    mode(browser, "games")


def many_at_once(browser):
    search(browser, "player-00")
    browser.until(f"{COUNT} === 'Games: 100 of {GAMES}'")
    browser.click("#chooseAll")
    check(browser.until("$('#chosenCount').textContent === '100 chosen'"), "all that were found are chosen")
    catch_files(browser)
    for kind, name in [("pgn", "chuhe-games.pgn"), ("xqf", "chuhe-games.zip")]:
        browser.value("window.saved = null")
        browser.click(f"[data-export={kind}]")
        check(browser.until(f"window.saved?.name === '{name}'"), f"and saved as {name}")
    games = browser.value("(async () => { window.saved = null; $('[data-export=pgn]').click(); while (!window.saved) await new Promise((go) => setTimeout(go, 20)); return (await window.saved.content.text()).split('[Red ').length - 1; })()")
    check(games == 100, "in one file")
    browser.click("#deleteChosen")
    check(browser.until(f"{COUNT} === 'Games: 0 of {GAMES - 100}'"), "and deleted")
    browser.click("#notice button")
    check(browser.until(f"{COUNT} === 'Games: 100 of {GAMES}'"), "and brought back")


def folders(browser):
    """Games are put into folders, which are renamed and deleted; what cannot be a name is told in the dialog."""
    shown = "[...$('#gameFolder').options].map((option) => option.text).join(' | ')"
    name = lambda text: browser.value(f"$('dialog[open] input').value = {text!r}; $('dialog[open] .main').click()")
    choose = lambda field, value: browser.value(f"$('#{field}').value = {value!r}; $('#{field}').dispatchEvent(new Event('change'))")
    search(browser, "player-000")
    browser.until(f"{COUNT} === 'Games: 10 of {GAMES}'")
    browser.value("$('#chooseNone').click(); $('#chooseAll').click()")
    browser.until("$('#chosenCount').textContent === '10 chosen'")
    choose("putInto", "new")
    browser.until("Boolean($('dialog[open] input'))")
    for text, said in [("   ", "needs a name"), ("x" * 61, "60 letters")]:
        name(text)
        check(browser.until(f"$('dialog[open] .wrong')?.textContent.includes('{said}')"), f"a name is refused: {said}")
    name("中炮 <b>Cannon</b>")
    check(browser.until(f"!$('dialog[open]') && {shown}.includes('中炮 <b>Cannon</b> (10)')"), "games are put into a new folder")
    check(browser.until("$('#notice').textContent === 'Put into “中炮 <b>Cannon</b>”: 10.'"), "which is told")
    choose("gameFolder", "new")
    name("中炮 <B>cannon</B>")
    check(browser.until("$('dialog[open] .wrong')?.textContent.includes('There is a folder of this name')"), "no two have one name")
    browser.value("$('dialog[open] button[type=button]').click()")
    browser.value("$('#gameSearch').value = ''")
    choose("gameFolder", "1")
    check(browser.until(f"{COUNT} === 'Games: 10 of {GAMES}'"), "one folder is shown")
    photograph(browser, SHOTS, "folder")
    check(reload(browser) and browser.until(f"{COUNT} === 'Games: {GAMES}' && {shown}.includes('(10)')"), "it is there after a reload")
    check(browser.until("[...$$('#gameRows small')].some((line) => line.textContent.includes('[中炮 <b>Cannon</b>]'))"), "a row names its folder")
    choose("gameFolder", "0")
    check(browser.until(f"{COUNT} === 'Games: {GAMES - 10} of {GAMES}'"), "and so are the games in none")
    choose("gameFolder", "1")
    browser.until(f"{COUNT} === 'Games: 10 of {GAMES}'")
    browser.click("#renameFolder")
    name("Cup")
    check(browser.until(f"!$('dialog[open]') && {shown}.includes('Cup (10)')"), "a folder is renamed")
    above_the_list(browser)
    browser.screen(1440, 900)
    browser.click("#removeFolder")
    browser.until("$('#question').open")
    browser.click('#question [value="remove"]')
    check(browser.until(f"{COUNT} === 'Games: {GAMES}' && !{shown}.includes('Cup')"), "a folder is deleted, and its games stay")


def played(browser):
    """A finished game is in the list without a click, and analysed from where it was played."""
    mode(browser, "play")
    begin(browser, "4k4/9/9/9/9/9/9/R8/1R7/3K5 w", clock="300+5")
    move(browser, "b1b9")
    browser.until("chuheBoard.game.moves.length === 2")
    check(browser.value("chuheBoard.game.saved"), "the game is kept from its first moves")
    browser.value("$('[data-request=resign]').click()")
    check(browser.until("chuheBoard.game.end"), "a game ends")
    mode(browser, "analyse")
    check(browser.until("chuheBoard.tree.tags.some(([name, value]) => name === 'TimeControl' && value === '300+5')"), "its analysis knows its clock")
    catch_files(browser)
    browser.value("$('[data-save=pgn]').click()")
    browser.until("window.saved")
    text = browser.value("window.saved.content.text()")
    check(all(f"[{name} " in text for name in ["Red", "Black", "Date", "Rules", "TimeControl", "Strength"]) and '[Result "0-1"]' in text, "and its PGN says who played, when and how")
    mode(browser, "games")
    browser.value("$('#gameSearch').value = ''; $('#gameSource').value = 'played'; $('#gameSource').dispatchEvent(new Event('change'))")
    check(browser.until("$('#gameRows li .game-result')?.innerText === '0–1' && $('#gameRows small').innerText.includes('level 1')"), "it is in the list without a click")
    photograph(browser, SHOTS, "games")


def above_the_list(browser):
    for width, height, phone in SIZES:
        browser.screen(width, height, phone)
        check(browser.inside(".games .row > *"), f"what is above the list fits at {width} × {height}")


if __name__ == "__main__":
    run_parts([thousands, single_games, played_here, many_at_once, folders, played, above_the_list], prefix="chuhe-list-", width=1440, height=900)
