#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how far hop-bytes fall beside Scotch's gmap, for the cases of a folder or for any other, and gaps of QAPLIB problems.

  remap_table.py build/release/bin FOLDER [--times 2,10] [--only TEXT]
  remap_table.py build/release/bin --case COMM TOPOLOGY RANKS_PER_NODE [--case …] [--times 2,10]
  remap_table.py build/release/bin --qaplib FOLDER [--times 2,10]

FOLDER holds facts.csv (name, dims, mesh_dims, ranks_per_node, machine) and hopbyte/NAME_hopbyte.txt. Scotch (Debian package
`scotch`) maps onto the same machine: its own torus where it has it, else a decomposition of the machine's graph by amk_grf.
A map of Scotch with more ranks on a node than slots is repaired (the rank goes to the nearest free slot), then every map
is evaluated by `skein-cli traffic`.
"""
import argparse
import collections
import csv
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

Case = collections.namedtuple("Case", "name path topology ranks_per_node")


def topology(fact):
    sizes = fact["dims"].split("x")
    if fact["machine"] == "Theta":
        return "hamming:" + fact["dims"]
    letters = "ABCDEFGH"
    return "torus:" + "x".join(size + ("m" if letters[i] in fact["mesh_dims"] else "") for i, size in enumerate(sizes))


def folder_cases(folder, only):
    for fact in csv.DictReader(open(folder / "facts.csv")):
        path = folder / "hopbyte" / (fact["name"] + "_hopbyte.txt")
        if only in fact["name"] and path.exists():
            yield Case(fact["name"], path, topology(fact), fact["ranks_per_node"])


def run_json(command):
    return json.loads(subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout)


def machine_options(case):
    return [case.path, "--topology", case.topology, "--ranks-per-node", case.ranks_per_node, "--format", "json"]


def remap(tools, case, seconds):
    begin = time.time()
    result = run_json([tools / "skein-cli", "remap", *machine_options(case), "--time", seconds])
    return result, time.time() - begin


def read_flows(tools, case):
    """Bytes (messages where sizes are unknown) of each pair of ranks, both directions in one."""
    rows = csv.DictReader(subprocess.run([tools / "skein-cli", "comm", case.path, "--format", "csv"], capture_output=True, text=True,
                                         check=True).stdout.splitlines())
    flows = collections.Counter()
    for row in rows:
        a, b = int(row["sender"]), int(row["receiver"])
        if a != b:
            flows[min(a, b), max(a, b)] += int(row["bytes"] or 0) or int(row["messages"] or 0)
    return +flows


def read_graph(folder):
    lines = (folder / "machine").read_text().split("\n")
    count = int(lines[1].split()[0])
    return [[int(v) for v in line.split()[1:]] for line in lines[3:3 + count]]


def write_target(tools, case, folder, current):
    """The machine for Scotch. Returns the names of its terminals: nodes of the machine that the job may use."""
    subprocess.run([tools / "skein-machine-graph", case.topology, folder / "machine", folder / "nodes"], check=True)
    nodes = (folder / "nodes").read_text().split()[1:]
    if "hamming:12x2x3x16x4" == case.topology:
        nodes = sorted({str(slot // int(case.ranks_per_node)) for slot in current}, key=int)
        (folder / "nodes").write_text("\n".join([str(len(nodes)), *nodes]) + "\n")
    kind, _, sizes = case.topology.partition(":")
    few = sizes.count("x") < 5  # Scotch itself knows no more dimensions
    if kind == "torus" and few and "m" not in sizes:
        sizes = sizes.split("x")
        (folder / "target").write_text(f"torusXD {len(sizes)} {' '.join(reversed(sizes))}\n")
    elif kind == "mesh" and few:
        sizes = sizes.split("x")
        (folder / "target").write_text(f"meshXD {len(sizes)} {' '.join(reversed(sizes))}\n")
    else:
        options = ["-2"] if len(nodes) > 2048 else []
        subprocess.run(["amk_grf", folder / "machine", folder / "target", *options, f"-l{folder / 'nodes'}"], capture_output=True, check=True)
    return [int(node) for node in nodes]


def write_source(flows, ranks, folder):
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


def repaired(node_of, allowed, per_node, graph):
    """Scotch's tolerance leaves nodes with a rank too many: those go to the nearest node with room."""
    room = {node: per_node for node in allowed}
    places, homeless = [None] * len(node_of), []
    for rank, node in enumerate(node_of):
        if room[node] == 0:
            homeless.append(rank)
            continue
        room[node] -= 1
        places[rank] = (node, room[node])
    for rank in homeless:
        seen, queue = {node_of[rank]}, collections.deque([node_of[rank]])
        while queue:
            vertex = queue.popleft()
            if room.get(vertex, 0) > 0:
                room[vertex] -= 1
                places[rank] = (vertex, room[vertex])
                break
            for other in graph[vertex]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
    return places


def scotch(tools, case, current, before, folder):
    program = shutil.which("scotch_gmap") or shutil.which("gmap")
    if not program or not shutil.which("amk_grf"):
        return None
    terminals = write_target(tools, case, folder, current)
    write_source(read_flows(tools, case), len(current), folder)
    begin = time.time()
    subprocess.run([program, folder / "graph", folder / "target", folder / "map"], capture_output=True, check=True)
    seconds = time.time() - begin
    pairs = sorted(tuple(map(int, line.split())) for line in (folder / "map").read_text().split("\n")[1:] if line.strip())
    node_of = [node for _, node in pairs]
    places = repaired(node_of, terminals, int(case.ranks_per_node), read_graph(folder))
    with open(folder / "map.csv", "w") as out:
        out.write("rank,host,slot\n" + "".join(f"{rank},node{node},{slot}\n" for rank, (node, slot) in enumerate(places)))
    after = run_json([tools / "skein-cli", "traffic", *machine_options(case), "--placement", f"csv:{folder / 'map.csv'}"])
    return 100.0 * (before - after["hop_bytes"]) / before, seconds


def table(args, cases, times):
    print("case".ljust(44), "Scotch".rjust(16), *(f"{t:g} s".rjust(10) for t in times), "at most".rjust(8), " method")
    for case in cases:
        found = [remap(args.tools, case, t) for t in times]
        first = found[0][0]
        with tempfile.TemporaryDirectory() as folder:
            start = run_json([args.tools / "skein-cli", "remap", *machine_options(case), "--max-moved", "0", "--steps", "1"])
            beside = scotch(args.tools, case, start["permutation"], first["hop_bytes_before"], pathlib.Path(folder))
        late = [f"{wall:.2f} s of {t:g}" for t, (_, wall) in zip(times, found) if wall > 1.05 * t]
        worse = beside and found[-1][0]["reduction_percent"] < beside[0]
        print(case.name.ljust(44), (f"{beside[0]:.2f} % {beside[1]:.2f} s" if beside else "-").rjust(16),
              *(f"{result['reduction_percent']:.2f} %".rjust(10) for result, _ in found),
              f"{found[-1][0]['possible_percent']:.1f} %".rjust(8), f" {found[-1][0]['method']}", *late, *(["WORSE"] if worse else []), flush=True)


def qaplib(args, times):
    known = {row["instance"]: row for row in csv.DictReader(open(args.qaplib / "bestknown.csv"))}
    for seconds in times:
        gaps = []
        for name, row in known.items():
            if args.only not in name:
                continue
            best = int(row["bestknown"])
            result = run_json([args.tools / "skein-cli", "qap", args.qaplib / (name + ".dat"), "--time", seconds, "--target", best, "--format", "json"])
            gap = 100.0 * (result["cost"] - best) / best if best else float(result["cost"])
            gaps.append(gap)
            print(f"{name:12} n = {row['n']:>3}  {seconds:g} s  gap {gap:.3f} %  reached after {result['seconds']:.2f} s", flush=True)
        if gaps:
            print(f"mean gap in {seconds:g} s over {len(gaps)} problems: {sum(gaps) / len(gaps):.4f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=pathlib.Path, help="folder of skein-cli and skein-machine-graph")
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--case", nargs=3, action="append", default=[], metavar=("COMM", "TOPOLOGY", "RANKS_PER_NODE"))
    parser.add_argument("--times", default="2,10")
    parser.add_argument("--only", default="")
    parser.add_argument("--qaplib", type=pathlib.Path)
    args = parser.parse_args()
    times = [float(t) for t in args.times.split(",")]
    cases = list(folder_cases(args.folder, args.only)) if args.folder else []
    cases += [Case(f"{pathlib.Path(c).stem.removesuffix('_hopbyte')} {t} {n}", pathlib.Path(c), t, n) for c, t, n in args.case]
    if cases:
        table(args, cases, times)
    if args.qaplib:
        qaplib(args, times)


if __name__ == "__main__":
    main()
