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

/// Lowers hop-bytes where at most `prepared.rules.moveLimit()` ranks may be elsewhere than now. Swaps under a
/// hard limit get stuck: where it is reached, no rank may leave before another is home. So every rank that is
/// away has a price instead, which is raised or lowered between annealings until about as many move as may;
/// what are too many go home, those first that cost least (PathRelinking). A few moves are searched through
/// besides (searchFewMoves). `model` is null for machines that have none. `found` gets mappings that keep to
/// all rules. Returns the swaps tried.
std::uint64_t searchLimitedMoves(
    const MappingProblem& problem, const PreparedMapping& prepared, const FieldModel* model,
    std::uint64_t seed, const SearchClock& clock,
    const std::function<void(std::span<const std::uint32_t>, std::uint64_t steps)>& found, const Task& task);

}  // namespace skein
