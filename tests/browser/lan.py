#!/usr/bin/env python3
"""Tests `chuhe board --lan` between two network namespaces, one for the machine and one for a phone.

    tests/browser/lan.py target/release/chuhe

Needs root on Linux, and `ip`. The phone is Chromium where there is one. Ends with status 3 where no namespace can be made.
"""

import http.client
import json
import os
import queue
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from browser import NAMES, Browser, check, finish

MACHINE, PHONE = f"chuhe-m{os.getpid()}", f"chuhe-p{os.getpid()}"
ADDRESSES = {MACHINE: "10.77.77.1", PHONE: "10.77.77.2"}
OTHER_PHONE = "10.77.77.3"
PATIENCE = 60


def ip(*words, quiet=False):
    return subprocess.run(["ip", *words], check=not quiet, stderr=subprocess.DEVNULL if quiet else None).returncode == 0


def make_network():
    if os.geteuid() != 0 or not shutil.which("ip") or not ip("netns", "add", MACHINE, quiet=True):
        print("NOT RUN: no network namespace can be made here.")
        sys.exit(3)
    ip("netns", "add", PHONE)
    link = [f"m{os.getpid()}", f"p{os.getpid()}"]
    if not ip("link", "add", link[0], "type", "veth", "peer", "name", link[1], quiet=True):
        print("NOT RUN: no virtual network can be made here.")
        sys.exit(3)
    try:
        connect(link)
    except subprocess.CalledProcessError:
        print("NOT RUN: the namespaces cannot be used here.")
        remove_network()
        sys.exit(3)


def connect(link):
    for name, end in zip([MACHINE, PHONE], link):
        ip("link", "set", end, "netns", name)
        # Without an address of IPv6, which would come a second later: every change breaks the browser's connections off.
        ip("-n", name, "link", "set", end, "addrgenmode", "none", quiet=True)
        ip("-n", name, "addr", "add", f"{ADDRESSES[name]}/24", "dev", end)
        ip("-n", name, "link", "set", end, "up")
        if name == PHONE:
            ip("-n", name, "addr", "add", f"{OTHER_PHONE}/24", "dev", end)
        ip("-n", name, "link", "set", "lo", "up")
        ip("-n", name, "route", "add", "default", "dev", end)
        ip("netns", "exec", name, "true")


def phone_link():
    """The end of the link that the phone has."""
    return f"p{os.getpid()}"


def remove_network():
    for name in [MACHINE, PHONE]:
        ip("netns", "del", name, quiet=True)


class Program:
    """The board on the machine."""

    def __init__(self, program, home, *words):
        environment = dict(os.environ, XDG_STATE_HOME=str(home), LC_ALL="C")
        command = ["ip", "netns", "exec", MACHINE, program, "board", "--no-open", *words]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def own_address(self):
        """The address for the machine itself, which is printed first."""
        return self.lines.get(timeout=PATIENCE).strip()

    def invitation(self):
        """The next address for a device."""
        while True:
            found = re.search(r"http://10\.\S+", self.lines.get(timeout=PATIENCE))
            if found:
                return found[0]

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def ask(address, path, body, token="", host=None, source=ADDRESSES[PHONE]):
    """The answer to a request from the phone."""
    own_host = address.removeprefix("http://").split("/")[0]
    host = host or own_host
    headers = {"Content-Type": "application/json", "X-Chuhe-Token": token, "Origin": f"http://{host}", "Host": host}
    connection = http.client.HTTPConnection(own_host, timeout=PATIENCE, source_address=(source, 0))
    connection.request("POST", path, body=body, headers=headers)
    return connection.getresponse()


def post(address, path, token="", **more):
    """The status of a request from the phone, and the token in its answer."""
    answer = ask(address, path, '{"page":null}', token, **more)
    text = answer.read()
    return answer.status, json.loads(text).get("token") if answer.status == 200 else None


def upload_in_flood(address, token):
    """The status of a request that is half sent when somebody else opens many connections."""
    host = address.removeprefix("http://").split("/")[0]
    name, port = host.split(":")
    body = '{"page":null}'
    head = f"POST /open HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Chuhe-Token: {token}\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((name, int(port)), PATIENCE, (OTHER_PHONE, 0)) as upload:
        upload.sendall((head + body[:5]).encode())
        flood = [socket.create_connection((name, int(port)), PATIENCE, (ADDRESSES[PHONE], 0)) for _ in range(100)]
        upload.sendall(body[5:].encode())
        status = upload.recv(12).decode()
        for stranger in flood:
            stranger.close()
    return status


def on_phone(address):
    """What the phone finds; runs in its namespace."""
    check(post(address, "/open")[0] == 403, "a phone without a code is refused")
    code = address.split("#")[1]
    status, token = post(address, "/token", token=code, source=OTHER_PHONE)
    check(status == 200, "its code pairs a phone")
    check(post(address, "/token", token=code)[0] == 410, "and no other one")
    check(post(address, "/open", token=token, source=OTHER_PHONE)[0] == 200, "its token opens the board")
    check(post(address, "/open", token=token)[0] == 403, "but not from another address")
    check(upload_in_flood(address, token) == "HTTP/1.1 200", "many connections of somebody else take no place from it")
    own = f"127.0.0.1:{address.split(':')[2].split('/')[0]}"
    check(post(address, "/open", token=token, host=own, source=OTHER_PHONE)[0] == 403, "a phone cannot pass for the machine")
    print(json.dumps([check.passed, check.failed]))


def share(address):
    """The dialog on the machine; runs in its namespace. Goes on when it reads a line."""
    browser = Browser()
    try:
        browser.open(address)
        browser.until("typeof chuheBoard === 'object' && Boolean(chuheBoard.game)", PATIENCE)
        browser.click("#lan")
        browser.until("$('#lanAddress').textContent", PATIENCE)
        code = browser.value("$('#lanAddress').textContent")
        print("open", flush=True)
        sys.stdin.readline()
        check(browser.until(f"$('#lanAddress').textContent !== '{code}' && $('#lanNews').textContent.includes('was paired')"), "the dialog shows the next code by itself")
        check(browser.value("$('#lanDevices').textContent").startswith(OTHER_PHONE), "and lists the device")
        browser.click("#lanDevices button")
        check(browser.until("!$('#lanDevices').textContent"), "which is sent away")
        browser.click("#lanDialog .deed:last-child")
        browser.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }; $('#copyLink').click()")
        check(browser.until("window.copied") and re.match(r"http://10\.77\.77\.1:8642/#pair-\w+&fen=", browser.value("copied")), "a link holds a code")
    finally:
        browser.close()
    print(json.dumps([check.passed, check.failed]))


def browse(address):
    """The same in a browser; runs in the namespace of the phone."""
    browser = Browser()
    try:
        browser.screen(390, 844, phone=True)
        browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
        browser.open(address)
        check(browser.until("typeof chuheBoard === 'object' && Boolean(chuheBoard.game)", PATIENCE), "its code opens the board on a phone")
        check(browser.value("!location.hash.includes('pair-')"), "the code is gone from the address")
        check(browser.value("$('#lan').hidden && $('#copyFen').hidden"), "what cannot work there is hidden")
        browser.value("$('#typed').value = 'h2e2'; $('#typing').requestSubmit()")
        check(browser.until("chuheBoard.game.moves.length === 2 && !chuheBoard.game.thinking", PATIENCE), "the engine answers a move of the phone")
        token, page = (browser.value(text) for text in ["localStorage.getItem('chuhe.token')", "sessionStorage.getItem('chuhe.page')"])
        thief = ask(address, f"/stream/{page}", '{"after":0}', token)
        check(thief.status == 200 and thief.readline().startswith(b"data:"), "another connection takes over the events of the page")
        check(thief.read() is not None, "the page takes them back")
        browser.value("$('#typed').value = 'h0g2'; $('#typing').requestSubmit()")
        check(browser.until("chuheBoard.game.moves.length === 4 && !chuheBoard.game.thinking", PATIENCE), "and its game goes on")
        browser.reload()
        check(browser.until("typeof chuheBoard === 'object' && Boolean(chuheBoard.game) && chuheBoard.game.moves.length === 4", PATIENCE), "the game is there after a reload")
        browser.open("about:blank")
        browser.open(address)
        check(browser.until("typeof chuheBoard === 'object' && Boolean(chuheBoard.game)", PATIENCE), "a used code opens the board for a device that is paired")
        browser.value("localStorage.clear()")
        browser.open("about:blank")
        browser.open(address)
        check(browser.until("$('#notice').textContent.includes('pairs no device any more')", PATIENCE), "for others there is a sentence")
    finally:
        browser.close()
    print(json.dumps([check.passed, check.failed]))


def count(told):
    """Prints what a part of the script has told, and counts its checks: its last line has their numbers."""
    print("\n".join(told[:-1]))
    passed, failed = json.loads(told[-1])
    check.passed, check.failed = check.passed + passed, check.failed + failed


def inside_phone(*words):
    """Runs this script in the namespace of the phone."""
    command = ["ip", "netns", "exec", PHONE, sys.executable, __file__, *words]
    count(subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=300).stdout.splitlines())


def main():
    parts = {"--on-phone": on_phone, "--browse": browse, "--share": share}
    if sys.argv[1] in parts:
        return parts[sys.argv[1]](sys.argv[2])
    program = str(Path(sys.argv[1]).resolve())
    try:
        make_network()
        with tempfile.TemporaryDirectory(prefix="chuhe-lan-") as name:
            run(program, Path(name))
    finally:
        remove_network()
    finish()


def run(program, folder):
    board = Program(program, folder, "--lan")
    has_browser = any(map(shutil.which, NAMES))
    try:
        own, first = board.own_address(), board.invitation()
        check(first.startswith(f"http://{ADDRESSES[MACHINE]}:8642/#pair-"), "the address and the port are those of the network")
        if has_browser:
            command = ["ip", "netns", "exec", MACHINE, sys.executable, __file__, "--share", own]
            machine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            machine.stdout.readline()
        inside_phone("--on-phone", first)
        if has_browser:
            count(machine.communicate("\n", PATIENCE)[0].splitlines())
        second = board.invitation()
        check(second != first, "the program names a new code")
        if has_browser:
            inside_phone("--browse", second)
        else:
            print("NOT RUN: no browser")
    finally:
        board.close()


if __name__ == "__main__":
    main()
