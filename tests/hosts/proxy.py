"""A link that can be cut: forwards TCP connections, both ways.   proxy.py FOLDER ADDRESS PORT TO_ADDRESS TO_PORT

FOLDER/link.port gets the port that it listens on (PORT 0: any), FOLDER/link.state `whole` or `cut`, once that holds.
SIGUSR1 cuts it, as if a cable were out: nothing is read, sent, accepted or closed. SIGUSR2 mends it: what came in
meanwhile goes on. When it ends, all its connections do.
"""
import os
import select
import signal
import socket
import sys

folder, address, port, to_address, to_port = sys.argv[1:]
MOST = 1 << 16
whole = True


class Way:
    """What goes from one socket of a connection to the other."""

    def __init__(self, source, target):
        self.source, self.target, self.waiting, self.ended = source, target, b"", False

    def read(self):
        self.waiting = self.source.recv(MOST)
        if not self.waiting:
            self.ended = True
            self.target.shutdown(socket.SHUT_WR)

    def write(self):
        self.waiting = self.waiting[self.target.send(self.waiting):]


def tell(name, text):
    path = os.path.join(folder, name)
    with open(path + ".new", "w") as file:
        file.write(text + "\n")
    os.rename(path + ".new", path)


def on_signal(number, _):
    global whole
    whole = number == signal.SIGUSR2


def connected(listener):
    near = listener.accept()[0]
    try:
        far = socket.create_connection((to_address, int(to_port)))
    except OSError:
        near.close()
        return []
    for one in (near, far):
        one.setblocking(False)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return [Way(near, far), Way(far, near)]


def step(way, ready):
    """Forward what can be; tell whether the connection is alive."""
    try:
        if way.waiting and way.target.fileno() in ready:
            way.write()
        elif not way.waiting and not way.ended and way.source.fileno() in ready:
            way.read()
    except BlockingIOError:
        pass
    except OSError:
        return False
    return True


def forward(connections, ready):
    for ways in list(connections):
        alive = all([step(way, ready) for way in ways])
        if not alive or all(way.ended and not way.waiting for way in ways):
            connections.remove(ways)
            for way in ways:
                way.source.close()


def wanted(connections, listener):
    """What to wait for, by file number; nothing of a link that is cut."""
    events = {listener.fileno(): select.POLLIN}
    for way in (way for ways in connections for way in ways):
        if way.waiting:
            events[way.target.fileno()] = events.get(way.target.fileno(), 0) | select.POLLOUT
        elif not way.ended:
            events[way.source.fileno()] = events.get(way.source.fileno(), 0) | select.POLLIN
    return events if whole else {}


def main():
    wake, woken = os.pipe()
    for end in (wake, woken):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(woken)
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, on_signal)
    listener = socket.create_server((address, int(port)), backlog=64)
    tell("link.state", "whole")
    tell("link.port", str(listener.getsockname()[1]))
    connections = []
    while True:
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        for number, events in wanted(connections, listener).items():
            poll.register(number, events)
        ready = {number for number, _ in poll.poll()}
        if wake in ready:
            os.read(wake, MOST)
            tell("link.state", "whole" if whole else "cut")
            continue
        forward(connections, ready)
        if listener.fileno() in ready:
            ways = connected(listener)
            if ways:
                connections.append(ways)


main()
