// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/series_entities.h"

#include "algorithms/behavior/trace_series.h"
#include "core/io/importer.h"
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <numeric>

namespace skein::series_entities_test {

namespace {

/// Two racks of two nodes of two sockets; a process of two threads on each socket but for the last process,
/// which is on a node of no rack.
Definitions machineOfRacks()
{
    Definitions definitions;
    const auto node = [&](std::string name, std::string className, SystemTreeNodeId parent) {
        definitions.systemTree.push_back({std::move(name), std::move(className), parent, {}});
        return SystemTreeNodeId(definitions.systemTree.size() - 1);
    };
    const auto process = [&](SystemTreeNodeId where) {
        LocationGroup group;
        group.node = where;
        group.rank = static_cast<std::int64_t>(definitions.locationGroups.size());
        definitions.locationGroups.push_back(group);
        for (int thread = 0; thread < 2; ++thread) {
            Location location;
            location.name = "thread";
            location.group = LocationGroupId(definitions.locationGroups.size() - 1);
            location.rank = group.rank;
            location.thread = thread;
            definitions.locations.push_back(location);
        }
    };
    const SystemTreeNodeId machine = node("m", "machine", {});
    for (int rack = 0; rack < 2; ++rack) {
        const SystemTreeNodeId inRack = node("rack " + std::to_string(rack), "Rack", machine);
        for (int host = 0; host < 2; ++host) {
            const SystemTreeNodeId onHost = node("n" + std::to_string(2 * rack + host), "node", inRack);
            for (int socket = 0; socket < 2; ++socket)
                process(node("socket " + std::to_string(socket), "socket", onHost));
        }
    }
    process(node("login", "node", machine));
    return definitions;
}

std::vector<std::string> namesPer(const Definitions& definitions, const std::string& word)
{
    const auto entities = seriesEntities(definitions, seriesGrouping(word));
    REQUIRE(entities);
    return entities->names;
}

double sumOf(const SeriesTable& table)
{
    return std::accumulate(table.values.begin(), table.values.end(), 0.0);
}

}  // namespace

TEST_CASE("series are of any level of the system tree, and every location is in one of its columns")
{
    const Definitions definitions = machineOfRacks();
    CHECK(namesPer(definitions, "component") == std::vector<std::string>{"All locations"});
    CHECK(namesPer(definitions, "machine") == std::vector<std::string>{"m"});
    CHECK(namesPer(definitions, "rack") == std::vector<std::string>{"rack 0", "rack 1", "Rank 8"});
    CHECK(namesPer(definitions, "node") == std::vector<std::string>{"n0", "n1", "n2", "n3", "login"});
    CHECK(namesPer(definitions, "socket").front() == "n0/socket 0");
    CHECK(namesPer(definitions, "socket").size() == 9);
    CHECK(namesPer(definitions, "process").size() == 9);
    CHECK(namesPer(definitions, "location").size() == 18);
    for (const char* word : {"component", "machine", "rack", "node", "socket", "process", "location"}) {
        INFO(word);
        const auto entities = seriesEntities(definitions, seriesGrouping(word));
        REQUIRE(entities);
        std::vector<int> seen(18, 0);
        for (const auto& column : entities->locations)
            for (const LocationId id : column) ++seen[id.index()];
        CHECK(seen == std::vector<int>(18, 1));
        CHECK(seriesGroupingWord(seriesGrouping(word)) == word);
    }
    const auto none = seriesEntities(definitions, seriesGrouping("blade"));
    REQUIRE_FALSE(none);
    CHECK(none.error().text().find("machine, Rack, socket, location") != std::string::npos);
    std::vector<bool> hidden(18, false);
    std::fill(hidden.begin(), hidden.begin() + 8, true);
    CHECK(seriesEntities(definitions, seriesGrouping("rack"), hidden)->names.front() == "rack 1");
}

TEST_CASE("what can be asked for goes from all of the archive to single locations, without empty steps")
{
    const Definitions definitions = machineOfRacks();
    std::vector<std::string> words;
    for (const SeriesGrouping& grouping : seriesGroupings(definitions))
        words.push_back(seriesGroupingWord(grouping));
    CHECK(words == std::vector<std::string>{"component", "Rack", "node", "socket", "process", "location"});
    SeriesGrouping now = SeriesEntity::Component;
    for (const char* next : {"Rack", "node", "socket", "process", "location", "location"}) {
        now = finerGrouping(definitions, now);
        CHECK(seriesGroupingWord(now) == next);
    }
    CHECK(finerGrouping(definitions, SeriesEntity::Communicator) == SeriesGrouping(SeriesEntity::Process));
}

TEST_CASE("series of a level add up to those of its locations, and those of a communicator are its messages")
{
    const test::TemporaryFolder folder;
    generator::Options options;
    options.ranks = 12;
    options.ranksPerNode = 4;
    options.steps = 12;
    REQUIRE(generator::writeArchive(folder.path() / "archive", options));
    const auto opened = openExperiment(folder.path() / "archive", Task());
    REQUIRE(opened);
    Experiment experiment = **opened;
    TraceSeriesParams params = seriesQuantity("exclusive");
    params.edges = equalBins(experiment.trace->extent, 7);
    params.per = SeriesEntity::Location;
    const auto single = traceSeries(experiment, params, Task());
    REQUIRE(single);
    for (const SeriesGrouping& grouping : seriesGroupings(experiment.definitions)) {
        if (grouping.entity == SeriesEntity::Communicator) continue;
        params.per = grouping;
        const auto table = traceSeries(experiment, params, Task());
        REQUIRE(table);
        CHECK(sumOf(*table) == sumOf(*single));
    }
    // A second communicator gets every third message.
    experiment.definitions.communicators.push_back(experiment.definitions.communicators.front());
    auto& second = experiment.definitions.communicators.back();
    second.name = "second";
    second.self = false;
    second.members = {LocationId(0), LocationId(5)};
    const CommunicatorId id(experiment.definitions.communicators.size() - 1);
    Trace trace = *experiment.trace;
    double expected = 0, total = 0;
    std::vector<Message> messages(trace.messages.begin(), trace.messages.end());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        total += static_cast<double>(messages[i].bytes);
        if (i % 3 != 0) continue;
        messages[i].communicator = id;
        expected += static_cast<double>(messages[i].bytes);
    }
    trace.messages = Column<Message>(std::move(messages));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    params = seriesQuantity("sent-bytes");
    params.edges = equalBins(experiment.trace->extent, 7);
    params.per = SeriesEntity::Communicator;
    const auto table = traceSeries(experiment, params, Task());
    REQUIRE(table);
    REQUIRE(table->columns.back() == "second");
    double own = 0;
    for (std::size_t row = 0; row < table->rows(); ++row) own += table->at(row, table->columns.size() - 1);
    CHECK(own == expected);
    CHECK(sumOf(*table) == total);
    params = seriesQuantity("calls");
    params.edges = equalBins(experiment.trace->extent, 7);
    params.per = SeriesEntity::Location;
    const auto calls = traceSeries(experiment, params, Task());
    params.per = SeriesEntity::Communicator;
    const auto ofMembers = traceSeries(experiment, params, Task());
    REQUIRE(ofMembers);
    for (std::size_t row = 0; row < calls->rows(); ++row)
        CHECK(ofMembers->at(row, ofMembers->columns.size() - 1) == calls->at(row, 0) + calls->at(row, 5));
}

}  // namespace skein::series_entities_test
