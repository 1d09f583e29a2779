"""What the board of static hosts says and does where something is wrong: each state has a sentence, and no page is blank."""

from contextlib import contextmanager

from board_page import LOADED, begin, plies
from browser import check

PGN = "1. 炮二平五 马8进7 2. 马二进三 *"
SHELL = "document.getElementById('shell')"
# How many tabs keep games, and how many wait for that.
LOCKS = "navigator.locks.query().then(({ held, pending }) => [held.length, pending.length])"
NO_SIMD = "WebAssembly.validate = () => false;"
NO_STORAGE = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });"
SLEEPING = """{
    window.hide = (hidden) => {
        Object.defineProperty(document, "visibilityState", { get: () => hidden ? "hidden" : "visible", configurable: true });
        Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    };
}"""


@contextmanager
def tab(browser, **more):
    """Another tab of the same browser; `more` says in which context."""
    first = browser.session
    browser.session = None
    target = browser.ask("Target.createTarget", url="about:blank", **more)["targetId"]
    browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Page", "Runtime"]:
        browser.ask(f"{domain}.enable")
    try:
        yield
    finally:
        browser.session = None
        browser.ask("Target.closeTarget", targetId=target)
        browser.session = first


def visit_with(browser, host, script, name, shots):
    """Opens the page in another tab after a script; the text that is seen above the board."""
    with tab(browser):
        browser.screen(390, 844, phone=True)
        browser.ask("Page.addScriptToEvaluateOnNewDocument", source=script)
        browser.open(host.address)
        seen = "[...document.querySelectorAll('#notice, #shell, .cannot-run')].filter((each) => each.checkVisibility())"
        told = f"{seen}.map((each) => each.innerText).join(' ')"
        browser.until(f"{told}.length > 20", 20)
        shots.take(name)
        return browser.value(told), browser.value("$$('.stage .pieces use').length")


def tabs(browser, host, shots):
    with tab(browser):
        browser.open(host.address)
        told = f"{LOADED} && {SHELL}.innerText.includes('another tab')"
        check(browser.until(told), "a second tab is told that the first one keeps games")
        begin(browser)
        check(plies(browser, 0), "and plays all the same")
        shots.take("second-tab")
        check(browser.value(LOCKS) == [1, 1], "without keeping anything")
    check(browser.until(f"{LOCKS}.then(([held, pending]) => held === 1 && !pending)"), "the first one goes on keeping")


def old_browsers(browser, host, shots):
    said, pieces = visit_with(browser, host, NO_SIMD, "no-simd", shots)
    check("too old" in said and pieces == 32, f"without SIMD the page says so: {said!r}")
    said, pieces = visit_with(browser, host, NO_STORAGE, "no-storage", shots)
    check("keeps nothing" in said and pieces == 32, f"so it does without storage: {said!r}")
    with tab(browser):
        browser.ask("Emulation.setScriptExecutionDisabled", value=True)
        browser.open(f"{host.address}en.html")
        root = browser.ask("DOM.getDocument", depth=-1)["root"]["nodeId"]
        found = browser.ask("DOM.querySelector", nodeId=root, selector="noscript p")["nodeId"]
        check(found != 0, "without scripts there is a sentence")
        if shots.folder:
            browser.photograph(shots.folder / "no-script.png", whole=False)


def storage_full(browser):
    browser.value("window.realPut = IDBObjectStore.prototype.put;"
                  "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }")
    begin(browser, level=1)
    browser.value("$('#typed').value = 'h2e2'; $('#typing').requestSubmit()")
    check(browser.until("$('#notice').innerText.includes('full')"), "full storage is told")
    check(plies(browser, 2), "and the game goes on")
    browser.value("IDBObjectStore.prototype.put = realPut")


def reminder(browser):
    browser.value("navigator.storage.persisted = navigator.storage.persist = async () => false; localStorage.removeItem('chuhe.finished')")
    for _ in range(5):
        begin(browser, level=1)
        plies(browser, 0)
        browser.value("$('#typed').value = 'h2e2'; $('#typing').requestSubmit()")
        plies(browser, 2)
        browser.value("$('[data-request=resign]').click()")
        browser.until("Boolean(chuheBoard.game.end)")
    check(browser.until(f"/may delete.*5/s.test({SHELL}.innerText)"), "after five games the page reminds of saving them")
    browser.click("#shell button:last-of-type")
    check(browser.value(f"{SHELL}.hidden && localStorage.getItem('chuhe.finished') === '0'"), "and can be told to wait")


def shared(browser, host):
    """What another app shares; a form of the page cannot be sent, so this is what the system does."""
    posted = (
        "(async () => { const form = new FormData();"
        f" form.set('game', new File(['{PGN}'], 'game.pgn'));"
        " return (await fetch('share', { method: 'POST', body: form })).url; })()"
    )
    url = browser.value(posted)
    check(url == f"{host.address}?shared", "the service worker takes what is shared")
    browser.open(url)
    check(browser.until(f"{LOADED} && chuheBoard.mode === 'analyse' && chuheBoard.tree.nodes.length === 4"), "and the page opens it")
    check(browser.value("location.search") == "", "once")


def hidden_clock(browser):
    begin(browser, seat="red", level=1, clock="300+5")
    plies(browser, 0)
    browser.value(SLEEPING)
    left = "$('#below').querySelector('time').textContent.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)"
    browser.until(f"{left} > 0")
    before = browser.value(f"hide(true), window.hidAt = performance.now(), {left}")
    browser.until("performance.now() > hidAt + 5000")
    browser.value("hide(false)")
    check(browser.until(f"{left} > {before} - 4", 10), f"the clock of a page that nobody sees stands still: {before} s, {browser.value(left)} s")


def missing_file(browser, host):
    (host.folder / "tree.js").rename(host.folder / "away.js")
    # The script that says so may come last.
    host.late.add("browser_check.js")
    try:
        with tab(browser):
            # Without the service worker, which has the file.
            browser.ask("Network.enable")
            browser.ask("Network.setBypassServiceWorker", bypass=True)
            browser.ask("Network.setCacheDisabled", cacheDisabled=True)
            browser.open(host.address)
            check(browser.until("!document.getElementById('notWhole').hidden"), "a page that is not whole says so")
    finally:
        (host.folder / "away.js").rename(host.folder / "tree.js")
        host.late.clear()


def run(browser, host, shots):
    tabs(browser, host, shots)
    old_browsers(browser, host, shots)
    storage_full(browser)
    reminder(browser)
    hidden_clock(browser)
    shared(browser, host)
    missing_file(browser, host)
