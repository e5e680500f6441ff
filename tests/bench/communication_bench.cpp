// SPDX-License-Identifier: GPL-3.0-or-later
// Brushing the timeline: who sends how much to whom in a span of ten million messages, and what it makes of
// the links of a machine. SKEIN_BENCH_MESSAGES is another number of messages.
#include "core/session/experiment.h"
#include "views/common/scene/data/session_communication.h"

#include <benchmark/benchmark.h>

#include <cstdlib>

namespace skein {
namespace {

constexpr std::uint32_t kRanks = 4096;

/// Every rank sends to its neighbours in three dimensions and to some others, in turn.
SessionPtr sessionOfManyMessages()
{
    const char* wanted = std::getenv("SKEIN_BENCH_MESSAGES");
    const std::size_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 10'000'000;
    constexpr std::uint32_t kOffsets[] = {1,    4095, 16,  4080, 256, 3840, 17, 273,
                                          2048, 1024, 512, 3,    5,   77,   99};
    std::vector<Message> messages(count);
    for (std::size_t i = 0; i < count; ++i) {
        Message& message = messages[i];
        const auto sender = static_cast<std::uint32_t>(i * 2654435761u % kRanks);
        message.sender = LocationId(sender);
        message.receiver = LocationId((sender + kOffsets[i / kRanks % std::size(kOffsets)]) % kRanks);
        message.sendTime = static_cast<TimeNs>(i) * 100;
        message.receiveTime = message.sendTime + 5'000;
        message.bytes = 1000 + i % 977;
    }
    auto trace = std::make_shared<Trace>();
    trace->extent = {0, static_cast<TimeNs>(count) * 100};
    trace->messages = Column<Message>(std::move(messages));
    Experiment experiment;
    experiment.trace = trace;
    experiment.definitions.locations.resize(kRanks);
    auto session = std::make_shared<Session>();
    session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    return session;
}

const SessionPtr& manyMessagesOpen()
{
    static const SessionPtr session = sessionOfManyMessages();
    return session;
}

void SumMessagesUp(benchmark::State& state)
{
    for (auto _ : state)
        benchmark::DoNotOptimize(MessageSums::create(manyMessagesOpen()->experiments[0]->trace, {}, Task()));
}
BENCHMARK(SumMessagesUp)->Unit(benchmark::kMillisecond)->Iterations(1);

/// Every span is another one, so that nothing is remembered but the sums.
void brush(benchmark::State& state, const MachineChoice& machine)
{
    ResultStore results;
    const SessionPtr& session = manyMessagesOpen();
    CommunicationRequest request;
    request.machine = machine;
    const auto held = communicationOf(results, session, request, Task());
    const TimeNs length = session->experiments[0]->trace->extent.end;
    TimeNs shift = 0;
    for (auto _ : state) {
        shift += 12'345;
        request.span = TimeSpan{length / 10 + shift, length * 9 / 10 - shift};
        benchmark::DoNotOptimize(communicationOf(results, session, request, Task()));
    }
}

void BrushMatrix(benchmark::State& state) { brush(state, {}); }
BENCHMARK(BrushMatrix)->Unit(benchmark::kMillisecond);

void BrushLinkLoads(benchmark::State& state) { brush(state, {.topology = "torus:16x16x16"}); }
BENCHMARK(BrushLinkLoads)->Unit(benchmark::kMillisecond);

/// Sizes, and what was sent over time, of eight hundred ranks that are dragged over: message by message.
void BrushPartOfRanks(benchmark::State& state)
{
    ResultStore results;
    const SessionPtr& session = manyMessagesOpen();
    const auto sums = messageSumsOf(results, *session->experiments[0], {}, Task()).value();
    CommunicationRequest request;
    for (std::uint32_t rank = 100; rank < 900; ++rank) request.locations.push_back({0, LocationId(rank)});
    const CountedMessages counted = countedMessages(*session, request);
    const TimeNs length = session->experiments[0]->trace->extent.end;
    const TimeSpan span{length / 10, length * 9 / 10};
    if (state.range(0) == 0)
        for (auto _ : state) benchmark::DoNotOptimize(sums->sizes(span, counted));
    else
        for (auto _ : state) benchmark::DoNotOptimize(sums->overTime(span, 400, counted));
}
BENCHMARK(BrushPartOfRanks)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skein
