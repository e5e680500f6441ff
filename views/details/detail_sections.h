// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <string>
#include <utility>
#include <vector>

namespace skein {

/// A heading with lines of name and value, in the user's words.
struct DetailSection {
    std::string title;
    std::vector<std::pair<std::string, std::string>> lines;
};

/// Everything that is known about what is selected: the marked span, calls, messages, regions, locations.
/// With nothing selected, the archives themselves. At most kMostDetailed items of a kind are told in full,
/// the rest counted. O(items told · depth).
std::vector<DetailSection> detailsOf(const Session& session, const ViewState& state);

inline constexpr std::size_t kMostDetailed = 4;

}  // namespace skein
