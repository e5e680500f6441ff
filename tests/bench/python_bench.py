#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening an archive through its index in Python, and all of its calls as frames: time and memory.

usage: python_bench.py BUILD [EVENTS]      default: 80 million events, which are 31 million calls
"""

import os
import subprocess
import sys
import tempfile
import time
from typing import Dict

BUILD = os.path.abspath(sys.argv[1])
EVENTS = sys.argv[2] if len(sys.argv) > 2 else "80000000"
sys.path.insert(0, os.path.join(BUILD, "python"))


def memory() -> Dict[str, int]:
    """MiB: what is the process's own, and what the system keeps of mapped files."""
    with open("/proc/self/status", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return {name: int(fields[name].split()[0]) // 1024 for name in ("RssAnon", "RssFile")}


def measure(path: str, index: str) -> None:
    begin = time.perf_counter()
    import skein

    imported = time.perf_counter()
    archive = skein.open(path, index_dir=index)
    opened = time.perf_counter()
    before = memory()
    frames = [archive.calls(location).frame() for location in range(len(archive.locations))]
    done = time.perf_counter()
    calls = sum(len(frame) for frame in frames)
    print(f"import {imported - begin:.3f} s, open {opened - imported:.3f} s, "
          f"{calls} calls as frames {done - opened:.3f} s, memory before {before}, after {memory()}")
    # No column is a copy, so looking at all of them brings pages of the index into memory, and nothing else.
    durations = sum(int((frame["end_ns"] - frame["begin_ns"]).sum()) for frame in frames)
    print(f"all durations ({durations} ns) {time.perf_counter() - done:.3f} s, memory then {memory()}")


if len(sys.argv) > 3:
    measure(sys.argv[2], sys.argv[3])
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    archive_path, indexes = os.path.join(folder, "archive"), os.path.join(folder, "indexes")
    generator = os.path.join(BUILD, "bin", "skein-generate-archive")
    subprocess.run([generator, "--ranks", "64", "--events", EVENTS, archive_path], check=True, stdout=subprocess.DEVNULL)
    for _ in range(3):  # the first one imports
        subprocess.run([sys.executable, __file__, BUILD, archive_path, indexes], check=True)
