# SPDX-License-Identifier: GPL-3.0-or-later
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

def anomalies(archives: _Many, *, function: _Value = ..., detector: _Value = ..., features: _Value = ...,
    sigma: _Value = ..., height: _Value = ..., by: _Value = ..., stream: Optional[bool] = ..., age: _Value = ...,
    provenance: _Value = ..., verdicts: _Value = ..., coupling: _Value = ..., learn: Optional[bool] = ...,
    all: Optional[bool] = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def attributes(archives: _Many, *, window: _Value = ..., attribute: _Value = ..., value: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def causality(archive: _One, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
    where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., lags: _Value = ...,
    max_lags: _Value = ..., criterion: _Value = ..., horizon: _Value = ..., threshold: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def causes(archives: _Many, *, rank: _Value, thread: _Value = ..., function: _Value, call: _Value,
    forward: Optional[bool] = ..., program: _Value = ..., coupling: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def changes(archive: _One, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
    where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., alpha: _Value = ...,
    eta: _Value = ..., burn_in: _Value = ..., lasting: Optional[bool] = ..., follow: Optional[bool] = ...,
    state_every: _Value = ..., idle: _Value = ..., stop_after: _Value = ..., speed: _Value = ..., k: _Value = ...,
    budget: _Value = ..., every: _Value = ..., least_interval: _Value = ..., keep: _Value = ..., level: _Value = ...,
    join: _Value = ..., join_by: _Value = ..., least_change: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def check(archives: _Many, *, threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def clusters(archive: _One, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
    where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., k: _Value = ...,
    budget: _Value = ..., seed: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def collectives(archives: _Many, *, window: _Value = ..., members: Optional[bool] = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def comm(archives: _Many, *, window: _Value = ..., messages: _Value = ..., group_by: _Value = ...,
    order: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def compare(a: _Value, b: _Value, more: _Value = ..., *, also_a: _Value = ..., also_b: _Value = ...,
    metric: _Value = ..., by: _Value = ..., per: _Value = ..., per_phase: _Value = ..., fail_if: _Value = ...,
    only: _Value = ..., match: _Value = ..., propose_matches: Optional[bool] = ..., noise: _Value = ...,
    window: _Value = ..., window_a: _Value = ..., window_b: _Value = ..., top: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def critical_path(archives: _Many, *, by: _Value = ..., gains: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def efficiency(archives: _Many, *, window: _Value = ..., by_region: _Value = ..., scaling: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def export(archive: _One, *, to: _Value = ..., metric: _Value = ..., window: _Value = ..., output: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> str: ...
def handovers(archives: _Many, *, coupling: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def index_build(archives: _Many, *, threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> str: ...
def index_drop(archives: _Many = ..., *, all: Optional[bool] = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> str: ...
def index_info(archives: _Many, *, verify: Optional[bool] = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def index_list(*, verify: Optional[bool] = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def info(archives: _Many, *, threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def map_check(map: _Value, *, from_: _Value = ..., hosts: _Value = ..., ranks_per_node: _Value = ...,
    cores_per_socket: _Value = ..., cores_per_rank: _Value = ..., to: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def map_convert(map: _Value, *, from_: _Value = ..., hosts: _Value = ..., ranks_per_node: _Value = ...,
    cores_per_socket: _Value = ..., cores_per_rank: _Value = ..., program: _Value = ..., to: _Value,
    output: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> str: ...
def map_launchers(*, threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def map_verify(map: _Value, archive: _One, *, from_: _Value = ..., hosts: _Value = ..., ranks_per_node: _Value = ...,
    cores_per_socket: _Value = ..., cores_per_rank: _Value = ..., predicted: _Value = ..., topology: _Value = ...,
    routing: _Value = ..., routes: _Value = ..., recorded_only: Optional[bool] = ..., tolerance: _Value = ...,
    all: Optional[bool] = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def messages(archives: _Many, *, window: _Value = ..., messages: _Value = ..., unmatched: Optional[bool] = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def metrics(archives: _Many, *, samples: Optional[bool] = ..., metric: _Value = ..., window: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def model(archives: _Many, *, metric: _Value = ..., parameter: _Value = ..., at: _Value = ...,
    inclusive: Optional[bool] = ..., top: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def predict(archive: _One, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
    collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
    recorded_only: Optional[bool] = ..., map: _Value = ..., bandwidth: _Value = ..., latency: _Value = ...,
    concurrent: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def profile(archives: _Many, *, by: _Value = ..., group_by: _Value = ..., metric: _Value = ..., window: _Value = ...,
    top: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def project(archive: _One, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
    where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., budget: _Value = ...,
    align: _Value = ..., seed: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def qap(file: _Value, *, time: _Value = ..., steps: _Value = ..., seed: _Value = ..., target: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def query(archive: _One, query: _Value, *, dialect: _Value = ..., semantics: _Value = ...,
    squash: Optional[bool] = ..., as_query: Optional[bool] = ..., window: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def rank(archive: _One, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
    collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
    recorded_only: Optional[bool] = ..., metric: _Value, top: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def remap(archive: _One, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
    collectives: _Value = ..., window: _Value = ..., method: _Value = ..., objective: _Value = ...,
    time: _Value = ..., steps: _Value = ..., seed: _Value = ..., routing: _Value = ..., pin: _Value = ...,
    together: _Value = ..., apart: _Value = ..., free_nodes: _Value = ..., max_moved: _Value = ...,
    capacity: _Value = ..., cores_per_socket: _Value = ..., socket_capacity: _Value = ..., nodes: _Value = ...,
    changes: _Value = ..., launcher: _Value = ..., output: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def reroute(archive: _One, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
    collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
    recorded_only: Optional[bool] = ..., pair: _Value = ..., top_links: _Value = ..., criterion: _Value = ...,
    tolerance: _Value = ..., strategy: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
    no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
    progress: _Progress = ...) -> Any: ...
def routes(archive: _One, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
    collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
    recorded_only: Optional[bool] = ..., pair: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def series(archive: _One, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
    where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., shape: _Value = ...,
    threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
    index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def traffic(archive: _One, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
    collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
    recorded_only: Optional[bool] = ..., top: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
def waits(archives: _Many, *, by: _Value = ..., window: _Value = ..., messages: _Value = ..., threads: _Value = ...,
    correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
    index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...

class Archive(_Archive):
    def anomalies(self, *, function: _Value = ..., detector: _Value = ..., features: _Value = ...,
        sigma: _Value = ..., height: _Value = ..., by: _Value = ..., stream: Optional[bool] = ..., age: _Value = ...,
        provenance: _Value = ..., verdicts: _Value = ..., coupling: _Value = ..., learn: Optional[bool] = ...,
        all: Optional[bool] = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def attributes(self, *, window: _Value = ..., attribute: _Value = ..., value: _Value = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def causality(self, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
        where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., lags: _Value = ...,
        max_lags: _Value = ..., criterion: _Value = ..., horizon: _Value = ..., threshold: _Value = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def causes(self, *, rank: _Value, thread: _Value = ..., function: _Value, call: _Value,
        forward: Optional[bool] = ..., program: _Value = ..., coupling: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def changes(self, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
        where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ...,
        alpha: _Value = ..., eta: _Value = ..., burn_in: _Value = ..., lasting: Optional[bool] = ...,
        follow: Optional[bool] = ..., state_every: _Value = ..., idle: _Value = ..., stop_after: _Value = ...,
        speed: _Value = ..., k: _Value = ..., budget: _Value = ..., every: _Value = ...,
        least_interval: _Value = ..., keep: _Value = ..., level: _Value = ..., join: _Value = ...,
        join_by: _Value = ..., least_change: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def check(self, *, threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def clusters(self, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
        where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ..., k: _Value = ...,
        budget: _Value = ..., seed: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def collectives(self, *, window: _Value = ..., members: Optional[bool] = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def comm(self, *, window: _Value = ..., messages: _Value = ..., group_by: _Value = ..., order: _Value = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def critical_path(self, *, by: _Value = ..., gains: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def efficiency(self, *, window: _Value = ..., by_region: _Value = ..., scaling: _Value = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def export(self, *, to: _Value = ..., metric: _Value = ..., window: _Value = ..., output: _Value = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> str: ...
    def handovers(self, *, coupling: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def index_build(self, *, threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> str: ...
    def index_drop(self, *, all: Optional[bool] = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> str: ...
    def index_info(self, *, verify: Optional[bool] = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def info(self, *, threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def messages(self, *, window: _Value = ..., messages: _Value = ..., unmatched: Optional[bool] = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def metrics(self, *, samples: Optional[bool] = ..., metric: _Value = ..., window: _Value = ...,
        threads: _Value = ..., correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ...,
        index_dir: _Value = ..., index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def model(self, *, metric: _Value = ..., parameter: _Value = ..., at: _Value = ...,
        inclusive: Optional[bool] = ..., top: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def predict(self, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
        collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
        recorded_only: Optional[bool] = ..., map: _Value = ..., bandwidth: _Value = ..., latency: _Value = ...,
        concurrent: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def profile(self, *, by: _Value = ..., group_by: _Value = ..., metric: _Value = ..., window: _Value = ...,
        top: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def project(self, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
        where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ...,
        budget: _Value = ..., align: _Value = ..., seed: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def query(self, query: _Value, *, dialect: _Value = ..., semantics: _Value = ..., squash: Optional[bool] = ...,
        as_query: Optional[bool] = ..., window: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def rank(self, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
        collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
        recorded_only: Optional[bool] = ..., metric: _Value, top: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def remap(self, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
        collectives: _Value = ..., window: _Value = ..., method: _Value = ..., objective: _Value = ...,
        time: _Value = ..., steps: _Value = ..., seed: _Value = ..., routing: _Value = ..., pin: _Value = ...,
        together: _Value = ..., apart: _Value = ..., free_nodes: _Value = ..., max_moved: _Value = ...,
        capacity: _Value = ..., cores_per_socket: _Value = ..., socket_capacity: _Value = ..., nodes: _Value = ...,
        changes: _Value = ..., launcher: _Value = ..., output: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def reroute(self, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
        collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
        recorded_only: Optional[bool] = ..., pair: _Value = ..., top_links: _Value = ..., criterion: _Value = ...,
        tolerance: _Value = ..., strategy: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def routes(self, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
        collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
        recorded_only: Optional[bool] = ..., pair: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def series(self, *, metric: _Value = ..., entity: _Value = ..., time: _Value = ..., per: _Value = ...,
        where: _Value = ..., messages: _Value = ..., bins: _Value = ..., by_region: _Value = ...,
        shape: _Value = ..., threads: _Value = ..., correct_clocks: Optional[bool] = ...,
        no_index: Optional[bool] = ..., index_dir: _Value = ..., index_limit: _Value = ...,
        progress: _Progress = ...) -> Any: ...
    def traffic(self, *, topology: _Value, ranks_per_node: _Value = ..., placement: _Value = ...,
        collectives: _Value = ..., window: _Value = ..., routing: _Value = ..., routes: _Value = ...,
        recorded_only: Optional[bool] = ..., top: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
    def waits(self, *, by: _Value = ..., window: _Value = ..., messages: _Value = ..., threads: _Value = ...,
        correct_clocks: Optional[bool] = ..., no_index: Optional[bool] = ..., index_dir: _Value = ...,
        index_limit: _Value = ..., progress: _Progress = ...) -> Any: ...
