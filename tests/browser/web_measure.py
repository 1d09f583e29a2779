"""Times and memory of the board of static hosts, on a slow processor and a slow network as Chromium emulates them."""

import time
from pathlib import Path

from board_page import begin, mode
from web_host import READY, site_in_browser

SLOWER = 6
BITS_A_SECOND = 1.6e6
LATENCY_MS = 150

# Notes when the page can be moved on.
WATCH = """{
    const look = () => {
        let isReady = false;
        try { isReady = IS_READY; } catch {}
        if (isReady) window.readyAt = performance.now();
        else setTimeout(look, 20);
    };
    look();
}"""


def throttle(browser, is_slow=True):
    browser.ask("Emulation.setCPUThrottlingRate", rate=SLOWER if is_slow else 1)
    speed = BITS_A_SECOND / 8 if is_slow else -1
    browser.ask(
        "Network.emulateNetworkConditions", offline=False, latency=LATENCY_MS if is_slow else 0,
        downloadThroughput=speed, uploadThroughput=speed,
    )


def visit(browser, address):
    """When the board was painted, when the engine was ready, and when it had answered a move, in seconds."""
    browser.open("about:blank")
    throttle(browser)
    begun = time.monotonic()
    browser.ask("Page.navigate", url=address)
    browser.until("window.readyAt > 0", 120)
    paint = browser.value("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
    ready = browser.value("readyAt")
    throttle(browser, False)
    begin(browser, seat="black")
    browser.until("chuheBoard.game.moves.length === 1 && !chuheBoard.game.thinking", 60)
    return [round(paint / 1000, 2), round(ready / 1000, 2), round(time.monotonic() - begun, 2)]


def memory(browser):
    """The memory of the process with the page, the largest of them, in megabytes: its own, and its part of what is shared."""
    sizes = []
    for stat in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = stat.read_bytes().decode(errors="replace")
            if "--type=renderer" not in words or browser.folder.name not in words:
                continue
            lines = (stat.parent / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        sizes.append(next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000)
    return round(max(sizes))


def measure(archive):
    with site_in_browser(archive) as (host, browser, _):
        browser.screen(390, 844, phone=True)
        browser.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH.replace("IS_READY", f"Boolean({READY})"))
        for name in ["first visit", "second visit", "third visit"]:
            painted, able, moved = visit(browser, host.address)
            print(f"{name}: board after {painted} s, engine after {able} s, its first move (not throttled) after {moved} s")
            browser.until("document.documentElement.dataset.offline === 'ready'", 60)
        mode(browser, "analyse")
        browser.until("chuheBoard.analysis && chuheBoard.analysis.depth > 10", 120)
        print(f"memory: {memory(browser)} MB while it analyses")
