#!/usr/bin/env python3
"""A game of two people by `chuhe board --lan`: one at the computer, one on a phone with touch, one who watches, and a
stranger; with a break of the connection, and a perpetual check that the program judges.

    tests/browser/two_players.py target/release/chuhe

Needs root on Linux, `ip` and Chromium. Ends with status 3 where no namespace can be made.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import lan
from board_page import LOADED, move, tap_move
from browser import NAMES, NETWORK_CHANGED, Browser, check, finish
from lan import MACHINE, OTHER_PHONE, PATIENCE, PHONE, Program, ip, make_network, post, remove_network

# Red checks with every move.
CHECKS = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1"
CYCLE = ["e1d1", "d9e9", "d1e1", "e9d9"]
PLIES = "chuheBoard.game.moves.length"


class Actor:
    """A browser in a namespace, controlled by lines of JSON."""

    def __init__(self, namespace, *words):
        command = ["ip", "netns", "exec", namespace, sys.executable, __file__, "--actor", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, name, *arguments):
        self.process.stdin.write(json.dumps([name, *arguments]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the browser of {name} {arguments} has ended, see above")
        return json.loads(answer)

    def until(self, expression):
        return self.ask("until", expression)

    def value(self, expression):
        return self.ask("value", expression)

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def act(kind):
    """The browser of an actor; `phone` has touch."""
    browser = Browser()
    is_phone = kind == "phone"
    browser.screen(*((390, 664, True) if is_phone else (1366, 657, False)))
    if is_phone:
        browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)

    def play(text):
        if not is_phone:
            return move(browser, text)
        tap_move(browser, text)

    deeds = {
        "open": browser.open, "value": browser.value, "click": browser.click, "play": play, "reload": browser.reload,
        "until": lambda text: browser.until(text, PATIENCE),
        "photograph": lambda path: browser.photograph(Path(path), False),
        "post": lambda address, path, token, source: post(address, path, token, source=source)[0],
        "faults": lambda: [json.dumps(fault)[:600] for fault in browser.faults()],
    }
    try:
        for line in sys.stdin:
            name, *arguments = json.loads(line)
            print(json.dumps(deeds[name](*arguments)), flush=True)
    finally:
        browser.close()


def invite(desk, button):
    """The address that the dialog on the computer shows for an invitation."""
    desk.ask("click", button)
    desk.until("$('#lanDialog').open && $('#lanAddress').textContent")
    address = desk.value("$('#lanAddress').textContent")
    desk.ask("click", "#lanDialog form button")
    return address


def ask_for_two(desk):
    """Opens the dialog of a new game and chooses two people."""
    # A page that has just been opened may still be waiting for its first events.
    desk.until("chuheBoard.game")
    desk.ask("click", "#newGame")
    desk.ask("click", '#begin [value="two"]')


def begin(desk, clock, position):
    """Begins a game of two people in the dialog; black plays on the phone, and its clock stops while it is away."""
    ask_for_two(desk)
    desk.until("!$('#twoConditions').hidden")
    fields = {"redName": "小王", "blackName": "Li", "clock": clock, "position": position}
    for name, value in fields.items():
        desk.value(f"$('#begin [name={name}]').value = {value!r}")
    desk.value("$('#begin [name=remote]').value = 'black'; $('#begin').dispatchEvent(new Event('change'))")
    desk.ask("click", "#begin .main")
    return desk.until("chuheBoard.game.two?.waiting")


def at_one_board(desk):
    """Two people at the computer: the board is turned after each move, and the one asks the other."""
    desk.ask("click", "[data-mode-of=play]")
    ask_for_two(desk)
    desk.value("$('#begin [name=position]').value = ''; $('#begin [name=turns]').checked = true; $('#begin [name=remote]').value = ''; $('#begin').dispatchEvent(new Event('change'))")
    check(desk.value("$('#stopsRow').hidden && $('#levelRow').hidden"), "the dialog asks only what matters")
    desk.ask("click", "#begin .main")
    check(desk.until("chuheBoard.game.two?.role === 'both' && !chuheBoard.isFlipped"), "two people at one board")
    desk.ask("play", "h2e2")
    check(desk.until(f"{PLIES} === 1 && chuheBoard.isFlipped && !chuheBoard.game.thinking"), "which is turned after a move")
    desk.value("$('[data-request=undo]').click()")
    check(desk.until("!$('#twoAnswer').hidden"), "a move is taken back")
    desk.ask("click", "#acceptOffer")
    check(desk.until(f"{PLIES} === 0 && !chuheBoard.isFlipped"), "if the other one agrees")


def pictures(actors, name):
    if len(sys.argv) > 2:
        for kind, actor in actors.items():
            actor.ask("photograph", str(Path(sys.argv[2]) / f"two-{name}-{kind}.png"))


def play_together(own, actors):
    desk, phone, watcher = actors.values()
    desk.ask("open", own)
    check(desk.until(LOADED), "the board opens on the computer")
    check(begin(desk, "300+5", ""), "a game of two people begins, and waits for the other player")
    check(desk.value("chuheBoard.legalMoves.length === 0"), "nobody moves before he is there")
    player, watch = invite(desk, "#inviteOther"), invite(desk, "#inviteWatcher")
    check("#play-" in player and "#watch-" in watch, "one code is for the other player, another one for who watches")
    phone.ask("open", player)
    check(phone.until("typeof chuheBoard === 'object' && chuheBoard.game?.two?.role === 'black'"), "the phone has black")
    check(phone.value("chuheBoard.isFlipped && !location.hash.includes('play-')"), "below, and the code is gone from its address")
    check(phone.value("getComputedStyle($('[data-mode-of=games]')).display === 'none'"), "the games of the computer are not there")
    watcher.ask("open", watch)
    check(watcher.until("typeof chuheBoard === 'object' && chuheBoard.game?.two?.role === 'watcher'"), "another device watches")
    check(desk.until("!chuheBoard.game.two.waiting && chuheBoard.game.two.watchers === 1"), "and the computer says so")
    pictures(actors, "begin")
    desk.ask("play", "h2e2")
    check(phone.until(f"{PLIES} === 1"), "a move of the computer is on the phone")
    phone.ask("play", "h9g7")
    check(desk.until(f"{PLIES} === 2") and watcher.until(f"{PLIES} === 2"), "and one of the phone, by touch, on the computer and at the watcher")
    watcher.ask("play", "h0g2")
    check(watcher.value("chuheBoard.legalMoves.length === 0") and desk.value(PLIES) == 2, "the watcher cannot move")
    check(desk.value("$('[data-mode-of=analyse]').disabled && $('[data-request=hint]').disabled"), "there is no help before the end")
    check(desk.value("chuheBoard.analysis === null"), "and no line of an engine")
    return player


def ask_each_other(desk, phone):
    phone.value("$('[data-request=undo]').click()")
    check(desk.until("!$('#twoAnswer').hidden && $('#twoText').textContent.includes('Li')"), "the phone asks to take its move back")
    desk.ask("click", "#acceptOffer")
    check(phone.until(f"{PLIES} === 1"), "and may")
    phone.ask("play", "b9c7")
    desk.until(f"{PLIES} === 2")
    desk.value("$('[data-request=offer-draw]').click()")
    check(phone.until("!$('#twoAnswer').hidden"), "the computer offers a draw")
    phone.ask("click", "#declineOffer")
    check(desk.until("chuheBoard.game.message?.includes('declines')"), "which the phone declines")


def lose_connection(desk, phone, link):
    """The phone is out of reach for a while, in its own turn."""
    desk.ask("play", "h0g2")
    phone.until(f"{PLIES} === 3")
    ip("-n", PHONE, "link", "set", link, "down")
    check(desk.until("chuheBoard.game.two.away.includes('black') && chuheBoard.game.two.stands"), "the computer says that the phone is away: the clock stands")
    check(desk.value("$('#status').textContent.length > 0 && [...$$('#status')].some((text) => text.textContent.includes('is lost'))"), "in words, too")
    ip("-n", PHONE, "link", "set", link, "up")
    ip("-n", PHONE, "route", "add", "default", "dev", link, quiet=True)
    check(desk.until("!chuheBoard.game.two.away.length && !chuheBoard.game.two.stands"), "the phone comes back by itself")
    phone.ask("reload")
    check(phone.until(f"typeof chuheBoard === 'object' && chuheBoard.game?.moves.length === 3 && chuheBoard.game.two.role === 'black'"), "and after a reload")
    phone.ask("play", "h9g7")
    check(desk.until(f"{PLIES} === 4"), "the game goes on")


def refuse_strangers(phone, player):
    address = player.split("#")[0]
    for path in ["/open", "/invitation", "/events/1", "/stream/1", "/request/1"]:
        check(phone.ask("post", address, path, "0" * 32, OTHER_PHONE) == 403, f"a stranger is refused at {path}")
    check(phone.ask("post", address, "/token", player.split("#")[1], OTHER_PHONE) == 410, "and a code is good once")


def judge(actors):
    desk, phone, watcher = actors.values()
    desk.value("$('[data-request=resign]').click()")
    check(desk.until("$('#question').open") and not phone.value("chuheBoard.game.end"), "who resigns against a person is asked")
    desk.ask("click", '#question [value="resign"]')
    check(phone.until("chuheBoard.game.end?.result === '0-1'") and phone.until("!$('#ending').hidden && $('#endTitle').textContent.startsWith('You won')"), "who resigns loses, and the other one reads that he won")
    desk.ask("click", "#closeEnding")
    check(begin(desk, "", CHECKS) or desk.until("chuheBoard.game.start.startsWith('3k5')"), "another game begins")
    check(phone.until("chuheBoard.game.start.startsWith('3k5') && !chuheBoard.game.two.waiting"), "and the phone is in it at once")
    for number in range(40):
        if desk.value("Boolean(chuheBoard.game.end)"):
            break
        mover = desk if number % 2 == 0 else phone
        mover.ask("play", CYCLE[number % 4])
        if not desk.until(f"{PLIES} === {number + 1}") or not phone.until(f"{PLIES} === {number + 1}"):
            break
    for name, actor in actors.items():
        check(actor.until("chuheBoard.game.end?.result === '0-1' && chuheBoard.game.end.text.includes('Perpetual check')"), f"perpetual check is judged and explained: {name}")
    pictures(actors, "end")
    phone.value("$('[data-mode-of=analyse]').click()")
    check(phone.until("chuheBoard.mode === 'analyse' && chuheBoard.facts !== null"), "the game is analysed afterwards, also on the phone")
    desk.value("$('#closeEnding').click(); $('[data-mode-of=analyse]').click()")
    desk.until("chuheBoard.mode === 'analyse' && chuheBoard.facts !== null")
    phone.ask("click", "#together")
    check(desk.until("$('#notice').innerText.includes('shows an analysis')"), "the phone shows its analysis")
    desk.ask("click", "#notice button")
    phone.value("$('[data-go=first]').click()")
    check(desk.until("chuheBoard.node === 0 && chuheBoard.mode === 'analyse'"), "and the computer follows it")
    desk.value("$('[data-go=on]').click()")
    check(phone.until("chuheBoard.ply === 1"), "and the other way round")
    desk.value("$('[data-mode-of=games]').click()")
    check(desk.until("$('#gameRows b')?.innerText.includes('小王')"), "and it is in the list of the computer")
    at_one_board(desk)
    # Interfaces come and go in this test, at which the browser may end a connection; the page opens another one.
    faults = [fault for fault in desk.ask("faults") if NETWORK_CHANGED not in fault]
    check(not faults, f"no faults {faults or ''}")


def run(program, folder, link):
    board = Program(program, folder, "--lan")
    actors = {}
    try:
        own = board.own_address()
        actors = {"desk": Actor(MACHINE, "desk"), "phone": Actor(PHONE, "phone"), "watcher": Actor(PHONE, "watcher")}
        player = play_together(own, actors)
        ask_each_other(actors["desk"], actors["phone"])
        lose_connection(actors["desk"], actors["phone"], link)
        refuse_strangers(actors["phone"], player)
        judge(actors)
    finally:
        for actor in actors.values():
            actor.close()
        board.close()


def main():
    if sys.argv[1] == "--actor":
        return act(sys.argv[2])
    if not any(map(shutil.which, NAMES)):
        print("NOT RUN: no browser")
        return
    program = str(Path(sys.argv[1]).resolve())
    try:
        make_network()
        with tempfile.TemporaryDirectory(prefix="chuhe-two-") as name:
            run(program, Path(name), lan.phone_link())
    finally:
        remove_network()
    finish()


if __name__ == "__main__":
    main()
