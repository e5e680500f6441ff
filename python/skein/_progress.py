# SPDX-License-Identifier: GPL-3.0-or-later
"""The progress bar of long work."""

from __future__ import annotations

import sys
import time
from typing import Callable, Optional, Union

Progress = Union[None, bool, Callable[[float, str], None]]

_WIDTH = 30
_QUIET_SECONDS = 0.5  # work that is done sooner shows no bar


class Bar:
    """One line on stderr that is kept up to date, and is wiped once the work has ended."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._shown = False

    def __call__(self, fraction: float, stage: str) -> None:
        if time.monotonic() - self._begin < _QUIET_SECONDS:
            return
        filled = round(_WIDTH * min(max(fraction, 0.0), 1.0))
        bar = "█" * filled + "·" * (_WIDTH - filled)
        print(f"\r\x1b[K{bar} {100 * fraction:3.0f} %  {stage}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class Silent:
    """No bar, or a function of the user."""

    def __init__(self, call: Optional[Callable[[float, str], None]]) -> None:
        self.call = call

    def __enter__(self) -> Optional[Callable[[float, str], None]]:
        return self.call

    def __exit__(self, *_: object) -> None:
        pass


def shown(progress: Progress) -> Union[Bar, Silent]:
    """What `progress` asks for: a bar (True), none (False), a bar on a terminal (None), or a function."""
    if progress is None:
        progress = bool(sys.stderr is not None and sys.stderr.isatty())
    if isinstance(progress, bool):
        return Bar() if progress else Silent(None)
    if not callable(progress):
        raise TypeError("progress is True, False, None, or a function of a fraction and a text")
    return Silent(progress)
