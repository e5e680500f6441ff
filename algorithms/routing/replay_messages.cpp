// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/replay_messages.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_set>

namespace skein {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Links that any path takes, numbered without gaps: machines may have many more.
struct UsedLinks {
    std::vector<LinkIndex> links;  ///< sorted

    explicit UsedLinks(const LinkPaths& paths) : links(paths.links)
    {
        std::ranges::sort(links);
        links.erase(std::unique(links.begin(), links.end()), links.end());
    }
    std::uint32_t numberOf(LinkIndex link) const
    {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(links, link) - links.begin());
    }
};

/// A message on its way over a link, and which link of its route that is.
struct Passage {
    std::uint32_t message = 0;
    std::uint32_t hop = 0;
};

struct MovingMessage {
    double bytesLeft = 0;
    double rate = 0;            ///< bytes a second; 0 before the latency is over
    double since = 0;           ///< when bytesLeft was so
    std::uint32_t version = 0;  ///< events of older versions are void
};

struct ReplayEvent {
    double time = 0;
    std::uint32_t message = 0;
    std::uint32_t version = 0;
    bool operator>(const ReplayEvent& other) const
    {
        return time != other.time ? time > other.time : message > other.message;
    }
};

/// The messages of one rank that wait to be sent.
struct SenderQueue {
    std::size_t next = 0;
    std::size_t end = 0;
};

class MessageReplay {
public:
    MessageReplay(const Topology& topology, const LinkPaths& paths, std::span<const ReplayMessage> messages,
                  const ReplayParams& params)
        : paths_(paths),
          messages_(messages),
          params_(params),
          used_(paths),
          moving_(messages.size()),
          firstPlace_(messages.size() + 1, 0),
          onLink_(used_.links.size()),
          touched_(messages.size(), 0)
    {
        for (const LinkIndex link : used_.links)
            capacity_.push_back(static_cast<double>(topology.capacity(link)) * params.speed.bytesPerSecond);
        claims_.resize(used_.links.size(), 0);
        for (const LinkIndex link : paths.links) numbers_.push_back(used_.numberOf(link));
        for (std::size_t i = 0; i < messages.size(); ++i)
            firstPlace_[i + 1] = firstPlace_[i] + paths[messages[i].route].size();
        place_.resize(firstPlace_.back());
    }

    Result<Replay> run(const Task& task)
    {
        startSenders();
        std::size_t steps = 0;
        while (!events_.empty()) {
            if ((++steps & 0xFF) == 0 && task.stopRequested()) return cancelled();
            const double now = events_.top().time;
            while (!events_.empty() && events_.top().time == now) {
                const ReplayEvent event = events_.top();
                events_.pop();
                if (event.version == moving_[event.message].version) happen(event.message, now);
            }
            share(now);
        }
        return Replay{last_, busiest()};
    }

private:
    std::span<const std::uint32_t> linksOf(std::uint32_t message) const
    {
        const std::size_t route = messages_[message].route;
        return std::span(numbers_).subspan(paths_.first[route], paths_[route].size());
    }

    /// Congestion control gives messages on longer ways less.
    double claimOf(std::uint32_t message) const
    {
        return 1.0 / static_cast<double>(paths_[messages_[message].route].size());
    }

    void startSenders()
    {
        for (std::size_t first = 0, end = 0; first < messages_.size(); first = end) {
            while (end < messages_.size() && messages_[end].sender == messages_[first].sender) ++end;
            const auto queue = static_cast<std::uint32_t>(queues_.size());
            queueOf_.resize(end, queue);
            queues_.push_back({first, end});
            const std::size_t atOnce = params_.concurrent == 0 ? end - first : params_.concurrent;
            for (std::size_t i = 0; i < atOnce; ++i) sendNext(queue, 0.0);
        }
    }

    /// Messages that stay in their node, and empty ones, pass in no time, so the next follows at once.
    void sendNext(std::uint32_t queue, double now)
    {
        SenderQueue& waiting = queues_[queue];
        while (waiting.next < waiting.end) {
            const auto message = static_cast<std::uint32_t>(waiting.next++);
            const std::size_t hops = paths_[messages_[message].route].size();
            if (hops == 0 || messages_[message].bytes == 0) continue;
            moving_[message].bytesLeft = static_cast<double>(messages_[message].bytes);
            events_.push({now + static_cast<double>(hops) * params_.speed.latencySeconds, message, 0});
            return;
        }
    }

    /// A message gets on its links when its latency is over, and leaves them when its bytes are through.
    void happen(std::uint32_t message, double now)
    {
        MovingMessage& moving = moving_[message];
        ++moving.version;
        if (moving.rate == 0) {
            moving.since = now;
            enter(message);
            return;
        }
        leave(message);
        moving.bytesLeft = 0;
        last_ = std::max(last_, now);
        sendNext(queueOf_[message], now);
    }

    void enter(std::uint32_t message)
    {
        const auto links = linksOf(message);
        for (std::uint32_t hop = 0; hop < links.size(); ++hop) {
            place_[firstPlace_[message] + hop] = static_cast<std::uint32_t>(onLink_[links[hop]].size());
            onLink_[links[hop]].push_back({message, hop});
            changed_.push_back(links[hop]);
        }
    }

    void leave(std::uint32_t message)
    {
        const auto links = linksOf(message);
        for (std::uint32_t hop = 0; hop < links.size(); ++hop) {
            std::vector<Passage>& passages = onLink_[links[hop]];
            const std::uint32_t place = place_[firstPlace_[message] + hop];
            passages[place] = passages.back();
            place_[firstPlace_[passages[place].message] + passages[place].hop] = place;
            passages.pop_back();
            changed_.push_back(links[hop]);
        }
    }

    /// New rates for all that are on links whose number of messages has changed.
    void share(double now)
    {
        ++round_;
        for (const std::uint32_t link : changed_) {
            claims_[link] = 0;
            for (const Passage& passage : onLink_[link]) claims_[link] += claimOf(passage.message);
        }
        for (const std::uint32_t link : changed_) {
            for (const Passage& passage : onLink_[link]) {
                if (touched_[passage.message] == round_) continue;
                touched_[passage.message] = round_;
                setRate(passage.message, now);
            }
        }
        changed_.clear();
    }

    void setRate(std::uint32_t message, double now)
    {
        double rate = kForever;
        for (const std::uint32_t link : linksOf(message))
            rate = std::min(rate, capacity_[link] * claimOf(message) / claims_[link]);
        MovingMessage& moving = moving_[message];
        if (rate == moving.rate) return;
        moving.bytesLeft = std::max(0.0, moving.bytesLeft - moving.rate * (now - moving.since));
        moving.since = now;
        moving.rate = rate;
        ++moving.version;
        events_.push({now + moving.bytesLeft / rate, message, moving.version});
    }

    double busiest() const
    {
        std::vector<double> bytes(used_.links.size(), 0);
        for (std::uint32_t message = 0; message < messages_.size(); ++message)
            for (const std::uint32_t link : linksOf(message))
                bytes[link] += static_cast<double>(messages_[message].bytes);
        double most = 0;
        for (std::size_t link = 0; link < bytes.size(); ++link)
            most = std::max(most, bytes[link] / capacity_[link]);
        return most;
    }

    const LinkPaths& paths_;
    std::span<const ReplayMessage> messages_;
    ReplayParams params_;
    UsedLinks used_;
    std::vector<double> capacity_;        ///< bytes a second, a used link
    std::vector<double> claims_;          ///< sum of those of the messages on it, a used link
    std::vector<std::uint32_t> numbers_;  ///< of the used links, as paths_.links
    std::vector<MovingMessage> moving_;
    std::vector<std::size_t> firstPlace_;  ///< of a message's links in place_
    std::vector<std::uint32_t> place_;     ///< where the message stands in onLink_
    std::vector<std::vector<Passage>> onLink_;
    std::vector<SenderQueue> queues_;
    std::vector<std::uint32_t> queueOf_;
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint64_t> touched_;
    std::uint64_t round_ = 0;
    double last_ = 0;
    std::priority_queue<ReplayEvent, std::vector<ReplayEvent>, std::greater<>> events_;
};

std::string problemOfReplay(const LinkPaths& paths, std::span<const ReplayMessage> messages,
                            const LinkSpeed& speed)
{
    if (!(speed.bytesPerSecond > 0) || !std::isfinite(speed.bytesPerSecond))
        return "The bandwidth of a link is a number above 0.";
    if (!(speed.latencySeconds >= 0) || !std::isfinite(speed.latencySeconds))
        return "The latency of a link is a number that is not below 0.";
    std::unordered_set<std::uint32_t> senders;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (messages[i].route >= paths.size()) return "A message names a route that there is not.";
        const bool another = i == 0 || messages[i].sender != messages[i - 1].sender;
        if (another && !senders.insert(messages[i].sender).second)
            return "Messages of one sender have to follow each other.";
    }
    return {};
}

}  // namespace

Result<Replay> replayMessages(const Topology& topology, const LinkPaths& paths,
                              std::span<const ReplayMessage> messages, const ReplayParams& params,
                              const Task& task)
{
    const std::string problem = problemOfReplay(paths, messages, params.speed);
    if (!problem.empty()) return fail(ErrorCode::InvalidArgument, problem);
    return MessageReplay(topology, paths, messages, params).run(task);
}

}  // namespace skein
