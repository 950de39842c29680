"""A headless Chromium without the network, for browser.sh and docs/screens/make."""
import json
import os

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
           "--disable-background-networking", "--disable-component-update", "--no-first-run",
           "--proxy-server=127.0.0.1:1"]


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    os.environ["SE_AVOID_STATS"] = "true"
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def size(driver, width, height, phone=False):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})


def scheme(driver, name):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"features": [{"name": "prefers-color-scheme", "value": name}]})


def events(driver):
    """What the browser did since the last call, as (method, parameters) of its protocol."""
    messages = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    return [(message["method"], message["params"]) for message in messages]
