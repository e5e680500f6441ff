# SPDX-License-Identifier: GPL-3.0-or-later
"""An open archive and what is in it."""

from __future__ import annotations

import functools
import os
import warnings
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import pandas as pd

from . import _commands, _graphs, _native
from ._errors import Error, SkeinWarning
from ._pictures import Picture, Pictures
from ._progress import Progress, shown

PathLike = Union[str, "os.PathLike[str]"]
Window = Optional[Tuple[int, int]]

NONE = 0xFFFFFFFF  # an id that names nothing, and a call that is none


@dataclass(frozen=True)
class Calls:
    """The calls of one location in the order of their entry: the columns themselves, not copies.

    The calls below call i are the run behind it as long as `depth` is greater than depth[i].
    Times are ns since the archive's first event; `call_path` is a row of Archive.call_tree.
    """

    location: int
    begin_ns: np.ndarray
    end_ns: np.ndarray
    call_path: np.ndarray
    depth: np.ndarray

    def __len__(self) -> int:
        return len(self.begin_ns)

    def frame(self) -> pd.DataFrame:
        """The same columns as a frame, without a copy."""
        columns = {
            "begin_ns": self.begin_ns,
            "end_ns": self.end_ns,
            "call_path": self.call_path,
            "depth": self.depth,
        }
        return pd.DataFrame(columns, copy=False)


@dataclass(frozen=True)
class MetricStream:
    """Samples of metrics that were recorded together on one location."""

    recorder: int
    metrics: List[str]
    times_ns: np.ndarray
    bits: np.ndarray
    _formats: List[str]

    def values(self, metric: Union[str, int] = 0) -> np.ndarray:
        """The samples of one of the metrics, in its own type; they share the memory of the trace."""
        place = self._place(metric)
        return self.bits[:, place].view(self._formats[place])

    def _place(self, metric: Union[str, int]) -> int:
        known = ", ".join(self.metrics)
        if isinstance(metric, str):
            if metric not in self.metrics:
                raise Error(f'There is no metric "{metric}" in this stream, only {known}.', "not recorded")
            return self.metrics.index(metric)
        number = _index(metric, "a metric")
        if number >= len(self.metrics):
            raise Error(f"This stream has {len(self.metrics)} metrics, from 0 on: {known}.", "not recorded")
        return number

    def frame(self) -> pd.DataFrame:
        columns: Dict[str, Any] = {"time_ns": self.times_ns}
        columns.update((name, self.values(place)) for place, name in enumerate(self.metrics))
        return pd.DataFrame(columns, copy=False)


@dataclass(frozen=True)
class Cube:
    """Amounts by location and item; an item is a call path or a region.

    Row r belongs to the location l with location_offsets[l] <= r < location_offsets[l + 1].
    `inclusive` and `exclusive` have an array a metric, in ns for the time.
    """

    items: np.ndarray
    location_offsets: np.ndarray
    calls: np.ndarray
    inclusive: Dict[str, np.ndarray]
    exclusive: Dict[str, np.ndarray]

    def locations(self) -> np.ndarray:
        """The location of every row."""
        counts = np.diff(self.location_offsets.astype(np.int64))
        return np.repeat(np.arange(len(counts)), counts)

    def frame(self) -> pd.DataFrame:
        columns: Dict[str, Any] = {"location": self.locations(), "item": self.items, "calls": self.calls}
        for metric in self.inclusive:
            columns[f"{metric} (inc)"] = self.inclusive[metric]
            columns[metric] = self.exclusive[metric]
        return pd.DataFrame(columns, copy=False)


class CommMatrix:
    """Who sent how much to whom: `entries` has sender, receiver, messages and bytes of every pair."""

    def __init__(self, archive: "Archive", ranks: int, entries: np.ndarray) -> None:
        self.archive = archive
        self.ranks = ranks
        self.entries = entries

    def frame(self) -> pd.DataFrame:
        names = self.entries.dtype.names or ()
        return pd.DataFrame({name: self.entries[name] for name in names}, copy=False)

    def to_scipy_sparse(self, value: str = "bytes") -> Any:
        """A SciPy matrix in CSR form: rows send, columns receive. `value`: bytes or messages."""
        return _graphs.scipy_matrix(self, value)

    def to_numpy(self, value: str = "bytes") -> np.ndarray:
        """All pairs, also those that send nothing."""
        _graphs.matrix_value(value)
        dense = np.zeros((self.ranks, self.ranks), dtype=self.entries[value].dtype)
        dense[self.entries["sender"], self.entries["receiver"]] = self.entries[value]
        return dense

    def to_networkx(self) -> Any:
        """A directed graph of ranks; edges have bytes and messages."""
        return _graphs.rank_graph(self)

    def _repr_html_(self) -> str:
        return self.archive.matrix()._repr_html_()

    def _repr_svg_(self) -> str:
        return self.archive.matrix()._repr_svg_()


@dataclass(frozen=True)
class Machine:
    """Nodes, routers and directed links. Vertices below `nodes` are nodes, the others routers."""

    spec: str
    family: str
    nodes: int
    vertices: int
    dimensions: List[int]
    source: np.ndarray
    target: np.ndarray
    capacity: np.ndarray

    def frame(self) -> pd.DataFrame:
        columns = {"source": self.source, "target": self.target, "capacity": self.capacity}
        return pd.DataFrame(columns, copy=False)

    def to_scipy_sparse(self) -> Any:
        """Capacities of links between vertices; parallel links are added up."""
        return _graphs.link_matrix(self)

    def to_networkx(self) -> Any:
        """A directed multigraph of vertices."""
        return _graphs.machine_graph(self)


def machine(spec: str, *, progress: Progress = None) -> Machine:
    """A machine as `skein-cli traffic --topology` takes it: "torus:4x4x4", "dragonfly:…", "topology:FILE"."""
    with shown(progress) as receiver:
        return Machine(**_native.machine(os.fsencode(spec), receiver))


class Archive(Pictures):
    """An archive that is open. Arrays that it gives share its memory, cannot be written, and keep what
    they look at alive. Every command of `skein-cli` that takes an archive is a method as well."""

    def __init__(self, handle: Any) -> None:
        if not isinstance(handle, _native.Archive):
            raise TypeError("skein.open() makes archives")
        self._handle = handle

    def __repr__(self) -> str:
        return f"<skein.Archive {self.format} {os.fsencode(self.path).decode('utf-8', 'replace')}>"

    @property
    def name(self) -> str:
        return self._handle.name

    @property
    def path(self) -> str:
        return self._handle.path

    @property
    def format(self) -> str:
        return self._handle.format

    @property
    def has_trace(self) -> bool:
        """False for a profile: there are sums, but no calls."""
        return self._handle.has_trace

    @property
    def has_profile(self) -> bool:
        return self._handle.has_profile

    @property
    def extent(self) -> Tuple[int, int]:
        """The first and the last event, in ns; the first is at 0."""
        return _native.extent(self._handle)

    @functools.cached_property
    def locations(self) -> pd.DataFrame:
        """A row a thread or stream; its index is what arrays call a location."""
        return pd.DataFrame(_native.locations(self._handle))

    @functools.cached_property
    def location_groups(self) -> pd.DataFrame:
        """Processes and accelerators."""
        return pd.DataFrame(_native.location_groups(self._handle))

    @functools.cached_property
    def regions(self) -> pd.DataFrame:
        """Functions and other parts of the program."""
        return pd.DataFrame(_native.regions(self._handle))

    @functools.cached_property
    def metric_definitions(self) -> pd.DataFrame:
        return pd.DataFrame(_native.metrics(self._handle))

    @functools.cached_property
    def communicators(self) -> pd.DataFrame:
        return pd.DataFrame(_native.communicators(self._handle))

    @functools.cached_property
    def system_tree(self) -> pd.DataFrame:
        """Machines, nodes and so on; `parent` is a row, or -1."""
        return pd.DataFrame(_native.system_tree(self._handle))

    @property
    def hosts(self) -> List[str]:
        """The host of every rank; empty texts where it was not recorded."""
        return _native.hosts(self._handle)

    @functools.cached_property
    def call_tree(self) -> pd.DataFrame:
        """A row a call path: its parent (a row; 4294967295 for roots), its region, its depth, its name."""
        fields = _native.call_tree(self._handle)
        fields["name"] = _named(self.regions["name"], fields["region"])
        return pd.DataFrame(fields, copy=False)

    def calls(self, location: int = 0) -> Calls:
        """The calls of a location: four arrays that are the trace's own columns."""
        number = _index(location)
        return Calls(location=number, **_native.calls(self._handle, number))

    def call_frame(self, locations: Optional[Sequence[int]] = None, window: Window = None) -> pd.DataFrame:
        """Calls of several locations (None: of all) with their names, as one frame. This copies them."""
        chosen = range(len(self.locations)) if locations is None else locations
        parts = [_named_calls(self, self.calls(location), window) for location in chosen]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    def table(self, name: str) -> np.ndarray:
        """A table of a trace, a row an event, as a structured array: messages, unmatched_receives,
        collectives, collective_members, rma_operations, io_operations, thread_events, stack_samples, markers.
        """
        return _native.table(self._handle, name)

    @property
    def message_table(self) -> np.ndarray:
        """Every send; `sender` and `receiver` are locations, an unknown time is skein.NO_TIME."""
        return self.table("messages")

    @property
    def collective_table(self) -> np.ndarray:
        """Every collective; its members are rows first_member … of collective_members."""
        return self.table("collectives")

    @property
    def collective_members(self) -> np.ndarray:
        return self.table("collective_members")

    @property
    def metric_streams(self) -> List[MetricStream]:
        """What was sampled, a stream for all metrics that were recorded together on a location."""
        names = self.metric_definitions["name"]
        return [_stream(fields, names) for fields in _native.metric_streams(self._handle)]

    def wait_states(self, *, threads: int = 0, progress: Progress = None) -> np.ndarray:
        """Every call that waited for another rank, as a structured array; `kind` counts in skein.WAIT_KINDS."""
        with shown(progress) as receiver:
            return _native.wait_states(self._handle, threads, receiver)

    def cubes(self, metric: str = "", window: Window = None, *, threads: int = 0,
              progress: Progress = None) -> Dict[str, Cube]:
        """Amounts by location and call path ("callpath") or region ("region"): those of a profile, or sums
        over the calls of a trace, in a window of it."""
        with shown(progress) as receiver:
            both = _native.cubes(self._handle, metric, window, threads, receiver)
        names = ("items", "location_offsets", "calls", "inclusive", "exclusive")
        return {which: Cube(**{name: fields[name] for name in names}) for which, fields in both.items()}

    def comm_matrix(self, window: Window = None, *, threads: int = 0, progress: Progress = None) -> CommMatrix:
        """Messages and bytes of every pair of ranks, as recorded or by the sends in a window."""
        with shown(progress) as receiver:
            ranks, entries = _native.comm_matrix(self._handle, window, threads, receiver)
        return CommMatrix(self, ranks, entries)

    def series_frame(self, metric: str = "exclusive", **options: Any) -> pd.DataFrame:
        """What every process did over time: a row a bin, a column a process. `metric` and the options are those
        of series(): "exclusive:REGION", "sent-bytes", "wait", the name of a metric; bins, per, by_region."""
        report = _commands.FUNCTIONS["series"](self, metric=metric, **options)
        values = next(part for key, part in report.items() if key not in ("entities", "time_ns"))
        index = pd.Index(report["time_ns"], name="time_ns")
        return pd.DataFrame(values, index=index, columns=report["entities"])

    def to_hatchet(self, metric: Optional[str] = None, window: Window = None) -> Any:
        """A hatchet.GraphFrame of the call tree; times are in seconds."""
        return _graphs.to_hatchet(self, metric, window)

    def to_networkx(self, metric: str = "", window: Window = None) -> Any:
        """The call tree as a directed graph: nodes have name, calls, inclusive and exclusive amounts."""
        return _graphs.tree_graph(self, metric, window)


def _named(names: pd.Series, numbers: np.ndarray) -> np.ndarray:
    """The names of rows; numbers that name no row, such as skein.NONE, have an empty one."""
    table = np.append(names.to_numpy(dtype=object), "")
    return table[np.minimum(numbers, len(names))]


def _index(value: Any, what: str = "a location") -> int:
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None
    if not 0 <= number < 2**64:
        raise Error(f"{what.capitalize()} has a number from 0 on: there is none of number {number}.",
                    "invalid argument")
    return number


def _named_calls(archive: Archive, calls: Calls, window: Window) -> pd.DataFrame:
    frame = calls.frame()
    if window is not None:
        frame = frame[(frame["begin_ns"] < window[1]) & (frame["end_ns"] > window[0])]
    frame = frame.assign(name=_named(archive.call_tree["name"], frame["call_path"].to_numpy()))
    frame.insert(0, "location", calls.location)
    return frame


def _stream(fields: Dict[str, Any], names: pd.Series) -> MetricStream:
    metrics = _named(names, np.array(fields["metrics"], dtype=np.int64)).tolist()
    return MetricStream(fields["recorder"], metrics, fields["times_ns"], fields["values"], fields["formats"])


def open(path: PathLike, *more: PathLike, index: bool = True, index_dir: PathLike = "",  # noqa: A001
         correct_clocks: bool = False, threads: int = 0, progress: Progress = None) -> Any:
    """Opens what a path names: a file, a folder or any member of an archive. Of several paths a list.

    index: use the index of an archive, and save one where there is none; it opens at once the next time.
    correct_clocks: estimate how far the clocks of the processes are apart, and correct all times.
    progress: True for a bar, None for a bar on a terminal, or a function of a fraction and a text.

    Raises skein.Error where the path cannot be opened. Lost data is a SkeinWarning.
    """
    opened = [_open_one(one, index, index_dir, correct_clocks, threads, progress) for one in (path, *more)]
    return opened if more else opened[0]


def _open_one(path: PathLike, index: bool, index_dir: PathLike, correct_clocks: bool, threads: int,
              progress: Progress) -> Archive:
    name = os.fsdecode(path)
    if "\0" in name:
        raise Error("A path has no zero bytes.", "invalid argument")
    with shown(progress) as receiver:
        handle = _native.open(os.fsencode(name), bool(index), os.fsencode(index_dir), bool(correct_clocks), threads,
                              receiver)
    for note in handle.notes:
        warnings.warn(note, SkeinWarning, stacklevel=3)
    if handle.lost_data:
        shown_name = os.fsencode(name).decode("utf-8", "replace")
        warnings.warn(f"{shown_name} was opened with data loss: see check().", SkeinWarning, stacklevel=3)
    return Archive(handle)


def _add_commands() -> None:
    """Commands that take an archive are methods: archive.profile(by="region")."""
    for name, function in _commands.FUNCTIONS.items():
        if _commands.takes_archive(name) and not hasattr(Archive, name):
            setattr(Archive, name, function)


_add_commands()
