// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/label_counts.h"

#include "algorithms/anomaly/tail_break.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace skein {

void LabelCounts::addAnother(std::uint64_t label)
{
    if (tooMany_) return;
    last_ = &++counts_[label];
    lastLabel_ = label;
    if (counts_.size() <= kMostLabels) return;
    tooMany_ = true;
    counts_ = {};
    last_ = nullptr;
}

void LabelCounts::merge(const LabelCounts& other)
{
    total_ += other.total_;
    tooMany_ = tooMany_ || other.tooMany_;
    for (const auto& [label, count] : other.counts_) {
        if (tooMany_) break;
        counts_[label] += count;
        tooMany_ = counts_.size() > kMostLabels;
    }
    last_ = nullptr;
    if (tooMany_) counts_ = {};
}

void LabelCounts::findRare(double mostShare)
{
    leastCommon_ = 0;
    if (tooMany_ || total_ < kFewestForBreak) return;
    std::vector<std::uint64_t> sorted;
    for (const auto& [label, count] : counts_) sorted.push_back(count);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const auto most =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(mostShare * static_cast<double>(total_)));
    std::uint64_t common = 0;
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
        common += sorted[i];
        const std::uint64_t rare = total_ - common;
        if (rare > most || sorted[i] < kCommonOverRare * rare) continue;
        leastCommon_ = sorted[i];
        return;
    }
}

bool LabelCounts::isRare(std::uint64_t label) const
{
    if (leastCommon_ == 0) return false;
    const auto found = counts_.find(label);
    return found == counts_.end() || found->second < leastCommon_;
}

double LabelCounts::surprise(std::uint64_t label) const
{
    const auto found = counts_.find(label);
    const std::uint64_t count = found == counts_.end() ? 1 : found->second;
    return total_ == 0 ? 0.0 : std::log2(static_cast<double>(total_) / static_cast<double>(count));
}

}  // namespace skein
