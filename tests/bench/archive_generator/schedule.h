// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/archive_generator/options.h"

#include <map>
#include <utility>
#include <vector>

namespace skein::generator {

constexpr std::uint32_t kFaces = 6;
constexpr std::uint32_t kRebalanceEvery = 10;
constexpr std::uint32_t kCheckpointEvery = 50;
constexpr std::uint32_t kBlocks = 4;

/// What a span of time is drawn for; each has its own stream of random numbers.
enum class Purpose : std::uint32_t {
    StepJitter,
    Pack,
    Post,
    Send,
    Block,
    Flux,
    Limiter,
    Unpack,
    Boundary,
    Checkpoint,
    CollectiveExit,
    Imbalance,
    Rare,
    Counter,
    SlowRank,
    Drive,
};

enum class InjectedKind : std::uint32_t {
    SlowBlock,
    SlowFlux,
    SlowLimiter,
    SlowBoundary,
    ExtraFlux,
    NoLimiter
};
constexpr std::uint32_t kExtraFluxes = 3;

/// One call of a step that is made different.
struct Injection {
    InjectedKind kind = InjectedKind::SlowBlock;
    std::uint32_t block = 0;    ///< not of SlowBoundary
    std::uint64_t delayNs = 0;  ///< by which the block, or the boundary, is longer
};

/// When everything happens, as pure functions of (seed, rank, step): any rank can be written without the
/// others, in bounded memory, and a message's send time is known to its receiver. Times are nanoseconds.
class Schedule {
public:
    /// Computes the synchronisation points of all steps: O(ranks × steps) time, O(steps) memory.
    explicit Schedule(const Options& options);

    const Options& options() const { return options_; }
    /// The rank beyond `face` (0,1: −x,+x; 2,3: y; 4,5: z); the rank itself where the grid is one wide.
    std::uint32_t neighbour(std::uint32_t rank, std::uint32_t face) const;
    /// A grid that is one rank wide has nobody to exchange with in that dimension.
    bool exchanges(std::uint32_t face) const { return grid_[face / 2] > 1; }
    static std::uint32_t oppositeFace(std::uint32_t face) { return face ^ 1U; }
    static std::uint64_t faceBytes(std::uint32_t face) { return 32768U >> (face / 2); }

    std::array<std::uint32_t, 3> grid() const { return grid_; }

    bool rebalances(std::uint32_t step) const
    {
        return options_.ranks > 1 && step % kRebalanceEvery == kRebalanceEvery - 1;
    }
    bool checkpoints(std::uint32_t step) const { return step % kCheckpointEvery == kCheckpointEvery - 1; }

    std::uint64_t durationNs(Purpose purpose, std::uint32_t rank, std::uint32_t step,
                             std::uint32_t index) const;
    std::uint64_t stepBegin(std::uint32_t rank, std::uint32_t step) const;
    /// When `rank` calls MPI_Isend for `face` and `field`; with the number of fields: when it has done so for
    /// all.
    std::uint64_t sendTime(std::uint32_t rank, std::uint32_t step, std::uint32_t face,
                           std::uint32_t field) const;
    /// When the last message that comes in through `face` has arrived.
    std::uint64_t arrivalTime(std::uint32_t rank, std::uint32_t step, std::uint32_t face) const;
    /// When everything is packed and sent.
    std::uint64_t sendsEnd(std::uint32_t rank, std::uint32_t step) const
    {
        return sendTime(rank, step, kFaces - 1, options_.fields);
    }
    /// Compute time of one of the kBlocks blocks of the interior.
    std::uint64_t blockNs(std::uint32_t rank, std::uint32_t step, std::uint32_t block) const;
    /// Whether the block is interrupted, and for how long; 0 mostly.
    std::uint64_t interruptionNs(std::uint32_t rank, std::uint32_t step, std::uint32_t block) const;
    /// What is different in a step of a rank; null mostly.
    const Injection* injection(std::uint32_t rank, std::uint32_t step) const;
    /// Whether it is one of those that are slow all the time.
    bool isSlow(std::uint32_t rank) const { return rank < slow_.size() && slow_[rank]; }
    /// By how much limit_slope takes longer in a step because of what it does to compute_boundary later.
    std::uint64_t causeNs(std::uint32_t step) const;
    /// By how much compute_boundary takes longer in a step because of what limit_slope did before.
    std::uint64_t effectNs(std::uint32_t step) const;
    /// When `rank` enters the step's MPI_Allreduce.
    std::uint64_t allreduceBegin(std::uint32_t rank, std::uint32_t step) const;
    /// When `rank` leaves it.
    std::uint64_t allreduceEnd(std::uint32_t rank, std::uint32_t step) const;
    /// The step's MPI_Barrier; only for steps that write a checkpoint.
    std::uint64_t barrierBegin(std::uint32_t rank, std::uint32_t step) const;
    std::uint64_t barrierEnd(std::uint32_t rank, std::uint32_t step) const;
    /// When the last rank may leave the loop.
    std::uint64_t loopEnd() const { return stepBegin_.back(); }

    static constexpr std::uint64_t kInitNs = 2'000'000;

private:
    double uniform(Purpose purpose, std::uint32_t rank, std::uint32_t step, std::uint32_t index) const;
    void inject();
    void chooseSlowRanks();
    double interruption(std::uint32_t rank, std::uint32_t step, std::uint32_t block) const;
    double drive(std::uint32_t step) const;
    double phaseFactor(std::uint32_t step) const;
    double imbalance(std::uint32_t rank, std::uint32_t step) const;
    std::uint64_t latencyNs() const;

    Options options_;
    std::array<std::uint32_t, 3> grid_;
    std::vector<bool> slow_;                                                   ///< by rank
    std::map<std::pair<std::uint32_t, std::uint32_t>, Injection> injections_;  ///< by rank and step
    std::vector<std::uint64_t>
        stepBegin_;  ///< earliest begin of a step over the ranks, and the end of the last
    std::vector<std::uint64_t> allreduceEnd_;  ///< earliest end over the ranks
    std::vector<std::uint64_t> barrierEnd_;
};

}  // namespace skein::generator
