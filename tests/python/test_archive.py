# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays and frames of open archives, against the numbers of skein-cli and against each other."""

import gc
import json
import os
import resource
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
import pandas as pd
import skein
from skein import _archive, _frames, _graphs
from places import EZTRACE, HEATFLOW, LULESH, LULESH_PROFILE, cli


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


class Columns(unittest.TestCase):
    def setUp(self) -> None:
        self.archive = skein.open(LULESH)

    def test_calls_are_the_columns_of_the_trace(self) -> None:
        calls, again = self.archive.calls(3), self.archive.calls(3)
        for name in ("begin_ns", "end_ns", "call_path", "depth"):
            array = getattr(calls, name)
            self.assertEqual(address(array), address(getattr(again, name)))
            self.assertFalse(array.flags.owndata)
        frame = calls.frame()
        self.assertTrue(np.shares_memory(frame["begin_ns"].to_numpy(), calls.begin_ns))
        total = sum(len(self.archive.calls(location)) for location in range(len(self.archive.locations)))
        info = json.loads(cli(["info", "--format=json", LULESH]).stdout)
        self.assertEqual(total, info["intervals"])

    def test_calls_are_nested_in_preorder(self) -> None:
        calls = self.archive.calls(0)
        self.assertTrue((np.diff(calls.begin_ns) >= 0).all())
        self.assertTrue((calls.end_ns >= calls.begin_ns).all())
        stack: list = []
        for row in range(len(calls)):
            del stack[calls.depth[row]:]
            if stack:
                self.assertLessEqual(calls.end_ns[row], calls.end_ns[stack[-1]])
                parent = self.archive.call_tree["parent"][calls.call_path[row]]
                self.assertEqual(parent, calls.call_path[stack[-1]])
            stack.append(row)

    def test_arrays_cannot_be_written(self) -> None:
        begin = self.archive.calls(0).begin_ns
        with self.assertRaises(ValueError):
            begin[0] = 1
        with self.assertRaises(ValueError):
            begin.setflags(write=True)
        with self.assertRaises(ValueError):
            self.archive.message_table["bytes"][0] = 1

    def test_arrays_outlive_their_archive(self) -> None:
        begin = self.archive.calls(0).begin_ns
        messages = self.archive.message_table
        before = begin.tolist(), messages["bytes"].tolist()
        self.archive = None
        gc.collect()
        self.assertEqual((begin.tolist(), messages["bytes"].tolist()), before)

    def test_messages_are_those_of_the_command_line(self) -> None:
        table, rows = self.archive.message_table, self.archive.messages()
        ranks = self.archive.locations["rank"].to_numpy()
        self.assertEqual(len(table), 1136)
        self.assertEqual(ranks[table["sender"]].tolist(), rows["sender"].tolist())
        self.assertEqual(ranks[table["receiver"]].tolist(), rows["receiver"].tolist())
        for array, column in (("send_ns", "send_ns"), ("receive_ns", "receive_ns"), ("bytes", "bytes")):
            self.assertEqual(table[array].tolist(), rows[column].tolist())
        self.assertTrue((table["send_end_ns"] == skein.NO_TIME).all())

    def test_a_call_frame_sums_up_to_the_profile(self) -> None:
        frame = self.archive.call_frame()
        frame["length"] = frame["end_ns"] - frame["begin_ns"]
        profile = self.archive.profile(by="region").set_index("name")
        for name in ("MPI_Allreduce()", "MPI_Wait()"):
            calls = frame[frame["name"] == name]
            self.assertEqual(len(calls), profile["calls"][name])
            self.assertEqual(calls["length"].sum(), profile["inclusive_ns"][name])
        some = self.archive.call_frame([0, 2], window=(580_000_000, 590_000_000))
        self.assertEqual(set(some["location"]), {0, 2})
        self.assertTrue((some["end_ns"] > 580_000_000).all() and (some["begin_ns"] < 590_000_000).all())

    def test_metric_streams_share_their_values(self) -> None:
        samples = 0
        for stream in self.archive.metric_streams:
            samples += len(stream.times_ns) * len(stream.metrics)
            for name in stream.metrics:
                values = stream.values(name)
                self.assertTrue(np.shares_memory(values, stream.bits))
                self.assertFalse(values.flags.writeable)
        printed = self.archive.metrics(samples=True)
        first = self.archive.metric_streams[0]
        self.assertEqual(samples, len(printed))
        rows = printed[printed["metric"] == first.metrics[0]]
        self.assertTrue(set(first.values(0).astype(float)) <= set(rows["value"].astype(float)))

    def test_the_extent_is_that_of_info(self) -> None:
        info = self.archive.info()
        self.assertEqual(self.archive.extent, (info["begin_ns"], info["end_ns"]))


class Sums(unittest.TestCase):
    def test_the_communication_matrix(self) -> None:
        for path in (LULESH, LULESH_PROFILE):
            archive = skein.open(path)
            matrix = archive.comm_matrix()
            rows = archive.comm()
            self.assertEqual(matrix.ranks, 8)
            for name in ("sender", "receiver", "messages", "bytes"):
                self.assertEqual(matrix.entries[name].tolist(), rows[name].tolist())
            dense = matrix.to_numpy()
            self.assertEqual(dense.sum(), rows["bytes"].sum())
            self.assertEqual((matrix.to_scipy_sparse().toarray() == dense).all(), True)

    def test_a_window_of_the_communication_matrix(self) -> None:
        archive = skein.open(LULESH)
        window = (580_000_000, 600_000_000)
        table = archive.message_table
        inside = table[(table["send_ns"] >= window[0]) & (table["send_ns"] < window[1])]
        self.assertEqual(int(archive.comm_matrix(window).entries["bytes"].sum()), int(inside["bytes"].sum()))

    def test_wait_states(self) -> None:
        archive = skein.open(HEATFLOW)
        states = archive.wait_states()
        rows = archive.waits(by="kind")
        found = {}
        for number, kind in enumerate(skein.WAIT_KINDS):
            mine = states[states["kind"] == number]
            if len(mine):
                found[kind] = (len(mine), int((mine["end_ns"] - mine["begin_ns"]).sum()))
        printed = {row["kind"]: (row["count"], row["wait_ns"]) for _, row in rows.iterrows()}
        self.assertEqual(found, {kind: both for kind, both in printed.items() if both[0] > 0})

    def test_cubes_sum_up_to_the_profile(self) -> None:
        for path in (HEATFLOW, LULESH_PROFILE):
            archive = skein.open(path)
            cube = archive.cubes()["region"]
            metric = next(iter(cube.inclusive))
            rows = archive.profile(by="region")
            sums = cube.frame().assign(name=archive.regions["name"].to_numpy(dtype=object)[cube.items])
            sums = sums.groupby("name")[metric].sum()
            for _, row in rows.head(8).iterrows():
                self.assertEqual(round(sums[row["name"]], 3), row["exclusive_ns"])

    def test_collectives_have_their_members(self) -> None:
        archive = skein.open(EZTRACE)
        operations, members = archive.collective_table, archive.collective_members
        self.assertGreater(len(operations), 0)
        for operation in operations:
            first, count = int(operation["first_member"]), int(operation["members"])
            mine = members[first:first + count]
            self.assertEqual(operation["begin_ns"], mine["begin_ns"].min())
            self.assertEqual(operation["end_ns"], mine["end_ns"].max())
        self.assertEqual(skein.COLLECTIVE_KINDS[operations["kind"][0]], "barrier")

    def test_a_machine(self) -> None:
        machine = skein.machine("torus:4x4")
        self.assertEqual((machine.nodes, machine.vertices, machine.dimensions), (16, 16, [4, 4]))
        self.assertEqual(len(machine.source), 16 * 4)
        self.assertEqual((machine.to_scipy_sparse().sum(axis=1) == 4).all(), True)

    def test_series_as_a_frame(self) -> None:
        archive = skein.open(HEATFLOW)
        series = archive.series_frame("calls:compute_tile", bins=50)
        self.assertEqual(series.shape, (50, 16))
        profile = archive.profile(by="region")
        tile = profile[profile["name"].str.startswith("compute_tile")]
        self.assertEqual(series.to_numpy().sum(), tile["calls"].sum())

    def test_several_archives_at_once(self) -> None:
        first, second = skein.open(LULESH, LULESH_PROFILE)
        self.assertTrue(first.has_trace and not second.has_trace)
        rows = skein.comm([first, second])
        self.assertEqual(set(rows["experiment"]), {LULESH, LULESH_PROFILE})


class Exact(unittest.TestCase):
    """No digit of a whole number is lost, and no byte of a path."""

    def test_large_whole_numbers_stay_whole(self) -> None:
        largest = 2**53 + 1  # the first that a double does not hold
        for values, kind in (([largest, 1], "int64"), ([largest, None], "Int64"), ([2**64 - 1, 0], "uint64"),
                             ([2**64 - 1, None], "UInt64"), ([-2**63, 2**63 - 1], "int64"), ([largest, 0.5], "object"),
                             ([-1, 2**64 - 1], "object"), ([2**65, 1], "object"), ([1, 0.5], "float64"),
                             ([2**60, 0.5], "float64")):
            rows = [{"number": value} for value in values]
            frame = _frames.frame(rows)
            self.assertEqual(str(frame["number"].dtype), kind, values)
            self.assertEqual(_frames.plain(frame), rows)
            report = _frames.result(json.dumps({"rows": rows}).encode())
            self.assertEqual(_frames.plain(report), {"rows": rows})

    def test_columns_of_later_rows_are_not_lost(self) -> None:
        frame = _frames.frame([{"a": 1}, {"a": 2, "b": "x"}])
        self.assertEqual(list(frame.columns), ["a", "b"])
        self.assertEqual(frame["b"].tolist(), [None, "x"])

    def test_sums_of_whole_numbers_are_exact(self) -> None:
        values = np.array([2**60, 1, 2**53 + 1], dtype=np.uint64)
        self.assertEqual(_graphs._sums(np.array([0, 0, 2]), values, 3).tolist(), [2**60 + 1, 0, 2**53 + 1])

    def test_numbers_that_name_nothing_have_no_name(self) -> None:
        names = _archive._named(pd.Series(["a", "b"], dtype=object), np.array([1, skein.NONE, 0, 2], dtype=np.uint32))
        self.assertEqual(names.tolist(), ["b", "", "a", ""])
        nothing = _archive._named(pd.Series([], dtype=object), np.array([0], dtype=np.uint32))
        self.assertEqual(nothing.tolist(), [""])
        self.assertEqual(_archive._named(pd.Series([], dtype=float), np.array([], dtype=np.uint32)).tolist(), [])

    def test_an_archive_without_call_paths(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hopbyte.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("src dst bytes hops\n0 1 100 1\n1 0 200 1\n")
            archive = skein.open(path, index=False)
            self.assertEqual(len(archive.call_tree), 0)
            self.assertEqual(list(archive.call_tree.columns), ["parent", "region", "call_site", "depth", "name"])
            self.assertEqual(archive.comm_matrix().to_numpy().tolist(), [[0, 100], [200, 0]])
            for ask in (archive.tree, archive.timeline, archive.to_networkx):
                with self.assertRaises(skein.Error):
                    ask()

    def test_metrics_that_a_stream_does_not_have(self) -> None:
        stream = skein.MetricStream(0, ["a"], np.zeros(1, np.int64), np.zeros((1, 1), np.uint64), ["<u8"])
        self.assertEqual(stream.values("a").tolist(), [0])
        for wrong in ("b", 1, -1):
            with self.assertRaises(skein.Error) as raised:
                stream.values(wrong)
            self.assertTrue(str(raised.exception).endswith("."))
        with self.assertRaises(TypeError):
            stream.values(None)
        with self.assertRaises(skein.Error):
            skein.open(LULESH).comm_matrix().to_numpy("moons")

    def test_a_path_that_is_no_utf_8(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(os.fsencode(folder), b"run\xff\xe9")
            shutil.copytree(os.fsencode(LULESH), place)
            expected = skein.profile(LULESH, by="region")
            for path in (place, os.fsdecode(place)):
                archive = skein.open(path, index_dir=os.path.join(folder, "indexes"))
                self.assertEqual(os.path.dirname(os.fsencode(archive.path)), place)
                self.assertNotIn("\udcff", repr(archive))
                self.assertTrue(archive.profile(by="region").equals(expected))
                self.assertTrue(skein.profile(path, by="region", no_index=True).equals(expected))
            with self.assertRaises(skein.Error) as raised:
                skein.open(place + b"no")
            self.assertIn("run\ufffd", str(raised.exception))
            with self.assertRaises(skein.Error) as raised:
                skein.window(place)
            self.assertIn("UTF-8", str(raised.exception))


class Memory(unittest.TestCase):
    """Millions of calls cost no memory of their own when they become arrays and frames."""

    def test_arrays_of_many_calls_are_no_copies(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "big")
            generator = os.environ["SKEIN_GENERATOR"]
            subprocess.run([generator, "--ranks", "8", "--events", "1000000", path], check=True, capture_output=True)
            archive = skein.open(path, index_dir=os.path.join(folder, "indexes"))
            locations = range(len(archive.locations))
            archive.calls(0).frame()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            frames = [archive.calls(location).frame() for location in locations]
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
            rows = sum(len(frame) for frame in frames)
            self.assertGreater(rows, 300_000)
            # 22 bytes a call would be copied.
            self.assertLess(grown, rows * 22 // 4)


if __name__ == "__main__":
    unittest.main()
