#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how long the window takes from opening an archive to the first full picture, by import and through the index.

usage: opening_bench.py BUILD [--events 30000000] [--ranks 64] [--archive FOLDER] [--repetitions 5]
BUILD is the folder of a release build, for example build/release.
"""
import pathlib
import re
import statistics
import subprocess
import tempfile

import bench_archive


def first_picture(build, index, archive, *options):
    """Milliseconds from opening to the picture, and whether it was an import or the index."""
    text = subprocess.run([build / "bin/skein-first-picture", index, archive, *options], check=True,
                          capture_output=True, text=True).stdout
    match = re.search(r"picture (\d+) ms, (\w+)", text)
    return int(match[1]), match[2]


def report(build, archive, repetitions):
    with tempfile.TemporaryDirectory() as index:
        imports = []
        for repetition in range(repetitions):
            options = ["--save"] if repetition == repetitions - 1 else []
            milliseconds, way = first_picture(build, index, archive, *options)
            assert way == "import", way
            imports.append(milliseconds)
        again = []
        for _ in range(repetitions):
            milliseconds, way = first_picture(build, index, archive)
            assert way == "index", way
            again.append(milliseconds)
        size = sum(file.stat().st_size for file in pathlib.Path(index).iterdir())
    first, second = statistics.median(imports), statistics.median(again)
    print(f"archive {archive}; medians of {repetitions}; index of {size / 2**20:.0f} MiB")
    print(f"  import to first picture  {first:8.0f} ms  {sorted(imports)}")
    print(f"  index to first picture   {second:8.0f} ms  {sorted(again)}")
    print(f"  ratio {first / second:.1f}")


if __name__ == "__main__":
    bench_archive.run(__doc__, report)
