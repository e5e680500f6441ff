# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures are well-formed, show what they are asked for, and tell it in tooltips."""

import os
import re
import tempfile
import unittest
import xml.etree.ElementTree as xml
from typing import List

import skein
from places import HEATFLOW, LULESH_PROFILE

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: skein.Picture) -> List[str]:
    return [element.text for element in xml.fromstring(picture.svg()).iter(SVG + "text")]


def tips(picture: skein.Picture) -> List[str]:
    html = picture.html()
    root = xml.fromstring(html[html.index("<svg"):html.rindex("</div>")])
    return [element.text for element in root.iter(SVG + "title")]


class Drawn(unittest.TestCase):
    def setUp(self) -> None:
        self.archive = skein.open(HEATFLOW)

    def test_a_timeline(self) -> None:
        picture = self.archive.timeline((1_000_000_000, 1_050_000_000))
        root = xml.fromstring(picture.svg())
        self.assertEqual((root.get("width"), root.get("height")), ("960", "400"))
        shown = texts(picture)
        for rank in range(16):
            self.assertIn(f"Rank {rank}", shown)
        told = tips(picture)
        self.assertTrue(any(text.startswith("compute_tile\n") for text in told))
        self.assertTrue(any("Rank 15" in text for text in told))
        # One of a call that began before the window and lasts into it.
        self.assertTrue(any("37.67 ms at 984.577 ms" in text for text in told))
        self.assertGreater(len(told), 500)
        self.assertEqual(picture.svg(), self.archive.timeline((1_000_000_000, 1_050_000_000)).svg())
        quiet = self.archive.timeline((1_000_000_000, 1_050_000_000), messages=False)
        self.assertEqual([text for text in tips(quiet) if text.startswith("Message")], [])

    def test_a_timeline_has_a_legend(self) -> None:
        plain = texts(self.archive.timeline(legend=False))
        legend = [text for text in texts(self.archive.timeline()) if text not in plain]
        regions = {name.removesuffix("()") for name in self.archive.profile(by="region")["name"]}
        self.assertGreater(len(legend), 2)
        self.assertGreater(len([text for text in legend if text in regions]), 1)
        both = skein.side_by_side([self.archive, self.archive])
        self.assertTrue(set(legend) <= set(texts(both)))

    def test_a_tree_has_all_call_paths(self) -> None:
        told = tips(self.archive.tree())
        self.assertEqual(len(told), len(self.archive.profile(by="callpath")))
        kept = self.archive.tree(query='MATCH ("*")->(n) WHERE n."name" STARTS WITH "MPI_All"')
        self.assertLess(len(tips(kept)), len(told))
        self.assertIn("MPI_Allreduce", " ".join(texts(kept)) + " ".join(tips(kept)))

    def test_a_matrix_has_all_pairs(self) -> None:
        matrix = self.archive.comm_matrix()
        told = tips(self.archive.matrix())
        self.assertEqual(len(told), len(matrix.entries))
        self.assertTrue(told[0].startswith("Rank 0 to Rank 1"))
        self.assertEqual(matrix._repr_svg_(), self.archive.matrix().svg())

    def test_a_scatter_tells_every_anomaly(self) -> None:
        told = tips(self.archive.scatter())
        labels = self.archive.anomalies()["label"]
        self.assertEqual(len([text for text in told if "\nanomaly" in text]), int((labels == "anomaly").sum()))

    def test_a_scatter_tells_what_its_colours_and_marks_are(self) -> None:
        plain = self.archive.scatter(legend=False)
        picture = self.archive.scatter()
        self.assertEqual((picture.width, picture.height), (plain.width, plain.height))
        regions = {name.removesuffix("()") for name in self.archive.profile(by="region")["name"]}
        below = [element for element in xml.fromstring(picture.svg()).iter(SVG + "text")
                 if float(element.get("y", 0)) > 590]
        self.assertGreater(len([e for e in below if (e.text or "").removesuffix("()") in regions]), 4)
        for marks in (texts(plain), texts(picture)):
            for mark in ("anomaly", "consequence of an anomaly", "normal calls"):
                self.assertIn(mark, marks)
        # Every place that is told stands above the legend.
        html = picture.html()
        places = [element for element in xml.fromstring(html[html.index("<svg"):html.rindex("</div>")]).iter(SVG + "rect")
                  if element.find(SVG + "title") is not None]
        self.assertGreater(len(places), 100)
        self.assertTrue(all(float(place.get("y", 0)) < 590 for place in places))

    def test_a_tree_tells_what_its_colours_and_areas_are(self) -> None:
        shown = texts(self.archive.tree())
        self.assertIn("Colour: Time, inclusive", shown)
        self.assertIn("Area: Time, exclusive", shown)

    def test_all_kinds_have_tooltips(self) -> None:
        profile = skein.open(LULESH_PROFILE)
        for picture in (self.archive.timeline(), self.archive.tree(), self.archive.matrix(), self.archive.scatter(),
                        profile.tree(), profile.matrix(), self.archive.comm_matrix()):
            self.assertIn("<title>", picture._repr_html_())
            self.assertNotIn("<title>", picture._repr_svg_())

    def test_a_small_matrix_of_many_ranks_tells_its_heaviest_pairs(self) -> None:
        told = tips(self.archive.matrix(width=60, height=60))
        self.assertEqual(len(told), len(self.archive.comm_matrix().entries))

    def test_what_notebooks_show(self) -> None:
        self.assertTrue(self.archive._repr_svg_().startswith("<svg"))
        self.assertIn("<title>", self.archive._repr_html_())
        profile = skein.open(LULESH_PROFILE)
        self.assertIn("main", profile._repr_html_())
        self.assertIn("<table", self.archive.info()._repr_html_())

    def test_many_pictures_stand_in_one_page(self) -> None:
        self.assertIsNone(re.search(r"\bid=", self.archive.timeline().html()))

    def test_pictures_are_saved(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tree.svg", "tree.html"):
                path = os.path.join(folder, name)
                self.archive.tree(dark=True).save(path)
                with open(path, encoding="utf-8") as file:
                    self.assertIn("<svg", file.read())

    def test_several_archives_beside_each_other(self) -> None:
        both = skein.side_by_side([self.archive, self.archive], (1_000_000_000, 1_010_000_000))
        self.assertGreater(len([text for text in texts(both) if text.startswith("Rank 1")]), 1)


if __name__ == "__main__":
    unittest.main()
