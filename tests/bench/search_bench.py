#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how long the window's search takes from the last letter typed to the first hits, through the index.

usage: search_bench.py BUILD [--events 30000000] [--ranks 64] [--archive FOLDER] [--repetitions 5]
BUILD is the folder of a release build, for example build/release. For every query: the names of regions and locations,
then single calls or messages. Of a query that finds nothing: until the window says so.
"""
import re
import statistics
import subprocess
import tempfile

import bench_archive

# The name of a region with many calls, of one with few calls at the end, of the one with the most, every region, messages, nothing.
QUERIES = ["sweep_block", "MPI_Finalize", "apply_flux", "MPI_", "message", "no such call"]


def report(build, archive, repetitions):
    with tempfile.TemporaryDirectory() as index:
        subprocess.run([build / "bin/skein-first-picture", index, archive, "--save"], check=True, capture_output=True)
        times = {}
        for _ in range(repetitions):
            text = subprocess.run([build / "bin/skein-search-latency", index, archive, *QUERIES], check=True,
                                  capture_output=True, text=True).stdout
            for match in re.finditer(r"^(.*): names ([\d.]+) ms \((\d+)\), calls ([\d.]+) ms \((\d+)\)", text, re.M):
                times.setdefault(match[1], []).append((float(match[2]), float(match[4]), int(match[3]), int(match[5])))
    print(f"archive {archive}; medians of {repetitions}, ms; slowest in brackets")
    for query, rows in times.items():
        names, calls = [row[0] for row in rows], [row[1] for row in rows]
        print(f"  {query:14} names {statistics.median(names):6.1f} [{max(names):.1f}] of {rows[0][2]}, "
              f"calls {statistics.median(calls):6.1f} [{max(calls):.1f}] of {rows[0][3]}")


if __name__ == "__main__":
    bench_archive.run(__doc__, report)
