// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace skein {

/// How often each kind of subtree occurs below the calls of one function. Bounded: a function with more than
/// kMostLabels kinds has none that is rare. What it says does not depend on the order of calls and merges.
class LabelCounts {
public:
    static constexpr std::size_t kMostLabels = 4096;
    /// So many times more often must each common kind occur than all rare ones together.
    static constexpr std::uint64_t kCommonOverRare = 10;

    void add(std::uint64_t label)
    {
        ++total_;
        if (last_ && label == lastLabel_) ++*last_;
        else addAnother(label);
    }
    void merge(const LabelCounts& other);

    std::uint64_t total() const { return total_; }
    /// Works out which labels are rare: those below the break between the frequent kinds and the others,
    /// which are at most `mostShare` of all calls. To be called before the questions below. O(labels log).
    void findRare(double mostShare);
    bool anyRare() const { return leastCommon_ > 0; }
    bool isRare(std::uint64_t label) const;
    /// −log₂ of the share of its label.
    double surprise(std::uint64_t label) const;

private:
    void addAnother(std::uint64_t label);

    std::unordered_map<std::uint64_t, std::uint64_t> counts_;
    std::uint64_t total_ = 0;
    std::uint64_t* last_ = nullptr;  ///< of lastLabel_
    std::uint64_t lastLabel_ = 0;
    std::uint64_t leastCommon_ = 0;  ///< count of the rarest common kind; 0: nothing is rare
    bool tooMany_ = false;
};

}  // namespace skein
