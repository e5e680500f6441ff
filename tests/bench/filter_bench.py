#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how long the window takes from hiding a region until the timeline's picture changes, and until every panel is
done, through the index.

usage: filter_bench.py BUILD [--events 30000000] [--ranks 64] [--archive FOLDER] [--repetitions 5]
BUILD is the folder of a release build, for example build/release.
"""
import subprocess
import tempfile

import bench_archive

# Regions with many calls, with the most, and of MPI.
REGIONS = ["sweep_block", "apply_flux", "MPI_Waitall"]


def report(build, archive, repetitions):
    with tempfile.TemporaryDirectory() as index:
        subprocess.run([build / "bin/skein-first-picture", index, archive, "--save"], check=True, capture_output=True)
        for region in REGIONS:
            subprocess.run([build / "bin/skein-filter-latency", index, archive, region, str(repetitions)], check=True)


if __name__ == "__main__":
    bench_archive.run(__doc__, report)
