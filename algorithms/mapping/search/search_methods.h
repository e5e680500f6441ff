// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/search/method_choice.h"
#include "algorithms/mapping/search/remap_params.h"
#include "core/base/result.h"

#include <span>
#include <string_view>

namespace skein {

class MethodRunner;

/// What the methods do until a clock is spent (search_course.cpp). Errors: InvalidArgument for a problem that
/// the method cannot treat.
namespace courses {
Result<void> annealing(MethodRunner& runner, const SearchClock& clock);
Result<void> folding(MethodRunner& runner, const SearchClock& clock);
Result<void> greedy(MethodRunner& runner, const SearchClock& clock);
Result<void> multilevel(MethodRunner& runner, const SearchClock& clock);
Result<void> optimal(MethodRunner& runner, const SearchClock& clock);
Result<void> published(MethodRunner& runner, const SearchClock& clock);
Result<void> random(MethodRunner& runner, const SearchClock& clock);
Result<void> tabu(MethodRunner& runner, const SearchClock& clock);
}  // namespace courses

/// A method as one entry of a table: what users are told of it, how it uses more time, and what it does.
struct SearchMethod {
    RemapMethod told;
    MoreTime more = MoreTime::Cools;
    MoreTime moreAnew = MoreTime::Cools;  ///< the same where a small machine is annealed anew
    bool afterFolds = false;              ///< "auto" looks at folds and Scotch's map before it
    Result<void> (*run)(MethodRunner& runner, const SearchClock& clock) = nullptr;  ///< null for "auto"
};

/// Every method, by name.
std::span<const SearchMethod> searchMethods();
/// The method of that name, or nullptr.
const SearchMethod* findSearchMethod(std::string_view name);

}  // namespace skein
