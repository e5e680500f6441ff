#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how far hop-bytes fall for every case of a folder, beside Scotch's gmap, and the gaps of QAPLIB problems.

  remap_table.py build/release/bin/skein-cli FOLDER [--times 2,10] [--only TEXT] [--qaplib FOLDER]

FOLDER holds facts.csv (name, dims, mesh_dims, ranks_per_node, machine) and hopbyte/NAME_hopbyte.txt.
"""
import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import tempfile
import time


def topology(fact):
    sizes = fact["dims"].split("x")
    if fact["machine"] == "Theta":
        return "hamming:" + fact["dims"]
    letters = "ABCDEFGH"
    return "torus:" + "x".join(size + ("m" if letters[i] in fact["mesh_dims"] else "") for i, size in enumerate(sizes))


def remap(cli, path, fact, seconds):
    command = [cli, "remap", str(path), "--topology", topology(fact), "--ranks-per-node", fact["ranks_per_node"],
               "--time", str(seconds), "--format", "json"]
    begin = time.time()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout), time.time() - begin


def read_flows(path):
    flows = {}
    for line in open(path):
        a, b, size = line.split()[:3]
        a, b = int(a), int(b)
        if a != b:
            key = (min(a, b), max(a, b))
            flows[key] = flows.get(key, 0) + round(float(size))
    return flows


def hops(fact):
    sizes = [int(x) for x in fact["dims"].split("x")]
    mesh = ["ABCDEFGH"[i] in fact["mesh_dims"] for i in range(len(sizes))]

    def coordinates(node):
        found = []
        for size in reversed(sizes):
            found.append(node % size)
            node //= size
        return found[::-1]

    cache = {}

    def between(a, b):
        for node in (a, b):
            if node not in cache:
                cache[node] = coordinates(node)
        total = 0
        for x, y, size, line in zip(cache[a], cache[b], sizes, mesh):
            apart = abs(x - y)
            total += apart if line else min(apart, size - apart)
        return total

    return between, sizes


def spread(node_of, nodes, per_node, between):
    """Scotch's tolerance leaves nodes with a rank too many: those go to the nearest node with room."""
    room = [per_node] * nodes
    placed = {}
    for rank, node in node_of.items():
        if room[node] == 0:
            node = min((n for n in range(nodes) if room[n] > 0), key=lambda n: between(node, n))
        room[node] -= 1
        placed[rank] = node
    return placed


def scotch(path, fact, folder):
    program = shutil.which("scotch_gmap") or shutil.which("gmap")
    if not program or fact["machine"] == "Theta":
        return None
    flows = read_flows(path)
    between, sizes = hops(fact)
    per_node = int(fact["ranks_per_node"])
    nodes = 1
    for size in sizes:
        nodes *= size
    ranks = nodes * per_node
    largest = max(flows.values())
    rows = [[] for _ in range(ranks)]
    for (a, b), size in flows.items():
        weight = max(1, round(30000 * size / largest))
        rows[a].append((weight, b))
        rows[b].append((weight, a))
    with open(folder / "graph", "w") as out:
        out.write(f"0\n{ranks} {2 * len(flows)}\n0 010\n")
        for row in rows:
            out.write(" ".join([str(len(row))] + [f"{w} {v}" for w, v in row]) + "\n")
    (folder / "target").write_text(f"torusXD {len(sizes)} " + " ".join(str(s) for s in reversed(sizes)) + "\n")
    begin = time.time()
    subprocess.run([program, str(folder / "graph"), str(folder / "target"), str(folder / "map")], capture_output=True, check=True)
    seconds = time.time() - begin
    lines = (folder / "map").read_text().split("\n")[1:]
    node_of = {int(rank): int(node) for rank, node in (line.split() for line in lines if line.strip())}
    placed = spread(node_of, nodes, per_node, between)
    before = sum(size * between(a // per_node, b // per_node) for (a, b), size in flows.items())
    after = sum(size * between(placed[a], placed[b]) for (a, b), size in flows.items())
    return 100.0 * (before - after) / before, seconds


def table(args, times):
    facts = [fact for fact in csv.DictReader(open(args.folder / "facts.csv")) if args.only in fact["name"]]
    print("case".ljust(32), "Scotch".rjust(16), *(f"{t:g} s".rjust(10) for t in times), "bound".rjust(8))
    for fact in facts:
        path = args.folder / "hopbyte" / (fact["name"] + "_hopbyte.txt")
        if not path.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            beside = scotch(path, fact, pathlib.Path(folder))
        found = [remap(args.cli, path, fact, t) for t in times]
        late = [f"{wall:.2f} s of {t:g}" for t, (_, wall) in zip(times, found) if wall > 1.05 * t]
        print(fact["name"].ljust(32), (f"{beside[0]:.2f} % {beside[1]:.2f} s" if beside else "-").rjust(16),
              *(f"{result['reduction_percent']:.2f} %".rjust(10) for result, _ in found),
              f"{found[-1][0]['possible_percent']:.1f} %".rjust(8), *late, flush=True)


def qaplib(args, times):
    known = {row["instance"]: row for row in csv.DictReader(open(args.qaplib / "bestknown.csv"))}
    for seconds in times:
        gaps = []
        for name, row in known.items():
            if args.only not in name:
                continue
            done = subprocess.run([args.cli, "qap", str(args.qaplib / (name + ".dat")), "--time", str(seconds), "--format", "json"],
                                  capture_output=True, text=True, check=True)
            best = int(row["bestknown"])
            gap = 100.0 * (json.loads(done.stdout)["cost"] - best) / best
            gaps.append(gap)
            print(f"{name:12} n = {row['n']:>3}  {seconds:g} s  gap {gap:.3f} %", flush=True)
        if gaps:
            print(f"mean gap in {seconds:g} s over {len(gaps)} problems: {sum(gaps) / len(gaps):.4f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--times", default="2,10")
    parser.add_argument("--only", default="")
    parser.add_argument("--qaplib", type=pathlib.Path)
    args = parser.parse_args()
    times = [float(t) for t in args.times.split(",")]
    if args.folder:
        table(args, times)
    if args.qaplib:
        qaplib(args, times)


if __name__ == "__main__":
    main()
