// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/counted_messages.h"

#include "algorithms/comm/comm_matrix_of.h"

#include <algorithm>

namespace skein {
namespace {

bool isMarked(const std::vector<char>& marks, std::size_t end) { return end < marks.size() && marks[end]; }

std::vector<char> marksOfRanks(const std::vector<char>& marks, const std::vector<std::int64_t>& rankOf,
                               std::uint32_t ranks)
{
    if (marks.empty()) return {};
    std::vector<char> found(ranks, 0);
    for (std::size_t i = 0; i < std::min(marks.size(), rankOf.size()); ++i)
        if (marks[i] && rankOf[i] >= 0 && rankOf[i] < ranks) found[static_cast<std::size_t>(rankOf[i])] = 1;
    return found;
}

}  // namespace

bool CountedMessages::count(std::size_t sender, std::size_t receiver) const
{
    if (!both.empty() && !(isMarked(both, sender) && isMarked(both, receiver))) return false;
    return either.empty() || isMarked(either, sender) || isMarked(either, receiver);
}

CountedMessages countedByRank(const CountedMessages& ofLocations, const Definitions& definitions,
                              std::uint32_t ranks)
{
    if (ofLocations.all()) return {};
    const std::vector<std::int64_t> rankOf = ranksOfLocations(definitions);
    return {marksOfRanks(ofLocations.both, rankOf, ranks), marksOfRanks(ofLocations.either, rankOf, ranks),
            ofLocations.like};
}

CommMatrix countedPart(const CommMatrix& matrix, const CountedMessages& ofRanks, const Task& task)
{
    std::vector<CommMatrix::Entry> entries;
    for (const CommMatrix::Entry& entry : matrix.entries())
        if (ofRanks.count(entry.sender, entry.receiver)) entries.push_back(entry);
    return CommMatrix(matrix.ranks(), std::move(entries), task);
}

}  // namespace skein
