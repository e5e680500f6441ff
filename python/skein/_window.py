# SPDX-License-Identifier: GPL-3.0-or-later
"""A window of Skein that a script shares its state with; docs/WINDOW_SOCKET.md tells what goes over the wire."""

from __future__ import annotations

import itertools
import json
import numbers
import os
import queue
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import pandas as pd

from . import _native
from ._archive import NONE, Archive, PathLike
from ._archive import open as _open_archive
from ._errors import Error

VERSION = 1
_POLL_SECONDS = 0.05
_LARGEST_LINE = 64 << 20

Span = Optional[Tuple[int, int]]
Change = Dict[str, Any]


def runtime_folder() -> str:
    """Where windows of this user tell their addresses."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    return os.path.join(given or f"/tmp/runtime-{os.getuid()}", "skein")


def _mine_alone(path: str, what: str) -> None:
    status = os.lstat(path)
    if status.st_uid != os.getuid():
        raise Error(f"{path} belongs to another user: this {what} is not trusted.", "access denied")
    if status.st_mode & 0o077 or stat.S_ISLNK(status.st_mode):
        raise Error(f"{path} is open to other users: this {what} is not trusted.", "access denied")


def addresses() -> List[Dict[str, Any]]:
    """The windows of this user that are open, as their files tell, the newest first."""
    folder = runtime_folder()
    if not os.path.isdir(folder):
        return []
    _mine_alone(folder, "folder")
    found = []
    for name in os.listdir(folder):
        if name.startswith("window-") and name.endswith(".json"):
            address = _read_address(os.path.join(folder, name))
            if address is not None:
                found.append(address)
    return [address for _, address in sorted(found, key=lambda both: both[0], reverse=True)]


def _read_address(path: str) -> Optional[Tuple[float, Dict[str, Any]]]:
    try:
        _mine_alone(path, "file")
        changed = os.stat(path).st_mtime
        with open(path, encoding="utf-8") as file:
            address = json.load(file)
        os.kill(int(address["pid"]), 0)
        if isinstance(address["socket"], str) and isinstance(address["token"], str):
            return changed, address
    except (OSError, ValueError, TypeError, KeyError, Error):
        pass  # A window that has just gone, or something that is none.
    return None


def _absolute(path: PathLike) -> str:
    name = os.path.realpath(os.fsdecode(path))
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        shown = os.fsencode(name).decode("utf-8", "replace")
        raise Error(f"The path {shown} is no UTF-8: skein.open() can open it, a window cannot.",
                    "unsupported") from None
    return name


def _identity(path: str) -> Tuple[Any, ...]:
    """The same for all paths that lead to one archive: links to it, its folder, any of its files."""
    try:
        status = os.stat(_native.archive_of(os.fsencode(path)))
        return status.st_dev, status.st_ino
    except (OSError, TypeError, Error):
        return (str(path),)


def program() -> str:
    """The program `skein`: $SKEIN_PROGRAM, beside the installed package, or on the PATH."""
    given = os.environ.get("SKEIN_PROGRAM")
    places = [given] if given else []
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(5):
        folder = os.path.dirname(folder)
        places.append(os.path.join(folder, "bin", "skein"))
    for place in places:
        if place and os.access(place, os.X_OK) and not os.path.isdir(place):
            return place
    found = shutil.which("skein")
    if not found:
        raise Error("The program skein is not found: put it on the PATH, or name it in SKEIN_PROGRAM.", "not found")
    return found


class _Wire:
    """Lines of JSON over a socket: answers go to who asked, events to the receiver, on a thread of its own."""

    def __init__(self, address: Dict[str, Any], timeout: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        self._timeout = timeout
        self._answers: Dict[int, "queue.Queue[Dict[str, Any]]"] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._sending = threading.Lock()  # lines of several threads must not come in pieces
        self._closed = False
        self.receiver: Optional[Callable[[Change], None]] = None
        self._file: Any = None
        try:
            _mine_alone(os.path.dirname(address["socket"]), "folder")
            self._socket.connect(address["socket"])
            self._file = self._socket.makefile("rb")
            self._send({"skein": VERSION, "token": address["token"], "client": "python"})
            self.welcome = self._line()
        except (OSError, ValueError) as error:
            self._end()
            raise Error(f"The window does not answer ({error}).", "window") from error
        if not self.welcome.get("ok"):
            self._end()
            raise Error(str(self.welcome.get("error", "The window refuses.")), "access denied")
        self._socket.settimeout(None)
        self._thread = threading.Thread(target=self._listen, name="skein-window", daemon=True)
        self._thread.start()

    def _end(self) -> None:
        if self._file is not None:
            self._file.close()
        self._socket.close()

    def _send(self, message: Dict[str, Any]) -> None:
        try:
            text = json.dumps(message, allow_nan=False) + "\n"
        except (TypeError, ValueError) as error:
            raise TypeError(f"this cannot be told to a window: {error}") from None
        with self._sending:
            self._socket.sendall(text.encode("utf-8"))

    def _line(self) -> Dict[str, Any]:
        line = self._file.readline(_LARGEST_LINE)
        if not line.endswith(b"\n"):
            raise ConnectionResetError(0, "it was closed")
        message = json.loads(line)
        if not isinstance(message, dict):
            raise ConnectionResetError(0, "it said something else than an object")
        return message

    def _listen(self) -> None:
        try:
            while True:
                message = self._line()
                if "event" in message:
                    self._deliver(message)
                    continue
                with self._lock:
                    waiting = self._answers.pop(message.get("id"), None)
                if waiting is not None:
                    waiting.put(message)
        except (OSError, ValueError):
            self._give_up()

    def _deliver(self, event: Change) -> None:
        receiver = self.receiver
        if receiver is None:
            return
        try:
            receiver(event)
        except Exception:  # A mistake in a callback must not end the connection; it is told like any other.
            sys.excepthook(*sys.exc_info())

    def _give_up(self) -> None:
        self._file.close()
        with self._lock:
            self._closed = True
            for waiting in self._answers.values():
                waiting.put({"ok": False, "gone": True})
            self._answers.clear()

    def ask(self, request: Dict[str, Any], timeout: float) -> Dict[str, Any]:
        if threading.current_thread() is self._thread:
            raise Error("A callback cannot wait for the window: hand the change on to your own thread.", "window")
        waiting: "queue.Queue[Dict[str, Any]]" = queue.Queue()
        number = next(self._numbers)
        with self._lock:
            if self._closed:
                raise Error("The window was closed.", "window")
            self._answers[number] = waiting
        try:
            self._send({**request, "id": number})
            answer = waiting.get(timeout=timeout)
        except OSError as error:
            raise Error("The window was closed.", "window") from error
        except queue.Empty:
            raise Error(f"The window has not answered within {timeout:g} s.", "window") from None
        finally:
            with self._lock:
                self._answers.pop(number, None)
        if answer.get("gone"):
            raise Error("The window was closed.", "window")
        if not answer.get("ok"):
            raise Error(str(answer.get("error", "The window refuses.")), "invalid argument")
        return answer

    @property
    def open(self) -> bool:
        return not self._closed

    def close(self) -> None:
        self._closed = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        if threading.current_thread() is not self._thread:
            self._thread.join(self._timeout)
        self._socket.close()


def _numbers(values: Any) -> List[int]:
    if isinstance(values, pd.DataFrame):
        values = values["call_path"] if "call_path" in values else values.index
    if isinstance(values, numbers.Integral):
        values = [values]
    return [int(value) for value in values]


class Window:
    """A window, as a script sees it. Nothing goes over by itself, but for what on_change() asks for."""

    def __init__(self, address: Dict[str, Any], timeout: float = 60.0, started: Any = None) -> None:
        self._timeout = timeout
        self._wire = _Wire(address, timeout)
        self._started = started
        self._archives: Dict[str, Archive] = {}
        self.pid: int = int(address["pid"])

    def __enter__(self) -> "Window":
        return self

    def __exit__(self, *_: object) -> None:
        self.disconnect()

    def __repr__(self) -> str:
        return f"<skein.Window of process {self.pid}{'' if self.is_open else ', closed'}>"

    def _ask(self, do: str, **fields: Any) -> Dict[str, Any]:
        return self._wire.ask({"do": do, **fields}, self._timeout)

    def _set(self, **state: Any) -> None:
        self._ask("set", state=state)

    def _state(self) -> Dict[str, Any]:
        answer = self._ask("get")
        if "state" not in answer:
            raise Error("Nothing is open in the window.", "window")
        return answer["state"]

    @property
    def is_open(self) -> bool:
        """False once the window was closed, or disconnect() was called."""
        return self._wire.open

    @property
    def paths(self) -> List[str]:
        """What is open in it."""
        return self._ask("get")["paths"]

    def open(self, *paths: PathLike) -> None:
        """Opens archives in place of what is open, and returns once they are there."""
        self._ask("open", paths=[_absolute(path) for path in paths])

    def archive(self, number: int = 0) -> Archive:
        """One of the archives of the window, opened here as well."""
        paths = self.paths
        if not 0 <= number < len(paths):
            raise Error(f"The window has {len(paths)} archives open; there is none of number {number}.",
                        "invalid argument")
        path = paths[number]
        if path not in self._archives:
            self._archives[path] = _open_archive(path)
        return self._archives[path]

    @property
    def span(self) -> Span:
        """What is seen of the time, in ns; None is all of it. Can be set."""
        span = self._state()["span"]
        return tuple(span) if span else None  # type: ignore[return-value]

    @span.setter
    def span(self, span: Span) -> None:
        self._set(span=None if span is None else [int(span[0]), int(span[1])])

    @property
    def marked(self) -> Span:
        """The span that the user has marked. Can be set."""
        span = self._state()["marked"]
        return tuple(span) if span else None  # type: ignore[return-value]

    @marked.setter
    def marked(self, span: Span) -> None:
        self._set(marked=None if span is None else [int(span[0]), int(span[1])])

    @property
    def query(self) -> str:
        """The query that decides what is seen of the call tree; empty: all. Can be set."""
        return self._state()["tree"]["query"]

    @query.setter
    def query(self, query: str) -> None:
        if not isinstance(query, str):
            raise TypeError("a query is a text")
        self._set(tree={"query": query})

    @property
    def metric(self) -> Optional[str]:
        """The metric that views show; None is the time. Can be set."""
        return self._state()["metric"]

    @metric.setter
    def metric(self, metric: Optional[str]) -> None:
        self._set(metric=metric)

    def selection(self) -> pd.DataFrame:
        """The selected call paths as rows: archive, call_path, name, path. `attrs["selection"]` has all else:
        regions, locations, calls, messages and pairs of ranks, as lists of numbers."""
        selected = self._state()["selection"]
        rows = [self._selected_row(number, node) for number, node in selected["call_paths"]]
        frame = pd.DataFrame(rows, columns=["archive", "call_path", "name", "path"])
        frame.attrs["selection"] = selected
        return frame

    def _selected_row(self, number: int, node: int) -> Tuple[int, int, str, str]:
        tree = self.archive(number).call_tree
        names: List[str] = []
        at = node
        while at != NONE and at < len(tree):
            names.append(tree["name"].iat[at])
            at = int(tree["parent"].iat[at])
        return number, node, names[0] if names else "", " > ".join(reversed(names))

    def select(self, call_paths: Any = None, *, regions: Any = None, locations: Any = None,
               calls: Iterable[Sequence[int]] = (), rank_pairs: Iterable[Sequence[int]] = (), messages: Any = None,
               links: Any = None, archive: int = 0) -> None:
        """Selects in every view. `call_paths` are rows of Archive.call_tree: numbers, or a frame with a column
        `call_path` such as selection() gives, or whose index they are. `calls` are (location, number);
        `rank_pairs` (sender, receiver), `messages` rows of Archive.message_table, `links` of the links of the machine
        that the window shows. Without arguments nothing is selected."""
        selection: Dict[str, Any] = {}
        for name, values in (("call_paths", call_paths), ("regions", regions), ("locations", locations), ("messages", messages)):
            if values is not None:
                selection[name] = [[archive, number] for number in _numbers(values)]
        for name, rows in (("calls", calls), ("rank_pairs", rank_pairs)):
            wanted = [[archive, int(first), int(second)] for first, second in rows]
            if wanted:
                selection[name] = wanted
        if links is not None:
            selection["links"] = _numbers(links)
        self._set(selection=selection or None)

    def prunes(self) -> Dict[str, List[int]]:
        """The call paths that were collapsed and removed by hand."""
        tree = self._state()["tree"]
        return {name: [node for _, node in tree[name]] for name in ("collapsed", "removed")}

    def prune(self, collapsed: Any = (), removed: Any = (), *, archive: int = 0) -> None:
        """Prunes exactly these call paths: collapsed ones stand for all below them, removed ones are left out."""
        self._set(tree={"collapsed": [[archive, node] for node in _numbers(collapsed)],
                        "removed": [[archive, node] for node in _numbers(removed)]})

    def pruned_query(self) -> str:
        """A query that finds what the window shows of the call tree: what was pruned by hand, for the script."""
        return self._ask("query")["query"]

    def show_metrics(self, frame: Union[pd.DataFrame, pd.Series], *, unit: str = "", archive: int = 0) -> None:
        """Shows metrics that the script has worked out beside those that were measured: a column a metric,
        exclusive amounts by call path. Rows are call paths: the index, or a column `call_path`."""
        if isinstance(frame, pd.Series):
            frame = frame.to_frame(frame.name or "derived")
        if not isinstance(frame, pd.DataFrame):
            raise TypeError("a frame with a column a metric is wanted")
        nodes = _numbers(frame)
        columns = {}
        for name in frame.columns:
            if name == "call_path":
                continue
            values = pd.to_numeric(frame[name], errors="raise").astype(float)
            columns[str(name)] = [float(value) if abs(value) < float("inf") else None for value in values]
        self._ask("metrics", experiment=archive, call_path=nodes, columns=columns, unit=unit)

    def on_change(self, callback: Optional[Callable[[Change], None]]) -> None:
        """From now on calls `callback` with every change of the shared state, on a thread of its own: a dict
        with `event`, `parts` and `state`. None ends it. A callback must not ask the window."""
        if callback is not None and not callable(callback):
            raise TypeError("a function of one argument is wanted")
        self._wire.receiver = callback
        self._ask("listen", on=callback is not None)

    def raise_(self) -> None:
        """Brings the window before all others."""
        self._ask("raise")

    def disconnect(self) -> None:
        """Leaves the window as it is."""
        self._wire.close()

    def close(self) -> None:
        """Leaves the window, and ends its program where this script has started it."""
        self.disconnect()
        if self._started is not None:
            self._started.terminate()
            try:
                self._started.wait(10)
            except subprocess.TimeoutExpired:
                self._started.kill()
                self._started.wait()


def _start(paths: List[str], timeout: float) -> Window:
    started = subprocess.Popen([program(), *paths], start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if started.poll() is not None:
            said = (started.stderr.read() if started.stderr else b"").decode("utf-8", "replace").strip()
            raise Error(said or f"The window ended at once, with {started.returncode}.", "window")
        for address in addresses():
            if address["pid"] == started.pid and not address.get("loading") and len(address["paths"]) >= len(paths):
                threading.Thread(target=_drain, args=(started.stderr,), daemon=True).start()
                return Window(address, timeout, started)
        time.sleep(_POLL_SECONDS)
    started.kill()
    started.wait()
    raise Error(f"The window has not opened {', '.join(paths)} within {timeout:g} s.", "window")


def _drain(pipe: Any) -> None:
    """What a window says to its terminal must not fill a pipe that nobody reads."""
    with pipe:
        for _ in pipe:
            pass


def window(path: PathLike, *more: PathLike, timeout: float = 60.0, new: bool = False) -> Window:
    """Finds the window of this user that has these archives open, under these paths or others, or starts one.

    new: start one in any case. timeout: seconds that starting and every answer may take.
    """
    paths = [_absolute(one) for one in (path, *more)]
    for one in paths:
        if not os.path.exists(one):
            raise Error(f"{one} does not exist.", "not found")
    if not new:
        for address in addresses():
            if address.get("paths") == paths:
                return Window(address, timeout)
        wanted = [_identity(one) for one in paths]
        for address in addresses():
            open_there = address.get("paths") or []
            if len(open_there) == len(paths) and [_identity(one) for one in open_there] == wanted:
                return Window(address, timeout)
    return _start(paths, timeout)


def windows() -> List[Dict[str, Any]]:
    """What windows of this user are open: the process and the archives of each."""
    return [{"pid": address["pid"], "paths": address["paths"]} for address in addresses()]
