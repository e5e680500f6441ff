// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <map>

namespace skein::comm_matrix_of_test {

using test::randomExperiment;

namespace {

using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>>;

Sums sumsOf(const Experiment& experiment, TimeSpan span)
{
    Sums sums;
    for (const Message& message : experiment.trace->messages) {
        if (!span.contains(message.sendTime)) continue;
        const auto sender = static_cast<std::uint32_t>(experiment.definitions.location(message.sender).rank);
        const auto receiver =
            static_cast<std::uint32_t>(experiment.definitions.location(message.receiver).rank);
        auto& [count, bytes] = sums[{sender, receiver}];
        ++count;
        bytes += message.bytes;
    }
    return sums;
}

Sums sumsOf(const CommMatrix& matrix)
{
    Sums sums;
    for (const CommMatrix::Entry& entry : matrix.entries())
        sums[{entry.sender, entry.receiver}] = {entry.messages, entry.bytes};
    return sums;
}

}  // namespace

TEST_CASE("a trace's sends become the communication matrix of its ranks")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.processes = 5, .threadsPerProcess = 2});
        const auto matrix = commMatrixOf(experiment, {}, Task()).value();
        CHECK(matrix->ranks() == 5);
        CHECK(sumsOf(*matrix) == sumsOf(experiment, {0, experiment.trace->extent.end + 1}));
        const TimeSpan window{100, 700};
        CHECK(sumsOf(*commMatrixOf(experiment, window, Task()).value()) == sumsOf(experiment, window));
    }
}

TEST_CASE("time bins share the messages out, each to the part its send lies in")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment = randomExperiment(seed);
        const TimeSpan span{37, 37 + 100 + static_cast<TimeNs>(seed) * 13};
        const std::size_t bins = 1 + seed % 7 * 29;
        const auto matrices = commMatrixBins(experiment, span, bins, Task()).value();
        REQUIRE(matrices.size() == bins);
        for (std::size_t i = 0; i < bins; ++i) {
            const auto edge = [&](std::size_t bin) {
                return span.begin + span.lengthNs() * static_cast<TimeNs>(bin) / static_cast<TimeNs>(bins);
            };
            CHECK(sumsOf(matrices[i]) == sumsOf(experiment, {edge(i), edge(i + 1)}));
        }
    }
    CHECK_FALSE(commMatrixBins(randomExperiment(1), {0, 10}, 0, Task()));
    CHECK_FALSE(commMatrixBins(randomExperiment(1), {10, 10}, 3, Task()));
}

TEST_CASE("what has no communication says so")
{
    Experiment experiment;
    experiment.name = "empty";
    CHECK(commMatrixOf(experiment, {}, Task()).error().message.starts_with("empty holds no communication"));
    experiment.commMatrix =
        std::make_shared<const CommMatrix>(2, std::vector<CommMatrix::Entry>{{0, 1, 2, 3}});
    CHECK(commMatrixOf(experiment, {}, Task()).value()->totalBytes() == 3);
    CHECK(commMatrixOf(experiment, TimeSpan{0, 1}, Task()).error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("without ranks the locations are numbered")
{
    Definitions definitions;
    definitions.locations.resize(3);
    CHECK(ranksOfLocations(definitions) == std::vector<std::int64_t>{0, 1, 2});
    definitions.locations[1].rank = 7;
    CHECK(ranksOfLocations(definitions) == std::vector<std::int64_t>{-1, 7, -1});
}

}  // namespace skein::comm_matrix_of_test
