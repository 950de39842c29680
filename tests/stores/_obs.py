"""A store that speaks as OBS does, in memory: it serves a request only if bucket, time and signature are right.

  _obs.py FOLDER     listens on a free port of 127.0.0.1, which FOLDER/port then holds

The secret key of AK is $SK; with $TOKEN set, every request has to bring it, signed. Each request is a line of JSON in
FOLDER/requests. A line of FOLDER/faults is taken away by the request that it meets:
  cut BYTES          of the next GET of an object with a longer body, so many bytes come, and the connection is closed
  damage             the next GET of an object comes with its first byte changed
  busy               the next request is answered with 503
  slow SECONDS       of the next upload the second part is answered after so long
  no-range           the next GET with a range is answered with all of the object
  wrong-range        the next GET with a range is answered with the beginning of the object
  trickle            of the next GET of an object a byte comes every now and then, and no end
  wait SECONDS       the next request is answered with 503 and the wish to wait for so long
  echo               the next request is answered with 400, and an error that shows its token
  twice              the next list has each object twice
  backwards          the next list is in the other order
  conditions         the next PUT with If-None-Match is answered with 501
  meanwhile TEXT     before the next PUT somebody else stores the text there
"""
import base64
import email.utils
import hashlib
import hmac
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

folder = sys.argv[1]
AK, SK, TOKEN = os.environ["OBS_TEST_AK"], os.environ["OBS_TEST_SK"], os.environ.get("OBS_TEST_TOKEN", "")
LIMIT_OF_PAGE = 3
SUBRESOURCES = ("partNumber", "uploadId", "uploads")
objects, uploads = {}, {}
lock = threading.Lock()


def take_fault(kind):
    path = os.path.join(folder, "faults")
    with lock:
        lines = open(path, encoding="utf-8").read().splitlines() if os.path.exists(path) else []
        for line in lines:
            if line.split()[0] == kind:
                lines.remove(line)
                with open(path, "w", encoding="utf-8") as file:
                    file.write("".join(one + "\n" for one in lines))
                return line.split()[1:] or ["yes"]
    return None


def etag_of(body):
    return hashlib.md5(body).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=None, length=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        with lock, open(os.path.join(folder, "requests"), "a", encoding="utf-8") as file:
            file.write(json.dumps({"method": self.command, "host": self.headers["Host"], "path": self.path,
                                   "range": self.headers.get("Range"), "status": status}) + "\n")

    def error(self, status, code):
        self.answer(status, ("<Error><Code>%s</Code><Message>told by the test</Message></Error>" % code).encode())

    def is_signed(self, bucket, query):
        lines = [self.command] + [self.headers.get(n, "") for n in ("Content-MD5", "Content-Type", "Date")]
        own = sorted((n.lower(), v.strip()) for n, v in self.headers.items() if n.lower().startswith("x-obs-"))
        lines += ["%s:%s" % one for one in own]
        names = sorted(n for n in query if n in SUBRESOURCES)
        words = "&".join(n + ("=" + query[n] if query[n] else "") for n in names)
        resource = "/" + bucket + urllib.parse.urlsplit(self.path).path + ("?" + words if words else "")
        text = "\n".join(lines + [resource])
        proof = base64.b64encode(hmac.new(SK.encode(), text.encode(), hashlib.sha1).digest()).decode()
        if TOKEN and self.headers.get("x-obs-security-token") != TOKEN:
            return False
        return self.headers.get("Authorization") == "OBS %s:%s" % (AK, proof)

    def serve(self):
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        key = urllib.parse.unquote(parts.path[1:])
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        bucket, _, rest = self.headers["Host"].partition(".")
        if not rest.startswith("localhost"):
            return self.error(404, "NoSuchKey")  # as OBS answers what is addressed by path
        if take_fault("busy"):
            return self.error(503, "ServiceUnavailable")
        if wait := take_fault("wait"):
            return self.answer(503, headers={"Retry-After": wait[0]})
        if take_fault("echo"):
            return self.error(400, "the token %s of %s" % (TOKEN, self.headers.get("Authorization")))
        sent = email.utils.parsedate_to_datetime(self.headers["Date"]).timestamp()
        if abs(sent - time.time()) > 900:
            return self.error(403, "RequestTimeTooSkewed")
        if not self.is_signed(bucket, query):
            return self.error(403, "SignatureDoesNotMatch")
        md5 = self.headers.get("Content-MD5")
        if md5 and base64.b64decode(md5) != hashlib.md5(body).digest():
            return self.error(400, "BadDigest")
        if bucket != "models":
            return self.error(404, "NoSuchBucket")
        return getattr(self, "do_" + self.command.lower() + "_of")(key, query, body)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = serve

    def meta(self):
        return {n: v for n, v in self.headers.items() if n.lower().startswith("x-obs-meta-")}

    def do_put_of(self, key, query, body):
        if "uploadId" in query:
            slow = take_fault("slow") if query["partNumber"] == "2" else None
            time.sleep(float(slow[0]) if slow else 0)
            uploads[query["uploadId"]]["parts"][int(query["partNumber"])] = body
        else:
            if self.headers.get("If-None-Match") and take_fault("conditions"):
                return self.error(501, "NotImplemented")
            if meanwhile := take_fault("meanwhile"):
                objects[key] = (meanwhile[0].encode(), etag_of(meanwhile[0].encode()), {})
            if self.headers.get("If-None-Match") == "*" and key in objects:
                return self.error(412, "PreconditionFailed")
            objects[key] = (body, etag_of(body), self.meta())
        self.answer(200, headers={"ETag": '"%s"' % etag_of(body)})

    def do_post_of(self, key, query, body):
        if "uploads" in query:
            upload = "upload-%d" % len(uploads)
            uploads[upload] = {"parts": {}, "meta": self.meta()}
            return self.answer(200, ("<InitiateMultipartUploadResult><UploadId>%s</UploadId>"
                                     "</InitiateMultipartUploadResult>" % upload).encode())
        upload = uploads.pop(query["uploadId"], None)
        if upload is None:
            return self.error(404, "NoSuchUpload")
        parts = [upload["parts"][i] for i in sorted(upload["parts"])]
        if body.count(b"<PartNumber>") != len(parts):
            return self.error(400, "InvalidPart")
        digests = b"".join(hashlib.md5(part).digest() for part in parts)
        etag = "%s-%d" % (hashlib.md5(digests).hexdigest(), len(parts))
        objects[key] = (b"".join(parts), etag, upload["meta"])
        return self.answer(200, ('<CompleteMultipartUploadResult><ETag>"%s"</ETag>'
                                 "</CompleteMultipartUploadResult>" % etag).encode())

    def do_delete_of(self, key, query, _):
        if "uploadId" in query:
            uploads.pop(query["uploadId"], None)
        else:
            objects.pop(key, None)
        self.answer(204)

    def do_head_of(self, key, *_):
        if key not in objects:
            return self.answer(404)
        body, etag, meta = objects[key]
        return self.answer(200, headers={"ETag": '"%s"' % etag, **meta}, length=len(body))

    def do_get_of(self, key, query, _):
        if not key:
            return self.list_below(query)
        if key not in objects:
            return self.error(404, "NoSuchKey")
        body, etag, meta = objects[key]
        if self.headers.get("If-Match", '"%s"' % etag) != '"%s"' % etag:
            return self.error(412, "PreconditionFailed")
        headers, status, first = {"ETag": '"%s"' % etag, **meta}, 200, 0
        if self.headers.get("Range") and not take_fault("no-range"):
            first = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            status, headers["Content-Range"] = 206, "bytes %d-%d/%d" % (first, len(body) - 1, len(body))
            if take_fault("wrong-range"):
                headers["Content-Range"], first = "bytes 0-%d/%d" % (len(body) - first - 1, len(body)), 0
                body = body[:-int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))]
        if take_fault("trickle"):
            return self.trickle(headers)
        rest = body[first:]
        if rest and take_fault("damage"):
            rest = bytes([rest[0] ^ 1]) + rest[1:]
        cut = take_fault("cut") if len(rest) > 1000 else None
        if cut is None:
            return self.answer(status, rest, headers)
        self.answer(status, rest[:int(cut[0])], headers, length=len(rest))
        self.close_connection = True
        return None

    def trickle(self, headers):
        self.close_connection = True
        self.answer(200, headers=headers, length=1 << 20)
        try:
            while True:
                self.wfile.write(b"x")
                time.sleep(0.2)
        except OSError:
            pass

    def list_below(self, query):
        keys = sorted(k for k in objects if k.startswith(query.get("prefix", "")) and k > query.get("marker", ""))
        page = keys[:LIMIT_OF_PAGE]
        if take_fault("backwards"):
            page.reverse()
        text = "<ListBucketResult><IsTruncated>%s</IsTruncated>" % str(len(keys) > len(page)).lower()
        for key in page * (2 if take_fault("twice") else 1):
            text += "<Contents><Key>%s</Key><Size>%d</Size><ETag>\"%s\"</ETag></Contents>" % (
                escape(key), len(objects[key][0]), objects[key][1])
        self.answer(200, (text + "</ListBucketResult>").encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
with open(os.path.join(folder, "port.new"), "w", encoding="utf-8") as out:
    out.write(str(server.server_address[1]))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
