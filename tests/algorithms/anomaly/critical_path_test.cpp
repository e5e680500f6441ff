// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/critical_path.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/small_session.h"

#include <map>
#include <random>

namespace skein::critical_path_test {

using test::Call;

namespace {

/// What a rank of a random program does next.
struct Step {
    enum Kind { Compute, Send, Receive, Barrier } kind = Compute;
    std::string function;  ///< of Compute; empty: nothing is recorded
    TimeNs length = 0;     ///< of Compute; even
    std::size_t peer = 0;
};
using Program = std::vector<std::vector<Step>>;

// A send takes no time: one that takes some while its receive begins looks as if it had waited for it.
constexpr TimeNs kSendNs = 0, kReceiveNs = 6, kBarrierNs = 10;

/// Steps that everybody can finish: a message is sent before, or while, it is received.
Program randomProgram(std::uint64_t seed, std::size_t ranks, int rounds)
{
    std::mt19937_64 random(seed);
    Program program(ranks);
    for (int round = 0; round < rounds; ++round) {
        for (auto& steps : program)
            for (std::uint64_t i = random() % 3; i-- > 0;)
                steps.push_back(
                    {Step::Compute, "f" + std::to_string(random() % 3), TimeNs(2 * (1 + random() % 60)), 0});
        if (random() % 4 == 0) {
            for (auto& steps : program) steps.push_back({Step::Barrier, "", 0, 0});
            continue;
        }
        const std::size_t from = random() % ranks, to = (from + 1 + random() % (ranks - 1)) % ranks;
        program[from].push_back({Step::Send, "", 0, to});
        program[to].push_back({Step::Receive, "", 0, from});
    }
    for (auto& steps : program) steps.push_back({Step::Barrier, "", 0, 0});
    return program;
}

struct Played {
    std::vector<std::vector<Call>> calls;
    std::vector<Message> messages;
    std::vector<std::vector<CollectiveMember>> barriers;
    TimeNs length = 0;
};

/// Plays a program step by step: whoever can go on, does.
Played play(const Program& program)
{
    Played played;
    played.calls.resize(program.size());
    std::vector<std::size_t> next(program.size(), 0);
    std::vector<TimeNs> now(program.size(), 0);
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Message>> sent;
    const auto call = [&](std::size_t rank, const std::string& name, TimeNs end) {
        played.calls[rank].push_back({now[rank], end, name, 0});
        now[rank] = end;
    };
    const auto atBarrier = [&](std::size_t rank) {
        return next[rank] < program[rank].size() && program[rank][next[rank]].kind == Step::Barrier;
    };
    for (bool progress = true; progress;) {
        progress = false;
        for (std::size_t rank = 0; rank < program.size(); ++rank)
            while (next[rank] < program[rank].size()) {
                const Step& step = program[rank][next[rank]];
                if (step.kind == Step::Barrier) break;
                if (step.kind == Step::Compute && step.function.empty()) now[rank] += step.length;
                else if (step.kind == Step::Compute) call(rank, step.function, now[rank] + step.length);
                else if (step.kind == Step::Send) {
                    Message message;
                    message.sender = LocationId(rank);
                    message.receiver = LocationId(step.peer);
                    message.sendTime = now[rank];
                    message.sendInterval = static_cast<std::uint32_t>(played.calls[rank].size());
                    sent[{rank, step.peer}].push_back(message);
                    call(rank, "MPI_Send", now[rank] + kSendNs);
                } else {
                    auto& waiting = sent[{step.peer, rank}];
                    if (waiting.empty()) break;
                    Message message = waiting.front();
                    waiting.erase(waiting.begin());
                    message.receiveInterval = static_cast<std::uint32_t>(played.calls[rank].size());
                    const TimeNs end = std::max(now[rank], message.sendTime) + kReceiveNs;
                    message.receiveTime = end - 1;
                    played.messages.push_back(message);
                    call(rank, "MPI_Recv", end);
                }
                ++next[rank];
                progress = true;
            }
        bool all = true;
        for (std::size_t rank = 0; rank < program.size(); ++rank) all = all && atBarrier(rank);
        if (!all) continue;
        const TimeNs end = *std::max_element(now.begin(), now.end()) + kBarrierNs;
        std::vector<CollectiveMember> members;
        for (std::size_t rank = 0; rank < program.size(); ++rank) {
            CollectiveMember member;
            member.begin = now[rank];
            member.end = end;
            member.location = LocationId(rank);
            member.interval = static_cast<std::uint32_t>(played.calls[rank].size());
            members.push_back(member);
            call(rank, "MPI_Barrier", end);
            ++next[rank];
        }
        played.barriers.push_back(members);
        progress = true;
    }
    for (std::size_t rank = 0; rank < program.size(); ++rank) {
        REQUIRE(next[rank] == program[rank].size());
        played.length = std::max(played.length, now[rank]);
    }
    return played;
}

ExperimentPtr experimentOf(const Played& played)
{
    test::ExperimentBuilder builder("program");
    for (const auto& calls : played.calls) builder.process("node", calls);
    for (const char* name : {"MPI_Send", "MPI_Recv", "MPI_Barrier"}) builder.paradigm(name, Paradigm::Mpi);
    Experiment experiment = *builder.finish();
    Trace trace = *experiment.trace;
    trace.messages = Column<Message>(std::vector<Message>(played.messages));
    std::vector<CollectiveOperation> operations;
    std::vector<CollectiveMember> members;
    for (const auto& barrier : played.barriers) {
        CollectiveOperation operation;
        operation.kind = CollectiveKind::Barrier;
        operation.firstMember = members.size();
        operation.memberCount = static_cast<std::uint32_t>(barrier.size());
        operations.push_back(operation);
        members.insert(members.end(), barrier.begin(), barrier.end());
    }
    trace.collectives = Column<CollectiveOperation>(std::move(operations));
    trace.collectiveMembers = Column<CollectiveMember>(std::move(members));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return std::make_shared<const Experiment>(std::move(experiment));
}

TimeNs lengthWithHalf(Program program, const std::string& function)
{
    for (auto& steps : program)
        for (Step& step : steps)
            if (step.function == function) step.length /= 2;
    return play(program).length;
}

}  // namespace

TEST_CASE("the critical path is as long as the run, and gains are those of a run with shorter calls")
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        const Program program = randomProgram(seed, 2 + seed % 4, 25);
        const Played played = play(program);
        const ExperimentPtr experiment = experimentOf(played);
        const FunctionsOfCalls functions(*experiment);
        const auto path = criticalPath(*experiment, functions, 100, Task());
        REQUIRE(path.has_value());
        CHECK_FALSE(path->contradiction);
        CHECK(path->contradictions == 0);
        CHECK(path->lengthNs == played.length);
        for (std::size_t i = 0; i < path->pieces.size(); ++i) {
            const TimeNs before = i == 0 ? 0 : path->pieces[i - 1].span.end;
            CHECK(path->pieces[i].span.begin == before);
        }
        TimeNs onPath = 0;
        for (const CriticalFunction& each : path->functions) {
            onPath += each.criticalNs;
            const std::string name = experiment->definitions.regions[each.function].name;
            if (!name.starts_with("f")) continue;
            CHECK(each.gainNs == played.length - lengthWithHalf(program, name));
            CHECK(each.gainNs <= each.criticalNs / 2);
        }
        CHECK(onPath == played.length);
    }
}

TEST_CASE("what no call covers is on the critical path by itself, and everything adds up to its length")
{
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        Program program = randomProgram(seed, 2 + seed % 4, 12);
        std::mt19937_64 random(seed + 1000);
        for (auto& steps : program)
            for (std::size_t i = 0; i < steps.size(); i += 1 + random() % 4)
                steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(i),
                             {Step::Compute, "", TimeNs(2 * (random() % 40)), 0});
        const Played played = play(program);
        const ExperimentPtr experiment = experimentOf(played);
        const auto path = criticalPath(*experiment, FunctionsOfCalls(*experiment), 0, Task());
        REQUIRE(path.has_value());
        TimeNs before = 0, outside = 0, inside = 0;
        for (const PathPiece& piece : path->pieces) {
            const auto& calls = played.calls[piece.location.index()];
            const bool covered = std::any_of(calls.begin(), calls.end(), [&](const Call& each) {
                return each.begin < piece.span.end && each.end > piece.span.begin;
            });
            CHECK(covered == (piece.call != kNoInterval));
            const bool first = !covered && piece.span.end <= calls.front().begin;
            (covered ? inside : first ? before : outside) += piece.span.lengthNs();
        }
        CHECK(path->beforeCallsNs == before);
        CHECK(path->outsideCallsNs == outside);
        TimeNs functions = 0;
        for (const CriticalFunction& each : path->functions) functions += each.criticalNs;
        CHECK(functions == inside);
        CHECK(functions + path->beforeCallsNs + path->outsideCallsNs == path->lengthNs);
        CHECK(path->lengthNs == played.length);
    }
}

TEST_CASE("a process with several threads is one process of a critical path, ranks or not")
{
    for (const bool ranked : {true, false}) {
        test::ExperimentBuilder builder("threads");
        builder.process("node", {{10, 90, "f", 0}}).thread({{20, 60, "g", 0}}).thread({});
        builder.process("node", {{0, 100, "f", 0}}).thread({{0, 50, "g", 0}});
        Experiment experiment = *builder.finish();
        if (!ranked)
            for (Location& each : experiment.definitions.locations) each.rank = -1;
        const auto path = criticalPath(experiment, FunctionsOfCalls(experiment), 0, Task());
        REQUIRE(path.has_value());
        CHECK(path->processes == 2);
        CHECK(path->threads == 4);
        CHECK(path->processesOnPath == 1);
        CHECK(path->threadsOnPath == 1);
        REQUIRE(path->functions.size() == 1);
        CHECK(path->functions[0].averageNs == 90.0);  // (80 + 100) / 2
    }
}

TEST_CASE("shortening a call that is not on the path gains nothing, and one on it shortens the run")
{
    // Rank 1 works 100, rank 0 only 40; both meet.
    const Program program{{{Step::Compute, "f0", 40, 0}, {Step::Barrier, "", 0, 0}},
                          {{Step::Compute, "f1", 100, 0}, {Step::Barrier, "", 0, 0}}};
    const ExperimentPtr experiment = experimentOf(play(program));
    const auto path = criticalPath(*experiment, FunctionsOfCalls(*experiment), 10, Task());
    REQUIRE(path.has_value());
    REQUIRE(path->functions.size() == 2);
    const CriticalFunction& f1 = path->functions[0];
    CHECK(experiment->definitions.regions[f1.function].name == "f1");
    CHECK(f1.criticalNs == 100);
    CHECK(f1.averageNs == 50.0);
    CHECK(f1.imbalanceNs == 50.0);
    CHECK(f1.costNs == 100.0);
    CHECK(f1.gainNs == 50);
    CHECK(path->pieces.front().location == LocationId(1u));
}

TEST_CASE("random traces with clocks that contradict end in a path or say so")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {.processes = 5, .messages = 200});
        const auto path = criticalPath(experiment, FunctionsOfCalls(experiment), 3, Task());
        REQUIRE(path.has_value());
        CHECK(path->lengthNs <= experiment.trace->extent.end);
        if (path->contradiction) continue;
        CHECK(std::any_of(experiment.trace->locations.begin(), experiment.trace->locations.end(),
                          [&](const LocationTrace& each) { return each.extent.end == path->lengthNs; }));
    }
    CHECK_FALSE(criticalPath(Experiment(), FunctionsOfCalls(Experiment()), 1, Task()).has_value());
}

}  // namespace skein::critical_path_test
