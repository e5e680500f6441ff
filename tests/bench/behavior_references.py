#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Behaviour over time beside the reference implementations, on one core, in user CPU time.

    tests/bench/behavior_references.py build/release

Runs skein_bench, and scikit-learn (IncrementalPCA, MiniBatchKMeans) and statsmodels (VAR) where they are installed
(Debian: python3-sklearn, python3-statsmodels); what is missing is told and left out.
"""
import argparse
import json
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"


def user_seconds(work, least=0.5, most=20):
    """User CPU time of one call, the least of several."""
    best, total, runs = None, 0.0, 0
    while runs < 2 or (total < least and runs < most):
        begin = time.process_time()
        work()
        took = time.process_time() - begin
        best = took if best is None else min(best, took)
        total += took
        runs += 1
    return best


def own_figures(build):
    program = os.path.join(build, "bin", "skein_bench")
    if not os.path.exists(program):
        print(f"{program} is not there: build the target skein_bench.", file=sys.stderr)
        return {}
    run = subprocess.run([program, "--benchmark_filter=changePoint|Entities|causality|liveStream",
                          "--benchmark_format=json", "--benchmark_min_time=0.5"],
                         capture_output=True, text=True, check=True)
    return {one["name"]: one for one in json.loads(run.stdout)["benchmarks"]}


def milliseconds(figures, name):
    one = figures.get(name)
    if not one:
        return None
    return one["cpu_time"] * {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}[one["time_unit"]]


def scikit_learn():
    try:
        import numpy
        from sklearn.cluster import MiniBatchKMeans
        from sklearn.decomposition import IncrementalPCA
    except ImportError:
        print("scikit-learn is not installed: its figures are left out.", file=sys.stderr)
        return {}
    generator = numpy.random.default_rng(7)
    rows = generator.random((16, 100_000))
    component = IncrementalPCA(n_components=1)
    component.partial_fit(rows[:1])
    place = [0]

    def update():
        place[0] = (place[0] + 1) % 16
        row = rows[place[0]:place[0] + 1]
        component.partial_fit(row)
        component.transform(row)

    entities = generator.random((20_000, 1_000))
    entities += (numpy.arange(20_000) % 3)[:, None] * (numpy.arange(1_000) % 50)[None, :] * 0.02

    def cluster():
        MiniBatchKMeans(n_clusters=3, batch_size=100, max_iter=1, n_init=1, random_state=1).fit_predict(entities)

    def project():
        plane = IncrementalPCA(n_components=2, batch_size=10)
        plane.fit(entities[:2000])
        plane.transform(entities)

    return {"update": user_seconds(update) * 1e3, "cluster": 20_000 / user_seconds(cluster),
            "project": 20_000 / user_seconds(project)}


def statsmodels(slow):
    try:
        import numpy
        from statsmodels.tsa.api import VAR
    except ImportError:
        print("statsmodels is not installed: its figures are left out.", file=sys.stderr)
        return {}
    values = numpy.random.default_rng(7).random((10_000, 100))
    found = {"fit": user_seconds(lambda: VAR(values).fit(1, trend="c")) * 1e3}
    model = VAR(values).fit(1, trend="c")
    found["pair"] = user_seconds(lambda: model.test_causality(0, [1], kind="f")) * 1e3
    if slow:
        smaller = VAR(values[:, :50]).fit(1, trend="c")
        begin = time.process_time()
        smaller.irf(10)
        smaller.fevd(10)
        found["responses"] = (time.process_time() - begin) * 1e3
    return found


def line(what, own, reference, bound):
    print(f"| {what} | {own} | {reference} | {bound} |")


def shown(value, unit, digits=2):
    return "not measured" if value is None else f"{value:,.{digits}f} {unit}"


def main():
    parser = argparse.ArgumentParser(description="Behaviour over time beside scikit-learn and statsmodels.")
    parser.add_argument("build", help="build folder with bin/skein_bench")
    parser.add_argument("--slow", action="store_true", help="also what statsmodels needs half a minute for")
    options = parser.parse_args()
    own = own_figures(options.build)
    learn, models = scikit_learn(), statsmodels(options.slow)
    print("| one core | Skein | reference | wanted |\n|---|---|---|---|")
    line("change-point update, 100,000 series", shown(milliseconds(own, "changePointUpdate/100000"), "ms"),
         "scikit-learn, component alone: " + shown(learn.get("update"), "ms"), "≤ 1.5 ms")
    for name, key, wanted in (("clusterEntities", "cluster", "≥ 300,000"), ("projectEntities", "project", "≥ 100,000")):
        took = milliseconds(own, name)
        line(f"{key} entities of 1,000 time points", shown(20_000 / took * 1e3 if took else None, "a second", 0),
             "scikit-learn: " + shown(learn.get(key), "a second", 0), wanted)
    line("VAR, 100 variables × 10,000: model, responses, shares, all pairs",
         shown(milliseconds(own, "causalityOfVariables/100/1"), "ms", 0),
         "statsmodels: fit " + shown(models.get("fit"), "ms", 0) + ", one pair "
         + shown(models.get("pair"), "ms", 0) + ", responses and shares of 50 variables "
         + shown(models.get("responses"), "ms", 0), "≤ 1,000 ms")
    line("live stream, 10,000 entities: time points a second", shown(
        10_000 / milliseconds(own, "liveStreamRows") * 1e3 / 10_000 if milliseconds(own, "liveStreamRows") else None,
        "", 0), "", "≥ 10")


if __name__ == "__main__":
    main()
