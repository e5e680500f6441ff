# SPDX-License-Identifier: GPL-3.0-or-later
"""Round trips with SciPy, NetworkX and Hatchet."""

import json
import sys
import types
import unittest
from typing import Any, List

import skein
from places import HEATFLOW, LULESH


def importable(module: str) -> bool:
    try:
        __import__(module)
        return True
    except ImportError:
        return False


class Graphs(unittest.TestCase):
    @unittest.skipUnless(importable("networkx"), "NetworkX is absent")
    def test_ranks_as_a_graph(self) -> None:
        matrix = skein.open(LULESH).comm_matrix()
        graph = matrix.to_networkx()
        self.assertEqual((graph.number_of_nodes(), graph.number_of_edges()), (8, len(matrix.entries)))
        self.assertEqual(sum(edge["bytes"] for _, _, edge in graph.edges(data=True)), int(matrix.entries["bytes"].sum()))

    @unittest.skipUnless(importable("networkx"), "NetworkX is absent")
    def test_the_call_tree_as_a_graph(self) -> None:
        import networkx

        archive = skein.open(HEATFLOW)
        graph = archive.to_networkx()
        self.assertEqual(graph.number_of_nodes(), len(archive.call_tree))
        self.assertTrue(networkx.is_forest(graph))
        rows = archive.profile(by="callpath")
        own = sorted(data["exclusive"] for _, data in graph.nodes(data=True))
        self.assertAlmostEqual(sum(own), rows["exclusive_ns"].sum(), delta=1)
        for node, data in graph.nodes(data=True):
            below = sum(graph.nodes[child]["inclusive"] for child in graph.successors(node))
            self.assertAlmostEqual(data["inclusive"], data["exclusive"] + below, delta=1)

    @unittest.skipUnless(importable("networkx"), "NetworkX is absent")
    def test_a_machine_as_a_graph(self) -> None:
        import networkx

        machine = skein.machine("torus:4x4x4")
        graph = machine.to_networkx()
        self.assertEqual((graph.number_of_nodes(), graph.number_of_edges()), (64, 384))
        self.assertEqual(networkx.diameter(graph), 6)

    @unittest.skipUnless(importable("scipy"), "SciPy is absent")
    def test_sparse_matrices(self) -> None:
        matrix = skein.open(LULESH).comm_matrix()
        sparse = matrix.to_scipy_sparse("messages")
        self.assertEqual(sparse.shape, (8, 8))
        self.assertEqual(sparse.sum(), matrix.entries["messages"].sum())
        with self.assertRaises(skein.Error):
            matrix.to_scipy_sparse("moons")


class FakeGraphFrame:
    """What the package uses of a GraphFrame of Hatchet."""

    def __init__(self, literal: List[Any]) -> None:
        self.literal = literal

    @classmethod
    def from_literal(cls, literal: List[Any]) -> "FakeGraphFrame":
        return cls(literal)

    def to_json(self) -> str:
        return json.dumps(self.literal)


class Hatchet(unittest.TestCase):
    def test_where_hatchet_is_absent_a_sentence_says_so(self) -> None:
        if importable("hatchet"):
            self.skipTest("Hatchet is there")
        with self.assertRaises(skein.Error) as raised:
            skein.open(LULESH).to_hatchet()
        self.assertIn("Hatchet", str(raised.exception))

    def test_there_and_back(self) -> None:
        if not importable("hatchet"):
            # The form of its literals is Hatchet's; only its class is a stand-in.
            module = types.ModuleType("hatchet")
            module.GraphFrame = FakeGraphFrame  # type: ignore[attr-defined]
            sys.modules["hatchet"] = module
            self.addCleanup(sys.modules.pop, "hatchet")
        archive = skein.open(LULESH)
        back = skein.from_hatchet(archive.to_hatchet())
        here = archive.query('MATCH ("*")')
        there = back.query('MATCH ("*")')
        self.assertEqual(len(here), len(there))
        self.assertEqual(here["name"].tolist(), there["name"].tolist())
        for one, other in zip(here["time (inc)"], there["time (inc)"]):
            self.assertAlmostEqual(one, other, delta=1e-9)

    def test_something_else_than_a_graph_frame(self) -> None:
        with self.assertRaises(TypeError):
            skein.from_hatchet(7)


if __name__ == "__main__":
    unittest.main()
