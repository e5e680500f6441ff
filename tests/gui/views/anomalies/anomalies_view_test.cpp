// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_view.h"

#include "app/gui/window/dock_host.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/common/anomaly_rules.h"
#include "views/common/selection_model.h"

#include <QComboBox>
#include <QLabel>
#include <QTextBrowser>

#include <algorithm>
#include <fmt/format.h>

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
    // Again at once, in the same turn of the event loop.
    opened.trigger("edit.redo");
    CHECK(opened.labelNow(*longer) == AnomalyLabel::Normal);
    CHECK(opened.countOf(AnomalyLabel::Anomaly) == before - 1);
    opened.trigger("edit.redo");
    CHECK(opened.labelNow(*shortest) == AnomalyLabel::Normal);
    opened.trigger("edit.redo");  // there is nothing more
    CHECK(opened.labelNow(*shortest) == AnomalyLabel::Normal);
    opened.settleAll();
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(opened.labelNow(*shortest) == AnomalyLabel::Anomaly);
    CHECK(opened.labelNow(*longer) == AnomalyLabel::Normal);
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

TEST_CASE("the panel shows the first anomalies before all is known, and says that it does")
{
    test::WindowFixture fixture;
    auto* canvas = fixture.child<AnomaliesCanvas>("anomalies.scatter");
    auto* early = fixture.child<QLabel>("anomalies.early");
    std::vector<double> shares;
    bool said = true;
    QObject::connect(canvas, &AnomaliesCanvas::shownChanged, canvas, [&] {
        if (!canvas->anomalies()) return;
        const bool complete = canvas->anomalies()->complete();
        shares.push_back(canvas->anomalies()->share);
        said = said && early->isVisibleTo(early->parentWidget()) != complete
            && (complete || early->text().contains("50"));
    });
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(shares.empty());  // who does not look at it waits for nothing
    fixture.window->docks().focusView("anomalies");
    fixture.settle();
    QTest::qWait(150);
    fixture.settle();
    REQUIRE(shares.size() >= 2);
    CHECK(shares.front() < 1.0);
    CHECK(shares.back() == 1.0);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
    CHECK(said);
    CHECK(canvas->upToDate());
}

TEST_CASE("the detector and its limit are chosen for all panels of the window, and undone")
{
    Opened opened;
    const SessionAnomaliesPtr usual = opened.canvas->anomalies();
    auto* detector = opened.child<QComboBox>("anomalies.detector");
    auto* sigma = opened.child<QComboBox>("anomalies.sigma");
    REQUIRE(detector->count() == static_cast<int>(kAnomalyDetectors));
    CHECK(sigma->currentText().contains("0.27"));
    const auto choose = [&](QComboBox* choice, int index) {
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
        opened.settleAll();
    };
    choose(detector, static_cast<int>(AnomalyDetector::Sigma));
    REQUIRE(opened.canvas->anomalies());
    const std::size_t three = opened.canvas->anomalies()->found[0]->anomalies;
    CHECK(opened.canvas->anomalies()->found[0]->models->params().detector == AnomalyDetector::Sigma);
    CHECK(three != usual->found[0]->anomalies);
    choose(sigma, sigma->count() - 1);
    CHECK(opened.canvas->anomalies()->found[0]->anomalies < three);
    opened.show("structure");
    CHECK(AnomalyRules::of(opened.window->selection()).params().sigma == 6.0);
    opened.show("anomalies");
    opened.trigger("edit.undo");
    opened.settleAll();
    opened.trigger("edit.undo");
    opened.settleAll();
    REQUIRE(opened.canvas->anomalies());
    CHECK(opened.canvas->anomalies()->found[0]->models->params() == AnomalyParams());
    CHECK(opened.canvas->anomalies()->found[0]->anomalies == usual->found[0]->anomalies);
}

TEST_CASE("details of an anomaly tell its score and severity in numbers, and why it lasted longer")
{
    Opened opened;
    // The most severe one with an own time.
    const AnomalyPoint* most = nullptr;
    for (const AnomalyPoint& point : opened.anomalies().points)
        if (point.label == AnomalyLabel::Anomaly && (!most || point.severityNs > most->severityNs))
            most = &point;
    REQUIRE(most);
    opened.window->selection().setSelected(select(*opened.anomalies().session, most->call), nullptr);
    opened.show("details");
    const auto text = [&] {
        return opened.window->docks().find("details")->view->findChild<QTextBrowser*>()->toPlainText();
    };
    REQUIRE(QTest::qWaitFor([&] { return text().contains("Why it lasted longer"); }, 30'000));
    for (const std::string& part :
         {fmt::format("{:.3f}", most->score), formatDuration(static_cast<double>(most->severityNs)),
          std::string("Severity"), std::string(name(most->reason))}) {
        INFO(part);
        CHECK(text().contains(QString::fromStdString(part)));
    }
    // What is attributed to others and the rest are all that was lost.
    const CauseLinks causes = opened.window->selection().state().causes;
    CHECK(causes.about == most->call);
    TimeNs sum = causes.restNs;
    for (const CauseLink& link : causes.links) sum += link.attributedNs;
    CHECK(sum == causes.lostNs);
    CHECK(text().contains(QString::fromStdString(formatDuration(static_cast<double>(causes.lostNs)))));
    // A normal call has none of it.
    const auto normal =
        std::find_if(opened.anomalies().points.begin(), opened.anomalies().points.end(),
                     [](const AnomalyPoint& one) { return one.label == AnomalyLabel::Normal; });
    REQUIRE(normal != opened.anomalies().points.end());
    opened.window->selection().setSelected(select(*opened.anomalies().session, normal->call), nullptr);
    opened.settleAll();
    CHECK_FALSE(text().contains("Severity"));
    CHECK_FALSE(text().contains("Why it lasted longer"));
}

}  // namespace skein::anomalies_view_test
