// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// Weisfeiler-Lehman subtree features of call trees (Shervashidze et al., "Weisfeiler-Lehman graph kernels",
/// JMLR 12, 2011; Xie et al., IEEE TVCG 25(1), 2019, section 4.1). The label of a call at height h is its
/// function together with the multiset of its callees' labels at height h − 1: two calls share it exactly if
/// their trees down to h levels below are equal up to the order of callees.
namespace skein {

/// Numbers for short sequences of numbers: the same sequence, the same number. Sequences are compared, not
/// only their hashes. Not thread-safe.
class SequenceNumbers {
public:
    /// 0, 1, 2 … in the order of the first questions. O(length).
    std::uint32_t numberOf(std::span<const std::uint32_t> sequence);
    std::size_t size() const { return ends_.size(); }

private:
    bool equals(std::uint32_t number, std::span<const std::uint32_t> sequence) const;
    void grow();

    std::vector<std::uint32_t> pool_;  ///< all sequences, one after the other
    std::vector<std::size_t> ends_;    ///< of each in the pool
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_;  ///< open addressing: number + 1
};

/// Calls of one tree or several in preorder, as the columns of a trace hold them: a view.
struct CallForest {
    std::span<const std::uint32_t> functions;
    std::span<const std::uint16_t> depths;  ///< the calls inside a call follow it and are deeper

    std::size_t size() const { return functions.size(); }
};

/// Gives labels to the calls of forests; the same dictionary for all makes them comparable. Not thread-safe.
class SubtreeLabels {
public:
    explicit SubtreeLabels(std::size_t height) : numbers_(height + 1) {}
    std::size_t height() const { return numbers_.size() - 1; }

    /// [height][call]: the labels at 0 … height. O(height · calls · log callees) and as much memory.
    std::vector<std::vector<std::uint32_t>> label(const CallForest& forest);
    /// The same with the labels of the greatest height only, for less memory.
    std::vector<std::uint32_t> labelTop(const CallForest& forest);

    /// How many labels there are at a height.
    std::size_t labelCount(std::size_t height) const { return numbers_[height].size(); }

private:
    std::vector<std::uint32_t> next(const CallForest& forest, std::size_t height,
                                    const std::vector<std::uint32_t>& below);

    std::vector<SequenceNumbers> numbers_;  ///< by height
};

/// A bag of subtrees: (height << 32 | label, value), ascending.
using SubtreeFeatures = std::vector<std::pair<std::uint64_t, double>>;

/// The features of the calls [begin, end) of a labelled forest, which is a tree where end is behind the last
/// call inside begin. The value is the sum of `weights` (inclusive durations) of the calls that have the
/// label; without weights it is their number. O(height · calls · log).
SubtreeFeatures subtreeFeatures(const std::vector<std::vector<std::uint32_t>>& labels, std::size_t begin,
                                std::size_t end, std::span<const double> weights);

/// The kernel: the dot product of two bags.
double subtreeKernel(const SubtreeFeatures& a, const SubtreeFeatures& b);
/// k(a, b) / √(k(a, a) k(b, b)), 0 where a bag has no weight.
double normalisedSubtreeKernel(const SubtreeFeatures& a, const SubtreeFeatures& b);

}  // namespace skein
