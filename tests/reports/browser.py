"""Drives a headless Chromium through chromedriver, with nothing but Python's standard library."""
import base64
import json
import subprocess
import tempfile
import urllib.request


class Browser:
    """One page in one window. Use as a context: it ends the browser."""

    def __init__(self, driver, chromium):
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.address = self._find_address()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--hide-scrollbars", f"--user-data-dir={self.profile.name}"]
        capabilities = {"goog:chromeOptions": {"binary": chromium, "args": arguments},
                        "goog:loggingPrefs": {"browser": "ALL"}}
        reply = self._send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{reply['sessionId']}"
        self.look(1280, 900)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._send("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()
            self.profile.cleanup()

    def _find_address(self):
        for line in self.process.stdout:
            if "started successfully on port" in line:
                port = line.rstrip(".\n ").rsplit(" ", 1)[1]
                return f"http://127.0.0.1:{port}"
        raise RuntimeError("chromedriver did not start")

    def _send(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)["value"]

    def protocol(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self._send("POST", f"{self.session}/goog/cdp/execute",
                          {"cmd": command, "params": parameters})

    def look(self, width, height, is_dark=False):
        """Sets the size of the window, that of a phone below 600, and light or dark."""
        self.protocol("Emulation.setDeviceMetricsOverride",
                      width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.protocol("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def open(self, path):
        self._send("POST", f"{self.session}/url", {"url": f"file://{path}"})

    def run(self, script, *arguments):
        """The value that a script of the page returns."""
        return self._send("POST", f"{self.session}/execute/sync",
                          {"script": script, "args": list(arguments)})

    def keys(self, *names):
        """Presses keys one after the other: a letter, or a code point of WebDriver's table."""
        actions = []
        for name in names:
            actions += [{"type": "keyDown", "value": name}, {"type": "keyUp", "value": name}]
        self._send("POST", f"{self.session}/actions",
                   {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def complaints(self):
        """What the page wrote to the console, or was kept from loading."""
        return self._send("POST", f"{self.session}/se/log", {"type": "browser"})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._send("GET", f"{self.session}/screenshot")))
