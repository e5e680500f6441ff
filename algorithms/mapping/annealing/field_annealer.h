// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/field_model.h"
#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/flow_graph.h"
#include "algorithms/mapping/problem/swap_rules.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Simulated annealing by swaps on a machine that a FieldModel describes. Every slot keeps the *field* of its
/// rank: the cost that the rank would have at each position of each factor. Trying a swap takes O(factors),
/// from two rows, whatever the degree. Only an accepted swap costs O(degree × changed factors), to update the
/// fields of the peers. Rows are stored in slot order, so trying the neighbourhood of a node touches
/// neighbouring memory. The candidates of a visit (places beside its heaviest peers) are tried in one batch.
///
/// Several cores: a round splits the machine into regions along a random dimension. Each region swaps only
/// inside itself and updates only its own rows; moves in other regions are applied between rounds. The number
/// of regions follows from the problem, never from the threads, so the bits are the same for any number of
/// threads.
///
/// Flows are scaled into 24 bits, in which float arithmetic is exact: fields never drift. Not thread-safe.
class FieldAnnealer {
public:
    /// After so many rounds without a swap to try there is none: few slots are open, or all are on one node.
    static constexpr int kIdleRounds = 100;

    struct Problem {
        const FlowGraph& flow;
        const FieldModel& model;
        const SwapRules& rules;
    };

    /// O(entries · width). Ends early if the task is stopped; rounds may then follow only with that task.
    FieldAnnealer(Problem problem, std::vector<std::uint32_t> slotOfRank, std::uint64_t seed,
                  std::uint32_t regions, const Task& task = Task());

    /// Visits every slot of every region `sweeps` times at the given temperature (in units of meanFlow());
    /// fewer times if the clock's time is over or the task stops.
    void round(double temperature, std::uint32_t sweeps, const SearchClock& clock, const Task& task);

    /// What a rank away from home costs from here on, in bytes × hops; only where the rules have a price.
    void setPrice(double price) { price_ = static_cast<float>(price * scale_); }
    /// Ranks away from home; 0 where moves have neither limit nor price.
    std::uint32_t moved() const { return movedRanks_; }

    /// Continues with other random numbers.
    void reseed(std::uint64_t seed);

    std::span<const std::uint32_t> slotOfRank() const { return slotOf_; }
    /// Swaps tried and swaps done since construction.
    std::uint64_t tried() const { return tried_; }
    std::uint64_t done() const { return done_; }
    /// Swaps that one sweep tries at most.
    std::uint64_t triesPerSweep() const { return std::uint64_t{kCandidates} * activeSlots_; }
    std::uint32_t regions() const { return static_cast<std::uint32_t>(regions_.size()); }
    /// Cost of the mapping in the scaled flows, for comparisons along the way. O(ranks).
    double scaledCost() const;
    /// Scaled cost → bytes × hops.
    double unscale(double cost) const { return cost / scale_; }

private:
    static constexpr std::uint32_t kCandidates = 9;
    /// Those of a visit, and the way home where moves have a price.
    static constexpr std::uint32_t kMostCandidates = kCandidates + 1;
    static constexpr std::uint32_t kPeerTable = 16;

    struct Move {
        std::uint32_t rank = 0;
        std::uint32_t from = 0;  ///< slot at the beginning of the round
    };
    struct Region {
        explicit Region(std::uint64_t seed) : random(seed) {}
        Random random;
        std::vector<std::uint32_t> slots;
        std::vector<Move> moves;
        std::uint64_t tried = 0;
        std::uint64_t done = 0;
        std::vector<float> change;
        std::vector<std::uint32_t> blocks;
    };

    void scaleFlows();
    void fillPeerTable(std::uint64_t seed, const Task& task);
    void fillFields(const Task& task);
    void fillNeighbours();
    std::uint32_t splitFactor(std::uint32_t regions);
    void divide();
    void runRegion(std::uint32_t region, float temperature, std::uint32_t sweeps, const SearchClock& clock,
                   const Task& task);
    template <std::size_t Factors>
    void sweep(Region& region, std::uint8_t id, std::span<const std::uint32_t> slots, float temperature);
    template <std::size_t Factors>
    void visit(Region& region, std::uint8_t id, std::uint32_t slot, float temperature);
    template <std::size_t Factors>
    float gain(const float* row, const std::uint16_t* at, std::uint32_t target) const;
    std::uint32_t candidates(Region& region, std::uint8_t id, std::uint32_t slot, std::uint32_t* out);
    std::uint32_t beside(std::uint32_t node, std::uint64_t bits) const;
    std::uint32_t somewhereElse(const Region& region, std::uint32_t node, std::uint64_t bits) const;
    float flowBetween(std::uint32_t a, std::uint32_t b) const;
    bool mayExchange(std::uint32_t slot, std::uint32_t target) const
    {
        return rules_.free() || rules_.allowed(rankAt_, slot, target, movedRanks_);
    }
    void swap(Region& region, std::uint8_t id, std::uint32_t slot, std::uint32_t other);
    void remember(Region& region, std::uint32_t rank, std::uint32_t slot);
    void measureChange(Region& region, std::uint32_t fromNode, std::uint32_t toNode) const;
    void applyChange(const Region& region, std::uint8_t id, std::uint32_t rank, float sign);
    void applyForeignMoves(std::uint32_t region);

    const FlowGraph& flow_;
    const FieldModel& model_;
    const SwapRules& rules_;
    std::uint32_t ranksPerNode_ = 1;
    double scale_ = 1.0;
    double meanFlow_ = 1.0;
    float price_ = 0.0f;         ///< scaled, of a rank away from home
    std::vector<float> weight_;  ///< scaled flow per entry of the flow graph
    std::vector<std::uint32_t> slotOf_;
    std::vector<std::uint32_t> rankAt_;
    std::vector<float> fields_;              ///< slot × width
    std::vector<std::uint32_t> peerTable_;   ///< rank × kPeerTable: peers, heavier ones more often
    std::vector<std::uint32_t> neighbours_;  ///< per node: nodes nearby
    std::vector<std::uint32_t> firstNeighbour_;
    std::vector<float> threshold_;  ///< -ln of shuffled quantiles
    std::vector<std::uint8_t> regionOfNode_;
    std::vector<std::uint8_t> regionOfRank_;
    std::vector<std::uint32_t> slotAtRoundStart_;
    std::vector<Region> regions_;
    Random random_;
    std::uint32_t activeSlots_ = 0;
    std::uint32_t movedRanks_ = 0;
    std::uint64_t tried_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace skein
