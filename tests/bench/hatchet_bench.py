#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets skein-cli beside Hatchet (a Python that can `import hatchet`): reads exported trees back, and asks both the same.

usage: hatchet_bench.py BUILD [--nodes N] [ARCHIVE...]
BUILD is the folder of a release build. Every ARCHIVE (default: those of examples/) is exported as a literal and read by
GraphFrame.from_literal: as many nodes, and the same sum. Then queries on a random tree of N call paths (default 50000): the nodes of both must be
the same. Hatchet's time is that of its filter alone, skein-cli's that of the whole command; the query alone is
`skein_bench --benchmark_filter=queryTree`.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import hatchet

QUERIES = [
    'MATCH ("*")->(n) WHERE n."name" STARTS WITH "f1"',
    'MATCH (p)->("*", q)->(r) WHERE p."name" = "f7" AND q."time" > 0.2 AND r."name" ENDS WITH "9"',
    'MATCH ("+", a)->(b) WHERE a."time" > 0.5 AND b."name" CONTAINS "22"',
]


def count(nodes):
    return sum(1 + count(node.get("children", [])) for node in nodes)


def total(nodes, metric):
    return sum(node["metrics"].get(metric, 0) + total(node.get("children", []), metric) for node in nodes)


def read_back(skein, archive, folder):
    """Whether Hatchet reads the exported tree as it is written."""
    file = folder / "tree.json"
    subprocess.run([skein, "export", archive, "-o", file], check=True, capture_output=True)
    literal = json.loads(file.read_text())
    frame = hatchet.GraphFrame.from_literal(literal).dataframe
    metric = next(name[: -len(" (inc)")] for name in frame.columns if name.endswith(" (inc)"))
    same = count(literal) == len(frame) and math.isclose(total(literal, metric), frame[metric].sum(), rel_tol=1e-9)
    print(f"{archive}: {len(frame)} nodes, {metric} {frame[metric].sum():.6g}: {'same' if same else 'DIFFERENT'}")
    return same


def random_tree(size):
    random.seed(3)
    nodes = []
    for number in range(size):
        node = {"frame": {"name": "main", "type": "function"}, "metrics": {"time": round(random.random(), 6)}, "children": []}
        if number > 0:
            siblings = nodes[random.randrange(max(0, number - 400), number)]["children"]
            name = f"f{random.randrange(300)}"
            while any(name == sibling["frame"]["name"] for sibling in siblings):
                name = f"f{random.randrange(100000)}"
            node["frame"]["name"] = name
            siblings.append(node)
        nodes.append(node)
    for node in reversed(nodes):
        node["metrics"]["time (inc)"] = node["metrics"]["time"] + sum(c["metrics"]["time (inc)"] for c in node["children"])
    return [nodes[0]]


def ask(skein, file, frame, query):
    start = time.perf_counter()
    found = frame.filter(query, squash=False).dataframe.index
    theirs = time.perf_counter() - start
    paths = sorted(tuple(node.frame["name"] for node in one.path()) for one in found)
    start = time.perf_counter()
    printed = subprocess.run([skein, "query", file, query, "--format", "json"], check=True, capture_output=True, text=True)
    ours = time.perf_counter() - start
    same = paths == sorted(tuple(node["path"]) for node in json.loads(printed.stdout))
    print(f"{query}\n  {len(paths)} nodes, {'same' if same else 'DIFFERENT'}: Hatchet {theirs:.2f} s, skein-cli {ours:.2f} s in all")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("archives", nargs="*", type=pathlib.Path)
    parser.add_argument("--nodes", type=int, default=50000)
    arguments = parser.parse_args()
    skein = arguments.build / "bin" / "skein-cli"
    archives = arguments.archives or [
        pathlib.Path("examples") / name
        for name in ("heatflow-16x2/trace-otf2", "lulesh-8/trace-otf2", "lulesh-8/profile-merged")
    ]
    sys.setrecursionlimit(100000)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        same = [read_back(skein, archive, folder) for archive in archives]
        file = folder / "random.json"
        literal = random_tree(arguments.nodes)
        file.write_text(json.dumps(literal))
        frame = hatchet.GraphFrame.from_literal(literal)
        same += [ask(skein, file, frame, query) for query in QUERIES]
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
