#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how long the import takes beside libotf2 alone, and how much memory stays: one run, medians of five.

usage: import_bench.py BUILD [--events 30000000] [--ranks 64] [--fields 1] [--archive FOLDER] [--repetitions 5]
BUILD is the folder of a release build, for example build/release.
"""
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time

import bench_archive


def benchmark(build, archive, repetitions):
    """Times in seconds and memory of each benchmark, repetitions of all interleaved."""
    command = [build / "bin/skein_bench", "--benchmark_filter=Otf2EmptyCallbacks|SkeinImport",
               f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true",
               "--benchmark_format=json"]
    environment = dict(os.environ, SKEIN_BENCH_ARCHIVE=str(archive))
    report = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    rows = {}
    for row in report["benchmarks"]:
        if row.get("run_type") == "aggregate":
            continue
        if row.get("error_occurred"):
            raise SystemExit(f"{row['name']}: {row.get('error_message')}")
        name = row["run_name"].split("/iterations")[0]
        rows.setdefault(name, []).append((row["real_time"] / 1e9, row.get("resident_bytes_per_event"), row["events"]))
    return rows


def info_times(build, archive, repetitions):
    """Seconds that `skein-cli info` takes, and the most memory that one of the runs held."""
    times = []
    for _ in range(repetitions):
        begin = time.monotonic()
        subprocess.run([build / "bin/skein-cli", "--no-index", "info", archive], check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - begin)
    return times, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def indexed_times(build, archive, repetitions):
    """Seconds that `skein-cli info` takes through an index that was saved before."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        command = [build / "bin/skein-cli", "--index-dir", folder, "info", archive]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for _ in range(repetitions):
            begin = time.monotonic()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.monotonic() - begin)
    return times


def report(build, archive, repetitions):
    times, peak = info_times(build, archive, repetitions)
    rows = benchmark(build, archive, repetitions)
    median = {name: statistics.median(entry[0] for entry in entries) for name, entries in rows.items()}
    events = next(iter(rows.values()))[0][2]
    print(f"archive {archive}: {events:,.0f} events; medians of {repetitions}")
    for name, seconds in sorted(median.items()):
        print(f"  {name:42} {seconds:8.3f} s  {events / seconds / 1e6:7.1f} million events/s")
    for threads in (1, 2):
        base = median[f"Otf2EmptyCallbacks/threads:{threads}"]
        skein = median[f"SkeinImport/threads:{threads}"]
        print(f"  ratio with {threads} thread(s): {skein / base:.2f}")
    # What malloc keeps of earlier repetitions would hide memory, so the largest difference counts.
    resident = max(entry[1] for name, entries in rows.items() if name.startswith("SkeinImport") for entry in entries)
    print(f"  resident after the import: {resident:.1f} bytes/event")
    print(f"  skein-cli info: {statistics.median(times):.3f} s, at most {peak / events:.1f} bytes/event, "
          f"{statistics.median(times) / median['Otf2EmptyCallbacks/threads:2']:.2f} times libotf2 with 2 threads")
    print(f"  skein-cli info through the index: {statistics.median(indexed_times(build, archive, repetitions)):.3f} s")


if __name__ == "__main__":
    bench_archive.run(__doc__, report)
