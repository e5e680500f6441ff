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

void requireRegions(const nlohmann::json& list, const std::map<std::string, RegionSums>& sums, double unitsPerFactUnit)
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
        const CommMatrix::Entry wanted{fact[0].get<std::uint32_t>(), fact[1].get<std::uint32_t>(), fact[2].get<std::uint64_t>(), fact[3].get<std::uint64_t>()};
        CHECK(matrix.entries()[at++] == wanted);
    }
}

}  // namespace skein::test
