// SPDX-License-Identifier: GPL-3.0-or-later
// Every decision about how finely a timeline is drawn, beside the table in docs/DESIGN.md.
#include "views/timeline/picture_detail_scene.h"

#include "tests/support/catch.h"

namespace skein::picture_detail_test {

TEST_CASE("a picture at rest is as fine as the screen, but for rows whose columns are divided")
{
    const PictureDetail resting;
    for (const std::size_t trees : {1u, 2u, 64u})
        for (const double callsPerPx : {0.0, 1.0, 2.0}) CHECK(resting.columnPx(trees, callsPerPx) == 1);
    CHECK(resting.columnPx(1, 2.1) == 2);
    CHECK(resting.columnPx(2, 2.1) == 1);
    CHECK(resting.callsPerColumn() == 2);
    CHECK(resting.colorPx() == 1);
    CHECK(resting.narrowestMarkPx() == 10);
}

TEST_CASE("while the view moves large pictures are coarser, small ones are not")
{
    CHECK(PictureDetail::moving(120'000) == PictureDetail());
    CHECK(PictureDetail().dividesColumns());
    CHECK_FALSE(PictureDetail::moving(120'001).dividesColumns());
    CHECK(PictureDetail::exact(1000, 5000).dividesColumns());
    const PictureDetail moving = PictureDetail::moving(120'001);
    CHECK(moving.columnPx(1, 0.5) == 2);
    CHECK(moving.columnPx(1, 0.6) == 4);
    CHECK(moving.columnPx(1, 1.9) == 4);
    CHECK(moving.columnPx(1, 100) == 4);
    CHECK(moving.columnPx(2, 0) == 2);
    CHECK(moving.columnPx(5, 0) == 4);
    CHECK(moving.columnPx(8, 0) == 8);
    CHECK(moving.columnPx(4096, 1) == 8);
    CHECK(moving.callsPerColumn() == 2);
    CHECK(moving.colorPx() == 4);
    CHECK(moving.narrowestMarkPx() == 20);
}

TEST_CASE("an exact picture goes through as many calls a column as there is time for, and is at least as "
          "fine as at rest")
{
    CHECK(PictureDetail::exact(1000, 5000).callsPerColumn() == 5);
    CHECK(PictureDetail::exact(1000, 10).callsPerColumn() == 2);
    CHECK(PictureDetail::exact(1000, std::uint64_t{1} << 28).callsPerColumn() == 256);
    CHECK(PictureDetail::exact(0, 10).callsPerColumn() == 10);
    CHECK(PictureDetail::exact(1000, 5000).columnPx(9, 1) == 1);
    CHECK(PictureDetail::exact(1000, 5000).columnPx(1, 4.9) == 1);
    CHECK(PictureDetail::exact(1000, 5000).columnPx(1, 5.1) == 2);
    CHECK(PictureDetail::exact(1000, 5000).isAsWideAs({}));
    CHECK_FALSE(PictureDetail::exact(1000, 5000) == PictureDetail());
    CHECK_FALSE(PictureDetail::moving(1e9).isAsWideAs({}));
}

}  // namespace skein::picture_detail_test
