# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts have in common that measure a build on a generated archive, or on one that is named."""
import argparse
import pathlib
import subprocess
import tempfile


def run(description, report):
    """Reads the command line and calls report(build, archive, repetitions)."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--events", type=int, default=30_000_000)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--fields", type=int, default=1, help="messages to each neighbour in a step")
    parser.add_argument("--archive", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    if options.archive:
        report(options.build, options.archive, options.repetitions)
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / "archive"
        subprocess.run([options.build / "bin/skein-generate-archive", "--ranks", str(options.ranks), "--events",
                        str(options.events), "--fields", str(options.fields), archive], check=True, stdout=subprocess.DEVNULL)
        report(options.build, archive, options.repetitions)
