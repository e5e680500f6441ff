// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_order_scene.h"

#include "core/select/filters.h"
#include "core/session/experiment_titles.h"
#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/color/call_colors.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/color/palette.h"
#include "views/timeline/timeline_scene.h"

#include <cmath>

namespace skein::row_order_test {

namespace {

/// Four ranks on two nodes; rank r waits r times 100 of 1000 ns, rank 3 works on something else.
TimelineDataPtr fourRanks()
{
    test::ExperimentBuilder builder("run");
    for (int rank = 0; rank < 4; ++rank)
        builder.process("node " + std::to_string(rank / 2),
                        {{0, 1000, rank == 3 ? "other" : "main", 0}, {0, rank * 100, "MPI_Wait", 1}});
    return test::timelineDataOf({builder.paradigm("MPI_Wait", Paradigm::Mpi)
                                     .message(0, 150, 1, 800, 64)
                                     .message(0, 200, 2, 700, 8)
                                     .finish()});
}

LocationRef rank(int number) { return {0, LocationId(number)}; }

RowGroup node(std::uint32_t number) { return {0, RowGroupKind::Node, number}; }

std::string labels(const std::vector<TimelineRow>& rows)
{
    std::string text;
    for (const TimelineRow& row : rows)
        text += (isHeader(row) ? "[" + row.label + "]" : row.label) + (row.folded.empty() ? "" : "*") + " ";
    return text;
}

TimelineOptions options()
{
    TimelineOptions result;
    result.theme = lightTheme();
    return result;
}

}  // namespace

TEST_CASE("rows are ordered by name, by time in a region of the brushed span, and by likeness")
{
    const auto data = fourRanks();
    ViewState state;
    CHECK(orderByName(*data, state) == std::vector{rank(0), rank(1), rank(2), rank(3)});
    const auto waits = regionsMatching(data->session, "MPI_Wait");
    CHECK(orderByTime(*data, state, waits, Task()).value()
          == std::vector{rank(3), rank(2), rank(1), rank(0)});
    state.brushed = TimeSpan{0, 100};
    CHECK(orderByTime(*data, state, waits, Task()).value()
          == std::vector{rank(1), rank(2), rank(3), rank(0)});
    state.brushed.reset();
    // Rank 3 shares its wait alone with the others; from rank 0 the mixes change step by step.
    CHECK(orderBySimilarity(*data, state, Task()).value() == std::vector{rank(0), rank(1), rank(2), rank(3)});
    state.filters = {locationFilter(FilterEffect::Hide, "Rank 1", {rank(1)})};
    CHECK(orderBySimilarity(*data, state, Task()).value() == std::vector{rank(0), rank(2), rank(3)});
}

TEST_CASE("collapsed groups become rows, pinned locations stay on top, an order of one's own has no headers")
{
    const auto data = fourRanks();
    CHECK(labels(arrangedRows(*data, {}, {})) == "[node 0] Rank 0 Rank 1 [node 1] Rank 2 Rank 3 ");
    RowArrangement rows = withGroupToggled({}, node(0));
    CHECK(labels(arrangedRows(*data, {}, rows)) == "node 0* [node 1] Rank 2 Rank 3 ");
    CHECK(arrangedRows(*data, {}, rows).front().folded == std::vector{rank(0), rank(1)});
    rows = withPinToggled(rows, rank(1));
    CHECK(labels(arrangedRows(*data, {}, rows)) == "Rank 1 node 0* [node 1] Rank 2 Rank 3 ");
    rows = withGroupToggled(withPinToggled(rows, rank(1)), node(0));
    CHECK(rows == RowArrangement{});
    rows = withRowMoved({}, {rank(0), rank(1), rank(2), rank(3)}, rank(3), rank(1));
    CHECK(labels(arrangedRows(*data, {}, rows)) == "Rank 0 Rank 3 Rank 1 Rank 2 ");
    rows = withRowMoved(rows, {}, rank(0), LocationRef());
    CHECK(labels(arrangedRows(*data, {}, rows)) == "Rank 3 Rank 1 Rank 2 Rank 0 ");
    // What the order does not name comes last.
    rows.order = {rank(2)};
    CHECK(labels(arrangedRows(*data, {}, rows)) == "Rank 2 Rank 0 Rank 1 Rank 3 ");
    CHECK(groupsOf(data->session, rank(2)) == std::vector<RowGroup>{{0, RowGroupKind::Process, 2}, node(1)});
}

TEST_CASE("a collapsed group shows in every column how its locations divide")
{
    const auto data = test::timelineDataOf({test::ExperimentBuilder("run")
                                                .process("n0", {{0, 1000, "a", 0}})
                                                .process("n0", {{0, 600, "a", 0}, {600, 1000, "b", 0}})
                                                .process("n0", {{0, 300, "c", 0}, {300, 1000, "b", 0}})
                                                .process("n1", {{0, 1000, "a", 0}})
                                                .finish()});
    ViewState state;
    state.rows = withGroupToggled({}, node(0));
    const test::PlainCanvas plain(800, 300);
    const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 300, plain.measure);
    REQUIRE(layout.rows.front().folded.size() == 3);
    const DrawList list = timelineScene(*data, state, options(), 800, 300, plain.measure, Task());
    const Experiment& experiment = *data->session.experiments[0];
    const RegionPalette palette = test::shownPalette(experiment, lightTheme());
    for (const PixelItem& item : test::itemsOf<PixelItem>(list)) {
        if (item.y != static_cast<int>(std::lround(layout.places.front().y))) continue;
        // As much of the row's height as there are locations in the region.
        const auto part = [&](TimeNs time, std::size_t region) {
            const auto column = static_cast<std::size_t>(layout.scale.toX(time) - layout.body.x);
            double of = 0, all = 0;
            for (std::size_t line = 0; line < item.heights.size(); ++line) {
                all += item.heights[line];
                const bool shows =
                    item.argb[line * static_cast<std::size_t>(item.columns) + column] == palette.argb[region];
                of += shows ? item.heights[line] : 0;
            }
            return of / all;
        };
        CHECK(part(150, 0) == Approx(2.0 / 3).margin(0.1));
        CHECK(part(450, 0) == Approx(2.0 / 3).margin(0.1));
        CHECK(part(800, 1) == Approx(2.0 / 3).margin(0.1));
    }
    CHECK(test::shows(list, "n0 (3)"));
    CHECK(test::unreadable(list, plain.measure) == "");
}

TEST_CASE("where calls have colours of their own, rows that stand for many have them, too")
{
    // One call of ten is far longer than the others: the last of each location.
    std::vector<test::Call> calls;
    for (TimeNs call = 0; call < 10; ++call)
        calls.push_back({call * 100, call == 9 ? 2000 : call * 100 + 100, "work", 0});
    const auto colorsOfLastRow = [&](const TimelineDataPtr& data, const ViewState& state) {
        const test::PlainCanvas plain(800, 300);
        const DrawList list = timelineScene(*data, state, options(), 800, 300, plain.measure, Task());
        const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 300, plain.measure);
        const PixelItem row = test::itemsOf<PixelItem>(list).back();
        const auto at = [&](TimeNs time) {
            return fromArgb(row.argb[static_cast<std::size_t>(layout.scale.toX(time) - layout.body.x)]);
        };
        return std::pair(at(150), at(1500));
    };
    ViewState state;
    state.colors = ColorMode::Duration;
    // Durations: nine times 100 and once 1100, so their mean is 200 and their deviation 300.
    const auto expected = std::pair(divergingColor(false, -100 / 300.0 / CallColors::kMostDeviations),
                                    divergingColor(false, 900 / 300.0 / CallColors::kMostDeviations));
    SECTION("a collapsed group")
    {
        test::ExperimentBuilder builder("run");
        for (int process = 0; process < 3; ++process) builder.process("n0", calls);
        state.rows = withGroupToggled({}, node(0));
        CHECK((colorsOfLastRow(test::timelineDataOf({builder.finish()}), state) == expected));
    }
    SECTION("rows lower than a pixel")
    {
        test::ExperimentBuilder builder("run");
        for (int process = 0; process < 600; ++process) builder.process("n0", calls);
        CHECK((colorsOfLastRow(test::timelineDataOf({builder.finish()}), state) == expected));
    }
}

TEST_CASE("where rows of many locations have the colours of one call, the picture says so, and notes of "
          "marks stand above it")
{
    const auto data = fourRanks();
    const test::PlainCanvas plain(800, 300);
    ViewState state;
    state.marks = {{{100, 300}, "slow"}};
    const auto noted = [&] {
        return test::shows(timelineScene(*data, state, options(), 800, 300, plain.measure, Task()),
                           "approximate: rows of many locations have the colours of one");
    };
    const auto noteOfMark = [&] {
        const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 300, plain.measure);
        for (const TextItem& item :
             test::itemsOf<TextItem>(timelineOverlay(*data, state, options(), layout, plain.measure)))
            if (item.text == "slow") return item.box.bottom();
        return 0.0;
    };
    state.rows = withGroupToggled({}, node(0));
    CHECK_FALSE(noted());
    const double usual = noteOfMark();
    const double line = std::round(plain.measure.lineHeight(FontStyle::Small) + 4);
    CHECK(usual <= 300 - line);
    state.colors = ColorMode::Duration;
    CHECK(noted());
    CHECK(noteOfMark() == usual);  // the strip below the plot has its room
    state.rows = {};
    CHECK_FALSE(noted());
}

TEST_CASE("what is selected or was found in a collapsed group is marked in its row")
{
    const auto data = fourRanks();
    const test::PlainCanvas plain(800, 300);
    ViewState state;
    state.rows = withGroupToggled({}, node(0));
    state.selected.intervals = {{0, LocationId(1), 1}};
    state.selected.messages = {{0, 0}};
    state.hits = {{0, LocationId(0), 0}};
    const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 300, plain.measure);
    const PlacedRow& row = layout.places.front();
    REQUIRE(layout.rows[row.row].folded.size() == 2);
    const DrawList list = timelineOverlay(*data, state, options(), layout, plain.measure);
    std::size_t outlines = 0;
    for (const RectItem& item : test::itemsOf<RectItem>(list))
        outlines += item.stroke == lightTheme().accent && item.rect.y >= row.y
            && item.rect.bottom() <= row.y + row.height + 1 && item.rect.height > row.height / 2;
    CHECK(outlines == 2);
    CHECK(test::itemsOf<LineItem>(list).size() == 1);
}

TEST_CASE("rows of two experiments in an order of one's own say which they are of, and a collapsed one has "
          "room for its name")
{
    const auto one = fourRanks()->session.experiments[0];
    const auto data = test::timelineDataOf({one, one});
    const test::PlainCanvas plain(1200, 400);
    ViewState state;
    state.rows.order = {{1, LocationId(2)}, {0, LocationId(2)}};
    const TimelineLayout layout = timelineLayout(*data, state, options(), 1200, 400, plain.measure);
    CHECK(layout.rows[0].label == experimentTitles(data->session)[1] + " Rank 2");
    state.rows = withGroupToggled({}, {1, RowGroupKind::Experiment, 0});
    const DrawList list = timelineScene(*data, state, options(), 1200, 400, plain.measure, Task());
    const TimelineRow collapsed =
        timelineLayout(*data, state, options(), 1200, 400, plain.measure).rows.back();
    REQUIRE(collapsed.folded.size() == 4);
    CHECK(test::shows(list, collapsed.label + " (4)"));
}

TEST_CASE("pinned rows do not scroll, and nothing is drawn over them")
{
    const auto data = fourRanks();
    ViewState state;
    state.rows.pinned = {rank(2)};
    TimelineOptions zoomed = options();
    zoomed.rowZoom = 4;
    zoomed.scrollY = 200;
    const test::PlainCanvas plain(800, 300);
    const TimelineLayout layout = timelineLayout(*data, state, zoomed, 800, 300, plain.measure);
    REQUIRE(layout.pinnedRows == 1);
    CHECK(layout.places.front().y == layout.body.y);
    CHECK(layout.rows[*layout.rowAt(layout.body.y + 1)].location == rank(2));
    const auto below = layout.rowAt(layout.body.y + layout.pinnedHeight + 1);
    REQUIRE(below);
    CHECK(layout.rows[*below].location != rank(2));
    const auto parts = partsOf(layout);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].body.y == parts[1].body.bottom());
    CHECK(parts[0].body.bottom() == layout.body.bottom());
    for (double y = layout.body.y; y < layout.body.bottom(); y += 1) {
        const auto row = layout.rowAt(y);
        if (row)
            CHECK((layout.places[*row].y <= y && y < layout.places[*row].y + layout.places[*row].height));
    }
}

TEST_CASE("where rows are pinned, each is high enough for its name")
{
    test::ExperimentBuilder builder("many");
    for (int process = 0; process < 60; ++process) builder.process("n", {{0, 1000, "main", 0}});
    const auto data = test::timelineDataOf({builder.finish()});
    ViewState state;
    const test::PlainCanvas plain(800, 300);
    CHECK(timelineLayout(*data, state, options(), 800, 300, plain.measure).rowHeight < 6);
    state.rows.pinned = {rank(40)};
    const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 300, plain.measure);
    CHECK(layout.rowHeight >= plain.measure.lineHeight(FontStyle::Small));
    CHECK(layout.maximumScroll > 0);
    const DrawList list = timelineScene(*data, state, options(), 800, 300, plain.measure, Task());
    CHECK(test::shows(list, "Rank 40"));
    CHECK(test::shows(list, "Rank 0"));
    CHECK(test::unreadable(list, plain.measure) == "");
}

TEST_CASE("messages of a collapsed group end at its row, those within it are not drawn")
{
    const auto data = fourRanks();
    ViewState state;
    state.rows = withGroupToggled({}, node(0));
    const test::PlainCanvas plain(800, 300);
    const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 300, plain.measure);
    const VisibleMessages messages = visibleMessages(*data, layout);
    REQUIRE(messages.drawn.size() == 1);
    CHECK(messages.drawn[0].from.y == layout.places[0].y + layout.places[0].height / 2);
}

}  // namespace skein::row_order_test
