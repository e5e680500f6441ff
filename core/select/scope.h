// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What panels sum up. All of them obey one scope, unless the user pins a panel to another.
namespace skein {

/// A span of time and some locations. Which regions count is told by the filters.
struct Scope {
    enum class Span : std::uint8_t { WholeRun, Visible, Marked };

    Span kind = Span::WholeRun;               ///< where the span comes from
    std::optional<TimeSpan> span = {};        ///< session time; nullopt: the whole run
    std::vector<LocationRef> locations = {};  ///< sorted; empty: all

    bool operator==(const Scope&) const = default;
};

/// The parts of a state that a scope comes from.
inline constexpr ViewParts kScopeParts = ViewParts::kVisible | ViewParts::kBrushed;

/// The marked span, else the visible one, else the whole run, on the marked rows.
Scope scopeOf(const ViewState& state);

/// The filters, and one more that keeps the scope's locations where it has any.
std::vector<Filter> filtersOf(const Scope& scope, const std::vector<Filter>& filters);

/// "Marked span: 12 ms from 560 ms", "Visible window: …", "Whole run".
std::string spanText(const Scope& scope);
/// "Rank 3", "Rank 3 to Rank 7", "5 locations"; with several experiments only how many. Empty for all
/// locations.
std::string locationsText(const Session& session, const std::vector<LocationRef>& locations);
/// Both in one line.
std::string scopeText(const Session& session, const Scope& scope);

}  // namespace skein
