// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of rows show, of one location and of several, beside adding up every call.
#include "views/timeline/row_samples_scene.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"
#include "tests/support/time_trees.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace skein::row_samples_test {

namespace {

using Times = std::map<std::uint32_t, double>;  // by region
constexpr int kWidth = 700;

/// Two experiments on clocks that are apart, with trees of bundles where they have enough locations.
struct Rows {
    TimelineDataPtr data;
    test::PlainCanvas canvas{kWidth, 300};
    TimelineOptions options;
    TimelineLayout layout;

    Rows(std::vector<ExperimentPtr> experiments, TimeSpan part, PictureDetail detail = {})
        : data(test::timelineDataOf(std::move(experiments)))
    {
        ViewState state;
        state.visible = part;
        options.theme = lightTheme();
        options.detail = detail;
        layout = timelineLayout(*data, state, options, kWidth, 300, canvas.measure);
    }
    std::uint32_t columns() const { return static_cast<std::uint32_t>(layout.body.width); }
    /// Of a column's left edge, in the experiment's time.
    double timeOf(std::uint32_t experiment, double column) const
    {
        return static_cast<double>(data->clock.toExperiment(experiment, layout.scale.span).begin)
            + column * layout.scale.nsPerPixel();
    }
    const CallIntervals& calls(LocationRef location) const
    {
        return data->session.experiments[location.experiment]
            ->trace->locations[location.id.index()]
            .intervals;
    }
    std::uint32_t regionOf(std::uint32_t experiment, std::uint32_t callPath) const
    {
        return data->session.experiments[experiment]->callTree->region(CallPathId(callPath)).value();
    }
    /// Own time of every region between two columns, over all locations.
    Times timesIn(const std::vector<LocationRef>& locations, double firstColumn, double endColumn) const
    {
        Times times;
        for (const LocationRef& location : locations) {
            const double from = timeOf(location.experiment, firstColumn),
                         to = timeOf(location.experiment, endColumn);
            const CallIntervals& of = calls(location);
            const auto overlap = [&](std::uint32_t call) {
                return std::max(0.0,
                                std::min(to, static_cast<double>(of.end[call]))
                                    - std::max(from, static_cast<double>(of.begin[call])));
            };
            for (std::uint32_t call = 0; call < of.size(); ++call) {
                double own = overlap(call);
                for (std::uint32_t below = call + 1; below < of.size() && of.depth[below] > of.depth[call];
                     ++below)
                    if (of.depth[below] == of.depth[call] + 1) own -= overlap(below);
                if (own > 1e-6) times[regionOf(location.experiment, of.callPath[call])] += own;
            }
        }
        return times;
    }
    /// A few calls fill the row: every column is decided exactly.
    void checkExact(const RowSamples& samples, const std::vector<LocationRef>& locations,
                    std::uint32_t columnPx = 1) const
    {
        const std::uint32_t experiment = locations.front().experiment;
        std::size_t called = 0, right = 0;
        for (std::uint32_t column = 0; column < columns(); ++column) {
            const std::uint32_t first = column - column % columnPx;
            const Times times = timesIn(locations, first, first + columnPx);
            const ColumnSample& shown = samples.columns()[column];
            INFO("column " << column);
            REQUIRE(shown.callPath == samples.columns()[first].callPath);
            if (times.empty()) continue;
            ++called;
            REQUIRE(shown.callPath != CallPathId::kNone);
            const auto found = times.find(regionOf(experiment, shown.callPath));
            right += found != times.end() && found->second >= test::longestOf(times) * 0.99 - 1e-6;
        }
        CHECK(right >= called * 98 / 100);
        CHECK(called > columns() / 4);
    }
    /// At any zoom: nothing called is left empty, and what is shown took time there or in a column beside it.
    void checkPlausible(const RowSamples& samples, const std::vector<LocationRef>& locations,
                        double reach) const
    {
        const std::uint32_t experiment = locations.front().experiment;
        for (std::uint32_t column = 0; column < columns(); ++column) {
            INFO("column " << column);
            const ColumnSample& shown = samples.columns()[column];
            const Times around = timesIn(locations, column - reach, column + 1 + reach);
            const Times times = timesIn(locations, column, column + 1);
            const double sum =
                std::accumulate(times.begin(), times.end(), 0.0,
                                [](double so, const auto& entry) { return so + entry.second; });
            if (sum > 0.51 * layout.scale.nsPerPixel() * static_cast<double>(locations.size()))
                REQUIRE(shown.callPath != CallPathId::kNone);
            if (shown.callPath != CallPathId::kNone && shown.timeNs > 0)
                REQUIRE(around.contains(regionOf(experiment, shown.callPath)));
        }
    }
};

std::vector<LocationRef> locationsOf(std::uint32_t experiment, std::uint32_t first, std::uint32_t end)
{
    std::vector<LocationRef> locations;
    for (std::uint32_t id = first; id < end; ++id) locations.push_back({experiment, LocationId(id)});
    return locations;
}

TimeSpan partOf(const ExperimentPtr& experiment, double from, double length)
{
    const double end = static_cast<double>(experiment->trace->extent.end);
    const auto begin = static_cast<TimeNs>(end * from);
    return {begin, begin + std::max<TimeNs>(static_cast<TimeNs>(end * length), 8)};
}

/// (column, location, call) of outliers that do not nest: of each column and location the first of those
/// narrower than two pixels, and all others, beside it where there is one.
std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> outliersBetween(
    const Rows& rows, const std::vector<LocationRef>& locations)
{
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> found;
    for (const LocationRef& location : locations) {
        const CallIntervals& calls = rows.calls(location);
        const double perColumn = rows.layout.scale.nsPerPixel();
        const double begin = rows.timeOf(location.experiment, 0);
        std::map<std::uint32_t, std::vector<std::uint32_t>> wide, narrow;
        for (const auto& [entry, leave, call, path] :
             rows.data->indexes[location.experiment]->locations[location.id.index()].outliers) {
            const double from = static_cast<double>(calls.begin[call]),
                         to = static_cast<double>(calls.end[call]);
            const double column = std::max(0.0, std::floor((from - begin) / perColumn));
            if (to <= begin || column >= rows.columns()) continue;
            (to - from < 2 * perColumn ? narrow : wide)[static_cast<std::uint32_t>(column)].push_back(call);
        }
        for (const auto& [column, all] : narrow) found.insert({column, location.id.value(), all.front()});
        for (const auto& [column, all] : wide)
            for (const std::uint32_t call : all)
                found.insert({std::min(column + (narrow.contains(column) ? 1 : 0), rows.columns() - 1),
                              location.id.value(), call});
    }
    return found;
}

std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> outliersOf(const RowSamples& samples)
{
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> found;
    for (const RowSamples::Outlier& outlier : samples.outliers())
        found.insert({outlier.column, outlier.location.id.value(), outlier.call});
    return found;
}

/// Short calls, and now and then one that is a hundred times as long.
ExperimentPtr withOutliers(int locations)
{
    test::ExperimentBuilder builder("rare");
    std::mt19937 random(5);
    for (int location = 0; location < locations; ++location) {
        std::vector<test::Call> calls;
        TimeNs now = static_cast<TimeNs>(random() % 50);
        for (int call = 0; call < 400; ++call) {
            const TimeNs length = random() % 90 == 0 ? 1500 + static_cast<TimeNs>(random() % 300)
                                                     : 10 + static_cast<TimeNs>(random() % 6);
            calls.push_back({now, now + length, "region " + std::to_string(random() % 3), 0});
            now += length + static_cast<TimeNs>(random() % 4);
        }
        builder.process("node", calls);
    }
    return builder.finish();
}

}  // namespace

TEST_CASE("a row of one location shows in each column exactly the region that took most time, where few "
          "calls fill it")
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const ExperimentPtr first = test::experimentOfRandomCalls(seed, 40, 3),
                            second = test::experimentOfRandomCalls(seed + 50, 50, 2);
        const Rows rows({first, second}, partOf(first, 0.3, 0.1));
        RowSamples samples(*rows.data, rows.options, rows.layout);
        REQUIRE(samples.columns().size() == rows.columns());
        std::size_t checked = 0;
        for (const LocationRef& location :
             {LocationRef{0, LocationId(2)}, LocationRef{1, LocationId(1)}, LocationRef{0, LocationId(0)}}) {
            // Some have no call in this part.
            if (rows.timesIn({location}, 0, rows.columns()).empty()) continue;
            INFO("seed " << seed << " experiment " << location.experiment << " location "
                         << location.id.value());
            samples.take(location);
            rows.checkPlausible(samples, {location}, 1);
            std::size_t right = 0, called = 0;
            for (std::uint32_t column = 0; column < rows.columns(); ++column) {
                const Times times = rows.timesIn({location}, column, column + 1);
                if (times.empty()) continue;
                ++called;
                const auto found =
                    times.find(rows.regionOf(location.experiment, samples.columns()[column].callPath));
                right += found != times.end() && found->second >= test::longestOf(times) * 0.99 - 1e-6;
            }
            CHECK(right >= called * 98 / 100);
            checked += called;
        }
        CHECK(checked > 100);
    }
}

TEST_CASE("a row of several locations shows exactly the region that took most time in all of them, in any "
          "order, where few calls fill it")
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const ExperimentPtr first = test::experimentOfRandomCalls(seed, 40, 9);
        const Rows rows({first}, partOf(first, 0.4, 0.02));
        RowSamples samples(*rows.data, rows.options, rows.layout);
        std::vector<LocationRef> members = locationsOf(0, 1, 9);
        INFO("seed " << seed);
        samples.takeTogether(members, Task());
        rows.checkExact(samples, members);
        const std::vector<ColumnSample> before(samples.columns().begin(), samples.columns().end());
        std::mt19937 random(seed);
        std::shuffle(members.begin(), members.end(), random);
        samples.takeTogether(members, Task());
        for (std::size_t column = 0; column < before.size(); ++column)
            REQUIRE(samples.columns()[column].callPath == before[column].callPath);
    }
}

TEST_CASE("a row of many locations shows exactly the region that took most time in all of them, where its "
          "calls may be gone through")
{
    // One bundle of the index, two, and one with part of the next.
    for (const std::uint32_t members : {64u, 128u, 90u}) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(members, 200, 130);
        Rows rows({experiment}, partOf(experiment, 0.2, 0.3));
        const std::vector<LocationRef> locations = locationsOf(0, 0, members);
        INFO(members << " locations");
        const auto right = [&](PictureDetail detail) {
            rows.options.detail = detail;
            RowSamples samples(*rows.data, rows.options, rows.layout);
            samples.takeTogether(locations, Task());
            std::size_t count = 0;
            for (std::uint32_t column = 0; column < rows.columns(); column += 9) {
                const Times times = rows.timesIn(locations, column, column + 1);
                const auto found = times.find(rows.regionOf(0, samples.columns()[column].callPath));
                count += found != times.end() && found->second >= test::longestOf(times) * (1 - 1e-4);
            }
            return count;
        };
        const std::size_t looked = (rows.columns() + 8) / 9;
        CHECK(right(PictureDetail::exact(1, 256)) == looked);
        CHECK(right({}) < looked);
    }
}

TEST_CASE("a row of several locations counts regions of one name as one though every rank defines its own")
{
    const auto opened = openExperiment(test::sourcePath("examples/eztrace-lulesh-8/trace-otf2"), Task());
    REQUIRE(opened);
    const auto& regions = (*opened)->definitions.regions;
    const auto members = locationsOf(0, 0, static_cast<std::uint32_t>((*opened)->trace->locations.size()));
    std::size_t called = 0, right = 0;
    for (const double from : {0.45, 0.6, 0.7}) {
        const Rows rows({*opened}, partOf(*opened, from, 0.02));
        RowSamples samples(*rows.data, rows.options, rows.layout);
        samples.takeTogether(members, Task());
        for (std::uint32_t column = 0; column < rows.columns(); ++column) {
            std::map<std::string, double> times;
            for (const auto& [region, time] : rows.timesIn(members, column, column + 1))
                times[regions[region].name] += time;
            if (times.empty()) continue;
            ++called;
            const auto most = std::max_element(
                times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
            REQUIRE(samples.columns()[column].callPath != CallPathId::kNone);
            right += times[regions[rows.regionOf(0, samples.columns()[column].callPath)].name]
                >= most->second * 0.99 - 1e-6;
        }
    }
    CHECK(called > 500);
    CHECK(right >= called * 98 / 100);
}

TEST_CASE("at any zoom rows of one and of several locations show what ran there, and nothing of other rows")
{
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        const ExperimentPtr first = test::experimentOfRandomCalls(seed, 300, 7),
                            second = test::experimentOfRandomCalls(seed + 20, 200, 3);
        for (const double length : {1.0, 0.3, 0.01}) {
            const Rows rows({first, second}, partOf(first, 0.0, length));
            RowSamples samples(*rows.data, rows.options, rows.layout);
            for (const std::uint32_t experiment : {1u, 0u}) {
                const auto members = locationsOf(experiment, 0, experiment == 0 ? 7 : 3);
                INFO("seed " << seed << " part " << length << " experiment " << experiment);
                samples.take(members[1]);
                rows.checkPlausible(samples, {members[1]}, 1);
                samples.takeTogether(members, Task());
                rows.checkPlausible(samples, members, 8);
            }
        }
    }
}

TEST_CASE("collapsed rows over whole bundles, parts of them and single locations show what ran in them")
{
    // Bundles have trees from 512 locations on.
    const ExperimentPtr many = test::experimentOfRandomCalls(3, 24, 515);
    REQUIRE(test::timelineDataOf({many})->indexes[0]->bundles.size() == 9);
    const std::pair<std::uint32_t, std::uint32_t> groups[] = {
        {0, 64}, {64, 192}, {60, 200}, {3, 9}, {500, 515}};
    for (const double length : {1.0, 0.05}) {
        const Rows rows({many}, partOf(many, 0.2, length * 0.5));
        RowSamples samples(*rows.data, rows.options, rows.layout);
        for (const auto& [begin, end] : groups) {
            INFO("part " << length << " locations " << begin << " to " << end);
            const auto members = locationsOf(0, begin, end);
            samples.takeTogether(members, Task());
            rows.checkPlausible(samples, members, 8);
        }
    }
}

TEST_CASE("rows of many locations that were drawn are drawn from trees of their own once these are made, "
          "with the same result where calls are few")
{
    const ExperimentPtr many = test::experimentOfRandomCalls(5, 24, 515);
    const Rows rows({many}, partOf(many, 0.3, 0.0005));
    RowSamples samples(*rows.data, rows.options, rows.layout);
    const auto shownOf = [&](std::uint32_t begin, std::uint32_t end) {
        samples.takeTogether(locationsOf(0, begin, end), Task());
        return std::vector<ColumnSample>(samples.columns().begin(), samples.columns().end());
    };
    shownOf(0, 64);
    CHECK_FALSE(rows.data->groups->anyWanted());  // a bundle
    shownOf(0, 400);
    CHECK_FALSE(rows.data->groups->anyWanted());  // too many
    const auto walked = shownOf(16, 32);
    REQUIRE(rows.data->groups->anyWanted());
    REQUIRE(rows.data->groups->make(rows.data->session, Task()));
    CHECK_FALSE(rows.data->groups->anyWanted());
    const auto fromTree = shownOf(16, 32);
    std::size_t same = 0, called = 0;
    for (std::size_t column = 0; column < walked.size(); ++column) {
        if (walked[column].callPath == CallPathId::kNone) continue;
        ++called;
        REQUIRE(fromTree[column].callPath != CallPathId::kNone);
        same += walked[column].callPath == fromTree[column].callPath || walked[column].timeNs == 0;
    }
    CHECK(called > 100);
    CHECK(same >= called * 95 / 100);  // others have several that lead, or as many locations in two regions
    rows.checkPlausible(samples, locationsOf(0, 16, 32), 8);
    CHECK_FALSE(rows.data->groups->anyWanted());
}

TEST_CASE("columns of two pixels show the same sample in both, and what ran in both")
{
    const ExperimentPtr first = test::experimentOfRandomCalls(11, 40, 3);
    const Rows rows({first}, partOf(first, 0.3, 0.1), PictureDetail::moving(1e9));
    RowSamples samples(*rows.data, rows.options, rows.layout);
    samples.take({0, LocationId(1)});
    rows.checkExact(samples, {{0, LocationId(1)}}, 2);
    const auto members = locationsOf(0, 0, 3);
    samples.takeTogether(members, Task());
    for (std::uint32_t column = 0; column < rows.columns(); ++column)
        REQUIRE(samples.columns()[column].callPath == samples.columns()[column - column % 2].callPath);
}

TEST_CASE("calls much longer than usual keep their column, in rows of one location and of several")
{
    const ExperimentPtr rare = withOutliers(4);
    std::size_t seen = 0;
    for (const double length : {1.0, 0.4, 0.02})
        for (const double from : {0.0, 0.31, 0.6}) {
            const Rows rows({rare}, partOf(rare, from, length));
            RowSamples samples(*rows.data, rows.options, rows.layout);
            INFO("from " << from << " part " << length);
            for (const LocationRef& location : locationsOf(0, 0, 4)) {
                samples.take(location);
                CHECK(outliersOf(samples) == outliersBetween(rows, {location}));
            }
            const auto members = locationsOf(0, 0, 4);
            samples.takeTogether(members, Task());
            CHECK(outliersOf(samples) == outliersBetween(rows, members));
            for (const RowSamples::Outlier& outlier : samples.outliers()) {
                const TimeSpan call = rows.calls(outlier.location).span(outlier.call);
                CHECK(outlier.callPath == rows.calls(outlier.location).callPath[outlier.call]);
                CHECK(outlier.isNarrow
                      == (static_cast<double>(call.lengthNs()) < 2 * rows.layout.scale.nsPerPixel()));
            }
            seen += samples.outliers().size();
        }
    CHECK(seen > 30);
}

TEST_CASE("a row of no locations, and one outside the time of its calls, are empty")
{
    const ExperimentPtr first = test::experimentOfRandomCalls(2, 40, 3);
    const Rows rows({first}, {first->trace->extent.end + 1000, first->trace->extent.end + 2000});
    RowSamples samples(*rows.data, rows.options, rows.layout);
    const auto empty = [&] {
        return std::all_of(samples.columns().begin(), samples.columns().end(),
                           [](const ColumnSample& column) { return column.callPath == CallPathId::kNone; });
    };
    samples.takeTogether({}, Task());
    CHECK(empty());
    CHECK(samples.outliers().empty());
    REQUIRE(rows.timeOf(0, 0) > static_cast<double>(first->trace->extent.end));
    samples.take({0, LocationId(0)});
    CHECK(empty());
    samples.takeTogether(locationsOf(0, 0, 3), Task());
    CHECK(empty());
}

}  // namespace skein::row_samples_test
