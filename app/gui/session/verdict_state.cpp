// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/verdict_state.h"

#include <algorithm>
#include <string>

namespace skein::gui {

nlohmann::json verdictsToJson(const std::vector<CallVerdict>& verdicts)
{
    auto array = nlohmann::json::array();
    for (const CallVerdict& said : verdicts)
        array.push_back(
            nlohmann::json::array({said.call.experiment, said.call.location.value(), said.call.index,
                                   said.kind == CallVerdict::Kind::Anomaly ? "anomaly" : "normal"}));
    return array;
}

std::vector<CallVerdict> verdictsFrom(
    const JsonView& value, const std::function<std::optional<IntervalRef>(const JsonView&)>& callOf,
    std::size_t& lost)
{
    std::vector<CallVerdict> found;
    for (const JsonView& entry : value.elements()) {
        const auto call = callOf(entry);
        const std::string kind = entry.at(3).text();
        if (!call) continue;
        if (kind == "anomaly") found.push_back({*call, CallVerdict::Kind::Anomaly});
        else if (kind == "normal") found.push_back({*call, CallVerdict::Kind::Normal});
        else ++lost;
    }
    // Of a call that is there twice the last one counts, as in readSaidCalls() of the command line.
    std::ranges::reverse(found);
    std::ranges::stable_sort(found, {}, &CallVerdict::call);
    const auto same =
        std::unique(found.begin(), found.end(),
                    [](const CallVerdict& one, const CallVerdict& other) { return one.call == other.call; });
    found.erase(same, found.end());
    return found;
}

}  // namespace skein::gui
