"""The pictures of docs/screens/make.   _photo.py SUITE FOLDER [--all]"""
import base64
import html
import pathlib
import re
import shutil
import subprocess
import sys

from selenium.webdriver.support.ui import WebDriverWait

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests/integration"))
import _chromium  # noqa: E402

COLOURS = {30: "#6b7480", 31: "#ff7b72", 32: "#56d364", 33: "#e3b341", 34: "#79b8ff", 35: "#d2a8ff", 36: "#76e3ea",
           37: "#d5dae1", 90: "#8b949e"}
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #14181d; } pre { display: inline-block; margin: 0; padding: 12px 14px; color: #d5dae1;
font: 14px/1.3 "DejaVu Sans Mono", monospace; } b { font-weight: 700; } .dim { opacity: .65; }</style><pre>"""


def style(codes, before):
    for code in (int(part or 0) for part in codes.split(";")):
        if code == 0:
            before = {}
        elif code == 1:
            before = {**before, "font-weight": "700"}
        elif code == 2:
            before = {**before, "opacity": ".65"}
        elif code == 39:
            before = {key: value for key, value in before.items() if key != "color"}
        elif code in COLOURS:
            before = {**before, "color": COLOURS[code]}
    return before


def terminal_page(text):
    now, page = {}, TERMINAL
    for piece in re.split(r"(\x1b\[[0-9;]*m)", text.rstrip().removesuffix("$").rstrip()):
        if piece.startswith("\x1b["):
            now = style(piece[2:-1], now)
        elif piece:
            words = ";".join(f"{key}:{value}" for key, value in now.items())
            page += f'<span style="{words}">{html.escape(piece)}</span>'
    return page + "</pre>"


def photograph(driver, place, clip=None):
    options = {"format": "png", "captureBeyondViewport": True}
    if clip:
        options["clip"] = {**clip, "scale": 1}
    picture = base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"])
    if shutil.which("pngquant"):
        picture = subprocess.run(["pngquant", "64", "-"], input=picture, stdout=subprocess.PIPE, check=True).stdout
    place.write_bytes(picture)
    print(f"{place.name}  {place.stat().st_size // 1024} KiB")


def terminal(driver, suite, out, name):
    page = suite / f"{name}.html"
    page.write_text(terminal_page((suite / f"{name}.txt").read_text()))
    _chromium.size(driver, 1600, 900)
    driver.get(page.as_uri())
    box = driver.execute_script("const b = document.querySelector('pre').getBoundingClientRect();"
                                "return {x: 0, y: 0, width: b.width, height: b.height}")
    photograph(driver, out / f"{name}.png", box)


# Name of the picture, page, colours, width and height. The docs show the first four; --all takes the others, too, to be
# looked at.
PAGES = [("upgraded", "upgraded", "light", 1280, 800),
         ("page-light", "page", "light", 1280, 1110), ("page-dark", "page", "dark", 1280, 1110),
         ("page-phone", "page", "light", 390, 1600), ("page-wide", "page", "light", 2560, 1300),
         ("page-phone-dark", "page", "dark", 390, 1600), ("page-wide-dark", "page", "dark", 2560, 1300),
         *((f"{name}-{width}-{scheme}", name, scheme, width, 1400) for name in ("compare", "green")
           for width in (390, 1280, 2560) for scheme in ("light", "dark"))]


def page(driver, suite, out, name, file, scheme, width, height):
    _chromium.scheme(driver, scheme)
    _chromium.size(driver, width, height, phone=width < 600)
    driver.get((suite / f"{file}.html").as_uri())
    WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.readyState === 'complete'"))
    driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    photograph(driver, out / f"{name}.png", {"x": 0, "y": 0, "width": width, "height": height})


def main():
    suite, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages = PAGES if sys.argv[3:] == ["--all"] else PAGES[:5]
    driver = _chromium.browser()
    try:
        for name in ("check-explain", "terminal-80", "terminal-160", "terminal-upgraded"):
            terminal(driver, suite, out, name)
        for one in pages:
            page(driver, suite, out, *one)
    finally:
        driver.quit()


main()
