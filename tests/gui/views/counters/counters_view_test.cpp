// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/counters/counters_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/counters/counters_canvas.h"

#include <algorithm>
#include <functional>
#include <set>

namespace skein::counters_view_test {

namespace {

const std::string kMetric = "Message size for all-reduce";

struct Opened : test::WindowFixture {
    CountersView* view = nullptr;

    Opened()
    {
        view = window->findChild<CountersView*>();
        REQUIRE(view);
        open({test::example("heatflow-16x2/trace-otf2")});
        window->docks().focusView("counters");
        settle();
        view->show({kMetric});
        settle();
        REQUIRE(view->canvas().counters());
    }
    /// What an experiment recorded of the metric: on which location, when, how much.
    void forEachSample(const std::function<void(LocationId, TimeNs, double)>& take) const
    {
        const Experiment& experiment = *window->loader().session()->experiments[0];
        for (const MetricStream& stream : experiment.trace->metricStreams)
            for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
                const Metric& metric = experiment.definitions.metric(stream.metrics[column]);
                if (metric.name != kMetric) continue;
                for (std::size_t sample = 0; sample < stream.samples(); ++sample)
                    take(stream.recorder, stream.times[sample],
                         metricValue(stream.values[sample * stream.metrics.size() + column],
                                     metric.valueType));
            }
    }
};

}  // namespace

TEST_CASE(
    "counter lanes have a lane for each location that recorded the metric, with the values of its samples")
{
    Opened opened;
    const auto& sections = opened.view->canvas().counters()->sections;
    REQUIRE(sections.size() == 1);
    CHECK(sections[0].metric == kMetric);
    std::set<LocationId> recorders;
    std::size_t samples = 0;
    opened.forEachSample([&](LocationId recorder, TimeNs time, double value) {
        recorders.insert(recorder);
        ++samples;
        for (const CounterLane& lane : sections[0].lanes)
            if (lane.location.id == recorder) REQUIRE(lane.steps.at(time) == value);
    });
    CHECK(samples == 1200);
    CHECK(sections[0].lanes.size() == recorders.size());
    const CounterLayout layout = opened.view->canvas().sceneLayout();
    CHECK(std::count_if(layout.places.begin(), layout.places.end(),
                        [](const PlacedLane& place) { return place.lane != PlacedLane::kHeader; })
          == static_cast<std::ptrdiff_t>(recorders.size()));
}

TEST_CASE("counter lanes follow the window that all views share, and are empty without a trace")
{
    Opened opened;
    opened.window->selection().setVisible(TimeSpan{1'000'000, 2'000'000}, nullptr);
    opened.settle();
    CHECK(opened.view->canvas().sceneLayout().frame.scale.span == TimeSpan{1'000'000, 2'000'000});
    opened.open({test::example("lulesh-8/profile-flat")});
    CHECK((!opened.view->canvas().counters() || opened.view->canvas().counters()->sections.empty()));
}

}  // namespace skein::counters_view_test
