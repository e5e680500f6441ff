// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/shortest_messages.h"

#include "core/base/parallel_for.h"

#include <atomic>
#include <tuple>

namespace skein::clocks {
namespace {

constexpr std::size_t kMessagesAtOnce = std::size_t{1} << 15;  ///< well below a millisecond

/// The shortest message of each pair of clocks; open addressing with linear probing.
class PairTable {
public:
    void lower(std::uint32_t from, std::uint32_t to, TimeNs bound)
    {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        MessageBound& slot = slots_[find(from, to)];
        if (slot.from != kNoClock) {
            slot.bound = std::min(slot.bound, bound);
            return;
        }
        slot = {from, to, bound};
        ++count_;
    }

    std::vector<MessageBound> sorted() const
    {
        std::vector<MessageBound> pairs;
        for (const MessageBound& slot : slots_)
            if (slot.from != kNoClock) pairs.push_back(slot);
        std::sort(pairs.begin(), pairs.end(), [](const MessageBound& a, const MessageBound& b) {
            return std::tie(a.from, a.to) < std::tie(b.from, b.to);
        });
        return pairs;
    }
    const std::vector<MessageBound>& slots() const { return slots_; }

private:
    std::size_t find(std::uint32_t from, std::uint32_t to) const
    {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = ((std::uint64_t{from} << 32 | to) * 0x9E3779B97F4A7C15ull >> 32) & mask;
        while (slots_[at].from != kNoClock && (slots_[at].from != from || slots_[at].to != to))
            at = (at + 1) & mask;
        return at;
    }
    void grow()
    {
        std::vector<MessageBound> old(slots_.empty() ? 64 : slots_.size() * 2);
        old.swap(slots_);
        for (const MessageBound& slot : old)
            if (slot.from != kNoClock) slots_[find(slot.from, slot.to)] = slot;
    }

    std::vector<MessageBound> slots_;
    std::size_t count_ = 0;
};

/// What one thread has found so far. Minima, maxima and sums do not depend on who looks at which message.
class Findings {
public:
    Findings(const std::vector<std::uint32_t>& clocks, const Correction& corrected)
        : clocks_(clocks), corrected_(corrected)
    {
    }

    void look(const Message& message)
    {
        if (!message.matched() || message.sender.index() >= clocks_.size()
            || message.receiver.index() >= clocks_.size())
            return;
        const std::uint32_t from = clocks_[message.sender.index()], to = clocks_[message.receiver.index()];
        if (from == to || from == kNoClock || to == kNoClock) return;
        const TimeNs delay = corrected_(to, message.receiveTime) - corrected_(from, message.sendTime);
        violations_.note(-delay);
        pairs_.lower(from, to, delay);
    }
    void add(const Findings& other)
    {
        violations_.add(other.violations_);
        for (const MessageBound& slot : other.pairs_.slots())
            if (slot.from != kNoClock) pairs_.lower(slot.from, slot.to, slot.bound);
    }
    MessageFacts facts() const { return {pairs_.sorted(), violations_}; }

private:
    const std::vector<std::uint32_t>& clocks_;
    const Correction& corrected_;
    PairTable pairs_;
    Violations violations_;
};

}  // namespace

std::vector<std::uint32_t> clocksOfLocations(const Definitions& definitions)
{
    const auto& groups = definitions.locationGroups;
    std::vector<std::uint32_t> clocks;
    clocks.reserve(definitions.locations.size());
    for (const Location& location : definitions.locations) {
        LocationGroupId group = location.group;
        if (group.index() < groups.size() && groups[group.index()].creator.index() < groups.size())
            group = groups[group.index()].creator;
        clocks.push_back(group.index() < groups.size() ? group.value() : kNoClock);
    }
    return clocks;
}

MessageFacts factsOfAll(std::span<const Message> messages, const std::vector<std::uint32_t>& clocks,
                        const Correction& corrected, const Task& task)
{
    const std::size_t pieces = (messages.size() + kMessagesAtOnce - 1) / kMessagesAtOnce;
    const std::size_t threads = std::clamp<std::size_t>(pieces, 1, static_cast<std::size_t>(task.threads()));
    std::vector<Findings> found(threads, Findings(clocks, corrected));
    std::atomic<std::size_t> next{0};
    parallelFor(threads, task, [&](std::size_t thread) {
        for (std::size_t piece = next++; piece < pieces && !task.stopRequested(); piece = next++) {
            const std::size_t first = piece * kMessagesAtOnce;
            for (const Message& message :
                 messages.subspan(first, std::min(kMessagesAtOnce, messages.size() - first)))
                found[thread].look(message);
        }
    });
    for (std::size_t thread = 1; thread < threads; ++thread) found[0].add(found[thread]);
    return found[0].facts();
}

MessageFacts factsOfSome(std::span<const Message> messages, std::size_t most,
                         const std::vector<std::uint32_t>& clocks, const Correction& corrected)
{
    Findings found(clocks, corrected);
    const std::size_t step = std::max<std::size_t>(1, messages.size() / std::max<std::size_t>(1, most));
    for (std::size_t row = 0; row < messages.size(); row = nextOfWalk(row, step)) found.look(messages[row]);
    return found.facts();
}

std::size_t nextOfWalk(std::size_t row, std::size_t step)
{
    if (step < 2) return row + 1;
    std::uint64_t hash = (row + 1) * 0x9E3779B97F4A7C15ull;
    hash = (hash ^ hash >> 32) * 0xBF58476D1CE4E5B9ull;
    return row + 1 + (hash >> 33) % (2 * step - 1);
}

}  // namespace skein::clocks
