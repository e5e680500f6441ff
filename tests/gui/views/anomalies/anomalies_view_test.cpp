// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/common/selection_model.h"

#include <QComboBox>

#include <algorithm>

namespace skein::anomalies_view_test {
namespace {

struct Opened : test::WindowFixture {
    AnomaliesCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        show("anomalies");
        canvas = child<AnomaliesCanvas>("anomalies.scatter");
        REQUIRE(canvas->anomalies());
    }
    void show(const char* view)
    {
        window->docks().focusView(view);
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(150);
        settle();
    }
    const SessionAnomalies& anomalies() const { return *canvas->anomalies(); }
    std::size_t countOf(AnomalyLabel label) const
    {
        const ViewState state = canvas->shownState();
        return static_cast<std::size_t>(std::count_if(
            anomalies().points.begin(), anomalies().points.end(),
            [&](const AnomalyPoint& point) { return labelOf(point, state.verdicts) == label; }));
    }
    AnomalyLabel labelNow(const AnomalyPoint& point) const
    {
        return labelOf(point, canvas->shownState().verdicts);
    }
};

/// Of the function with most anomalies of own time the shortest and another one that is longer.
std::pair<const AnomalyPoint*, const AnomalyPoint*> twoOfOneFunction(const SessionAnomalies& anomalies)
{
    std::map<std::uint32_t, std::vector<const AnomalyPoint*>> byFunction;
    for (const AnomalyPoint& point : anomalies.points)
        if (point.label == AnomalyLabel::Anomaly && point.reason == AnomalyReason::OwnTime)
            byFunction[point.function].push_back(&point);
    for (auto& [function, points] : byFunction) {
        std::sort(points.begin(), points.end(),
                  [](const AnomalyPoint* a, const AnomalyPoint* b) { return a->ownNs < b->ownNs; });
        if (points.size() >= 3 && points[0]->ownNs < points[1]->ownNs) return {points[0], points[1]};
    }
    return {};
}

}  // namespace

TEST_CASE("what the user says of a call counts in the window, is undone, and teaches where that is wanted")
{
    Opened opened;
    const auto [shortest, longer] = twoOfOneFunction(opened.anomalies());
    REQUIRE(longer);
    const std::size_t before = opened.countOf(AnomalyLabel::Anomaly);
    opened.canvas->say(longer->call, CallVerdict::Kind::Normal);
    opened.settleAll();
    CHECK(opened.labelNow(*longer) == AnomalyLabel::Normal);
    CHECK(opened.labelNow(*shortest) == AnomalyLabel::Anomaly);
    CHECK(opened.countOf(AnomalyLabel::Anomaly) == before - 1);
    opened.window->selection().setVerdictUse(VerdictUse::Teach, nullptr);
    opened.settleAll();
    // shorter than what is normal: no anomaly of own time
    CHECK(opened.labelNow(*shortest) == AnomalyLabel::Normal);
    CHECK(opened.countOf(AnomalyLabel::Anomaly) <= before - 2);
    opened.trigger("edit.undo");
    CHECK(opened.labelNow(*shortest) == AnomalyLabel::Anomaly);
    opened.trigger("edit.undo");
    CHECK(opened.countOf(AnomalyLabel::Anomaly) == before);
    CHECK(opened.window->selection().state().verdicts.empty());
}

TEST_CASE("an anomaly that is said to be one teaches that longer calls are ones, too")
{
    Opened opened;
    // The longest normal call that does not block, of a function with others above its median.
    const AnomalyPoint* longest = nullptr;
    const FoundAnomalies& found = *opened.anomalies().found[0];
    for (const AnomalyPoint& point : opened.anomalies().points)
        if (point.label == AnomalyLabel::Normal && !found.functionsOfCalls->blocks(point.function)
            && (!longest || point.ownNs > longest->ownNs))
            longest = &point;
    REQUIRE(longest);
    std::vector<std::int64_t> longer;
    for (const AnomalyPoint& point : opened.anomalies().points)
        if (point.function == longest->function
            && point.ownNs<longest->ownNs&& static_cast<double>(point.ownNs)> found.models
                   ->own(point.function)
                   .median
            && point.label == AnomalyLabel::Normal)
            longer.push_back(point.ownNs);
    REQUIRE(longer.size() > 2);
    std::sort(longer.begin(), longer.end());
    const std::int64_t from = longer[longer.size() / 2];
    const auto taught = std::find_if(opened.anomalies().points.begin(), opened.anomalies().points.end(),
                                     [&](const AnomalyPoint& point) {
                                         return point.function == longest->function && point.ownNs == from
                                             && point.label == AnomalyLabel::Normal;
                                     });
    REQUIRE(taught != opened.anomalies().points.end());
    opened.window->selection().setVerdictUse(VerdictUse::Teach, nullptr);
    opened.canvas->say(taught->call, CallVerdict::Kind::Anomaly);
    opened.settleAll();
    for (const AnomalyPoint& point : opened.anomalies().points)
        if (point.function == longest->function && point.ownNs >= from)
            CHECK(opened.labelNow(point) == AnomalyLabel::Anomaly);
}

TEST_CASE("the scatter shows what calls do, and all of it in two dimensions")
{
    Opened opened;
    auto* across = opened.child<QComboBox>("anomalies.across");
    auto* up = opened.child<QComboBox>("anomalies.up");
    CHECK_FALSE(opened.anomalies().featuresCounted());
    across->setCurrentIndex(static_cast<int>(AnomalyAxis::Messages));
    opened.settleAll();
    CHECK(opened.anomalies().featuresCounted());
    CHECK(opened.canvas->choices().x == AnomalyAxis::Messages);
    const AnomaliesLayout counted = opened.canvas->sceneLayout();
    CHECK(counted.x.to > 1.0);
    CHECK_FALSE(counted.x.logarithmic);
    across->setCurrentIndex(static_cast<int>(AnomalyAxis::Projection1));
    up->setCurrentIndex(static_cast<int>(AnomalyAxis::Projection2));
    opened.settleAll();
    const AnomaliesLayout projected = opened.canvas->sceneLayout();
    CHECK(projected.x.from < 0.0);
    CHECK(projected.x.to > 0.0);
    CHECK(opened.canvas->choices().y == AnomalyAxis::Projection2);
}

}  // namespace skein::anomalies_view_test
