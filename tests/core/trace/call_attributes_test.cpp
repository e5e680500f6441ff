// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that are left under another name than they were entered with: whose leave it is, is told by the
// attributes of both events, else by every enter having its leave.
#include "core/trace/event_attributes.h"
#include "core/trace/trace_builder.h"
#include "tests/support/catch.h"

#include <random>
#include <string>

namespace skein::call_attributes_test {
namespace {

struct Step {
    char kind;  ///< '+' enter, '-' leave, '.' anything else
    int region;
    Tick time;
    std::vector<RecordedAttribute> attributes;
};

/// One location that recorded these steps.
struct Story {
    Definitions definitions;
    ImportReport report;
    FinishedTrace finished;
    bool balanced = false;
    std::uint64_t dropped = 0;

    explicit Story(const std::vector<Step>& steps, UnknownLeaves unknown = UnknownLeaves::Drop)
    {
        definitions.locations.emplace_back().kind = LocationKind::CpuThread;
        for (int region = 0; region < 8; ++region)
            definitions.regions.emplace_back().name = std::string(1, static_cast<char>('a' + region));
        for (const char* name : {"GUID", "Parent GUID", "count"})
            definitions.attributes.push_back({name, "", AttributeType::Unsigned});
        TraceBuilder builder(1);
        LocationTraceBuilder& location = builder[LocationId(0)];
        location.setUnknownLeaves(unknown);
        for (const Step& step : steps) {
            const Tick now = location.record(step.time);
            location.attach(step.attributes);
            if (step.kind == '+') location.enter(now, RegionId(step.region));
            if (step.kind == '-') location.leave(now, RegionId(step.region));
            location.keepAttributes(now);
        }
        balanced = location.balances();
        dropped = location.droppedLeaves();
        finished = finishTrace(std::move(builder), definitions, report, Task()).value();
    }

    const LocationTrace& location() const { return finished.trace->locations[0]; }
    /// "region begin-end" of every call.
    std::string calls() const
    {
        const CallIntervals& calls = location().intervals;
        std::string text;
        for (std::size_t index = 0; index < calls.size(); ++index)
            text += definitions.region(finished.callTree->region(CallPathId(calls.callPath[index]))).name
                + " " + std::to_string(calls.begin[index]) + "-" + std::to_string(calls.end[index]) + "; ";
        return text;
    }
    /// "call:attribute=value@time event" of every row.
    std::string rows() const
    {
        std::string text;
        for (const EventAttribute& row : location().attributes)
            text += (row.interval == kNoInterval ? "none" : std::to_string(row.interval)) + ":"
                + nameOf(definitions, row) + "=" + valueText(definitions, row) + "@"
                + std::to_string(row.time) + " " + std::string(name(row.event)) + "; ";
        return text;
    }
    std::string issues() const
    {
        std::string text;
        for (const Issue& issue : report.issues())
            text += std::string(describe(issue.kind).name) + " " + std::to_string(issue.count) + " ("
                + issue.detail + "); ";
        return text;
    }
};

std::vector<RecordedAttribute> task(std::uint64_t guid, std::uint64_t parent)
{
    return {{0, guid}, {1, parent}};
}

}  // namespace

TEST_CASE("A leave under another name ends the call that has its attributes, which keeps its name")
{
    const Story story({{'+', 0, 0, task(1, 0)},
                       {'+', 1, 10, task(2, 1)},
                       {'-', 2, 20, task(2, 1)},
                       {'-', 3, 30, task(1, 0)}});
    CHECK(story.calls() == "a 0-30; b 10-20; ");
    CHECK(story.issues() == "renamed call 2 (b left as c at 20 ns); ");
    CHECK(story.rows()
          == "0:GUID=1@0 enter and leave; 0:Parent GUID=0@0 enter and leave; "
             "1:GUID=2@10 enter and leave; 1:Parent GUID=1@10 enter and leave; ");
}

TEST_CASE(
    "Attributes of a leave that differ from the enter's are kept beside them, others with what they tell")
{
    const Story story({{'.', 0, 0, {{2, 4}}},
                       {'+', 0, 1, {{0, 1}, {2, 5}}},
                       {'.', 0, 2, {{2, 6}}},
                       {'+', 1, 3, {}},
                       {'.', 0, 4, {{2, 7}}},
                       {'-', 1, 5, {{2, 8}}},
                       {'-', 0, 6, {{0, 1}, {2, 9}}}});
    CHECK(story.rows()
          == "0:GUID=1@1 enter and leave; 0:count=5@1 enter; 0:count=6@2 other; 0:count=9@6 leave; "
             "1:count=7@4 other; 1:count=8@5 leave; none:count=4@0 other; ");
    CHECK(attributesOf(story.location(), 1).size() == 2);
    CHECK(attributesOf(story.location(), kNoInterval).size() == 1);
    CHECK(attributesOf(story.location(), 7).empty());
}

TEST_CASE("A leave of a region that is open ends another call where only that one has its attributes")
{
    const Story story({{'+', 0, 0, task(1, 0)},
                       {'+', 1, 10, task(2, 1)},
                       {'-', 0, 20, task(2, 1)},
                       {'-', 0, 30, task(1, 0)}});
    CHECK(story.calls() == "a 0-30; b 10-20; ");
    CHECK(story.issues() == "renamed call 1 (b left as a at 20 ns); ");
}

TEST_CASE("A call below others that is left under another name takes them along")
{
    const Story story({{'+', 0, 0, task(1, 0)},
                       {'+', 1, 10, task(2, 1)},
                       {'-', 5, 20, task(1, 0)},
                       {'+', 2, 30, task(3, 0)},
                       {'-', 2, 40, task(3, 0)}});
    CHECK(story.calls() == "a 0-20; b 10-20; c 30-40; ");
    CHECK(story.report.count(IssueKind::RenamedCall) == 1);
    CHECK(story.report.count(IssueKind::LeaveOutOfOrder) == 1);
}

TEST_CASE("Attributes that are the same everywhere give a leave to no call")
{
    const std::vector<Step> steps{{'+', 0, 0, {{2, 7}}}, {'-', 1, 10, {{2, 7}}}, {'-', 0, 20, {{2, 7}}}};
    const Story story(steps);
    CHECK(story.calls() == "a 0-20; ");
    CHECK(story.report.count(IssueKind::LeaveWithoutEnter) == 1);
    CHECK_FALSE(story.balanced);
}

TEST_CASE("A leave whose attributes no call has ends none")
{
    const Story story({{'+', 0, 0, task(1, 0)},
                       {'-', 0, 5, task(1, 0)},
                       {'+', 0, 10, task(2, 0)},
                       {'-', 1, 20, task(3, 0)},
                       {'-', 0, 30, task(2, 0)}});
    CHECK(story.calls() == "a 0-5; a 10-30; ");
    CHECK(story.report.count(IssueKind::LeaveWithoutEnter) == 1);
    CHECK(story.rows().find("GUID=3@20 other") != std::string::npos);
}

TEST_CASE("The innermost call is not ended by a leave that has another call's attributes")
{
    const std::vector<Step> steps{
        {'+', 0, 0, task(1, 0)}, {'-', 0, 5, task(1, 0)}, {'+', 0, 10, task(2, 0)}, {'-', 1, 20, task(3, 0)}};
    CHECK(Story(steps, UnknownLeaves::EndInnermost).report.count(IssueKind::RenamedCall) == 0);
}

TEST_CASE("An attribute that changes while calls last does not say whose leave it is")
{
    std::vector<Step> steps;
    for (std::uint64_t call = 0; call < 12; ++call) {
        steps.push_back({'+', 0, call * 10, {{0, call}, {2, call}}});
        steps.push_back({'-', 0, call * 10 + 5, {{0, call}, {2, call + 1}}});
    }
    steps.push_back({'+', 1, 200, {{0, 50}, {2, 12}}});
    steps.push_back({'+', 2, 210, {{0, 51}, {2, 13}}});
    steps.push_back({'-', 7, 220, {{0, 51}, {2, 14}}});
    steps.push_back({'-', 6, 230, {{0, 50}, {2, 15}}});
    const Story story(steps);
    CHECK(story.calls().ends_with("b 200-230; c 210-220; "));
    CHECK(story.report.count(IssueKind::RenamedCall) == 2);
}

TEST_CASE("Without attributes a leave under another name ends the innermost call where that is asked for")
{
    const std::vector<Step> steps{{'+', 0, 0, {}}, {'+', 1, 10, {}}, {'-', 2, 20, {}}, {'-', 3, 30, {}}};
    const Story dropped(steps);
    CHECK(dropped.balanced);
    CHECK(dropped.dropped == 2);
    CHECK(dropped.calls() == "a 0-30; b 10-30; ");
    const Story ended(steps, UnknownLeaves::EndInnermost);
    CHECK(ended.calls() == "a 0-30; b 10-20; ");
    CHECK(ended.issues() == "renamed call 2 (b left as c at 20 ns); ");
    const Story tooMany({{'-', 0, 0, {}}, {'+', 1, 10, {}}});
    CHECK_FALSE(tooMany.balanced);
}

TEST_CASE("Any nesting of renamed calls comes out as it was made, by attributes and by balance")
{
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
        std::vector<Step> honest, renamed, plain;
        std::vector<std::pair<int, std::uint64_t>> open;
        const int steps = 2 + static_cast<int>(random() % 60);
        std::uint64_t next = 1;
        for (int step = 0; step < steps || !open.empty(); ++step) {
            const Tick time = static_cast<Tick>(step) * 10;
            if (step < steps && (open.empty() || random() % 2 == 0)) {
                const int region = static_cast<int>(random() % 4);
                const auto marks = task(next, open.empty() ? 0 : open.back().second);
                open.emplace_back(region, next++);
                for (auto* story : {&honest, &renamed, &plain}) story->push_back({'+', region, time, marks});
            } else {
                const auto [region, guid] = open.back();
                open.pop_back();
                const auto marks = task(guid, open.empty() ? 0 : open.back().second);
                // Names that no call is entered with.
                const int other = random() % 3 == 0 ? 4 + static_cast<int>(random() % 4) : region;
                honest.push_back({'-', region, time, marks});
                for (auto* story : {&renamed, &plain}) story->push_back({'-', other, time, marks});
            }
        }
        for (Step& step : plain) step.attributes.clear();
        const Story expected(honest);
        CHECK(Story(renamed, UnknownLeaves::EndInnermost).calls() == expected.calls());
        CHECK(Story(plain, UnknownLeaves::EndInnermost).calls() == expected.calls());
        if (Story(renamed).dropped == 0) CHECK(Story(renamed).calls() == expected.calls());
    }
}

TEST_CASE("Attributes that name parents are found by their names")
{
    const auto pairsOf = [](const std::vector<Attribute>& attributes) {
        Definitions definitions;
        definitions.attributes = attributes;
        return parentAttributes(definitions);
    };
    using enum AttributeType;
    using Pairs = std::vector<ParentAttribute>;
    CHECK(pairsOf({{"GUID", "", Unsigned}, {"Parent GUID", "", Unsigned}}) == Pairs{{1, 0}});
    CHECK(pairsOf({{"parent_id", "", Unsigned}, {"other task id", "", Unsigned}, {"task-ID", "", Unsigned}})
          == Pairs{{0, 2}});
    CHECK(pairsOf({{"GUID", "", Text}, {"Parent GUID", "", Unsigned}}).empty());
    CHECK(pairsOf({{"parent", "", Unsigned}, {"x", "", Unsigned}}).empty());
    CHECK(pairsOf({{"x", "", Unsigned}}).empty());
}

}  // namespace skein::call_attributes_test
