"""JupyterLab on a folder, in a headless Chromium, driven by the commands that its menus and keys give."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

START = 120  # seconds for a server on a busy machine
TOKEN = "student"
LAPTOP = {"width": 1366, "height": 768}  # the most frequent small laptop's screen
FIND = """
const panel = [...jupyterapp.shell.widgets('main')].find(widget => widget.content && widget.content.model?.cells);
const book = panel.content;
"""


def find_chromium() -> str | None:
    """The path of a Chromium, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextlib.contextmanager
def serve(folder: Path, home: Path) -> Iterator[str]:
    """Run a JupyterLab server on a folder; yields its address. Settings and logs go into `home`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    environment = os.environ | {
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    command += [f"--ServerApp.port={port}", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    with (
        open(home / "server.log", "w") as log,  # noqa: PTH123
        subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log) as server,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/api?token={TOKEN}", server)
            yield address
        finally:
            server.terminate()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(URLError, ConnectionError), urllib.request.urlopen(address):
            return
        time.sleep(0.3)
    raise RuntimeError("JupyterLab did not start")


@contextlib.contextmanager
def open_notebook(address: str, name: str) -> Iterator[Lab]:
    """Open a notebook in a browser the size of a laptop."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        page = chromium.new_page(viewport=LAPTOP)
        lab = Lab(page)
        page.goto(f"{address}/lab/tree/{name}?token={TOKEN}&reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=START * 1000)
        lab.evaluate("await panel.sessionContext.ready; await panel.context.ready;")
        try:
            yield lab
        finally:
            chromium.close()


class Lab:
    """An open notebook."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.hosts: set[str | None] = set()
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).hostname))

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Run JavaScript that knows the notebook as `book`, its panel as `panel`."""
        return self.page.evaluate(f"async (given) => {{ {FIND} {script} }}", argument)

    def sources(self) -> list[str]:
        """The cells' sources, in order."""
        return list(self.evaluate("return book.widgets.map(cell => cell.model.sharedModel.getSource());"))

    def find(self, text: str) -> int:
        """The number of the only code cell that holds a text."""
        kinds = self.evaluate("return book.widgets.map(cell => cell.model.type);")
        found = [n for n, source in enumerate(self.sources()) if text in source and kinds[n] == "code"]
        assert len(found) == 1, (text, found)
        return found[0]

    def edit(self, number: int, source: str) -> None:
        """Replace a cell's source."""
        self.evaluate("book.widgets[given[0]].model.sharedModel.setSource(given[1]);", [number, source])

    def type_into(self, number: int, source: str) -> None:
        """Replace a cell's source as a person does: click, select all, type, and run it with Shift+Enter."""
        self.show(number)
        self.page.locator(".jp-Cell.jp-mod-active .cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Shift+Enter")
        self.wait()

    def run(self, number: int) -> str:
        """Run a cell to its end; returns what it shows, as text."""
        self.evaluate("book.activeCellIndex = given; await jupyterapp.commands.execute('notebook:run-cell');", number)
        return self.text(number)

    def run_all(self) -> None:
        """Run > Run All Cells, to the end."""
        self.evaluate("await jupyterapp.commands.execute('notebook:run-all-cells');")

    def restart_and_run_all(self) -> None:
        """Kernel > Restart Kernel and Run All Cells, and yes to the question whether to."""
        self.evaluate("window.done = jupyterapp.commands.execute('notebook:restart-run-all'); return true;")
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.evaluate("await window.done;")
        self.wait()

    def wait(self) -> None:
        """Wait until the kernel has nothing to do and no cell waits for it."""
        self.evaluate(
            "const busy = () => panel.sessionContext.session?.kernel?.status !== 'idle'"
            " || book.widgets.some(cell => cell.prompt === '*');"
            "for (let quiet = 0; quiet < 5; quiet = busy() ? 0 : quiet + 1)"
            " await new Promise(done => setTimeout(done, 100));"
        )

    def outputs(self, number: int) -> list[dict[str, Any]]:
        """A cell's outputs as they would be saved."""
        return list(self.evaluate("return book.widgets[given].model.outputs?.toJSON() ?? [];", number))

    def text(self, number: int) -> str:
        """A cell's printed and displayed output, as plain text; an error is its name and message."""
        parts = []
        for output in self.outputs(number):
            if output["output_type"] == "error":
                parts.append(f"{output['ename']}: {output['evalue']}")
            else:
                told = output["text"] if output["output_type"] == "stream" else output["data"].get("text/plain", "")
                parts.append("".join(told))
        return "\n".join(parts)

    def show(self, number: int) -> None:
        """Scroll to a cell and wait until it is drawn."""
        self.evaluate("book.activeCellIndex = given; await book.scrollToItem(given, 'start');", number)
        self.page.wait_for_timeout(300)  # a windowed notebook makes a cell when it comes into sight

    def photograph(self, number: int, path: Path) -> None:
        """Save a picture of the window with a cell at its top."""
        self.show(number)
        self.page.wait_for_timeout(1200)  # Plotly draws a moment later
        self.page.screenshot(path=path)
