"""A model hub: takes what is posted, and writes it down as it knows it.

hub.py FOLDER  writes FOLDER/port; FOLDER/notices has a line for each notice that it took, FOLDER/refused one for each
that it answered with 500, as long as FOLDER/broken is there. With FOLDER/token the header TOKEN must be its text (403).
"""

import http.server
import json
import os
import sys
import threading

folder = sys.argv[1]
lock = threading.Lock()


def note(name, line):
    with lock, open(os.path.join(folder, name), "a", encoding="utf-8") as file:
        file.write(line + "\n")


class Hub(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        token = os.path.join(folder, "token")
        if os.path.exists(os.path.join(folder, "broken")):
            note("refused", body)
            return self.answer(500)
        if os.path.exists(token) and self.headers["TOKEN"] != open(token, encoding="utf-8").read().strip():
            note("refused", body)
            return self.answer(403)
        json.loads(body)
        note("notices", body)
        return self.answer(200)

    def answer(self, code):
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a worker that is killed while it posts


server = Server(("127.0.0.1", 0), Hub)
with open(os.path.join(folder, "port.new"), "w", encoding="utf-8") as file:
    file.write(str(server.server_port))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
