"""Headless Chromium for the tests of pages, controlled through a pair of pipes. Needs only the standard library."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]

# The time between two looks at the page, and how long is waited in all; no wait has a fixed length.
POLL = 0.03
PATIENCE = 60
NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED"
# An element is at rest when so many looks in a row find it at the same place.
RESTS = 4

# Where to click an element, once it is visible, enabled and not covered; else why it cannot be clicked.
PLACE = """(selector, across, down) => {
    const no = (why) => ({ at: null, why });
    const element = document.querySelector(selector);
    if (!element) return no("there is none");
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    if (!width || !height || getComputedStyle(element).visibility !== "visible") return no("it is not visible");
    if (element.matches(":disabled")) return no("it is disabled");
    const at = [left + across * width, top + down * height];
    const hit = document.elementFromPoint(...at);
    if (!element.contains(hit)) return no("it is covered by " + (hit ? hit.outerHTML.slice(0, 120) : "nothing in the window"));
    return { at, why: null, box: [left, top, width, height] };
}"""

# Lets a click reach the page only if it hits the element; `testGuard` ends the watch and says whether it did.
GUARD = """(selector) => {
    const element = document.querySelector(selector);
    const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
    let [pressed, clicked] = [false, false];
    const watch = (event) => {
        const inside = Boolean(element?.contains(event.target));
        if (event.type === "pointerdown") pressed = inside;
        if (event.type === "click" && pressed && inside) clicked = true;
        if (pressed && (inside || clicked || event.type !== "click")) return;
        event.preventDefault();
        event.stopImmediatePropagation();
    };
    for (const kind of kinds) addEventListener(kind, watch, true);
    window.testGuard = () => {
        for (const kind of kinds) removeEventListener(kind, watch, true);
        return clicked;
    };
}"""


def is_fault(event):
    """The browser also logs what is no fault, such as that it has cleared data as it was told to."""
    if event.get("method") == "Log.entryAdded":
        return event["params"]["entry"]["level"] in ["warning", "error"]
    return event.get("method") == "Runtime.exceptionThrown"


class Browser:
    """Headless Chromium, controlled through pipes."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise SystemExit(f"none of {', '.join(NAMES)} is there")
        self.folder = tempfile.TemporaryDirectory(prefix="chuhe-browser-", ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.of, of_write = os.pipe()
        # Of the numbers that a shell knows, none that the other one gets in the browser.
        low = to_read, of_write
        to_read, of_write = (fcntl.fcntl(end, fcntl.F_DUPFD, 5) for end in low)
        for end in low:
            os.close(end)
        command = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe", "about:blank",
        ]
        # The browser reads commands from descriptor 3 and answers on 4.
        shell = f'exec 3<&{to_read} 4>&{of_write}; exec "$@"'
        self.process = subprocess.Popen(
            ["sh", "-c", shell, "sh", *command],
            pass_fds=(to_read, of_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(of_write)
        self.pending = b""
        self.number = 0
        self.events = []
        self.session = None
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.ask(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.pending:
            more = os.read(self.of, 1 << 16)
            if not more:
                raise SystemExit("the browser has left")
            self.pending += more
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        self.load("Page.navigate", url=url)

    def reload(self):
        self.load("Page.reload")

    def await_load(self, act):
        """Does what has the page load another one, and waits until it is there."""
        before = len(self.events)
        act()
        self.await_event("Page.loadEventFired", before)

    def await_event(self, method, since):
        """Waits for an event of this name, after so many others."""
        while not any(event.get("method") == method for event in self.events[since:]):
            self.events.append(self.receive())

    def load(self, method, **params):
        """Loads a page. When an interface of the machine changes, the browser breaks off what it is loading; this loads the
        page again then, as a user would."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            before = len(self.events)
            self.await_load(lambda: self.ask(method, **params))
            if not any(event.get("params", {}).get("errorText") == NETWORK_CHANGED for event in self.events[before:]):
                return
            self.forgive(NETWORK_CHANGED)
            # Another navigation to an address with a fragment would load nothing.
            method, params = "Page.reload", {}
        raise SystemExit("the network never comes to rest")

    def value(self, expression):
        """The value of an expression; `$` and `$$` find elements by selectors."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, includeCommandLineAPI=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, expression, patience=60):
        """Waits until an expression is true; false after a timeout."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.value(expression):
                return True
            time.sleep(POLL)
        return False

    def key(self, name):
        for kind in ["keyDown", "keyUp"]:
            self.ask("Input.dispatchKeyEvent", type=kind, key=name)

    def mouse(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def still(self, selector, across=0.5, down=0.5):
        """Waits until an element is there, enabled, at rest and not covered; returns a point of it in the window."""
        ask = f"({PLACE})({json.dumps(selector)}, {across}, {down})"
        end, known, times = time.monotonic() + PATIENCE, None, 0
        while time.monotonic() < end:
            found = self.value(ask)
            times = times + 1 if found["at"] and found == known else 1
            known = found
            if times == RESTS:
                return found["at"]
            time.sleep(POLL)
        raise SystemExit(f"{selector} cannot be clicked: {known['why'] or 'it never comes to rest'}")

    def click(self, selector, across=0.5, down=0.5):
        """Clicks into an element; scrolls it into view first. What moves away under the pointer is tried again: a click
        that would hit something else does not reach the page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            x, y = self.still(selector, across, down)
            self.value(f"({GUARD})({json.dumps(selector)})")
            for kind in ["mousePressed", "mouseReleased"]:
                self.mouse(kind, x, y, button="left", buttons=1 if kind == "mousePressed" else 0, clickCount=1)
            # A click that has loaded the page anew has hit.
            if self.value("window.testGuard ? testGuard() : true"):
                return
        raise SystemExit(f"{selector} is missed by every click")

    def drag(self, start, end):
        """Drags from one point of the window to another."""
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for part in [0.3, 0.7, 1]:
            x, y = (a + part * (b - a) for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", buttons=0, clickCount=1)

    def tap(self, x, y):
        self.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag_finger(self, start, end):
        self.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": start[0], "y": start[1]}])
        for part in [0.1, 0.3, 0.6, 0.8, 1]:
            x, y = (a + part * (b - a) for a, b in zip(start, end))
            self.ask("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
        self.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def asked(self):
        """The names of the requests of the board page, in their order."""
        bodies = [event["params"]["request"].get("postData") for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [json.loads(body).get("type") for body in bodies if body]

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def faults(self):
        """Exceptions of the scripts, and warnings and errors of the browser."""
        return [event for event in self.events if is_fault(event)]

    def forgive(self, text):
        """Drops the faults that have this text: those that a test has provoked."""
        self.events = [event for event in self.events if not (is_fault(event) and text in json.dumps(event))]

    def addresses(self):
        """The addresses of all requests."""
        requests = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in requests]

    def inside(self, selector):
        """Whether all visible elements of this kind lie within the window."""
        return self.value(
            f"[...document.querySelectorAll({json.dumps(selector)})].every((element) => {{"
            " const box = element.getBoundingClientRect();"
            " return !box.width || box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5; })"
        )

    def screen(self, width, height, phone=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone)

    def photograph(self, path, whole=True):
        picture = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self):
        os.close(self.to)
        os.close(self.of)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


def check(held, what):
    print(f"{'ok  ' if held else 'FAIL'} {what}")
    check.failed += not held
    check.passed += bool(held)


check.failed = check.passed = 0


def finish():
    """Says how many checks have passed, and ends the script with their verdict."""
    print(f"{check.passed} checks passed, {check.failed} failed")
    sys.exit(check.failed > 0)
