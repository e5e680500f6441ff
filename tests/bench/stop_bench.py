#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts skein-cli in the middle of large work, and prints how long each command takes to end.

usage: stop_bench.py BUILD [--ranks 200000] [--events 5000000] [--moments 16] [--longest 12] [--limit 200]
                           [--only REGEX] [--folder FOLDER]
BUILD is the folder of a release build, for example build/release. Every command runs once without being interrupted, for
no more than --longest seconds, and then once for each moment, spread evenly over that time; SIGTERM and SIGINT take turns.
Printed are the median and the slowest answers in milliseconds: of wall time, and of processor time, which tells more on a
busy machine. Fails where both are above --limit. --folder keeps the generated input for the next run.
"""
import argparse
import contextlib
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def write_once(path, write):
    """Calls write(stream) unless an earlier run has left the whole file."""
    if path.exists(): return
    unfinished = path.with_suffix(".part")
    with open(unfinished, "w") as stream: write(stream)
    unfinished.rename(path)


def stencil(ranks):
    """The neighbours in three dimensions of ranks whose numbers are shuffled."""
    side = round(ranks ** (1 / 3))
    numbers = list(range(side ** 3))
    random.Random(1).shuffle(numbers)
    for cell, rank in enumerate(numbers):
        for step, position in ((1, cell % side), (side, cell // side % side), (side * side, cell // side // side)):
            neighbour = cell + step if position + 1 < side else cell - (side - 1) * step
            yield rank, numbers[neighbour], 1000 + cell % 7
            yield numbers[neighbour], rank, 1000 + cell % 7


def write_matrix_market(stream, ranks):
    pairs = list(stencil(ranks))
    size = max(pair[0] for pair in pairs) + 1
    stream.write(f"%%MatrixMarket matrix coordinate integer general\n{size} {size} {len(pairs)}\n")
    stream.writelines(f"{a + 1} {b + 1} {size}\n" for a, b, size in pairs)


def write_hop_bytes(stream, ranks):
    numbers = random.Random(2)
    for rank in range(ranks):
        for _ in range(6): stream.write(f"{rank} {numbers.randrange(ranks)} {numbers.randrange(1, 100000)}\n")


def write_tree(stream, ranks):
    """A machine as a list of cables: routers with 16 nodes each, and random cables between routers."""
    numbers = random.Random(3)
    routers = max(4, ranks // 256)
    for router in range(routers):
        for node in range(16): stream.write(f"n{router * 16 + node} switch{router}\n")
        for _ in range(6): stream.write(f"switch{router} switch{numbers.randrange(routers)}\n")


def write_profile(stream, threads):
    stream.write('<?xml version="1.0"?>\n<profile_xml>\n')
    events = "".join(f'<event id="{index}"><name>function number {index}</name><group>TAU_DEFAULT</group></event>\n'
                     for index in range(200))
    for thread in range(threads):
        stream.write(f'<thread id="{thread}.0.0" node="{thread}" context="0" thread="0">\n</thread>\n'
                     f'<definitions thread="{thread}.0.0">\n<metric id="0"><name>TIME</name><units>usec</units></metric>\n'
                     f'{events}</definitions>\n<profile thread="{thread}.0.0">\n<name>final</name>\n<interval_data metrics="0">\n')
        stream.writelines(f"{index} 10 0 {1000 - index} {2000 - index}\n" for index in range(200))
        stream.write("</interval_data>\n</profile>\n")
    stream.write("</profile_xml>\n")


def write_dense_problem(stream, size):
    numbers = random.Random(4)
    stream.write(f"{size}\n")
    for _ in range(2 * size): stream.write(" ".join(str(numbers.randrange(100)) for _ in range(size)) + "\n")


def generate(build, folder, ranks, events):
    write_once(folder / "stencil.mtx", lambda stream: write_matrix_market(stream, ranks))
    write_once(folder / "random.txt", lambda stream: write_hop_bytes(stream, ranks))
    write_once(folder / "cables.txt", lambda stream: write_tree(stream, ranks))
    write_once(folder / "tauprofile.xml", lambda stream: write_profile(stream, max(1, ranks // 100)))
    write_once(folder / "dense.dat", lambda stream: write_dense_problem(stream, 1000))
    write_once(folder / "map.csv", lambda stream: (
        stream.write("rank,node,core\n"), stream.writelines(f"{rank},{rank // 2},{rank % 2}\n" for rank in range(ranks))))
    write_once(folder / "hosts.txt", lambda stream: stream.writelines(f"nid{host:08d} slots=2\n" for host in range((ranks + 1) // 2)))
    write_once(folder / "rankfile", lambda stream: stream.writelines(
        f"rank {rank}=nid{rank // 2:08d} slot={rank % 2}\n" for rank in range(ranks)))
    if not (folder / "archive").exists():
        subprocess.run([build / "bin/skein-generate-archive", "--ranks", "64", "--events", str(events), folder / "archive"],
                       check=True, **QUIET)


def machines(ranks):
    """Machines that hold all ranks, one on a node; the first is as large as the stencil."""
    side = round(ranks ** (1 / 3))
    levels = 1
    while 16 ** levels < ranks: levels += 1
    groups = 3
    while groups * 32 * 16 < ranks: groups += 1
    return {"torus": f"torus:{side}x{side}x{side}", "fattree": f"fattree:k=16,n={levels}", "dragonfly": f"dragonfly:{groups}x32x16"}


def commands(folder, ranks):
    by = machines(ranks)
    stencil, scattered, archive = folder / "stencil.mtx", folder / "random.txt", folder / "archive"

    def remap(name, machine, *options, source=stencil):
        return f"remap {name}", ["remap", source, "--topology", machine, "--time", "60", *options]

    yield remap("torus", by["torus"])
    yield remap("torus, random traffic", f"torus:{1 << max(1, ranks // 128).bit_length()}x16x16", source=scattered)
    yield remap("torus, steps", by["torus"], "--steps", "100000000")
    yield remap("fat tree", by["fattree"])
    yield remap("dragonfly", by["dragonfly"])
    yield remap("cables", f"topology:{folder / 'cables.txt'}", "--ranks-per-node", "16")
    for method in ("annealing", "folding", "greedy", "multilevel", "published", "random"):
        yield remap(f"torus {method}", by["torus"], "--method", method)
    yield remap("dragonfly annealing", by["dragonfly"], "--method", "annealing")
    yield remap("torus max-load", by["torus"], "--objective", "max-load")
    yield remap("torus weighted", by["torus"], "--objective", "weighted")
    yield remap("torus max-moved", by["torus"], "--max-moved", "1000")
    yield remap("torus groups", by["torus"], "--together", ";".join(f"{4 * k},{4 * k + 3}" for k in range(2000)), "--apart", "8-999",
                "--ranks-per-node", "2")
    yield remap("torus sockets", f"torus:{(round(ranks ** (1 / 3)) + 3) // 2}x{(round(ranks ** (1 / 3)) + 3) // 2}"
                f"x{(round(ranks ** (1 / 3)) + 3) // 2}", "--ranks-per-node", "8", "--cores-per-socket", "4", "--steps", "1000000")
    yield remap("torus small, --max-moved", by["torus"], "--steps", "1000", "--max-moved", "8")
    yield remap("map written", by["torus"], "--steps", "1000", "--launcher", "slurm")
    for name, machine in by.items():
        yield f"traffic {name}", ["traffic", stencil, "--topology", machine]
        yield f"routes {name}", ["routes", scattered, "--topology", machine.replace(by["torus"], "torus:256x256x16")]
        yield f"reroute {name}", ["reroute", stencil, "--topology", machine, "--top-links", "1"]
    yield "traffic ecmp", ["traffic", scattered, "--topology", f"topology:{folder / 'cables.txt'}", "--ranks-per-node", "16", "--routing", "ecmp"]
    yield "traffic valiant", ["traffic", scattered, "--topology", by["dragonfly"], "--routing", "valiant"]
    yield "comm", ["comm", scattered]
    yield "qap", ["qap", folder / "dense.dat", "--time", "30"]
    yield "map check", ["map", "check", folder / "map.csv"]
    yield "map convert", ["map", "convert", folder / "map.csv", "--to", "slurm"]
    yield "map with hosts", ["map", "check", folder / "rankfile", "--hosts", folder / "hosts.txt"]
    yield "map with hosts converted", ["map", "convert", folder / "rankfile", "--hosts", folder / "hosts.txt", "--to", "cray"]
    yield remap("from a map", by["torus"], "--placement", f"openmpi:{folder / 'rankfile'}", "--ranks-per-node", "2")
    yield "profile import", ["profile", folder / "tauprofile.xml", "--no-index"]
    for name in ("info", "check", "profile", "messages", "comm", "collectives", "metrics", "waits", "attributes"):
        yield f"archive {name}", [name, archive, "--no-index"]
    yield "archive corrected", ["info", archive, "--no-index", "--correct-clocks"]
    yield "index build", ["index", "build", archive, "--index-dir", folder / "index"]
    yield "archive through the index", ["profile", archive, "--index-dir", folder / "index"]
    yield "archive traffic", ["traffic", archive, "--topology", "torus:4x4x4", "--collectives", "default", "--no-index"]


def processor_seconds(pid):
    """Of all threads of a process, by the clock that belongs to it; 0 once it has ended."""
    with contextlib.suppress(OSError): return time.clock_gettime((~pid << 3) | 2)
    return 0.0


def run(command, seconds, how=None):
    """Wall and processor seconds from the signal (`how`, SIGKILL where none is named) to the end; None where it had ended."""
    if "build" in command: shutil.rmtree(command[-1], ignore_errors=True)
    begin = time.monotonic()
    process = subprocess.Popen(command, **QUIET)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return None, time.monotonic() - begin
    before, asked = processor_seconds(process.pid), time.monotonic()
    process.send_signal(how or signal.SIGKILL)
    last = [before]
    ended = threading.Event()

    def watch():
        while not ended.wait(0.002): last[0] = max(last[0], processor_seconds(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    process.wait()
    answer = time.monotonic() - asked
    ended.set()
    watcher.join()
    return (answer, last[0] - before), seconds


def measure(name, command, options):
    longest = run(command, options.longest)[1]
    answers = []
    for moment in range(options.moments):
        at = longest * (moment + 0.5) / options.moments
        answer = run(command, at, (signal.SIGTERM, signal.SIGINT)[moment % 2])[0]
        if answer: answers.append((*(1e3 * part for part in answer), at))
    if not answers: return print(f"{name:28} ended in {longest:.2f} s before every moment", flush=True)
    answers.sort(reverse=True)
    slow = [answer for answer in answers if min(answer[:2]) > options.limit]
    shown = ", ".join(f"{wall:.0f} ({cpu:.0f}) at {at:.2f} s" for wall, cpu, at in (slow or answers)[:4])
    print(f"{name:28} {longest:6.2f} s, {len(answers):3} stops: median {answers[len(answers) // 2][0]:5.0f} ms, "
          f"{'TOO SLOW' if slow else 'slowest'} {shown}", flush=True)
    return bool(slow)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    for name, default in (("ranks", 200_000), ("events", 5_000_000), ("moments", 16)):
        parser.add_argument(f"--{name}", type=int, default=default)
    for name, default in (("longest", 12.0), ("limit", 200.0)): parser.add_argument(f"--{name}", type=float, default=default)
    parser.add_argument("--only", default="")
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.folder or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        generate(options.build, folder, options.ranks, options.events)
        slow = [measure(name, [options.build / "bin/skein-cli", *rest], options)
                for name, rest in commands(folder, options.ranks) if re.search(options.only, name)]
    print(f"{sum(map(bool, slow))} of {len(slow)} commands answer too slowly")
    return 1 if any(slow) else 0


if __name__ == "__main__":
    sys.exit(main())
