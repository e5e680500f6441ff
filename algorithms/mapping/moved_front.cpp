// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/moved_front.h"

#include "algorithms/mapping/hop_bytes.h"
#include "algorithms/mapping/random.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::size_t kSmallestSample = 2;
constexpr std::size_t kLargestSample = 8;
/// Ranks that are weighed in all for each that waits at the start; above, samples get smaller.
constexpr std::size_t kSampledRanks = std::size_t{1} << 17;
constexpr std::uint32_t kStepsPerLook = 64;
constexpr std::uint64_t kSeed = 1;

/// Keeps points in the order of their moves that lower hop-bytes further than every point before.
std::vector<MovedTradeOff> undominated(std::vector<MovedTradeOff> walked)
{
    std::stable_sort(walked.begin(), walked.end(), [](const MovedTradeOff& a, const MovedTradeOff& b) {
        return a.moved != b.moved ? a.moved < b.moved : a.hopBytes < b.hopBytes;
    });
    std::vector<MovedTradeOff> front;
    for (const MovedTradeOff& point : walked) {
        if (front.empty() || point.hopBytes < front.back().hopBytes) front.push_back(point);
    }
    return front;
}

std::vector<MovedTradeOff> thinned(const std::vector<MovedTradeOff>& front, std::size_t points)
{
    if (front.size() <= points || points < 2) return front;
    std::vector<MovedTradeOff> chosen;
    for (std::size_t i = 0; i < points; ++i) chosen.push_back(front[i * (front.size() - 1) / (points - 1)]);
    return chosen;
}

/// The walk itself: which ranks wait for their new slot, and what the placement costs meanwhile.
class Walk {
public:
    Walk(const MappingProblem& problem, std::span<const std::uint32_t> target)
        : problem_(problem), target_(target), slots_(problem.current), rankAt_(ranksOfSlots(slots_, problem.slots())), random_(kSeed)
    {
        for (std::uint32_t rank = 0; rank < slots_.size(); ++rank) {
            if (slots_[rank] != target[rank]) waiting_.push_back(rank);
        }
        sample_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(kSampledRanks / std::max<std::size_t>(1, waiting_.size()), kSmallestSample, kLargestSample));
        walked_.push_back({0, hopBytes(problem.flow, problem.distances, slots_, problem.ranksPerNode)});
    }

    std::vector<MovedTradeOff> run(const SearchClock& clock, const Task& task)
    {
        const auto toMove = static_cast<std::uint32_t>(waiting_.size());
        for (std::uint32_t step = 0; !waiting_.empty(); ++step) {
            if (step % kStepsPerLook == 0 && (clock.late() || task.stopRequested())) {
                walked_.push_back({toMove, hopBytes(problem_.flow, problem_.distances, target_, problem_.ranksPerNode)});
                break;
            }
            moveOne();
        }
        return std::move(walked_);
    }

private:
    std::int64_t changeOf(std::uint32_t rank) const
    {
        if (slots_[rank] == target_[rank]) return 0;
        return hopBytesChange(problem_.flow, problem_.distances, slots_, rankAt_, problem_.ranksPerNode, slots_[rank], target_[rank]);
    }
    std::uint32_t away(std::uint32_t rank) const { return rank != kNoRank && slots_[rank] != problem_.current[rank] ? 1u : 0u; }

    void moveOne()
    {
        std::size_t best = waiting_.size();
        std::int64_t bestChange = 0;
        for (std::uint32_t i = 0; i < sample_; ++i) {
            const std::size_t index = random_.below(static_cast<std::uint32_t>(waiting_.size()));
            const std::int64_t change = changeOf(waiting_[index]);
            if (best < waiting_.size() && change >= bestChange) continue;
            best = index;
            bestChange = change;
        }
        const std::uint32_t rank = waiting_[best];
        waiting_[best] = waiting_.back();
        waiting_.pop_back();
        const std::uint32_t from = slots_[rank], to = target_[rank], other = rankAt_[to];
        if (from == to) return;
        moved_ -= away(rank) + away(other);
        std::swap(rankAt_[from], rankAt_[to]);
        slots_[rank] = to;
        if (other != kNoRank) slots_[other] = from;
        moved_ += away(rank) + away(other);
        walked_.push_back({moved_, walked_.back().hopBytes + bestChange});
    }

    const MappingProblem& problem_;
    std::span<const std::uint32_t> target_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> rankAt_;
    std::vector<std::uint32_t> waiting_;
    Random random_;
    std::uint32_t sample_ = kLargestSample;
    std::uint32_t moved_ = 0;
    std::vector<MovedTradeOff> walked_;
};

}  // namespace

std::vector<MovedTradeOff> movedFront(const MappingProblem& problem, std::span<const std::uint32_t> target, std::size_t points,
                                      const SearchClock& clock, const Task& task)
{
    return thinned(undominated(Walk(problem, target).run(clock, task)), points);
}

}  // namespace skein
