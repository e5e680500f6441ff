// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/find_anomalies.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cstring>

namespace skein::early_anomalies_test {
namespace {

using Told = std::vector<std::shared_ptr<const FoundAnomalies>>;

FoundAnomalies judgedWith(const Experiment& experiment, const AnomalyParams& params, int threads, Told* told)
{
    EarlyAnomalies hear;
    if (told) hear = [told](std::shared_ptr<const FoundAnomalies> known) { told->push_back(known); };
    auto found = findAnomalies(experiment, params, Task({}, {}, threads), hear);
    REQUIRE(found.has_value());
    return std::move(*found);
}

bool sameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool sameCall(const JudgedCall& a, const JudgedCall& b)
{
    return a.location == b.location && a.call == b.call && a.function == b.function
        && a.callIndex == b.callIndex && a.begin == b.begin && a.durationNs == b.durationNs
        && a.ownNs == b.ownNs && sameBits(a.score, b.score) && a.severityNs == b.severityNs
        && a.costNs == b.costNs && a.label == b.label && a.reason == b.reason && a.feature == b.feature
        && a.cause == b.cause;
}

void checkSame(const FoundAnomalies& a, const FoundAnomalies& b)
{
    CHECK(a.anomalies == b.anomalies);
    CHECK(std::equal(a.calls.begin(), a.calls.end(), b.calls.begin(), b.calls.end(), sameCall));
    CHECK(a.delayOf == b.delayOf);
    CHECK(a.delays.costs() == b.delays.costs());
    CHECK(a.waits->states.size() == b.waits->states.size());
    CHECK(sameBits(a.share, b.share));
}

/// What is told early of an anomaly is what is said of it in the end, but for its cost.
void checkEarly(const FoundAnomalies& early, const FoundAnomalies& all)
{
    CHECK(early.share > 0.0);
    CHECK(early.share < 1.0);
    CHECK(all.share == 1.0);
    REQUIRE(early.anomalies == all.anomalies);
    for (std::size_t i = 0; i < early.anomalies; ++i) {
        JudgedCall last = all.calls[i];
        last.costNs = 0;
        CHECK(sameCall(early.calls[i], last));
    }
    // Consequences that need no waits are there, and stay.
    CHECK(early.calls.size() <= all.calls.size());
    for (std::size_t i = early.anomalies; i < early.calls.size(); ++i)
        CHECK(std::any_of(all.calls.begin(), all.calls.end(),
                          [&](const JudgedCall& last) { return sameCall(last, early.calls[i]); }));
    CHECK(early.waits->states.empty());
    CHECK(early.delays.costs().empty());
    CHECK(early.functions.size() == all.functions.size());
}

}  // namespace

TEST_CASE("the anomalies are told before waits are followed, and the end is the same bits for any listener")
{
    const auto opened = openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
    REQUIRE(opened.has_value());
    std::vector<AnomalyParams> params(2);
    params[1].features = AnomalyFeatures::Time;
    params[1].chosen = {CallFeature::Exclusive, CallFeature::Waiting};  // waits are found first
    for (const AnomalyParams& each : params) {
        const FoundAnomalies alone = judgedWith(**opened, each, 1, nullptr);
        REQUIRE(alone.anomalies > 0);
        for (const int threads : {1, 2, 5}) {
            Told told;
            const FoundAnomalies all = judgedWith(**opened, each, threads, &told);
            checkSame(all, alone);
            REQUIRE(told.size() == 1);
            checkEarly(*told.front(), all);
        }
    }
}

TEST_CASE("of random traces what is told early agrees with the end")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.threadsPerProcess = 2, .regions = 3, .intervalsPerLocation = 300});
        Told told;
        const FoundAnomalies all = judgedWith(experiment, {}, 2, &told);
        REQUIRE(told.size() == 1);
        checkEarly(*told.front(), all);
    }
}

}  // namespace skein::early_anomalies_test
