// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/archive_generator/schedule.h"

namespace skein::generator {

/// Regions of the simulated program. The order is that of regionTable().
enum class Region : std::uint32_t {
    Main,
    Run,
    TimeStep,
    ExchangeHalo,
    PackFace,
    ComputeInterior,
    SweepBlock,
    ApplyFlux,
    LimitSlope,
    UnpackFace,
    ComputeBoundary,
    ReduceDt,
    Rebalance,
    WriteCheckpoint,
    MpiInit,
    MpiFinalize,
    MpiIrecv,
    MpiIsend,
    MpiWaitall,
    MpiSendrecv,
    MpiAllreduce,
    MpiBarrier,
    MpiBcast,
    MpiReduce,
};
constexpr std::uint32_t kRegions = static_cast<std::uint32_t>(Region::MpiReduce) + 1;

enum class Collective { Allreduce, Barrier, Bcast, Reduce };

struct Message {
    std::uint32_t peer = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
    std::uint64_t request = 0;
};

/// Takes the events of one rank in the order of their time.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void enter(std::uint64_t timeNs, Region region) = 0;
    virtual void leave(std::uint64_t timeNs, Region region) = 0;
    virtual void send(std::uint64_t timeNs, const Message& message) = 0;
    virtual void receive(std::uint64_t timeNs, const Message& message) = 0;
    virtual void sendStarted(std::uint64_t timeNs, const Message& message) = 0;
    virtual void sendCompleted(std::uint64_t timeNs, const Message& message) = 0;
    virtual void receiveStarted(std::uint64_t timeNs, const Message& message) = 0;
    virtual void receiveCompleted(std::uint64_t timeNs, const Message& message) = 0;
    virtual void collectiveBegin(std::uint64_t timeNs) = 0;
    virtual void collectiveEnd(std::uint64_t timeNs, Collective operation, std::uint64_t bytes) = 0;
};

/// Plays the whole life of one rank into the sink; `truth` is told of calls that are different, unless null.
void playRank(const Schedule& schedule, std::uint32_t rank, EventSink& sink,
              std::vector<TrueAnomaly>* truth = nullptr);

}  // namespace skein::generator
