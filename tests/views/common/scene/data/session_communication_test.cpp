// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_communication.h"

#include "algorithms/comm/collective_expansion.h"
#include "algorithms/comm/comm_matrix_of.h"
#include "core/io/importer.h"
#include "core/machine/topology_spec.h"
#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <map>

namespace skein::session_communication_test {
namespace {

SessionPtr sessionOf(Experiment experiment)
{
    auto session = std::make_shared<Session>();
    session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    return session;
}

SessionPtr sessionOf(std::vector<CommMatrix::Entry> entries, std::uint32_t ranks)
{
    Experiment experiment;
    experiment.name = "sums";
    experiment.commMatrix = std::make_shared<const CommMatrix>(ranks, std::move(entries));
    return sessionOf(std::move(experiment));
}

SessionCommunicationPtr communicationOn(const SessionPtr& session, const CommunicationRequest& request)
{
    ResultStore results;
    return communicationOf(results, session, request, Task()).value();
}

bool same(std::span<const CommMatrix::Entry> a, std::span<const CommMatrix::Entry> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("session communication: a span of a trace is what commMatrixOf makes of it")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const SessionPtr session =
            sessionOf(test::randomExperiment(seed, {.processes = 5, .threadsPerProcess = 2}));
        const Experiment& experiment = *session->experiments[0];
        CommunicationRequest request;
        for (const std::optional<TimeSpan>& span :
             {std::optional<TimeSpan>(), std::optional(TimeSpan{100, 900})}) {
            request.span = span;
            const auto found = communicationOn(session, request);
            CHECK(same(found->matrix->entries(), commMatrixOf(experiment, span, Task()).value()->entries()));
            CHECK(found->timed);
            CHECK(found->note.empty());
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> times;
            const auto ranks = ranksOfLocations(experiment.definitions);
            for (const Message& message : experiment.trace->messages) {
                if (span && !span->contains(message.sendTime)) continue;
                MessageSum one;
                one.add(message);
                times[{static_cast<std::uint32_t>(ranks[message.sender.index()]),
                       static_cast<std::uint32_t>(ranks[message.receiver.index()])}] += one.timeNs;
            }
            REQUIRE(found->timesNs.size() == found->matrix->entries().size());
            for (std::size_t i = 0; i < found->timesNs.size(); ++i) {
                const CommMatrix::Entry& entry = found->matrix->entries()[i];
                CHECK(found->timesNs[i] == times[{entry.sender, entry.receiver}]);
            }
        }
    }
}

TEST_CASE(
    "session communication: what is taken from regions and what is left is told in the heads of the panels")
{
    const auto lulesh = openExperiment(test::sourcePath("examples/lulesh-8/trace-otf2"), Task()).value();
    CommunicationRequest request;
    const auto without = communicationOn(sessionOf(Experiment(*lulesh)), request);
    CHECK(without->note.empty());
    request.machine.collectives = "default";
    const auto with = communicationOn(sessionOf(Experiment(*lulesh)), request);
    CHECK(with->matrix->totalMessages() > without->matrix->totalMessages());
    CHECK(with->note
          == "Collectives: 10 expanded: as MPICH chooses by default, taken from regions as over all ranks; 8 "
             "calls in all are left out: nothing tells their members, root or size.");
}

TEST_CASE("session communication: collective operations are added where they are asked for")
{
    const SessionPtr session = sessionOf(test::randomExperiment(3, {.collectives = 9}));
    const Experiment& experiment = *session->experiments[0];
    CommunicationRequest request;
    request.machine.collectives = "default";
    const auto found = communicationOn(session, request);
    const auto expanded = expandCollectives(experiment, {}, CollectiveAlgorithm::Default, Task()).value();
    const CommMatrix both = sumOf(*commMatrixOf(experiment, {}, Task()).value(), expanded);
    CHECK(expanded.totalMessages() > 0);
    CHECK(same(found->matrix->entries(), both.entries()));
    request.machine.collectives = "wrong";
    ResultStore results;
    CHECK(communicationOf(results, session, request, Task()).error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("session communication: hidden locations neither send nor get")
{
    const SessionPtr session = sessionOf(test::randomExperiment(4));
    CommunicationRequest request;
    request.filters = {locationFilter(FilterEffect::Hide, "Rank 1", {LocationRef{0, LocationId(1)}})};
    const auto found = communicationOn(session, request);
    const auto all = communicationOn(session, {});
    std::vector<CommMatrix::Entry> expected;
    for (const CommMatrix::Entry& entry : all->matrix->entries()) {
        if (entry.sender != 1 && entry.receiver != 1) expected.push_back(entry);
    }
    CHECK(expected.size() < all->matrix->entries().size());
    CHECK(same(found->matrix->entries(), expected));
}

TEST_CASE("session communication: of a scope's locations count messages that one of them sends or gets")
{
    const SessionPtr session = sessionOf(test::randomExperiment(4, {.processes = 6, .messages = 400}));
    const Experiment& experiment = *session->experiments[0];
    CommunicationRequest request;
    request.span = TimeSpan{200, 2'000};
    request.locations = {{0, LocationId(1)}, {0, LocationId(4)}};
    request.filters = {locationFilter(FilterEffect::Hide, "Rank 2", {LocationRef{0, LocationId(2)}})};
    const auto found = communicationOn(session, request);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> bytes;
    for (const Message& message : experiment.trace->messages) {
        const std::uint32_t from = message.sender.value(), to = message.receiver.value();
        const bool known = from < 6 && to < 6 && from != 2 && to != 2;
        if (!known || !request.span->contains(message.sendTime)) continue;
        if (from == 1 || from == 4 || to == 1 || to == 4) bytes[{from, to}] += message.bytes;
    }
    REQUIRE(bytes.size() > 4);
    REQUIRE(found->matrix->entries().size() == bytes.size());
    for (const CommMatrix::Entry& entry : found->matrix->entries())
        CHECK(entry.bytes == bytes[{entry.sender, entry.receiver}]);
    // Single messages of pairs are of the scope, too.
    ResultStore results;
    const std::vector<RankPairRef> outside{{0, 0, 3}}, inside{{0, 0, 4}};
    CHECK(messagesOfPairs(results, *session, request, outside, 9, Task())->count == 0);
    CHECK(messagesOfPairs(results, *session, request, inside, 9, Task())->bytes == bytes[{0, 4}]);
    // Locations of another archive send nothing here.
    request.locations = {{1, LocationId(1)}};
    CHECK(communicationOn(session, request)->matrix->entries().empty());
    // Sums without times know the ranks of the locations.
    Experiment sums = experiment;
    sums.trace = nullptr;
    sums.commMatrix = std::make_shared<const CommMatrix>(
        6, std::vector<CommMatrix::Entry>{{0, 1, 1, 5}, {0, 3, 1, 7}, {4, 5, 1, 11}});
    request = {};
    request.locations = {{0, LocationId(1)}, {0, LocationId(4)}};
    CHECK(communicationOn(sessionOf(std::move(sums)), request)->matrix->totalBytes() == 16);
}

TEST_CASE("session communication: operations have the ends that their messages have")
{
    const SessionPtr session = sessionOf(test::randomExperiment(3, {.messages = 0, .collectives = 9}));
    const Experiment& experiment = *session->experiments[0];
    CommunicationRequest request;
    request.machine.collectives = "default";
    request.locations = {{0, LocationId(2)}};
    const auto found = communicationOn(session, request);
    const auto expanded = expandCollectives(experiment, {}, CollectiveAlgorithm::Default, Task()).value();
    std::vector<CommMatrix::Entry> expected;
    for (const CommMatrix::Entry& entry : expanded.entries())
        if (entry.sender == 2 || entry.receiver == 2) expected.push_back(entry);
    REQUIRE_FALSE(expected.empty());
    CHECK(expected.size() < expanded.entries().size());
    CHECK(same(found->matrix->entries(), expected));
}

TEST_CASE("session communication: a scope is asked for, and searches ask for what is marked alone")
{
    ViewState state;
    state.visible = TimeSpan{10, 20};
    CHECK(communicationRequest(state, scopeOf(state), 0).span == TimeSpan{10, 20});
    CHECK_FALSE(communicationRequest(state, searchedScope(state), 0).span);
    state.brushed = TimeSpan{12, 14};
    state.markedLocations = {{0, LocationId(3)}};
    const auto shown = communicationRequest(state, scopeOf(state), 0);
    CHECK(shown.span == TimeSpan{12, 14});
    CHECK(shown.locations == state.markedLocations);
    const auto searched = communicationRequest(state, searchedScope(state), 0);
    CHECK(searched.span == TimeSpan{12, 14});
    CHECK(searched.locations.empty());
}

TEST_CASE("session communication: filters of messages count in matrix, sums, sizes and the messages of pairs")
{
    const auto session = std::make_shared<const Session>(
        Session{{openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task()).value()}});
    const Experiment& experiment = *session->experiments[0];
    CommunicationRequest request;
    request.span = TimeSpan{0, experiment.trace->extent.end / 2};
    request.filters = {messageFilter(FilterEffect::Keep, *parseAttributeConditions("tag=100|102")),
                       messageFilter(FilterEffect::Hide, *parseAttributeConditions("bytes<4096"))};
    std::uint64_t bytes = 0, messages = 0;
    for (const Message& message : experiment.trace->messages)
        if (message.tag == 100 && request.span->contains(message.sendTime)) {
            bytes += message.bytes;
            ++messages;
        }
    REQUIRE(messages > 0);
    const auto found = communicationOn(session, request);
    CHECK(found->matrix->totalBytes() == bytes);
    CHECK(found->matrix->totalMessages() == messages);
    REQUIRE(found->sums);
    const auto [first, last] = found->sums->sentIn(std::nullopt);
    CHECK(last - first == 1800);
    const auto pair = found->matrix->entries().front();
    ResultStore results;
    const std::vector<RankPairRef> pairs{{0, pair.sender, pair.receiver}};
    const auto ofPair = messagesOfPairs(results, *session, request, pairs, 3, Task());
    REQUIRE(ofPair);
    CHECK(ofPair->count == pair.messages);
    for (const MessageRef& message : ofPair->messages)
        CHECK(experiment.trace->messages[message.index].tag == 100);
    request.machine.collectives = "binomial";
    CHECK(communicationOn(session, request)->matrix->totalBytes() == bytes);
    CHECK(communicationOn(session, request)->note.starts_with("Collectives are left out"));

    const SessionPtr sums = sessionOf({{0, 1, 2, 30}}, 2);
    CommunicationRequest whole;
    whole.filters = request.filters;
    CHECK(communicationOn(sums, whole)->matrix->totalBytes() == 30);
    CHECK(communicationOn(sums, whole)->note.find("no single messages") != std::string::npos);
}

TEST_CASE("session communication: sums without times are shown whole, and say so")
{
    const SessionPtr session = sessionOf({{0, 1, 2, 30}, {1, 0, 1, 5}}, 2);
    CommunicationRequest request;
    request.span = TimeSpan{0, 5};
    const auto found = communicationOn(session, request);
    CHECK(found->matrix->totalBytes() == 35);
    CHECK_FALSE(found->timed);
    CHECK(found->note.starts_with("sums has communication sums over the whole run"));
    CHECK_FALSE(found->machine);
    CHECK(machineText(*found) == "No machine: logical communication only");
}

TEST_CASE("session communication: loads, routes and hops are those of the machine")
{
    const SessionPtr session = sessionOf({{0, 2, 1, 100}, {2, 0, 1, 7}, {1, 3, 1, 50}, {1, 1, 1, 9}}, 4);
    CommunicationRequest request;
    request.machine.topology = "mesh:4";
    const auto found = communicationOn(session, request);
    REQUIRE(found->machine);
    CHECK(found->machineProblem.empty());
    CHECK(found->traffic.hopBytes == 2 * (100 + 7 + 50));
    CHECK(found->traffic.summary.maximum == 150);
    CHECK(found->hopsOf(0, 2) == 2u);
    CHECK(found->hopsOf(1, 1) == 0u);
    CHECK_FALSE(found->hopsOf(0, 3));
    CHECK_FALSE(found->routeOf(0, 9));
    const Topology& topology = *found->machine->topology;
    const LinkRef middle{topology.findLink(1, 2)};
    CHECK(found->traffic.loads[middle.index] == 150);
    CHECK(entriesOver(*found, std::vector{middle}) == std::vector<std::size_t>{0, 2});
    CHECK(entriesOver(*found, {}).empty());
    CHECK(machineText(*found) == "mesh:4 · placement block · 1 rank a node · dimension-order:A");
    request.machine.ranksPerNode = 2;
    CHECK(communicationOn(session, request)->traffic.hopBytes == 100 + 7 + 50);
}

TEST_CASE("session communication: what is wrong with a machine is one sentence and takes no matrix away")
{
    const SessionPtr session = sessionOf({{0, 2, 1, 100}}, 4);
    for (const MachineChoice& wrong :
         {MachineChoice{.topology = "torus:99999x99999"},
          MachineChoice{.topology = "mesh:2", .ranksPerNode = 1},
          MachineChoice{.topology = "mesh:4", .placement = "no/such/file"},
          MachineChoice{.topology = "mesh:4", .routing = "valiant"},
          MachineChoice{.topology = "topology:no/such/file"},
          MachineChoice{.topology = "mesh:4", .routes = "no/such/file"}, MachineChoice{.topology = "what"}}) {
        CommunicationRequest request;
        request.machine = wrong;
        const auto found = communicationOn(session, request);
        CHECK_FALSE(found->machine);
        CHECK((found->machineProblem.ends_with(".") || found->machineProblem.ends_with(")")));
        CHECK(found->matrix->totalBytes() == 100);
        CHECK(machineText(*found) == found->machineProblem);
    }
}

TEST_CASE("session communication: an archive's Cartesian topology is the machine unless one is chosen")
{
    Experiment experiment;
    experiment.name = "grid";
    experiment.commMatrix =
        std::make_shared<const CommMatrix>(4, std::vector<CommMatrix::Entry>{{0, 3, 1, 10}});
    experiment.definitions.topologies.resize(1);
    experiment.definitions.topologies[0].dimensions = {{"x", 2, false}, {"y", 2, false}};
    const SessionPtr session = sessionOf(std::move(experiment));
    CommunicationRequest request;
    const auto assumed = communicationOn(session, request);
    REQUIRE(assumed->machine);
    CHECK(assumed->machine->fromArchive);
    CHECK(assumed->traffic.hopBytes == 20);
    request.machine.topology = "none";
    CHECK_FALSE(communicationOn(session, request)->machine);
}

TEST_CASE("session communication: messages of pairs are found, with the calls that sent them")
{
    const SessionPtr session = sessionOf(test::randomExperiment(8, {.messages = 300}));
    const Trace& trace = *session->experiments[0]->trace;
    const CommunicationRequest request{.span = TimeSpan{200, 2'000}};
    const std::vector<RankPairRef> pairs{{0, 0, 1}, {0, 2, 3}};
    ResultStore results;
    const auto found = messagesOfPairs(results, *session, request, pairs, 3, Task()).value();
    std::uint64_t count = 0, bytes = 0;
    std::map<std::uint32_t, std::uint64_t> byPath;
    for (const Message& message : trace.messages) {
        const std::pair ends(message.sender.value(), message.receiver.value());
        if (!request.span->contains(message.sendTime)
            || (ends != std::pair(0u, 1u) && ends != std::pair(2u, 3u)))
            continue;
        ++count;
        bytes += message.bytes;
        if (message.sendInterval != kNoInterval)
            byPath[trace.locations[ends.first].intervals.callPath[message.sendInterval]] += message.bytes;
    }
    CHECK(count > 3);
    CHECK(found.count == count);
    CHECK(found.bytes == bytes);
    CHECK(found.messages.size() == 3);
    REQUIRE(found.paths.size() == byPath.size());
    for (std::size_t i = 0; i < found.paths.size(); ++i) {
        CHECK(found.paths[i].bytes == byPath[found.paths[i].callPath.value()]);
        CHECK(found.paths[i].share
              == Approx(static_cast<double>(found.paths[i].bytes) / static_cast<double>(bytes)));
        if (i > 0) CHECK(found.paths[i].bytes <= found.paths[i - 1].bytes);
    }
}

TEST_CASE("session communication: two who ask for the same get the same")
{
    const SessionPtr session = sessionOf({{0, 2, 1, 100}}, 4);
    ResultStore results;
    const auto first = communicationOf(results, session, {}, Task()).value();
    CHECK(communicationOf(results, session, {}, Task()).value() == first);
    CHECK(communicatingExperiment(*session) == 0u);
    CHECK_FALSE(communicatingExperiment(*sessionOf(Experiment())));
    CHECK(communicationOf(results, sessionOf(Experiment()), {}, Task()).error().code
          == ErrorCode::NotRecorded);
}

}  // namespace skein::session_communication_test
