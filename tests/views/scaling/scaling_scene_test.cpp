// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scaling/scaling_scene.h"

#include "core/series/extrap_text.h"
#include "tests/support/catch.h"
#include "tests/support/scenes.h"

#include <cmath>
#include <fmt/format.h>

namespace skein::scaling_scene_test {
namespace {

/// solve grows with p², a/b\/c is constant, and copy jumps to the fourfold behind 16.
ScalingStudy studyOfThree()
{
    std::string text = "PARAMETER p\nPOINTS 2 4 8 16 32 64 128\nMETRIC time\n";
    const auto add = [&](const std::string& path, auto valueAt) {
        text += "REGION " + path + "\n";
        for (const double p : {2., 4., 8., 16., 32., 64., 128.})
            text += fmt::format("DATA {} {} {}\n", valueAt(p), valueAt(p) * 1.001, valueAt(p) * 0.999);
    };
    add("main/solve", [](double p) { return 0.01 * p * p; });
    add("main/b\\/c", [](double) { return 3.0; });
    add("main/copy", [](double p) { return p > 16 ? 4.0 * p : p; });
    return parseExtrapText(text, "study.txt", Task()).value();
}

ScalingDataPtr dataOf(const std::string& at = {})
{
    return modelSource(sourceOfText(studyOfThree(), "time").value(), at, Task()).value();
}

}  // namespace

TEST_CASE("scaling: what dominates at the target comes first")
{
    const ScalingDataPtr far = dataOf("p=4096");
    REQUIRE(far->rows.size() == 3);
    CHECK(far->target == std::vector<double>{4096});
    CHECK(far->rows[0].series->path == "main/solve");
    CHECK(far->rows[0].model->predictions.front().value == Approx(0.01 * 4096 * 4096).epsilon(0.01));
    CHECK(far->rows[1].series->path == "main/copy");
    CHECK(far->rows[1].model->jump.has_value());
    double share = 0;
    for (const ModelRow& row : far->rows) share += row.percent;
    CHECK(share == Approx(100).epsilon(1e-3));
    CHECK(far->rowOf("main/copy") == 1u);
    CHECK_FALSE(far->rowOf("copy"));
    // Here copy, 4 · 128, takes more than solve, 0.01 · 128².
    CHECK(dataOf("p=128")->rows[0].series->path == "main/copy");
    CHECK(dataOf()->target == std::vector<double>{256});
    CHECK_FALSE(modelSource(sourceOfText(studyOfThree(), "time").value(), "q=3", Task()));
    CHECK_FALSE(sourceOfText(studyOfThree(), "bytes"));
}

TEST_CASE("scaling: paths are split at slashes that no backslash stands before")
{
    CHECK(leafOfPath("main/b\\/c") == std::pair<std::string, std::string>{"b/c", "main"});
    CHECK(leafOfPath("main") == std::pair<std::string, std::string>{"main", ""});
    CHECK(leafOfPath("a/b/c").second == "a / b");
}

TEST_CASE("scaling: a curve is the model at every value, and has what was measured")
{
    const ScalingDataPtr data = dataOf("p=4096");
    const std::size_t row = *data->rowOf("main/copy");
    const auto curves = scalingCurves(*data, row, 0);
    REQUIRE(curves.size() == 1);
    CHECK(curves[0].atTarget);
    CHECK(curves[0].measured.size() == 7 * 3);
    CHECK(curves[0].x.front() == 2);
    CHECK(curves[0].x.back() == 4096);
    for (std::size_t at = 0; at < curves[0].x.size(); ++at) {
        const double x = curves[0].x[at];
        CHECK(curves[0].told[at].value == Approx(data->rows[row].model->at(std::vector<double>{x})));
        CHECK(curves[0].told[at].low <= curves[0].told[at].high);
    }
}

TEST_CASE("scaling: with two parameters there is a curve for each value of the other one")
{
    std::string text = "PARAMETER p\nPARAMETER n\nPOINTS";
    for (const int n : {10, 20, 30})
        for (const int p : {2, 4, 8, 16, 32}) text += fmt::format(" ( {} {} )", p, n);
    text += "\nMETRIC time\nREGION solve\n";
    for (const int n : {10, 20, 30})
        for (const int p : {2, 4, 8, 16, 32}) text += fmt::format("DATA {}\n", 0.5 * n * p);
    const auto source = sourceOfText(parseExtrapText(text, "two.txt", Task()).value(), "time").value();
    const ScalingDataPtr data = modelSource(source, "p=64,n=20", Task()).value();
    const auto curves = scalingCurves(*data, 0, 0);
    REQUIRE(curves.size() == 3);
    CHECK(curves.back().atTarget);
    CHECK(curves.back().fixed[1] == 20);
    for (const ScalingCurve& curve : curves) {
        CHECK(curve.measured.size() == 5);
        for (const auto& [x, value] : curve.measured) CHECK(value == Approx(0.5 * x * curve.fixed[1]));
    }
}

TEST_CASE("scaling: the picture can be read, and its rows be found")
{
    ScalingPicture picture{dataOf("p=4096"), 1, 0, 0, ScalingAxes::Logarithmic};
    for (const auto& [width, height] : {std::pair{1400, 700}, std::pair{620, 700}, std::pair{320, 400}}) {
        const test::PlainCanvas plain(width, height);
        for (const ScalingAxes axes : {ScalingAxes::Logarithmic, ScalingAxes::Linear}) {
            picture.axes = axes;
            INFO(width);
            CHECK(test::unreadable(scalingScene(picture, plain.canvas), plain.measure) == "");
        }
        const ScalingLayout layout = scalingLayout(plain.canvas);
        const double x = layout.list.x + 5, y = layout.list.y + layout.rowHeight / 2;
        CHECK(scalingRowAt(picture, layout, {x, y}) == 0u);
        CHECK(scalingRowAt(picture, layout, {x, y + 2 * layout.rowHeight}) == 2u);
        CHECK_FALSE(scalingRowAt(picture, layout, {x, y + 3 * layout.rowHeight}));
        CHECK_FALSE(scalingRowAt(picture, layout, {x, 1}));
    }
    const auto facts = scalingFacts(*picture.data, 1);
    CHECK(facts[0] == "copy");
    CHECK(facts[3].find("between p = 16 and 32") != std::string::npos);
}

}  // namespace skein::scaling_scene_test
