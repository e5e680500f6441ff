// SPDX-License-Identifier: GPL-3.0-or-later
// Replays communication in SimGrid's flow model of the network: the same links and routes as skein-cli
// traffic, but with bandwidths that messages share in time. Prints the simulated seconds.
//   skein-simgrid-replay COMM --topology SPEC --ranks-per-node N [--map REMAP.json] [--routing M]
// Without --map ranks are placed in blocks; REMAP.json is what `skein-cli remap --format json` printed.
#include "algorithms/routing/route_pairs.h"
#include "algorithms/routing/traffic.h"
#include "core/base/file_bytes.h"
#include "core/io/comm_text/comm_table.h"
#include "core/machine/topology_spec.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace {

struct Options {
    std::string comm;
    std::string topology;
    std::string map;
    std::string routing = "auto";
    std::uint32_t ranksPerNode = 1;
    std::uint32_t concurrent = 1;  ///< messages that a rank has under way
    double bandwidth = 2e9;        ///< bytes a second of a link and direction (Blue Gene/Q)
    double latency = 5e-7;         ///< seconds a link
};

/// Unwraps, or ends the program with the error's sentence.
template <typename Value>
Value need(skein::Result<Value> result)
{
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
}

std::vector<std::uint32_t> slotsOf(const Options& options, std::uint32_t ranks)
{
    std::vector<std::uint32_t> slots(ranks);
    std::iota(slots.begin(), slots.end(), 0u);
    if (options.map.empty()) return slots;
    std::ifstream file(options.map);
    return nlohmann::json::parse(file).at("permutation").get<std::vector<std::uint32_t>>();
}

struct Work {
    skein::Topology machine;
    skein::Placement placement;
    std::vector<skein::comm_text::CommRow> rows;
};

Work read(const Options& options)
{
    Work work;
    work.machine = need(skein::makeTopology(options.topology));
    const auto bytes = need(skein::openFileBytes(options.comm));
    skein::ImportReport report;
    work.rows = skein::comm_text::parseCommTable(bytes.text(), options.comm, report, skein::Task()).rows;
    std::uint32_t ranks = 0;
    for (const auto& row : work.rows) ranks = std::max({ranks, row.sender + 1, row.receiver + 1});
    work.placement =
        need(skein::Placement::create(slotsOf(options, ranks), work.machine.nodes(), options.ranksPerNode));
    return work;
}

std::vector<skein::NodePair> nodePairs(const Work& work)
{
    std::vector<skein::NodePair> pairs;
    for (const auto& row : work.rows) {
        const auto from = work.placement.nodeOf(row.sender);
        const auto to = work.placement.nodeOf(row.receiver);
        if (from != to) pairs.push_back({from, to, row.messages, row.bytes});
    }
    return skein::mergePairs(std::move(pairs)).pairs;
}

/// A link of SimGrid for each of ours, and the route of each pair of nodes that has messages.
void buildPlatform(const Options& options, const Work& work, const std::vector<skein::NodePair>& pairs)
{
    auto* zone = sg4::create_full_zone("machine");
    std::vector<sg4::Host*> hosts;
    for (std::uint32_t node = 0; node < work.machine.nodes(); ++node)
        hosts.push_back(zone->create_host(fmt::format("n{}", node), 1e9)->seal());
    std::vector<const sg4::Link*> links;
    for (std::uint32_t link = 0; link < work.machine.links(); ++link) {
        const double bandwidth = options.bandwidth * static_cast<double>(work.machine.capacity(link));
        links.push_back(
            zone->create_link(fmt::format("l{}", link), bandwidth)->set_latency(options.latency)->seal());
    }
    const auto model = need(skein::parseRoutingModel(options.routing, work.machine));
    const auto paths = need(skein::routePairs(work.machine, model, pairs, nullptr, skein::Task()));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::vector<sg4::LinkInRoute> route;
        for (const auto link : paths[i]) route.emplace_back(links[link]);
        zone->add_route(hosts[pairs[i].from]->get_netpoint(), hosts[pairs[i].to]->get_netpoint(), nullptr,
                        nullptr, route, false);
    }
    zone->seal();
}

/// One rank sends what it has to send, to higher ranks first and then round to lower ones, some messages at a
/// time.
void sendAll(const Work& work, std::size_t first, std::size_t last, std::uint32_t concurrent)
{
    std::vector<sg4::CommPtr> underWay;
    auto* here = sg4::this_actor::get_host();
    auto* engine = sg4::Engine::get_instance();
    const std::uint32_t rank = work.rows[first].sender;
    const auto middle = std::partition_point(work.rows.begin() + static_cast<std::ptrdiff_t>(first),
                                             work.rows.begin() + static_cast<std::ptrdiff_t>(last),
                                             [&](const auto& row) { return row.receiver < rank; });
    const std::size_t offset = static_cast<std::size_t>(middle - work.rows.begin()) - first;
    for (std::size_t i = 0; i < last - first; ++i) {
        const auto& row = work.rows[first + (i + offset) % (last - first)];
        const auto to = work.placement.nodeOf(row.receiver);
        if (to == work.placement.nodeOf(rank) || row.bytes == 0) continue;
        if (underWay.size() == concurrent) {
            const auto done = sg4::Comm::wait_any(underWay);
            underWay.erase(underWay.begin() + done);
        }
        underWay.push_back(
            sg4::Comm::sendto_async(here, engine->host_by_name(fmt::format("n{}", to)), row.bytes));
    }
    sg4::Comm::wait_all(underWay);
}

void startRanks(const Options& options, const Work& work)
{
    auto* engine = sg4::Engine::get_instance();
    for (std::size_t first = 0, last = 0; first < work.rows.size(); first = last) {
        while (last < work.rows.size() && work.rows[last].sender == work.rows[first].sender) ++last;
        const auto node = work.placement.nodeOf(work.rows[first].sender);
        sg4::Actor::create(
            fmt::format("r{}", work.rows[first].sender), engine->host_by_name(fmt::format("n{}", node)),
            [&work, &options, first, last] { sendAll(work, first, last, options.concurrent); });
    }
}

int replay(const Options& options, sg4::Engine& engine)
{
    Work work = read(options);
    std::sort(work.rows.begin(), work.rows.end(), [](const auto& a, const auto& b) {
        return std::pair(a.sender, a.receiver) < std::pair(b.sender, b.receiver);
    });
    buildPlatform(options, work, nodePairs(work));
    startRanks(options, work);
    engine.run();
    fmt::print("{:.6f}\n", sg4::Engine::get_clock());
    return 0;
}

}  // namespace

int main(int count, char** arguments)
{
    sg4::Engine engine(&count, arguments);
    // Acknowledgements that load the way back are a matter of TCP; without them thousands of ranks take
    // seconds.
    sg4::Engine::set_config("network/crosstraffic:0");
    sg4::Engine::set_config("network/model:CM02");
    Options options;
    CLI::App app("Replays communication in SimGrid and prints the simulated seconds");
    app.add_option("COMM", options.comm)->required();
    app.add_option("--topology", options.topology)->required();
    app.add_option("--ranks-per-node", options.ranksPerNode);
    app.add_option("--map", options.map);
    app.add_option("--routing", options.routing);
    app.add_option("--concurrent", options.concurrent);
    app.add_option("--bandwidth", options.bandwidth);
    app.add_option("--latency", options.latency);
    CLI11_PARSE(app, count, arguments);
    try {
        return replay(options, engine);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
