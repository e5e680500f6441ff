// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_verdicts.h"
#include "algorithms/anomaly/provenance.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"

#include <nlohmann/json.hpp>

namespace skein::call_verdicts_test {

using test::Call;
using test::ExperimentBuilder;

namespace {

/// Calls of `work` of about 1000 ns, in calls of `step`; numbers 10, 20, 30 last 5000, 6000 and 7000 ns.
struct Steps {
    ExperimentPtr experiment;
    FoundAnomalies found;

    Steps()
    {
        ExperimentBuilder builder("steps");
        std::vector<Call> calls;
        TimeNs now = 0;
        for (int i = 0; i < 60; ++i) {
            const bool odd = i == 10 || i == 20 || i == 30;
            const TimeNs length = odd ? 4000 + 100 * i : 1000 + i % 5;
            calls.push_back({now, now + length + 20, "step", 0});
            calls.push_back({now + 10, now + 10 + length, "work", 1});
            now += length + 40;
        }
        builder.process("node", calls);
        experiment = builder.finish();
        auto judged = findAnomalies(*experiment, {}, Task());
        REQUIRE(judged.has_value());
        found = std::move(*judged);
    }

    static SaidOfCall said(std::uint32_t step, AnomalyLabel label)
    {
        return {LocationId(0), 2 * step + 1, label};
    }
    /// Of the call of `work` in a step.
    AnomalyLabel labelOf(const CallVerdicts& verdicts, std::uint32_t step, std::uint32_t inner = 1) const
    {
        AnomalyLabel label = AnomalyLabel::Normal;
        forEachJudgedCall(
            *experiment, found, {},
            [&](const JudgedCall& call) {
                if (call.call == 2 * step + inner) label = verdicts.labelOf(found, call);
                return true;
            },
            Task());
        return label;
    }
};

}  // namespace

TEST_CASE("what was said of a call counts for it, and for what is only long because of it")
{
    const Steps steps;
    REQUIRE(steps.found.anomalies == 3);
    const SaidOfCall said[]{Steps::said(10, AnomalyLabel::Normal),
                            Steps::said(3, AnomalyLabel::Anomaly),
                            {LocationId(9), 0, AnomalyLabel::Anomaly}};
    const CallVerdicts verdicts(*steps.experiment, steps.found, said, Teaching::None);
    CHECK(verdicts.unknown() == 1);
    CHECK(steps.labelOf(verdicts, 10) == AnomalyLabel::Normal);
    CHECK(steps.labelOf({}, 10, 0) == AnomalyLabel::Consequence);
    CHECK(steps.labelOf(verdicts, 10, 0) == AnomalyLabel::Normal);
    CHECK(steps.labelOf(verdicts, 3) == AnomalyLabel::Anomaly);
    CHECK(steps.labelOf(verdicts, 20) == AnomalyLabel::Anomaly);
    CHECK(steps.labelOf(verdicts, 4) == AnomalyLabel::Normal);
}

TEST_CASE("verdicts teach where the limit of a function lies, unless they contradict each other")
{
    const Steps steps;
    const SaidOfCall normal[]{Steps::said(20, AnomalyLabel::Normal)};
    const CallVerdicts higher(*steps.experiment, steps.found, normal, Teaching::Limits);
    CHECK(steps.labelOf(higher, 10) == AnomalyLabel::Normal);  // shorter than one that is normal
    CHECK(steps.labelOf(higher, 30) == AnomalyLabel::Anomaly);
    const SaidOfCall odd[]{Steps::said(3, AnomalyLabel::Anomaly)};  // 1003 ns, above the median of 1002
    const CallVerdicts lower(*steps.experiment, steps.found, odd, Teaching::Limits);
    CHECK(steps.labelOf(lower, 8) == AnomalyLabel::Anomaly);
    CHECK(steps.labelOf(lower, 9) == AnomalyLabel::Anomaly);
    CHECK(steps.labelOf(lower, 7) == AnomalyLabel::Normal);
    const SaidOfCall both[]{Steps::said(20, AnomalyLabel::Normal), Steps::said(3, AnomalyLabel::Anomaly)};
    const CallVerdicts neither(*steps.experiment, steps.found, both, Teaching::Limits);
    CHECK(steps.labelOf(neither, 10) == AnomalyLabel::Anomaly);
    CHECK(steps.labelOf(neither, 8) == AnomalyLabel::Normal);
    CHECK(steps.labelOf(neither, 20) == AnomalyLabel::Normal);
}

TEST_CASE("provenance records tell what was said")
{
    const Steps steps;
    const SaidOfCall said[]{Steps::said(10, AnomalyLabel::Normal), Steps::said(3, AnomalyLabel::Anomaly)};
    const CallVerdicts verdicts(*steps.experiment, steps.found, said, Teaching::None);
    const auto document = nlohmann::json::parse(provenanceJson(*steps.experiment, steps.found, {}, verdicts));
    REQUIRE(document["anomalies"].size() == 4);
    std::size_t odd = 0, told = 0;
    for (const auto& record : document["anomalies"]) {
        odd += record["is_anomaly"].get<bool>();
        told += record.contains("user_verdict");
        if (record["event_id"] == "0:0:21") CHECK(record["user_verdict"] == "normal");
        if (record["event_id"] == "0:0:7") CHECK(record["user_verdict"] == "anomaly");
    }
    CHECK(odd == 3);
    CHECK(told == 2);
    const auto plain = nlohmann::json::parse(provenanceJson(*steps.experiment, steps.found, {}));
    CHECK(plain["anomalies"].size() == 3);
}

}  // namespace skein::call_verdicts_test
