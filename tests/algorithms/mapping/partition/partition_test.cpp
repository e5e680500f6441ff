// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/partition/published_method.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace skein::partition_test {

namespace {

WeightedGraph graphOf(const nlohmann::json& item)
{
    std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> rows(item["n"].get<std::size_t>());
    for (const auto& edge : item["edges"]) {
        const std::int64_t weight = edge.size() > 2 ? edge[2].get<std::int64_t>() : 1;
        rows[edge[0]].emplace_back(edge[1].get<std::uint32_t>(), weight);
        rows[edge[1]].emplace_back(edge[0].get<std::uint32_t>(), weight);
    }
    WeightedGraph graph;
    for (const auto& row : rows) {
        for (const auto& [neighbour, weight] : row) {
            graph.neighbour.push_back(neighbour);
            graph.weight.push_back(weight);
        }
        graph.first.push_back(static_cast<std::uint32_t>(graph.neighbour.size()));
    }
    return graph;
}

}  // namespace

TEST_CASE("partitions are even and as small a cut as METIS finds")
{
    SKEIN_SHARED_OR_SKIP(path, "golden/qap/partition.json");
    std::ifstream stream(path);
    const auto golden = nlohmann::json::parse(stream);
    for (const auto& item : golden["cases"]) {
        INFO(item["name"]);
        const WeightedGraph graph = graphOf(item);
        const auto parts = item["k"].get<std::uint32_t>();
        const auto part = partitionEvenly(graph, parts, 1, SearchClock({}), Task()).value();
        std::vector<std::uint32_t> sizes(parts, 0);
        for (const std::uint32_t p : part) ++sizes.at(p);
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        CHECK(*most - *least <= (graph.vertices() % parts == 0 ? 0u : 1u));
        const double allowed = item["known_optimum_balanced"].is_null()
            ? 1.15 * item["metis_cut_best"].get<double>()
            : item["known_optimum_balanced"].get<double>();
        CHECK(static_cast<double>(cutOf(graph, part)) <= allowed);
    }
}

}  // namespace skein::partition_test
