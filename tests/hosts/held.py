"""A host that holds gate: what its agent says is withheld, slowed down, cut off, drowned or made up.

held.py link FOLDER COMMAND...   stands for ssh: runs COMMAND, and passes on what gate and the agent say to each other.
    FOLDER/fault holds `VERB FAULT KIND`; FOLDER/held appears once the agent has answered VERB and the fault is there. A
    fault of no VERB, `rate`, is a link of so many bytes a second, KIND, both ways. Two are the host's, whose connections
    stay as they are: of `stopped`, all of its agent has got STOP; of `disk`, the disk of its sessions hangs.
held.py disk BACKING FOLDER      mounts what BACKING holds at FOLDER, as a disk that hangs while FOLDER.hang is there: whoever
    asks it for anything then waits, and not even KILL ends him (Python's fusepy).
held.py table SUITES GATE...     runs the rows of stdin, each `VERB FAULT END`, one after the other in each of the suites,
    which stand side by side, by the words GATE; prints what is wrong with a row, and counts. See held.sh.
"""
import json
import os
import queue
import re
import select
import signal
import subprocess
import sys
import threading
import time

BLOCK = 1 << 16


# --- messages: netstrings of netstrings ------------------------------------------------------------------------------


def encode(words):
    content = b"".join(b"%d:%s," % (len(word), word) for word in words)
    return b"%d:%s," % (len(content), content)


def netstring(data, at):
    """The content that begins at `at`, and its end; None where it has not come whole."""
    colon = data.find(b":", at)
    if colon < 0:
        return None
    size = int(data[at:colon])
    end = colon + 1 + size + 1
    return (data[colon + 1:end - 1], end) if len(data) >= end else None


class Messages:
    """Cuts bytes into messages, each with its words."""

    def __init__(self):
        self.data = b""

    def feed(self, data):
        self.data += data
        found = []
        at = 0
        while (taken := netstring(self.data, at)) is not None:
            content, at = taken
            words, begin = [], 0
            while begin < len(content):
                word, begin = netstring(content, begin)
                words.append(word)
            found.append(words)
        self.data = self.data[at:]
        return found


# --- the link ---------------------------------------------------------------------------------------------------------


class Fault:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "fault")) as file:
            self.verb, self.kind, self.variant = (file.read().split() + ["", "", ""])[:3]
        self.is_there = os.path.exists(os.path.join(folder, "held"))

    def begin(self):
        self.is_there = True
        with open(os.path.join(self.folder, "held"), "w") as file:
            file.write(str(time.time()))


def flood_of(variant, words):
    """Bytes without an end, in pieces."""
    if variant == "words":
        answer = words[:3] + [b""] * 5_000_000
        piece = encode(answer) if words[0] == b"reply" else encode([words[0], b"1"] + [b""] * 5_000_000)
        while True:
            yield piece
    if variant == "output":
        at, block = 0, b"x" * 99 + b"\n"
        while True:
            yield encode([b"output", b"1", b"%d" % at, block * 5000])
            at += len(block) * 5000
    if variant == "leases":
        while True:
            yield encode([b"lease", b"gpu-0", b"0", b"t" * 1000]) * 1000
    if variant == "replies":
        while True:  # to what was answered long ago
            yield encode([b"reply", b"1", b"ok", b"y" * 1_000_000])
    if variant == "future":
        while True:
            yield encode([b"reply", b"%d" % (1 << 40), b"ok", b"y" * 1000]) * 1000
    if variant == "states":
        while True:
            yield encode([b"state", b"1"] + [b"z" * 100_000] * 10)
    while True:
        yield b"9" * BLOCK


def lie_of(variant, words):
    """What an agent might say in place of that."""
    head = words[:3] if words[0] == b"reply" else words[:2]
    tails = {"nothing": [], "numbers": [b"-1", b"99999999999999999999", b"0", b"-0"],
             "bytes": [b"\xff\x00\n" * 50] * 8, "ones": [b"1"] * 30, "zeros": [b"0"] * 30,
             "large": [b"1", b"w" * 4_000_000]}
    if variant == "refusal" and words[0] == b"reply":
        return [words[0], words[1], b"fail", b"\x1b[31mno\n"]
    return head + tails.get(variant, tails["nothing"])


class Link:
    def __init__(self, folder, command):
        self.fault = Fault(folder)
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.verbs = {}  # of questions
        self.asked, self.said = Messages(), Messages()
        self.opened = False
        self.text = b""
        self.to_near, self.to_far = b"", b""
        self.flood = None
        self.allowed = {"near": 0.0, "far": 0.0}
        self.at = time.monotonic()

    def rate(self):
        if self.fault.kind == "rate":
            return float(self.fault.variant)
        if self.fault.kind == "slow" and self.fault.is_there:
            return 1.0
        return None

    def is_cut(self):
        return self.fault.kind == "cut" and self.fault.is_there

    def from_near(self, data):
        self.to_far += data
        if self.opened:
            for words in self.asked.feed(data):
                if words[0] == b"ask" and len(words) > 2:
                    self.verbs[words[1]] = words[2].decode()

    def from_far(self, data):
        if not self.opened:
            self.text += data
            found = re.search(rb"GATE-AGENT [0-9a-f]+\n", self.text)
            if not found:
                self.to_near += data
                return
            opening = len(self.text) - len(data)
            self.to_near += data[:found.end() - opening]
            data = self.text[found.end():]
            self.text, self.opened = b"", True
        for words in self.said.feed(data):
            self.to_near += self.changed(words)

    def changed(self, words):
        verb = self.verbs.get(words[1], "") if words[0] == b"reply" else words[0].decode()
        if self.fault.kind == "rate" or (verb != self.fault.verb and not self.fault.is_there):
            return encode(words)
        if not self.fault.is_there:
            self.fault.begin()
            if self.fault.kind == "flood":
                self.flood = flood_of(self.fault.variant, words)
        if verb == self.fault.verb and self.fault.kind in ("withheld", "stopped", "disk"):
            return b""
        if verb == self.fault.verb and self.fault.kind == "lies":
            return encode(lie_of(self.fault.variant, words))
        return encode(words)

    def part(self, way, data):
        """How much of it may go now."""
        rate = self.rate()
        return data[:BLOCK] if rate is None or (rate == 1.0 and way == "far") else data[:int(self.allowed[way])]

    def refill(self):
        now = time.monotonic()
        rate = self.rate()
        for way in self.allowed:
            most = max(1.0, (rate or 0) / 5)
            self.allowed[way] = min(self.allowed[way] + (now - self.at) * (rate or 0), most)
        self.at = now

    def run(self):
        near_in, near_out = 0, 1
        far_in, far_out = self.child.stdin.fileno(), self.child.stdout.fileno()
        for end in (near_in, near_out, far_in, far_out):
            os.set_blocking(end, False)
        ends_near = ends_far = False
        while True:
            self.refill()
            if self.is_cut():
                time.sleep(3600)
            if self.flood and len(self.to_near) < BLOCK:
                self.to_near += next(self.flood)
            poll = select.poll()
            if not ends_near and len(self.to_far) < BLOCK:
                poll.register(near_in, select.POLLIN)
            if not ends_far and len(self.to_near) < BLOCK:
                poll.register(far_out, select.POLLIN)
            near_part, far_part = self.part("near", self.to_near), self.part("far", self.to_far)
            if near_part:
                poll.register(near_out, select.POLLOUT)
            if far_part:
                poll.register(far_in, select.POLLOUT)
            waits = (self.to_near and not near_part) or (self.to_far and not far_part)
            for number, event in poll.poll(20 if waits else None):
                try:
                    if number == near_in:
                        data = os.read(near_in, BLOCK)
                        ends_near |= not data
                        self.from_near(data)
                    elif number == far_out:
                        data = os.read(far_out, BLOCK)
                        ends_far |= not data
                        self.from_far(data)
                    elif number == near_out:
                        sent = os.write(near_out, near_part)
                        self.to_near = self.to_near[sent:]
                        self.allowed["near"] -= sent
                    else:
                        sent = os.write(far_in, far_part)
                        self.to_far = self.to_far[sent:]
                        self.allowed["far"] -= sent
                except BlockingIOError:
                    pass
                except OSError:
                    return
            if ends_near and not self.to_far and not self.child.stdin.closed:
                return
            if ends_far and not self.to_near:
                return


def link(folder, command):
    one = Link(folder, command)
    signal.signal(signal.SIGTERM, lambda *_: (one.child.kill(), os._exit(143)))
    try:
        one.run()
    finally:
        one.child.kill()
    sys.exit(255)


# --- the disk ---------------------------------------------------------------------------------------------------------


def disk(backing, folder):
    import fusepy

    def whole(path):
        return backing + path

    class Disk(fusepy.Operations):
        chown, mkdir, rmdir, unlink, readlink = map(staticmethod, (os.chown, os.mkdir, os.rmdir, os.unlink, os.readlink))
        use_ns = True

        def __call__(self, name, path, *args):
            while os.path.exists(folder + ".hang"):
                time.sleep(0.05)
            return getattr(self, name)(whole(path), *args)

        def access(self, path, mode):
            if not os.access(path, mode):
                raise fusepy.FuseOSError(13)

        def chmod(self, path, mode):
            os.chmod(path, mode)

        def getattr(self, path, handle=None):
            found = os.lstat(path)
            times = {name: getattr(found, name + "_ns") for name in ("st_atime", "st_mtime", "st_ctime")}
            names = ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid", "st_ino", "st_dev")
            return times | {name: getattr(found, name) for name in names}

        def create(self, path, mode, info=None):
            return os.open(path, os.O_RDWR | os.O_CREAT, mode)

        def open(self, path, flags):
            return os.open(path, flags & ~os.O_APPEND)

        def read(self, path, size, at, handle):
            return os.pread(handle, size, at)

        def write(self, path, data, at, handle):
            return os.pwrite(handle, data, at)

        def truncate(self, path, size, handle=None):
            os.truncate(path, size)

        def flush(self, path, handle):
            return 0

        def fsync(self, path, only_data, handle):
            return os.fsync(handle)

        def release(self, path, handle):
            return os.close(handle)

        def readdir(self, path, handle):
            return [".", "..", *os.listdir(path)]

        def rename(self, path, to):
            return os.rename(path, whole(to))

        def symlink(self, path, to):
            return os.symlink(to, path)

        def link(self, path, of):
            return os.link(whole(of), path)

        def statfs(self, path):
            found = os.statvfs(path)
            return {name: getattr(found, name) for name in dir(found) if name.startswith("f_")}

        def utimens(self, path, times=None):
            os.utime(path, ns=times)

    fusepy.FUSE(Disk(), folder, foreground=True, use_ino=True, attr_timeout=0, entry_timeout=0)


# --- the table --------------------------------------------------------------------------------------------------------

VARIANTS = {"flood": ["words", "output", "leases", "replies", "future", "states", "junk"],
            "lies": ["nothing", "numbers", "bytes", "ones", "zeros", "large", "refusal"]}
TIMEOUT, GRACE, LOST_AFTER, TOOL, TREE, CONNECT = 4, 1, 3, 2, 30, 60
LATEST = 10  # behind a limit, and for the far side to be clean behind lost_after
HURRY = 5
MOST_MEMORY = 600_000  # kB
LIMITS = TIMEOUT + GRACE


class Trouble(Exception):
    pass


def alive_with(mark):
    """The processes that have the mark in their environment, but those of scripts, which are the far side's."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    with open(f"/proc/{pid}/stat") as stat:
                        if stat.read().rsplit(")", 1)[1].split()[0] != "Z":
                            found.append(int(pid))
        except OSError:
            pass
    return found


def memory_of(pids):
    most = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status") as file:
                status = file.read()
            if re.match(r"Name:\s+gate\b", status) and (found := re.search(r"VmHWM:\s+(\d+)", status)):
                most = max(most, int(found[1]))
        except OSError:
            pass
    return most


def chain_of(pid):
    """Reaper, guard and worker: each the parent of the next."""
    chain = [pid]
    while True:
        try:
            with open(f"/proc/{chain[-1]}/task/{chain[-1]}/children") as file:
                children = [int(child) for child in file.read().split()]
        except OSError:
            return chain
        children = [child for child in children if os.path.exists(f"/proc/{child}/exe")
                    and os.readlink(f"/proc/{child}/exe") == os.readlink(f"/proc/{pid}/exe")]
        if not children or len(chain) == 3:
            return chain
        chain.append(children[0])


def wait_until(holds, limit, what):
    end = time.monotonic() + limit
    while not holds():
        if time.monotonic() > end:
            raise Trouble(what)
        time.sleep(0.05)


class Row:
    number = 0

    def __init__(self, suite, gate, verb, fault, end):
        Row.number += 1
        self.suite, self.gate, self.verb, self.fault, self.end = suite, gate, verb, fault, end
        self.own = os.path.join(suite, ".held")
        self.mark = f"HELD_ROW={os.path.basename(suite)}.{Row.number}"
        kinds = VARIANTS.get(fault, [""])
        self.variant = fault.split(":")[1] if ":" in fault else kinds[Row.number % len(kinds)]
        self.fault = fault.split(":")[0]
        self.memory = 0
        self.ended = self.hurried = None
        with open(os.path.join(self.own, "host")) as file:
            self.name, self.home = file.read().split()

    def path(self, name):
        return os.path.join(self.suite, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def start(self):
        os.makedirs(self.own, exist_ok=True)
        for name in ("held",):
            if os.path.exists(os.path.join(self.own, name)):
                os.remove(os.path.join(self.own, name))
        verb = "output" if self.verb == "several" else self.verb
        self.write(".held/fault", f"{verb} {self.fault} {self.variant}\n")
        self.write("run.out", "")
        self.write("fresh", f"{self.mark} {time.time()}\n")
        env = dict(os.environ, GATE_TOOL_LIMIT=f"{TOOL}s")
        name, value = self.mark.split("=")
        env[name] = value
        case = {"evidence": "hangs", "stop": "hangs", "signal": "paused", "whole": "patient", "several": "many/*"}.get(self.verb, "ends")
        self.out = open(self.path("run.out"), "w")
        self.process = subprocess.Popen(self.gate + ["run", "-v", case], cwd=self.suite, env=env, stdin=subprocess.DEVNULL,
                                        stdout=self.out, stderr=subprocess.STDOUT, start_new_session=True)
        self.began = time.monotonic()

    def look(self):
        if self.ended is None:
            self.memory = max(self.memory, memory_of(alive_with(self.mark.encode())))
            if self.process.poll() is not None:
                self.ended = time.monotonic()
        return self.ended is not None

    def is_held(self):
        return os.path.exists(os.path.join(self.own, "held")) or \
            (self.fault == "rate" and time.monotonic() - self.began > 1)

    def hang_disk(self, hangs):
        switch = os.path.join(self.home, "agent", "sessions.hang")
        if hangs:
            open(switch, "w").close()
        elif os.path.exists(switch):
            os.remove(switch)

    def signal_agents(self, number):
        for pid in alive_with(f"GATE_AGENT_DIR={self.home}/agent".encode()):
            try:
                if "gate-agent" in os.readlink(f"/proc/{pid}/exe"):
                    os.kill(pid, number)
            except OSError:
                pass

    def run(self):
        self.start()
        try:
            wait_until(lambda: self.look() or self.is_held(), 30, "the fault was never there")
            if self.fault == "stopped":
                self.signal_agents(signal.SIGSTOP)
            self.hang_disk(self.fault == "disk")
            if not self.look():
                self.finish()
            if self.fault == "stopped":
                self.signal_agents(signal.SIGCONT)
            self.hang_disk(False)
            self.check_memory()
            code = self.process.returncode
            self.check_reason(code)
            if self.fault == "rate":
                self.check_artifact()
            self.check_left()
            return code
        finally:
            self.signal_agents(signal.SIGCONT)
            self.hang_disk(False)
            for pid in alive_with(self.mark.encode()):
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            self.process.wait()
            self.out.close()

    def finish(self):
        if self.fault == "rate":
            wait_until(self.look, 150, "still there 150 s later")
        elif self.end == "limit":
            # What is asked before a script begins has limits of its own, of which the longest is the tool's.
            before = CONNECT if self.verb == "pong" else TREE + 10 if self.verb in ("plant", "blob") else TOOL + 5 + 10 if self.verb in ("tool", "take", "holder", "port", "exists", "folder") else 0
            wait_until(self.look, LIMITS + before + LATEST, f"still there {LIMITS + before + LATEST} s later")
        elif self.end == "term":
            time.sleep(0.5)
            self.kill_group(signal.SIGTERM)
            time.sleep(0.5)
            self.kill_group(signal.SIGTERM)
            self.hurried = time.monotonic()
            wait_until(self.look, HURRY, f"still there {HURRY} s after a second TERM")
        elif self.end == "stop":
            time.sleep(0.5)
            if self.look():
                return
            stopped = subprocess.run(self.gate + ["stop", "--now"], cwd=self.suite, capture_output=True, timeout=30)
            if stopped.returncode != 0 and not self.look():  # there is no run yet: it is still looking at its hosts
                self.kill_group(signal.SIGTERM)
            wait_until(self.look, LATEST, f"still there {LATEST} s after stop --now")
        else:
            self.kill(self.end.removeprefix("kill:").split("+"))

    def kill_group(self, number):
        if not self.look():
            os.kill(self.process.pid, number)

    def kill(self, names):
        time.sleep(0.3)
        if self.look():
            return
        chain = dict(zip(("reaper", "guard", "worker"), chain_of(self.process.pid)))
        for name in names:
            if name in chain:
                try:
                    os.kill(chain[name], signal.SIGKILL)
                except OSError:
                    pass
        self.killed = set(names)
        wait_until(lambda: self.look() and not alive_with(self.mark.encode()), LATEST,
                   f"still there {LATEST} s after KILL of {names}")

    def check_memory(self):
        if self.memory > MOST_MEMORY:
            raise Trouble(f"gate had {self.memory // 1000} MB")

    def check_reason(self, code):
        """Whatever was withheld or made up, no case is red for it; and what it is not green for is said."""
        if code is None or code < 0 or self.end.startswith("kill"):
            return
        if code not in (0, 125, 143, 1, 2, 3, 4, 5):
            raise Trouble(f"exit code {code}")
        if code == 0:
            return
        try:
            with open(self.path(".gate/latest/result.json")) as file:
                report = json.load(file)
        except (OSError, ValueError):
            report = {"cases": []}
        with open(self.path("run.out")) as file:
            said = file.read()
        reasons = [case.get("reason", "") for case in report["cases"]]
        verdicts = {case["verdict"] for case in report["cases"]}
        allowed = {"passed", "infra", "not_run", "interrupted", "timed_out", "hung", "crashed", "no_samples"}
        if self.fault == "lies":
            allowed.add("skipped")  # a host may say that it has no device
        if any(re.search(r"npu|^vm: |log: ", reason) for reason in reasons):
            allowed.add("incomplete")
        if not verdicts <= allowed:
            raise Trouble(f"verdict {verdicts}, {reasons}")
        told = " ".join(reasons) + said
        if not re.search(r"npu\d|interrupt|TERM|timeout|stopped|did not answer|not heard|cannot be understood", told):
            raise Trouble(f"no reason is told: {reasons}")

    def check_artifact(self):
        """It is there whole, or it is said that it is not there; with time enough it is there."""
        case = "patient" if self.verb == "whole" else "ends"
        with open(self.path(".gate/latest/result.json")) as file:
            report = json.load(file)["cases"][0]
        file = self.path(f".gate/latest/{case}/artifacts/out/a.bin")
        size = os.path.getsize(file) if os.path.exists(file) else None
        problems = [problem["text"] for problem in report["problems"]]
        said = [text for text in problems if re.search(r"1 file not fetched within timeout 4s \(\d+ kB/s\): .*out/a.bin", text)]
        if report["verdict"] not in ("passed", "incomplete", "timed_out") or (self.verb == "whole" and report["verdict"] != "passed"):
            raise Trouble(f"verdict {report['verdict']}: {report.get('reason')}")
        if size != 300_000 and (size is not None or self.verb == "whole" or not (said or report["verdict"] != "passed")):
            raise Trouble(f"{size} bytes of the artifact, and {problems}")
        print(f"    {self.variant} B/s, {case}: {report['verdict']}, {size} bytes {said}", flush=True)

    def check_left(self):
        wait_until(lambda: not alive_with(self.mark.encode()), 1, f"left here: {alive_with(self.mark.encode())}")
        name, home = self.name, self.home
        living = f"GATE_AGENT_DIR={home}/agent".encode()

        def is_clean():
            sessions = os.path.join(home, "agent", "sessions")
            return not alive_with(living) and not (os.path.isdir(sessions) and os.listdir(sessions))
        wait_until(is_clean, LOST_AFTER + LATEST, f"left on {name}: {alive_with(living)}")


def serve(suite, gate, rows, results):
    while True:
        try:
            row = Row(suite, gate, *rows.get_nowait())
        except queue.Empty:
            return
        words = f"{row.verb} {row.fault}{':' + row.variant if row.variant else ''} {row.end}"
        began = time.monotonic()
        try:
            code = row.run()
            held = "" if row.is_held() else ", never held"
            hurried = f", {row.ended - row.hurried:.1f} s behind the second TERM" if row.hurried else ""
            results.append((words, True, bool(held)))
            print(f"good {words}: {code} after {(row.ended or time.monotonic()) - row.began:.1f} s{hurried}, {row.memory // 1000} MB{held}",
                  flush=True)
        except (Trouble, OSError, subprocess.SubprocessError, ValueError) as trouble:
            results.append((words, False, False))
            with open(os.path.join(suite, "run.out"), errors="replace") as file:
                said = file.read()[-800:]
            print(f"BAD {words}: {trouble} ({time.monotonic() - began:.1f} s)\n    " + said.replace("\n", "\n    "), flush=True)


def table(suites, gate):
    rows = queue.Queue()
    for line in sys.stdin:
        rows.put(line.split())
    results = []
    threads = [threading.Thread(target=serve, args=(suite, gate, rows, results)) for suite in suites]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bad = [words for words, good, _ in results if not good]
    print(f"{len(results)} rows, {len(results) - len(bad)} good, {sum(1 for *_, never in results if never)} never held")
    sys.exit(1 if bad else 0)


if sys.argv[1] == "link":
    link(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "disk":
    disk(*sys.argv[2:])
else:
    table(sys.argv[2].split(), sys.argv[3:])
