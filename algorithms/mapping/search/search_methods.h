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

/// A method as one entry of a table: what users are told of it, how it uses more time, and what it does.
struct SearchMethod {
    RemapMethod told;
    MoreTime more = MoreTime::Cools;
    MoreTime moreWithRestarts = MoreTime::Cools;  ///< the same where annealing restarts
    bool afterFolds = false;                      ///< "auto" looks at folds and Scotch's map before it
    Result<void> (MethodRunner::*run)(const SearchClock& clock) = nullptr;  ///< null for "auto"
};

/// Every method, by name.
std::span<const SearchMethod> searchMethods();
/// The method of that name, or nullptr.
const SearchMethod* findSearchMethod(std::string_view name);

}  // namespace skein
