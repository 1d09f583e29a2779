#!/usr/bin/env python3
"""No text of the panels is cut off: measured in four windows, four sizes of text, and each language; clipped.py PROGRAM. Needs
Chromium."""

import json
import sys

from board_page import KNOWN, mode, open_record, review, run_parts, speak
from browser import check
from train_page import screen

# Windows, and whether there are fingers.
SIZES = [(1440, 900, False), (1024, 768, False), (390, 844, True), (390, 664, True)]
# The size of the text, as people choose it in their browser.
TEXT_SIZES = [87.5, 100, 112.5, 125]
LANGUAGES = ["en", "zh", "zh-Hant", "vi"]
SCREENS = ["today", "games", "cards", "learn", "openings", "tactics", "endings", "rulings", "pattern"]
GAME = '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 *\n'

# The texts that are cut off: beyond a box that hides what overflows and has no title to read it by, beyond the window where
# nothing scrolls, or in a scroller at its beginning with the first line out of its box.
CLIPPED = """(() => {
    const bad = [];
    const hides = (style) => /hidden|clip/.test(style);
    const scrolls = (style) => /auto|scroll/.test(style);
    const told = (element) => element.closest("[title]") || element.closest("[aria-label]");
    for (const root of $$(".panel, .news, .dock, .top")) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            if (!node.data.trim() || element.closest(".unseen, .top h1, option, #lines, [aria-hidden=true], svg") || !element.checkVisibility({ visibilityProperty: true })) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const boxes = [...range.getClientRects()].filter((box) => box.width && box.height);
            if (!boxes.length) continue;
            // The letters are lower than their lines.
            const slack = (box) => Math.max(1.5, box.height * 0.22);
            const [first] = boxes;
            let inScroller = { x: false, y: false };
            for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
                const style = getComputedStyle(at);
                if (style.display === "contents" || style.display === "inline") continue;
                const frame = at.getBoundingClientRect();
                const clipsX = hides(style.overflowX) && !inScroller.x, clipsY = hides(style.overflowY) && !inScroller.y;
                const beyondX = boxes.some((box) => box.left < frame.left - 1.5 || box.right > frame.right + 1.5);
                const beyondY = boxes.some((box) => box.top < frame.top - slack(box) || box.bottom > frame.bottom + slack(box));
                const isEllipsis = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
                if ((clipsX && beyondX || clipsY && beyondY) && !(isEllipsis && told(element))) bad.push([at, node.data.trim().slice(0, 30), "cut"]);
                if (scrolls(style.overflowY) && !inScroller.y && at.scrollTop === 0 && first.top < frame.top - slack(first)) bad.push([at, node.data.trim().slice(0, 30), "first line"]);
                if (scrolls(style.overflowX)) inScroller.x = true;
                if (scrolls(style.overflowY)) inScroller.y = true;
                if (style.position === "fixed") break;
            }
            if (!inScroller.y && (first.top < -1 || boxes.some((box) => box.bottom > innerHeight + slack(box)))) bad.push([element, node.data.trim().slice(0, 30), "out of the window"]);
            if (!inScroller.x && boxes.some((box) => box.left < -1.5 || box.right > innerWidth + 1.5)) bad.push([element, node.data.trim().slice(0, 30), "beside the window"]);
        }
    }
    return [...new Set(bad.map(([at, text, why]) => `${at.id ? "#" + at.id : at.tagName.toLowerCase() + "." + at.className}: ${text} (${why})`))];
})()"""


def measure(browser, name):
    """What is cut off in this place, by window and size of text."""
    bad = {}
    for width, height, touch in SIZES:
        browser.screen(width, height, touch)
        browser.ask("Emulation.setTouchEmulationEnabled", enabled=touch)
        for size in TEXT_SIZES:
            browser.value(f"document.documentElement.style.fontSize = '{size}%'; new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(0))))")
            found = browser.value(CLIPPED)
            for text in found:
                bad.setdefault(text, []).append(f"{width}x{height}@{size}")
    browser.value("document.documentElement.style.fontSize = ''")
    language = browser.value("document.documentElement.lang")
    check(not bad, f"{name} in {language}: nothing is cut off {json.dumps(bad, ensure_ascii=False) if bad else ''}")


def places(browser):
    """What there is of each place before anything was played, in each language."""
    only = sys.argv[2:]
    for language in only or LANGUAGES:
        browser.screen(1440, 900)
        speak(browser, language)
        for name in ["play", "review", "analyse", "setup", "games"]:
            mode(browser, name)
            browser.until(KNOWN if name == "analyse" else "true")
            measure(browser, name)
        for name in SCREENS:
            screen(browser, name)
            browser.until("!$('#tactics') || document.readyState === 'complete'")
            measure(browser, f"train/{name}")
        mode(browser, "play")


def of_a_game(browser):
    """A game with its review."""
    browser.screen(1440, 900)
    speak(browser, "en")
    mode(browser, "play")
    open_record(browser, GAME.encode(), 9)
    check(review(browser), "a game is reviewed")
    for language in sys.argv[2:] or LANGUAGES:
        browser.screen(1440, 900)
        speak(browser, language)
        for name in ["analyse", "review", "games"]:
            mode(browser, name)
            browser.until("$('[data-part=game]')" if name == "games" else f"{KNOWN} && chuheBoard.review")
            measure(browser, f"{name} with a game")


if __name__ == "__main__":
    run_parts([places, of_a_game], prefix="chuhe-clipped-")
