// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/find_calls.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kSearchedBetweenStopChecks = 1u << 18;

/// Keeps the best of what is offered; `before` orders best first.
template <typename T, typename Before>
class Best {
public:
    Best(std::size_t limit, Before before) : limit_(limit), before_(before) {}

    void offer(const T& item)
    {
        if (limit_ == 0 || (kept_.size() == limit_ && !before_(item, kept_.front()))) return;
        if (kept_.size() == limit_) {
            std::pop_heap(kept_.begin(), kept_.end(), before_);
            kept_.pop_back();
        }
        kept_.push_back(item);
        std::push_heap(kept_.begin(), kept_.end(), before_);
    }

    std::vector<T> take()
    {
        std::sort_heap(kept_.begin(), kept_.end(), before_);
        return std::move(kept_);
    }

private:
    std::size_t limit_;
    Before before_;
    std::vector<T> kept_;  ///< a heap with the worst in front
};

bool longer(const FoundCall& a, const FoundCall& b)
{
    if (a.durationNs != b.durationNs) return a.durationNs > b.durationNs;
    return a.location != b.location ? a.location < b.location : a.interval < b.interval;
}

std::vector<std::uint8_t> wantedPaths(const Experiment& experiment, const std::vector<RegionId>& regions)
{
    std::vector<std::uint8_t> wantedRegion(experiment.definitions.regions.size(), 0);
    for (const RegionId region : regions)
        if (region.index() < wantedRegion.size()) wantedRegion[region.index()] = 1;
    std::vector<std::uint8_t> wanted(experiment.callTree->size(), 0);
    for (std::size_t path = 0; path < wanted.size(); ++path) {
        const RegionId region = experiment.callTree->region(CallPathId(path));
        wanted[path] = region.valid() && wantedRegion[region.index()];
    }
    return wanted;
}

/// False when it was told to stop.
bool search(const CallIntervals& calls, const std::vector<std::uint8_t>& wanted, LocationId location,
            const CallSearch& search, const Task& task, FoundCalls& found)
{
    Best<FoundCall, decltype(&longer)> best(search.limit, &longer);
    const std::span<const std::uint32_t> paths = calls.callPath.span();
    for (std::size_t from = 0; from < paths.size(); from += kSearchedBetweenStopChecks) {
        if (task.stopRequested()) return false;
        const std::size_t to = std::min(paths.size(), from + kSearchedBetweenStopChecks);
        for (std::size_t call = from; call < to; ++call) {
            if (!wanted[paths[call]]) continue;
            if (search.span
                && (calls.end[call] <= search.span->begin || calls.begin[call] >= search.span->end))
                continue;
            ++found.total;
            best.offer({location, static_cast<std::uint32_t>(call), calls.end[call] - calls.begin[call]});
        }
    }
    found.longest = best.take();
    return true;
}

std::vector<LocationId> searchedLocations(const Trace& trace, const CallSearch& search)
{
    std::vector<LocationId> locations;
    for (std::uint32_t id = 0; id < trace.locations.size(); ++id) {
        const bool listed = std::find(search.locations.begin(), search.locations.end(), LocationId(id))
            != search.locations.end();
        if (search.locations.empty() || listed) locations.push_back(LocationId(id));
    }
    return locations;
}

/// By location; empty: all are meant.
std::vector<std::uint8_t> listed(const Experiment& experiment, const std::vector<LocationId>& locations)
{
    std::vector<std::uint8_t> is(experiment.definitions.locations.size(), locations.empty());
    for (const LocationId location : locations)
        if (location.index() < is.size()) is[location.index()] = 1;
    return is;
}

/// Asked for every message.
class WantedMessage {
public:
    WantedMessage(const Experiment& experiment, const MessageSearch& search)
        : between_(listed(experiment, search.between)),
          touching_(listed(experiment, search.touching)),
          span_(search.span),
          filter_(search.filter)
    {
    }

    bool operator()(const Message& message) const
    {
        if (!message.matched()
            || (span_ && (message.receiveTime <= span_->begin || message.sendTime >= span_->end)))
            return false;
        const std::size_t from = message.sender.index(), to = message.receiver.index();
        return between_[from] && between_[to] && (touching_[from] || touching_[to])
            && filter_.passes(message);
    }

private:
    std::vector<std::uint8_t> between_, touching_;
    std::optional<TimeSpan> span_;
    MessageFilter filter_;
};

}  // namespace

Result<FoundCalls> findCalls(const Experiment& experiment, const CallSearch& wantedCalls, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, fmt::format("{} holds no single calls.", experiment.name));
    const std::vector<std::uint8_t> wanted = wantedPaths(experiment, wantedCalls.regions);
    const std::vector<LocationId> locations = searchedLocations(*experiment.trace, wantedCalls);
    std::vector<FoundCalls> found(locations.size());
    std::atomic<bool> complete = true;
    const bool all = parallelFor(locations.size(), task, [&](std::size_t which) {
        const CallIntervals& calls = experiment.trace->locations[locations[which].index()].intervals;
        if (!search(calls, wanted, locations[which], wantedCalls, task, found[which])) complete = false;
    });
    if (!all || !complete) return cancelled();
    FoundCalls result;
    Best<FoundCall, decltype(&longer)> best(wantedCalls.limit, &longer);
    for (const FoundCalls& part : found) {
        result.total += part.total;
        for (const FoundCall& call : part.longest) best.offer(call);
    }
    result.longest = best.take();
    return result;
}

Result<FoundMessages> findMessages(const Experiment& experiment, const MessageSearch& search,
                                   const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, fmt::format("{} holds no messages.", experiment.name));
    const Column<Message>& messages = experiment.trace->messages;
    const auto slower = [&](std::uint32_t a, std::uint32_t b) {
        const TimeNs left = messages[a].receiveTime - messages[a].sendTime;
        const TimeNs right = messages[b].receiveTime - messages[b].sendTime;
        return left != right ? left > right : a < b;
    };
    FoundMessages found;
    Best<std::uint32_t, decltype(slower)> best(search.limit, slower);
    const WantedMessage wanted(experiment, search);
    for (std::uint32_t index = 0; index < messages.size(); ++index) {
        if (index % kSearchedBetweenStopChecks == 0 && task.stopRequested()) return cancelled();
        if (!wanted(messages[index])) continue;
        ++found.total;
        best.offer(index);
    }
    found.slowest = best.take();
    return found;
}

}  // namespace skein
