// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/run_method.h"

#include "algorithms/mapping/search/method_runner.h"

#include <utility>

namespace skein {

Result<MethodOutcome> runMethod(SearchState& state, const MethodParams& params, const SearchClock& clock,
                                const Task& task)
{
    MethodRunner search(state, params, task);
    MethodChoice choice = params.method == kAutoMethod ? search.chooseAfterFolding(clock)
                                                       : MethodChoice{params.method, "chosen by the user"};
    if (const auto fine = search.run(*findSearchMethod(choice.method), clock); !fine)
        return Unexpected(fine.error());
    if (search.noTime()) choice.reason += "; it had no time for a map";
    return MethodOutcome{std::move(choice.method), std::move(choice.reason), search.steps(),
                         search.optimal(),         search.foldsWell(),       search.hadScotch()};
}

}  // namespace skein
