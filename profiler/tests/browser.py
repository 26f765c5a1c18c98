"""Headless Chromium over its remote debugging protocol, as little of it as the page's test needs."""
import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.folder.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = pathlib.Path(self.folder.name) / "DevToolsActivePort"
        end = time.time() + 60
        while not port.exists() or "\n" not in port.read_text():
            if time.time() > end or self.process.poll() is not None:
                raise RuntimeError("Chromium did not start")
            time.sleep(0.1)
        address = f"http://127.0.0.1:{port.read_text().split()[0]}/json"
        page = next(one for one in json.load(urllib.request.urlopen(address)) if one["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=60)
        self.number = 0
        self.complaints = []  # errors on the console
        self.events = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
        self.folder.cleanup()

    def _take(self):
        message = json.loads(self.socket.recv())
        method = message.get("method")
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(message["params"]["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and message["params"]["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(message["params"]["args"])[:600])
        elif method == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.complaints.append(message["params"]["entry"]["text"])
        elif method:
            self.events.append(method)
        return message

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = self._take()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, file, width=1280, height=800, dark=False):
        """Seconds until it is loaded."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        start = time.time()
        self.call("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self._take()
        self("1")
        return time.time() - start

    def __call__(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def mouse(self, x, y, kind="mouseMoved", **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        x, y = self(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
                    " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        self.mouse(x, y, "mousePressed", button="left", clickCount=1)
        self.mouse(x, y, "mouseReleased", button="left", clickCount=1)

    def key(self, key):
        text = key if len(key) == 1 else None
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, file, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))
