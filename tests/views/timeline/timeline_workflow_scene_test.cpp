// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_workflow_scene.h"

#include "core/select/translate.h"

#include "core/io/coupling/coupling_file.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::timeline_workflow_scene_test {

namespace {

const ApproximateTextMeasure kMeasure(12);

TimelineDataPtr dataOf(std::vector<ExperimentPtr> experiments, const std::vector<TimeNs>& shifts = {})
{
    std::vector<TimelineIndexPtr> indexes;
    for (const ExperimentPtr& experiment : experiments)
        indexes.push_back(std::make_shared<const TimelineIndex>(
            *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task())));
    return makeTimelineData({std::move(experiments)}, std::move(indexes), shifts);
}

struct Workflow {
    TimelineDataPtr data;
    TimelineOptions options;
    TimelineLayout layout;

    explicit Workflow(const std::vector<TimeNs>& shifts = {})
    {
        std::vector<ExperimentPtr> experiments;
        for (const char* component : {"ana", "sim"})
            experiments.push_back(openExperiment(test::sourcePath(std::string("examples/workflow-12-4/")
                                                                  + component + "/trace-otf2"),
                                                 Task())
                                      .value());
        data = dataOf(experiments, shifts);
        options.theme = lightTheme();
        const auto table =
            readCoupling(test::sourcePath("examples/workflow-12-4/coupling.csv"), Task()).value();
        options.handOvers =
            std::make_shared<const PlacedHandOvers>(placeCoupling(data->session, table).value());
        layout = timelineLayout(*data, {}, options, 1600, 800, kMeasure);
    }
    DrawList drawn() const
    {
        DrawList list;
        drawHandOvers(list, *data, options, layout, kMeasure);
        return list;
    }
};

std::vector<PolygonItem> ribbonsOf(const DrawList& list)
{
    std::vector<PolygonItem> ribbons;
    for (const DrawItem& item : list.items)
        if (const auto* polygon = std::get_if<PolygonItem>(&item)) ribbons.push_back(*polygon);
    return ribbons;
}

}  // namespace

TEST_CASE("every hand-over is a band from where it was written to where it was read")
{
    const Workflow workflow;
    const auto ribbons = ribbonsOf(workflow.drawn());
    REQUIRE(ribbons.size() == 144);
    for (std::size_t i = 0; i < ribbons.size(); ++i) {
        const HandOver& handOver = workflow.options.handOvers->handOvers[i];
        const PlacedRow* from = workflow.layout.placeOf({handOver.producer, handOver.from});
        const PlacedRow* to = workflow.layout.placeOf({handOver.consumer, handOver.to});
        REQUIRE(from);
        REQUIRE(to);
        CHECK(ribbons[i].points[0].y == Approx(from->y + from->height / 2));
        CHECK(ribbons[i].points[2].y == Approx(to->y + to->height / 2));
        CHECK(
            ribbons[i].points[0].x
            == Approx(workflow.layout.scale.toX(workflow.data->clock.toSession(1, handOver.written.begin))));
        CHECK(ribbons[i].points[3].x
              == Approx(workflow.layout.scale.toX(workflow.data->clock.toSession(0, handOver.waited.end))));
        CHECK(ribbons[i].points[1].x - ribbons[i].points[0].x >= 1);
        // Nothing is read before it was written: the two clocks are one.
        CHECK(ribbons[i].points[3].x >= ribbons[i].points[0].x);
    }
}

TEST_CASE("headers of components tell their ranks among all, collapsed rows their names alone")
{
    const Workflow workflow;
    const auto headers = [&](const RowArrangement& rows) {
        ViewState state;
        state.rows = rows;
        std::vector<std::string> labels;
        for (const TimelineRow& row :
             timelineLayout(*workflow.data, state, workflow.options, 1600, 800, kMeasure).rows)
            if (row.kind == TimelineRowKind::Experiment) labels.push_back(row.label);
        return labels;
    };
    CHECK(headers({})
          == std::vector<std::string>{"ana/trace-otf2 · global ranks 0–3",
                                      "sim/trace-otf2 · global ranks 4–15"});
    RowArrangement collapsed;
    collapsed.collapsed = {{1, RowGroupKind::Experiment, 0}};
    CHECK(headers(collapsed)
          == std::vector<std::string>{"ana/trace-otf2 · global ranks 0–3", "sim/trace-otf2"});
}

TEST_CASE("outputs are named where there is room, and names do not overlap")
{
    const Workflow workflow;
    std::vector<Rect> boxes;
    for (const DrawItem& item : workflow.drawn().items)
        if (const auto* text = std::get_if<TextItem>(&item)) boxes.push_back(text->box);
    CHECK(boxes.size() >= 6);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(boxes[i].overlaps(boxes[j]));
}

TEST_CASE("names of outputs keep clear of what stands in headers")
{
    const Workflow whole;
    std::size_t names = 0;
    for (const HandOver& handOver : whole.options.handOvers->handOvers) {
        const TimeNs begin =
            whole.data->clock.toSession(handOver.producer, handOver.written.begin) - 3'000'000;
        ViewState state;
        state.visible = TimeSpan{begin, begin + 60'000'000};
        const TimelineLayout layout = timelineLayout(*whole.data, state, whole.options, 1600, 800, kMeasure);
        DrawList list;
        drawHandOvers(list, *whole.data, whole.options, layout, kMeasure);
        for (const TextItem& name : test::itemsOf<TextItem>(list))
            for (const PlacedRow& place : layout.places) {
                if (!isHeader(layout.rows[place.row])) continue;
                const double end =
                    headerTexts(layout.rows[place.row], layout, whole.options.scale, kMeasure).end;
                CHECK_FALSE(name.box.overlaps({0, place.y, end, place.height}));
                ++names;
            }
    }
    CHECK(names > 100);
}

TEST_CASE("a hand-over is found under the pointer, told, and selects both its ends")
{
    const Workflow workflow;
    const auto ribbons = ribbonsOf(workflow.drawn());
    const PolygonItem& ribbon = ribbons[70];
    const Point middle{(ribbon.points[0].x + ribbon.points[2].x) / 2,
                       (ribbon.points[0].y + ribbon.points[2].y) / 2};
    const auto found = handOverAt(*workflow.data, workflow.options, workflow.layout, middle);
    REQUIRE(found);
    const HandOver& handOver = workflow.options.handOvers->handOvers[*found];
    const auto lines = handOverTooltip(*workflow.data, handOver);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].starts_with("Output " + std::to_string(handOver.output)));
    const Selection both = select(workflow.data->session, handOver, HandOverRef{0});
    CHECK(both.locations.size() == 2);
    CHECK(both.intervals.size() == 2);
    CHECK_FALSE(handOverAt(*workflow.data, workflow.options, workflow.layout, {middle.x + 4000, middle.y}));
}

TEST_CASE("tooltips of messages have the times of the ruler, whatever the clock of their component")
{
    const Workflow workflow({0, 250'000'000});
    for (const std::uint32_t experiment : {0u, 1u}) {
        Hover hover;
        hover.message = {experiment, 3};
        const TimeNs sent = workflow.data->session.experiments[experiment]->trace->messages[3].sendTime;
        const auto lines = timelineTooltip(*workflow.data, hover);
        const std::string wanted = ", sent at " + exactTime(workflow.data->clock.toSession(experiment, sent));
        CHECK(std::any_of(lines.begin(), lines.end(),
                          [&](const std::string& line) { return line.ends_with(wanted); }));
    }
}

TEST_CASE("bands of hand-overs move with the clock of their component")
{
    const Workflow recorded;
    const TimeNs shift = 200'000'000;
    const Workflow shifted({shift, 0});
    const HandOver& handOver = recorded.options.handOvers->handOvers[5];
    const auto x = [&](const Workflow& workflow) { return ribbonsOf(workflow.drawn())[5].points[3].x; };
    CHECK(recorded.layout.scale.toTime(x(recorded))
          == Approx(recorded.data->clock.toSession(0, handOver.waited.end)).margin(2e6));
    CHECK(shifted.layout.scale.toTime(x(shifted))
          == Approx(recorded.data->clock.toSession(0, handOver.waited.end) + shift).margin(2e6));
}

TEST_CASE("every I/O operation of the window has its pixels, and says what it did")
{
    std::mt19937 random(9);
    Experiment experiment = test::randomExperiment(9, {.processes = 3});
    auto trace = std::make_shared<Trace>(*experiment.trace);
    std::vector<IoOperation> operations;
    for (int i = 0; i < 60; ++i) {
        IoOperation operation;
        operation.begin = static_cast<TimeNs>(random() % static_cast<unsigned>(trace->extent.end));
        operation.end = i % 7 == 0 ? kNoTime : operation.begin + static_cast<TimeNs>(random() % 40);
        operation.location = LocationId(static_cast<std::uint32_t>(random() % 3));
        operation.bytesTransferred = 4096;
        operation.kind = i % 2 ? IoKind::Read : IoKind::Write;
        operations.push_back(operation);
    }
    trace->ioOperations = Column<IoOperation>(operations);
    experiment.trace = trace;
    const auto data = dataOf({std::make_shared<const Experiment>(experiment)});
    TimelineOptions options;
    options.theme = lightTheme();
    options.io = makeSessionIo(data->session);
    REQUIRE(options.io);
    const TimelineLayout layout = timelineLayout(*data, {}, options, 500, 200, kMeasure);
    DrawList list;
    drawIo(list, *data, options, layout);
    for (const IoOperation& operation : operations) {
        const PlacedRow* place = layout.placeOf({0, operation.location});
        const PixelItem* band = nullptr;
        for (const DrawItem& item : list.items)
            if (const auto* pixels = std::get_if<PixelItem>(&item);
                pixels && pixels->y == static_cast<int>(std::round(place->y)))
                band = pixels;
        REQUIRE(band);
        const auto column =
            static_cast<std::size_t>(std::floor(layout.scale.toX(operation.begin) - layout.body.x));
        REQUIRE(band->argb[column] != 0);
        CHECK(ioTooltip(*data, *options.io, {0, operation.location}, operation.begin).find("4 KiB")
              != std::string::npos);
    }
    CHECK_FALSE(makeSessionIo({{std::make_shared<const Experiment>(test::randomExperiment(9))}}));
}

}  // namespace skein::timeline_workflow_scene_test
