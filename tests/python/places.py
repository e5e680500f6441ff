# SPDX-License-Identifier: GPL-3.0-or-later
"""Where tests find examples and programs."""

import os
import subprocess
from typing import Any, List

SOURCE = os.environ["SKEIN_SOURCE_DIR"]
CLI = os.environ["SKEIN_CLI"]


def example(path: str) -> str:
    return os.path.join(SOURCE, "examples", path)


def data(path: str) -> str:
    return os.path.join(SOURCE, "tests", "data", path)


LULESH = example("lulesh-8/trace-otf2")
LULESH_PROFILE = example("lulesh-8/profile-callpath")
HEATFLOW = example("heatflow-16x2/trace-otf2")
EZTRACE = example("eztrace-lulesh-8/trace-otf2")


def cli(arguments: List[Any]) -> "subprocess.CompletedProcess[bytes]":
    """What the program prints for the same arguments."""
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, timeout=120, check=False)
