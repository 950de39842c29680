"""A server of releases, and of a merge request's notes, on the loopback: _ci_releases.py FOLDER

Writes its port into FOLDER/port. /good has the files of FOLDER; /redirect leads there; /cut ends an archive after half of
it; /wrong has sums of something else; /unlisted and /damaged have none of it; all else is 404. FOLDER/notes is what GET
gives of notes; what else they are asked goes into FOLDER/calls."""

import http.server
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, kind, *rest = self.path.split("?")[0].split("/")
        name = rest[-1] if rest else ""
        if kind == "api":
            self.send("notes")
        elif kind == "redirect":
            self.send_response(302)
            self.send_header("Location", f"/good/{name}")
            self.end_headers()
        elif kind in ("good", "cut", "wrong", "unlisted", "damaged") and (FOLDER / name).is_file():
            self.send(name, kind)
        else:
            self.send_error(404)

    def send(self, name, kind="good"):
        body = (FOLDER / name).read_bytes()
        if name == "SHA256SUMS":
            body = {"wrong": b"0" * 64 + body[64:], "unlisted": body.replace(b"gate-", b"other-"), "damaged": body[1:]}.get(kind, body)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2] if kind == "cut" and name != "SHA256SUMS" else body)

    def write_down(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        with (FOLDER / "calls").open("a") as calls:
            print(self.command, self.path, self.headers["PRIVATE-TOKEN"], file=calls)
        self.send_response(200)
        self.end_headers()

    do_POST = do_PUT = write_down

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
(FOLDER / "port.next").write_text(str(server.server_port))
(FOLDER / "port.next").rename(FOLDER / "port")
server.serve_forever()
