// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/replay_messages.h"

#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>

namespace skein::replay_messages_test {
namespace {

const LinkSpeed kSpeed{1000.0, 0.25};

struct Case {
    Topology topology;
    LinkPaths paths;
    std::vector<ReplayMessage> messages;

    Replay replay(std::uint32_t concurrent = 1) const
    {
        return replayMessages(topology, paths, messages, {kSpeed, concurrent}, Task()).value();
    }
};

/// A message from node to node by dimension order, for each of these.
struct Sent {
    std::uint32_t sender;
    VertexIndex from;
    VertexIndex to;
    std::uint64_t bytes;
};

Case caseOf(const std::string& spec, const std::vector<Sent>& sent)
{
    Case made{makeTopology(spec).value(), {}, {}};
    std::vector<NodePair> pairs;
    for (const Sent& message : sent) {
        made.messages.push_back({message.sender, static_cast<std::uint32_t>(pairs.size()), message.bytes});
        pairs.push_back({message.from, message.to, 1, message.bytes});
    }
    made.paths = routePairs(made.topology, usualRouting(made.topology), pairs, nullptr, Task()).value();
    return made;
}

/// The same rule, with every rate worked out anew at every event and nothing kept up to date.
double slowSeconds(const Case& given, std::uint32_t concurrent)
{
    struct State {
        double left;
        double starts;  ///< when the latency is over; infinity before it is sent
        bool done;
    };
    constexpr double kNever = std::numeric_limits<double>::infinity();
    std::vector<State> states;
    for (const ReplayMessage& message : given.messages)
        states.push_back({static_cast<double>(message.bytes), kNever, false});
    const auto hops = [&](std::size_t i) { return given.paths[given.messages[i].route].size(); };
    double now = 0;
    while (true) {
        std::map<std::uint32_t, std::uint32_t> underWay;
        for (std::size_t i = 0; i < states.size(); ++i) {
            std::uint32_t& count = underWay[given.messages[i].sender];
            if (states[i].done) continue;
            if (states[i].starts == kNever && (concurrent == 0 || count < concurrent)) {
                states[i].starts = now + static_cast<double>(hops(i)) * kSpeed.latencySeconds;
                if (hops(i) == 0 || given.messages[i].bytes == 0) states[i].done = true;
            }
            if (!states[i].done && states[i].starts != kNever) ++count;
        }
        std::map<LinkIndex, double> onLink;
        for (std::size_t i = 0; i < states.size(); ++i)
            if (!states[i].done && states[i].starts <= now)
                for (const LinkIndex link : given.paths[given.messages[i].route])
                    onLink[link] += 1.0 / static_cast<double>(hops(i));
        double next = kNever;
        std::vector<double> rates(states.size(), 0);
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (states[i].done) continue;
            if (states[i].starts > now) {
                next = std::min(next, states[i].starts);
                continue;
            }
            rates[i] = kNever;
            for (const LinkIndex link : given.paths[given.messages[i].route])
                rates[i] =
                    std::min(rates[i], kSpeed.bytesPerSecond / static_cast<double>(hops(i)) / onLink[link]);
            next = std::min(next, now + states[i].left / rates[i]);
        }
        if (next == kNever) return now;
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (rates[i] == 0) continue;
            states[i].left -= rates[i] * (next - now);
            if (states[i].left <= 1e-6) states[i].done = true;
        }
        now = next;
    }
}

}  // namespace

TEST_CASE("a message takes the latency of its links and its bytes over the bandwidth")
{
    const Replay replay = caseOf("mesh:4", {{0, 0, 3, 2000}}).replay();
    CHECK(replay.seconds == Approx(3 * 0.25 + 2.0));
    CHECK(replay.maxLinkSeconds == Approx(2.0));
}

TEST_CASE("two messages share a link, and the longer one has it alone at the end")
{
    const Replay replay = caseOf("mesh:2", {{0, 0, 1, 1000}, {1, 0, 1, 3000}}).replay();
    CHECK(replay.seconds == Approx(0.25 + 4.0));
    CHECK(replay.maxLinkSeconds == Approx(4.0));
}

TEST_CASE("a sender sends one after the other, unless more may be under way")
{
    const Case given = caseOf("mesh:3", {{0, 1, 0, 1000}, {0, 1, 2, 1000}});
    CHECK(given.replay(1).seconds == Approx(2 * (0.25 + 1.0)));
    CHECK(given.replay(2).seconds == Approx(0.25 + 1.0));
    CHECK(given.replay(0).seconds == Approx(0.25 + 1.0));
}

TEST_CASE("messages inside a node and empty ones take no time")
{
    const Case given = caseOf("mesh:2", {{0, 0, 0, 5000}, {0, 0, 1, 0}, {0, 0, 1, 1000}});
    CHECK(given.replay().seconds == Approx(0.25 + 1.0));
    CHECK(caseOf("mesh:2", {}).replay().seconds == 0);
}

TEST_CASE("random messages take what rates that are worked out anew at every event give")
{
    std::mt19937 random(7);
    for (const char* spec : {"mesh:3x3", "torus:4x3", "hamming:3x3", "fattree:k=2,n=3"}) {
        for (std::uint32_t concurrent : {1u, 2u, 0u}) {
            const std::uint32_t nodes = makeTopology(spec).value().nodes();
            std::vector<Sent> sent;
            for (std::uint32_t rank = 0; rank < nodes; ++rank)
                for (std::uint32_t i = random() % 6; i > 0; --i)
                    sent.push_back({rank, rank, static_cast<VertexIndex>(random() % nodes), random() % 5000});
            const Case given = caseOf(spec, sent);
            INFO(spec << ", " << concurrent << " under way");
            const Replay replay = given.replay(concurrent);
            CHECK(replay.seconds == Approx(slowSeconds(given, concurrent)).epsilon(1e-6));
            CHECK(replay.seconds >= replay.maxLinkSeconds);
            CHECK(replay.seconds == given.replay(concurrent).seconds);
        }
    }
}

TEST_CASE("a replay refuses what it cannot mean")
{
    const Case given = caseOf("mesh:2", {{0, 0, 1, 1}, {1, 0, 1, 1}, {0, 0, 1, 1}});
    const auto error = [&](const Case& from, const LinkSpeed& speed) {
        return replayMessages(from.topology, from.paths, from.messages, {speed, 1}, Task()).error().message;
    };
    CHECK(error(given, kSpeed) == "Messages of one sender have to follow each other.");
    CHECK(error(given, {0.0, 0.1}) == "The bandwidth of a link is a number above 0.");
    CHECK(error(given, {1.0, -0.1}) == "The latency of a link is a number that is not below 0.");
    Case lost = caseOf("mesh:2", {{0, 0, 1, 1}});
    lost.messages[0].route = 1;
    CHECK(error(lost, kSpeed) == "A message names a route that there is not.");
}

}  // namespace skein::replay_messages_test
