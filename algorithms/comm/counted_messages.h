// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "core/base/task.h"
#include "core/comm/comm_matrix.h"
#include "core/definitions/definitions.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// Which messages count, by who sends and who receives them. A mark for each location, by its number, or for
/// each rank; ends beyond the marks are not among them. Immutable; reading from several threads is safe.
struct CountedMessages {
    std::vector<char> both = {};    ///< both ends must be among these; empty: all are
    std::vector<char> either = {};  ///< one end, at least, must be among these; empty: all are
    /// What they must be like, where single messages are looked at; MessageSums are made of such alone.
    MessageFilter like = {};

    /// By their ends.
    bool all() const { return both.empty() && either.empty(); }
    bool count(std::size_t sender, std::size_t receiver) const;
};

/// Marks of locations as those of ranks: of each rank that has a marked location. O(locations).
CountedMessages countedByRank(const CountedMessages& ofLocations, const Definitions& definitions,
                              std::uint32_t ranks);

/// The part of a matrix that counts; marks are those of ranks. O(entries).
CommMatrix countedPart(const CommMatrix& matrix, const CountedMessages& ofRanks, const Task& task);

}  // namespace skein
