# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong input, vanished files, interrupts and progress: exceptions, never a crash."""

import gc
import os
import shutil
import signal
import tempfile
import threading
import time
import unittest
import warnings

import skein
from places import HEATFLOW, LULESH, LULESH_PROFILE


class WrongInput(unittest.TestCase):
    def test_paths_that_are_none(self) -> None:
        with self.assertRaises(skein.Error) as raised:
            skein.open("no/such/archive")
        self.assertIn("no/such/archive", str(raised.exception))
        self.assertEqual(raised.exception.code, "not found")
        for wrong in (7, None, 1.5, object(), ["a"]):
            with self.assertRaises(TypeError):
                skein.open(wrong)
        with self.assertRaises(skein.Error):
            skein.open("a\0b")
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(skein.Error) as raised:
            skein.open(folder)
        self.assertEqual(raised.exception.code, "not recognized")

    def test_what_an_archive_does_not_have(self) -> None:
        profile = skein.open(LULESH_PROFILE)
        for ask in (profile.calls, lambda: profile.message_table, profile.wait_states, profile.timeline,
                    lambda: profile.metric_streams, lambda: profile.extent, profile.scatter):
            with self.assertRaises(skein.Error) as raised:
                ask()
            self.assertTrue(str(raised.exception).endswith("."), raised.exception)
        trace = skein.open(LULESH)
        for location in (8, 2**40):
            with self.assertRaises(skein.Error):
                trace.calls(location)
        for wrong in (-1,):
            with self.assertRaises(skein.Error):
                trace.calls(wrong)
        for wrong in ("0", 1.5, None):
            with self.assertRaises(TypeError):
                trace.calls(wrong)
        with self.assertRaises(skein.Error):
            trace.table("moons")
        with self.assertRaises(skein.Error):
            trace.comm_matrix((5, 5))
        with self.assertRaises(TypeError):
            trace.comm_matrix("1s:2s")

    def test_wrong_arguments_of_commands(self) -> None:
        with self.assertRaises(TypeError):
            skein.profile(LULESH, moons=3)
        with self.assertRaises(TypeError):
            skein.profile()
        with self.assertRaises(TypeError):
            skein.profile(LULESH, by=object())
        with self.assertRaises(TypeError):
            skein.check(None, LULESH)
        with self.assertRaises(TypeError):
            skein.collectives(LULESH, members="yes")
        with self.assertRaises(ValueError):
            skein.profile(LULESH, by="a\0b")
        with self.assertRaises(skein.Error) as raised:
            skein.profile(LULESH, by="moons")
        self.assertEqual(raised.exception.code, "usage")
        with self.assertRaises(skein.Error) as raised:
            skein.profile(LULESH, metric="no such metric")
        self.assertIn("no such metric", str(raised.exception))
        with self.assertRaises(skein.Error):
            skein.profile("--help")
        with self.assertRaises(skein.Error):
            skein.run("info", LULESH, "--memory-limit=1GiB")
        with self.assertRaises(skein.Error):
            skein.query(LULESH, 'MATCH (')
        with self.assertRaises(skein.Error):
            skein.machine("torus:0x4")
        with self.assertRaises(TypeError):
            skein.Archive(None)
        with self.assertRaises(skein.Error):
            skein.open(LULESH).tree(query="MATCH (")
        with self.assertRaises(skein.Error):
            skein.open(LULESH).matrix(value="moons")
        with self.assertRaises(skein.Error):
            skein.open(LULESH).timeline(width=0)

    def test_a_file_that_vanishes_and_one_that_shrinks(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy")
            shutil.copytree(LULESH, copy)
            archive = skein.open(copy, index_dir=os.path.join(folder, "indexes"))
            calls = archive.calls(0)
            before = calls.begin_ns.tolist()
            shutil.rmtree(copy)
            # What is open stays open; what is opened anew is gone.
            self.assertEqual(calls.begin_ns.tolist(), before)
            self.assertEqual(len(archive.profile(by="region")), len(skein.profile(LULESH, by="region")))
            with self.assertRaises(skein.Error):
                skein.open(copy)

    def test_lost_data_is_a_warning(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy")
            shutil.copytree(LULESH, copy)
            for place, _, names in os.walk(copy):
                for name in names:
                    if name == "6.evt":
                        path = os.path.join(place, name)
                        os.truncate(path, os.path.getsize(path) // 2)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                archive = skein.open(copy, index=False)
                frame = archive.profile(by="region")
            self.assertGreater(len(frame), 0)
            self.assertTrue(any(issubclass(one.category, skein.SkeinWarning) for one in caught))
            self.assertEqual(frame.attrs["exit_code"], 3)

    def test_archives_are_used_by_many_threads(self) -> None:
        archive = skein.open(HEATFLOW)
        expected = archive.profile(by="region")
        found, failed = [], []

        def work() -> None:
            try:
                for _ in range(3):
                    found.append(archive.profile(by="region").equals(expected))
                    archive.calls(0)
                    archive.timeline((0, 10_000_000))
            except BaseException as error:  # told by the main thread
                failed.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failed, found), ([], [True] * 12))
        del archive
        gc.collect()


class LongWork(unittest.TestCase):
    """A quadratic assignment problem is searched for as long as it may take."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.problem = os.path.join(folder.name, "problem.dat")
        size = 60
        rows = [[(7 * row * column + row + column) % 13 if row != column else 0 for column in range(size)]
                for row in range(size)]
        text = "\n".join(" ".join(map(str, row)) for row in rows)
        with open(self.problem, "w", encoding="utf-8") as file:
            file.write(f"{size}\n\n{text}\n\n{text}\n")

    def test_an_interrupt_stops_a_search(self) -> None:
        before = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
            signal.setitimer(signal.ITIMER_REAL, 1.0)
            skein.qap(self.problem, time=200)
        self.assertLess(time.monotonic() - before, 100)
        self.assertEqual(skein.open(HEATFLOW).info()["locations"], 32)

    def test_other_threads_run_meanwhile(self) -> None:
        counted = 0
        done = threading.Event()

        def count() -> None:
            nonlocal counted
            while not done.is_set():
                counted += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        skein.qap(self.problem, time=2)
        done.set()
        thread.join()
        self.assertGreater(counted, 20)

    def test_progress_is_told_and_its_exceptions_stop_the_work(self) -> None:
        told = []
        skein.qap(self.problem, time=1, progress=lambda fraction, stage: told.append((fraction, stage)))
        self.assertGreater(len(told), 1)
        self.assertTrue(all(0 <= fraction <= 1 for fraction, _ in told))

        def refuse(fraction: float, stage: str) -> None:
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            skein.qap(self.problem, time=200, progress=refuse)
        with self.assertRaises(TypeError):
            skein.open(LULESH, progress=7)


if __name__ == "__main__":
    unittest.main()
