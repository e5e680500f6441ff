// SPDX-License-Identifier: GPL-3.0-or-later
// What constraints are made of: ranks and nodes that are selected in the views.
#include "views/remap/remap_view.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "views/common/selection_model.h"

#include <QStringList>

#include <algorithm>
#include <set>

namespace skein {

/// "3,5,8": the ranks of what is selected in the views.
QString RemapView::selectedRanks() const
{
    if (!session_) return {};
    const auto rankOf = ranksOfLocations(session_->experiments[experiment_]->definitions);
    std::set<std::int64_t> ranks;
    const Selection& selected = selection().state().selected;
    for (const LocationRef location : selected.locations) {
        if (location.experiment == experiment_ && rankOf[location.id.index()] >= 0)
            ranks.insert(rankOf[location.id.index()]);
    }
    for (const RankPairRef& pair : selected.rankPairs) {
        if (pair.experiment != experiment_) continue;
        ranks.insert(pair.sender);
        ranks.insert(pair.receiver);
    }
    QStringList words;
    for (const std::int64_t rank : ranks) words << QString::number(rank);
    return words.join(',');
}

/// "0-2,4": all ranks but those of selectedRanks(); empty where none is selected.
std::optional<QString> RemapView::otherRanks() const
{
    const QStringList selected = selectedRanks().split(',', Qt::SkipEmptyParts);
    if (selected.isEmpty()) return std::nullopt;
    const std::uint32_t ranks = communicatingRanks(*session_->experiments[experiment_]);
    std::vector<std::uint32_t> chosen;
    for (const QString& rank : selected)
        if (rank.toUInt() < ranks) chosen.push_back(rank.toUInt());
    chosen.push_back(ranks);
    QStringList words;
    for (std::uint32_t next = 0; const std::uint32_t rank : chosen) {
        if (rank == next + 1) words << QString::number(next);
        else if (rank > next) words << QString("%1-%2").arg(next).arg(rank - 1);
        next = std::max(next, rank + 1);
    }
    return words.join(',');
}

/// Nodes that are selected themselves, with ranks or without, and those of the selected ranks.
QString RemapView::selectedNodes() const
{
    if (!communication_ || !communication_->machine) return {};
    const Placement& placement = communication_->machine->placement;
    std::set<std::uint32_t> nodes;
    for (const NodeRef node : selection().state().selected.nodes)
        if (node.index < communication_->machine->topology->nodes()) nodes.insert(node.index);
    for (const QString& rank : selectedRanks().split(',', Qt::SkipEmptyParts)) {
        if (rank.toUInt() < placement.ranks()) nodes.insert(placement.nodeOf(rank.toUInt()));
    }
    QStringList words;
    for (const std::uint32_t node : nodes) words << QString::number(node);
    return words.join(',');
}

}  // namespace skein
