// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/field_model.h"
#include "algorithms/mapping/search/search_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skein {

/// Machines of up to so many slots (and programs of so many ranks) are annealed as a whole; larger ones by
/// regions, from coarse to fine.
inline constexpr std::uint32_t kSmallMachine = 1024;

/// A name of remapMethods(), and why, in the user's words.
struct MethodChoice {
    std::string method;
    std::string reason;
};

/// The field model of a search's machine, or nullopt where it has none, or so few steps on so large a problem
/// that they would not be worth the model's preparations.
std::optional<FieldModel> modelFor(const SearchState& state);

/// The method that fits the problem, before it is known whether its ranks fold onto the machine.
MethodChoice chooseMethod(const SearchState& state);

/// All slots are open, and no constraint holds a rank.
bool wholeMachine(const SearchState& state);

/// No rank is held by a constraint; there may be nodes that stay empty.
bool allMove(const SearchState& state);

/// Folding treats whole machines, and what is open of others where a search has time for more than to anneal
/// it anew.
bool foldable(const SearchState& state);

/// Small machines are annealed anew again and again.
bool annealsAnew(const SearchState& state);

/// How a method uses more time.
enum class MoreTime : std::uint8_t {
    GoesOn,  ///< from what it has: what it did until then is the same whatever the limit in time
    Cools,   ///< its course follows the limit, so more time is of use in a course of its own only
    Once,    ///< one course to its own end; nothing is gained by another
};
MoreTime moreTime(const SearchState& state, std::string_view method);

}  // namespace skein
