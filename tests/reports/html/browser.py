# SPDX-License-Identifier: MIT
"""Drives a headless Chromium by the DevTools protocol over pipes, with nothing but Python's standard
library: no driver, no port, no name to be resolved."""
import base64
import json
import os
import subprocess
import tempfile

# key: what the protocol calls it, its number and the text it types
KEYS = {"Escape": (27, ""), "Enter": (13, "\r"), "Tab": (9, ""), "End": (35, ""), "Home": (36, ""),
        "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, "")}


class Browser:
    """One page in one window. Use as a context: it ends the browser."""

    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory()
        for_browser, self.commands = os.pipe()
        self.replies, from_browser = os.pipe()
        # The browser reads commands from file 3 and answers on file 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{for_browser} 4>&{from_browser}', chromium,
             "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
             # WebGL without a graphics card.
             "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(for_browser, from_browser), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(for_browser)
        os.close(from_browser)
        self.rest, self.last, self.session, self.events = b"", 0, None, []
        target = self.protocol("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.protocol("Target.attachToTarget", targetId=target,
                                     flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "DOM"):
            self.protocol(f"{domain}.enable")
        self.look(1280, 900)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.commands)  # which ends the browser
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.replies)
        self.profile.cleanup()

    def _read(self):
        """The next message of the browser."""
        while b"\0" not in self.rest:
            piece = os.read(self.replies, 1 << 16)
            if not piece:
                raise RuntimeError("the browser ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def protocol(self, command, **parameters):
        """A command of the DevTools protocol; what else the browser says on the way is kept."""
        self.last += 1
        message = {"id": self.last, "method": command, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            reply = self._read()
            if reply.get("id") == self.last:
                break
            self.events.append(reply)
        if "error" in reply:
            raise RuntimeError(f"{command}: {reply['error']}")
        return reply["result"]

    def look(self, width, height, is_dark=False):
        """Sets the size of the window, that of a phone below 600, and light or dark."""
        self.protocol("Emulation.setDeviceMetricsOverride",
                      width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.protocol("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def open(self, path, address=""):
        """Opens a file and waits until all of it is there. An address, "#...", is for a page that is
        not open yet."""
        self.events = [e for e in self.events if e.get("method") != "Page.loadEventFired"]
        self.protocol("Page.navigate", url=f"file://{path}{address}")
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._read())

    def run(self, script, *arguments):
        """The value that a script of the page returns, or that it promises."""
        result = self.protocol(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True,
            expression=f"(function () {{ {script} }}).apply(null, {json.dumps(arguments)})")
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def keys(self, *names):
        """Presses keys of KEYS, one after the other."""
        for name in names:
            number, text = KEYS[name]
            key = {"key": name, "code": name, "windowsVirtualKeyCode": number}
            self.protocol("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown",
                          **key, **({"text": text} if text else {}))
            self.protocol("Input.dispatchKeyEvent", type="keyUp", **key)

    def complaints(self):
        """What the page wrote to the console, or was kept from loading, since the last call."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        found = [e for e in self.events if e.get("method") in kinds]
        self.events = [e for e in self.events if e.get("method") not in kinds]
        return found

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.protocol("Page.captureScreenshot")["data"]))
