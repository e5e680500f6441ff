// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/legend_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/regions/call_legend.h"

#include <algorithm>

namespace skein::legend_scene_test {
namespace {

SessionPtr smallSession()
{
    test::ExperimentBuilder builder("run");
    builder.process("n0", {{0, 900, "main", 0}, {10, 20, "MPI_Send", 1}, {30, 60, "MPI_Recv", 1}});
    builder.paradigm("MPI_Send", Paradigm::Mpi).paradigm("MPI_Recv", Paradigm::Mpi);
    return std::make_shared<const Session>(Session{{builder.finish()}});
}

std::vector<std::string> namesOf(const std::vector<LegendRow>& rows)
{
    std::vector<std::string> names;
    for (const LegendRow& row : rows) names.push_back(row.name);
    return names;
}

}  // namespace

TEST_CASE("the legend as a picture tells every group and region with its colour and its part of the time")
{
    const SessionPtr session = smallSession();
    const test::PlainCanvas plain(400, 300);
    const auto rows = legendRows(*session, {}, ownTimeShares(*session), plain.canvas.theme());
    CHECK(namesOf(rows)
          == std::vector<std::string>{"Application", "main", "MPI (as a band: the rest of it)", "MPI_Recv",
                                      "MPI_Send"});
    CHECK(*rows[1].share == Approx(860.0 / 900));
    CHECK(*rows[2].share == Approx(40.0 / 900));
    CHECK(*rows[3].share == Approx(30.0 / 900));
    const DrawList list = legendScene(rows, plain.canvas);
    const auto swatches = test::itemsOf<RectItem>(list);
    REQUIRE(swatches.size() == rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) CHECK(swatches[row].fill == rows[row].color);
    CHECK(legendHeight(rows, plain.canvas) <= 300);
}

TEST_CASE("the legend as a picture counts what has no room")
{
    const test::PlainCanvas plain(400, 60);
    const auto rows = legendRows(*smallSession(), {}, ownTimeShares(*smallSession()), plain.canvas.theme());
    const auto swatches = test::itemsOf<RectItem>(legendScene(rows, plain.canvas));
    CHECK(swatches.size() < rows.size());
    const auto texts = test::itemsOf<TextItem>(legendScene(rows, plain.canvas));
    CHECK(texts.back().text == std::to_string(rows.size() - swatches.size()) + " more");
}

TEST_CASE("a picture that divides columns tells the colours of what it leaves of groups")
{
    const SessionPtr session = smallSession();
    const Theme theme = test::PlainCanvas(1, 1).canvas.theme();
    const auto legend = dividedLegend(*session, {}, theme);
    const auto calls = callLegend(*session, {}, theme);
    REQUIRE(legend.size() == calls.size() + 1);  // one region of the user's leaves nothing
    CHECK(legend.back().text == "MPI: the rest");
    CHECK(legend.back().color == legendRows(*session, {}, ownTimeShares(*session), theme)[2].color);
}

}  // namespace skein::legend_scene_test
