"""Drives a Chromium without a window over its DevTools pipe, with nothing but Python's standard library."""

import base64
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser():
    """The path of a browser, or None. `CHROMIUM` names another one."""
    named = os.environ.get("CHROMIUM")
    return next((path for path in map(shutil.which, [named] if named else NAMES) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    """One browser process with a profile of its own; it is gone when the block ends."""

    def __enter__(self):
        path = find_browser()
        if path is None:
            raise BrowserError("no Chromium is here; on Debian: apt-get install chromium")
        self.profile = tempfile.mkdtemp(prefix="pictures-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        arguments = [
            path, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-extensions", "--disable-sync", "--force-color-profile=srgb",
            # No name is ever looked up, whatever a page asks for.
            "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={self.profile}", "about:blank",
        ]
        if os.geteuid() == 0:
            # Chromium's sandbox refuses to run as root, as tests in containers do.
            arguments.insert(1, "--no-sandbox")

        def connect():
            # The browser reads from 3 and writes to 4. First away from there, in case that one of ours is 3 or 4.
            read, write = os.dup(to_browser), os.dup(from_browser)
            while min(read, write) < 5:
                read, write = os.dup(read), os.dup(write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=connect, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events = b"", 0, []
        return self

    def __exit__(self, *_):
        os.close(self.output)
        os.close(self.input)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        # Its helpers are in its own session, where nobody else is.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                return None
            data = os.read(self.input, 1 << 20)
            if not data:
                raise BrowserError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, timeout=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while True:
            answer = self.receive(deadline)
            if answer is None:
                raise BrowserError(f"{method} was not answered")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def page(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session)


class Page:
    """One page of a browser."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Audits"):
            self.call(f"{domain}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, url, width=1200, height=900):
        self.size(width, height)
        self.load(url)
        self.settle()

    def load(self, url):
        self.browser.events.clear()
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + 60
        while not any(event.get("method") == "Page.loadEventFired" for event in self.browser.events):
            event = self.browser.receive(deadline)
            if event is None:
                raise BrowserError(f"{url} was not loaded")
            self.browser.events.append(event)

    def size(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, media="", **features):
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=media, features=named)
        self.settle()

    def settle(self):
        """Until two more frames were drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def press(self, key):
        codes = {"Tab": 9, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowDown": 40}
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key])

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def events(self, method):
        return [event["params"] for event in self.browser.events if event.get("method") == method]

    def screenshot(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def pdf(self):
        answer = self.call(
            "Page.printToPDF", preferCSSPageSize=True, printBackground=True, generateTaggedPDF=True)
        return base64.b64decode(answer["data"])


def pixels(png):
    """The rows of an 8-bit PNG as bytes, and how many bytes a pixel takes."""
    place, data, width, height, kind = 8, b"", 0, 0, 0
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", body[:10])
        elif name == b"IDAT":
            data += body
        place += length + 12
    raw, size = zlib.decompress(data), {2: 3, 6: 4}[kind]
    rows, above, stride = [], bytearray(width * size), width * size
    for row in range(height):
        start = row * (stride + 1)
        line, method = bytearray(raw[start + 1:start + 1 + stride]), raw[start]
        for index in range(stride if method else 0):
            left = line[index - size] if index >= size else 0
            corner = above[index - size] if index >= size else 0
            if method == 1:
                guess = left
            elif method == 2:
                guess = above[index]
            elif method == 3:
                guess = (left + above[index]) // 2
            else:
                estimate = left + above[index] - corner
                guess = min((left, above[index], corner), key=lambda value: abs(estimate - value))
            line[index] = (line[index] + guess) & 255
        rows.append(line)
        above = line
    return rows, size
