// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/event_model.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::tau {
namespace {

/// Larger ranks are taken for damage: a matrix needs a row for each.
constexpr std::uint32_t kMaximumRanks = 1u << 24;
constexpr double kMaximumBytes = 9e18;
constexpr std::string_view kReceivedFromAll = "Message size received from all nodes";

/// Two entries of one name are one event to a reader, as if its values had been counted together.
void joinEventRows(const RawEventRow& more, RawEventRow& row)
{
    if (more.count <= 0.0) return;
    if (row.count <= 0.0) {
        row = more;
        return;
    }
    const double count = row.count + more.count;
    row.mean = (row.count * row.mean + more.count * more.mean) / count;
    row.count = count;
    row.minimum = std::min(row.minimum, more.minimum);
    row.maximum = std::max(row.maximum, more.maximum);
    row.sumOfSquares += more.sumOfSquares;
}

}  // namespace

bool EventModel::interpret(const Task& task)
{
    std::unordered_map<std::string, MetricId> metrics;
    const auto isTimer = [&](std::string_view timer) { return names_.isTimer(timer); };
    for (const std::string& event : joined_.events) {
        if (task.stopRequested()) return false;
        const EventName name = splitEventName(event, isTimer);
        const auto [found, fresh] =
            metrics.try_emplace(std::string(name.event), MetricId(definitions_.metrics.size()));
        if (fresh) definitions_.metrics.push_back(makeEventMetric(name.event));
        Meaning meaning;
        meaning.metric = found->second;
        meaning.receivedByAll = name.context.empty() && name.event == kReceivedFromAll;
        if (name.context.empty()) meaning.message = messageEvent(name.event);
        else meaning.context = names_.contextNode(name.context, joined_.report);
        meaning.shown = name.context.empty() || meaning.context.valid();
        meanings_.push_back(meaning);
    }
    return true;
}

void EventModel::addMessages(const MessageEvent& message, const RawEventRow& row, ThreadKey key)
{
    const double bytes = std::round(row.count * row.mean);
    if (message.partner >= kMaximumRanks || key.node >= kMaximumRanks || bytes > kMaximumBytes
        || row.count > kMaximumBytes) {
        joined_.report.add(IssueKind::CorruptRecord, "", fmt::format("Rank {}", key.node),
                           fmt::format("{} messages with rank {}", row.count, message.partner));
        return;
    }
    CommMatrix::Entry entry;
    entry.messages = static_cast<std::uint64_t>(std::llround(row.count));
    entry.bytes = static_cast<std::uint64_t>(bytes);
    const bool sent = message.direction == MessageDirection::SentTo;
    entry.sender = sent ? key.node : message.partner;
    entry.receiver = sent ? message.partner : key.node;
    (sent ? sends_ : receives_).push_back(entry);
}

void EventModel::addRow(const RawEventRow& row, ThreadKey key, LocationId location)
{
    const Meaning& meaning = meanings_[row.event];
    if (!meaning.shown) return;
    if (meaning.message) addMessages(*meaning.message, row, key);
    if (meaning.receivedByAll) received_[key.node] += row.count;
    statistics_.push_back({meaning.metric, location, meaning.context, row.count, row.minimum, row.maximum,
                           row.mean, row.sumOfSquares});
}

void EventModel::addThread(ProfileAssembler::Thread& thread, ThreadKey key, LocationId location)
{
    std::vector<ProfileAssembler::EventRow>& events = thread.events;
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.row.event < b.row.event; });
    for (std::size_t at = 0; at < events.size();) {
        const std::size_t first = at++;
        for (; at < events.size() && events[at].row.event == events[first].row.event; ++at)
            if (events[at].source == events[first].source) joinEventRows(events[at].row, events[first].row);
        addRow(events[first].row, key, location);
    }
}

/// Rows stand in the order of locations: they are dealt out to their metrics, then sorted by context.
bool EventModel::sortStatistics(const Task& task)
{
    std::vector<std::vector<EventStatistic>> ofMetric(definitions_.metrics.size());
    for (std::size_t row = 0; row < statistics_.size(); ++row) {
        if (row % 4096 == 0 && task.stopRequested()) return false;
        ofMetric[statistics_[row].metric.index()].push_back(statistics_[row]);
    }
    statistics_.clear();
    const auto earlier = [](const EventStatistic& a, const EventStatistic& b) {
        return a.context < b.context;
    };
    for (std::vector<EventStatistic>& rows : ofMetric) {
        if (task.stopRequested()) return false;
        std::stable_sort(rows.begin(), rows.end(), earlier);
        statistics_.insert(statistics_.end(), rows.begin(), rows.end());
    }
    return true;
}

bool EventModel::run(const Task& task)
{
    if (!interpret(task)) return false;
    std::uint32_t location = 0;
    for (auto& [key, thread] : joined_.threads) {
        if (task.stopRequested()) return false;
        addThread(thread, key, LocationId(location++));
    }
    compareReceives();
    return sortStatistics(task);
}

/// Who received how many messages from whomever must be told by those who sent them as well, as long as all
/// are there.
void EventModel::compareReceives()
{
    std::map<std::uint32_t, double> sent;
    for (const CommMatrix::Entry& entry : sends_) {
        if (!received_.contains(entry.receiver)) return;
        sent[entry.receiver] += static_cast<double>(entry.messages);
    }
    if (sends_.empty()) return;
    for (const auto& [rank, messages] : received_)
        if (messages != sent[rank])
            joined_.report.add(
                IssueKind::UnevenMessages, "", "",
                fmt::format("rank {} received {} messages, {} were sent to it", rank, messages, sent[rank]));
}

std::shared_ptr<const CommMatrix> EventModel::takeMatrix()
{
    std::vector<CommMatrix::Entry>& entries = sends_.empty() ? receives_ : sends_;
    if (entries.empty()) return nullptr;
    std::uint32_t ranks = 0;
    for (const CommMatrix::Entry& entry : entries)
        ranks = std::max({ranks, entry.sender + 1, entry.receiver + 1});
    for (const auto& [key, thread] : joined_.threads)
        if (key.node < kMaximumRanks) ranks = std::max(ranks, key.node + 1);
    return std::make_shared<const CommMatrix>(ranks, std::move(entries));
}

}  // namespace skein::tau
