# SPDX-License-Identifier: GPL-3.0-or-later
"""The package works where `cmake --install` and `pip install` put it."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from places import LULESH, SOURCE

BUILD = os.environ["SKEIN_BUILD_DIR"]
CHECK = (
    "import skein; archive = skein.open(%r); print(skein.__file__); "
    "assert len(archive.profile(by='region')) > 10 and archive.info()['locations'] == 8" % LULESH
)


def importable(module: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


class Installed(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def check(self, place: str) -> None:
        environment = {**os.environ, "PYTHONPATH": place}
        ran = subprocess.run([sys.executable, "-c", CHECK], env=environment, capture_output=True, text=True,
                             cwd=self.folder.name, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue(ran.stdout.startswith(place), ran.stdout)
        self.assertTrue(os.path.exists(os.path.join(place, "skein", "py.typed")))

    def test_cmake_installs_it(self) -> None:
        prefix = os.path.join(self.folder.name, "prefix")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix, "--component", "python"], check=True,
                       capture_output=True)
        places = [place for place, folders, _ in os.walk(prefix) if "skein" in folders]
        self.assertEqual(len(places), 1)
        self.assertIn(os.path.basename(places[0]), ("site-packages", "dist-packages"))
        self.check(places[0])

    @unittest.skipUnless(importable("pip") and importable("setuptools"), "pip or setuptools is absent")
    def test_pip_installs_it(self) -> None:
        # From a copy without the folders that pip and setuptools would leave in the sources.
        copy = os.path.join(self.folder.name, "copy")
        os.mkdir(copy)
        for name in ("CMakeLists.txt", "pyproject.toml", "setup.py"):
            shutil.copy(os.path.join(SOURCE, name), copy)
        shutil.copytree(os.path.join(SOURCE, "python"), os.path.join(copy, "python"))
        os.mkdir(os.path.join(copy, "docs"))
        shutil.copy(os.path.join(SOURCE, "docs", "PYTHON.md"), os.path.join(copy, "docs"))
        place = os.path.join(self.folder.name, "place")
        words = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index",
                 "--disable-pip-version-check", "--target", place, copy]
        ran = subprocess.run(words, env={**os.environ, "SKEIN_BUILD_DIR": BUILD}, capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.check(place)


if __name__ == "__main__":
    unittest.main()
