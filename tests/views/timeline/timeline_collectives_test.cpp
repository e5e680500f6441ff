// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_collectives_scene.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace skein::timeline_collectives_test {

namespace {

TimelineOptions options()
{
    TimelineOptions result;
    result.theme = lightTheme();
    return result;
}

TimelineDataPtr randomData(std::uint64_t seed, std::uint32_t collectives)
{
    test::RandomTraceOptions random;
    random.collectives = collectives;
    return test::timelineDataOf({std::make_shared<const Experiment>(test::randomExperiment(seed, random))});
}

}  // namespace

TEST_CASE("a collective is drawn from where each of its members came to where it left")
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto data = randomData(seed, 5);
        const Trace& trace = *data->session.experiments[0]->trace;
        const test::PlainCanvas plain(1200, 400);
        const TimelineLayout layout = timelineLayout(*data, {}, options(), 1200, 400, plain.measure);
        const VisibleCollectives visible = visibleCollectives(*data, layout);
        CHECK(visible.total == trace.collectives.size());
        REQUIRE(visible.drawn.size() == trace.collectives.size());
        for (const PlacedCollective& placed : visible.drawn) {
            const CollectiveOperation& operation = trace.collectives[placed.operation];
            REQUIRE(placed.members.size() == operation.memberCount);
            for (std::uint64_t at = operation.firstMember; at < operation.firstMember + operation.memberCount;
                 ++at) {
                const CollectiveMember& member = trace.collectiveMembers[at];
                const PlacedRow* row = layout.placeOf({0, member.location});
                const auto found = std::find_if(placed.members.begin(), placed.members.end(),
                                                [&](const PlacedMember& m) { return m.top == row->y; });
                REQUIRE(found != placed.members.end());
                CHECK(found->begin == layout.scale.toX(member.begin));
                CHECK(found->end == layout.scale.toX(member.end));
            }
        }
        const DrawList list = timelineScene(*data, {}, options(), 1200, 400, plain.measure, Task());
        std::size_t bands = 0;
        for (const PolygonItem& item : test::itemsOf<PolygonItem>(list)) bands += item.points.size() >= 4;
        CHECK(bands == visible.drawn.size());
    }
}

TEST_CASE("collectives of fewer than two visible rows are not drawn, and many are thinned to a few hundred")
{
    const auto data = randomData(2, 5);
    const test::PlainCanvas plain(1200, 400);
    ViewState one;
    one.filters = {locationFilter(FilterEffect::Keep, "Rank 0", {{0, LocationId(0)}})};
    CHECK(visibleCollectives(*data, timelineLayout(*data, one, options(), 1200, 400, plain.measure))
              .drawn.empty());
    const auto many = randomData(2, 3000);
    const TimelineLayout layout = timelineLayout(*many, {}, options(), 1200, 400, plain.measure);
    const VisibleCollectives visible = visibleCollectives(*many, layout);
    CHECK(visible.total == 3000);
    CHECK(visible.drawn.size() <= 400);
    CHECK(visible.drawn.size() >= 100);
    const auto says = [&](const TimelineData& shown) {
        for (const TextItem& item :
             test::itemsOf<TextItem>(timelineScene(shown, {}, options(), 1200, 400, plain.measure, Task())))
            if (item.text.ends_with(" collectives drawn")) return item.text;
        return std::string();
    };
    CHECK(says(*many) == fmt::format("{} of 3,000 collectives drawn", visible.drawn.size()));
    CHECK(says(*data).empty());
}

TEST_CASE("what a picture leaves out is told below the rows, in low pictures, too")
{
    const auto many = randomData(2, 3000);
    const test::PlainCanvas plain(1200, 400);
    for (const int height : {400, 160, 100, 90}) {
        INFO(height);
        const TimelineLayout layout = timelineLayout(*many, {}, options(), 1200, height, plain.measure);
        REQUIRE_FALSE(layout.notes.empty());
        CHECK(layout.notes.y >= layout.body.bottom());
        CHECK(layout.body.height > layout.notes.height);
        bool told = false;
        for (const TextItem& item : test::itemsOf<TextItem>(
                 timelineScene(*many, {}, options(), 1200, height, plain.measure, Task())))
            if (item.text.ends_with(" collectives drawn")) told = item.box.y >= layout.body.bottom();
        CHECK(told);
    }
}

TEST_CASE("collectives of traces that did not record them are drawn from the calls")
{
    test::ExperimentBuilder builder("run");
    for (TimeNs rank = 0; rank < 3; ++rank)
        builder.process("n",
                        {{0, 1000, "main", 0},
                         {100 + rank * 50, 300, "MPI_Barrier", 1},
                         {500 - rank * 20, 600, "MPI_Allreduce", 1}});
    const ExperimentPtr experiment =
        builder.paradigm("MPI_Barrier", Paradigm::Mpi).paradigm("MPI_Allreduce", Paradigm::Mpi).finish();
    const auto table = inferredCollectiveTable(*experiment, Task());
    REQUIRE(table);
    REQUIRE(*table);
    REQUIRE((*table)->operations.size() == 2);
    CHECK((*table)->operations[0].kind == CollectiveKind::Barrier);
    CHECK((*table)->operations[0].begin == 100);
    CHECK((*table)->operations[0].end == 300);
    CHECK((*table)->operations[1].begin == 460);
    const auto data = test::timelineDataOf({experiment});
    const test::PlainCanvas plain(1200, 400);
    const TimelineLayout layout = timelineLayout(*data, {}, options(), 1200, 400, plain.measure);
    CHECK(visibleCollectives(*data, layout).drawn.empty());
    const VisibleCollectives visible = visibleCollectives(*data, layout, {*table});
    REQUIRE(visible.drawn.size() == 2);
    CHECK(visible.drawn[0].members[2].begin == layout.scale.toX(200));
    CHECK(visible.drawn[0].members[2].end == layout.scale.toX(300));
    // Traces that recorded them keep to their own.
    CHECK(inferredCollectiveTable(*randomData(1, 5)->session.experiments[0], Task()).value() == nullptr);
}

TEST_CASE("the band under the pointer says who came last and by how much")
{
    const auto data = randomData(2, 5);
    const Experiment& experiment = *data->session.experiments[0];
    const Trace& trace = *experiment.trace;
    const test::PlainCanvas plain(1200, 400);
    const TimelineLayout layout = timelineLayout(*data, {}, options(), 1200, 400, plain.measure);
    const VisibleCollectives visible = visibleCollectives(*data, layout);
    REQUIRE_FALSE(visible.drawn.empty());
    for (const PlacedCollective& placed : visible.drawn) {
        const PlacedMember& member = placed.members[1];
        const PlacedCollective* found =
            collectiveAt(visible, {(member.begin + member.end) / 2, (member.top + member.bottom) / 2});
        REQUIRE(found);
        const CollectiveOperation& operation = trace.collectives[found->operation];
        TimeNs last = operation.begin;
        for (std::uint64_t at = operation.firstMember; at < operation.firstMember + operation.memberCount;
             ++at)
            last = std::max(last, trace.collectiveMembers[at].begin);
        const auto lines = collectiveTooltip(*data, *found, {});
        REQUIRE(lines.size() == 2);
        const std::string root = operation.root.valid()
            ? ", root " + displayName(data->session.experiments[0]->definitions, operation.root)
            : "";
        CHECK(lines[0].find(" of " + std::to_string(operation.memberCount) + root + ": ")
              != std::string::npos);
        CHECK(lines[1].find(formatDuration(static_cast<double>(last - operation.begin)) + " after the first")
              != std::string::npos);
    }
    CHECK(collectiveAt(visible, {layout.body.x, layout.body.y - 5}) == nullptr);
}

TEST_CASE("bands of collectives leave the colours of amounts as they are")
{
    const auto data = randomData(1, 5);
    const test::PlainCanvas plain(1200, 400);
    const TimelineLayout layout = timelineLayout(*data, {}, options(), 1200, 400, plain.measure);
    const VisibleCollectives visible = visibleCollectives(*data, layout);
    const auto filled = [&](ColorMode colors) {
        DrawList list;
        drawCollectives(list, visible, layout, options(), colors);
        const auto bands = test::itemsOf<PolygonItem>(list);
        CHECK(bands.size() == visible.drawn.size());
        CHECK(std::all_of(bands.begin(), bands.end(),
                          [](const PolygonItem& band) { return band.stroke.alpha > 0; }));
        return std::count_if(bands.begin(), bands.end(),
                             [](const PolygonItem& band) { return band.fill.alpha > 0; });
    };
    CHECK(filled(ColorMode::Region) == static_cast<std::ptrdiff_t>(visible.drawn.size()));
    for (const ColorMode colors : {ColorMode::Depth, ColorMode::Duration, ColorMode::Metric})
        CHECK(filled(colors) == 0);
}

}  // namespace skein::timeline_collectives_test
