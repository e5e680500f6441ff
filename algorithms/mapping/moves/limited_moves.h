// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/field_model.h"
#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/task.h"

#include <cstdint>
#include <functional>
#include <span>

namespace skein {

/// Lowers hop-bytes when at most `prepared.rules.moveLimit()` ranks may be elsewhere than now. Swaps under a
/// hard limit get stuck: at the limit no rank may leave before another has returned. So every rank that is
/// away has a price instead, which is raised or lowered between annealings until about as many ranks move as
/// may. Ranks beyond the limit then return, the cheapest first (PathRelinking). If few ranks may move,
/// searchFewMoves() is tried as well. `model` is null for machines without one. `found` receives mappings
/// that keep all rules. Returns the swaps tried.
std::uint64_t searchLimitedMoves(
    const MappingProblem& problem, const PreparedMapping& prepared, const FieldModel* model,
    std::uint64_t seed, const SearchClock& clock,
    const std::function<void(std::span<const std::uint32_t>, std::uint64_t steps)>& found, const Task& task);

}  // namespace skein
