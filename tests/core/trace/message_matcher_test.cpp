// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/message_matcher.h"
#include "tests/support/catch.h"

#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

namespace skein::message_matcher_test {

namespace {

struct Traffic {
    std::vector<std::vector<Message>> sends;
    std::vector<std::vector<PostedReceive>> receives;
    std::vector<std::uint32_t> processes;

    MessageRecords records()
    {
        MessageRecords records;
        for (auto& rows : sends) records.sends.push_back(rows);
        for (const auto& rows : receives) records.receives.push_back(rows);
        records.processes = processes;
        return records;
    }
};

Traffic randomTraffic(std::uint32_t locations, std::uint32_t threadsPerProcess, int messages, unsigned seed)
{
    std::mt19937 random(seed);
    Traffic traffic{
        std::vector<std::vector<Message>>(locations), std::vector<std::vector<PostedReceive>>(locations), {}};
    for (std::uint32_t location = 0; location < locations; ++location)
        traffic.processes.push_back(location / threadsPerProcess);
    for (int time = 0; time < messages; ++time) {
        const std::uint32_t from = random() % locations, to = random() % locations;
        const CommunicatorId communicator(random() % 2);
        const std::uint32_t tag = random() % 3;
        // Partners are named by the first location of their process.
        const LocationId receiver(to / threadsPerProcess * threadsPerProcess);
        const LocationId sender(from / threadsPerProcess * threadsPerProcess);
        if (random() % 10)
            traffic.sends[from].push_back({time, kNoTime, random() % 99, LocationId(from), receiver,
                                           communicator, tag, kNoInterval, kNoInterval});
        if (random() % 10) traffic.receives[to].push_back({time, time + 5, 7, sender, communicator, tag, 3});
    }
    return traffic;
}

/// Matches by the rule itself: one queue a (communicator, sender, receiver, tag), filled in the order of
/// time.
std::vector<std::vector<Message>> bruteForce(Traffic traffic)
{
    using Key = std::tuple<CommunicatorId, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<Key, std::vector<std::tuple<TimeNs, std::size_t, Message*>>> sends;
    std::map<Key, std::vector<std::tuple<TimeNs, std::size_t, const PostedReceive*>>> receives;
    for (std::size_t location = 0; location < traffic.sends.size(); ++location) {
        const std::uint32_t own = traffic.processes[location];
        for (Message& send : traffic.sends[location])
            sends[{send.communicator, own, traffic.processes[send.receiver.index()], send.tag}].emplace_back(
                send.sendTime, location, &send);
        for (const PostedReceive& receive : traffic.receives[location])
            receives[{receive.communicator, traffic.processes[receive.sender.index()], own, receive.tag}]
                .emplace_back(receive.posted, location, &receive);
    }
    for (auto& [key, queue] : sends) {
        auto& takers = receives[key];
        std::sort(queue.begin(), queue.end());
        std::sort(takers.begin(), takers.end());
        for (std::size_t index = 0; index < std::min(queue.size(), takers.size()); ++index) {
            Message& send = *std::get<2>(queue[index]);
            send.receiveTime = std::get<2>(takers[index])->completed;
            send.receiver = LocationId(std::get<1>(takers[index]));
        }
    }
    return std::move(traffic.sends);
}

}  // namespace

TEST_CASE("Messages are matched first in first out per communicator, sender, receiver and tag")
{
    const auto threads = GENERATE(1u, 3u);
    const auto seed = GENERATE(1u, 2u, 3u);
    Traffic traffic = randomTraffic(6, threads, 3000, seed);
    const auto expected = bruteForce(traffic);
    const auto unmatched = matchMessages(traffic.records(), Task({}, {}, 2));
    REQUIRE(unmatched);
    std::size_t matched = 0, receives = 0;
    for (std::size_t location = 0; location < 6; ++location) {
        receives += traffic.receives[location].size();
        for (std::size_t row = 0; row < traffic.sends[location].size(); ++row) {
            REQUIRE(traffic.sends[location][row].receiveTime == expected[location][row].receiveTime);
            REQUIRE(traffic.sends[location][row].receiver == expected[location][row].receiver);
            matched += traffic.sends[location][row].matched();
        }
    }
    REQUIRE(matched + unmatched->size() == receives);
    REQUIRE(matched > 100);
}

TEST_CASE("Receives that were cancelled vanish and those that never completed stay unmatched")
{
    Traffic traffic = randomTraffic(2, 1, 0, 1);
    traffic.sends[0].push_back(
        {10, kNoTime, 8, LocationId(0), LocationId(1), CommunicatorId(0), 4, 0, kNoInterval});
    traffic.receives[1] = {{kNoTime, kNoTime, 0, {}, {}, 0, 0},
                           {3, kNoTime, 0, {}, {}, 0, 0},
                           {4, 20, 8, LocationId(0), CommunicatorId(0), 4, 9}};
    const auto unmatched = matchMessages(traffic.records(), Task());
    REQUIRE(unmatched->size() == 1);
    REQUIRE(unmatched->front().receiveTime == 3);
    REQUIRE(!unmatched->front().sender.valid());
    REQUIRE(traffic.sends[0][0].receiveTime == 20);
    REQUIRE(traffic.sends[0][0].receiveInterval == 9);
}

TEST_CASE("Partners that are unknown leave a message unmatched")
{
    Traffic traffic = randomTraffic(1, 1, 0, 1);
    traffic.sends[0].push_back(
        {10, kNoTime, 8, LocationId(0), LocationId(), CommunicatorId(0), 4, 0, kNoInterval});
    traffic.receives[0].push_back({4, 20, 8, LocationId(77), CommunicatorId(0), 4, 9});
    REQUIRE(matchMessages(traffic.records(), Task())->size() == 1);
    REQUIRE(!traffic.sends[0][0].matched());
}

TEST_CASE("Threads of a group are one process and a location without a group is one of its own")
{
    Definitions definitions;
    definitions.locationGroups.resize(2);
    definitions.locations.resize(4);
    definitions.locations[0].group = definitions.locations[2].group = LocationGroupId(1);
    definitions.locations[3].group = LocationGroupId(0);
    REQUIRE(processesOf(definitions) == std::vector<std::uint32_t>{0, 1, 0, 2});
}

}  // namespace skein::message_matcher_test
