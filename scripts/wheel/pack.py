"""Pack a folder as a wheel: its files in the order of their names, with their sums in RECORD, all of one time.

pack.py FOLDER WHEEL SECONDS-SINCE-1970"""

import base64
import hashlib
import pathlib
import sys
import time
import zipfile


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def entry(name, mode, seconds):
    info = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o100000 | mode) << 16  # a regular file
    return info


def main(folder, wheel, seconds):
    root = pathlib.Path(folder)
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    record = next(root.glob("*.dist-info")).name + "/RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", compresslevel=9) as file:
        for path in paths:
            name, content = path.relative_to(root).as_posix(), path.read_bytes()
            file.writestr(entry(name, path.stat().st_mode & 0o777, int(seconds)), content)
            lines.append(record_line(name, content))
        file.writestr(entry(record, 0o644, int(seconds)), "".join(lines) + record + ",,\n")


main(*sys.argv[1:])
