#!/usr/bin/env python3
"""Presses every pair of buttons and moves of the board, one soon after the other, in a real browser: after each of them the
game goes on, or the page says why not.

    tests/browser/orders.py target/release/chuhe|chuhe-board-web-VERSION.zip [--orders N] [--seed N]

The first argument is the program, or the board of static hosts. Needs Chromium. Without --orders all pairs are pressed.
"""

import argparse
import tempfile
import time
from pathlib import Path

from board_page import LOADED, Board
from browser import Browser, check, finish
from web_host import Host, unpack


def serve(path, home):
    """The address of the board, and what ends it."""
    if path.suffix == ".zip":
        host = Host(unpack(path, home / "site"))
        return host.address, host.stop
    server = Board(str(path.resolve()), str(home))
    return server.address, server.close


def run(browser, address, orders, seed):
    browser.screen(1280, 720)
    browser.open(address)
    check(browser.until(f"{LOADED} && chuheBoard.game.legal.length === 44"), "the board is there")
    browser.value((Path(__file__).parent / "orders.js").read_text(encoding="utf-8"))
    orders = orders or browser.value("countOrders")
    began = time.monotonic()
    wrong = browser.value(f"runOrders({seed}, {orders})")
    check(not wrong, f"{orders} orders of two leave a game that goes on, in {time.monotonic() - began:.0f} s {wrong}")
    faults = [str(event) for event in browser.faults()]
    check(not faults, f"the scripts have no complaints {faults[:2] or ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", type=Path)
    parser.add_argument("--orders", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chuhe-orders-") as home:
        address, end = serve(arguments.board, Path(home))
        browser = Browser()
        try:
            run(browser, address, arguments.orders, arguments.seed)
        finally:
            browser.close()
            end()
    finish()


if __name__ == "__main__":
    main()
