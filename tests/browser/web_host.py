"""A static host for the tests of the web board, below a path of its own, and with the faults that networks have."""

import gzip
import hashlib
import http.server
import re
import shutil
import tempfile
import threading
import time
import zipfile
from contextlib import contextmanager
from pathlib import Path

from board_page import LOADED, speak
from browser import Browser, check

PATH = "/games/chuhe/"
TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
    ".png": "image/png", ".webmanifest": "application/manifest+json", ".bin": "application/octet-stream",
}
PIECE = 1 << 14
READY = f"{LOADED} && chuheBoard.game.legal.length > 0"
WORKS_OFFLINE = "document.documentElement.dataset.offline === 'ready'"


def unpack(archive, folder):
    """The folder of the archive, which has one; names that lead out of it are not unpacked."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return next(Path(folder).iterdir())


def next_version(folder, to):
    """Copies the folder as a later version, in which one file has changed."""
    shutil.copytree(folder, to)
    old = re.search(r'VERSION = "(\w+)"', (to / "sw.js").read_text())[1]
    with open(to / "board.css", "a", encoding="utf-8") as style:
        style.write("\n:root { --next-version: 1; }\n")
    for path in [*to.glob("*.html"), *to.glob("*.js")]:
        path.write_text(path.read_text(encoding="utf-8").replace(old, "0123456789ab"), encoding="utf-8")
    worker = (to / "sw.js").read_text()
    for name, old_hash in re.findall(r'"([\w.-]+)":"(\w{16})"', worker):
        worker = worker.replace(old_hash, hashlib.sha256((to / name).read_bytes()).hexdigest()[:16])
    (to / "sw.js").write_text(worker)
    return to


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        host = self.server.host
        if host.is_off:
            # An old connection.
            self.close_connection = True
            return
        name = self.path.split("?")[0].removeprefix(PATH) or "index.html"
        path = host.folder / name
        if not self.path.startswith(PATH) or "/" in name or not path.is_file():
            return self.send_error(404)
        host.asked.append((name, self.headers.get("Range")))
        if name in host.late:
            time.sleep(1)
        body = path.read_bytes()
        begin = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        headers = {"Content-Type": TYPES.get(path.suffix, "text/plain"), "Cache-Control": "max-age=600"}
        if begin and int(begin[1]) < len(body):
            headers["Content-Range"] = f"bytes {begin[1]}-{len(body) - 1}/{len(body)}"
            body = body[int(begin[1]):]
            self.send_response(206)
        else:
            if path.suffix not in [".bin", ".png"] and "gzip" in self.headers.get("Accept-Encoding", ""):
                headers["Content-Encoding"] = "gzip"
                body = gzip.compress(body, 9)
            self.send_response(200)
        for header in {**headers, "Content-Length": len(body)}.items():
            self.send_header(header[0], str(header[1]))
        self.end_headers()
        pauses = host.pauses.get(name)
        for at in range(0, len(body), PIECE):
            if pauses is not None and at >= pauses:
                host.broken.wait(60)
                self.close_connection = True
                return
            try:
                self.wfile.write(body[at:at + PIECE])
            except OSError:
                return


class Host:
    """Serves a folder. `pauses` has after how many bytes a file stops to come, `late` what comes a second later than the
    rest; `asked` has all requests."""

    def __init__(self, folder):
        self.folder, self.pauses, self.late, self.asked = folder, {}, set(), []
        self.broken = threading.Event()
        self.port = 0
        self.start()

    def start(self):
        self.is_off = False
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.host, self.server.daemon_threads = self, True
        self.port = self.server.server_port
        self.address = f"http://127.0.0.1:{self.port}{PATH}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def breaks_off(self, name):
        """What has paused breaks off, and the next request is answered in full."""
        del self.pauses[name]
        self.broken.set()

    def stop(self):
        """From now on there is no network."""
        self.is_off = True
        self.server.shutdown()
        self.server.server_close()


class Shots:
    """Photographs each step, in both colours, and in two languages, if there is a folder for it."""

    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def take(self, name, every=False):
        if not self.folder:
            return
        looks = [(language, theme) for language in ["zh", "en"] for theme in ["light", "dark"]] if every else [("zh", "light")]
        for language, theme in looks:
            speak(self.browser, language)
            self.browser.value(f"document.documentElement.dataset.theme = '{theme}'")
            self.browser.photograph(self.folder / f"{name}-{language}-{theme}.png", whole=False)
        speak(self.browser, "en")
        self.browser.value("document.documentElement.dataset.theme = 'light'")


@contextmanager
def site_in_browser(archive, folder=None):
    """The board of static hosts on a small phone: its host, the browser, and its photographs. At the end the browser may have
    no complaint but of the network."""
    with tempfile.TemporaryDirectory(prefix="chuhe-web-") as name:
        host, browser = Host(unpack(archive, Path(name) / "site")), Browser()
        try:
            browser.screen(390, 664, phone=True)
            browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
            yield host, browser, Shots(browser, folder)
            faults = [str(event) for event in browser.faults()]
            faults = [fault for fault in faults if "net::" not in fault and "favicon" not in fault]
            check(not faults, f"the browser has no complaint: {faults[:2]}")
        finally:
            browser.close()
            host.stop()
