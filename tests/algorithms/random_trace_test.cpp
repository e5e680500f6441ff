// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>

namespace skein::random_trace_test {

namespace {

void checkNesting(const CallIntervals& calls, const CallTree& tree)
{
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        REQUIRE(calls.depth[i] <= open.size());
        open.resize(calls.depth[i]);
        REQUIRE(calls.begin[i] <= calls.end[i]);
        REQUIRE((i == 0 || calls.begin[i - 1] <= calls.begin[i]));
        const CallPathId node(calls.callPath[i]);
        if (open.empty()) REQUIRE_FALSE(tree.parent(node).valid());
        else {
            REQUIRE(tree.parent(node).value() == calls.callPath[open.back()]);
            REQUIRE(calls.begin[open.back()] <= calls.begin[i]);
            REQUIRE(calls.end[i] <= calls.end[open.back()]);
        }
        open.push_back(i);
    }
}

}  // namespace

TEST_CASE("a random experiment keeps the promises of a trace")
{
    std::uint64_t unmatchedSends = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.threadsPerProcess = 2, .regionsPerProcess = seed % 2 == 1});
        const Trace& trace = *experiment.trace;
        REQUIRE(trace.locations.size() == 8);
        for (const LocationTrace& location : trace.locations) {
            checkNesting(location.intervals, *experiment.callTree);
            CHECK(location.extent.united(trace.extent) == trace.extent);
        }
        CHECK(trace.extent.begin == 0);
        CHECK(std::is_sorted(trace.messages.begin(), trace.messages.end(),
                             [](const Message& a, const Message& b) { return a.sendTime < b.sendTime; }));
        for (const Message& message : trace.messages)
            if (message.sendInterval != kNoInterval)
                CHECK(trace.locations[message.sender.index()]
                          .intervals.span(message.sendInterval)
                          .contains(message.sendTime));
        unmatchedSends += trace.unmatchedSendCount();
    }
    CHECK(unmatchedSends > 0);
}

}  // namespace skein::random_trace_test
