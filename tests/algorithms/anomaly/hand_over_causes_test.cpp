// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/hand_over_causes.h"
#include "algorithms/anomaly/workflow_causes.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"

namespace skein::hand_over_causes_test {

using test::Call;
using test::ExperimentBuilder;

namespace {

constexpr TimeNs kStep = 2000, kDelay = 3000;
constexpr int kSteps = 40, kOdd = 20;

/// A simulation whose rank 1 is slow once; both ranks meet at a barrier, then rank 0 writes.
ExperimentPtr simulation()
{
    ExperimentBuilder builder("sim");
    for (int rank = 0; rank < 2; ++rank) {
        std::vector<Call> calls;
        for (int i = 0; i < kSteps; ++i) {
            const TimeNs begin = i * kStep + (i > kOdd ? kDelay : 0), late = i == kOdd ? kDelay : 0;
            const TimeNs jitter = (i * 7 + rank * 3) % 5;
            calls.push_back({begin, begin + 1500 + late, "step", 0});
            calls.push_back({begin + 10, begin + 700 + jitter + (rank == 1 ? late : 0), "work", 1});
            calls.push_back({begin + 720 + (rank == 1 ? late : 0), begin + 1000 + late, "MPI_Barrier", 1});
            calls.push_back({begin + 1100 + late, begin + 1300 + late, "put", 1});
        }
        builder.process("node", calls);
    }
    builder.paradigm("MPI_Barrier", Paradigm::Mpi);
    return builder.finish();
}

/// An analysis that gets a step when it was written.
ExperimentPtr analysis()
{
    std::vector<Call> calls;
    for (int i = 0; i < kSteps; ++i) {
        const TimeNs begin = i * kStep + (i > kOdd ? kDelay : 0), late = i == kOdd ? kDelay : 0;
        calls.push_back({begin, begin + 1600 + late, "analyse", 0});
        calls.push_back({begin + 1200, begin + 1400 + late, "get", 1});
    }
    return ExperimentBuilder("ana").process("node", calls).finish();
}

std::vector<HandOver> handOvers()
{
    std::vector<HandOver> all;
    for (int i = 0; i < kSteps; ++i) {
        const TimeNs begin = i * kStep + (i > kOdd ? kDelay : 0), late = i == kOdd ? kDelay : 0;
        HandOver one;
        one.consumer = 1;
        one.from = one.to = LocationId(0);
        one.written = {begin + 1100 + late, begin + 1300 + late};
        one.waited = {begin + 1200, begin + 1300 + late};
        one.readEnd = begin + 1400 + late;
        one.output = static_cast<std::uint32_t>(i);
        all.push_back(one);
    }
    return all;
}

}  // namespace

TEST_CASE("a program that waits for data waits for what made the writer late, in another program and rank")
{
    const ExperimentPtr sim = simulation(), ana = analysis();
    const auto foundSim = findAnomalies(*sim, {}, Task()), foundAna = findAnomalies(*ana, {}, Task());
    REQUIRE(foundSim.has_value());
    REQUIRE(foundAna.has_value());
    const std::vector<JudgedProgram> programs{{sim.get(), &*foundSim}, {ana.get(), &*foundAna}};
    const auto all = handOvers();
    // The odd call of analyse is number 2 · 20 of its location.
    const auto links = handOverCauses(programs, all, {1, LocationId(0), 2 * kOdd});
    REQUIRE(links.size() == 2);
    CHECK(links[0].waiting == IntervalRef{1, LocationId(0), 2 * kOdd + 1});
    CHECK(links[0].cause == IntervalRef{0, LocationId(0), 4 * kOdd + 3});
    CHECK(links[0].attributedNs == 0);
    // The barrier of rank 0 waited for work of rank 1.
    CHECK(links[1].waiting == IntervalRef{0, LocationId(0), 4 * kOdd + 2});
    CHECK(links[1].cause == IntervalRef{0, LocationId(1), 4 * kOdd + 1});
    CHECK(links[1].attributedNs > kDelay * 9 / 10);
    CHECK(links[1].attributedNs <= all[kOdd].waited.lengthNs());
    CHECK(links[0].throughNs == links[1].attributedNs);
}

TEST_CASE("usual hand-overs have no links, nor have programs without a trace or another clock")
{
    const ExperimentPtr sim = simulation(), ana = analysis();
    const auto foundSim = findAnomalies(*sim, {}, Task()), foundAna = findAnomalies(*ana, {}, Task());
    const std::vector<JudgedProgram> programs{{sim.get(), &*foundSim}, {ana.get(), &*foundAna}};
    const auto all = handOvers();
    for (const std::uint32_t step : {3U, 19U, 21U, 39U})
        CHECK(handOverCauses(programs, all, {1, LocationId(0), 2 * step}).empty());
    CHECK(handOverCauses(programs, all, {0, LocationId(0), 4 * kOdd}).empty());
    CHECK(handOverCauses(programs, {}, {1, LocationId(0), 2 * kOdd}).empty());
    const std::vector<JudgedProgram> alone{{nullptr, nullptr}, {ana.get(), &*foundAna}};
    CHECK(handOverCauses(alone, all, {1, LocationId(0), 2 * kOdd}).empty());
    CHECK(handOverCauses(programs, all, {7, LocationId(0), 0}).empty());
}

TEST_CASE("calls that waited for another program's anomaly are its consequences, and their callers too")
{
    const ExperimentPtr sim = simulation(), ana = analysis();
    const auto foundSim = findAnomalies(*sim, {}, Task()), foundAna = findAnomalies(*ana, {}, Task());
    const std::vector<JudgedProgram> programs{{sim.get(), &*foundSim}, {ana.get(), &*foundAna}};
    const auto all = handOvers();
    const WorkflowCauses causes(programs, all), apart(programs, {});
    CHECK(causes.any());
    CHECK_FALSE(apart.any());
    const auto placeOf = [](const FoundAnomalies& found, LocationId location, std::uint32_t call) {
        for (std::uint32_t i = 0; i < found.calls.size(); ++i)
            if (found.calls[i].location == location && found.calls[i].call == call) return i;
        return kNoCause;
    };
    const std::uint32_t work = placeOf(*foundSim, LocationId(1), 4 * kOdd + 1);
    const std::uint32_t get = placeOf(*foundAna, LocationId(0), 2 * kOdd + 1);
    const std::uint32_t analyse = placeOf(*foundAna, LocationId(0), 2 * kOdd);
    REQUIRE(work != kNoCause);
    REQUIRE(get != kNoCause);
    REQUIRE(analyse != kNoCause);
    CHECK(apart.labelOf({1, get}) == AnomalyLabel::Anomaly);
    CHECK(causes.labelOf({1, get}) == AnomalyLabel::Consequence);
    CHECK(causes.labelOf({1, analyse}) == AnomalyLabel::Consequence);
    CHECK(apart.causeOf({1, get}) == WorkflowCall{1, get});
    CHECK(apart.causeOf({1, analyse}) == WorkflowCall{1, get});
    for (const std::uint32_t of : {get, analyse}) CHECK(causes.causeOf({1, of}) == WorkflowCall{0, work});
    CHECK(causes.labelOf({0, work}) == AnomalyLabel::Anomaly);
    CHECK(causes.causeOf({0, work}) == WorkflowCall{0, work});
    CHECK_FALSE(causes.causeOf({2, 0}).has_value());
    CHECK(causes.labelOf({1, 100'000}) == AnomalyLabel::Normal);
}

TEST_CASE("a call that was slow itself stays an anomaly, whatever it read")
{
    // The analysis has lost more than the data were late.
    std::vector<Call> calls;
    for (int i = 0; i < kSteps; ++i) {
        const TimeNs begin = i * 2 * kStep;
        calls.push_back({begin, begin + 1600 + (i == kOdd ? 3 * kDelay : 0), "get", 0});
    }
    const ExperimentPtr slow = ExperimentBuilder("slow").process("node", calls).finish();
    const ExperimentPtr sim = simulation();
    const auto foundSim = findAnomalies(*sim, {}, Task()), foundSlow = findAnomalies(*slow, {}, Task());
    auto all = handOvers();
    for (HandOver& each : all) {
        const TimeNs begin = each.output * 2 * kStep;
        each.waited = {begin + 10, begin + 20 + (each.output == kOdd ? kDelay : 0)};
        each.readEnd = each.waited.end;
    }
    const std::vector<JudgedProgram> programs{{sim.get(), &*foundSim}, {slow.get(), &*foundSlow}};
    REQUIRE(foundSlow->anomalies == 1);
    REQUIRE_FALSE(handOverCauses(programs, all, {1, LocationId(0), kOdd}).empty());
    const WorkflowCauses causes(programs, all);
    CHECK(causes.labelOf({1, 0}) == AnomalyLabel::Anomaly);
    CHECK(causes.causeOf({1, 0}) == WorkflowCall{1, 0});
}

}  // namespace skein::hand_over_causes_test
