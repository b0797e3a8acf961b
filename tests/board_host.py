"""A host of the board for tests: a page in Chromium whose Python is that of the test. It needs no JupyterLab."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gridproof.formats import Puzzle
from gridproof.widget.analysis import Finder, Task
from gridproof.widget.board import LiveBoard
from gridproof.widget.script import read_script, read_style
from gridproof.widget.state import SWITCHES

_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>board</title>
<style>body { margin: 12px; font-family: system-ui, sans-serif; color-scheme: light dark; background: Canvas }</style>
<style>%s</style></head><body data-jp-theme-light="%s"><div id="board"></div></body></html>"""

_HOST = """async ([state, script]) => {
    const handlers = new Map();
    const call = (event, value) => { for (const act of handlers.get(event) ?? []) act(value); };
    const take = ({ changes, messages, busy }) => {
        Object.assign(state, changes);
        for (const name of Object.keys(changes)) call(`change:${name}`);
        for (const message of messages) call('msg:custom', message);
        if (busy) setTimeout(async () => take(await window.hostWork()), 0);
    };
    const pending = {};
    const model = {
        get: (name) => state[name],
        set: (name, value) => { pending[name] = value; state[name] = value; },
        save_changes: async () => {
            const values = { ...pending };
            for (const name of Object.keys(pending)) delete pending[name];
            take(await window.hostSwitch(values));
        },
        send: async (message) => take(await window.hostSend(message)),
        on: (event, act) => handlers.set(event, [...(handlers.get(event) ?? []), act]),
        off: (event, act) => handlers.set(event, (handlers.get(event) ?? []).filter((one) => one !== act)),
    };
    const module = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
    module.default.render({ model, el: document.getElementById('board') });
    take(await window.hostWork());
}"""


class Host:
    """The host: it passes on what the page sends, and works on a task finding by finding."""

    def __init__(self, puzzle: Puzzle, **options: Any) -> None:
        self.changes: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        self.task: tuple[Task, Iterator[dict[str, Any]]] | None = None
        self.errors: list[str] = []
        self.finder = Finder()
        self.board = LiveBoard(
            puzzle, show_changes=self.changes.update, send=self.messages.append, begin=self.begin, **options
        )
        self.board.begin()

    def begin(self, task: Task) -> None:
        self.task = task, filter(None, self.finder.find(task))

    def answer(self) -> dict[str, Any]:
        changes = {name: value for name, value in self.changes.items() if name != "board"}
        if "page" in changes:
            changes["page"] = changes["page"] | {"key": "shown"}
        answer = {"changes": changes, "messages": list(self.messages), "busy": self.board.busy}
        self.changes.clear()
        self.messages.clear()
        plain: dict[str, Any] = json.loads(json.dumps(answer))
        return plain

    def work(self) -> dict[str, Any]:
        if self.board.busy and self.task is not None:
            task, findings = self.task
            self.board.take(task, next(findings))
        return self.answer()

    def switch(self, values: dict[str, Any]) -> dict[str, Any]:
        for name, value in values.items():
            self.board.switch(name, value)
        return self.answer()

    def receive(self, message: Any) -> dict[str, Any]:
        self.board.receive(message)
        return self.answer()


@contextmanager
def shown(
    browser: Any, puzzle: Puzzle, *, width: int = 1280, height: int = 800, dark: bool = False, forced: bool = False,
    **options: Any,
) -> Iterator[tuple[Any, Host]]:  # fmt: skip
    """A page with a board, and its host."""
    host = Host(puzzle, **options)
    colours = {"color_scheme": "dark" if dark else "light", "forced_colors": "active" if forced else "none"}
    page = browser.new_page(viewport={"width": width, "height": height}, **colours)
    page.set_default_timeout(20_000)
    page.on("pageerror", lambda error: host.errors.append(str(error)))
    page.expose_function("hostSend", host.receive)
    page.expose_function("hostSwitch", host.switch)
    page.expose_function("hostWork", host.work)
    page.set_content(_PAGE % (read_style(), "false" if dark else "true"))
    state = {name: getattr(host.board, name) for name in (*SWITCHES, "place")}
    page.evaluate(_HOST, [state | host.answer()["changes"], read_script()])
    yield page, host
    page.close()
    assert host.errors == []
