"""What browser.sh asks of the pages of reports.   _browser.py PAGE LARGE_PAGE HISTORY_PAGE"""
import math
import pathlib
import sys
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import _chromium

PAGE, LARGE, HISTORY = (pathlib.Path(argument).resolve().as_uri() for argument in sys.argv[1:])
HOSTILE = ["<img src=x onerror=window.pwned=1>", "</script><script>window.pwned=1</script>", "javascript:window.pwned=1",
           "</script><script>pwn()</script>"]
SIZES = [(1280, 900), (390, 844), (2560, 1300)]
CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
function behind(node) {
  for (; node; node = node.parentElement) {
    const c = rgb(getComputedStyle(node).backgroundColor);
    if (c.length < 4 || c[3] === 1) return c;
  }
  return [255, 255, 255];
}
return [...document.querySelectorAll(arguments[0])].map((node) => {
  const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
});"""
PIXELS = """
const want = getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[1]).trim();
const [r, g, b] = [1, 3, 5].map((at) => parseInt(want.slice(at, at + 2), 16));
const canvas = arguments[0].querySelector('canvas');
const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
let count = 0;
for (let k = 0; k < data.length; k += 4) count += data[k] === r && data[k + 1] === g && data[k + 2] === b && data[k + 3] === 255;
return count;"""

TICKS = """
const {plot} = arguments[0], [axis] = plot.axes, measure = document.createElement('canvas').getContext('2d');
measure.font = '11px sans-serif';
const left = plot.bbox.left / devicePixelRatio;
return axis._splits.map((split, k) => [axis._values[k], left + plot.valToPos(split, 'x')]).filter(([name]) => name)
  .map(([name, x]) => [name, x - measure.measureText(name).width / 2, x + measure.measureText(name).width / 2]);"""

SHADED = """
const {plot, data} = arguments[0], pixel = (x) => plot.ctx.getImageData(Math.round(plot.valToPos(x, 'x', true)) + 2,
  plot.bbox.top + plot.bbox.height - 3, 1, 1).data.join();
data.marks = [{x: 20, until: 60, text: 'ramp', kind: 'change'}];
plot.redraw(); // as a microtask
return Promise.resolve().then(() => [pixel(40), pixel(10)]);"""

driver = _chromium.browser()


def js(code, *arguments):
    return driver.execute_script(code, *arguments)


def until(condition, what):
    return WebDriverWait(driver, 20, 0.05).until(lambda _: condition(), what)


def opened(uri=PAGE, width=1280, height=900, scheme="light"):
    _chromium.size(driver, width, height)
    _chromium.scheme(driver, scheme)
    driver.get("about:blank")
    driver.get_log("browser"), driver.get_log("performance")  # what was before
    driver.get(uri)


def open_all():
    js("for (const one of document.querySelectorAll('details')) one.open = true")


def looked_at(figure):
    # What lies between is laid out as it comes near, and moves the rest.
    until(lambda: js("arguments[0].scrollIntoView({block: 'center'}); return arguments[0].dataset.drawn === 'yes'", figure),
          "a chart is drawn when it is looked at")
    until(lambda: js("arguments[0].scrollIntoView({block: 'center'});"
                     "const b = arguments[0].querySelector('.u-over').getBoundingClientRect();"
                     "return b.top >= 0 && b.bottom <= innerHeight", figure), "the chart is on the screen")
    return figure


def figures(title, case="pretrain/dense"):
    return js("const of = [...document.querySelectorAll('details.section')].find((one) => one.querySelector('.name')"
              ".textContent === arguments[1]); return [...of.querySelectorAll('figure')].filter((one) => one."
              "querySelector('figcaption').textContent.startsWith(arguments[0]))", title, case)


def data_of(figure):
    return js("return arguments[0].data", figure)


def legend(figure):
    return js("return [...arguments[0].querySelectorAll('.u-legend .u-value')].map((one) => one.textContent)", figure)


def is_pointed_at(figure):
    return legend(figure)[0].replace(".", "").isdigit()


def middle(figure):
    return figure.find_element(By.CSS_SELECTOR, ".u-over")


def hover(figure, share=0):
    over = middle(figure)
    ActionChains(driver).move_to_element_with_offset(over, int(over.size["width"] * share), 0).perform()


def range_of(figure):
    return js("return [arguments[0].plot.scales.x.min, arguments[0].plot.scales.x.max]", figure)


def quiet(uri):
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert not errors, f"on the console: {errors}"
    asked = [parameters["request"]["url"] for method, parameters in _chromium.events(driver)
             if method == "Network.requestWillBeSent"]
    others = [url for url in asked if not url.startswith((uri, "data:", "about:"))]
    assert uri in asked and not others, f"requests: {others or 'not seen'}"


# --- what is asked --------------------------------------------------------------------------------


def fits_every_screen():
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            opened(PAGE, width, height, scheme)
            for state in ("as it comes", "all open"):
                inner, scroll = js("return [innerWidth, document.documentElement.scrollWidth]")
                assert inner == width and scroll <= inner, f"{width} px, {scheme}, {state}: {scroll} px wide"
                looked_at(figures("lm_loss")[0])
                open_all()
            for figure in driver.find_elements(By.CSS_SELECTOR, "figure.chart")[-2:]:
                looked_at(figure)
            assert js("return document.documentElement.scrollWidth <= innerWidth"), f"{width} px, charts drawn"
            quiet(PAGE)


def nothing_is_clipped_on_a_phone():
    for page in (PAGE, LARGE):
        opened(page, width=390)
        open_all()
        clipped = js("return [...document.querySelectorAll('main *')].filter((one) => !one.closest('.uplot, svg') && one.clientWidth > 0 "
                     "&& one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline').map((one) => one.outerHTML.slice(0, 120))")
        assert not clipped, clipped[:3]


def cells_are_named_on_a_phone():
    opened(width=390)
    names = js("return [...document.querySelector('tbody tr').children].map((one) => getComputedStyle(one, '::before').content)")
    assert names[:3] == ['"verdict"', '"case"', '"what was found"'], names


def colours_follow_the_scheme():
    opened()
    figure = looked_at(figures("lm_loss")[0])
    seen = []
    for scheme in ("light", "dark", "light"):
        _chromium.scheme(driver, scheme)
        until(lambda: js(PIXELS, figure, "run") > 50, f"the run's line in the colour of {scheme}")
        seen.append(js("return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.documentElement)"
                       ".getPropertyValue('--run')]"))
    assert seen[0] == seen[2] and all(a != b for a, b in zip(seen[0], seen[1])), seen


def text_can_be_read():
    for scheme in ("light", "dark"):
        opened(scheme=scheme)
        open_all()
        for kind in ("body", "p", ".good", ".bad", ".warn", ".rest", "th", "td a", "details.fold > summary", "button", "code"):
            ratios = js(CONTRAST, kind)
            assert ratios and min(ratios) >= 4.5, f"{scheme}, {kind}: {min(ratios, default='not there')}"


def hover_shows_the_numbers():
    opened()
    figure = looked_at(figures("lm_loss")[0])
    data = data_of(figure)
    assert legend(figure)[0].startswith("judged "), legend(figure)
    hover(figure)
    until(lambda: is_pointed_at(figure), "a step in the legend")
    shown = legend(figure)
    at = data["x"].index(float(shown[0]))
    assert abs(at - len(data["x"]) / 2) <= 2, f"step {shown[0]} is not in the middle"
    for curve, text in zip(data["curves"], shown[1:]):
        assert math.isclose(float(text), curve["values"][at], rel_tol=1e-5), f"{curve['name']}: {text}, not {curve['values'][at]}"


def drag_zooms_and_double_click_ends_it():
    opened()
    figure = looked_at(figures("lm_loss")[0])
    whole = range_of(figure)
    over = middle(figure)
    quarter = int(over.size["width"] / 4)
    ActionChains(driver).move_to_element_with_offset(over, -quarter, 0).click_and_hold().move_by_offset(
        2 * quarter, 0).release().perform()
    width = whole[1] - whole[0]
    until(lambda: range_of(figure)[1] - range_of(figure)[0] < 0.6 * width, "zoomed")
    near, far = range_of(figure)
    assert abs(near - (whole[0] + width / 4)) < 2 and abs(far - (whole[1] - width / 4)) < 2, (near, far, whole)
    js("arguments[0].before = arguments[0].plot", figure)
    _chromium.scheme(driver, "dark")
    until(lambda: js("return arguments[0].plot !== arguments[0].before", figure), "drawn again in other colours")
    until(lambda: range_of(figure) == [near, far], "the zoom survives other colours")
    ActionChains(driver).move_to_element(middle(figure)).double_click().perform()
    until(lambda: range_of(figure) == whole, "as it was")


def hardware_shares_the_cursor():
    opened()
    first, second = figures("device_", "hung")[:2]
    looked_at(first), looked_at(second)
    hover(looked_at(first))
    until(lambda: is_pointed_at(first), "a time in the legend")
    until(lambda: legend(second)[0] == legend(first)[0], "the same time in the other's")


def filter_and_links():
    opened()
    shown = "return document.querySelectorAll('.filtered tbody tr:not([hidden])').length"
    assert not driver.find_elements(By.LINK_TEXT, "pretrain/good"), "passed cases are folded away"
    rows = js(shown)
    box = driver.find_element(By.CSS_SELECTOR, "input.filter")
    box.send_keys("passed good")
    until(lambda: js(shown) == 1, "one row")
    visible = [row for row in driver.find_elements(By.CSS_SELECTOR, "tbody tr") if row.is_displayed()]
    assert [row for row in visible if "pretrain/good" in row.text] and js("return document.querySelector('tbody tr[hidden]')"
                                                                          ".offsetHeight") == 0
    link = driver.find_element(By.LINK_TEXT, "pretrain/good")
    section = driver.find_element(By.ID, link.get_attribute("href").split("#")[1])
    assert section.get_attribute("open") is None
    link.click()
    until(lambda: section.get_attribute("open") is not None, "the section is open")
    until(lambda: js("const top = arguments[0].getBoundingClientRect().top; return top >= -1 && top < innerHeight", section),
          "the section is on the screen")
    js("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input'))", box)
    until(lambda: js(shown) == rows, "all rows")


def tables_sort_and_are_saved():
    opened()
    rows = "return [...document.querySelector('.wide tbody').rows].map((row) => row.cells[1].textContent)"
    as_it_comes = js(rows)
    button = driver.find_element(By.CSS_SELECTOR, ".wide th:nth-child(2) button")
    assert button.text == "case" and js("return arguments[0].parentElement.scope", button) == "col"
    sorts = []
    for key, word in ((Keys.ENTER, "ascending"), (Keys.SPACE, "descending")):
        button.send_keys(key)
        assert js("return arguments[0].parentElement.getAttribute('aria-sort')", button) == word
        sorts.append(js(rows))
    assert sorts[0] == sorts[1][::-1] and sorted(sorts[0]) == sorted(as_it_comes) and len(set(sorts[0])) > 3, sorts
    driver.find_element(By.CSS_SELECTOR, ".wide th:nth-child(4) button").click()
    used = js("return [...document.querySelectorAll('.wide tbody')][0].querySelectorAll('[data-order]').length && "
              "[...document.querySelector('.wide tbody').rows].map((row) => row.cells[3].dataset.order || '')")
    known = [float(one) for one in used if one]
    assert known and known == sorted(known) and not any(used[len(known):]), used
    csv = driver.execute_async_script("const done = arguments[0], make = URL.createObjectURL; URL.createObjectURL = (blob) => {"
                                      "blob.text().then(done); return make.call(URL, blob); }; document.querySelector('.wide > button').click()")
    assert csv.startswith('"verdict","case","what was found"'), csv[:200]
    assert csv.count("\r\n") == len(as_it_comes) + 1 and '"pretrain/dense"' in csv, csv
    quiet(PAGE)


def copy_copies():
    opened()
    driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    line = driver.find_element(By.CSS_SELECTOR, ".command")
    text = line.find_element(By.TAG_NAME, "code").text
    button = line.find_element(By.TAG_NAME, "button")
    button.click()
    until(lambda: button.text == "copied", "copied")
    got = driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))")
    assert got == text, got
    js("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    button.click()
    until(lambda: js("return String(getSelection())") == text, "selected where there is no clipboard")


def hostile_texts_are_texts():
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "window.pwn = () => { window.pwned = 1; }"})
    opened()
    open_all()
    for figure in driver.find_elements(By.CSS_SELECTOR, "figure.chart"):
        looked_at(figure)
    assert js("return window.pwned === undefined")
    text = js("return document.body.textContent")
    for one in HOSTILE:
        assert one in text, f"not on the page: {one}"
    assert js("return [...document.querySelectorAll('td a')].every((one) => document.getElementById(decodeURIComponent(one.hash.slice(1))))")
    assert js("return document.querySelector('img') === null && document.scripts.length") > 1
    assert js("return [...document.scripts].every((one) => one.type === 'application/json' || !one.text.includes('pwn'))")
    assert js("return [...document.querySelectorAll('[href]:not(link)')].every((one) => one.getAttribute('href')[0] === '#')")
    quiet(PAGE)


def drawings_stand_in_for_charts():
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened()
        figure = figures("lm_loss")[0]
        sketch = figure.find_element(By.CSS_SELECTOR, "svg.sketch")
        assert sketch.size["height"] > 100 and not figure.find_elements(By.TAG_NAME, "canvas")
        assert "judged: step 1-15" in figure.find_element(By.CLASS_NAME, "legend").text
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    opened()
    figure = looked_at(figures("lm_loss")[0])
    displays = "return ['.sketch', '.plot'].map((one) => getComputedStyle(arguments[0].querySelector(one)).display)"
    assert js(displays, figure) == ["none", "block"]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert js(displays, figure) == ["block", "none"], "on paper"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def the_window_is_shown_first():
    opened(LARGE)
    figure = looked_at(figures("throughput", "c1")[0])
    assert range_of(figure) == data_of(figure)["shownX"] == [9982, 10000], range_of(figure)
    for want in ([1, 10000], [9982, 10000]):
        ActionChains(driver).move_to_element(middle(figure)).double_click().perform()
        until(lambda: range_of(figure) == want, f"steps {want} after a double click")


def large_page_is_usable():
    begun = time.monotonic()
    opened(LARGE)
    loaded = time.monotonic()
    figure = looked_at(driver.find_element(By.CSS_SELECTOR, "figure.chart"))
    print(f"large page: loaded in {loaded - begun:.1f} s, first chart {time.monotonic() - loaded:.1f} s later")
    data = data_of(figure)
    assert len(data["x"]) < data["places"] == 10000, (len(data["x"]), data["places"])
    run = next(curve for curve in data["curves"] if curve["run"])
    assert run["values"][data["x"].index(4321)] == 99.5
    assert js("return arguments[0].plot.scales.y.max", figure) >= 99.5
    note = figure.find_element(By.CLASS_NAME, "note").text
    assert f"{len(data['x'])} of 10000" in note, note
    assert js("return document.querySelectorAll('details.section').length") == 200
    quiet(LARGE)


def history_has_dates():
    for width, scheme in ((390, "dark"), (700, "light"), (1920, "light")):
        opened(HISTORY, width, scheme=scheme)
        figure = looked_at(figures("throughput", "steps")[0])
        ticks = js(TICKS, figure)
        assert len(ticks) > 1 and all(len(name) == len("2026-01-01") for name, _, _ in ticks), ticks
        assert all(here[2] < beyond[1] for here, beyond in zip(ticks, ticks[1:])), f"{width} px: dates overlap: {ticks}"
        assert ticks[0][1] >= 0 and ticks[-1][2] <= js("return arguments[0].plot.width", figure), f"{width} px: cut off: {ticks}"
        assert js("return document.documentElement.scrollWidth <= innerWidth"), width
        quiet(HISTORY)
    hover(figure)
    until(lambda: legend(figure)[0].startswith("nightly-run-number-"), "the run in the legend")
    assert ", 2026-" in legend(figure)[0] and ", commit c" in legend(figure)[0], legend(figure)
    assert [(mark["x"], mark["text"]) for mark in data_of(figure)["marks"]] == [(80, "-9 %")]
    assert js(PIXELS, figure, "warn") > 40, f"the step is marked: {js(PIXELS, figure, 'warn')} points"
    inside, outside = js(SHADED, figure)
    assert inside != outside, "a ramp is shaded"
    square = js("return document.querySelector('.heat td a').title")
    assert square.startswith("run nightly-run-number-0 (2026-01-01, commit c"), square


CHECKS = [fits_every_screen, nothing_is_clipped_on_a_phone, cells_are_named_on_a_phone, colours_follow_the_scheme, text_can_be_read, hover_shows_the_numbers,
          drag_zooms_and_double_click_ends_it, hardware_shares_the_cursor, filter_and_links,
          tables_sort_and_are_saved, copy_copies,
          hostile_texts_are_texts, drawings_stand_in_for_charts, the_window_is_shown_first, large_page_is_usable, history_has_dates]


def holds(check):
    try:
        check()
    except Exception as problem:  # the next check starts with a new page
        print(f"FAILED {check.__name__}: {type(problem).__name__} {problem}")
        return False
    print(f"passed {check.__name__}")
    return True


try:
    results = [holds(check) for check in CHECKS]
finally:
    driver.quit()
sys.exit(0 if all(results) else 1)
