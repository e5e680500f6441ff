// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/json_view.h"
#include "core/select/call_verdict.h"

#include <functional>
#include <optional>
#include <vector>

namespace skein::gui {

/// Entries `[source, location, number, "anomaly" or "normal"]`.
nlohmann::json verdictsToJson(const std::vector<CallVerdict>& verdicts);

/// The same read; `callOf` gives the call that an entry begins with, where there is one. By call, the first
/// of several about one. What is neither of the two words counts in `lost`.
std::vector<CallVerdict> verdictsFrom(
    const JsonView& value, const std::function<std::optional<IntervalRef>(const JsonView&)>& callOf,
    std::size_t& lost);

}  // namespace skein::gui
