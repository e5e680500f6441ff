// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/remap.h"

#include "algorithms/mapping/annealing.h"
#include "algorithms/mapping/general_annealer.h"
#include "algorithms/mapping/multilevel.h"
#include "algorithms/mapping/search_state.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace skein {
namespace {

constexpr std::array kMethods{
    RemapMethod{"annealing", "Annealing from the current placement", "Kirkpatrick, Gelatt, Vecchi 1983; fields, batches and regions: docs/REMAPPING.md"},
    RemapMethod{"auto", "The method that fits the problem and the time", "docs/REMAPPING.md"},
    RemapMethod{"multilevel", "Coarsening of ranks and machine, annealed at every level", "docs/REMAPPING.md"},
};

/// Part of the budget that the start from coarse to fine gets.
constexpr double kStartShare = 0.2;
/// Tries a rank from which on annealing hotter pays; measured on MiniAMR and MiniMD.
constexpr double kReferenceTries = 24000.0;
constexpr double kReferenceAcceptance = 0.1;
constexpr std::uint32_t kRanksForRegions = 1024;
/// Tries per second and thread that a schedule reckons with before it has measured any.
constexpr double kUsualRate = 25e6;

AnnealingSchedule scheduleFor(std::uint32_t ranks, double tries)
{
    AnnealingSchedule schedule;
    const double perRank = tries / std::max(1u, ranks);
    schedule.firstAcceptance = std::clamp(kReferenceAcceptance * std::sqrt(perRank / kReferenceTries), 0.02, 0.3);
    schedule.lastAcceptance = 0.003;
    schedule.regions = ranks >= kRanksForRegions ? 2 : 1;
    return schedule;
}

double expectedTries(const SearchClock& clock, double rate)
{
    return clock.bySteps() ? static_cast<double>(clock.steps()) : rate * std::max(0.0, clock.seconds() - clock.elapsed());
}

bool canCoarsen(const SearchState& search)
{
    return search.prepared.openSlots == search.problem.slots() && search.prepared.rules.free();
}

/// Annealing, after a start from coarse to fine where `coarse` is set.
std::uint64_t searchByAnnealing(SearchState& search, const std::optional<FieldModel>& model, bool coarse, const Task& task)
{
    const std::uint32_t ranks = search.problem.flow.ranks;
    std::uint64_t steps = 0;
    std::vector<std::uint32_t> start = search.best();
    double rate = kUsualRate * std::min(2, task.threads());
    if (coarse) {
        const SearchClock part = search.clock.part(0, kStartShare);
        AnnealingOutcome outcome = multilevelStart(search.problem.flow, *model, search.problem.ranksPerNode, search.params.seed, part, task);
        steps += outcome.steps;
        rate = static_cast<double>(outcome.steps) / std::max(1e-3, part.elapsed());
        search.offer(outcome.slotOfRank, steps);
        start = std::move(outcome.slotOfRank);
    }
    const SearchClock rest = search.clock.part(steps, 1.0);
    const AnnealingObserver observer = [&](double spent, std::span<const std::uint32_t>) { task.report(spent, "searching for a mapping"); };
    if (!model) rate = 1e6;
    const AnnealingSchedule schedule = scheduleFor(ranks, expectedTries(rest, rate));
    const AnnealingOutcome outcome =
        model ? anneal({search.problem.flow, *model, search.prepared.rules}, std::move(start), schedule, search.params.seed, rest, observer, task)
              : annealGenerally(search.problem, search.prepared, std::move(start), schedule, search.params.seed, rest, observer, task);
    steps += outcome.steps;
    search.offer(outcome.slotOfRank, steps);
    return steps;
}

struct Choice {
    std::string_view method;
    std::string reason;
};

Choice choose(const SearchState& search, const std::optional<FieldModel>& model)
{
    if (!model) return {"annealing", "the machine's distances are no sum over dimensions, so swaps are weighed one by one"};
    if (!canCoarsen(search)) return {"annealing", "constraints or nodes of others leave no regular machine to coarsen"};
    return {"multilevel", fmt::format("{} ranks on a regular machine: coarse to fine, then annealing", search.problem.flow.ranks)};
}

Result<void> checkMethod(std::string_view name)
{
    std::string known;
    for (const RemapMethod& method : kMethods) {
        if (method.name == name) return {};
        known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
    }
    return fail(ErrorCode::InvalidArgument, fmt::format("There is no remapping method {}; there are {}.", name, known));
}

}  // namespace

std::span<const RemapMethod> remapMethods() { return kMethods; }

Result<RemapResult> remap(const MappingProblem& problem, const RemapParams& params, const Task& task)
{
    const SearchClock clock(params.budget);
    if (const auto known = checkMethod(params.method); !known) return Unexpected(known.error());
    const auto prepared = prepareMapping(problem);
    if (!prepared) return Unexpected(prepared.error());
    SearchState search(problem, *prepared, params, clock);
    const std::optional<FieldModel> model = makeFieldModel(problem.distances, problem.ranksPerNode);
    Choice choice = choose(search, model);
    if (params.method != "auto") choice = {params.method, "chosen by the user"};
    const bool coarse = choice.method == "multilevel";
    if (coarse && (!model || !canCoarsen(search))) {
        return fail(ErrorCode::InvalidArgument, "The multilevel method needs a regular machine that is all the job's, and no constraints.");
    }
    RemapResult result;
    result.steps = searchByAnnealing(search, model, coarse, task);
    result.method = choice.method;
    result.reason = choice.reason;
    result.objectiveBefore = search.cost(problem.current);
    result.slotOfRank = keepCores(problem.current, search.best(), problem.ranksPerNode);
    result.objectiveAfter = search.bestCost();
    result.history = search.takeHistory();
    result.stopped = task.stopRequested();
    result.seconds = clock.elapsed();
    return result;
}

}  // namespace skein
