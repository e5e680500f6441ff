# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the module of the package with CMake.

$SKEIN_BUILD_DIR names a build folder that is configured already; its module is built there, or taken where it is up to
date. Without it all that the module needs is built in a folder of its own, without the window and the tests.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent


def version() -> str:
    """The one that CMakeLists.txt names."""
    text = (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(skein VERSION ([0-9.]+)", text).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext: Extension) -> None:
        given = os.environ.get("SKEIN_BUILD_DIR")
        folder = Path(given).resolve() if given else Path(self.build_temp).resolve()
        if not given:
            self.configure(folder)
        subprocess.run(["cmake", "--build", str(folder), "--target", "skein_python"], check=True)
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        built = [file for file in (folder / "python" / "skein").iterdir() if file.name.startswith("_native.")]
        if len(built) != 1:
            raise RuntimeError("CMake has not built the module: are Python's headers, NumPy and pybind11 there?")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built[0], target.parent / built[0].name)

    def configure(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DSKEIN_UNITY=ON", "-DSKEIN_BUILD_GUI=OFF", "-DSKEIN_BUILD_TESTS=OFF",
                   "-DSKEIN_BUILD_BENCHMARKS=OFF", "-DSKEIN_BUILD_PYTHON=ON", f"-DSKEIN_PYTHON={sys.executable}"]
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", str(SOURCE), "-B", str(folder), *generator, *options], check=True)


setup(version=version(), ext_modules=[Extension("skein._native", sources=[])], cmdclass={"build_ext": CMakeBuild})
