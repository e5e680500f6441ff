// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/archive_generator/schedule.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace skein::generator {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of x.
std::uint64_t mix(std::uint64_t x)
{
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

struct Spread {
    double baseNs;
    double widthNs;
};

/// Typical duration and how much it varies. Order as in Purpose; Imbalance and Rare are no durations.
constexpr std::array<Spread, 16> kSpreads = {{
    {500, 4000},
    {3000, 1500},
    {400, 200},
    {700, 500},
    {0, 0},
    {9000, 1800},
    {3000, 800},
    {2500, 1200},
    {38'000, 9000},
    {900'000, 600'000},
    {300, 2500},
    {0, 0},
    {0, 0},
    {0, 0},
    {0, 0},
    {0, 0},
}};

constexpr double kCauseNs = 6000, kEffectNs = 20'000;

}  // namespace

std::uint32_t messagesOfStep(const Options& options)
{
    std::uint32_t faces = 0;
    for (const std::uint32_t ranks : gridOf(options.ranks)) faces += ranks > 1 ? 2 : 0;
    return faces * options.fields;
}

std::array<std::uint32_t, 3> gridOf(std::uint32_t ranks)
{
    std::array<std::uint32_t, 3> best = {ranks, 1, 1};
    for (std::uint32_t z = 1; z * z * z <= ranks; ++z) {
        if (ranks % z != 0) continue;
        for (std::uint32_t y = z; y * y <= ranks / z; ++y)
            if (ranks / z % y == 0 && ranks / z / y < best[0]) best = {ranks / z / y, y, z};
    }
    return best;
}

Schedule::Schedule(const Options& options) : options_(options), grid_(gridOf(options.ranks))
{
    inject();
    chooseSlowRanks();
    stepBegin_ = {kInitNs};
    for (std::uint32_t step = 0; step < options_.steps; ++step) {
        std::uint64_t lastIn = 0;
        for (std::uint32_t rank = 0; rank < options_.ranks; ++rank)
            lastIn = std::max(lastIn, allreduceBegin(rank, step));
        allreduceEnd_.push_back(lastIn + latencyNs());
        std::uint64_t end = allreduceEnd_.back();
        if (checkpoints(step)) {
            for (std::uint32_t rank = 0; rank < options_.ranks; ++rank)
                end = std::max(end, barrierBegin(rank, step));
            end += latencyNs();
        }
        barrierEnd_.push_back(end);
        // Later than any rank's own way out of the collective, so that no step begins before the last one
        // ended.
        stepBegin_.push_back(end + 8000);
    }
}

/// Any kind and place, but for the first steps, in which programs often behave as they never do later.
void Schedule::inject()
{
    constexpr std::uint32_t kFirstStep = 2;
    if (options_.steps <= kFirstStep) return;
    const std::uint64_t places = std::uint64_t{options_.ranks} * (options_.steps - kFirstStep);
    const std::uint64_t wanted = std::min<std::uint64_t>(options_.anomalies, places / 2);
    for (std::uint64_t draw = 0; injections_.size() < wanted; ++draw) {
        const std::uint64_t place = mix(mix(options_.seed ^ 0x616E6F6DULL) + draw);
        const auto rank = static_cast<std::uint32_t>(place % options_.ranks);
        const auto step =
            static_cast<std::uint32_t>(kFirstStep + (place >> 24) % (options_.steps - kFirstStep));
        Injection injection;
        injection.kind = static_cast<InjectedKind>(mix(place) % 6);
        injection.block = static_cast<std::uint32_t>(mix(place + 1) % kBlocks);
        constexpr std::array<double, 6> kUsualNs{28'000, 9900, 3400, 42'500, 0, 0};
        injection.delayNs = static_cast<std::uint64_t>(options_.anomalySize
                                                       * kUsualNs[static_cast<std::size_t>(injection.kind)]);
        if (injection.kind == InjectedKind::ExtraFlux)
            for (std::uint32_t i = 0; i < kExtraFluxes; ++i)
                injection.delayNs += 700 + durationNs(Purpose::Flux, rank, step, 2 * kBlocks + i);
        injections_.emplace(std::pair(rank, step), injection);
    }
}

void Schedule::chooseSlowRanks()
{
    slow_.assign(options_.ranks, false);
    std::uint32_t left = std::min(options_.slowRanks, options_.ranks);
    // Each rank with the chance that leaves as many as are wanted (Knuth, algorithm S).
    for (std::uint32_t rank = 0; rank < options_.ranks; ++rank) {
        const double chance = static_cast<double>(left) / (options_.ranks - rank);
        slow_[rank] = uniform(Purpose::SlowRank, rank, 0, 0) < chance;
        left -= slow_[rank] ? 1 : 0;
    }
}

/// What makes limit_slope take longer in a step, and compute_boundary some steps later: 0…1.
double Schedule::drive(std::uint32_t step) const { return uniform(Purpose::Drive, 0, step, 0); }

std::uint64_t Schedule::causeNs(std::uint32_t step) const
{
    if (options_.causeLag == 0) return 0;
    return static_cast<std::uint64_t>(options_.causeSize * kCauseNs * drive(step));
}

std::uint64_t Schedule::effectNs(std::uint32_t step) const
{
    if (options_.causeLag == 0 || step < options_.causeLag) return 0;
    return static_cast<std::uint64_t>(options_.causeSize * kEffectNs * drive(step - options_.causeLag));
}

double Schedule::phaseFactor(std::uint32_t step) const
{
    const auto begun = std::count_if(options_.phases.begin(), options_.phases.end(),
                                     [step](std::uint32_t from) { return from <= step; });
    return begun % 2 == 1 ? 1 + options_.phaseSize : 1;
}

const Injection* Schedule::injection(std::uint32_t rank, std::uint32_t step) const
{
    const auto found = injections_.find({rank, step});
    return found == injections_.end() ? nullptr : &found->second;
}

std::uint32_t Schedule::neighbour(std::uint32_t rank, std::uint32_t face) const
{
    std::array<std::uint32_t, 3> at = {rank % grid_[0], rank / grid_[0] % grid_[1],
                                       rank / grid_[0] / grid_[1]};
    const std::uint32_t dimension = face / 2;
    const std::uint32_t size = grid_[dimension];
    at[dimension] = (at[dimension] + (face % 2 == 0 ? size - 1 : 1)) % size;
    return at[0] + grid_[0] * (at[1] + grid_[1] * at[2]);
}

double Schedule::uniform(Purpose purpose, std::uint32_t rank, std::uint32_t step, std::uint32_t index) const
{
    const std::uint64_t where = (std::uint64_t{rank} << 32) | step;
    const std::uint64_t what = (static_cast<std::uint64_t>(purpose) << 32) | index;
    return static_cast<double>(mix(mix(options_.seed ^ where) ^ what) >> 11) * 0x1.0p-53;
}

double Schedule::imbalance(std::uint32_t rank, std::uint32_t step) const
{
    // A lasting difference between the ranks, and a load that wanders over them.
    const double lasting = 0.12 * uniform(Purpose::Imbalance, rank, 0, 0);
    if (options_.steady) return 1 + lasting;
    const double phase = static_cast<double>(rank) / options_.ranks - static_cast<double>(step % 400) / 400;
    return 1 + lasting + 0.15 * std::max(0.0, std::cos(6.283185307179586 * phase));
}

std::uint64_t Schedule::latencyNs() const
{
    return 2500 + 1500U * static_cast<std::uint64_t>(std::bit_width(options_.ranks));
}

std::uint64_t Schedule::durationNs(Purpose purpose, std::uint32_t rank, std::uint32_t step,
                                   std::uint32_t index) const
{
    const Spread spread = kSpreads[static_cast<std::size_t>(purpose)];
    const auto usual =
        static_cast<std::uint64_t>(spread.baseNs + spread.widthNs * uniform(purpose, rank, step, index));
    if (purpose == Purpose::Limiter) return usual + causeNs(step);
    if (purpose != Purpose::Boundary) return usual;
    const Injection* injected = injection(rank, step);
    return usual + effectNs(step)
        + (injected && injected->kind == InjectedKind::SlowBoundary ? injected->delayNs : 0);
}

std::uint64_t Schedule::stepBegin(std::uint32_t rank, std::uint32_t step) const
{
    return stepBegin_[step] + durationNs(Purpose::StepJitter, rank, step, 0);
}

std::uint64_t Schedule::sendTime(std::uint32_t rank, std::uint32_t step, std::uint32_t face,
                                 std::uint32_t field) const
{
    std::uint64_t time = stepBegin(rank, step) + 500 * kFaces * options_.fields;
    for (std::uint32_t before = 0; before < face; ++before)
        time += durationNs(Purpose::Pack, rank, step, before)
            + options_.fields * durationNs(Purpose::Send, rank, step, before);
    return time + durationNs(Purpose::Pack, rank, step, face)
        + field * durationNs(Purpose::Send, rank, step, face);
}

std::uint64_t Schedule::arrivalTime(std::uint32_t rank, std::uint32_t step, std::uint32_t face) const
{
    const std::uint32_t opposite = oppositeFace(face);
    // 10 GB/s: a tenth of a nanosecond a byte.
    return sendTime(neighbour(rank, face), step, opposite, options_.fields - 1) + 1800
        + faceBytes(opposite) / 10;
}

std::uint64_t Schedule::blockNs(std::uint32_t rank, std::uint32_t step, std::uint32_t block) const
{
    const double noise = uniform(Purpose::Block, rank, step, block);
    const double slowness = (isSlow(rank) ? 1 + options_.slowSize : 1) * phaseFactor(step);
    const double usual = 52'000 * imbalance(rank, step) * (1 + 0.05 * noise) * slowness;
    const double lost = interruption(rank, step, block);
    const auto length = static_cast<std::uint64_t>(usual + lost);
    const Injection* injected = injection(rank, step);
    const bool here = injected && injected->kind != InjectedKind::SlowBoundary && injected->block == block;
    return length + (here ? injected->delayNs : 0);
}

std::uint64_t Schedule::interruptionNs(std::uint32_t rank, std::uint32_t step, std::uint32_t block) const
{
    return static_cast<std::uint64_t>(interruption(rank, step, block));
}

/// One block in ten thousand is interrupted for up to a few milliseconds.
double Schedule::interruption(std::uint32_t rank, std::uint32_t step, std::uint32_t block) const
{
    if (options_.steady) return 0.0;
    const double rare = uniform(Purpose::Rare, rank, step, block);
    return rare < 1e-4 ? rare * 3e10 : 0.0;
}

std::uint64_t Schedule::allreduceBegin(std::uint32_t rank, std::uint32_t step) const
{
    std::uint64_t time = sendsEnd(rank, step);
    for (std::uint32_t block = 0; block < kBlocks; ++block) time += blockNs(rank, step, block);
    for (std::uint32_t face = 0; face < kFaces; ++face) time = std::max(time, arrivalTime(rank, step, face));
    for (std::uint32_t face = 0; face < kFaces; ++face) time += durationNs(Purpose::Unpack, rank, step, face);
    return time + durationNs(Purpose::Boundary, rank, step, 0) + 1000;
}

std::uint64_t Schedule::allreduceEnd(std::uint32_t rank, std::uint32_t step) const
{
    return allreduceEnd_[step] + durationNs(Purpose::CollectiveExit, rank, step, 0);
}

std::uint64_t Schedule::barrierBegin(std::uint32_t rank, std::uint32_t step) const
{
    return allreduceEnd(rank, step) + durationNs(Purpose::Checkpoint, rank, step, 0);
}

std::uint64_t Schedule::barrierEnd(std::uint32_t rank, std::uint32_t step) const
{
    return barrierEnd_[step] + durationNs(Purpose::CollectiveExit, rank, step, 1);
}

}  // namespace skein::generator
