#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how good the layouts of graphs are beside those of Graphviz's sfdp (Debian package graphviz), and how long they take.

usage: layout_bench.py BUILD [--data FOLDER]
BUILD is the folder of a release build with the target skein-layout-quality. FOLDER holds hop-byte files; default ../shared/data/par-comm-data/hopbyte.
Graphs have no weights here, as sfdp asks for none. Stress: less is better. Preservation: of a node's neighbours and as many nearest
nodes the part that is both, more is better.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile


def grid(rows, columns):
    edges = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    return edges + [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]


def tree(nodes):
    return [((i - 1) // 3, i) for i in range(1, nodes)]


def torus(side):
    edges = set()
    for x in range(side):
        for y in range(side):
            for z in range(side):
                node = (x * side + y) * side + z
                for other in (((x + 1) % side * side + y) * side + z, (x * side + (y + 1) % side) * side + z,
                              (x * side + y) * side + (z + 1) % side):
                    edges.add((min(node, other), max(node, other)))
    return sorted(edges)


def hop_bytes(file):
    edges = set()
    for line in file.read_text().splitlines()[1:]:
        a, b = (int(float(field)) for field in line.replace(",", " ").split()[:2])
        if a != b:
            edges.add((min(a, b), max(a, b)))
    return sorted(edges)


def sfdp(edges, folder):
    dot = folder / "graph.dot"
    nodes = max(max(edge) for edge in edges) + 1
    dot.write_text("graph{" + ";".join(map(str, range(nodes))) + ";" + ";".join(f"{a}--{b}" for a, b in edges) + "}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    plain = subprocess.run(["sfdp", "-Goverlap=true", "-Gsplines=none", "-Tplain", dot], check=True, capture_output=True, text=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    places = folder / "places"
    places.write_text("\n".join(" ".join(line.split()[1:4]) for line in plain.splitlines() if line.startswith("node ")))
    return places, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data/par-comm-data/hopbyte"))
    arguments = parser.parse_args()
    program = arguments.build / "bin/skein-layout-quality"
    graphs = [("grid 40x40", grid(40, 40)), ("tree of 1000", tree(1000)), ("torus 12x12x12", torus(12))]
    for name in ("MiniMD_Mira_n2048_c1_s1", "MiniAMR_Vesta_n512_c1_s1", "MiniAMR_Mira_n4096_c1_s2", "MiniMD_Mira_n8192_c1_w"):
        file = arguments.data / f"{name}_hopbyte.txt"
        if file.exists():
            graphs.append((name, hop_bytes(file)))
    print(f"{'graph':26} {'nodes':>6} {'edges':>6}   stress  (sfdp)  preserved  (sfdp)  first ms  cpu s  (sfdp)")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, edges in graphs:
            file = folder / "edges"
            file.write_text("".join(f"{a} {b} 1\n" for a, b in edges))
            run = lambda *more: json.loads(subprocess.run([program, file, *more], check=True, capture_output=True, text=True).stdout)
            ours = run()
            places, seconds = sfdp(edges, folder)
            theirs = run(places)
            print(f"{name:26} {ours['nodes']:6} {ours['edges']:6}  {ours['stress']:.4f}  {theirs['stress']:.4f}   {ours['preservation']:8.4f}"
                  f"  {theirs['preservation']:.4f}  {ours['first_ms']:8.0f}  {ours['cpu_ms'] / 1000:5.2f}  {seconds:6.2f}")


if __name__ == "__main__":
    main()
