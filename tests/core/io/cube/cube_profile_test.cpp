// SPDX-License-Identifier: GPL-3.0-or-later
// Small Cube profiles made by hand: every form that values can be stored in gives the same numbers.
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/region_table.h"
#include "algorithms/profile/summarize.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cube_archive.h"
#include "tests/support/cube_facts.h"
#include "tests/support/paths.h"

#include <cmath>
#include <limits>

namespace skein::cube_profile_test {

using namespace skein::test;
using Members = std::vector<std::pair<std::string, std::string>>;

namespace {

/// Rows of main, a, b below a, b below main on two locations.
const std::vector<std::uint64_t> kVisits{1, 1, 2, 3, 4, 0, 5, 6};
/// In the order of inclusive metrics: main, a, b below main, b below a.
const std::vector<double> kSeconds{10, 20, 6, 9, 3, 4, 1, 0};
const std::vector<std::uint32_t> kAll{0, 1, 2, 3};

ExperimentPtr opened(const Members& members, const std::string& name = "profile.cubex")
{
    const TemporaryFolder folder;
    const auto experiment = openExperiment(fileWith(folder, name, tarArchive(members)), Task());
    REQUIRE(experiment);
    return *experiment;
}

const std::string kTwoMetrics =
    metricXml(0, "visits", "UINT64", "EXCLUSIVE") + metricXml(1, "time", "DOUBLE", "INCLUSIVE", "sec");

Members twoMetrics(const std::string& visitsIndex, const std::string& visits, const std::string& timeIndex,
                   const std::string& time)
{
    return {{"0.index", visitsIndex},
            {"0.data", visits},
            {"1.index", timeIndex},
            {"1.data", time},
            {"anchor.xml", anchorXml(kTwoMetrics)}};
}

std::vector<double> amountsOf(const Experiment& experiment, const std::string& metric,
                              double ProfileValues::*amount)
{
    const auto profile = profileOf(experiment, std::nullopt, metric, Task());
    REQUIRE(profile);
    const auto column = metricColumn(experiment, **profile, metric);
    REQUIRE(column);
    std::vector<double> amounts;
    for (const CallPathRow& row : profileByCallPath(experiment, **profile, *column))
        amounts.push_back(row.values.*amount);
    return amounts;
}

/// What stands in every archive of twoMetrics(): preorder, the greatest inclusive amount first.
void requireTwoMetrics(const Experiment& experiment)
{
    CHECK_FALSE(experiment.report.lostData());
    const double ns = 1e9;
    // main 30 = (b 7, a 15 (b 1)); a is greater than b.
    CHECK(amountsOf(experiment, "time", &ProfileValues::inclusive)
          == std::vector<double>{30 * ns, 15 * ns, 1 * ns, 7 * ns});
    CHECK(amountsOf(experiment, "time", &ProfileValues::exclusive)
          == std::vector<double>{8 * ns, 14 * ns, 1 * ns, 7 * ns});
    CHECK(amountsOf(experiment, "time", &ProfileValues::calls) == std::vector<double>{2, 5, 4, 11});
    CHECK(amountsOf(experiment, "visits", &ProfileValues::inclusive) == std::vector<double>{22, 11, 9, 4});
    CHECK(amountsOf(experiment, "visits", &ProfileValues::exclusive) == std::vector<double>{2, 11, 5, 4});
}

}  // namespace

TEST_CASE("sparse, dense and packed values of a Cube profile in both byte orders are the same numbers")
{
    const std::size_t row = 2 * 8;
    for (const Endian endian : {Endian::Little, Endian::Big}) {
        const std::string visits = numbersBytes(kVisits, endian), time = numbersBytes(kSeconds, endian);
        INFO((endian == Endian::Big ? "big endian" : "little endian"));
        requireTwoMetrics(*opened(twoMetrics(sparseIndex(kAll, endian), plainData(visits),
                                             sparseIndex(kAll, endian), plainData(time))));
        requireTwoMetrics(
            *opened(twoMetrics(denseIndex(endian), plainData(visits), denseIndex(endian), plainData(time))));
        requireTwoMetrics(*opened(twoMetrics(sparseIndex(kAll, endian), packedData(visits, row, endian),
                                             denseIndex(endian), packedData(time, row, endian))));
    }
}

TEST_CASE("a Cube profile may be packed as a whole, or its members may be")
{
    const Members members = twoMetrics(sparseIndex(kAll), plainData(numbersBytes(kVisits)), sparseIndex(kAll),
                                       plainData(numbersBytes(kSeconds)));
    const TemporaryFolder folder;
    const auto whole = openExperiment(fileWith(folder, "run.cubex.gz", gzipped(tarArchive(members))), Task());
    REQUIRE(whole);
    requireTwoMetrics(**whole);
    Members packed = members;
    for (auto& [name, content] : packed) content = gzipped(content);
    requireTwoMetrics(*opened(packed));
}

TEST_CASE("rows of a Cube profile may be absent, in any order and in any of its numbers")
{
    // b below a (number 2 in preorder, 3 among inclusive ones) before main.
    const auto experiment =
        opened(twoMetrics(sparseIndex({2, 0}), plainData(numbersBytes<std::uint64_t>({4, 0, 1, 1})),
                          sparseIndex({3, 1, 0}), plainData(numbersBytes<double>({1, 0, 6, 9, 10, 20}))));
    CHECK_FALSE(experiment->report.lostData());
    CHECK(amountsOf(*experiment, "visits", &ProfileValues::exclusive) == std::vector<double>{2, 0, 4});
    CHECK(amountsOf(*experiment, "time", &ProfileValues::exclusive) == std::vector<double>{15e9, 14e9, 1e9});
}

TEST_CASE("a Cube profile has only rows that a location has values of, or of what lies below")
{
    const auto experiment =
        opened({{"0.index", sparseIndex({2})},
                {"0.data", plainData(numbersBytes<std::uint64_t>({0, 7}))},
                {"anchor.xml", anchorXml(metricXml(0, "bytes_sent", "UINT64", "EXCLUSIVE", "bytes"))}});
    const MetricCube& cube = experiment->profile->callPaths;
    REQUIRE(cube.locations() == 2);
    CHECK(cube.locationOffsets[1] == 0);
    CHECK(std::vector<std::uint32_t>(cube.items.begin(), cube.items.end())
          == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(amountsOf(*experiment, "bytes_sent", &ProfileValues::inclusive) == std::vector<double>{7, 7, 7});
    CHECK(amountsOf(*experiment, "bytes_sent", &ProfileValues::exclusive) == std::vector<double>{0, 0, 7});
}

TEST_CASE("every type of number of a Cube profile is read")
{
    const auto sumOf = [](const std::string& type, const std::string& bytes) {
        const auto experiment = opened({{"3.index", sparseIndex({0})},
                                        {"3.data", plainData(bytes)},
                                        {"anchor.xml", anchorXml(metricXml(3, "m", type, "EXCLUSIVE"))}});
        return amountsOf(*experiment, "m", &ProfileValues::exclusive).front();
    };
    CHECK(sumOf("INT8", numbersBytes<std::int8_t>({-3, 1})) == -2);
    CHECK(sumOf("UINT8", numbersBytes<std::uint8_t>({253, 1})) == 254);
    CHECK(sumOf("INT16", numbersBytes<std::int16_t>({-300, 1})) == -299);
    CHECK(sumOf("UINT16", numbersBytes<std::uint16_t>({65000, 1})) == 65001);
    CHECK(sumOf("INT32", numbersBytes<std::int32_t>({-70000, 1})) == -69999);
    CHECK(sumOf("UINT32", numbersBytes<std::uint32_t>({4000000000, 1})) == 4000000001.0);
    CHECK(sumOf("INT64", numbersBytes<std::int64_t>({-5000000000, 1})) == -4999999999.0);
    CHECK(sumOf("UINT64", numbersBytes<std::uint64_t>({1ull << 50, 1}))
          == static_cast<double>((1ull << 50) + 1));
    CHECK(sumOf("DOUBLE", numbersBytes<double>({0.25, 1})) == 1.25);
    CHECK(sumOf("UNSIGNED INT", numbersBytes<std::uint32_t>({7, 1})) == 8);
}

TEST_CASE("exclusive amounts of a Cube profile are exact where counters ran below 0")
{
    // As unsigned numbers, -3 and -8 are close to 2^64.
    const auto experiment =
        opened({{"0.index", sparseIndex({0, 1})},
                {"0.data", plainData(numbersBytes<std::uint64_t>({~2ull, 5, ~7ull, 2}))},
                {"anchor.xml", anchorXml(metricXml(0, "PAPI_L2_DCM", "UINT64", "INCLUSIVE", "#"))}});
    CHECK(amountsOf(*experiment, "PAPI_L2_DCM", &ProfileValues::exclusive).front() == 8);
}

TEST_CASE("parts of tuples in a Cube profile are metrics of their own")
{
    const auto experiment = opened({{"0.index", sparseIndex({0})},
                                    {"0.data", plainData(numbersBytes<double>({1, 10, 2, 20}))},
                                    {"1.index", sparseIndex({0})},
                                    {"1.data", plainData(numbersBytes<double>({1, 2, 3, 4, 5, 6}))},
                                    {"anchor.xml",
                                     anchorXml(metricXml(0, "c", "COMPLEX", "EXCLUSIVE")
                                               + metricXml(1, "n", "NDOUBLES(3)", "EXCLUSIVE"))}});
    CHECK(amountsOf(*experiment, "c.real", &ProfileValues::exclusive).front() == 3);
    CHECK(amountsOf(*experiment, "c.imaginary", &ProfileValues::exclusive).front() == 30);
    CHECK(amountsOf(*experiment, "n[0]", &ProfileValues::exclusive).front() == 5);
    CHECK(amountsOf(*experiment, "n[2]", &ProfileValues::exclusive).front() == 9);
    const auto& metrics = experiment->definitions.metrics;
    REQUIRE(metrics.size() == 7);
    CHECK(metrics[1].parent == MetricId(0));
}

TEST_CASE("TAU's user events in a Cube profile are statistics of call paths")
{
    std::string values;
    for (const double value : {3.0, 5.0, 8.0, 34.0})
        values += (values.empty() ? numberBytes(std::uint32_t{2}, Endian::Little) : "")
            + numberBytes(value, Endian::Little);
    values += std::string(36, '\0');
    const auto experiment =
        opened({{"0.index", sparseIndex({3})},
                {"0.data", plainData(values)},
                {"anchor.xml", anchorXml(metricXml(0, "sizes", "TAU_ATOMIC", "EXCLUSIVE", "bytes"))}});
    const auto& statistics = experiment->profile->statistics;
    REQUIRE(statistics.size() == 1);
    CHECK(statistics[0].context == CallPathId(3));
    CHECK(statistics[0].location == LocationId(0));
    CHECK(statistics[0].count == 2);
    CHECK(statistics[0].minimum == 3);
    CHECK(statistics[0].maximum == 5);
    CHECK(statistics[0].mean == 4);
    CHECK(statistics[0].sumOfSquares == 34);
}

TEST_CASE("minima and maxima of a Cube profile are combined as such, and unvisited call paths have none")
{
    const double none = std::numeric_limits<double>::max();
    const auto experiment =
        opened({{"0.index", sparseIndex(kAll)},
                {"0.data", plainData(numbersBytes(kVisits))},
                {"1.index", sparseIndex(kAll)},
                {"1.data", plainData(numbersBytes<double>({9, 8, 4, 5, 2, none, 3, 0.5}))},
                {"2.index", sparseIndex(kAll)},
                {"2.data", plainData(numbersBytes<double>({9, 8, 6, 7, 2, 0, 30, 4}))},
                {"anchor.xml",
                 anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE")
                           + metricXml(1, "min_time", "MINDOUBLE", "EXCLUSIVE", "sec")
                           + metricXml(2, "max_time", "MAXDOUBLE", "EXCLUSIVE", "sec"))}});
    CHECK_FALSE(experiment->report.lostData());
    CHECK(amountsOf(*experiment, "min_time", &ProfileValues::inclusive).front() == 0.5e9);
    CHECK(amountsOf(*experiment, "min_time", &ProfileValues::exclusive).front() == 8e9);
    CHECK(amountsOf(*experiment, "max_time", &ProfileValues::inclusive).front() == 30e9);
    const auto profile = profileOf(*experiment, std::nullopt, "min_time", Task());
    const auto column = metricColumn(*experiment, **profile, "min_time");
    for (const RegionRow& row : profileByRegion(*experiment, **profile, *column)) {
        if (row.name == "b()") CHECK(row.values.exclusive == 0.5e9);
        if (row.name == "a(int)") CHECK(row.values.inclusive == 2e9);
    }
    for (const LocationRow& row : profileByLocation(*experiment, **profile, *column))
        CHECK(row.values.exclusive == (row.location == LocationId(0) ? 2e9 : 0.5e9));
    // Times that do not add up are no time to begin with.
    CHECK_FALSE(metricColumn(*experiment, *experiment->profile, "time"));
}

TEST_CASE("a Cube profile tells names, places and topologies")
{
    const auto experiment = opened(twoMetrics(denseIndex(), plainData(numbersBytes(kVisits)), denseIndex(),
                                              plainData(numbersBytes(kSeconds))));
    const Definitions& definitions = experiment->definitions;
    REQUIRE(definitions.regions.size() == 3);
    CHECK(definitions.regions[1].name == "a(int)");
    CHECK(definitions.regions[1].canonicalName == "_Z1ai");
    CHECK(definitions.regions[1].sourceFile == "/src/a.cpp");
    CHECK(definitions.regions[1].beginLine == 11);
    CHECK(definitions.regions[1].endLine == 0);
    CHECK(definitions.regions[2].canonicalName == "_Z1bv");
    REQUIRE(definitions.systemTree.size() == 2);
    CHECK(definitions.systemTree[1].className == "node");
    CHECK(definitions.systemTree[1].parent == SystemTreeNodeId(0));
    REQUIRE(definitions.locationGroups.size() == 2);
    CHECK(definitions.locationGroups[1].rank == 1);
    CHECK(definitions.locations[1].rank == 1);
    REQUIRE(definitions.topologies.size() == 1);
    CHECK(definitions.topologies[0].dimensions[0].periodic);
    CHECK(definitions.topologies[0].coordinates[1].position == std::vector<std::uint32_t>{1, 0});
    CHECK(definitions.properties.front().value == "by hand > 1");
    CHECK(definitions.metrics[1].unit == "ns");
}

TEST_CASE("derived metrics of a Cube profile, and such of types that are not shown, are named")
{
    const std::string derived =
        "<metric id=\"5\" type=\"PREDERIVED_INCLUSIVE\"><uniq_name>imbalance</uniq_name><dtype>DOUBLE</dtype>"
        "<uom></uom><expression>metric::time() / metric::visits()</expression><metric id=\"6\" "
        "type=\"EXCLUSIVE\"><uniq_name>spread</uniq_name><dtype>HISTOGRAM(5)</dtype></metric></metric>";
    auto members = twoMetrics(denseIndex(), plainData(numbersBytes(kVisits)), denseIndex(),
                              plainData(numbersBytes(kSeconds)));
    members.back().second = anchorXml(kTwoMetrics + derived);
    const auto experiment = opened(members);
    REQUIRE(experiment->report.issues().size() == 2);
    CHECK(experiment->report.issues()[0].detail.find("imbalance") != std::string::npos);
    CHECK(experiment->report.issues()[1].detail.find("spread (HISTOGRAM(5))") != std::string::npos);
    CHECK_FALSE(experiment->report.lostData());
    CHECK(experiment->definitions.metrics[2].formula == "metric::time() / metric::visits()");
    CHECK(experiment->definitions.metrics[3].parent == MetricId(2));
    const auto missing = metricColumn(*experiment, *experiment->profile, "imbalance");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message.find("derived") != std::string::npos);
}

TEST_CASE("call paths of a Cube profile with other parameters are told apart")
{
    auto anchor = anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE"));
    const std::string plain = "<cnode id=\"3\" calleeId=\"2\"></cnode>";
    const auto with = [](int id, int value) {
        return "<cnode id=\"" + std::to_string(id)
            + "\" calleeId=\"2\" line=\"17\" mod=\"/src/a.cpp\"><parameter "
              "partype=\"numeric\" parkey=\"n\" parvalue=\""
            + std::to_string(value) + "\"/></cnode>";
    };
    anchor.replace(anchor.find(plain), plain.size(), with(3, 8) + with(4, 16));
    const auto experiment = opened({{"0.index", sparseIndex({3, 4})},
                                    {"0.data", plainData(numbersBytes<std::uint64_t>({1, 2, 3, 4}))},
                                    {"anchor.xml", anchor}});
    const auto& tree = *experiment->callTree;
    CHECK(experiment->definitions.region(tree.region(CallPathId(3))).name == "b() (n=8)");
    CHECK(experiment->definitions.region(tree.region(CallPathId(4))).name == "b() (n=16)");
    CHECK(experiment->definitions.region(tree.region(CallPathId(4))).canonicalName == "_Z1bv");
    REQUIRE(experiment->definitions.parameters.size() == 1);
    CHECK(experiment->definitions.parameters[0].name == "n");
    REQUIRE(tree.callSite(CallPathId(3)).valid());
    CHECK(experiment->definitions.callSites[tree.callSite(CallPathId(3)).index()].line == 17);
}

TEST_CASE("values of a Cube profile stand in the order of the locations' ids, wherever these are defined")
{
    auto anchor = anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE"));
    for (const auto& [from, to] : {std::pair("<location Id=\"0\">", "<location Id=\"7\">")})
        anchor.replace(anchor.find(from), std::string(from).size(), to);
    const auto experiment = opened({{"0.index", sparseIndex({0})},
                                    {"0.data", plainData(numbersBytes<std::uint64_t>({1, 100}))},
                                    {"anchor.xml", anchor}});
    const MetricCube& cube = experiment->profile->callPaths;
    CHECK(cube.calls[cube.locationOffsets[0]] == 100);  // of location 7
    CHECK(cube.calls[cube.locationOffsets[1]] == 1);
}

TEST_CASE("a Cube profile of older versions has machines, nodes, processes and threads")
{
    auto anchor = anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE"));
    const auto from = anchor.find("<systemtreenode"), to = anchor.find("<topologies>");
    anchor.replace(
        from, to - from,
        "<machine Id=\"0\"><name>m</name><node Id=\"0\"><name>n</name><process Id=\"0\"><name>p</name>"
        "<rank>4</rank><thread Id=\"0\"><name>t</name><rank>0</rank></thread></process></node></machine>");
    const auto experiment = opened({{"0.index", sparseIndex({0})},
                                    {"0.data", plainData(numbersBytes<std::uint64_t>({1}))},
                                    {"anchor.xml", anchor}});
    const Definitions& definitions = experiment->definitions;
    REQUIRE(definitions.systemTree.size() == 2);
    CHECK(definitions.systemTree[1].className == "node");
    REQUIRE(definitions.locations.size() == 1);
    CHECK(definitions.locations[0].rank == 4);
}

TEST_CASE("a Cube profile is the same bits on one thread and on many")
{
    std::vector<double> seconds;
    std::vector<std::uint64_t> visits;
    const int ranks = 700;
    for (std::size_t value = 0; value < kAnchorNodes * ranks; ++value) {
        seconds.push_back(1.0 / static_cast<double>(1 + (value * 7919) % 1009));
        visits.push_back(value % 3);
    }
    auto members = twoMetrics(denseIndex(), packedData(numbersBytes(visits), 8 * ranks), denseIndex(),
                              plainData(numbersBytes(seconds)));
    members.back().second = anchorXml(kTwoMetrics, ranks);
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "profile.cubex", tarArchive(members));
    const auto one = openExperiment(file, Task().withThreads(1));
    const auto many = openExperiment(file, Task().withThreads(8));
    REQUIRE((one && many));
    const auto equal = [](const auto& a, const auto& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    const auto single = withColumn((*one)->profile, 0, Task().withThreads(1));
    const auto several = withColumn((*many)->profile, 0, Task().withThreads(8));
    for (MetricCube Profile::*cube : {&Profile::callPaths, &Profile::regions}) {
        CHECK(equal(((**single).*cube).items, ((**several).*cube).items));
        CHECK(equal(((**single).*cube).calls, ((**several).*cube).calls));
        CHECK(((**single).*cube).inclusive[0].size() == ((**single).*cube).rows());
        CHECK(equal(((**single).*cube).inclusive[0], ((**several).*cube).inclusive[0]));
        CHECK(equal(((**single).*cube).exclusive[0], ((**several).*cube).exclusive[0]));
    }
}

TEST_CASE("columns of a Cube profile are read when they are asked for")
{
    const auto experiment = opened(twoMetrics(denseIndex(), plainData(numbersBytes(kVisits)), denseIndex(),
                                              plainData(numbersBytes(kSeconds))));
    CHECK(experiment->profile->callPaths.inclusive[0].empty());
    const auto asked = profileOf(*experiment, std::nullopt, "visits", Task());
    REQUIRE(asked);
    const auto column = metricColumn(*experiment, **asked, "visits");
    REQUIRE(column);
    CHECK((*asked)->callPaths.inclusive[*column].size() == (*asked)->callPaths.rows());
    CHECK((*asked)->callPaths.inclusive[1 - *column].empty());
    const RegionTable table = regionTable(*experiment, **asked, *column);
    double sum = 0.0;
    for (const RegionCell& cell : table.cells) sum += cell.exclusive;
    CHECK(sum == 22);
}

}  // namespace skein::cube_profile_test
