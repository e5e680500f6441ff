// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/collective_expansion.h"
#include "algorithms/comm/collective_schedule.h"
#include "tests/support/catch.h"

#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace skein::collective_schedule_test {
namespace {

using A = CollectiveAlgorithm;
constexpr A kAll[] = {A::Binomial,          A::Bruck, A::Default, A::Dissemination, A::Pairwise,
                      A::RecursiveDoubling, A::Ring};

struct Hop {
    std::uint32_t from;
    std::uint32_t to;
    std::uint64_t bytes;
};

std::vector<Hop> expanded(const CollectiveCall& call, A algorithm)
{
    std::vector<Hop> messages;
    expandCollective(call, algorithm, [&](std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
        messages.push_back({from, to, bytes});
    });
    for (const Hop& message : messages) {
        REQUIRE(message.from < call.ranks);
        REQUIRE(message.to < call.ranks);
        REQUIRE(message.from != message.to);
    }
    return messages;
}

std::uint64_t total(const std::vector<Hop>& messages)
{
    std::uint64_t sum = 0;
    for (const Hop& message : messages) sum += message.bytes;
    return sum;
}

std::vector<std::uint64_t> receivedBy(const std::vector<Hop>& messages, std::uint32_t ranks)
{
    std::vector<std::uint64_t> received(ranks, 0);
    for (const Hop& message : messages) received[message.to] += message.bytes;
    return received;
}

/// Whose data may have reached whom when messages happen in order.
std::vector<std::set<std::uint32_t>> knownBy(const std::vector<Hop>& messages, std::uint32_t ranks)
{
    std::vector<std::set<std::uint32_t>> known(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) known[rank] = {rank};
    for (const Hop& message : messages)
        known[message.to].insert(known[message.from].begin(), known[message.from].end());
    return known;
}

std::vector<std::uint64_t> blocks(std::uint32_t ranks)
{
    std::vector<std::uint64_t> sizes(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) sizes[rank] = 10 + 7 * rank % 11;
    return sizes;
}

}  // namespace

TEST_CASE("after a broadcast every rank knows the root's data, and each received the vector once")
{
    for (const std::uint32_t p : {2u, 3u, 7u, 8u, 13u, 16u})
        for (const std::uint32_t root : {0u, p - 1})
            for (const A algorithm : kAll)
                for (const std::uint64_t bytes : {100u, 20000u, 600000u}) {
                    INFO(p << " ranks, root " << root << ", " << name(algorithm) << ", " << bytes
                           << " bytes");
                    const CollectiveCall call{CollectiveKind::Broadcast, p, root, {bytes}};
                    const auto messages = expanded(call, algorithm);
                    for (const auto& known : knownBy(messages, p)) CHECK(known.contains(root));
                    for (std::uint32_t rank = 0; rank < p; ++rank)
                        if (rank != root && servingAlgorithm(call, algorithm))
                            CHECK(receivedBy(messages, p)[rank] == bytes);
                }
}

TEST_CASE("reductions and barriers bring every rank's part to all that need it")
{
    for (const std::uint32_t p : {2u, 3u, 5u, 6u, 8u, 12u, 16u})
        for (const A algorithm : kAll)
            for (const std::uint64_t bytes : {64u, 50000u}) {
                INFO(p << " ranks, " << name(algorithm) << ", " << bytes << " bytes");
                std::set<std::uint32_t> everyone;
                for (std::uint32_t rank = 0; rank < p; ++rank) everyone.insert(rank);
                CHECK(knownBy(expanded({CollectiveKind::Reduce, p, 1, {bytes}}, algorithm), p)[1]
                      == everyone);
                for (const CollectiveKind kind :
                     {CollectiveKind::AllReduce, CollectiveKind::Barrier, CollectiveKind::ReduceScatter}) {
                    const std::vector<std::uint64_t> vector =
                        kind == CollectiveKind::Barrier ? std::vector<std::uint64_t>() : std::vector{bytes};
                    for (const auto& known : knownBy(expanded({kind, p, 0, vector}, algorithm), p))
                        CHECK(known == everyone);
                }
            }
}

TEST_CASE("an allgather gives every rank exactly the blocks of the others")
{
    for (const std::uint32_t p : {2u, 3u, 4u, 6u, 8u, 11u, 16u})
        for (const A algorithm : kAll) {
            INFO(p << " ranks, " << name(algorithm));
            const auto sizes = blocks(p);
            const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
            const auto messages = expanded({CollectiveKind::AllGather, p, 0, sizes}, algorithm);
            for (const auto& known : knownBy(messages, p)) CHECK(known.size() == p);
            if (algorithm == A::Binomial) continue;
            const auto received = receivedBy(messages, p);
            for (std::uint32_t rank = 0; rank < p; ++rank) CHECK(received[rank] == all - sizes[rank]);
        }
}

TEST_CASE("gathers and scatters move each block along its path in the tree")
{
    for (const std::uint32_t p : {2u, 5u, 8u, 13u})
        for (const std::uint32_t root : {0u, 1u}) {
            const auto sizes = blocks(p);
            std::uint64_t wanted = 0;
            for (std::uint32_t rank = 0; rank < p; ++rank)
                wanted += sizes[rank] * static_cast<unsigned>(std::popcount((rank + p - root) % p));
            CHECK(total(expanded({CollectiveKind::Gather, p, root, sizes}, A::Binomial)) == wanted);
            CHECK(total(expanded({CollectiveKind::Scatter, p, root, sizes}, A::Binomial)) == wanted);
            const auto direct = expanded({CollectiveKind::GatherV, p, root, sizes}, A::Default);
            CHECK(direct.size() == p - 1);
            CHECK(total(direct)
                  == std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) - sizes[root]);
        }
}

TEST_CASE("an all-to-all by Bruck moves each block once for every bit of its distance")
{
    for (const std::uint32_t p : {2u, 3u, 5u, 8u, 9u, 16u}) {
        const auto sizes = blocks(p);
        std::uint64_t wanted = 0;
        for (std::uint32_t from = 0; from < p; ++from)
            for (std::uint32_t further = 1; further < p; ++further)
                wanted += sizes[from] * static_cast<unsigned>(std::popcount(further));
        CHECK(total(expanded({CollectiveKind::AllToAll, p, 0, sizes}, A::Bruck)) == wanted);
        const auto pairwise = expanded({CollectiveKind::AllToAll, p, 0, sizes}, A::Pairwise);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
        for (const Hop& message : pairwise) pairs[{message.from, message.to}] += message.bytes;
        CHECK(pairs.size() == p * (p - 1));
        for (const auto& [pair, bytes] : pairs) CHECK(bytes == sizes[pair.first]);
    }
}

TEST_CASE("long vectors are reduced with the volume of a ring or of Rabenseifner's halving")
{
    for (const std::uint32_t p : {2u, 4u, 8u, 16u}) {
        const CollectiveCall call{CollectiveKind::AllReduce, p, 0, {48000}};
        CHECK_FALSE(servingAlgorithm(call, A::Default).has_value());
        CHECK(total(expanded(call, A::Default)) == 2 * (p - 1) * std::uint64_t{48000});
        CHECK(total(expanded(call, A::Ring)) == 2 * (p - 1) * std::uint64_t{48000});
        CHECK(total(expanded(call, A::RecursiveDoubling))
              == static_cast<unsigned>(std::countr_zero(p)) * p * std::uint64_t{48000});
    }
    for (const std::uint32_t p : {3u, 6u, 12u}) {
        const auto messages = expanded({CollectiveKind::ReduceScatter, p, 0, {1201}}, A::Pairwise);
        CHECK(total(messages) == (p - 1) * std::uint64_t{1201});
    }
}

TEST_CASE("an all-to-all with different sizes sends in proportion to what the others get")
{
    CollectiveCall call{CollectiveKind::AllToAllV, 4, 0, {100, 0, 50, 50}, {}};
    call.received = {200, 400, 200, 0};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sent;
    expandCollective(call, CollectiveAlgorithm::Default,
                     [&](std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
                         sent[{from, to}] += bytes;
                     });
    CHECK(sent[{0, 1}] == 200);
    CHECK(sent[{0, 2}] == 100);
    CHECK(sent[{0, 3}] == 0);
    CHECK(sent[{2, 0}] == 50);
    CHECK(sent[{3, 1}] == 100);
    CHECK(sent[{1, 0}] == 0);
    call.received = {100, 100, 100, 100};
    sent.clear();
    expandCollective(call, CollectiveAlgorithm::Default,
                     [&](std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
                         sent[{from, to}] += bytes;
                     });
    CHECK(sent[{0, 1}] == 100);
    CHECK(sent[{2, 3}] == 50);
}

TEST_CASE("the default is chosen by operation, size and number of ranks")
{
    const auto chosen = [](CollectiveKind kind, std::uint32_t p, std::vector<std::uint64_t> bytes) {
        return servingAlgorithm({kind, p, 0, std::move(bytes)}, A::Default);
    };
    CHECK(chosen(CollectiveKind::Barrier, 9, {}) == A::Dissemination);
    CHECK(chosen(CollectiveKind::Broadcast, 16, {100}) == A::Binomial);
    CHECK(chosen(CollectiveKind::AllReduce, 16, {8}) == A::RecursiveDoubling);
    CHECK(chosen(CollectiveKind::AllGather, 16, std::vector<std::uint64_t>(16, 10)) == A::RecursiveDoubling);
    CHECK(chosen(CollectiveKind::AllGather, 9, std::vector<std::uint64_t>(9, 10)) == A::Bruck);
    CHECK(chosen(CollectiveKind::AllGather, 9, std::vector<std::uint64_t>(9, 1 << 20)) == A::Ring);
    CHECK(chosen(CollectiveKind::AllToAll, 16, std::vector<std::uint64_t>(16, 8)) == A::Bruck);
    CHECK(chosen(CollectiveKind::AllToAll, 16, std::vector<std::uint64_t>(16, 8192)) == A::Pairwise);
    CHECK_FALSE(chosen(CollectiveKind::CreateHandle, 16, {}).has_value());
    CHECK(expanded({CollectiveKind::CreateHandle, 16, 0, {}}, A::Ring).empty());
    CHECK(expanded({CollectiveKind::AllReduce, 1, 0, {8}}, A::Ring).empty());
    for (const A algorithm : kAll) CHECK(parseCollectiveAlgorithm(name(algorithm)).value() == algorithm);
    CHECK_FALSE(parseCollectiveAlgorithm("magic").has_value());
}

TEST_CASE("collectives of a trace become messages between world ranks of the communicator's members")
{
    Experiment experiment;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        LocationGroup group;
        group.rank = rank;
        experiment.definitions.locationGroups.push_back(group);
        Location location;
        location.rank = rank;
        location.group = LocationGroupId(rank);
        experiment.definitions.locations.push_back(location);
    }
    // World ranks 3 and 1 form the communicator, in this order; 3 broadcasts 50 bytes, twice.
    Communicator communicator;
    communicator.members = {LocationId(3), LocationId(1)};
    experiment.definitions.communicators.push_back(communicator);
    const auto member = [](std::uint32_t location, std::uint64_t sent, std::uint64_t received) {
        CollectiveMember made;
        made.location = LocationId(location);
        made.bytesSent = sent;
        made.bytesReceived = received;
        return made;
    };
    Trace trace;
    CollectiveOperation operation;
    operation.kind = CollectiveKind::Broadcast;
    operation.communicator = CommunicatorId(0);
    operation.root = LocationId(3);
    operation.memberCount = 2;
    operation.begin = 5;
    CollectiveOperation later = operation;
    later.firstMember = 2;
    later.begin = 9;
    trace.collectives = Column<CollectiveOperation>({operation, later});
    trace.collectiveMembers = Column<CollectiveMember>(
        {member(1, 0, 50), member(3, 100, 50), member(1, 0, 50), member(3, 100, 50)});
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    const auto matrix = expandCollectives(experiment, {}, A::Default, Task()).value();
    REQUIRE(matrix.entries().size() == 1);
    CHECK(matrix.entries()[0] == CommMatrix::Entry{3, 1, 2, 100});
    CHECK(expandCollectives(experiment, TimeSpan{0, 6}, A::Default, Task())->totalMessages() == 1);
    CHECK(sumOf(matrix, matrix).totalBytes() == 200);
}

}  // namespace skein::collective_schedule_test
