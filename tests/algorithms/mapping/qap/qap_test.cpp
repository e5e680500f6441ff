// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/branch_and_bound.h"
#include "algorithms/mapping/qap/linear_assignment.h"
#include "algorithms/mapping/qap/qap_search.h"
#include "algorithms/mapping/qap/tabu_search.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stop_token>

namespace skein::qap_test {

using namespace skein::test;

namespace {

std::vector<std::uint32_t> identity(std::uint32_t size)
{
    std::vector<std::uint32_t> permutation(size);
    std::iota(permutation.begin(), permutation.end(), 0u);
    return permutation;
}

std::int64_t bestByEnumeration(const QapInstance& instance)
{
    auto permutation = identity(instance.size);
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    do best = std::min(best, qapCost(instance, permutation));
    while (std::next_permutation(permutation.begin(), permutation.end()));
    return best;
}

std::vector<std::int64_t> flattened(const nlohmann::json& rows)
{
    std::vector<std::int64_t> values;
    for (const auto& row : rows) {
        for (const auto& value : row) values.push_back(value.get<std::int64_t>());
    }
    return values;
}

bool isPermutation(std::vector<std::uint32_t> permutation)
{
    std::sort(permutation.begin(), permutation.end());
    return permutation == identity(static_cast<std::uint32_t>(permutation.size()));
}

std::string textOf(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("costs, optima and swaps of the golden problems are exact")
{
    SKEIN_SHARED_OR_SKIP(path, "golden/qap/qap.json");
    const auto golden = nlohmann::json::parse(textOf(path));
    for (const auto& item : golden["cases"]) {
        const QapInstance instance{item["n"], flattened(item["W"]), flattened(item["D"])};
        INFO(item["name"]);
        CHECK(qapCost(instance, identity(instance.size)) == item["identity_cost"].get<double>());
        QapParams params;
        params.budget.steps = 20000;
        const QapResult result = solveQap(instance, params, Task()).value();
        CHECK(result.cost == item["optimum"].get<double>());
        CHECK(result.optimal);
        for (const auto& entry : item["permutations"]) {
            const auto phi = entry["phi"].get<std::vector<std::uint32_t>>();
            CHECK(qapCost(instance, phi) == entry["cost"].get<double>());
            CHECK(qapSwapChange(instance, phi, entry["swap"][0], entry["swap"][1])
                  == entry["delta_after_swap"].get<double>());
        }
    }
}

TEST_CASE("branch and bound finds what enumeration finds, and proves it")
{
    Random random(21);
    for (int trial = 0; trial < 24; ++trial) {
        const QapInstance instance = randomQap(1 + random.below(7), trial % 2 == 0, random);
        const auto result = branchAndBound(instance, identity(instance.size),
                                           SearchClock(SearchBudget{0.0, 1u << 20}), Task());
        CHECK(result.complete);
        CHECK(result.cost == bestByEnumeration(instance));
        CHECK(qapCost(instance, result.permutation) == result.cost);
        CHECK(gilmoreLawlerBound(instance) <= result.cost);
    }
}

TEST_CASE("branch and bound weighs what items cost at places by themselves")
{
    Random random(23);
    for (int trial = 0; trial < 12; ++trial) {
        const std::uint32_t size = 2 + random.below(5);
        const QapInstance instance = randomQap(size, trial % 2 == 0, random);
        std::vector<std::int64_t> linear(std::size_t{size} * size);
        for (auto& value : linear) value = static_cast<std::int64_t>(random.below(4000)) - 1000;
        const auto costOf = [&](const std::vector<std::uint32_t>& permutation) {
            std::int64_t cost = qapCost(instance, permutation);
            for (std::uint32_t i = 0; i < size; ++i) cost += linear[i * size + permutation[i]];
            return cost;
        };
        auto permutation = identity(size);
        std::int64_t best = std::numeric_limits<std::int64_t>::max();
        do best = std::min(best, costOf(permutation));
        while (std::next_permutation(permutation.begin(), permutation.end()));
        const auto result = branchAndBound(instance, linear, identity(size),
                                           SearchClock(SearchBudget{0.0, 1u << 20}), Task());
        CHECK(result.complete);
        CHECK(result.cost == best);
        CHECK(costOf(result.permutation) == best);
    }
}

TEST_CASE("linear assignment equals enumeration")
{
    Random random(22);
    for (std::uint32_t size = 1; size <= 6; ++size) {
        std::vector<std::int64_t> cost(size * size);
        for (auto& value : cost) value = static_cast<std::int64_t>(random.below(200)) - 50;
        auto columns = identity(size);
        std::int64_t best = std::numeric_limits<std::int64_t>::max();
        do {
            std::int64_t sum = 0;
            for (std::uint32_t row = 0; row < size; ++row) sum += cost[row * size + columns[row]];
            best = std::min(best, sum);
        } while (std::next_permutation(columns.begin(), columns.end()));
        const LinearAssignment solved = solveLinearAssignment(cost, size);
        CHECK(solved.cost == best);
        CHECK(isPermutation(solved.columnOfRow));
    }
}

TEST_CASE(
    "tabu search keeps exact costs in both kinds of numbers, asymmetric matrices and diagonals included")
{
    Random random(23);
    for (const bool symmetric : {true, false}) {
        const QapInstance instance = randomQap(12, symmetric, random);
        REQUIRE(fitsInt32(instance));
        TabuSearch<std::int32_t> whole(instance);
        TabuSearch<double> floating(instance);
        Random a(5), b(5);
        const auto never = [] { return false; };
        CHECK(whole.run(identity(12), 500, a, never) == 500);
        floating.run(identity(12), 500, b, never);
        CHECK(whole.bestCost() == qapCost(instance, whole.best()));
        CHECK(floating.best() == whole.best());
        CHECK(floating.bestCost() == whole.bestCost());
    }
}

TEST_CASE("the memetic search gives the same bits for any number of threads and never loses its start")
{
    Random random(24);
    const QapInstance instance = randomQap(20, false, random);
    QapParams params;
    params.budget.steps = 30000;
    params.start = identity(20);
    const QapResult one = solveQap(instance, params, Task().withThreads(1)).value();
    const QapResult many = solveQap(instance, params, Task().withThreads(3)).value();
    CHECK(one.permutation == many.permutation);
    CHECK(one.cost <= qapCost(instance, params.start));
    CHECK(isPermutation(one.permutation));
    CHECK(one.cost == qapCost(instance, one.permutation));
    CHECK(one.cost >= one.lowerBound);
}

TEST_CASE("a cost that is good enough ends the search and proves nothing")
{
    Random random(24);
    const QapInstance instance = randomQap(20, false, random);
    QapParams params;
    params.budget.steps = 30000;
    const QapResult whole = solveQap(instance, params, Task()).value();
    params.enough = qapCost(instance, identity(20));
    const QapResult early = solveQap(instance, params, Task()).value();
    CHECK(early.cost <= *params.enough);
    CHECK(early.steps < whole.steps);
    CHECK_FALSE(early.optimal);
    CHECK(early.lowerBound == whole.lowerBound);
}

TEST_CASE("a long generation tells how far it is")
{
    Random random(5);
    const QapInstance instance = randomQap(600, false, random);
    QapParams params;
    params.budget.seconds = 5;
    params.lowerBound = 0;  // the bound itself would take the time
    std::stop_source stop;
    std::mutex mutex;
    std::vector<double> told;
    const Task task(stop.get_token(), [&](double fraction, std::string_view) {
        const std::lock_guard lock(mutex);
        told.push_back(fraction);
        if (told.size() == 6) stop.request_stop();
    });
    REQUIRE(solveQap(instance, params, task));
    CHECK(told.size() > 5);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.front() < 0.5);
    CHECK(told.back() <= 1.0);
}

TEST_CASE("small QAPLIB problems are solved to their proven optimum")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/qaplib");
    const std::vector<std::pair<std::string, std::int64_t>> known = {
        {"nug5", 50},     {"nug12", 578},      {"tai12a", 224416},
        {"chr12a", 9552}, {"bur26a", 5426670}, {"tai12b", 39464925}};
    for (const auto& [name, optimum] : known) {
        INFO(name);
        const QapInstance instance = parseQaplib(textOf(folder / (name + ".dat"))).value();
        QapParams params;
        params.budget.steps = 400000;
        params.lowerBound = optimum;
        CHECK(solveQap(instance, params, Task()).value().cost == optimum);
    }
}

TEST_CASE("texts that are no QAPLIB files are refused")
{
    CHECK(!parseQaplib(""));
    CHECK(!parseQaplib("0"));
    CHECK(!parseQaplib("2 1 2 3"));
    CHECK(!parseQaplib("1 x 2"));
    CHECK(!parseQaplib("99999999"));
    CHECK(!parseQaplib("1 4611686018427387904 4611686018427387904"));
    CHECK(parseQaplib("1 3 4").value().flow[0] == 3);
    CHECK(parseQaplib("1 99\n3 4").value().flow[0] == 3);
    CHECK(!parseQaplib("1 3 4 99"));
    CHECK(!parseQaplib("1\n3 4\n99"));
    CHECK(!parseQaplib("1 0.5 4"));
    CHECK(!parseQaplib("1 1e300 4"));
    CHECK(!parseQaplib("1 nan 4"));
}

TEST_CASE("QAPLIB's numbers may be wrapped anywhere and written as reals that are whole")
{
    const QapInstance instance = parseQaplib("\r\n 2\t\r\n1 2.0\r\n 3\n4e0 5\n6 7\n-1e2").value();
    CHECK(instance.flow == std::vector<std::int64_t>{1, 2, 3, 4});
    CHECK(instance.distance == std::vector<std::int64_t>{5, 6, 7, -100});
}

}  // namespace skein::qap_test
