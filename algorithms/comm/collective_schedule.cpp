// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/collective_schedule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

/// MPICH's limits between short, medium and long vectors, in bytes.
constexpr std::uint64_t kShortBroadcast = 12288;
constexpr std::uint32_t kFewRanks = 8;
constexpr std::uint64_t kLongBroadcast = 524288;
constexpr std::uint64_t kShortAllGather = 81920;
constexpr std::uint64_t kLongAllGather = 524288;
constexpr std::uint64_t kShortReduction = 2048;
constexpr std::uint64_t kShortAllToAll = 256;
constexpr std::uint64_t kLongReduceScatter = 524288;

struct NamedAlgorithm {
    std::string_view name;
    CollectiveAlgorithm algorithm;
};

constexpr std::array<NamedAlgorithm, 7> kAlgorithms{{
    {"binomial", CollectiveAlgorithm::Binomial},
    {"bruck", CollectiveAlgorithm::Bruck},
    {"default", CollectiveAlgorithm::Default},
    {"dissemination", CollectiveAlgorithm::Dissemination},
    {"pairwise", CollectiveAlgorithm::Pairwise},
    {"recursive-doubling", CollectiveAlgorithm::RecursiveDoubling},
    {"ring", CollectiveAlgorithm::Ring},
}};

enum class Family : std::uint8_t {
    None,
    AllGather,
    AllReduce,
    AllToAll,
    Barrier,
    Broadcast,
    Gather,
    Reduce,
    ReduceScatter,
    Scan,
    Scatter
};

Family familyOf(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::Barrier: return Family::Barrier;
    case CollectiveKind::Broadcast: return Family::Broadcast;
    case CollectiveKind::Gather:
    case CollectiveKind::GatherV: return Family::Gather;
    case CollectiveKind::Scatter:
    case CollectiveKind::ScatterV: return Family::Scatter;
    case CollectiveKind::AllGather:
    case CollectiveKind::AllGatherV: return Family::AllGather;
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllToAllV:
    case CollectiveKind::AllToAllW: return Family::AllToAll;
    case CollectiveKind::AllReduce: return Family::AllReduce;
    case CollectiveKind::Reduce: return Family::Reduce;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::ReduceScatterBlock: return Family::ReduceScatter;
    case CollectiveKind::Scan:
    case CollectiveKind::ExScan: return Family::Scan;
    case CollectiveKind::CreateHandle:
    case CollectiveKind::DestroyHandle:
    case CollectiveKind::Other: return Family::None;
    }
    return Family::None;
}

bool serves(Family family, CollectiveAlgorithm algorithm)
{
    using A = CollectiveAlgorithm;
    const auto any = [&](std::initializer_list<A> list) {
        return std::find(list.begin(), list.end(), algorithm) != list.end();
    };
    switch (family) {
    case Family::AllGather:
        return any({A::Binomial, A::Bruck, A::Dissemination, A::Pairwise, A::RecursiveDoubling, A::Ring});
    case Family::AllReduce: return any({A::Binomial, A::RecursiveDoubling, A::Ring});
    case Family::AllToAll: return any({A::Bruck, A::Pairwise});
    case Family::Barrier:
        return any({A::Binomial, A::Bruck, A::Dissemination, A::RecursiveDoubling, A::Ring});
    case Family::Broadcast: return any({A::Binomial, A::Pairwise, A::Ring});
    case Family::Gather:
    case Family::Scatter: return any({A::Binomial, A::Pairwise});
    case Family::Reduce: return any({A::Binomial, A::Pairwise, A::Ring});
    case Family::ReduceScatter: return any({A::Pairwise, A::Ring});
    case Family::Scan: return any({A::RecursiveDoubling, A::Ring});
    case Family::None: return false;
    }
    return false;
}

std::uint64_t totalOf(const CollectiveCall& call)
{
    return std::accumulate(call.bytes.begin(), call.bytes.end(), std::uint64_t{0});
}

/// What MPICH does; nothing where it joins several algorithms.
std::optional<CollectiveAlgorithm> defaultFor(const CollectiveCall& call)
{
    using A = CollectiveAlgorithm;
    const std::uint64_t total = totalOf(call);
    switch (familyOf(call.kind)) {
    case Family::AllGather:
        if (total < kLongAllGather && std::has_single_bit(call.ranks)) return A::RecursiveDoubling;
        return total < kShortAllGather ? A::Bruck : A::Ring;
    case Family::AllReduce:
        return total <= kShortReduction ? std::optional(A::RecursiveDoubling) : std::nullopt;
    case Family::AllToAll: {
        const std::uint64_t largest =
            call.bytes.empty() ? 0 : *std::max_element(call.bytes.begin(), call.bytes.end());
        return call.kind == CollectiveKind::AllToAll && largest <= kShortAllToAll && call.ranks >= kFewRanks
            ? A::Bruck
            : A::Pairwise;
    }
    case Family::Barrier: return A::Dissemination;
    case Family::Broadcast:
        return total < kShortBroadcast || call.ranks < kFewRanks ? std::optional(A::Binomial) : std::nullopt;
    case Family::Gather: return call.kind == CollectiveKind::Gather ? A::Binomial : A::Pairwise;
    case Family::Scatter: return call.kind == CollectiveKind::Scatter ? A::Binomial : A::Pairwise;
    case Family::Reduce: return total <= kShortReduction ? std::optional(A::Binomial) : std::nullopt;
    case Family::ReduceScatter: return total < kLongReduceScatter ? std::nullopt : std::optional(A::Pairwise);
    case Family::Scan: return A::RecursiveDoubling;
    case Family::None: return std::nullopt;
    }
    return std::nullopt;
}

/// Writes the messages of one call. `relative` ranks count from the root.
class Schedule {
public:
    Schedule(const CollectiveCall& call, const MessageReceiver& receive)
        : call_(call), receive_(receive), p_(call.ranks)
    {
    }

    void run(CollectiveAlgorithm algorithm)
    {
        switch (familyOf(call_.kind)) {
        case Family::AllGather: return allGather(call_.bytes, algorithm);
        case Family::AllReduce: return allReduce(algorithm);
        case Family::AllToAll: return allToAll(algorithm);
        case Family::Barrier: return barrier(algorithm);
        case Family::Broadcast: return broadcast(whole(), algorithm);
        case Family::Gather:
            return algorithm == CollectiveAlgorithm::Binomial ? binomialGather(call_.bytes)
                                                              : direct(call_.bytes, Direction::ToRoot);
        case Family::Scatter:
            return algorithm == CollectiveAlgorithm::Binomial ? binomialScatter(call_.bytes)
                                                              : direct(call_.bytes, Direction::FromRoot);
        case Family::Reduce: return reduce(whole(), algorithm);
        case Family::ReduceScatter:
            return algorithm == CollectiveAlgorithm::Ring ? ringReduceScatter() : pairwiseReduceScatter();
        case Family::Scan: return scan(algorithm);
        case Family::None: return;
        }
    }

    /// The defaults that join algorithms.
    void runComposed()
    {
        switch (familyOf(call_.kind)) {
        case Family::AllReduce: return halveAndDouble();
        case Family::Broadcast:
            binomialScatter(pieces(whole()));
            return allGather(pieces(whole()),
                             whole() < kLongBroadcast && std::has_single_bit(p_)
                                 ? CollectiveAlgorithm::RecursiveDoubling
                                 : CollectiveAlgorithm::Ring);
        case Family::Reduce: {
            halve();
            std::vector<std::uint64_t> held(p_, 0);
            for (std::uint32_t core = 0; core < std::bit_floor(p_); ++core)
                held[unfolded(core)] = corePieces(core, 1);
            return binomialGather(held);
        }
        case Family::ReduceScatter: return halve();
        default: return;
        }
    }

private:
    enum class Direction : std::uint8_t { FromRoot, ToRoot };

    std::uint64_t whole() const { return call_.bytes.empty() ? 0 : call_.bytes.front(); }
    std::uint32_t absolute(std::uint32_t relative) const { return (relative + call_.root) % p_; }
    void send(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) { receive_(from, to, bytes); }

    /// The vector cut into one piece a rank.
    std::vector<std::uint64_t> pieces(std::uint64_t bytes) const
    {
        std::vector<std::uint64_t> cut(p_, bytes / p_);
        for (std::uint32_t i = 0; i < bytes % p_; ++i) ++cut[i];
        return cut;
    }
    static std::uint64_t at(const std::vector<std::uint64_t>& blocks, std::size_t rank)
    {
        return blocks.empty() ? 0 : blocks[std::min(rank, blocks.size() - 1)];
    }

    void broadcast(std::uint64_t bytes, CollectiveAlgorithm algorithm)
    {
        if (algorithm == CollectiveAlgorithm::Pairwise)
            return direct(std::vector<std::uint64_t>(p_, bytes), Direction::FromRoot);
        if (algorithm == CollectiveAlgorithm::Ring) {
            for (std::uint32_t r = 0; r + 1 < p_; ++r) send(absolute(r), absolute(r + 1), bytes);
            return;
        }
        for (std::uint32_t bit = std::bit_ceil(p_) / 2; bit > 0; bit /= 2)
            for (std::uint32_t r = 0; r + bit < p_; r += 2 * bit) send(absolute(r), absolute(r + bit), bytes);
    }

    void reduce(std::uint64_t bytes, CollectiveAlgorithm algorithm)
    {
        if (algorithm == CollectiveAlgorithm::Pairwise)
            return direct(std::vector<std::uint64_t>(p_, bytes), Direction::ToRoot);
        if (algorithm == CollectiveAlgorithm::Ring) {
            for (std::uint32_t r = p_ - 1; r > 0; --r) send(absolute(r), absolute(r - 1), bytes);
            return;
        }
        for (std::uint32_t bit = 1; bit < p_; bit *= 2)
            for (std::uint32_t r = bit; r < p_; r += 2 * bit) send(absolute(r), absolute(r - bit), bytes);
    }

    void direct(const std::vector<std::uint64_t>& blocks, Direction direction)
    {
        for (std::uint32_t r = 0; r < p_; ++r) {
            if (r == call_.root) continue;
            if (direction == Direction::ToRoot) send(r, call_.root, at(blocks, r));
            else send(call_.root, r, at(blocks, r));
        }
    }

    /// What the relative ranks [from, to) hold together.
    std::uint64_t sumOf(const std::vector<std::uint64_t>& blocks, std::uint32_t from, std::uint32_t to) const
    {
        std::uint64_t sum = 0;
        for (std::uint32_t r = from; r < std::min(to, p_); ++r) sum += at(blocks, absolute(r));
        return sum;
    }
    void binomialGather(const std::vector<std::uint64_t>& blocks)
    {
        for (std::uint32_t bit = 1; bit < p_; bit *= 2)
            for (std::uint32_t r = bit; r < p_; r += 2 * bit)
                send(absolute(r), absolute(r - bit), sumOf(blocks, r, r + bit));
    }
    void binomialScatter(const std::vector<std::uint64_t>& blocks)
    {
        for (std::uint32_t bit = std::bit_ceil(p_) / 2; bit > 0; bit /= 2)
            for (std::uint32_t r = 0; r + bit < p_; r += 2 * bit)
                send(absolute(r), absolute(r + bit), sumOf(blocks, r + bit, r + 2 * bit));
    }

    void allGather(const std::vector<std::uint64_t>& blocks, CollectiveAlgorithm algorithm)
    {
        if (algorithm == CollectiveAlgorithm::Binomial) {
            binomialGather(blocks);
            return broadcast(std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0}), algorithm);
        }
        if (algorithm == CollectiveAlgorithm::Pairwise) return everyOther(blocks);
        if (algorithm == CollectiveAlgorithm::Ring) {
            for (std::uint32_t step = 0; step + 1 < p_; ++step)
                for (std::uint32_t r = 0; r < p_; ++r)
                    send(r, (r + 1) % p_, at(blocks, (r + p_ - step) % p_));
            return;
        }
        if (algorithm == CollectiveAlgorithm::RecursiveDoubling && std::has_single_bit(p_)) {
            for (std::uint32_t bit = 1; bit < p_; bit *= 2)
                for (std::uint32_t r = 0; r < p_; ++r)
                    send(r, r ^ bit, cyclicSum(blocks, r & ~(bit - 1), bit));
            return;
        }
        for (std::uint32_t distance = 1; distance < p_; distance *= 2)
            for (std::uint32_t r = 0; r < p_; ++r)
                send(r, (r + p_ - distance) % p_, cyclicSum(blocks, r, std::min(distance, p_ - distance)));
    }

    std::uint64_t cyclicSum(const std::vector<std::uint64_t>& blocks, std::uint32_t first,
                            std::uint32_t count) const
    {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) sum += at(blocks, (first + i) % p_);
        return sum;
    }

    void everyOther(const std::vector<std::uint64_t>& blocks)
    {
        for (std::uint32_t step = 1; step < p_; ++step)
            for (std::uint32_t r = 0; r < p_; ++r) send(r, (r + step) % p_, at(blocks, r));
    }

    /// What a rank sends in all goes to the others as they take part in what all get.
    void inProportion()
    {
        double all = 0.0;
        for (std::uint32_t r = 0; r < p_; ++r) all += static_cast<double>(at(call_.received, r));
        for (std::uint32_t step = 1; step < p_; ++step) {
            for (std::uint32_t r = 0; r < p_; ++r) {
                const std::uint32_t to = (r + step) % p_;
                const double share = all > 0.0 ? static_cast<double>(at(call_.received, to)) / all : 1.0 / p_;
                send(r, to,
                     static_cast<std::uint64_t>(
                         std::llround(static_cast<double>(at(call_.bytes, r)) * p_ * share)));
            }
        }
    }

    void allToAll(CollectiveAlgorithm algorithm)
    {
        if (!call_.received.empty()) return inProportion();
        if (algorithm == CollectiveAlgorithm::Pairwise) return everyOther(call_.bytes);
        for (std::uint32_t distance = 1; distance < p_; distance *= 2)
            for (std::uint32_t r = 0; r < p_; ++r) {
                std::uint64_t bytes = 0;
                // Of the block for the rank i further, what has this bit set moves on; it began `i mod
                // distance` back.
                for (std::uint32_t i = distance; i < p_; ++i)
                    if ((i & distance) != 0) bytes += at(call_.bytes, (r + p_ - i % distance) % p_);
                send(r, (r + distance) % p_, bytes);
            }
    }

    void barrier(CollectiveAlgorithm algorithm)
    {
        if (algorithm == CollectiveAlgorithm::Binomial) {
            reduce(0, algorithm);
            return broadcast(0, algorithm);
        }
        if (algorithm == CollectiveAlgorithm::RecursiveDoubling) return doubling(0);
        if (algorithm == CollectiveAlgorithm::Ring) {
            for (std::uint32_t i = 0; i < 2 * p_; ++i) send(i % p_, (i + 1) % p_, 0);
            return;
        }
        for (std::uint32_t distance = 1; distance < p_; distance *= 2)
            for (std::uint32_t r = 0; r < p_; ++r) send(r, (r + distance) % p_, 0);
    }

    /// Ranks beyond a power of two are folded in: of the first 2·rest ranks the even ones hand over to the
    /// odd ones.
    std::uint32_t rest() const { return p_ - std::bit_floor(p_); }
    std::uint32_t unfolded(std::uint32_t core) const { return core < rest() ? 2 * core + 1 : core + rest(); }
    void foldIn(std::uint64_t bytes)
    {
        for (std::uint32_t r = 0; r < rest(); ++r) send(2 * r, 2 * r + 1, bytes);
    }
    void foldOut(std::uint64_t bytes)
    {
        for (std::uint32_t r = 0; r < rest(); ++r) send(2 * r + 1, 2 * r, bytes);
    }

    void doubling(std::uint64_t bytes)
    {
        foldIn(bytes);
        for (std::uint32_t bit = 1; bit < std::bit_floor(p_); bit *= 2)
            for (std::uint32_t core = 0; core < std::bit_floor(p_); ++core)
                send(unfolded(core), unfolded(core ^ bit), bytes);
        foldOut(bytes);
    }

    /// Where the part of a core rank begins in the vector: a rank that was folded in leaves its piece with
    /// its partner where every rank is to get one.
    std::uint64_t coreBegin(std::uint32_t core) const
    {
        const bool pieceForEach = familyOf(call_.kind) == Family::ReduceScatter;
        const std::uint64_t parts = pieceForEach ? p_ : std::bit_floor(p_);
        const std::uint64_t part = !pieceForEach ? core
            : core < rest()                      ? std::uint64_t{2} * core
                                                 : std::uint64_t{core} + rest();
        return whole() / parts * part + std::min(whole() % parts, part);
    }
    std::uint64_t corePieces(std::uint32_t first, std::uint32_t count) const
    {
        return coreBegin(first + count) - coreBegin(first);
    }

    /// Reduce-scatter by recursive halving.
    void halve()
    {
        foldIn(whole());
        for (std::uint32_t bit = std::bit_floor(p_) / 2; bit > 0; bit /= 2)
            for (std::uint32_t core = 0; core < std::bit_floor(p_); ++core)
                send(unfolded(core), unfolded(core ^ bit), corePieces((core ^ bit) & ~(bit - 1), bit));
        if (familyOf(call_.kind) != Family::ReduceScatter) return;
        const auto cut = pieces(whole());
        for (std::uint32_t r = 0; r < rest(); ++r) send(2 * r + 1, 2 * r, cut[std::size_t{2} * r]);
    }

    /// Rabenseifner's allreduce: halving, then doubling.
    void halveAndDouble()
    {
        halve();
        for (std::uint32_t bit = 1; bit < std::bit_floor(p_); bit *= 2)
            for (std::uint32_t core = 0; core < std::bit_floor(p_); ++core)
                send(unfolded(core), unfolded(core ^ bit), corePieces(core & ~(bit - 1), bit));
        foldOut(whole());
    }

    void allReduce(CollectiveAlgorithm algorithm)
    {
        if (algorithm == CollectiveAlgorithm::RecursiveDoubling) return doubling(whole());
        if (algorithm == CollectiveAlgorithm::Ring) {
            ringReduceScatter();
            return allGather(pieces(whole()), algorithm);
        }
        reduce(whole(), algorithm);
        broadcast(whole(), algorithm);
    }

    void ringReduceScatter()
    {
        const auto cut = pieces(whole());
        for (std::uint32_t step = 0; step + 1 < p_; ++step)
            for (std::uint32_t r = 0; r < p_; ++r) send(r, (r + 1) % p_, cut[(r + p_ - step) % p_]);
    }

    void pairwiseReduceScatter()
    {
        const auto cut = pieces(whole());
        for (std::uint32_t step = 1; step < p_; ++step)
            for (std::uint32_t r = 0; r < p_; ++r) send(r, (r + step) % p_, cut[(r + step) % p_]);
    }

    void scan(CollectiveAlgorithm algorithm)
    {
        if (algorithm == CollectiveAlgorithm::Ring) {
            for (std::uint32_t r = 0; r + 1 < p_; ++r) send(r, r + 1, whole());
            return;
        }
        for (std::uint32_t bit = 1; bit < p_; bit *= 2)
            for (std::uint32_t r = 0; r < p_; ++r)
                if ((r ^ bit) < p_) send(r, r ^ bit, whole());
    }

    const CollectiveCall& call_;
    const MessageReceiver& receive_;
    std::uint32_t p_;
};

}  // namespace

std::string_view name(CollectiveAlgorithm algorithm)
{
    return std::find_if(kAlgorithms.begin(), kAlgorithms.end(),
                        [&](const NamedAlgorithm& known) { return known.algorithm == algorithm; })
        ->name;
}

Result<CollectiveAlgorithm> parseCollectiveAlgorithm(std::string_view text)
{
    for (const NamedAlgorithm& known : kAlgorithms)
        if (known.name == text) return known.algorithm;
    return fail(ErrorCode::InvalidArgument,
                fmt::format("\"{}\" is no algorithm of collectives; there are binomial, bruck, default, "
                            "dissemination, pairwise, recursive-doubling and ring.",
                            text));
}

std::optional<CollectiveAlgorithm> servingAlgorithm(const CollectiveCall& call, CollectiveAlgorithm algorithm)
{
    return serves(familyOf(call.kind), algorithm) ? std::optional(algorithm) : defaultFor(call);
}

void expandCollective(const CollectiveCall& call, CollectiveAlgorithm algorithm,
                      const MessageReceiver& receive)
{
    if (call.ranks < 2 || call.root >= call.ranks || familyOf(call.kind) == Family::None) return;
    Schedule schedule(call, receive);
    if (const auto serving = servingAlgorithm(call, algorithm)) schedule.run(*serving);
    else schedule.runComposed();
}

}  // namespace skein
