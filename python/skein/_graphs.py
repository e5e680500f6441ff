# SPDX-License-Identifier: GPL-3.0-or-later
"""Round trips with SciPy, NetworkX and Hatchet, each where it can be imported."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy as np

from ._errors import Error

if TYPE_CHECKING:
    from ._archive import Archive, CommMatrix, Machine

_NONE = 0xFFFFFFFF


def _wanted(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Error(f"This needs {package}, which cannot be imported here ({error}).", "unsupported") from error


def matrix_value(value: str) -> None:
    if value not in ("bytes", "messages"):
        raise Error(f'A communication matrix has "bytes" and "messages", not "{value}".', "invalid argument")


def scipy_matrix(matrix: "CommMatrix", value: str) -> Any:
    matrix_value(value)
    sparse = _wanted("scipy.sparse", "SciPy")
    entries = matrix.entries
    places = (entries["sender"], entries["receiver"])
    return sparse.csr_matrix((entries[value], places), shape=(matrix.ranks, matrix.ranks))


def link_matrix(machine: "Machine") -> Any:
    sparse = _wanted("scipy.sparse", "SciPy")
    places = (machine.source, machine.target)
    return sparse.csr_matrix((machine.capacity, places), shape=(machine.vertices, machine.vertices))


def rank_graph(matrix: "CommMatrix") -> Any:
    graph = _wanted("networkx", "NetworkX").DiGraph()
    graph.add_nodes_from(range(matrix.ranks))
    for sender, receiver, messages, size in matrix.entries.tolist():
        graph.add_edge(sender, receiver, messages=messages, bytes=size)
    return graph


def machine_graph(machine: "Machine") -> Any:
    graph = _wanted("networkx", "NetworkX").MultiDiGraph()
    for vertex in range(machine.vertices):
        graph.add_node(vertex, router=vertex >= machine.nodes)
    links = zip(machine.source.tolist(), machine.target.tolist(), machine.capacity.tolist())
    for source, target, capacity in links:
        graph.add_edge(source, target, capacity=capacity)
    return graph


def _sums(items: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """The sum of every item, in the type of the values: whole numbers stay exact."""
    sums = np.zeros(size, dtype=values.dtype)
    np.add.at(sums, items, values)
    return sums


def tree_graph(archive: "Archive", metric: str, window: Optional[Tuple[int, int]]) -> Any:
    networkx = _wanted("networkx", "NetworkX")
    cube = archive.cubes(metric, window)["callpath"]
    tree = archive.call_tree
    name = metric or next(iter(cube.inclusive), "")
    if name not in cube.inclusive:
        raise Error(f'{archive.path} has no metric "{name}" by call path.', "not recorded")
    sums = {
        "calls": _sums(cube.items, cube.calls, len(tree)),
        "inclusive": _sums(cube.items, cube.inclusive[name], len(tree)),
        "exclusive": _sums(cube.items, cube.exclusive[name], len(tree)),
    }
    graph = networkx.DiGraph(metric=name)
    for node, (parent, region) in enumerate(zip(tree["parent"], tree["name"])):
        graph.add_node(node, name=region, **{key: amounts[node].item() for key, amounts in sums.items()})
        if parent != _NONE:
            graph.add_edge(int(parent), node)
    return graph


def to_hatchet(archive: "Archive", metric: Optional[str], window: Optional[Tuple[int, int]]) -> Any:
    hatchet = _wanted("hatchet", "Hatchet")
    from . import _commands

    literal = _commands.FUNCTIONS["export"](archive, to="hatchet", metric=metric, window=window)
    return hatchet.GraphFrame.from_literal(json.loads(literal))


def from_hatchet(graph_frame: Any) -> "Archive":
    """Opens a hatchet.GraphFrame as an archive: its tree, its metrics, its ranks."""
    from . import _archive

    if not hasattr(graph_frame, "to_json"):
        raise TypeError(f"a GraphFrame of Hatchet is wanted, not {type(graph_frame).__name__}")
    text = graph_frame.to_json()
    # Queries read such a file themselves: it stays as long as the archive.
    folder = tempfile.mkdtemp(prefix="skein-")
    path = os.path.join(folder, "graphframe.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))
    archive = _archive.open(path, index=False, progress=False)
    weakref.finalize(archive, shutil.rmtree, folder, ignore_errors=True)
    return archive
