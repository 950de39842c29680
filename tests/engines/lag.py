"""Two folders as two hosts see one that a slow file system shares: what gate writes in HERE is in THERE at once, and what a node
writes in THERE is in HERE so many seconds later, as it was then.   lag.py HERE THERE SECONDS"""
import os
import pathlib
import sys
import time

OF_GATE = ("command", "alive", "order", "submitted")
here, there, lag = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])


def put(path, content, times):
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name("." + path.name + ".new")
    new.write_bytes(content)
    new.chmod(0o700)
    os.utime(new, ns=times)
    if path.name.startswith("log-"):  # it grows, and stays the file that it is
        with open(path, "ab") as log:
            log.write(content[log.tell():])
        new.unlink()
    else:
        new.rename(path)


def files(folder):
    for path in folder.rglob("*"):
        if path.is_dir():
            yield path, None
        elif not path.name.startswith("."):
            yield path, path.stat()


seen, late = {}, []
while True:
    now = time.monotonic()
    for side, other in ((here, there), (there, here)):
        try:
            for path, state in files(side):
                target = other / path.relative_to(side)
                is_of_gate = path.name.startswith(OF_GATE) or "agents" in path.parts
                if state is None:
                    if side == here:
                        target.mkdir(parents=True, exist_ok=True)
                elif is_of_gate == (side == here) and path.parent.name.startswith("job-"):
                    mark = (state.st_mtime_ns, state.st_size)
                    if seen.get(path) != mark:
                        seen[path] = mark
                        times = (state.st_atime_ns, state.st_mtime_ns)
                        late.append((now + (lag if side == there else 0), target, path.read_bytes(), times))
        except FileNotFoundError:
            pass
    for due in [one for one in late if one[0] <= now]:
        late.remove(due)
        if due[1].parent.is_dir():
            put(*due[1:])
    time.sleep(0.05)
