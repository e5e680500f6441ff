// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/timeline_index.h"

#include "core/index/outliers.h"
#include "core/index/row_sampler.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/time_trees.h"

#include <cmath>
#include <map>

namespace skein::timeline_index_test {

namespace {

struct OwnTime {
    TimeNs begin, end;
    std::uint32_t callPath;
};

/// Brute force: who runs itself when, from the definition of nesting alone.
std::vector<OwnTime> ownTimes(const CallIntervals& calls)
{
    std::vector<OwnTime> pieces;
    std::vector<TimeNs> edges;
    for (std::size_t i = 0; i < calls.size(); ++i) edges.insert(edges.end(), {calls.begin[i], calls.end[i]});
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
        std::optional<std::size_t> inner;
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (calls.begin[i] <= edges[e] && calls.end[i] >= edges[e + 1] && calls.end[i] > calls.begin[i])
                inner = i;
        if (inner) pieces.push_back({edges[e], edges[e + 1], calls.callPath[*inner]});
    }
    return pieces;
}

std::map<std::uint32_t, double> regionTimes(const std::vector<OwnTime>& pieces, const CallTree& tree,
                                            double from, double to)
{
    std::map<std::uint32_t, double> times;
    for (const OwnTime& piece : pieces) {
        const double overlap = std::min<double>(to, piece.end) - std::max<double>(from, piece.begin);
        if (overlap > 0) times[tree.region(CallPathId(piece.callPath)).value()] += overlap;
    }
    return times;
}

TimelineIndex indexOf(const Experiment& experiment, int threads = 1)
{
    return *buildTimelineIndex(*experiment.trace, *experiment.callTree, Task().withThreads(threads));
}

/// Rows of one location.
class Sampler {
public:
    Sampler(const CallTree& tree, const CallIntervals& calls, const TimelineIndex::Location& index)
        : source_(calls, index), sampler_(tree.regions().span())
    {
    }
    void sample(const ColumnGrid& grid, std::span<ColumnSample> columns,
                std::uint32_t callsPerColumn = RowSampler::kFewCalls)
    {
        sampler_.sample({&source_, 1}, grid, callsPerColumn, columns);
    }

private:
    RowSource source_;
    RowSampler sampler_;
};

}  // namespace

TEST_CASE("every node of a time tree names the region that took most time in its span")
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 20 + seed * 15);
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        const TimelineIndex index = indexOf(*experiment);
        const auto pieces = ownTimes(calls);
        const CallTree& tree = *experiment->callTree;
        test::forEachNode(
            index.locations[0].tree, index.locations[0].tree.root(), [&](const TimeTree::Node& node) {
                const auto times = regionTimes(pieces, tree, static_cast<double>(node.span.begin),
                                               static_cast<double>(node.span.end));
                if (times.empty()) return;
                REQUIRE(node.callPath != CallPathId::kNone);
                const auto found = times.find(tree.region(CallPathId(node.callPath)).value());
                // Calls without duration where nothing else runs count as one of 1 ns.
                if (found == times.end()) {
                    REQUIRE(test::longestOf(times) <= 4);
                    return;
                }
                const double shown = found->second;
                REQUIRE(shown >= test::longestOf(times) - 4);
                if (node.share == TimeTree::kUniform)
                    REQUIRE(shown == static_cast<double>(node.span.lengthNs()));
                else
                    REQUIRE(node.share / 254.0
                            <= std::max(1 / 254.0, (shown + 4) / static_cast<double>(node.span.lengthNs())));
            });
    }
}

TEST_CASE("in a busy stretch all that begins or ends is told apart, elsewhere leaves have few calls")
{
    for (const std::size_t count : {300u, 3000u, 20'000u}) {
        const ExperimentPtr experiment =
            test::experimentOfRandomCalls(static_cast<std::uint32_t>(count), count);
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        const TimelineIndex index = indexOf(*experiment);
        const TimeTree& tree = index.locations[0].tree;
        const auto beginIn = [&](TimeNs from, TimeNs to) {
            return std::lower_bound(calls.begin.begin(), calls.begin.end(), to)
                - std::lower_bound(calls.begin.begin(), calls.begin.end(), from);
        };
        std::size_t busyLeaves = 0;
        test::forEachNode(tree, tree.root(), [&](const TimeTree::Node& node) {
            const TimeNs width = node.span.lengthNs();
            const TimeNs around = std::min(width << TimeTree::kAroundLevels, tree.root().span.lengthNs());
            const TimeNs from = node.span.begin / around * around;
            const bool busy = beginIn(from, from + around) > TimeTree::kBusyCalls;
            const bool steady = node.share == TimeTree::kUniform;
            if (node.leaf)
                REQUIRE((width == 1 || steady
                         || (!busy && beginIn(node.span.begin, node.span.end) <= TimeTree::kLeafCalls)));
            else REQUIRE((busy || beginIn(node.span.begin, node.span.end) > TimeTree::kLeafCalls));
            busyLeaves += node.leaf && busy;
        });
        CHECK((busyLeaves > 0) == (count > TimeTree::kBusyCalls));
    }
}

TEST_CASE("columns within leaves show exactly the region that took most time")
{
    for (std::uint32_t seed = 1; seed <= 15; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 150);
        const auto& location = experiment->trace->locations[0];
        const TimelineIndex index = indexOf(*experiment);
        const auto pieces = ownTimes(location.intervals);
        Sampler sampler(*experiment->callTree, location.intervals, index.locations[0]);
        // Narrower than a nanosecond: every cell is a leaf.
        const ColumnGrid grid{static_cast<double>(location.extent.begin) + seed * 3.3, 0.37, 2000};
        std::vector<ColumnSample> columns(grid.count);
        sampler.sample(grid, columns);
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            const double from = grid.begin + c * grid.nsPerColumn;
            const auto times = regionTimes(pieces, *experiment->callTree, from, from + grid.nsPerColumn);
            if (times.empty()) continue;
            REQUIRE(columns[c].callPath != CallPathId::kNone);
            const auto shown =
                times.find(experiment->callTree->region(CallPathId(columns[c].callPath)).value());
            REQUIRE(shown != times.end());
            REQUIRE(shown->second == Approx(test::longestOf(times)).margin(1e-6));
        }
    }
}

TEST_CASE("with as many calls a column as are gone through every column shows exactly the region that took "
          "most time")
{
    int others = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 900);
        const auto& location = experiment->trace->locations[0];
        const TimelineIndex index = indexOf(*experiment);
        const auto pieces = ownTimes(location.intervals);
        Sampler sampler(*experiment->callTree, location.intervals, index.locations[0]);
        const ColumnGrid grid{0, static_cast<double>(location.extent.end) / 101, 101};
        std::vector<ColumnSample> columns(grid.count), cells(grid.count);
        sampler.sample(grid, columns, 9);
        sampler.sample(grid, cells, 8);
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            const double from = c * grid.nsPerColumn;
            const auto times = regionTimes(pieces, *experiment->callTree, from, from + grid.nsPerColumn);
            others += columns[c].callPath != cells[c].callPath;
            if (times.empty()) continue;
            REQUIRE(columns[c].callPath != CallPathId::kNone);
            const auto shown =
                times.find(experiment->callTree->region(CallPathId(columns[c].callPath)).value());
            REQUIRE(shown != times.end());
            REQUIRE(shown->second == Approx(test::longestOf(times)).margin(1e-6));
        }
    }
    CHECK(others > 0);
}

TEST_CASE("at any zoom a column shows a region that took at least half of the largest time in its cells, and "
          "none is lost")
{
    for (std::uint32_t seed = 1; seed <= 15; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 400);
        const auto& location = experiment->trace->locations[0];
        const TimelineIndex index = indexOf(*experiment);
        const auto pieces = ownTimes(location.intervals);
        Sampler sampler(*experiment->callTree, location.intervals, index.locations[0]);
        for (const std::uint32_t count : {7u, 61u, 300u}) {
            const double width = static_cast<double>(location.extent.end) / count;
            std::vector<ColumnSample> columns(count);
            sampler.sample({0, width, count}, columns);
            for (std::uint32_t c = 0; c < count; ++c) {
                // Cells move by half a column at most.
                const double from = (c - 0.5) * width;
                const auto around = regionTimes(pieces, *experiment->callTree, from, from + 2 * width);
                if (around.empty()) continue;
                if (columns[c].callPath == CallPathId::kNone) {
                    // Whatever overlaps the column is then in a cell of a neighbour's.
                    REQUIRE(((c > 0 && columns[c - 1].callPath != CallPathId::kNone)
                             || (c + 1 < count && columns[c + 1].callPath != CallPathId::kNone)));
                    continue;
                }
                const auto shown =
                    around.find(experiment->callTree->region(CallPathId(columns[c].callPath)).value());
                REQUIRE((shown != around.end() || columns[c].timeNs == 0));
                if (shown != around.end()) REQUIRE(shown->second >= columns[c].timeNs * 0.999 - 1);
            }
        }
    }
}

TEST_CASE("parents, innermost calls and long calls are found as by looking at every call")
{
    for (const std::size_t count : {1u, 15u, 16u, 17u, 300u, 5000u}) {
        const ExperimentPtr experiment =
            test::experimentOfRandomCalls(static_cast<std::uint32_t>(count), count, 1, 9, 8);
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        const IntervalSkip skip(calls);
        for (std::uint32_t i = 0; i < calls.size(); i += 1 + static_cast<std::uint32_t>(count / 500)) {
            std::uint32_t parent = i;
            while (parent != kNoInterval && calls.depth[parent] >= calls.depth[i]) --parent;
            REQUIRE(skip.parent(calls, i) == parent);
        }
        for (TimeNs time = -1; time < experiment->trace->extent.end;
             time += 1 + experiment->trace->extent.end / 300) {
            std::uint32_t inner = kNoInterval;
            for (std::uint32_t i = 0; i < calls.size(); ++i)
                if (calls.span(i).contains(time)) inner = i;
            REQUIRE(skip.innermostAt(calls, time) == inner);
        }
        const auto size = static_cast<std::uint32_t>(calls.size());
        for (const TimeNs duration : {1, 10, 100, 1000, 100000})
            for (std::uint32_t from = 0; from < size; from += 1 + size / 7)
                for (std::uint32_t to = from; to <= size; to += 1 + size / 9) {
                    std::vector<std::uint32_t> lasting, found;
                    for (std::uint32_t i = from; i < to; ++i)
                        if (calls.end[i] - calls.begin[i] >= duration) lasting.push_back(i);
                    skip.appendLasting(calls, from, to, duration, found);
                    REQUIRE(found == lasting);
                }
    }
}

TEST_CASE("where no more calls than columns begin, columns of a location show exactly the region that took "
          "most time")
{
    std::size_t compared = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 200);
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        const TimelineIndex index = indexOf(*experiment);
        Sampler sampler(*experiment->callTree, calls, index.locations[0]);
        const auto pieces = ownTimes(calls);
        const double end = static_cast<double>(experiment->trace->extent.end);
        for (const double part : {1.0, 0.37, 0.05}) {
            const ColumnGrid grid{end * (1 - part) * 0.61 + 0.3, end * part / 211, 211};
            std::vector<ColumnSample> columns(grid.count);
            sampler.sample(grid, columns);
            for (std::uint32_t c = 0; c < grid.count; ++c) {
                const double from = grid.begin + c * grid.nsPerColumn;
                const auto times = regionTimes(pieces, *experiment->callTree, from, from + grid.nsPerColumn);
                INFO("seed " << seed << " part " << part << " column " << c);
                if (times.empty()) {
                    // Nothing, or a call without duration.
                    REQUIRE(columns[c].timeNs == 0);
                    continue;
                }
                ++compared;
                REQUIRE(columns[c].callPath != CallPathId::kNone);
                const auto shown =
                    times.find(experiment->callTree->region(CallPathId(columns[c].callPath)).value());
                REQUIRE(shown != times.end());
                REQUIRE(shown->second >= test::longestOf(times) - grid.nsPerColumn * 1e-6);
                REQUIRE(static_cast<double>(columns[c].timeNs)
                        == Approx(shown->second).epsilon(1e-4).margin(1e-3));
            }
        }
    }
    CHECK(compared > 2000);
}

TEST_CASE("the index is the same for any number of threads")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(5, 500, 8);
    const TimelineIndex one = indexOf(*experiment, 1);
    const TimelineIndex four = indexOf(*experiment, 4);
    REQUIRE(one.maximumDepth == four.maximumDepth);
    for (std::size_t l = 0; l < one.locations.size(); ++l) {
        REQUIRE(one.locations[l].tree.size() == four.locations[l].tree.size());
        std::vector<std::uint32_t> left, right;
        test::forEachNode(one.locations[l].tree, one.locations[l].tree.root(),
                          [&](const auto& n) { left.push_back(n.callPath); });
        test::forEachNode(four.locations[l].tree, four.locations[l].tree.root(),
                          [&](const auto& n) { right.push_back(n.callPath); });
        REQUIRE(left == right);
    }
}

TEST_CASE("building an index stops when told to")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(5, 500, 8);
    std::stop_source source;
    source.request_stop();
    const auto result =
        buildTimelineIndex(*experiment->trace, *experiment->callTree, Task(source.get_token()));
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().cancelled());
}

TEST_CASE("within a location, too, building an index stops when told to")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(5, 20000, 1);
    const CallIntervals& calls = experiment->trace->locations[0].intervals;
    const CallPathRegions paths(*experiment->callTree);
    std::stop_source source;
    source.request_stop();
    const Task stopped(source.get_token());
    const auto less = [](std::size_t part, std::size_t whole) { return part < whole / 10; };
    CallTally tally(paths.region.size()), untouched(paths.region.size());
    CHECK(less(CallSums(calls, untouched, stopped).bytes(), CallSums(calls, tally).bytes()));
    CHECK(less(IntervalSkip(calls, stopped).bytes(), IntervalSkip(calls).bytes()));
    const Column<Message> messages(std::vector<Message>(5000));
    CHECK(less(MessageSkip(messages, stopped).bytes(), MessageSkip(messages).bytes()));
    CallSum allShort;
    for (int call = 0; call < 100; ++call) allShort.addCall(1);
    const UsualDurations usual(std::vector<CallSum>(paths.regionCount, allShort));
    CHECK_FALSE(findOutliers(calls, paths, usual).empty());
    CHECK(findOutliers(calls, paths, usual, stopped).empty());
}

TEST_CASE("a trace without calls has an empty index")
{
    const ExperimentPtr experiment = test::ExperimentBuilder("empty").process("node", {}).finish();
    const TimelineIndex index = indexOf(*experiment);
    CHECK(index.maximumDepth == 0);
    std::vector<ColumnSample> columns(10);
    Sampler(*experiment->callTree, experiment->trace->locations[0].intervals, index.locations[0])
        .sample({0, 1, 10}, columns);
    for (const ColumnSample& column : columns) CHECK(column.callPath == CallPathId::kNone);
}

TEST_CASE("calls that end with their callers on the edge of a column are not shown behind it")
{
    const ExperimentPtr experiment = test::ExperimentBuilder("run")
                                         .process("node", {{0, 8, "a", 0}, {4, 8, "b", 1}, {8, 8, "c", 2}})
                                         .finish();
    const TimelineIndex index = indexOf(*experiment);
    std::vector<ColumnSample> columns(16);
    Sampler(*experiment->callTree, experiment->trace->locations[0].intervals, index.locations[0])
        .sample({0, 1, 16}, columns);
    for (std::size_t column = 0; column < columns.size(); ++column)
        CHECK((columns[column].callPath != CallPathId::kNone) == (column < 8));
}

TEST_CASE("a call without duration outside all others leaves a mark at every zoom")
{
    const ExperimentPtr experiment =
        test::ExperimentBuilder("run")
            .process("node", {{0, 10, "a", 0}, {5000, 5000, "b", 0}, {9000, 9010, "c", 0}})
            .finish();
    const TimelineIndex index = indexOf(*experiment);
    Sampler sampler(*experiment->callTree, experiment->trace->locations[0].intervals, index.locations[0]);
    for (const std::uint32_t count : {3u, 10u, 100u, 5000u}) {
        std::vector<ColumnSample> columns(count);
        sampler.sample({0, 9010.0 / count, count}, columns);
        const auto marks =
            std::count_if(columns.begin(), columns.end(), [](const auto& c) { return c.callPath == 1; });
        CHECK(marks == 1);
    }
}

TEST_CASE("messages under way are found behind those that arrived")
{
    std::vector<Message> list;
    for (int i = 0; i < 2000; ++i) {
        Message message;
        message.sendTime = i;
        message.receiveTime = i % 700 == 3 ? i + 5000 : i + 2;
        list.push_back(message);
    }
    const Column<Message> messages(std::move(list));
    const MessageSkip skip(messages);
    CHECK(skip.underWay(messages, 1900, 100) == std::vector<std::uint32_t>{1899, 1898, 1403, 703, 3});
    CHECK(skip.underWay(messages, 1900, 3) == std::vector<std::uint32_t>{1899, 1898, 1403});
    CHECK(skip.underWay(messages, 0, 3).empty());
}

}  // namespace skein::timeline_index_test
