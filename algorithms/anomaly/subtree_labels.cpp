// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/subtree_labels.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

std::uint64_t sequenceHash(std::span<const std::uint32_t> sequence)
{
    std::uint64_t hash = 0x9E3779B97F4A7C15u ^ sequence.size();
    for (const std::uint32_t value : sequence) {
        hash = (hash ^ value) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    return hash;
}

/// The label's sequence: the function, then each label of a callee and how many have it. `callees` is sorted.
void appendRuns(std::vector<std::uint32_t>& sequence, std::span<std::uint32_t> callees)
{
    std::sort(callees.begin(), callees.end());
    for (std::size_t i = 0; i < callees.size();) {
        std::size_t end = i + 1;
        while (end < callees.size() && callees[end] == callees[i]) ++end;
        sequence.push_back(callees[i]);
        sequence.push_back(static_cast<std::uint32_t>(end - i));
        i = end;
    }
}

/// Labels of callees that wait for their caller: by depth, each list one after the other.
struct WaitingCallees {
    std::uint32_t depth;
    std::uint32_t label;
};

}  // namespace

bool SequenceNumbers::equals(std::uint32_t number, std::span<const std::uint32_t> sequence) const
{
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::equal(sequence.begin(), sequence.end(), pool_.begin() + static_cast<std::ptrdiff_t>(begin),
                      pool_.begin() + static_cast<std::ptrdiff_t>(ends_[number]));
}

void SequenceNumbers::grow()
{
    slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
    for (std::size_t number = 0; number < hashes_.size(); ++number) {
        std::size_t slot = hashes_[number] & (slots_.size() - 1);
        while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = static_cast<std::uint32_t>(number + 1);
    }
}

std::uint32_t SequenceNumbers::numberOf(std::span<const std::uint32_t> sequence)
{
    if (ends_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t hash = sequenceHash(sequence);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
        const std::uint32_t number = slots_[slot] - 1;
        if (hashes_[number] == hash && equals(number, sequence)) return number;
    }
    pool_.insert(pool_.end(), sequence.begin(), sequence.end());
    ends_.push_back(pool_.size());
    hashes_.push_back(hash);
    slots_[slot] = static_cast<std::uint32_t>(ends_.size());
    return slots_[slot] - 1;
}

/// From the last call to the first, so that callees come before their callers.
std::vector<std::uint32_t> SubtreeLabels::next(const CallForest& forest, std::size_t height,
                                               const std::vector<std::uint32_t>& below)
{
    std::vector<std::uint32_t> labels(forest.size());
    std::vector<WaitingCallees> waiting;
    std::vector<std::uint32_t> callees, sequence;
    for (std::size_t i = forest.size(); i-- > 0;) {
        sequence.assign(1, forest.functions[i]);
        callees.clear();
        while (!waiting.empty() && waiting.back().depth > forest.depths[i]) {
            callees.push_back(waiting.back().label);
            waiting.pop_back();
        }
        appendRuns(sequence, callees);
        labels[i] = numbers_[height].numberOf(sequence);
        if (!below.empty()) waiting.push_back({forest.depths[i], below[i]});
    }
    return labels;
}

std::vector<std::vector<std::uint32_t>> SubtreeLabels::label(const CallForest& forest)
{
    std::vector<std::vector<std::uint32_t>> labels;
    labels.push_back(next(forest, 0, {}));
    for (std::size_t h = 1; h <= height(); ++h) labels.push_back(next(forest, h, labels.back()));
    return labels;
}

std::vector<std::uint32_t> SubtreeLabels::labelTop(const CallForest& forest)
{
    std::vector<std::uint32_t> labels = next(forest, 0, {});
    for (std::size_t h = 1; h <= height(); ++h) labels = next(forest, h, labels);
    return labels;
}

SubtreeFeatures subtreeFeatures(const std::vector<std::vector<std::uint32_t>>& labels, std::size_t begin,
                                std::size_t end, std::span<const double> weights)
{
    SubtreeFeatures all;
    for (std::size_t h = 0; h < labels.size(); ++h)
        for (std::size_t i = begin; i < end; ++i)
            all.emplace_back(std::uint64_t{h} << 32 | labels[h][i], weights.empty() ? 1.0 : weights[i]);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    SubtreeFeatures summed;
    for (const auto& [feature, value] : all) {
        if (!summed.empty() && summed.back().first == feature) summed.back().second += value;
        else summed.emplace_back(feature, value);
    }
    return summed;
}

double subtreeKernel(const SubtreeFeatures& a, const SubtreeFeatures& b)
{
    double sum = 0.0;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (i->first == j->first) sum += i++->second * j++->second;
        else if (i->first < j->first) ++i;
        else ++j;
    }
    return sum;
}

double normalisedSubtreeKernel(const SubtreeFeatures& a, const SubtreeFeatures& b)
{
    const double squared = subtreeKernel(a, a) * subtreeKernel(b, b);
    return squared > 0.0 ? subtreeKernel(a, b) / std::sqrt(squared) : 0.0;
}

}  // namespace skein
