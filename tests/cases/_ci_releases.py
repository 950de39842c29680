"""A server of releases, and of a merge request's notes, on the loopback: _ci_releases.py FOLDER

Writes its port into FOLDER/port, and that of https into FOLDER/tls if FOLDER/tls.pem has a key and its certificate. /good
has the files of FOLDER; /redirect leads there, by http; /cut ends an archive after half of it; SUMS says what SHA256SUMS is
below the others; all else is 404. FOLDER/notes is what GET gives of notes, a page of them; what else they are asked goes
into FOLDER/calls."""

import http.server
import json
import pathlib
import ssl
import sys
import threading
import urllib.parse

FOLDER = pathlib.Path(sys.argv[1])
OTHER = b"0" * 64
SUMS = {
    "wrong": lambda sums: OTHER + sums[64:],
    "unlisted": lambda sums: sums.replace(b"gate-", b"other-"),
    "damaged": lambda sums: sums[1:],
    "elsewhere": lambda _: b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  /dev/null\n",
    "twice": lambda sums: sums + OTHER + sums[64:],
    "longer": lambda sums: sums.replace(b".gz", b".gz.sig"),
    "binary": lambda sums: sums[:64].upper() + b" *" + sums[66:].replace(b"\n", b"\r\n") + OTHER + b"  other.tar.gz\r\n",
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, kind, *rest = self.path.split("?")[0].split("/")
        name = rest[-1] if rest else ""
        if kind == "api":
            self.send_notes()
        elif kind == "redirect":
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{server.server_port}/good/{name}")
            self.end_headers()
        elif kind in ("good", "cut", *SUMS) and (FOLDER / name).is_file():
            self.send(name, kind)
        else:
            self.send_error(404)

    def send(self, name, kind):
        body = (FOLDER / name).read_bytes()
        if name != "SHA256SUMS":
            self.send_body(body, len(body) // 2 if kind == "cut" else None)
        else:
            self.send_body(SUMS[kind](body) if kind in SUMS else body)

    def send_body(self, body, end=None):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:end])

    def send_notes(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        size, page = int(query.get("per_page", 20)), int(query.get("page", 1))
        self.send_body(json.dumps(json.loads((FOLDER / "notes").read_text())[(page - 1) * size:page * size]).encode())

    def write_down(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        with (FOLDER / "calls").open("a") as calls:
            print(self.command, self.path, self.headers["PRIVATE-TOKEN"], file=calls)
        self.send_response(200)
        self.end_headers()

    do_POST = do_PUT = write_down

    def log_message(self, *_):
        pass


def serve(file):
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    (FOLDER / f"{file}.next").write_text(str(made.server_port))
    return made


server = serve("port")
if (FOLDER / "tls.pem").exists():
    secure = serve("tls")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(FOLDER / "tls.pem")
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    threading.Thread(target=secure.serve_forever, daemon=True).start()
    (FOLDER / "tls.next").rename(FOLDER / "tls")
(FOLDER / "port.next").rename(FOLDER / "port")
server.serve_forever()
