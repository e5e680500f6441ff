// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/search_methods.h"

#include "algorithms/mapping/search/method_runner.h"

#include <algorithm>
#include <array>

namespace skein {
namespace {

constexpr std::array kSearchMethods{
    SearchMethod{{kAnnealingMethod, "Annealing by swaps; competing runs where the problem is small",
                  "Kirkpatrick, Gelatt, Vecchi 1983"},
                 MoreTime::Cools,
                 MoreTime::Continues,
                 true,
                 &MethodRunner::runAnnealing},
    SearchMethod{{kAutoMethod, "The method that fits the problem and the time", "docs/REMAPPING.md"},
                 MoreTime::Cools,
                 MoreTime::Cools,
                 false,
                 nullptr},
    SearchMethod{{kFoldingMethod, "Folds of the grid of ranks onto that of slots, then gentle annealing",
                  "docs/REMAPPING.md"},
                 MoreTime::Cools,
                 MoreTime::Cools,
                 false,
                 &MethodRunner::runFolding},
    SearchMethod{{kGreedyMethod, "Swaps that help, from the current placement, until none does",
                  "steepest descent by the same swaps as annealing"},
                 MoreTime::Continues,
                 MoreTime::Continues,
                 false,
                 &MethodRunner::runGreedy},
    SearchMethod{
        {kMultilevelMethod, "Coarsening of ranks and machine, annealed at every level", "docs/REMAPPING.md"},
        MoreTime::Cools,
        MoreTime::Cools,
        true,
        &MethodRunner::runMultilevel},
    SearchMethod{
        {kOptimalMethod, "Branch and bound over all placements of few ranks", "Gilmore 1962, Lawler 1963"},
        MoreTime::Once,
        MoreTime::Once,
        false,
        &MethodRunner::runExact},
    SearchMethod{{kPublishedMethod, "Partition flows and links by METIS, assign parts, then inside them",
                  "Fujiwara et al. 2017, Algorithm 1"},
                 MoreTime::Once,
                 MoreTime::Once,
                 false,
                 &MethodRunner::runPublished},
    SearchMethod{
        {kRandomMethod, "Random placements, the best of them", "Fujiwara et al. 2017, selected routes"},
        MoreTime::Once,
        MoreTime::Once,
        false,
        &MethodRunner::runRandom},
    SearchMethod{
        {kTabuMethod, "Memetic tabu search on all pairs of slots", "Taillard 1991; Benlic and Hao 2015"},
        MoreTime::Continues,
        MoreTime::Continues,
        false,
        &MethodRunner::runTabu},
};

}  // namespace

std::span<const SearchMethod> searchMethods() { return kSearchMethods; }

const SearchMethod* findSearchMethod(std::string_view name)
{
    const auto methods = searchMethods();
    const auto found = std::find_if(methods.begin(), methods.end(),
                                    [&](const SearchMethod& method) { return method.told.name == name; });
    return found == methods.end() ? nullptr : &*found;
}

}  // namespace skein
