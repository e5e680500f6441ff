# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of `skein-cli` as functions: the same code, the same numbers."""

from __future__ import annotations

import inspect
import keyword
import os
import warnings
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _frames, _native
from ._errors import Error, SkeinWarning
from ._progress import Progress, shown

# What every command takes besides its own options.
_GLOBALS: Dict[str, Tuple[str, str]] = {
    "threads": ("--threads", "threads to use; 0 is as many as can run"),
    "correct_clocks": ("--correct-clocks", "estimate how far clocks are apart, and correct all times"),
    "no_index": ("--no-index", "neither use nor save the index of an archive"),
    "index_dir": ("--index-dir", "folder of the indexes"),
    "index_limit": ("--index-limit", "room for all indexes, such as \"20GiB\""),
}
_DATA_LOSS, _REGRESSED, _INTERRUPTED = 3, 4, 130
_CODES = {1: "failed", 2: "usage", 3: "not recorded"}


class Output(NamedTuple):
    """What a command printed, and how it ended."""

    exit_code: int
    out: str
    err: str


class _Words:
    """Arguments of a command line, with the archives among them that are open already."""

    def __init__(self) -> None:
        self.archives: List[Any] = []

    def of(self, value: Any, joint: str = ",") -> str:
        """A value as it is written on a command line."""
        handle = getattr(value, "_handle", None)
        if isinstance(handle, _native.Archive):
            self.archives.append(handle)
            return handle.label
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, (str, bytes, os.PathLike)):
            text = os.fsdecode(value)
            if "\0" in text:
                raise ValueError("a text with a zero byte is no argument")
            return text
        if isinstance(value, bool) or not isinstance(value, (int, float, list, tuple, range)):
            raise TypeError(f"a text, path, number, archive or list of those is wanted, not {value!r}")
        if isinstance(value, (int, float)):
            return repr(value)
        return joint.join("" if part is None else self.of(part) for part in value)


def _as_list(value: Any) -> List[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def python_name(option: str) -> str:
    """`--also-a` is also_a, `PATH` path; words of Python get an underscore."""
    name = option.lstrip("-").replace("-", "_").lower()
    return name + "_" if keyword.iskeyword(name) else name


class _Command:
    """One command: how its options are called in Python, and its command line."""

    def __init__(self, description: Dict[str, Any], before: Sequence[str] = ()) -> None:
        self.words = [*before, description["name"]]
        self.summary: str = description["summary"]
        self.examples: str = description.get("examples", "")
        options = description["options"]
        self.positionals = [option for option in options if option["positional"]]
        self.options = {python_name(o["name"]): o for o in options if not o["positional"]}
        self.prints_json = "format" in self.options
        self.options.pop("format", None)

    @property
    def name(self) -> str:
        return python_name("_".join(self.words))

    def positional_name(self, option: Dict[str, Any]) -> str:
        name = python_name(option["name"])
        if name in ("path", "comm"):
            return "archives" if option["repeatable"] else "archive"
        return name

    def signature(self) -> inspect.Signature:
        kinds = inspect.Parameter
        parameters = []
        for option in self.positionals:
            default = kinds.empty if option["required"] else None
            parameters.append(kinds(self.positional_name(option), kinds.POSITIONAL_OR_KEYWORD, default=default))
        # A parameter without a default may not stand behind one that has one.
        parameters.sort(key=lambda p: p.default is not kinds.empty)
        for name, option in self.options.items():
            default = False if option["flag"] else kinds.empty if option["required"] else None
            parameters.append(kinds(name, kinds.KEYWORD_ONLY, default=default))
        for name in [*_GLOBALS, "progress"]:
            if name not in self.options:
                parameters.append(kinds(name, kinds.KEYWORD_ONLY, default=None))
        return inspect.Signature(parameters)

    def doc(self) -> str:
        lines = [self.summary + ".", "", f"The same as `skein-cli {' '.join(self.words)}`.", ""]
        for option in self.positionals:
            lines.append(f"{self.positional_name(option)}: {option['help']}")
        lines += ["", "Keyword arguments:"]
        for name, option in self.options.items():
            value = "bool" if option["flag"] else option["value"] or "text"
            lines += [f"    {name} ({value})", f"        {option['help']}"]
        for name, (_, text) in _GLOBALS.items():
            if name not in self.options:
                lines += [f"    {name}", f"        {text}"]
        lines += ["    progress", "        True: a bar; None: a bar on a terminal; or f(fraction, stage)"]
        if self.examples:
            lines += ["", "On the command line:", self.examples.rstrip()]
        return "\n".join(lines)

    def _flags(self, given: Dict[str, Any], words: _Words) -> Iterable[str]:
        """`--name=value` for all that is given."""
        for name, value in given.items():
            option = self.options.get(name)
            switch = option["name"] if option else _GLOBALS[name][0]
            if value is None or value is False:
                continue
            if (option and option["flag"]) or (not option and value is True):
                if value is not True:
                    raise TypeError(f"{name} is True or False, not {value!r}")
                yield switch
                continue
            joint = ":" if option and ("window" in name or option["value"] == "A:B") else ","
            values = _as_list(value) if option and option["repeatable"] else [value]
            for part in values:
                yield f"{switch}={words.of(part, joint)}"

    def arguments(self, bound: Dict[str, Any], words: _Words) -> List[str]:
        given = {name: value for name, value in bound.items() if name in self.options or name in _GLOBALS}
        arguments = [*self.words, *self._flags(given, words)]
        if self.prints_json:
            arguments.append("--format=json")
        places: List[str] = []
        for option in self.positionals:
            value = bound[self.positional_name(option)]
            if value is not None:
                places += [words.of(part) for part in (_as_list(value) if option["repeatable"] else [value])]
        return [*arguments, "--", *places] if places else arguments


def _notes(err: str) -> List[str]:
    lines = [line for line in err.splitlines() if line and not line.startswith("Run skein-cli")]
    return [line.removeprefix("skein-cli: ") for line in lines]


def run_words(words: List[str], archives: List[Any], progress: Progress = None) -> Tuple[int, bytes, str]:
    """Runs a command line inside this process."""
    if any(word.split("=")[0] == "--memory-limit" for word in words):
        raise Error("--memory-limit would bound this interpreter: set SKEIN_MEMORY_LIMIT for it instead.", "usage")
    with shown(progress) as receiver:
        # Paths may hold bytes that are no UTF-8.
        return _native.run([word.encode("utf-8", "surrogateescape") for word in words], archives, receiver)


def run(*arguments: Any, progress: Progress = None) -> Output:
    """Runs `skein-cli` with these arguments inside this process and gives what it prints.

    Archives that are open may stand for their paths: run("profile", "--by", "region", archive).
    """
    words = _Words()
    texts = [words.of(argument) for argument in arguments]
    code, out, err = run_words(texts, words.archives, progress)
    return Output(code, out.decode("utf-8", "replace"), err)


def _judged(code: int, out: bytes, notes: List[str], prints_json: bool) -> Any:
    """The result, or the exception that says why there is none."""
    if code == _INTERRUPTED:
        raise KeyboardInterrupt
    value: Any = None
    if out.strip():
        try:
            value = _frames.result(out) if prints_json else out.decode("utf-8", "replace")
        except ValueError:
            value = None
    if value is None and prints_json or code not in (0, _DATA_LOSS, _REGRESSED) and value is None:
        raise Error(" ".join(notes) or f"skein-cli would end with {code} and say nothing.", _CODES.get(code, "failed"))
    if code == 2:
        raise Error(" ".join(notes), "usage")
    return value if value is not None else ""


def _finish(command: _Command, bound: Dict[str, Any]) -> Any:
    words = _Words()
    progress = bound.pop("progress", None)
    arguments = command.arguments(bound, words)
    code, out, err = run_words(arguments, words.archives, progress)
    notes = _notes(err)
    value = _judged(code, out, notes, command.prints_json)
    if code == _DATA_LOSS:
        warnings.warn(" ".join(notes) or "Data was lost: see skein.check().", SkeinWarning, stacklevel=4)
    if hasattr(value, "attrs"):
        value.attrs.update(notes=notes, exit_code=code, command=" ".join(command.words))
    elif isinstance(value, _frames.Report):
        value.notes, value.exit_code = notes, code
    return value


def function_of(command: _Command) -> Callable[..., Any]:
    """A function with the command's arguments as its signature."""
    signature = command.signature()

    def call(*arguments: Any, **options: Any) -> Any:
        bound = signature.bind(*arguments, **options)
        bound.apply_defaults()
        return _finish(command, dict(bound.arguments))

    call.__name__ = call.__qualname__ = command.name
    call.__doc__ = command.doc()
    call.__module__ = "skein"
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _all_commands() -> Dict[str, _Command]:
    found: Dict[str, _Command] = {}
    for description in _native.commands():
        if description["steps"]:
            for step in description["steps"]:
                command = _Command(step, [description["name"]])
                found[command.name] = command
        else:
            command = _Command(description)
            found[command.name] = command
    return found


COMMANDS: Dict[str, _Command] = _all_commands()
FUNCTIONS: Dict[str, Callable[..., Any]] = {name: function_of(c) for name, c in COMMANDS.items()}


def takes_archive(name: str) -> bool:
    """Whether the first argument of a command is an archive, or several."""
    places = COMMANDS[name].positionals
    return bool(places) and places[0]["name"] in ("PATH", "COMM")
