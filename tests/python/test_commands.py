# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command of skein-cli as a function: the same numbers to the bit."""

import ast
import json
import os
import re
import tempfile
import unittest
from typing import Any, Dict, List, Tuple

import skein
from places import EZTRACE, HEATFLOW, LULESH, LULESH_PROFILE, SOURCE, cli, example
from skein import _commands, _frames, _native

MACHINE = {"topology": "torus:2x2", "ranks_per_node": 4}
SIM, ANA = example("workflow-12-4/sim/trace-otf2"), example("workflow-12-4/ana/trace-otf2")

# A call of every function: positional arguments, keyword arguments. None: nothing can be compared.
CASES: Dict[str, List[Tuple[List[Any], Dict[str, Any]]]] = {
    "anomalies": [([HEATFLOW], {"function": ["pack_halo", "compute_boundary"], "features": "time"})],
    "attributes": [([HEATFLOW], {})],
    "causality": [([HEATFLOW], {})],
    "causes": [([HEATFLOW], {"rank": 0, "function": "time_step", "call": 29})],
    "changes": [([HEATFLOW], {"alpha": 0.05})],
    "check": [([EZTRACE], {})],
    "clusters": [([HEATFLOW], {"k": 3, "seed": 7})],
    "collectives": [([EZTRACE], {"correct_clocks": True, "window": ":40ms"}), ([EZTRACE], {"members": True})],
    "comm": [([[LULESH, LULESH_PROFILE]], {}), ([HEATFLOW], {"group_by": "node", "order": "bandwidth"})],
    "compare": [([HEATFLOW, HEATFLOW], {"window_a": "1s:1500ms", "window_b": "1500ms:2s", "by": "region"}),
                ([HEATFLOW, LULESH], {"fail_if": ["total.time > 1%"], "by": "region"})],
    "critical_path": [([HEATFLOW], {"by": "rank"})],
    "efficiency": [([HEATFLOW], {"window": (1_000_000_000, 2_000_000_000)}), ([LULESH], {"by_region": "main"})],
    "export": [([LULESH], {"to": to}) for to in ("hatchet", "csv", "json", "folded", "speedscope")],
    "handovers": [([[SIM, ANA]], {})],
    "index_build": [([LULESH], {})],
    "index_info": [([LULESH], {"verify": True})],
    "index_drop": [],
    "index_list": [],
    "info": [([LULESH], {}), ([[LULESH, HEATFLOW]], {})],
    "map_launchers": [([], {})],
    "messages": [([LULESH], {"window": "580ms:581ms"}), ([EZTRACE], {"unmatched": True})],
    "metrics": [([LULESH], {}), ([LULESH], {"samples": True, "window": ":600ms"})],
    "predict": [([HEATFLOW], dict(MACHINE))],
    "profile": [([HEATFLOW], {"by": by, "window": (1_000_000_000, None)}) for by in
                ("region", "callpath", "location", "region-location")],
    "project": [([HEATFLOW], {"seed": 3})],
    "query": [([HEATFLOW, 'MATCH ("*")->(p) WHERE p."name" STARTS WITH "MPI"'], {}),
              ([HEATFLOW, '["*", {"name": "compute_.*"}]'], {"dialect": "object", "squash": True})],
    "rank": [([HEATFLOW], {**MACHINE, "metric": "link-bytes", "top": "10%"})],
    "remap": [([HEATFLOW], {**MACHINE, "steps": 2000, "seed": 5})],
    "reroute": [([HEATFLOW], dict(MACHINE))],
    "routes": [([HEATFLOW], dict(MACHINE))],
    "series": [([HEATFLOW], {})],
    "traffic": [([HEATFLOW], dict(MACHINE))],
    "waits": [([HEATFLOW], {"by": by}) for by in ("cause", "kind", "location", "region")],
}


def words_of(name: str, places: List[Any], options: Dict[str, Any]) -> List[str]:
    """The command line that stands for a call."""
    command = _commands.COMMANDS[name]
    bound = command.signature().bind(*places, **options)
    bound.apply_defaults()
    arguments = dict(bound.arguments)
    arguments.pop("progress", None)
    return command.arguments(arguments, _commands._Words())


def timeless(out: bytes) -> bytes:
    """What a command printed without how long its search took."""
    return re.sub(rb'"seconds": [0-9.e-]+', b'"seconds": 0', out)


def without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_seconds(part) for key, part in value.items() if key != "seconds"}
    return [without_seconds(part) for part in value] if isinstance(value, list) else value


class EveryCommand(unittest.TestCase):
    def compare(self, name: str, places: List[Any], options: Dict[str, Any]) -> None:
        words = words_of(name, places, options)
        printed = cli(words)
        code, out, err = _native.run(words, [], None)
        self.assertEqual((code, timeless(out)), (printed.returncode, timeless(printed.stdout)), printed.stderr)
        self.assertEqual(err, printed.stderr.decode())
        if code == 2:
            self.fail(err)
        value = skein.__dict__[name](*places, **options)
        if _commands.COMMANDS[name].prints_json:
            plain, expected = _frames.plain(value), json.loads(printed.stdout)
            self.assertEqual(without_seconds(plain), without_seconds(expected))
        else:
            self.assertEqual(value, printed.stdout.decode())

    def test_every_command_gives_what_the_program_prints(self) -> None:
        for name in sorted(_commands.COMMANDS):
            # A new command that takes an archive is tested without being told here.
            simple = [([HEATFLOW], {})] if _commands.takes_archive(name) else []
            cases = CASES.get(name, self.written_cases(name) or simple)
            self.assertTrue(cases or name in ("index_drop", "index_list"), f"{name} has no case")
            for places, options in cases:
                with self.subTest(name, options=options):
                    self.compare(name, places, options)

    def written_cases(self, name: str) -> List[Tuple[List[Any], Dict[str, Any]]]:
        """Those that need a file of their own."""
        if not hasattr(self, "folder"):
            self.folder = tempfile.TemporaryDirectory()
            self.addCleanup(self.folder.cleanup)
        path = os.path.join(self.folder.name, "map.txt")
        qap = os.path.join(self.folder.name, "three.dat")
        study = os.path.join(self.folder.name, "study.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"rank {rank}=node{rank % 4} slot={rank // 4}\n" for rank in range(16)))
        with open(qap, "w", encoding="utf-8") as file:
            file.write("4\n0 3 0 2\n3 0 0 1\n0 0 0 4\n2 1 4 0\n\n0 22 53 53\n22 0 40 62\n53 40 0 55\n53 62 55 0\n")
        with open(study, "w", encoding="utf-8") as file:
            file.write("PARAMETER p\nPOINTS 2 4 8 16 32\nREGION main\nMETRIC time\nDATA 1.0\nDATA 2.0\nDATA 4.0\n"
                       "DATA 8.0\nDATA 16.0\n")
        return {
            "map_check": [([path], {"from_": "openmpi"})],
            "map_convert": [([path], {"from_": "openmpi", "to": "slurm"})],
            "map_verify": [([path, HEATFLOW], {"from_": "openmpi", "all": True})],
            "model": [([study], {})],
            "qap": [([qap], {"steps": 1000, "seed": 1})],
        }.get(name, [])

    def test_an_open_archive_stands_for_its_path(self) -> None:
        archive = skein.open(HEATFLOW)
        for name, options in (("profile", {"by": "callpath"}), ("waits", {"by": "cause"}), ("info", {})):
            printed = cli(words_of(name, [HEATFLOW], options))
            value = getattr(archive, name)(**options)
            self.assertEqual(_frames.plain(value), json.loads(printed.stdout))
        two = skein.compare(archive, archive, window_a="1s:1500ms", window_b="1500ms:2s")
        words = words_of("compare", [HEATFLOW, HEATFLOW], {"window_a": "1s:1500ms", "window_b": "1500ms:2s"})
        self.assertEqual(_frames.plain(two), json.loads(cli(words).stdout))

    def test_the_output_as_text(self) -> None:
        table = skein.run("profile", "--by", "region", "--top", 3, HEATFLOW)
        self.assertEqual((table.exit_code, table.err), (0, ""))
        self.assertEqual(table.out.encode(), cli(["profile", "--by", "region", "--top", 3, HEATFLOW]).stdout)

    def test_functions_tell_their_arguments(self) -> None:
        for name in ("query", "compare", "profile", "traffic", "remap", "reroute", "changes", "clusters",
                     "causality"):
            function = getattr(skein, name)
            self.assertIn("Keyword arguments:", function.__doc__)
            self.assertGreater(len(function.__signature__.parameters), 3)

    def test_stubs_are_those_of_what_is_there(self) -> None:
        with open(os.path.join(SOURCE, "python", "skein", "__init__.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        told = {node.name: {a.arg for a in [*node.args.args, *node.args.kwonlyargs]}
                for node in tree.body if isinstance(node, ast.FunctionDef) and node.name != "open"}
        self.assertGreater(len(told), 30)
        for name, arguments in told.items():
            self.assertEqual(arguments, set(getattr(skein, name).__signature__.parameters), name)

    def test_notes_come_along(self) -> None:
        frame = skein.profile(HEATFLOW, by="callpath", window="1s:2s", top=3)
        self.assertIn("the window cuts 187 calls", frame.attrs["notes"][0])
        self.assertEqual(frame.attrs["exit_code"], 0)

    def test_whole_numbers_stay_whole(self) -> None:
        column = _frames.column
        self.assertEqual(column([2**63, 1]).dtype.name, "uint64")
        self.assertEqual(column([2**53 + 1, None])[0], 2**53 + 1)
        self.assertEqual(column([1, None]).dtype.name, "Int64")
        self.assertEqual(column([0.1, 3, None]).tolist()[:2], [0.1, 3.0])
        self.assertEqual(column([None, "a"]).tolist(), [None, "a"])
        self.assertEqual(column([2**64 - 1, -1]).tolist(), [2**64 - 1, -1])


if __name__ == "__main__":
    unittest.main()
