"""A server of webhooks on the loopback, for notify.sh.   _webhook.py FOLDER [CERTIFICATE KEY]

FOLDER/port gets its port, FOLDER/requests one JSON object a line for each request. The first part of a path says
what is answered:
  ok     200 `ok`                             zero   200, in the words of all services: no error
  sign   200, and an error code in the body   gone   404, and the path itself
  flaky  500, then 200                        busy   429 with Retry-After, then 200
  later  429 with a Retry-After of a day      moved  302 to /ok/stolen
  mute   nothing, until the client goes       flood  200 and more than anybody wants to read
  deaf   the connection is cut, then 200      down   500
"""
import collections
import http.server
import json
import os
import ssl
import sys
import threading

folder = sys.argv[1]
seen = collections.Counter()
lock = threading.Lock()
ZERO = json.dumps({"errcode": 0, "errmsg": "ok", "code": 0, "msg": "success"}).encode()


class Webhook(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def record(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        with lock, open(f"{folder}/requests", "a") as log:
            log.write(json.dumps({"path": self.path, "type": self.headers["Content-Type"], "body": body}) + "\n")
            seen[self.path] += 1
            return seen[self.path]

    def flood(self):
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            pass

    def do_POST(self):
        times = self.record()
        kind = self.path.split("/")[1]
        if kind == "ok":
            self.answer(200, b"ok")
        elif kind == "sign":
            self.answer(200, b'{"errcode": 310000, "errmsg": "sign \\u001b[31mnot match", "code": 19021, "msg": "sign match fail"}')
        elif kind == "gone":
            self.answer(404, b"no_service at " + self.path.encode())
        elif kind == "down" or (kind == "flaky" and times == 1):
            self.answer(500, b"not now")
        elif kind == "busy" and times == 1:
            self.answer(429, Retry_After="1")
        elif kind == "later":
            self.answer(429, b"tomorrow", Retry_After="86400")
        elif kind == "moved":
            self.answer(302, Location="/ok/stolen")
        elif kind == "deaf" and times == 1:
            self.connection.close()
        elif kind == "mute":
            self.connection.recv(1)
        elif kind == "flood":
            self.flood()
        else:
            self.answer(200, ZERO)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
server.daemon_threads = True
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(f"{folder}/port.new", "w") as port:
    port.write(str(server.server_port))
os.rename(f"{folder}/port.new", f"{folder}/port")
server.serve_forever()
