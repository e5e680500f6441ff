// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/message_sums.h"

#include "core/base/bucket_sort.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

namespace skein {
namespace {

/// Messages from one kept total to the next.
constexpr std::size_t kTotalsBlock = std::size_t{1} << 10;
/// Messages from one kept histogram to the next.
constexpr std::size_t kSizesBlock = std::size_t{1} << 16;
/// Rows of sums are this many messages a pair apart, so that they take a part of what the messages take.
constexpr std::size_t kMessagesAPair = 4;
constexpr std::size_t kLeastStep = std::size_t{1} << 12;

void addSize(SizeHistogram& histogram, std::uint64_t bytes)
{
    const auto sizeClass = static_cast<std::size_t>(std::bit_width(bytes));
    ++histogram.messages[sizeClass];
    histogram.bytes[sizeClass] += bytes;
}

std::uint64_t pairKey(const Message& message)
{
    return std::uint64_t{message.sender.value()} << 32 | message.receiver.value();
}

TimeNs endOfPart(TimeSpan span, std::size_t part, std::size_t parts)
{
    const auto length = static_cast<unsigned __int128>(span.lengthNs());
    return span.begin + static_cast<TimeNs>(length * (part + 1) / parts);
}

}  // namespace

void MessageSum::add(const Message& message)
{
    ++messages;
    bytes += message.bytes;
    if (message.matched() && message.receiveTime > message.sendTime)
        timeNs += static_cast<std::uint64_t>(message.receiveTime - message.sendTime);
}

MessageSum& MessageSum::operator+=(const MessageSum& other)
{
    messages += other.messages;
    bytes += other.bytes;
    timeNs += other.timeNs;
    return *this;
}

MessageSum& MessageSum::operator-=(const MessageSum& other)
{
    messages -= other.messages;
    bytes -= other.bytes;
    timeNs -= other.timeNs;
    return *this;
}

std::uint64_t SizeHistogram::smallest(std::size_t sizeClass)
{
    return sizeClass == 0 ? 0 : std::uint64_t{1} << (sizeClass - 1);
}

std::uint64_t SizeHistogram::largest(std::size_t sizeClass)
{
    return sizeClass == 0 ? 0 : smallest(sizeClass) + (smallest(sizeClass) - 1);
}

Result<std::shared_ptr<const MessageSums>> MessageSums::create(std::shared_ptr<const Trace> trace,
                                                               const MessageFilter& filter, const Task& task)
{
    const std::shared_ptr<MessageSums> sums(new MessageSums);
    sums->trace_ = std::move(trace);
    if (!sums->putInOrder(filter, task)) return cancelled();
    if (!sums->findPairs(task.part(0, 0.7)) || !sums->keepSums(task.part(0.7, 1))) return cancelled();
    return std::shared_ptr<const MessageSums>(sums);
}

bool MessageSums::choose(const MessageFilter& filter, const Task& task)
{
    const Column<Message>& messages = trace_->messages;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        if (i % kItemsBetweenStopChecks == 0 && task.stopRequested()) return false;
        if (filter.passes(messages[i])) order_.push_back(i);
    }
    return true;
}

bool MessageSums::putInOrder(const MessageFilter& filter, const Task& task)
{
    const Column<Message>& messages = trace_->messages;
    const bool sorted =
        std::is_sorted(messages.begin(), messages.end(),
                       [](const Message& a, const Message& b) { return a.sendTime < b.sendTime; });
    count_ = messages.size();
    if (!filter.all()) {
        if (!choose(filter, task)) return false;
        count_ = order_.size();
    } else if (!sorted) {
        order_.resize(count_);
        std::iota(order_.begin(), order_.end(), 0u);
    }
    if (!sorted) std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return messages[i].sendTime; });
    return true;
}

bool MessageSums::findPairs(const Task& task)
{
    const std::size_t count = count_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::vector<std::uint64_t> keys;
    pairOf_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i % kItemsBetweenStopChecks == 0) {
            if (task.stopRequested()) return false;
            task.report(static_cast<double>(i) / static_cast<double>(count), "Summing messages up");
        }
        const std::uint64_t key = pairKey(sent(i));
        const auto [found, added] = numbers.emplace(key, static_cast<std::uint32_t>(keys.size()));
        if (added) keys.push_back(key);
        pairOf_[i] = found->second;
    }
    std::vector<std::uint32_t> byKey(keys.size()), place(keys.size());
    std::iota(byKey.begin(), byKey.end(), 0u);
    std::ranges::sort(byKey, {}, [&](std::uint32_t number) { return keys[number]; });
    for (std::uint32_t i = 0; i < byKey.size(); ++i) {
        place[byKey[i]] = i;
        const std::uint64_t key = keys[byKey[i]];
        pairs_.emplace_back(LocationId(static_cast<std::uint32_t>(key >> 32)),
                            LocationId(static_cast<std::uint32_t>(key)));
    }
    for (std::uint32_t& pair : pairOf_) pair = place[pair];
    return true;
}

bool MessageSums::keepSums(const Task& task)
{
    const std::size_t count = pairOf_.size();
    step_ = std::max(kLeastStep, kMessagesAPair * pairs_.size());
    std::vector<MessageSum> row(pairs_.size());
    MessageSum total;
    SizeHistogram sizes;
    for (std::size_t i = 0; i <= count; ++i) {
        if (i % kItemsBetweenStopChecks == 0 && task.stopRequested()) return false;
        if (i % step_ == 0) sums_.insert(sums_.end(), row.begin(), row.end());
        if (i % kTotalsBlock == 0) totals_.push_back(total);
        if (i % kSizesBlock == 0) sizes_.push_back(sizes);
        if (i == count) break;
        row[pairOf_[i]].add(sent(i));
        total.add(sent(i));
        addSize(sizes, sent(i).bytes);
    }
    return true;
}

std::pair<std::size_t, std::size_t> MessageSums::sentIn(const std::optional<TimeSpan>& span) const
{
    const std::size_t count = pairOf_.size();
    if (!span) return {0, count};
    const auto firstNotBefore = [&](TimeNs time) {
        std::size_t from = 0, to = count;
        while (from < to) {
            const std::size_t middle = from + (to - from) / 2;
            if (sent(middle).sendTime < time) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    };
    const std::size_t first = firstNotBefore(span->begin);
    return {first, std::max(first, firstNotBefore(span->end))};
}

void MessageSums::addRange(std::size_t from, std::size_t to, std::vector<MessageSum>& sums) const
{
    for (std::size_t i = from; i < to; ++i) sums[pairOf_[i]].add(sent(i));
}

/// The sums of the first messages, from the nearest row that is kept.
std::vector<MessageSum> MessageSums::until(std::size_t end) const
{
    const std::size_t rows = pairs_.empty() ? 0 : sums_.size() / pairs_.size();
    std::size_t row = end / step_;
    if (end % step_ > step_ / 2 && row + 1 < rows) ++row;
    const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(row * pairs_.size());
    std::vector<MessageSum> sums(begin, begin + static_cast<std::ptrdiff_t>(pairs_.size()));
    addRange(row * step_, end, sums);
    for (std::size_t i = end; i < row * step_; ++i) {
        MessageSum one;
        one.add(sent(i));
        sums[pairOf_[i]] -= one;
    }
    return sums;
}

std::vector<MessageSum> MessageSums::between(std::size_t from, std::size_t to) const
{
    if (to - from <= step_) {
        std::vector<MessageSum> sums(pairs_.size());
        addRange(from, to, sums);
        return sums;
    }
    std::vector<MessageSum> sums = until(to);
    const std::vector<MessageSum> before = until(from);
    for (std::size_t pair = 0; pair < sums.size(); ++pair) sums[pair] -= before[pair];
    return sums;
}

std::vector<PairSum> MessageSums::pairs(const std::optional<TimeSpan>& span) const
{
    if (pairs_.empty()) return {};
    const auto [first, last] = sentIn(span);
    const std::vector<MessageSum> sums = between(first, last);
    std::vector<PairSum> found;
    for (std::size_t pair = 0; pair < sums.size(); ++pair) {
        if (sums[pair].messages > 0) found.push_back({pairs_[pair].first, pairs_[pair].second, sums[pair]});
    }
    return found;
}

/// Which pairs have messages that count.
std::vector<char> MessageSums::countedPairs(const CountedMessages& counted) const
{
    std::vector<char> pairs;
    pairs.reserve(pairs_.size());
    for (const auto& [sender, receiver] : pairs_)
        pairs.push_back(counted.count(sender.index(), receiver.index()) ? 1 : 0);
    return pairs;
}

SizeHistogram MessageSums::sizes(const std::optional<TimeSpan>& span, const CountedMessages& counted) const
{
    const auto [first, last] = sentIn(span);
    if (!counted.all()) {
        const std::vector<char> pairs = countedPairs(counted);
        SizeHistogram histogram;
        for (std::size_t i = first; i < last; ++i)
            if (pairs[pairOf_[i]]) addSize(histogram, sent(i).bytes);
        return histogram;
    }
    const auto until = [&](std::size_t end) {
        SizeHistogram histogram = sizes_[end / kSizesBlock];
        for (std::size_t i = end / kSizesBlock * kSizesBlock; i < end; ++i) addSize(histogram, sent(i).bytes);
        return histogram;
    };
    SizeHistogram histogram = until(last);
    const SizeHistogram before = until(first);
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        histogram.messages[i] -= before.messages[i];
        histogram.bytes[i] -= before.bytes[i];
    }
    return histogram;
}

std::vector<MessageSum> MessageSums::countedOverTime(TimeSpan span, std::size_t bins,
                                                     const CountedMessages& counted) const
{
    const std::vector<char> pairs = countedPairs(counted);
    const auto [first, last] = sentIn(span);
    std::vector<MessageSum> parts(bins);
    std::size_t i = first;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const TimeNs end = endOfPart(span, bin, bins);
        for (; i < last && sent(i).sendTime < end; ++i)
            if (pairs[pairOf_[i]]) parts[bin].add(sent(i));
    }
    return parts;
}

std::vector<MessageSum> MessageSums::overTime(TimeSpan span, std::size_t bins,
                                              const CountedMessages& counted) const
{
    if (span.empty() || bins == 0) return {};
    if (!counted.all()) return countedOverTime(span, bins, counted);
    const auto until = [&](std::size_t end) {
        MessageSum total = totals_[end / kTotalsBlock];
        for (std::size_t i = end / kTotalsBlock * kTotalsBlock; i < end; ++i) total.add(sent(i));
        return total;
    };
    std::vector<MessageSum> parts(bins);
    TimeNs begin = span.begin;
    MessageSum before = until(sentIn(TimeSpan{begin, begin}).first);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const TimeNs end = endOfPart(span, bin, bins);
        const MessageSum now = until(sentIn(TimeSpan{begin, end}).second);
        parts[bin] = now;
        parts[bin] -= before;
        before = now;
        begin = end;
    }
    return parts;
}

}  // namespace skein
