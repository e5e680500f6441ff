#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills the programs at random moments while they import an archive and save its index, and opens it again after each.

usage: kill_index.py BUILD [--kills 200] [--archive FOLDER]
By default the archive is examples/eztrace-lulesh-8/trace-otf2. Fails when an opening that follows says other numbers than
one without an index, or when an unfinished file outlives the next index. Every second victim is the window; in every
third round there is an older index of the archive, in every third none.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/eztrace-lulesh-8/trace-otf2"


def change(archive):
    """The same events, but an archive that was written again: an index of before is outdated."""
    for file in archive.rglob("*.otf2"):
        os.utime(file)


def numbers(build, archive, *options):
    done = subprocess.run([build / "bin/skein-cli", "info", "--format", "json", *options, archive], check=True, capture_output=True, text=True)
    return done.stdout


def victims(build, archive, index, folder):
    return [[build / "bin/skein-cli", "index", "build", "--index-dir", index, archive],
            [build / "bin/skein", "--render", "overview", archive, "-o", folder / "picture.png", "--index-dir", index]]


def lasts(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, **QUIET)
    return time.monotonic() - begin


def kill_once(command, longest):
    process = subprocess.Popen(command, **QUIET)
    time.sleep(random.random() * longest)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def unfinished(index):
    return [file for file in index.iterdir() if file.suffix not in (".skein-index", ".skein-stamp")] if index.exists() else []


def report(build, source, kills):
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        archive, index = folder / "archive", folder / "index"
        shutil.copytree(source, archive)
        expected = numbers(build, archive, "--no-index")
        commands = victims(build, archive, index, folder)
        longest = []
        for command in commands:
            change(archive)
            longest.append(lasts(command) * 1.1)
        for kill in range(kills):
            if kill % 3 == 0: shutil.rmtree(index, ignore_errors=True)
            elif kill % 3 == 1: change(archive)
            counts["killed"] += kill_once(commands[kill % 2], longest[kill % 2])
            counts["index there after the kill"] += any(index.glob("*.skein-index")) if index.exists() else 0
            counts["unfinished files after the kill"] += len(unfinished(index))
            assert numbers(build, archive, "--index-dir", index) == expected, f"other numbers after kill {kill}"
        change(archive)
        assert numbers(build, archive, "--index-dir", index) == expected
        assert not unfinished(index), unfinished(index)
    print(f"{kills} kills of {source}, all openings after them say the same")
    for what, count in counts.items(): print(f"  {what}: {count}")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--archive", type=pathlib.Path, default=EXAMPLE)
    options = parser.parse_args()
    report(options.build, options.archive, options.kills)
