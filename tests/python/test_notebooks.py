# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks of examples/notebooks run from their beginning to their end."""

import os
import unittest

from places import example

try:
    import nbclient
    import nbformat
    from jupyter_client.kernelspec import KernelSpecManager

    ABSENT = "" if "python3" in KernelSpecManager().find_kernel_specs() else "ipykernel is absent"
except ImportError as error:
    ABSENT = f"skipped: {error}"

FOLDER = example("notebooks")
# A text that the outputs of a notebook have, where everything went right.
TELLS = {
    "s0_behavior_over_time": ["silhouette", "places", "<svg"],
    "s1_anomalous_calls": ["compute_boundary", "anomaly", "<title>"],
    "s2_call_tree": ["apply_flux", "MPI_Allreduce()", "<svg"],
    "s3_communication": ["hop_bytes", "(16, 16)", "<svg"],
    "s4_workflow": ["experiment", "<svg"],
}


def outputs_of(notebook: "nbformat.NotebookNode") -> str:
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            texts += ["".join(text) for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
    return "\n".join(texts)


@unittest.skipIf(ABSENT, ABSENT)
class Notebooks(unittest.TestCase):
    def test_each_runs_to_its_end(self) -> None:
        names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".ipynb"))
        self.assertEqual([name.removesuffix(".ipynb") for name in names], sorted(TELLS))
        for name in names:
            with self.subTest(name):
                notebook = nbformat.read(os.path.join(FOLDER, name), as_version=4)
                nbformat.validate(notebook)
                self.assertEqual(outputs_of(notebook), "", "notebooks are kept without outputs")
                client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                                 resources={"metadata": {"path": FOLDER}})
                client.execute()
                told = outputs_of(notebook)
                for text in TELLS[name.removesuffix(".ipynb")]:
                    self.assertTrue(text in told, f"{text} is not told")


if __name__ == "__main__":
    unittest.main()
