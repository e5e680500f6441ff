// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tau_facts.h"

#include "tests/support/catch.h"

#include <fstream>

namespace skein::test {
namespace {

std::string stripped(const std::string& name)
{
    const auto last = name.find_last_not_of(' ');
    return last == std::string::npos ? std::string() : name.substr(0, last + 1);
}

}  // namespace

nlohmann::json readFacts(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return nlohmann::json::parse(stream);
}

std::map<std::string, RegionSums> regionSums(const Experiment& experiment, std::size_t metric)
{
    std::map<std::string, RegionSums> sums;
    const MetricCube& cube = experiment.profile->regions;
    for (std::size_t row = 0; row < cube.rows(); ++row) {
        RegionSums& sum = sums[stripped(experiment.definitions.regions[cube.items[row]].name)];
        sum.calls += cube.calls[row];
        sum.inclusive += cube.inclusive[metric][row];
        sum.exclusive += cube.exclusive[metric][row];
    }
    return sums;
}

namespace {

void addCalls(const Experiment& experiment, const CallIntervals& calls,
              std::map<std::string, RegionSums>& sums)
{
    const CallTree& tree = *experiment.callTree;
    std::vector<double> inside(calls.size(), 0.0);
    std::vector<std::size_t> stack;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        stack.resize(std::min<std::size_t>(stack.size(), calls.depth[call]));
        if (!stack.empty()) inside[stack.back()] += static_cast<double>(calls.span(call).lengthNs());
        stack.push_back(call);
    }
    for (std::size_t call = 0; call < calls.size(); ++call) {
        const CallPathId path(calls.callPath[call]);
        RegionSums& sum = sums[stripped(experiment.definitions.region(tree.region(path)).name)];
        const auto length = static_cast<double>(calls.span(call).lengthNs());
        sum.calls += 1;
        sum.exclusive += length - inside[call];
        if (!tree.isRecursive(path)) sum.inclusive += length;
    }
}

}  // namespace

std::map<std::string, RegionSums> traceSums(const Experiment& experiment, LocationId location)
{
    std::map<std::string, RegionSums> sums;
    for (std::size_t index = 0; index < experiment.trace->locations.size(); ++index)
        if (!location.valid() || location.index() == index)
            addCalls(experiment, experiment.trace->locations[index].intervals, sums);
    return sums;
}

CommMatrix traceMatrix(const Experiment& experiment)
{
    const auto rankOf = [&](LocationId location) {
        return static_cast<std::uint32_t>(experiment.definitions.location(location).rank);
    };
    std::vector<CommMatrix::Entry> entries;
    std::uint32_t ranks = 0;
    for (const Message& message : experiment.trace->messages) {
        entries.push_back({rankOf(message.sender), rankOf(message.receiver), 1, message.bytes});
        ranks = std::max({ranks, entries.back().sender + 1, entries.back().receiver + 1});
    }
    return CommMatrix(ranks, std::move(entries));
}

void requireRegions(const nlohmann::json& list, const std::map<std::string, RegionSums>& sums,
                    double unitsPerFactUnit)
{
    REQUIRE(!list.empty());
    for (const auto& fact : list) {
        const auto found = sums.find(stripped(fact[0].get<std::string>()));
        INFO(fact[0].get<std::string>());
        REQUIRE(found != sums.end());
        CHECK(found->second.calls == fact[1].get<double>());
        CHECK(found->second.inclusive / unitsPerFactUnit == Approx(fact[2].get<double>()).margin(0.5));
        CHECK(found->second.exclusive / unitsPerFactUnit == Approx(fact[3].get<double>()).margin(0.5));
    }
}

void requireMatrix(const nlohmann::json& facts, const CommMatrix& matrix)
{
    REQUIRE(matrix.totalMessages() == facts["count"].get<std::uint64_t>());
    REQUIRE(matrix.totalBytes() == facts["bytes"].get<std::uint64_t>());
    REQUIRE(matrix.entries().size() == facts["pairs"].get<std::size_t>());
    std::size_t at = 0;
    for (const auto& fact : facts["src_dst_count_bytes"]) {
        const CommMatrix::Entry wanted{fact[0].get<std::uint32_t>(), fact[1].get<std::uint32_t>(),
                                       fact[2].get<std::uint64_t>(), fact[3].get<std::uint64_t>()};
        CHECK(matrix.entries()[at++] == wanted);
    }
}

}  // namespace skein::test
