// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/translate.h"

#include "tests/support/catch.h"
#include "tests/support/small_session.h"

namespace skein::translate_test {

namespace {

/// main(0-100) { solve(10-40) { MPI_Wait(20-30) }, MPI_Wait(50-60) } on two processes.
Session session()
{
    const std::vector<test::Call> calls{
        {0, 100, "main", 0}, {10, 40, "solve", 1}, {20, 30, "MPI_Wait", 2}, {50, 60, "MPI_Wait", 1}};
    return {{test::ExperimentBuilder("run").process("node 0", calls).process("node 1", calls).finish()}};
}

IntervalRef interval(std::uint32_t location, std::uint32_t index) { return {0, LocationId(location), index}; }
LocationRef location(std::uint32_t id) { return {0, LocationId(id)}; }

}  // namespace

TEST_CASE("the innermost call at a time is found through finished siblings")
{
    const Session open = session();
    CHECK(innermostAt(open, location(1), 25) == interval(1, 2));
    CHECK(innermostAt(open, location(1), 30) == interval(1, 1));
    CHECK(innermostAt(open, location(1), 45) == interval(1, 0));
    CHECK(innermostAt(open, location(1), 55) == interval(1, 3));
    CHECK_FALSE(innermostAt(open, location(1), 100).valid());
    CHECK_FALSE(innermostAt(open, location(1), -1).valid());
    CHECK(callAt(open, location(0), 25, 1) == interval(0, 1));
    CHECK_FALSE(callAt(open, location(0), 45, 1).valid());
}

TEST_CASE("a call path, its region and its calls lead to each other")
{
    const Session open = session();
    const CallPathRef wait = callPathOf(open, interval(0, 2));
    const RegionRef region = regionOf(open, wait);
    CHECK(callPathsOf(open, region).size() == 2);
    CHECK(intervalsOf(open, region, location(0), {0, 100}, 10).size() == 2);
    CHECK(intervalsOf(open, region, location(0), {0, 100}, 1).size() == 1);
    CHECK(intervalsOf(open, wait, location(1), {0, 100}, 10) == std::vector{interval(1, 2)});
    CHECK(intervalsOf(open, wait, location(1), {30, 100}, 10).empty());
    CHECK(parentOf(open, interval(1, 3)) == interval(1, 0));
    CHECK_FALSE(parentOf(open, interval(1, 0)).valid());
}

TEST_CASE("selecting an interval selects its call path, region and location")
{
    const Session open = session();
    const Selection selection = select(open, interval(1, 1));
    CHECK(selection.intervals == std::vector{interval(1, 1)});
    CHECK(selection.locations == std::vector{location(1)});
    CHECK(selection.callPaths == std::vector{callPathOf(open, interval(1, 1))});
    CHECK(selection.regions == std::vector{regionOf(open, selection.callPaths.front())});
    CHECK(united(selection, selection) == selection);
}

TEST_CASE("parts are united as one after the other, however many they are")
{
    CHECK(unitedParts({}).empty());
    for (std::uint32_t count = 1; count <= 33; ++count) {
        std::vector<Selection> parts;
        Selection expected;
        for (std::uint32_t i = 0; i < count; ++i) {
            Selection part;
            part.links = {{i * 7 % 20}};
            part.messages = {MessageRef{0, i * 5 % count}};
            part.locations = {LocationRef{0, LocationId(i / 2)}};
            expected = united(expected, part);
            parts.push_back(std::move(part));
        }
        CHECK(unitedParts(std::move(parts)) == expected);
    }
}

TEST_CASE("what the session does not have gives nothing")
{
    const Session open = session();
    CHECK(select(open, interval(7, 0)).empty());
    CHECK(select(open, interval(0, 70)).empty());
    CHECK(select(open, RegionRef{3, RegionId(0)}).empty());
    CHECK(select(open, CallPathRef{}).empty());
    CHECK(select(open, MessageRef{}).empty());
    CHECK_FALSE(innermostAt(open, LocationRef{}, 10).valid());
}

TEST_CASE("selecting a message selects both its ends")
{
    const Session open{{test::ExperimentBuilder("run")
                            .process("node 0", {{0, 9, "main", 0}})
                            .process("node 1", {{0, 9, "main", 0}})
                            .message(0, 2, 1, 5, 64)
                            .finish()}};
    const Selection selection = select(open, MessageRef{0, 0});
    CHECK(selection.locations == std::vector{location(0), location(1)});
    CHECK(selection.messages.size() == 1);
}

TEST_CASE("rows are those of the selected locations, else of the ends of what is selected")
{
    const Session open{{test::ExperimentBuilder("run")
                            .process("node 0", {{0, 9, "main", 0}})
                            .process("node 1", {{0, 9, "main", 0}})
                            .process("node 2", {{0, 9, "main", 0}})
                            .message(0, 2, 1, 5, 64)
                            .finish()}};
    Selection selected;
    CHECK(rowsOf(open, selected).empty());
    selected.rankPairs = {{0, 2, 1}, {0, 7, 9}, {3, 0, 1}};
    CHECK(rowsOf(open, selected) == std::vector{location(1), location(2)});
    selected.messages = {MessageRef{0, 0}, MessageRef{0, 70}};
    CHECK(rowsOf(open, selected) == std::vector{location(0), location(1), location(2)});
    selected = {};
    selected.intervals = {interval(2, 0), interval(40, 0)};
    CHECK(rowsOf(open, selected) == std::vector{location(2)});
    selected.locations = {location(0), location(50)};
    CHECK(rowsOf(open, selected) == std::vector{location(0)});
}

TEST_CASE("filters hide what they list or keep nothing else")
{
    const RegionRef mpi{0, RegionId(1)};
    const RegionRef user{0, RegionId(2)};
    const LocationRef first{0, LocationId(0)};
    const std::vector<Filter> hide{{"", FilterEffect::Hide, {mpi}, {}}};
    CHECK_FALSE(passes(hide, mpi));
    CHECK(passes(hide, user));
    CHECK(passes(hide, first));
    const std::vector<Filter> keep{{"", FilterEffect::Keep, {mpi}, {first}}};
    CHECK(passes(keep, mpi));
    CHECK_FALSE(passes(keep, user));
    CHECK_FALSE(passes(keep, LocationRef{1, LocationId(0)}));
}

TEST_CASE("two states differ exactly in the parts that were changed")
{
    ViewState left;
    ViewState right;
    CHECK_FALSE(differingParts(left, right).any());
    right.brushed = TimeSpan{1, 2};
    right.metric = {0, MetricId(1)};
    CHECK(differingParts(left, right) == (ViewParts::kBrushed | ViewParts::kMetric));
}

}  // namespace skein::translate_test
