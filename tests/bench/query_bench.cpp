// SPDX-License-Identifier: GPL-3.0-or-later
// Queries of a call tree of 50,000 nodes; 50 ms each is the most that is wanted.
#include "algorithms/calltree/run_query.h"
#include "algorithms/calltree/set_query.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace skein;

namespace {

CallTable treeOf(std::size_t nodes)
{
    std::mt19937 random(50);
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    std::vector<double> times;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        parents.push_back(node == 0 ? CallTable::kNone
                                    : node - 1 - static_cast<std::uint32_t>(random() % std::min(node, 12u)));
        names.push_back((random() % 4 == 0 ? "MPI_Function" : "solver::function")
                        + std::to_string(random() % 2000));
        times.push_back(static_cast<double>(random() % 1000));
    }
    CallTable table(std::move(parents), names);
    table.add({"time", "s", std::move(times), {}, {}, false});
    return table;
}

void queryTree(benchmark::State& state, const std::string& query, QuerySemantics semantics)
{
    const CallTable table = treeOf(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(queryTable(query, QueryDialect::Detect, table, semantics, Task{})->count());
}

const std::string kPattern =
    R"(MATCH ("*", a)->(b)->("*")->(c) WHERE a."time" >= 0 AND b."name" =~ "MPI_F.*[05]$" AND c."time" > 900)";

BENCHMARK_CAPTURE(queryTree, hatchet, kPattern, QuerySemantics::Hatchet)
    ->Arg(50'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(queryTree, declarative, kPattern, QuerySemantics::Declarative)
    ->Arg(50'000)
    ->Unit(benchmark::kMillisecond);

/// As deep as programs are: paths of 40 nodes at most.
CallTable programTree(std::size_t nodes)
{
    std::mt19937 random(51);
    std::vector<std::uint32_t> parents, open;
    std::vector<std::string> names;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (open.size() == 40) open.resize(1 + random() % 39);
        parents.push_back(open.empty() ? CallTable::kNone : open.back());
        names.push_back((random() % 4 == 0 ? "MPI_Function" : "solver::function")
                        + std::to_string(random() % 2000));
        open.push_back(node);
    }
    return CallTable(std::move(parents), names);
}

void queryOfManyNodes(benchmark::State& state)
{
    const CallTable table = programTree(50'000);
    std::vector<std::uint8_t> selected(table.size());
    for (std::size_t node = 0; node < table.size(); node += 50) selected[node] = 1;
    for (auto _ : state) benchmark::DoNotOptimize(queryOfSet(table, selected).text.size());
}
BENCHMARK(queryOfManyNodes)->Unit(benchmark::kMillisecond);

/// Paths of thousands of nodes: the query has as many characters as all of them together.
void queryOfDeepNodes(benchmark::State& state)
{
    const CallTable table = treeOf(50'000);
    std::vector<std::uint8_t> selected(table.size());
    for (std::size_t node = 0; node < table.size(); node += 500) selected[node] = 1;
    for (auto _ : state) benchmark::DoNotOptimize(queryOfSet(table, selected).text.size());
}
BENCHMARK(queryOfDeepNodes)->Unit(benchmark::kMillisecond);

}  // namespace
