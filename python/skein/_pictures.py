# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of archives, as the window draws them."""

from __future__ import annotations

import os
from typing import Any, List, Optional, Tuple, Union

from . import _native
from ._progress import Progress, shown

Window = Optional[Tuple[int, int]]


class Picture:
    """A picture that notebooks show: as SVG, or as HTML with a tooltip where there is something to tell."""

    def __init__(self, native: Any) -> None:
        self._native = native

    @property
    def width(self) -> int:
        return self._native.width

    @property
    def height(self) -> int:
        return self._native.height

    def svg(self) -> str:
        return self._native.svg(False)

    def html(self) -> str:
        return f'<div class="skein-picture">{self._native.svg(True)}</div>'

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes an SVG, or with a name that ends in .html a page with tooltips."""
        name = os.fspath(path)
        page = f"<!DOCTYPE html><meta charset=\"utf-8\">{self.html()}" if name.endswith(".html") else self.svg()
        with open(name, "w", encoding="utf-8") as file:
            file.write(page)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.html()


class Pictures:
    """What can be drawn of an archive."""

    _handle: Any

    def timeline(self, window: Window = None, *, width: int = 960, height: int = 400, dark: bool = False,
                 messages: bool = True, legend: bool = True, progress: Progress = None) -> Picture:
        """Calls and messages of all locations over a window of the time; None is all of it. The legend below
        tells what the colours of calls stand for."""
        with shown(progress) as receiver:
            native = _native.draw_timeline([self._handle], window, messages, legend, width, height, dark, receiver)
        return Picture(native)

    def tree(self, window: Window = None, *, query: str = "", width: int = 960, height: int = 600,
             dark: bool = False, progress: Progress = None) -> Picture:
        """The calling context tree; `query` keeps a part of it, in Hatchet's string dialect."""
        with shown(progress) as receiver:
            native = _native.draw_tree([self._handle], window, query, width, height, dark, receiver)
        return Picture(native)

    def matrix(self, window: Window = None, *, value: str = "bytes", order: str = "rank", width: int = 720,
               height: int = 640, dark: bool = False, progress: Progress = None) -> Picture:
        """Who sends to whom. value: bytes, messages, size, hops, time; order: rank, placement, tree, cluster,
        bandwidth."""
        with shown(progress) as receiver:
            native = _native.draw_matrix([self._handle], window, value, order, width, height, dark, receiver)
        return Picture(native)

    def scatter(self, *, width: int = 1100, height: int = 640, dark: bool = False, legend: bool = True,
                progress: Progress = None) -> Picture:
        """Calls by entry and duration, anomalies and consequences on top, and where and when they happen. The
        legend below tells what the colours of functions stand for."""
        with shown(progress) as receiver:
            native = _native.draw_scatter([self._handle], legend, width, height, dark, receiver)
        return Picture(native)

    def _repr_svg_(self) -> Optional[str]:
        picture = self._first_picture()
        return picture.svg() if picture else None

    def _repr_html_(self) -> Optional[str]:
        picture = self._first_picture()
        return picture.html() if picture else None

    def _first_picture(self) -> Optional[Picture]:
        """What shows an archive best: a trace its timeline, a profile its tree."""
        return self.timeline() if self._handle.has_trace else self.tree()


def side_by_side(archives: List[Any], window: Window = None, *, width: int = 960, height: int = 500,
                 dark: bool = False, messages: bool = True, legend: bool = True, progress: Progress = None) -> Picture:
    """The timelines of several archives on their common clock, as the window shows a session."""
    handles = [archive._handle for archive in archives]
    with shown(progress) as receiver:
        return Picture(_native.draw_timeline(handles, window, messages, legend, width, height, dark, receiver))
