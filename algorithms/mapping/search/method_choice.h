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

/// Constraints hold single ranks and nodes at most: what is left is a whole problem of its own.
bool onlyPinned(const SearchState& state);

/// No rank is held by a constraint; there may be nodes that stay empty.
bool allMove(const SearchState& state);

/// Folding treats whole machines, and the open part of others where it is too large for restarts.
bool foldable(const SearchState& state);

/// Small machines are annealed again and again, from the start.
bool restartsAnnealing(const SearchState& state);

/// How a method uses more time.
enum class MoreTime : std::uint8_t {
    Continues,  ///< continues: what it did until then is the same whatever the limit in time
    Cools,      ///< cools towards the limit, so more time helps only as a stage of its own
    Once,       ///< runs to its own end once; nothing is gained by another run
};
MoreTime moreTime(const SearchState& state, std::string_view method);

}  // namespace skein
