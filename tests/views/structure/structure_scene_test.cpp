// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/heatflow_anomalies.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/structure/structure_scene.h"

#include <algorithm>
#include <numeric>

namespace skein::structure_scene_test {

using test::ExperimentBuilder;

namespace {

const SessionAnomalies& heatflow() { return *test::heatflowAnomalies(); }

StructurePicturePtr pictureOf(const Selection& selected, const StructureOptions& options = {})
{
    const auto data = compareStructures(heatflow(), selected, {}, Task());
    REQUIRE(data.has_value());
    const auto picture = placeStructures(*data, options, Task());
    REQUIRE(picture.has_value());
    return *picture;
}

/// The call of an anomaly of structure, whose callees are others than usual.
IntervalRef structuralAnomaly()
{
    for (const AnomalyPoint& point : heatflow().points)
        if (point.label == AnomalyLabel::Anomaly && point.reason == AnomalyReason::Structure)
            return point.call;
    FAIL("heatflow has anomalies of structure");
    return {};
}

}  // namespace

TEST_CASE("an execution stands beside its normal twin, and the differences shown add up")
{
    for (std::size_t i = 0; i < heatflow().found[0]->anomalies; ++i) {
        Selection selected;
        selected.intervals = {heatflow().points[i].call};
        for (const auto shape : {StructureShape::Tidy, StructureShape::Force})
            for (const auto depth : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0),
                                     std::optional<std::uint32_t>(0xFFFF)}) {
                const StructurePicturePtr picture = pictureOf(selected, {shape, depth, true});
                REQUIRE(picture->placed.size() == 1);
                const ComparedExecution& execution = picture->data->executions[0];
                REQUIRE(execution.twin.has_value());
                CHECK(*execution.twin != execution.of);
                CHECK(labelOf(labelledCalls(heatflow(), 0, {}), *execution.twin) == AnomalyLabel::Normal);
                const auto& differs = picture->placed[0].differenceNs;
                CHECK(std::accumulate(differs.begin(), differs.end(), TimeNs{0})
                      == execution.first.nodes[0].durationNs - execution.second.nodes[0].durationNs);
                // Anomalies are never folded away.
                for (std::size_t node = 0; node < execution.labels.size(); ++node)
                    if (execution.labels[node] == AnomalyLabel::Anomaly)
                        CHECK(picture->placed[0].opened.nodes[picture->placed[0].opened.placeOf[node]]
                              == node);
            }
    }
}

TEST_CASE("what an execution calls more or less often is extra or missing")
{
    Selection selected;
    selected.intervals = {structuralAnomaly()};
    const StructurePicturePtr picture = pictureOf(selected);
    const ComparedExecution& execution = picture->data->executions[0];
    CHECK(execution.alignment.unmatched > 0);
    const test::PlainCanvas plain(1400, 800);
    const DrawList list = structureScene(*picture, {}, plain.canvas);
    CHECK(test::unreadable(list, plain.measure) == "");
    const StructureLayout layout = structureLayout(*picture, plain.canvas);
    REQUIRE(layout.panes.size() == 2);
    bool alone = false;
    for (std::uint32_t node = 0; node < execution.alignment.nodes.size(); ++node) {
        const AlignedNode& aligned = execution.alignment.nodes[node];
        alone = alone || structureKind(aligned) == "extra" || structureKind(aligned) == "missing";
        const bool both = callOfNode(execution, StructureSide::Execution, node).has_value()
            && callOfNode(execution, StructureSide::Twin, node).has_value();
        CHECK(both == !(aligned.extra() || aligned.missing()));
    }
    CHECK(alone);
}

TEST_CASE("a node of calls and one of sums is as strange as the strangest call in it")
{
    // A step calls `part` 300 times below `one` and below `other`; a single call below `other` is odd.
    ExperimentBuilder builder("sums");
    std::vector<test::Call> calls;
    TimeNs now = 0;
    for (int i = 0; i < 30; ++i) {
        const std::size_t step = calls.size();
        calls.push_back({now, 0, "step", 0});
        for (int k = 0; k < 600; ++k) {
            const TimeNs length = 10 + (i == 20 && k == 301 ? 50'000 : 0);
            calls.push_back({now + 1, now + length + 3, k % 2 ? "other" : "one", 1});
            calls.push_back({now + 2, now + 2 + length, "part", 2});
            now += length + 5;
        }
        calls[step].end = now;
        now += 5;
    }
    builder.process("node", calls);
    const ExperimentPtr experiment = builder.finish();
    const auto anomalies =
        makeSessionAnomalies(std::make_shared<const Session>(Session{{experiment}}), {}, Task());
    REQUIRE(anomalies.has_value());
    const std::uint32_t odd = 20 * 1201;
    const IntervalRef part{0, LocationId(0), odd + 2 * 301 + 2};
    REQUIRE(labelOf(labelledCalls(**anomalies, 0, {}), part) == AnomalyLabel::Anomaly);
    Selection selected;
    selected.intervals = {IntervalRef{0, LocationId(0), odd}};
    const auto data = compareStructures(**anomalies, selected, {}, Task());
    REQUIRE(data.has_value());
    const ComparedExecution& execution = (*data)->executions.at(0);
    REQUIRE(execution.first.detail == ExecutionDetail::Summed);
    REQUIRE(execution.first.nodes.size() == 5);
    std::size_t strange = 0;
    for (std::uint32_t node = 0; node < execution.alignment.nodes.size(); ++node) {
        const AlignedNode& aligned = execution.alignment.nodes[node];
        if (execution.labels[node] != AnomalyLabel::Anomaly || aligned.missing()) continue;
        ++strange;
        const ExecutionNode& sum = execution.first.nodes[aligned.first];
        const ExecutionNode& above = execution.first.nodes[sum.parent];
        CHECK(functionOfNode(**data, execution, node) == "part");
        CHECK(above.call == odd + 3);  // the first call of `other`
    }
    CHECK(strange == 1);
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(compareStructures(**anomalies, selected, {}, Task(stop.get_token())));
}

TEST_CASE("nodes are found where they are drawn, in both trees")
{
    const StructurePicturePtr picture = pictureOf({});  // nothing selected: the most severe anomaly
    REQUIRE(picture->data->executions.size() == 1);
    CHECK(picture->data->executions[0].of == heatflow().points[0].call);
    const test::PlainCanvas plain(1400, 800);
    for (const StructurePane& pane : structureLayout(*picture, plain.canvas).panes)
        for (std::size_t node = 0; node < pane.nodes.size(); ++node) {
            CHECK(pane.body.contains(pane.nodes[node]));
            const auto hit = structureNodeAt(*picture, plain.canvas, pane.nodes[node]);
            REQUIRE(hit.has_value());
            CHECK(hit->side == pane.side);
            CHECK(structureTooltip(*picture, *hit).size() >= 4);
        }
    CHECK_FALSE(structureNodeAt(*picture, plain.canvas, {1, 799}).has_value());
}

TEST_CASE("several executions stand below each other, and say how many more are selected")
{
    Selection selected;
    for (std::size_t i = 0; i < 5; ++i) selected.intervals.push_back(heatflow().points[i].call);
    std::sort(selected.intervals.begin(), selected.intervals.end());
    StructureOptions alone;
    alone.twins = false;
    const StructurePicturePtr picture = pictureOf(selected, alone);
    CHECK(picture->data->executions.size() == kMostStructures);
    const test::PlainCanvas plain(1400, 900);
    CHECK(structureLayout(*picture, plain.canvas).panes.size() == kMostStructures);
    const DrawList list = structureScene(*picture, {}, plain.canvas);
    CHECK(test::shows(list, "the first 3 of 5 selected calls"));
    CHECK(test::unreadable(list, plain.measure) == "");
}

TEST_CASE("a dragged node is elsewhere in both trees, and no other one")
{
    Selection selected;
    selected.intervals = {heatflow().points[0].call};
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1200, 700, style, measure};
    for (const auto shape : {StructureShape::Tidy, StructureShape::Force}) {
        const StructurePicturePtr laidOut = pictureOf(selected, {shape, {}, true});
        const std::uint32_t place = static_cast<std::uint32_t>(laidOut->placed[0].opened.nodes.size() / 2);
        const std::uint32_t node = laidOut->placed[0].opened.nodes[place];
        const StructurePicturePtr once = withDragged(*laidOut, 0, node, {3, -5});
        const StructurePicturePtr twice = withDragged(*once, 0, node, {4, -6});
        const StructureLayout before = structureLayout(*laidOut, canvas),
                              after = structureLayout(*twice, canvas);
        REQUIRE(before.panes.size() == 2);
        for (std::size_t pane = 0; pane < 2; ++pane)
            for (std::uint32_t each = 0; each < before.panes[pane].nodes.size(); ++each) {
                const Point from = before.panes[pane].nodes[each], to = after.panes[pane].nodes[each];
                CHECK(to.x - from.x == (each == place ? 7 : 0));
                CHECK(to.y - from.y == (each == place ? -11 : 0));
            }
        CHECK(structureScene(*twice, {}, canvas).items.size() > 0);
        // It stays in sight however far it is dragged.
        const StructurePane far =
            structureLayout(*withDragged(*laidOut, 0, node, {9e9, -9e9}), canvas).panes[0];
        CHECK(far.body.contains(far.nodes[place]));
        CHECK(structureLayout(*withDragged(*laidOut, 7, node, {1, 1}), canvas).panes[0].nodes.size()
              == before.panes[0].nodes.size());
    }
}

}  // namespace skein::structure_scene_test
