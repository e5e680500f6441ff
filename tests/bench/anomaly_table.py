#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Precision and recall of skein-cli anomalies: on heatflow by detector, and on generated archives as functions
of the size and the number of what was injected.

    tests/bench/anomaly_table.py build/release [--quick]
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

DETECTORS = ["tail", "sigma", "robust", "hbos", "copod", "lof", "svm"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


def found_by(cli, archive, *options):
    """(rank, thread, function, call) of every anomaly."""
    out = subprocess.run([cli, "anomalies", archive, "--format", "json", *options], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return {(row["rank"], row["thread"], row["function"], row["call_index"])
            for row in json.loads(out) if row["label"] == "anomaly"}


def measure(found, truth, neutral=frozenset()):
    """Precision and recall; neutral calls are neither."""
    hits = len(found & truth)
    wrong = len(found - truth - neutral)
    precision = hits / (hits + wrong) if hits + wrong else 1.0
    return precision, hits / len(truth) if truth else 1.0, wrong


def heatflow_truth():
    """All that was injected, and what of it takes time."""
    folder = ROOT / "examples/heatflow-16x2"
    with open(folder / "ground_truth.csv") as file:
        rows = list(csv.DictReader(file))
    truth = {(int(r["rank"]), int(r["trace_thread"]), r["function"], int(r["call_index"])) for r in rows}
    timed = {k for k, r in zip([(int(r["rank"]), int(r["trace_thread"]), r["function"], int(r["call_index"]))
                                for r in rows], rows) if r["kind"] == "slow"}
    return folder, truth, timed


def heatflow(cli):
    folder, truth, timed = heatflow_truth()
    print("| detector | features | precision | recall | recall of slow calls | false alarms |")
    print("|---|---|---|---|---|---|")
    for detector in DETECTORS:
        for features in ("both", "time"):
            found = found_by(cli, folder / "trace-otf2", "--detector", detector, "--features", features)
            precision, recall, wrong = measure(found, truth)
            slow = measure(found, timed)[1]
            print(f"| {detector} | {features} | {precision:.2f} | {recall:.2f} | {slow:.2f} | {wrong} |")
    found = found_by(cli, folder / "trace-otf2", "--features", "structure")
    precision, recall, wrong = measure(found, truth)
    print(f"| – | structure | {precision:.2f} | {recall:.2f} | 0.00 | {wrong} |")
    print("\n| detector | chosen features | precision | recall | recall of slow calls | false alarms |")
    print("|---|---|---|---|---|---|")
    for features in ("exclusive,children", "exclusive,children,messages,mpi"):
        for detector in DETECTORS:
            found = found_by(cli, folder / "trace-otf2", "--detector", detector, "--features", features)
            precision, recall, wrong = measure(found, truth)
            slow = measure(found, timed)[1]
            print(f"| {detector} | `{features}` | {precision:.2f} | {recall:.2f} | {slow:.2f} | {wrong} |")


def heatflow_stream(cli):
    folder, truth, timed = heatflow_truth()
    print("\n| detector, as the job runs | features | precision | recall | recall of slow calls | false alarms |")
    print("|---|---|---|---|---|---|")
    for features in ("both", "exclusive,children"):
        for detector in DETECTORS:
            found = found_by(cli, folder / "trace-otf2", "--detector", detector, "--features", features, "--stream")
            precision, recall, wrong = measure(found, truth)
            slow = measure(found, timed)[1]
            print(f"| {detector} | `{features}` | {precision:.2f} | {recall:.2f} | {slow:.2f} | {wrong} |")


def generated(cli, generator, count, size, seed, detector="tail", *more):
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / "archive"
        truth_file = pathlib.Path(folder) / "truth.csv"
        subprocess.run([generator, "--ranks", "16", "--steps", "500", "--seed", str(seed), "--anomalies", str(count),
                        "--anomaly-size", str(size), "--truth", truth_file, archive], check=True,
                       stdout=subprocess.DEVNULL)
        truth, neutral = set(), set()
        with open(truth_file) as file:
            for row in csv.DictReader(file):
                key = (int(row["rank"]), int(row["thread"]), row["function"], int(row["call_index"]))
                (neutral if row["kind"] == "interrupted" else truth).add(key)
        found = found_by(cli, archive / "traces.otf2", "--detector", detector, *more)
        return measure(found, truth, neutral - truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="one seed instead of three")
    options = parser.parse_args()
    programs = pathlib.Path(options.build) / "bin"
    cli, generator = programs / "skein-cli", programs / "skein-generate-archive"
    heatflow(cli)
    heatflow_stream(cli)
    seeds = [5] if options.quick else [5, 6, 7]
    print("\n| injected calls | size | precision | recall | false alarms |\n|---|---|---|---|---|")
    for count in (8, 40, 200):
        for size in (0.5, 1, 2, 5, 20, 100):
            results = [generated(cli, generator, count, size, seed) for seed in seeds]
            precision, recall, wrong = (sum(each[i] for each in results) / len(results) for i in range(3))
            print(f"| {count} | {size} | {precision:.2f} | {recall:.2f} | {wrong:.1f} |")
    for title, more in (("detector", []), ("detector, as the job runs", ["--stream"])):
        print(f"\n| {title} | precision | recall | false alarms |\n|---|---|---|---|")
        for detector in DETECTORS:
            results = [generated(cli, generator, 40, 5, seed, detector, *more) for seed in seeds]
            precision, recall, wrong = (sum(each[i] for each in results) / len(results) for i in range(3))
            print(f"| {detector} | {precision:.2f} | {recall:.2f} | {wrong:.1f} |")


if __name__ == "__main__":
    main()
