#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes python/skein/__init__.pyi: the commands are functions that are made when the package is imported, which type
checkers do not see.

    PYTHONPATH=build/release/python python3 python/tools/make_stubs.py
"""

import inspect
import os
from typing import List

from skein import _commands

HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/tools/make_stubs.py: types of the functions that stand for the commands of skein-cli.
import os
from typing import Any, Callable, List, Optional, Sequence, Union, overload

from ._archive import Archive as _Archive
from ._archive import Calls as Calls
from ._archive import CommMatrix as CommMatrix
from ._archive import Cube as Cube
from ._archive import Machine as Machine
from ._archive import MetricStream as MetricStream
from ._archive import machine as machine
from ._commands import Output as Output
from ._commands import run as run
from ._errors import Error as Error
from ._errors import SkeinWarning as SkeinWarning
from ._frames import Report as Report
from ._graphs import from_hatchet as from_hatchet
from ._pictures import Picture as Picture
from ._pictures import side_by_side as side_by_side
from ._window import Window as Window
from ._window import window as window
from ._window import windows as windows

__version__: str
NO_TIME: int
NONE: int
WAIT_KINDS: List[str]
COLLECTIVE_KINDS: List[str]
RMA_KINDS: List[str]
IO_KINDS: List[str]
THREAD_EVENT_KINDS: List[str]

_Path = Union[str, "os.PathLike[str]"]
_One = Union[_Path, "Archive"]
_Many = Union[_One, Sequence[_One]]
_Value = Union[_One, int, float, Sequence[Any], None]
_Progress = Union[None, bool, Callable[[float, str], None]]

@overload
def open(path: _Path, *, index: bool = ..., index_dir: _Path = ..., correct_clocks: bool = ..., threads: int = ...,
         progress: _Progress = ...) -> "Archive": ...
@overload
def open(path: _Path, second: _Path, *more: _Path, index: bool = ..., index_dir: _Path = ...,
         correct_clocks: bool = ..., threads: int = ..., progress: _Progress = ...) -> List["Archive"]: ...
'''


def parameter_text(parameter: inspect.Parameter) -> str:
    name, default = parameter.name, parameter.default
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
        type_name = {"archives": "_Many", "archive": "_One"}.get(name, "_Value")
        return f"{name}: {type_name}" + ("" if default is inspect.Parameter.empty else " = ...")
    if name == "progress":
        return "progress: _Progress = ..."
    if default is False or name in ("correct_clocks", "no_index"):
        return f"{name}: Optional[bool] = ..."
    return f"{name}: _Value" + ("" if default is inspect.Parameter.empty else " = ...")


def function_text(name: str, first: List[str], skipped: int, indent: str) -> str:
    parameters = list(_commands.COMMANDS[name].signature().parameters.values())[skipped:]
    places = [p for p in parameters if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    named = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    words = [*first, *map(parameter_text, places), "*", *map(parameter_text, named)]
    result = "Any" if _commands.COMMANDS[name].prints_json else "str"
    lines, line = [], f"{indent}def {name}("
    for number, word in enumerate(words):
        word += ") -> " + result + ": ..." if number == len(words) - 1 else ", "
        if len(line) + len(word) > 118:
            lines.append(line.rstrip())
            line = indent + "    "
        line += word
    return "\n".join([*lines, line])


def stub() -> str:
    names = sorted(_commands.COMMANDS)
    parts = [HEAD]
    parts += [function_text(name, [], 0, "") for name in names]
    parts.append("\nclass Archive(_Archive):")
    parts += [function_text(name, ["self"], 1, "    ") for name in names if _commands.takes_archive(name)]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "skein", "__init__.pyi")
    with open(place, "w", encoding="utf-8") as file:
        file.write(stub())
