// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_changes_scene.h"

#include "core/io/importer.h"
#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace skein::comm_changes_scene_test {

namespace {

const SessionPtr& lulesh()
{
    static const SessionPtr session = std::make_shared<Session>(
        Session{{openExperiment(test::sourcePath("examples/lulesh-8/trace-otf2"), Task()).value()}});
    return session;
}

SessionBehaviorPtr behaviorOf(const std::string& metric)
{
    BehaviorRequest request;
    request.metric = metric;
    request.bins = 60;
    request.clusters = 2;
    return makeBehavior(*lulesh(), request, nullptr, Task()).value();
}

CommChangesPtr changesOf(const SessionBehaviorPtr& behavior, const CommChangesRequest& request)
{
    ResultStore results;
    auto made = makeCommChanges(results, lulesh(), behavior, request, Task());
    REQUIRE(made);
    return *made;
}

using Values = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

Values valuesOf(const CommMatrixTable& table)
{
    Values values;
    for (std::size_t i = 0; i < table.cells.size(); ++i)
        values[{table.cells[i].row, table.cells[i].column}] = table.values[i];
    return values;
}

/// Bytes that were sent in a span, looked up message by message.
Values bytesIn(TimeSpan span)
{
    Values values;
    const Experiment& experiment = *lulesh()->experiments[0];
    for (const Message& message : experiment.trace->messages) {
        if (message.sendTime < span.begin || message.sendTime >= span.end) continue;
        values[{
            static_cast<std::uint32_t>(experiment.definitions.locations[message.sender.index()].rank),
            static_cast<std::uint32_t>(experiment.definitions.locations[message.receiver.index()].rank)}] +=
            static_cast<double>(message.bytes);
    }
    return values;
}

}  // namespace

TEST_CASE("live and base are the messages of their bins, and differences are those between them")
{
    const SessionBehaviorPtr behavior = behaviorOf("sent-bytes");
    REQUIRE_FALSE(behavior->changes.changes.empty());
    CommChangesRequest request;
    request.liveRow = 55;
    request.baseRow = 50;
    request.spans = CommSpans::Bins;
    const CommChangesPtr changes = changesOf(behavior, request);
    CHECK(valuesOf(*changes->live.table) == bytesIn(behavior->binSpan(55)));
    CHECK(valuesOf(*changes->base.table) == bytesIn(behavior->binSpan(50)));
    REQUIRE_FALSE(changes->differences.empty());
    for (const CommInterval& interval : changes->differences) {
        Values expected = bytesIn(behavior->binSpan(behavior->changes.changes[*interval.change]));
        for (const auto& [pair, bytes] : bytesIn(behavior->binSpan(50))) expected[pair] -= bytes;
        CHECK(valuesOf(*interval.table) == expected);
        double greatest = 0;
        for (const auto& [pair, value] : expected) greatest = std::max(greatest, std::abs(value));
        CHECK(interval.table->greatest >= greatest);
    }
    CHECK(changes->live.table->greatest == changes->base.table->greatest);
}

TEST_CASE("between changes that last matrices are means over the bins of their periods")
{
    const SessionBehaviorPtr behavior = behaviorOf("sent-bytes");
    REQUIRE_FALSE(behavior->lasting.empty());
    const std::size_t change = behavior->lasting.back();
    const std::size_t row = behavior->changes.changes[change], rows = behavior->table.rows();
    const auto meanOf = [&](std::size_t first, std::size_t last) {
        Values values = bytesIn({behavior->edges[first], behavior->edges[last]});
        for (auto& [pair, bytes] : values) bytes /= static_cast<double>(last - first);
        return values;
    };
    const std::size_t before = behavior->lasting.size() > 1
        ? behavior->changes.changes[behavior->lasting[behavior->lasting.size() - 2]]
        : 0;
    for (const CommReference reference : {CommReference::Base, CommReference::Before}) {
        CommChangesRequest request;
        request.liveRow = rows - 1;
        request.baseRow = row - 1;
        request.reference = reference;
        const CommChangesPtr changes = changesOf(behavior, request);
        CHECK(changes->live.row == row);
        CHECK(changes->live.rows == rows - row);
        CHECK(valuesOf(*changes->live.table) == meanOf(row, rows));
        CHECK(valuesOf(*changes->base.table) == meanOf(before, row));
        REQUIRE(changes->differences.size() == behavior->lasting.size());
        Values expected = meanOf(row, rows);
        for (const auto& [pair, bytes] : meanOf(before, row)) expected[pair] -= bytes;
        CHECK(valuesOf(*changes->differences.back().table) == expected);
        CHECK(commSpansText(*changes) == "means of the bins from lasting change to lasting change");
        CHECK(commIntervalTitle(*changes, changes->differences.back())
                  .starts_with(fmt::format("After change {} − {}", change + 1,
                                           reference == CommReference::Base ? "base" : "before")));
    }
}

TEST_CASE("hidden locations and a narrower scope of the behaviour count in no matrix")
{
    BehaviorRequest asked;
    asked.metric = "sent-bytes";
    asked.bins = 40;
    asked.clusters = 2;
    const TimeSpan whole = lulesh()->experiments[0]->trace->extent;
    asked.span = TimeSpan{whole.begin + (whole.end - whole.begin) * 7 / 10,
                          whole.begin + (whole.end - whole.begin) * 9 / 10};
    Filter hidden;
    hidden.locations = {{0, LocationId(2)}};
    asked.filters = {hidden};
    const SessionBehaviorPtr behavior = makeBehavior(*lulesh(), asked, nullptr, Task()).value();
    CommChangesRequest request;
    request.liveRow = behavior->table.rows() - 1;
    const CommChangesPtr changes = changesOf(behavior, request);
    CHECK(changes->base.span.begin >= asked.span->begin);
    CHECK(changes->live.span.end <= asked.span->end + 1);
    REQUIRE(valuesOf(*changes->live.table).size() + valuesOf(*changes->base.table).size() > 0);
    for (const CommInterval* interval : {&changes->live, &changes->base})
        for (const auto& [pair, bytes] : valuesOf(*interval->table))
            CHECK((pair.first != 2 && pair.second != 2));
}

TEST_CASE("filters of messages count in the series of Behaviour and in all of its matrices")
{
    BehaviorRequest asked;
    asked.metric = "sent-bytes";
    asked.bins = 40;
    asked.clusters = 2;
    asked.filters = {messageFilter(FilterEffect::Keep, *parseAttributeConditions("tag=2048"))};
    const SessionBehaviorPtr behavior = makeBehavior(*lulesh(), asked, nullptr, Task()).value();
    double series = 0, expected = 0;
    for (const double value : behavior->table.values) series += value;
    for (const Message& message : lulesh()->experiments[0]->trace->messages)
        expected += message.tag == 2048 ? static_cast<double>(message.bytes) : 0;
    REQUIRE(expected > 0);
    CHECK(series == expected);
    CommChangesRequest request;
    request.spans = CommSpans::Bins;
    request.liveRow = 35;
    const CommChangesPtr changes = changesOf(behavior, request);
    double live = 0, inBin = 0;
    for (const auto& [pair, bytes] : valuesOf(*changes->live.table)) live += bytes;
    for (std::size_t column = 0; column < behavior->table.columns.size(); ++column)
        inBin += behavior->table.at(35, column);
    CHECK(live == inBin);
}

TEST_CASE("a base in which nothing was sent shows plain amounts")
{
    const SessionBehaviorPtr behavior = behaviorOf("sent-bytes");
    CommChangesRequest request;
    request.liveRow = 55;
    request.spans = CommSpans::Bins;
    REQUIRE(bytesIn(behavior->binSpan(0)).empty());
    const CommChangesPtr changes = changesOf(behavior, request);
    for (const CommInterval& interval : changes->differences)
        CHECK(valuesOf(*interval.table)
              == bytesIn(behavior->binSpan(behavior->changes.changes[*interval.change])));
}

TEST_CASE("the picture has a matrix for each, clusters at the margins, and a strip whose places are bins")
{
    const SessionBehaviorPtr behavior = behaviorOf("exclusive:MPI");
    CommChangesRequest request;
    request.liveRow = 59;
    const CommChangesPtr changes = changesOf(behavior, request);
    CHECK(changes->clusters.size() == 8);
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        REQUIRE(changes->clusters[rank]);
        CHECK(*changes->clusters[rank] == behavior->clusters.labels[rank]);
    }
    const test::PlainCanvas plain(1000, 600);
    const Canvas& canvas = plain.canvas;
    const CommChangesLayout layout = commChangesLayout(*changes, canvas);
    REQUIRE(layout.boxes.size() == 2 + changes->differences.size());
    for (const CommBox& box : layout.boxes) {
        CHECK(box.body.x >= 0);
        CHECK(box.body.right() <= 1000);
        CHECK(box.body.bottom() <= layout.foot.y + 1);
        const Point middle{box.body.x + box.body.width * 0.44, box.body.y + box.body.height * 0.06};
        const auto hit = commChangesCellAt(*changes, layout, middle);
        REQUIRE(hit);
        CHECK(hit->interval == box.interval);
        CHECK(hit->row == 0);
        CHECK(hit->column == 3);
        CHECK(commChangesText(*changes, *hit).size() >= 3);
    }
    for (const std::size_t row : {0u, 17u, 59u}) {
        const double x =
            (layout.scale.toX(behavior->edges[row]) + layout.scale.toX(behavior->edges[row + 1])) / 2;
        CHECK(commStripRowAt(*changes, layout, {x, layout.strip.y + 5}) == row);
    }
    CHECK_FALSE(commStripRowAt(*changes, layout, {50, layout.foot.y}));
    const DrawList list = commChangesScene(*changes, {}, canvas, Task());
    CHECK(list.items.size() > layout.boxes.size());
    std::vector<std::uint32_t> colors;
    for (const DrawItem& item : list.items)
        if (const auto* pixels = std::get_if<PixelItem>(&item); pixels && colors.empty())
            colors = pixels->argb;
    REQUIRE_FALSE(colors.empty());
    // What is sent now is grey: blue and orange mean less and more.
    for (const std::uint32_t color : colors) {
        const auto [least, most] = std::minmax({color & 0xFF, color >> 8 & 0xFF, color >> 16 & 0xFF});
        CHECK(most - least <= 2);
    }
    CHECK(std::count(colors.begin(), colors.end(), toArgb(greyScaleColor(false, 1))) > 0);
    // Where an entity is selected the margins of the others lose their colours.
    Selection first;
    first.locations = behavior->locationsOf(std::size_t{0});
    REQUIRE(layout.margin > 0);
    const auto greys = [&](const DrawList& drawn) {
        const auto rects = test::itemsOf<RectItem>(drawn);
        return std::count_if(rects.begin(), rects.end(), [&](const RectItem& rect) {
            return rect.fill == withAlpha(canvas.theme().secondaryText, 90);
        });
    };
    CHECK(greys(list) == 0);
    CHECK(greys(commChangesScene(*changes, first, canvas, Task())) > 0);
}

}  // namespace skein::comm_changes_scene_test
