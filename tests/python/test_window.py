# SPDX-License-Identifier: GPL-3.0-or-later
"""A window of the offscreen platform that a script shares its state with."""

import json
import os
import socket
import tempfile
import threading
import time
import unittest
from typing import Any, Callable, Dict, List

import numpy as np
import skein
from places import HEATFLOW, LULESH
from skein import _window


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("this did not happen within 30 s")
        time.sleep(0.05)


@unittest.skipUnless(os.environ.get("SKEIN_PROGRAM"), "the window was not built")
class InAWindow(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        os.chmod(cls.folder.name, 0o700)
        os.environ["XDG_RUNTIME_DIR"] = cls.folder.name
        os.environ["XDG_CONFIG_HOME"] = os.path.join(cls.folder.name, "config")
        cls.window = skein.window(HEATFLOW, timeout=120)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.window.close()
        cls.folder.cleanup()

    def test_the_same_window_is_found_again(self) -> None:
        again = skein.window(HEATFLOW)
        self.assertEqual(again.pid, self.window.pid)
        again.span = (1_000_000_000, 1_500_000_000)
        again.close()  # which did not start it
        self.assertEqual(self.window.span, (1_000_000_000, 1_500_000_000))
        self.assertTrue(self.window.is_open)
        self.assertEqual([one["pid"] for one in skein.windows()], [self.window.pid])

    def test_it_is_found_under_other_paths_of_the_archive(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "another name")
            os.symlink(os.path.realpath(HEATFLOW), link)
            copy = os.path.join(folder, "run")
            os.symlink(os.path.dirname(os.path.realpath(HEATFLOW)), copy)
            inside = [name for name in os.listdir(HEATFLOW) if name.endswith(".otf2")]
            for other in (link, os.path.join(HEATFLOW, inside[0]), os.path.join(link, inside[0]),
                          os.path.join(copy, os.path.basename(os.path.realpath(HEATFLOW)))):
                again = skein.window(other)
                self.assertEqual(again.pid, self.window.pid, other)
                again.disconnect()

    def test_messages_and_links_are_selected(self) -> None:
        window = self.window
        window.select(messages=[5, 2], links=[3, 1, 3])
        lists = window.selection().attrs["selection"]
        self.assertEqual((lists["messages"], lists["links"]), ([[0, 2], [0, 5]], [1, 3]))
        with self.assertRaises(skein.Error):
            window.select(messages=[1 << 31])
        with self.assertRaises(skein.Error):
            window.select(links=[-1])
        self.assertEqual(window.selection().attrs["selection"]["links"], [1, 3])
        window.select()

    def test_state_goes_both_ways(self) -> None:
        window = self.window
        window.marked = (5_000, 6_000)
        self.assertEqual(window.marked, (5_000, 6_000))
        window.marked = None
        self.assertIsNone(window.marked)
        tree = window.archive().call_tree
        allreduce = tree.index[tree["name"] == "MPI_Allreduce()"]
        window.select(allreduce)
        selected = window.selection()
        self.assertEqual(selected["call_path"].tolist(), allreduce.tolist())
        self.assertTrue(selected["path"][0].endswith("> MPI_Allreduce()"))
        window.select(selected)
        self.assertEqual(window.selection()["call_path"].tolist(), allreduce.tolist())
        window.select(calls=[(3, 7)], rank_pairs=[(0, 1)])
        lists = window.selection().attrs["selection"]
        self.assertEqual((lists["calls"], lists["rank_pairs"]), ([[0, 3, 7]], [[0, 0, 1]]))
        window.select()
        self.assertEqual(len(window.selection()), 0)

    def test_a_number_of_numpy_is_a_call_path(self) -> None:
        self.window.select(np.uint32(2))
        self.assertEqual(self.window.selection()["call_path"].tolist(), [2])
        self.window.select()

    def test_several_threads_may_ask_at_once(self) -> None:
        codes: List[str] = []

        def ask() -> None:
            for _ in range(10):
                try:
                    self.window._ask("dance", text="x" * 1_000_000)
                except skein.Error as error:
                    codes.append(error.code)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(codes, ["invalid argument"] * 40)

    def test_prunes_come_back_as_a_query(self) -> None:
        window = self.window
        archive = window.archive()
        window.query = 'MATCH ("*")->(n) WHERE n."name" STARTS WITH "MPI"'
        self.assertIn("MPI", window.query)
        window.query = ""
        tree = archive.call_tree
        pruned = tree.index[tree["name"].str.startswith("MPI_Wait")].tolist()
        window.prune(removed=pruned)
        self.assertEqual(window.prunes(), {"collapsed": [], "removed": pruned})
        found = archive.query(window.pruned_query())
        self.assertEqual(len(found), len(archive.query('MATCH ("*")')) - len(pruned))
        self.assertFalse(found["name"].str.startswith("MPI_Wait").any())
        window.prune()

    def test_derived_metrics_are_shown(self) -> None:
        window = self.window
        tree = window.archive().call_tree
        frame = tree[["depth"]].astype(float).rename(columns={"depth": "weight"})
        window.show_metrics(frame, unit="1")
        window.metric = "weight"
        self.assertEqual(window.metric, "weight")
        window.metric = None
        with self.assertRaises(TypeError):
            window.show_metrics([1, 2])
        with self.assertRaises(skein.Error):
            window.show_metrics(frame.set_axis([10**6] * len(frame)))

    def test_changes_call_back_on_request(self) -> None:
        heard: List[Dict[str, Any]] = []
        other = skein.window(HEATFLOW)
        other.span = (1, 1_000)
        self.window.on_change(heard.append)
        other.span = (2, 2_000)
        wait_until(lambda: any(event.get("state", {}).get("span") == [2, 2_000] for event in heard))
        self.assertTrue(all(event["by_script"] for event in heard if event["event"] == "changed"))
        self.window.on_change(None)
        heard.clear()
        other.span = (3, 3_000)
        self.assertEqual(self.window.span, (3, 3_000))
        self.assertEqual(heard, [])
        other.disconnect()
        with self.assertRaises(skein.Error):
            other.span
        self.assertFalse(other.is_open)

    def test_a_callback_that_asks_is_told_so(self) -> None:
        asked: List[BaseException] = []

        def ask(_: Dict[str, Any]) -> None:
            try:
                self.window.span
            except skein.Error as error:
                asked.append(error)

        self.window.on_change(ask)
        self.window.span = (4, 4_000)
        wait_until(lambda: bool(asked))
        self.window.on_change(None)

    def test_wrong_input(self) -> None:
        window = self.window
        for wrong in ((5, 5), (7, 2)):
            with self.assertRaises(skein.Error):
                window.span = wrong
        with self.assertRaises((TypeError, ValueError)):
            window.span = "all"
        with self.assertRaises(TypeError):
            window.query = 3
        with self.assertRaises(skein.Error):
            window.select([10**6])
        with self.assertRaises(skein.Error):
            window.metric = "no such metric"
        with self.assertRaises(TypeError):
            window.on_change(5)
        with self.assertRaises(skein.Error):
            skein.window("no/such/archive")
        with self.assertRaises(skein.Error):
            window.open(os.path.join(self.folder.name, "nothing"))

    def test_a_second_window_is_closed_under_way(self) -> None:
        second = skein.window(LULESH, timeout=120)
        self.assertNotEqual(second.pid, self.window.pid)
        self.assertEqual(len(skein.windows()), 2)
        failed: List[BaseException] = []

        def ask_on() -> None:
            try:
                while True:
                    second.span
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=ask_on)
        thread.start()
        second.close()
        thread.join(30)
        self.assertIsInstance(failed[0], skein.Error)
        with self.assertRaises(skein.Error):
            second.select([0])
        wait_until(lambda: len(skein.windows()) == 1)


class OthersSockets(unittest.TestCase):
    """Files and sockets that somebody else may have laid there."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        before = os.environ.get("XDG_RUNTIME_DIR")
        self.addCleanup(lambda: os.environ.__setitem__("XDG_RUNTIME_DIR", before) if before
                        else os.environ.pop("XDG_RUNTIME_DIR", None))
        os.environ["XDG_RUNTIME_DIR"] = self.folder.name
        self.place = os.path.join(self.folder.name, "skein")
        os.mkdir(self.place, 0o700)

    def write(self, address: Any, mode: int = 0o600) -> None:
        path = os.path.join(self.place, f"window-{os.getpid()}.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(address if isinstance(address, str) else json.dumps(address))
        os.chmod(path, mode)

    def address(self) -> Dict[str, Any]:
        return {"skein": 1, "pid": os.getpid(), "socket": os.path.join(self.place, "window.sock"), "token": "t",
                "paths": [os.path.realpath(HEATFLOW)]}

    def test_what_is_open_to_others_is_not_trusted(self) -> None:
        self.write(self.address())
        os.chmod(self.place, 0o755)
        with self.assertRaises(skein.Error) as raised:
            skein.window(HEATFLOW)
        self.assertEqual(raised.exception.code, "access denied")

    def test_files_that_are_no_addresses_are_passed_over(self) -> None:
        for text in ("", "[]", "{", '{"pid": "x"}', '{"pid": 999999999, "socket": "a", "token": "b"}'):
            self.write(text)
            self.assertEqual(skein.windows(), [])
        self.write(self.address(), 0o644)
        self.assertEqual(_window.addresses(), [])

    def serve(self, *answers: bytes) -> None:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(self.address()["socket"])
        listening.listen(1)
        self.addCleanup(listening.close)

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                for text in answers:
                    connection.recv(4096)
                    connection.sendall(text)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        self.write(self.address())

    def test_a_socket_that_nobody_serves(self) -> None:
        self.write(self.address())
        with self.assertRaises(skein.Error) as raised:
            skein.window(HEATFLOW)
        self.assertEqual(raised.exception.code, "window")

    def test_a_window_that_refuses_or_says_nonsense_or_goes(self) -> None:
        for said in (b'{"ok": false, "error": "No."}\n', b"nonsense\n", b"[1]\n", b""):
            with self.subTest(said):
                self.serve(said)
                with self.assertRaises(skein.Error):
                    skein.window(HEATFLOW, timeout=5)
                os.unlink(self.address()["socket"])

    def test_a_window_that_goes_after_its_welcome(self) -> None:
        self.serve(b'{"ok": true, "skein": 1}\n', b"not an answer\n")
        window = skein.window(HEATFLOW, timeout=5)
        with self.assertRaises(skein.Error):
            window.span
        with self.assertRaises(skein.Error):
            window.span
        window.disconnect()


if __name__ == "__main__":
    unittest.main()
