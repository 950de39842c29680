"""Looks at a page of gate as a reader does.   _browser.py PAGE...

Prints a line for each thing that is so; the first that is not ends it with 1.
"""
import json
import pathlib
import sys

import _chromium
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

CONTRAST = """
const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  if (!/, 0\\)$|transparent/.test(c)) return rgb(c); } return [255, 255, 255]; };
return [...document.querySelectorAll('h1, h2, p, td, th, li, .rest, .badge, .name, figcaption, .note, a, button, pre span')]
  .filter((e) => e.offsetParent && e.textContent.trim()).map((e) => {
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(back(e))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 40)]; })
  .sort((x, y) => x[0] - y[0])[0];
"""


PAGES = [pathlib.Path(place).resolve().as_uri() for place in sys.argv[1:]]


def check(good, words):
    print(("ok  " if good else "NOT ") + words, flush=True)
    if not good:
        sys.exit(1)


class Page:
    def __init__(self, driver, place):
        self.driver = driver
        self.address = pathlib.Path(place).resolve().as_uri()

    def run(self, script, *words):
        return self.driver.execute_script(script, *words)

    def wait(self, script, *words):
        return WebDriverWait(self.driver, 20).until(lambda _: self.run("return " + script, *words))

    def open(self, width, scheme):
        _chromium.scheme(self.driver, scheme)
        _chromium.size(self.driver, width, 900)
        self.driver.get(self.address)
        self.run("for (const d of document.querySelectorAll('details')) d.open = true")

    def figure(self, index=0):
        figure = self.driver.find_elements(By.CSS_SELECTOR, "figure.chart")[index]
        self.run("arguments[0].scrollIntoView({block: 'center'})", figure)
        self.wait("arguments[0].dataset.drawn == 'yes'", figure)
        return figure

    def requests(self):
        sent = [what["request"]["url"] for name, what in _chromium.events(self.driver) if name == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith("data:") and url.partition("#")[0] not in PAGES]


def everywhere(page):
    for width in (390, 1280, 2560):
        for scheme in ("light", "dark"):
            page.open(width, scheme)
            page.figure()
            wide = page.run("return document.documentElement.scrollWidth")
            check(wide <= width, f"{width} px, {scheme}: the page is {wide} px wide")
            contrast, where = page.run(CONTRAST)
            check(contrast >= 4.5, f"{width} px, {scheme}: the least contrast is {contrast:.1f} ({where})")
    check(page.run("return window.pwned === undefined"), "no name, word or line of a log was obeyed")


def legend(page, figure):
    return page.run("return [...arguments[0].querySelectorAll('.u-legend .u-value')].map((v) => v.textContent)", figure)


def hover(page):
    figure = page.figure()
    check(set(legend(page, figure)) <= {"-", "--", ""}, "a chart that nobody points at shows no values")
    over = figure.find_element(By.CSS_SELECTOR, ".u-over")
    ActionChains(page.driver).move_to_element(over).perform()
    page.wait("arguments[0].querySelector('.u-legend .u-value').textContent.match(/[0-9]/)", figure)
    shown = legend(page, figure)
    data = json.loads(page.run("return arguments[0].querySelector('script').textContent", figure))
    at = data["x"].index(float(shown[0]))
    values = [curve["values"][at] for curve in data["curves"]]
    near = [value is None or abs(float(word) - value) <= 1e-6 * abs(value) for word, value in zip(shown[1:], values)]
    check(near and all(near), f"pointing at {data['axis']} {shown[0]} shows {values}")


# What of the axis is drawn tells how far it is zoomed in: the distance between two places in pixels.
def spread(page, figure):
    return page.run("const p = arguments[0].plot; return p.valToPos(2, 'x') - p.valToPos(1, 'x')", figure)


def zoom(page):
    figure = page.figure()
    before = spread(page, figure)
    over = figure.find_element(By.CSS_SELECTOR, ".u-over")
    third = over.size["width"] // 3
    ActionChains(page.driver).move_to_element_with_offset(over, -third // 2, 0).click_and_hold().move_by_offset(
        third, 0).release().perform()
    WebDriverWait(page.driver, 20).until(lambda _: spread(page, figure) > 2 * before)
    check(True, f"dragging zooms in: {before:.1f} to {spread(page, figure):.1f} px a step")
    ActionChains(page.driver).double_click(over).perform()
    WebDriverWait(page.driver, 20).until(lambda _: abs(spread(page, figure) - before) < 0.01)
    check(True, "a double click shows all again")


def colours(page):
    page.open(1280, "light")
    figure = page.figure()
    pixels = "const c = arguments[0].querySelector('canvas'); return c.toDataURL()"
    light = page.run(pixels, figure)
    _chromium.scheme(page.driver, "dark")
    WebDriverWait(page.driver, 20).until(lambda _: page.run(pixels, figure) != light)
    check(page.run("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)",
          "page and charts follow a change to dark")


def use(page):
    page.open(1280, "light")
    box = page.driver.find_elements(By.CSS_SELECTOR, "input.filter")
    if box:
        rows = "return [...document.querySelectorAll('input.filter + .wide tbody tr')].filter((r) => !r.hidden).length"
        all_rows = page.run(rows)
        box[0].send_keys("regressed")
        check(0 < page.run(rows) < all_rows, f"the filter leaves {page.run(rows)} of {all_rows} rows")
    link = page.driver.find_element(By.CSS_SELECTOR, "td a")
    page.run("for (const d of document.querySelectorAll('details')) d.open = false")
    link.click()
    page.wait("document.getElementById(location.hash.slice(1)).open")
    check(True, "a link opens its case")
    button = page.driver.find_element(By.CSS_SELECTOR, "details[open] .command button")
    button.click()
    page.wait("arguments[0].textContent == 'copied' || getSelection().toString().length > 0", button)
    check(True, "a command can be copied")


def main():
    driver = _chromium.browser()
    try:
        page = Page(driver, sys.argv[1])
        everywhere(page)
        page.open(1280, "light")
        hover(page)
        zoom(page)
        colours(page)
        use(page)
        for other in sys.argv[2:]:
            page = Page(driver, other)
            page.open(1280, "light")
            page.figure()
            check(True, f"{pathlib.Path(other).name}: the first chart is drawn")
            check(page.requests() == [], "and nothing was asked for")
        page = Page(driver, sys.argv[1])
        page.open(1280, "light")
        page.figure()
        check(page.requests() == [], "no request left the page")
        told = [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"]
        check(told == [], f"the console is silent {told or ''}")
    finally:
        driver.quit()


main()
