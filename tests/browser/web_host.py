"""A static host for the tests of the web board, below a path of its own, and with the faults that networks have."""

import gzip
import hashlib
import http.server
import re
import shutil
import threading
import time
import zipfile
from pathlib import Path

PATH = "/games/chuhe/"
TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
    ".png": "image/png", ".webmanifest": "application/manifest+json", ".bin": "application/octet-stream",
}
PIECE = 1 << 14


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
