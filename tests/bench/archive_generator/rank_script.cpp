// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/archive_generator/rank_script.h"

#include <algorithm>

namespace skein::generator {

namespace {

/// One rank's clock and the sink it talks to.
class Player {
public:
    Player(const Schedule& schedule, std::uint32_t rank, EventSink& sink, std::vector<TrueAnomaly>* truth)
        : schedule_(schedule), rank_(rank), sink_(sink), truth_(truth)
    {
    }

    void play()
    {
        sink_.enter(0, Region::Main);
        playInit();
        now_ = schedule_.stepBegin(rank_, 0) - 400;
        sink_.enter(now_, Region::Run);
        for (step_ = 0; step_ < schedule_.options().steps; ++step_) playStep();
        now_ = std::max(now_, schedule_.loopEnd() + rank_ % 97);
        sink_.leave(now_, Region::Run);
        playFinalize();
        sink_.leave(now_ + 1000, Region::Main);
    }

private:
    void call(Region region, std::uint64_t durationNs)
    {
        sink_.enter(now_, region);
        now_ += durationNs;
        sink_.leave(now_, region);
    }

    void collective(Region region, Collective operation, std::uint64_t endNs, std::uint64_t bytes)
    {
        sink_.enter(now_, region);
        sink_.collectiveBegin(now_ + 50);
        now_ = std::max(endNs, now_ + 200);
        sink_.collectiveEnd(now_ - 50, operation, bytes);
        sink_.leave(now_, region);
    }

    void playInit()
    {
        now_ = 20'000;
        call(Region::MpiInit, 900'000 + rank_ % 1000);
        now_ = 1'200'000;
        collective(Region::MpiBcast, Collective::Bcast, 1'300'000 + rank_ % 500, 4096);
    }

    void playFinalize()
    {
        now_ += 500;
        collective(Region::MpiReduce, Collective::Reduce, schedule_.loopEnd() + 40'000 + rank_ % 300, 64);
        now_ += 500;
        call(Region::MpiFinalize, 300'000);
    }

    void playStep()
    {
        now_ = schedule_.stepBegin(rank_, step_);
        sink_.enter(now_, Region::TimeStep);
        exchangeHalo();
        computeInterior();
        completeHalo();
        computeBoundary();
        reduceDt();
        if (schedule_.rebalances(step_)) rebalance();
        if (schedule_.checkpoints(step_)) checkpoint();
        sink_.leave(now_ + 200, Region::TimeStep);
    }

    std::uint64_t duration(Purpose purpose, std::uint32_t index) const
    {
        return schedule_.durationNs(purpose, rank_, step_, index);
    }

    std::uint32_t fields() const { return schedule_.options().fields; }

    /// Requests count up through the rank's life: 12 a step and field.
    std::uint64_t request(std::uint32_t index) const
    {
        return std::uint64_t{step_} * 2 * kFaces * fields() + index;
    }

    Message incoming(std::uint32_t face, std::uint32_t field) const
    {
        const std::uint32_t opposite = Schedule::oppositeFace(face);
        return {schedule_.neighbour(rank_, face), 100 + kFaces * field + opposite,
                Schedule::faceBytes(opposite), request(face * fields() + field)};
    }

    Message outgoing(std::uint32_t face, std::uint32_t field) const
    {
        return {schedule_.neighbour(rank_, face), 100 + kFaces * field + face, Schedule::faceBytes(face),
                request((kFaces + face) * fields() + field)};
    }

    /// Calls work(face, field, number of the message) for every message that is exchanged each way.
    template <typename Work>
    void eachMessage(Work work) const
    {
        for (std::uint32_t face = 0; face < kFaces; ++face)
            for (std::uint32_t field = 0; schedule_.exchanges(face) && field < fields(); ++field)
                work(face, field, face * fields() + field);
    }

    void exchangeHalo()
    {
        sink_.enter(now_ + 50, Region::ExchangeHalo);
        eachMessage([&](std::uint32_t face, std::uint32_t field, std::uint32_t number) {
            const std::uint64_t post = now_ + 100 + number * 450;
            sink_.enter(post, Region::MpiIrecv);
            sink_.receiveStarted(post + 50, incoming(face, field));
            sink_.leave(post + 100 + duration(Purpose::Post, face) / 4, Region::MpiIrecv);
        });
        eachMessage([&](std::uint32_t face, std::uint32_t field, std::uint32_t) {
            const std::uint64_t sendNs = schedule_.sendTime(rank_, step_, face, field);
            if (field == 0) {
                now_ = sendNs - duration(Purpose::Pack, face);
                call(Region::PackFace, sendNs - now_ - 100);
            }
            sink_.enter(sendNs - 50, Region::MpiIsend);
            sink_.sendStarted(sendNs, outgoing(face, field));
            now_ = sendNs + duration(Purpose::Send, face);
            sink_.leave(now_ - 50, Region::MpiIsend);
        });
        now_ = schedule_.sendsEnd(rank_, step_);
        sink_.leave(now_, Region::ExchangeHalo);
    }

    void computeInterior()
    {
        sink_.enter(now_, Region::ComputeInterior);
        for (std::uint32_t block = 0; block < kBlocks; ++block) sweepBlock(block);
        sink_.leave(now_, Region::ComputeInterior);
    }

    void tell(const char* kind, const char* function, std::uint64_t callIndex, std::uint64_t begin,
              std::uint64_t end, std::uint64_t delay)
    {
        if (truth_) truth_->push_back({kind, rank_, function, callIndex, begin, end - begin, delay});
    }

    void computeBoundary()
    {
        const std::uint64_t begin = now_;
        call(Region::ComputeBoundary, duration(Purpose::Boundary, 0));
        const Injection* injected = schedule_.injection(rank_, step_);
        if (injected && injected->kind == InjectedKind::SlowBoundary)
            tell("slow", "void compute_boundary(Grid&)", step_, begin, now_, injected->delayNs);
    }

    /// What is different in this block; null mostly.
    const Injection* injectionIn(std::uint32_t block) const
    {
        const Injection* injected = schedule_.injection(rank_, step_);
        return injected && injected->kind != InjectedKind::SlowBoundary && injected->block == block ? injected
                                                                                                    : nullptr;
    }

    void sweepBlock(std::uint32_t block)
    {
        const std::uint64_t begin = now_, end = now_ + schedule_.blockNs(rank_, step_, block);
        const Injection* injected = injectionIn(block);
        const auto is = [&](InjectedKind kind) { return injected && injected->kind == kind; };
        sink_.enter(now_, Region::SweepBlock);
        now_ += 3000;
        for (std::uint32_t pass = 0; pass < 2; ++pass)
            flux(2 * block + pass, is(InjectedKind::SlowFlux) && pass == 0 ? injected->delayNs : 0);
        for (std::uint32_t i = 0; is(InjectedKind::ExtraFlux) && i < kExtraFluxes; ++i)
            flux(2 * kBlocks + i, 0);
        if (!is(InjectedKind::NoLimiter))
            limiter(block, is(InjectedKind::SlowLimiter) ? injected->delayNs : 0);
        now_ = end;
        sink_.leave(now_, Region::SweepBlock);
        tellOfBlock(injected, kBlocks * std::uint64_t{step_} + block, begin, end);
        if (const std::uint64_t lost = schedule_.interruptionNs(rank_, step_, block))
            tell("interrupted", "void sweep_block(Grid&, Block)", kBlocks * std::uint64_t{step_} + block,
                 begin, end, lost);
    }

    void tellOfBlock(const Injection* injected, std::uint64_t callIndex, std::uint64_t begin,
                     std::uint64_t end)
    {
        if (!injected) return;
        const char* function = "void sweep_block(Grid&, Block)";
        if (injected->kind == InjectedKind::SlowBlock)
            tell("slow", function, callIndex, begin, end, injected->delayNs);
        if (injected->kind == InjectedKind::ExtraFlux)
            tell("extra_children", function, callIndex, begin, end, injected->delayNs);
        if (injected->kind == InjectedKind::NoLimiter)
            tell("missing_child", function, callIndex, begin, end, 0);
    }

    void flux(std::uint32_t index, std::uint64_t delay)
    {
        const std::uint64_t begin = now_;
        call(Region::ApplyFlux, duration(Purpose::Flux, index) + delay);
        if (delay > 0) tell("slow", "void apply_flux(Grid&, Block)", fluxes_, begin, now_, delay);
        ++fluxes_;
        now_ += 700;
    }

    void limiter(std::uint32_t block, std::uint64_t delay)
    {
        const std::uint64_t begin = now_;
        call(Region::LimitSlope, duration(Purpose::Limiter, block) + delay);
        if (delay > 0) tell("slow", "void limit_slope(Grid&, Block)", limiters_, begin, now_, delay);
        ++limiters_;
    }

    void completeHalo()
    {
        // The completions are reported when the call is through, as measurement tools do it.
        std::uint64_t end = now_ + 500;
        for (std::uint32_t face = 0; face < kFaces; ++face)
            end = std::max(end, schedule_.arrivalTime(rank_, step_, face));
        sink_.enter(now_, Region::MpiWaitall);
        eachMessage([&](std::uint32_t face, std::uint32_t field, std::uint32_t number) {
            sink_.receiveCompleted(end - 200 + number, incoming(face, field));
        });
        eachMessage([&](std::uint32_t face, std::uint32_t field, std::uint32_t number) {
            sink_.sendCompleted(end - 150 + number, outgoing(face, field));
        });
        now_ = end;
        sink_.leave(now_, Region::MpiWaitall);
        for (std::uint32_t face = 0; face < kFaces; ++face)
            if (schedule_.exchanges(face)) call(Region::UnpackFace, duration(Purpose::Unpack, face));
    }

    void reduceDt()
    {
        now_ = std::max(now_ + 100, schedule_.allreduceBegin(rank_, step_));
        sink_.enter(now_ - 50, Region::ReduceDt);
        collective(Region::MpiAllreduce, Collective::Allreduce, schedule_.allreduceEnd(rank_, step_), 8);
        sink_.leave(now_ + 20, Region::ReduceDt);
        now_ += 20;
    }

    void rebalance()
    {
        const std::uint32_t right = schedule_.neighbour(rank_, 1);
        const std::uint32_t left = schedule_.neighbour(rank_, 0);
        sink_.enter(now_, Region::Rebalance);
        sink_.enter(now_ + 20, Region::MpiSendrecv);
        sink_.send(now_ + 60, {right, 7, 256, 0});
        // Later than any rank's way out of the collective before it, so no receive precedes its send.
        now_ += 3500;
        sink_.receive(now_, {left, 7, 256, 0});
        sink_.leave(now_ + 20, Region::MpiSendrecv);
        sink_.leave(now_ + 40, Region::Rebalance);
        now_ += 60;
    }

    void checkpoint()
    {
        sink_.enter(now_, Region::WriteCheckpoint);
        now_ = std::max(now_ + 100, schedule_.barrierBegin(rank_, step_));
        collective(Region::MpiBarrier, Collective::Barrier, schedule_.barrierEnd(rank_, step_), 0);
        sink_.leave(now_ + 20, Region::WriteCheckpoint);
        now_ += 20;
    }

    const Schedule& schedule_;
    std::uint32_t rank_;
    EventSink& sink_;
    std::vector<TrueAnomaly>* truth_;
    std::uint64_t fluxes_ = 0, limiters_ = 0;  ///< calls so far
    std::uint32_t step_ = 0;
    std::uint64_t now_ = 0;
};

}  // namespace

void playRank(const Schedule& schedule, std::uint32_t rank, EventSink& sink, std::vector<TrueAnomaly>* truth)
{
    Player(schedule, rank, sink, truth).play();
}

}  // namespace skein::generator
