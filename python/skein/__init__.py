# SPDX-License-Identifier: GPL-3.0-or-later
"""Skein in Python: traces and profiles of parallel programs as arrays, frames and pictures.

    import skein
    run = skein.open("trace.otf2")
    run.profile(by="region")          # a frame, the numbers of `skein-cli profile`
    run.calls(0).begin_ns             # an array, the trace's own column
    run.timeline((0, 10_000_000))     # a picture, as the window draws it

docs/PYTHON.md tells all of it.
"""

from __future__ import annotations

from . import _commands, _native
from ._archive import Archive, Calls, CommMatrix, Cube, Machine, MetricStream, machine, open  # noqa: A004
from ._commands import Output, run
from ._errors import Error, SkeinWarning
from ._frames import Report
from ._graphs import from_hatchet
from ._pictures import Picture, side_by_side
from ._window import Window, window, windows

__version__: str = _native.version

#: A time that is not known, such as that of a receive which is not recorded.
NO_TIME: int = _native.NO_TIME
#: In place of a call, location or other id: none.
NONE: int = _native.NO_CALL

_KINDS = _native.kind_names()
#: The names of the numbers in the field `kind` of wait states, collectives, RMA and I/O operations, thread events.
WAIT_KINDS = _KINDS["wait_states"]
COLLECTIVE_KINDS = _KINDS["collectives"]
RMA_KINDS = _KINDS["rma_operations"]
IO_KINDS = _KINDS["io_operations"]
THREAD_EVENT_KINDS = _KINDS["thread_events"]

# Every command of skein-cli is a function: skein.profile(), skein.critical_path(), skein.map_check() …
globals().update(_commands.FUNCTIONS)

__all__ = [
    "Archive", "Calls", "CommMatrix", "Cube", "Error", "Machine", "MetricStream", "Output", "Picture", "Report",
    "SkeinWarning", "Window", "from_hatchet", "machine", "open", "run", "side_by_side", "window", "windows", "NO_TIME", "NONE", "WAIT_KINDS",
    "COLLECTIVE_KINDS", "RMA_KINDS", "IO_KINDS", "THREAD_EVENT_KINDS", *_commands.FUNCTIONS,
]
