// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/counted_messages.h"
#include "algorithms/comm/message_filter.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/time_span.h"
#include "core/trace/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace skein {

/// Sums over messages.
struct MessageSum {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t timeNs = 0;  ///< from send to end of receive, of those that were received

    void add(const Message& message);
    MessageSum& operator+=(const MessageSum& other);
    MessageSum& operator-=(const MessageSum& other);
    bool operator==(const MessageSum&) const = default;
};

/// What one location sent another.
struct PairSum {
    LocationId sender;
    LocationId receiver;
    MessageSum sum;
    bool operator==(const PairSum&) const = default;
};

/// How many messages there were of which size. Class 0 holds those of no bytes, class k those of 2^(k-1) to
/// 2^k - 1 bytes.
struct SizeHistogram {
    static constexpr std::size_t kClasses = 65;
    std::array<std::uint64_t, kClasses> messages{};
    std::array<std::uint64_t, kClasses> bytes{};

    /// Bytes of the smallest and the largest message of a class.
    static std::uint64_t smallest(std::size_t sizeClass);
    static std::uint64_t largest(std::size_t sizeClass);
    bool operator==(const SizeHistogram&) const = default;
};

/// Answers who sent how much to whom for any span of time, at a cost of pairs and not of messages: every so
/// many messages it keeps what each pair had sent until then. A message belongs to the time at which it was
/// sent; those that nobody received count. Takes 4 bytes a message and up to 6 more. Immutable; reading from
/// several threads is safe.
class MessageSums {
public:
    /// Keeps the trace. Of all its messages, or of those that `filter`, one of this trace, lets pass; no
    /// others are told by anything below. Errors: Cancelled only. O(messages).
    static Result<std::shared_ptr<const MessageSums>> create(std::shared_ptr<const Trace> trace,
                                                             const MessageFilter& filter, const Task& task);

    /// Pairs with a message in the span (nullopt: of the whole run), by sender and receiver. O(pairs).
    std::vector<PairSum> pairs(const std::optional<TimeSpan>& span) const;
    /// Pairs of locations that ever exchange a message.
    std::size_t pairCount() const { return pairs_.size(); }

    /// The messages of the span that count (by locations) by size. O(2^16) where all do, else O(messages of
    /// the span).
    SizeHistogram sizes(const std::optional<TimeSpan>& span, const CountedMessages& counted = {}) const;

    /// What was sent in each of `bins` parts of a span, as far as it counts; part i begins at
    /// begin + i·length/bins, rounded down. Empty without parts or span. O(bins · (2^10 + log messages))
    /// where all count, else O(messages of the span).
    std::vector<MessageSum> overTime(TimeSpan span, std::size_t bins,
                                     const CountedMessages& counted = {}) const;

    /// The messages that were sent in a span as places in Trace::messages, by time of sending, which
    /// messageAt() tells: [first, second).
    std::pair<std::size_t, std::size_t> sentIn(const std::optional<TimeSpan>& span) const;
    /// The place in Trace::messages of the i-th message that was sent.
    std::uint32_t messageAt(std::size_t i) const
    {
        return order_.empty() ? static_cast<std::uint32_t>(i) : order_[i];
    }

private:
    MessageSums() = default;
    const Message& sent(std::size_t i) const { return trace_->messages[messageAt(i)]; }
    bool putInOrder(const MessageFilter& filter, const Task& task);
    bool choose(const MessageFilter& filter, const Task& task);
    bool findPairs(const Task& task);
    bool keepSums(const Task& task);
    void addRange(std::size_t from, std::size_t to, std::vector<MessageSum>& sums) const;
    std::vector<MessageSum> until(std::size_t end) const;
    std::vector<MessageSum> between(std::size_t from, std::size_t to) const;
    std::vector<char> countedPairs(const CountedMessages& counted) const;
    std::vector<MessageSum> countedOverTime(TimeSpan span, std::size_t bins,
                                            const CountedMessages& counted) const;

    std::shared_ptr<const Trace> trace_;
    std::size_t count_ = 0;              ///< messages that are told of
    std::vector<std::uint32_t> order_;   ///< by time of sending; empty where the trace has this order
    std::vector<std::uint32_t> pairOf_;  ///< of the i-th message sent
    std::vector<std::pair<LocationId, LocationId>> pairs_;
    std::size_t step_ = 1;              ///< messages from one kept row of sums to the next
    std::vector<MessageSum> sums_;      ///< row k: a sum a pair, of the first k · step_ messages
    std::vector<SizeHistogram> sizes_;  ///< of the first k · kBlock messages
    std::vector<MessageSum> totals_;    ///< of the first k · kBlock messages
};

}  // namespace skein
