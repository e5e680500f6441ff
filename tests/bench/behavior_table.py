#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How well skein-cli changes, clusters and causality find what was put into generated archives, and how often they
find something in noise: the tables of docs/BEHAVIOR.md and that of docs/CLI.md (changes).

    tests/bench/behavior_table.py build/release [--quick]
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

PHASES = [110, 190, 300]
NEAR = 3
SWEEP = "exclusive:void sweep_block(Grid&, Block)"
METRICS = ["exclusive:void limit_slope(Grid&, Block)", "exclusive:void compute_boundary(Grid&)",
           "exclusive:void pack_face(const Grid&, Face, double*)", "exclusive:void apply_flux(Grid&, Block)",
           "exclusive:void unpack_face(Grid&, Face, const double*)"]


class Programs:
    def __init__(self, build, folder):
        self.cli = pathlib.Path(build) / "bin" / "skein-cli"
        self.generator = pathlib.Path(build) / "bin" / "skein-generate-archive"
        self.folder, self.made = pathlib.Path(folder), 0

    def text(self, *arguments):
        return subprocess.run([self.cli, *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout

    def answer(self, *arguments):
        return json.loads(self.text(*arguments, "--format", "json"))

    def archive(self, *options):
        self.made += 1
        where = self.folder / str(self.made)
        told = subprocess.run([self.generator, *map(str, options), where], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        return where / "traces.otf2", json.loads(told)

    def steps(self, archive, metric=SWEEP):
        """The series of a metric, a line a time step: what is before the first step is left out."""
        lines = self.text("series", archive, "--metric", metric, "--by-region", "time_step", "--format",
                          "csv").splitlines(keepends=True)
        file = self.folder / f"{self.made}.csv"
        file.write_text("".join([lines[0], *lines[2:]]))
        return file

    def long_steps(self, archive, metrics):
        """The same of several metrics: a line a time step and rank."""
        lines = self.text("series", archive, *(word for metric in metrics for word in ("--metric", metric)),
                          "--by-region", "time_step", "--shape", "long", "--format", "csv").splitlines(keepends=True)
        first = lines[1].split(",")[0] + ","
        file = self.folder / f"{self.made}.csv"
        file.write_text("".join(line for line in lines if not line.startswith(first)))
        return file

    def table(self, rows):
        file = self.folder / "noise.csv"
        file.write_text("".join(",".join(f"{x:.6f}" for x in row) + "\n" for row in rows))
        return file


def near(row, truth):
    return any(abs(row - each) <= NEAR for each in truth)


def phases(programs, seeds):
    print("| blocks longer by | load | precision of what lasts | recall | off by steps | called in all |\n"
          "|---|---|---|---|---|---|")
    for size in (0.02, 0.05, 0.1, 0.2, 0.5):
        for load in ("steady", "wandering"):
            found = right = hit = called = 0
            off = []
            for seed in seeds:
                archive, _ = programs.archive("--ranks", 16, "--steps", 400, "--seed", seed, "--phase-size", size,
                                              *(word for at in PHASES for word in ("--phase", at)),
                                              *(["--steady"] if load == "steady" else []))
                told = programs.answer("changes", programs.steps(archive))
                found += len(told["settled"])
                called += len(told["changes"])
                right += sum(near(row, PHASES) for row in told["settled"])
                hits = [min(abs(row - at) for row in told["settled"]) for at in PHASES if near(at, told["settled"])]
                hit += len(hits)
                off += hits
            print(f"| {size:.0%} | {load} | {right / found if found else 1:.2f} | {hit / len(PHASES) / len(seeds):.2f} "
                  f"| {sum(off) / len(off) if off else float('nan'):.1f} | {called / len(seeds):.1f} |".replace(
                      "nan", "–"))


def slow_ranks(programs, seeds):
    print("\n| slow ranks of 64 | longer by | precision | recall | with `--k` left out |\n|---|---|---|---|---|")
    for count in (4, 16):
        for size in (0.05, 0.1, 0.2, 0.4):
            scores, proposed = [], []
            for seed in seeds:
                archive, told = programs.archive("--ranks", 64, "--steps", 100, "--seed", seed, "--slow-ranks", count,
                                                 "--slow-size", size, "--steady")
                truth, file = set(told["slow_ranks"]), programs.steps(archive)
                scores.append(of_cluster(programs.answer("clusters", file, "--k", 2), truth))
                proposed.append(of_cluster(programs.answer("clusters", file), truth))
            mean = [sum(score[i] for score in scores) / len(seeds) for i in (0, 1)]
            own = [sum(score[i] for score in proposed) / len(seeds) for i in (0, 1)]
            print(f"| {count} | {size:.0%} | {mean[0]:.2f} | {mean[1]:.2f} | {own[0]:.2f}, {own[1]:.2f} |")


def of_cluster(told, truth):
    """Precision and recall of the slow ranks' cluster: that of most of them."""
    labels = told["labels"]
    most = max(set(labels), key=lambda label: sum(labels[rank] == label for rank in truth))
    same = {rank for rank, label in enumerate(labels) if label == most}
    return len(same & truth) / len(same), len(same & truth) / len(truth)


def causes(programs, seeds):
    print("\n| lag | both move by | true link found | at its lag | other way round | false links of 19 a run |\n"
          "|---|---|---|---|---|---|")
    threshold = 0.05 / len(METRICS) / (len(METRICS) - 1)
    for lag in (1, 3, 6):
        for size in (0.02, 0.05, 0.2, 1):
            found = at_lag = back = false = 0
            for seed in seeds:
                archive, _ = programs.archive("--ranks", 16, "--steps", 400, "--seed", seed, "--cause-lag", lag,
                                              "--cause-size", size, "--steady")
                told = programs.answer("causality", programs.long_steps(archive, METRICS), "--entity", "entity",
                                       "--time", "time_ns",
                                       *(word for metric in METRICS for word in ("--metric", metric)))
                for to, row in enumerate(told["granger"]):
                    for cause, p in enumerate(row):
                        if to == cause or p is None or p >= threshold:
                            continue
                        true = (cause, to) == (0, 1)
                        found += true
                        back += (cause, to) == (1, 0)
                        false += not true
                answers = [abs(step[1][0]) for step in told["orth_irf"]]
                at_lag += answers.index(max(answers)) == lag
            runs = len(seeds)
            print(f"| {lag} | {size:g} | {found} of {runs} | {at_lag} of {runs} | {back} of {runs} | {false / runs:.2f} |")


def alarms(programs, runs):
    print("\n| α | burn-in | called for 1000 comparisons | α promises at most | settled a run |\n|---|---|---|---|---|")
    streams = []
    for seed in range(runs):
        noise = random.Random(seed)
        streams.append([[noise.gauss(0, 1)] for _ in range(1000)])
    for alpha in (0.05, 0.01, 0.001):
        for burn_in in (10, 20, 50, 200):
            called = compared = lasting = 0
            for stream in streams:
                told = programs.answer("changes", programs.table(stream), "--alpha",
                                       alpha, "--burn-in", burn_in)
                called += len(told["changes"])
                lasting += len(told["settled"])
                compared += len(stream) - sum(last - first for first, last in told["blind"])
            print(f"| {alpha:g} | {burn_in} | {1000 * called / compared:.2f} | {1000 * alpha:g} | "
                  f"{lasting / runs:.2f} |")


def steps_of_noise(programs, noise_runs, step_runs):
    """The table of docs/CLI.md: noise, and one step of all of 24 entities in the middle."""
    print("\n| input | burn-in | called a run | settled a run | step called | and settled |\n|---|---|---|---|---|---|")
    for entities in (1, 24):
        for burn_in in (10, 50):
            called = settled = 0
            for seed in range(noise_runs):
                noise = random.Random(seed)
                rows = [[noise.gauss(0, 1) for _ in range(entities)] for _ in range(1000)]
                told = programs.answer("changes", programs.table(rows), "--burn-in", burn_in)
                called += len(told["changes"])
                settled += len(told["settled"])
            print(f"| noise, {entities} {'entities' if entities > 1 else 'entity'} | {burn_in} "
                  f"| {called / noise_runs:.1f} | {settled / noise_runs:.2f} | | |")
    for size in (1, 2, 3):
        for burn_in in (10, 50):
            called = settled = found = kept = 0
            for seed in range(step_runs):
                noise = random.Random(seed)
                by = size * noise.choice((-1, 1))
                rows = [[noise.gauss(by if row >= 300 else 0, 1) for _ in range(24)] for row in range(600)]
                told = programs.answer("changes", programs.table(rows), "--burn-in", burn_in)
                called += len(told["changes"])
                settled += len(told["settled"])
                found += any(300 <= row < 320 for row in told["changes"])
                kept += any(abs(row - 300) <= NEAR for row in told["settled"])
            print(f"| step of {size} σ | {burn_in} | {called / step_runs:.1f} | {settled / step_runs:.2f} "
                  f"| {found / step_runs:.0%} | {kept / step_runs:.0%} |")


def false_links(programs, runs):
    print("\n| threshold | pairs of noise below it | expected |\n|---|---|---|")
    values = []
    for seed in range(runs):
        noise = random.Random(seed)
        rows = [[noise.gauss(0, 1) for _ in range(6)] for _ in range(400)]
        told = programs.answer("causality", programs.table(rows), "--lags", 2)
        values += [p for row in told["granger"] for p in row if p is not None]
    for threshold in (0.1, 0.05, 0.01):
        share = sum(p < threshold for p in values) / len(values)
        error = (threshold * (1 - threshold) / len(values)) ** 0.5
        print(f"| {threshold:g} | {share:.2%} | {threshold:.0%} ± {error:.2%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="one seed instead of five, and fewer runs of noise")
    options = parser.parse_args()
    seeds = [1] if options.quick else [1, 2, 3, 4, 5]
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(options.build, folder)
        phases(programs, seeds)
        slow_ranks(programs, seeds)
        causes(programs, seeds)
        alarms(programs, 5 if options.quick else 40)
        steps_of_noise(programs, 5 if options.quick else 40, 5 if options.quick else 30)
        false_links(programs, 20 if options.quick else 100)


if __name__ == "__main__":
    main()
