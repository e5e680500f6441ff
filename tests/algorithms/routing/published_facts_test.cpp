// SPDX-License-Identifier: GPL-3.0-or-later
// The published communication of Blue Gene/Q and Cray XC machines, against the facts that were computed from
// it.
#include "algorithms/routing/traffic.h"
#include "core/io/comm_text/comm_table.h"
#include "core/io/comm_text/text_input.h"
#include "core/io/importer.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace skein::published_facts_test {
namespace {

namespace fs = std::filesystem;
using Facts = std::map<std::string, std::string>;

std::vector<std::string> splitLine(const std::string& line)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) fields.emplace_back();
        else fields.back() += c;
    }
    return fields;
}

std::vector<Facts> readFacts(const fs::path& file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    const auto names = splitLine(line);
    std::vector<Facts> cases;
    while (std::getline(stream, line)) {
        const auto fields = splitLine(line);
        Facts facts;
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) facts[names[i]] = fields[i];
        cases.push_back(facts);
    }
    return cases;
}

Topology machineOf(const Facts& facts)
{
    std::string spec = facts.at("machine") == "Theta" ? "hamming:" : "torus:";
    std::stringstream sizes(facts.at("dims") + "x");
    std::size_t dimension = 0;
    for (std::string size; std::getline(sizes, size, 'x'); ++dimension)
        spec += (dimension > 0 ? "x" : "") + size
            + (facts.at("mesh_dims").find(dimensionLetter(dimension)) != std::string::npos ? "m" : "");
    return makeTopology(spec).value();
}

Placement placementOf(const Facts& facts, const Topology& topology, const Experiment& experiment)
{
    if (facts.at("machine") == "Theta")
        return placeOnHosts(topology, hostsOfRanks(experiment.definitions), 0).value();
    return placeInBlocks(topology, experiment.commMatrix->ranks(),
                         static_cast<std::uint32_t>(std::stoul(facts.at("ranks_per_node"))))
        .value();
}

void checkTraffic(const Facts& facts, const Topology& topology, const Traffic& traffic)
{
    CHECK(std::to_string(traffic.nodePairs) == facts.at("node_pairs"));
    CHECK(std::to_string(traffic.maximumHops) == facts.at("max_hops"));
    CHECK(std::to_string(traffic.summary.linksUsed) == facts.at("links_used"));
    CHECK(std::to_string(traffic.summary.maximum) == facts.at("max_link_load"));
    std::vector<std::string> heaviest;
    for (const LinkIndex link : topLinks(traffic.loads, traffic.summary.maximumTies + std::size_t{1}))
        heaviest.push_back(topology.linkName(link));
    CHECK(std::ranges::count(heaviest, facts.at("max_link")) == 1);
    CHECK(std::to_string(traffic.summary.maximumTies) == facts.at("max_link_ties"));
}

std::uint64_t countLines(const fs::path& file)
{
    const std::string text = comm_text::readWhole(file, Task()).value();
    return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

void checkHopByteCase(const Facts& facts, const fs::path& file)
{
    const auto experiment = *openExperiment(file, Task());
    CHECK(experiment->report.empty());
    const Topology topology = machineOf(facts);
    const RoutingModel model = usualRouting(topology);
    CHECK(name(model) == "dimension-order:" + facts.at("dim_order"));
    const Placement placement = placementOf(facts, topology, *experiment);
    const auto traffic =
        skein::traffic(topology, model, nodeTraffic(*experiment->commMatrix, placement).value(), nullptr,
                       Task())
            .value();
    CHECK(std::to_string(experiment->commMatrix->entries().size()) == facts.at("hb_lines"));
    CHECK(std::to_string(experiment->commMatrix->ranks()) == facts.at("ranks"));
    CHECK(std::to_string(traffic.bytes) == facts.at("bytes"));
    CHECK(std::to_string(traffic.rankPairsInside) == facts.at("intra_node_pairs"));
    CHECK(std::to_string(traffic.bytesInside) == facts.at("intra_node_bytes"));
    CHECK(std::to_string(traffic.hopBytes) == facts.at("hop_bytes"));
    checkTraffic(facts, topology, traffic);
    ImportReport report;
    const auto table =
        comm_text::parseCommTable(comm_text::readWhole(file, Task()).value(), "", report, Task());
    const auto hops = distances(topology, Task()).value();
    std::size_t mismatches = 0;
    for (const auto& row : table.rows)
        if (row.hops >= 0
            && hops.between(placement.nodeOf(row.sender), placement.nodeOf(row.receiver))
                != static_cast<std::uint32_t>(row.hops))
            ++mismatches;
    CHECK(std::to_string(mismatches) == facts.at("hop_mismatches"));
}

/// Checks what the facts say about the route file, and that the model gives every complete route hop by hop.
void checkRouteCase(const Facts& facts, const fs::path& file)
{
    const auto experiment = *openExperiment(file, Task());
    const bool garbled = facts.at("route_state").find("malformed") != std::string::npos;
    CHECK(std::to_string(countLines(file)) == facts.at("route_lines"));
    CHECK(std::to_string(experiment->routes->size()) == facts.at("route_pairs"));
    CHECK(experiment->report.lostData() == (facts.at("route_state") != "complete"));
    CHECK(experiment->report.count(IssueKind::CorruptRecord) == (garbled ? 6 : 0));
    const Topology topology = machineOf(facts);
    const auto measured = followRoutes(topology, *experiment->routes).value();
    CHECK(measured.unusable == 0);
    const auto modelled =
        routePairs(topology, usualRouting(topology), measured.pairs, nullptr, Task()).value();
    std::size_t different = 0;
    for (std::size_t i = 0; i < measured.pairs.size(); ++i)
        if (measured.complete[i] && !std::ranges::equal(measured.paths[i], modelled[i])) ++different;
    CHECK(different == 0);
    if (facts.at("hb_lines").empty()) checkTraffic(facts, topology, recordedTraffic(topology, measured));
}

}  // namespace

TEST_CASE("hop-bytes and link loads of the published cases equal every column of their facts")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/par-comm-data");
    const auto cases = readFacts(folder / "facts.csv");
    REQUIRE(cases.size() > 40);
    for (const Facts& facts : cases) {
        INFO(facts.at("name"));
        if (!facts.at("hb_lines").empty())
            checkHopByteCase(facts, folder / "hopbyte" / (facts.at("name") + "_hopbyte.txt"));
    }
}

TEST_CASE("dimension order gives every complete published route hop by hop")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/par-comm-data");
    std::size_t files = 0;
    for (const Facts& facts : readFacts(folder / "facts.csv")) {
        INFO(facts.at("name"));
        const fs::path file = folder / "route" / (facts.at("name") + "_route.txt");
        if (!fs::exists(file)) continue;
        checkRouteCase(facts, file);
        ++files;
    }
    CHECK(files == 39);
}

TEST_CASE("recorded routes of a case win over the model and give the same loads where they are complete")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/par-comm-data");
    const auto matrix = *openExperiment(folder / "hopbyte/MiniAMR_Vesta_n64_c4_s2_hopbyte.txt", Task());
    const auto routes = *openExperiment(folder / "route/MiniAMR_Vesta_n64_c4_s2_route.txt", Task());
    const Topology topology = makeTopology("torus:2x2x4x2x2").value();
    const auto nodes = nodeTraffic(*matrix->commMatrix, placeInBlocks(topology, 256, 4).value()).value();
    const auto measured = followRoutes(topology, *routes->routes).value();
    const RoutingModel wrong = parseRoutingModel("dimension-order:EDCBA,tie=positive", topology).value();
    const auto traffic = skein::traffic(topology, wrong, nodes, &measured, Task()).value();
    CHECK(traffic.pairsMeasured == traffic.pairs.size());
    CHECK(traffic.summary.maximum == 91489224);
    CHECK(skein::traffic(topology, wrong, nodes, nullptr, Task())->summary.maximum != 91489224);
}

}  // namespace skein::published_facts_test
