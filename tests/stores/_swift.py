"""OpenStack Swift with s3api in one process: account, container and object server, and the proxy in front of them.

  _swift.py FOLDER PORT     rings, configuration and data are below FOLDER; the proxy listens on 127.0.0.1:PORT
                            (0: on a free one), which FOLDER/port then holds

Users come from tempauth; a request is only served if its signature is right. Nothing below /etc/swift is read.
"""
import os
import socket
import sys
import time

import eventlet

eventlet.monkey_patch(all=False, socket=True, select=True, thread=True, os=True)

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402

folder, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])
utils.SWIFT_CONF_FILE = os.path.join(folder, "swift.conf")

BACKENDS = ("account", "container", "object")
PROXY = """
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors fakecache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:fakecache]
paste.filter_factory = __main__:cache_factory
[filter:s3api]
use = egg:swift#s3api
auth_pipeline_check = false
storage_domain = localhost
max_bucket_listing = 100
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = {secret} .admin
[filter:slo]
use = egg:swift#slo
"""
BACKEND = """
[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
"""


class Cache:
    """What tempauth and the proxy ask of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def delete(self, key, **_):
        self.values.pop(key, None)

    def incr(self, key, delta=1, **_):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]


def cache_factory(*_, **__):
    cache = Cache()

    def with_cache(app):
        def serve(env, start_response):
            env["swift.cache"] = cache
            return app(env, start_response)
        return serve
    return with_cache


def listen(wanted):
    for _ in range(200):  # the port of a server that was killed may be held for a moment
        try:
            return eventlet.listen(("127.0.0.1", wanted))
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the port is taken")


def write(name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def make_rings(sockets):
    for name in BACKENDS:
        port_of_device = sockets[name].getsockname()[1]
        ring = RingBuilder(4, 1, 0)
        ring.add_dev({"region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": port_of_device, "device": "d1"})
        ring.rebalance()
        ring.get_ring().save(os.path.join(folder, name + ".ring.gz"))


def ports_of_rings():
    path = os.path.join(folder, "backends")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(line.split() for line in file)


os.makedirs(os.path.join(folder, "devices", "d1"), exist_ok=True)
write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = gate\n")
write("proxy.conf", PROXY.format(folder=folder, secret=os.environ["SECRET"]))
known = ports_of_rings()
backends = {name: listen(int(known.get(name, 0))) for name in BACKENDS}
if not known:
    make_rings(backends)
    write("backends", "".join("%s %d\n" % (n, s.getsockname()[1]) for n, s in backends.items()))
for name in BACKENDS:
    write(name + ".conf", BACKEND.format(folder=folder, name=name))

from swift.common import storage_policy  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

storage_policy.SWIFT_CONF_FILE = utils.SWIFT_CONF_FILE
storage_policy.reload_storage_policies()
utils.validate_hash_conf()


class NoLog:
    def write(self, *_):
        pass

    debug = info = warning = error = exception = write


def serve(name, listening):
    app = loadapp(os.path.join(folder, name + ".conf"), global_conf={"log_name": name})
    pool = eventlet.GreenPool(64)
    wsgi.server(listening, app, NoLog(), custom_pool=pool, protocol=SwiftHttpProtocol)


proxy = listen(port)
for name in BACKENDS:
    eventlet.spawn(serve, name, backends[name])
eventlet.sleep(0)
write("port.new", str(proxy.getsockname()[1]))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
serve("proxy", proxy)
