// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_view.h"

#include "app/gui/window/dock_host.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/cli.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/anomalies/anomaly_query_scene.h"
#include "views/common/anomaly_rules.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

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

/// What is not normal, as the command prints it: rank, thread, function, call, begin, duration, lost, label.
std::set<std::string> printedCalls(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "anomalies");
    for (const char* more : {"--format", "csv"}) arguments.emplace_back(more);
    const test::CliResult result = test::runCli(arguments);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    std::set<std::string> calls;
    std::istringstream lines(result.out);
    std::string line;
    std::getline(lines, line);
    REQUIRE(line.starts_with("rank,thread,function,call_index,begin_ns,duration_ns,score,severity_ns,label"));
    while (std::getline(lines, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        REQUIRE(cells.size() > 8);
        cells.erase(cells.begin() + 6);
        cells.resize(8);
        calls.insert(fmt::format("{}", fmt::join(cells, ",")));
    }
    return calls;
}

std::set<std::string> callsOf(const SessionAnomalies& anomalies)
{
    std::set<std::string> calls;
    const Definitions& definitions = anomalies.session->experiments[0]->definitions;
    for (const AnomalyPoint& point : anomalies.points) {
        if (point.label == AnomalyLabel::Normal) continue;
        const JudgedCall& call = anomalies.found[0]->calls[point.place];
        const PlaceOfLocation& place = anomalies.found[0]->places[call.location.index()];
        calls.insert(fmt::format("{},{},{},{},{},{},{},{}", place.rank, place.thread,
                                 displayName(definitions.regions[call.function]), call.callIndex, call.begin,
                                 call.durationNs, call.severityNs, name(point.label)));
    }
    return calls;
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

TEST_CASE("anomalies are those of the scope, and the panel can be pinned to the whole run")
{
    Opened opened;
    const auto shown = [&] {
        return shownPoints(opened.anomalies(), opened.canvas->shownState(), opened.canvas->choices());
    };
    const auto all = shown();
    SelectionModel& selection = opened.window->selection();
    const TimeSpan span{1'000'000'000, 1'200'000'000};
    const LocationRef row{0, LocationId(4)};
    selection.setBrushed(span, {row}, nullptr);
    opened.settleAll();
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t i : all) {
        const AnomalyPoint& point = opened.anomalies().points[i];
        if (point.call.location == row.id && point.begin < span.end
            && point.begin + point.durationNs >= span.begin)
            expected.push_back(i);
    }
    REQUIRE(expected.size() > 10);
    REQUIRE(expected.size() < all.size() / 10);
    CHECK(shown() == expected);
    auto* head = ScopeHead::of(*opened.window->docks().find("anomalies")->view);
    REQUIRE(head);
    CHECK(head->text().contains("Marked span"));
    head->pinTo(ScopeHead::Pin::WholeRun);
    opened.settleAll();
    CHECK(shown() == all);
    head->pinTo(ScopeHead::Pin::Follow);
    selection.setBrushed(std::nullopt, nullptr);
    selection.setVisible(span, nullptr);
    opened.settleAll();
    CHECK(shown().size() > expected.size());
    CHECK(shown().size() < all.size());
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
    REQUIRE(test::waitFor([&] { return text().contains("Why it lasted longer"); }, 30'000));
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

TEST_CASE("the window and the command find the same calls, whatever they are judged by")
{
    Opened opened;
    const std::string path = test::example("heatflow-16x2/trace-otf2").toStdString();
    const auto choose = [&](const char* control, const char* text) {
        auto* choice = opened.child<QComboBox>(control);
        INFO(text);
        const int row = choice->findText(QString::fromUtf8(text));
        REQUIRE(row >= 0);
        choice->setCurrentIndex(row);
        Q_EMIT choice->activated(row);
    };
    const auto check = [&](const std::vector<std::string>& options) {
        std::vector<std::string> arguments{path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        INFO(fmt::format("{}", fmt::join(options, " ")));
        opened.settleAll();
        REQUIRE(opened.canvas->anomalies());
        const auto printed = printedCalls(arguments);
        CHECK_FALSE(printed.empty());
        CHECK(callsOf(opened.anomalies()) == printed);
        return printed;
    };
    const auto usual = check({});
    choose("anomalies.features", "Features: time");
    CHECK(check({"--features", "time"}) != usual);
    choose("anomalies.features", "Features: structure");
    CHECK(check({"--features", "structure"}) != usual);
    CHECK(AnomalyRules::of(opened.window->selection()).params().labelHeight == 3);
    choose("anomalies.height", "Height 1");
    check({"--features", "structure", "--height", "1"});
    CHECK(AnomalyRules::of(opened.window->selection()).params().labelHeight == 1);
    choose("anomalies.features", "Features: chosen");
    check({"--features", "exclusive,children"});
    opened.child<QAction>("anomalies.feature.children")->trigger();
    opened.child<QAction>("anomalies.feature.bytes")->trigger();
    choose("anomalies.detector", "Detector: sigma");
    check({"--features", "exclusive,bytes", "--detector", "sigma"});
    choose("anomalies.features", "Features: both");
    choose("anomalies.detector", "Detector: tail");
    choose("anomalies.order", "As the job runs");
    const auto all = check({"--stream"});
    CHECK(all != usual);
    choose("anomalies.features", "Features: chosen");
    check({"--stream", "--features", "exclusive,bytes"});
    choose("anomalies.features", "Features: both");
    choose("anomalies.age", "Forgotten after 100 ms");
    CHECK(check({"--stream", "--age", "100ms"}) != all);
    choose("anomalies.features", "Features: time");
    choose("anomalies.sigma", opened.child<QComboBox>("anomalies.sigma")->itemText(2).toUtf8());
    check({"--stream", "--age", "100ms", "--features", "time", "--sigma", "4"});
}

TEST_CASE("what calls are judged by is undone and part of the session, and what has no effect is hidden")
{
    Opened opened;
    const auto usual = callsOf(opened.anomalies());
    auto* order = opened.child<QComboBox>("anomalies.order");
    auto* features = opened.child<QComboBox>("anomalies.features");
    auto* age = opened.child<QComboBox>("anomalies.age");
    auto* height = opened.child<QComboBox>("anomalies.height");
    auto* chosen = opened.child<QToolButton>("anomalies.chosen");
    CHECK_FALSE(height->isVisible());
    opened.child<QToolButton>("anomalies.rules")->click();
    CHECK(height->isVisible());
    CHECK_FALSE(age->isVisible());
    CHECK_FALSE(chosen->isVisible());
    const auto choose = [&](QComboBox* choice, int index) {
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
        opened.settleAll();
    };
    choose(order, 1);
    CHECK(age->isVisible());
    CHECK(height->isVisible());
    CHECK(callsOf(opened.anomalies()) != usual);
    CHECK(opened.window->selection().state().panels.at("anomalies").at("order")
          == order->currentText().toStdString());
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(order->currentIndex() == 0);
    CHECK(callsOf(opened.anomalies()) == usual);
    choose(features, 3);
    CHECK(chosen->isVisible());
    auto* bytes = opened.child<QAction>("anomalies.feature.bytes");
    bytes->trigger();
    opened.settleAll();
    const auto wanted =
        std::vector<CallFeature>{CallFeature::Exclusive, CallFeature::Bytes, CallFeature::Children};
    CHECK(AnomalyRules::of(opened.window->selection()).params().chosen == wanted);
    CHECK(opened.window->selection().state().panels.at("anomalies").at("feature.bytes") == "on");
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK_FALSE(bytes->isChecked());
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(callsOf(opened.anomalies()) == usual);
}

TEST_CASE(
    "the scatter is zoomed at the pointer and shown whole again, and dots are found where they are then")
{
    Opened opened;
    AnomaliesCanvas& canvas = *opened.canvas;
    const AnomaliesLayout whole = canvas.sceneLayout();
    const AnomalyPoint& worst = opened.anomalies().points[0];
    const auto placeOf = [&](const AnomaliesLayout& layout) {
        return Point{layout.x.at(static_cast<double>(worst.begin)),
                     layout.y.at(static_cast<double>(worst.durationNs))};
    };
    const Point before = placeOf(whole);
    const double ratio = canvas.devicePixelRatioF();
    const QPointF at(before.x / ratio, before.y / ratio);
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, {0, 480}, {}, {}, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&canvas, &wheel);
    opened.settleAll();
    QTest::qWait(200);
    opened.settleAll();
    const AnomaliesLayout zoomed = canvas.sceneLayout();
    CHECK(zoomed.x.to - zoomed.x.from < 0.5 * (whole.x.to - whole.x.from));
    CHECK(zoomed.y.to - zoomed.y.from < 0.5 * (whole.y.to - whole.y.from));
    CHECK(std::abs(placeOf(zoomed).x - before.x) < 1.5);
    CHECK(std::abs(placeOf(zoomed).y - before.y) < 1.5);
    CHECK(zoomed.scatter == whole.scatter);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, at.toPoint());
    opened.settleAll();
    CHECK(opened.window->selection().state().selected.intervals == std::vector{worst.call});
    QTest::keyClick(&canvas, Qt::Key_Home);
    QTest::qWait(200);
    opened.settleAll();
    CHECK(canvas.sceneLayout().x.from == whole.x.from);
}

TEST_CASE("a form asks for calls, and a window of fixed length goes back through the run")
{
    Opened opened;
    const auto shownNow = [&] {
        return shownPoints(opened.anomalies(), opened.canvas->shownState(), opened.canvas->choices()).size();
    };
    const std::size_t all = shownNow();
    auto* query = opened.child<QLineEdit>("anomalies.query");
    opened.child<QToolButton>("anomalies.form")->click();
    auto* ranks = opened.child<QLineEdit>("anomalyQuery.ranks");
    auto* problem = opened.child<QLabel>("anomalyQuery.problem");
    auto* show = opened.child<QPushButton>("anomalyQuery.show");
    ranks->setText("five");
    show->click();
    CHECK_FALSE(problem->text().isEmpty());
    CHECK(shownNow() == all);
    ranks->setText("2..3");
    opened.child<QComboBox>("anomalyQuery.label")->setCurrentIndex(1);
    show->click();
    CHECK(problem->text().isEmpty());
    CHECK(query->text() == "ranks 2..3; label anomaly");
    CHECK(shownNow() > 0);
    for (const std::uint32_t i :
         shownPoints(opened.anomalies(), opened.canvas->shownState(), opened.canvas->choices()))
        CHECK(opened.anomalies().points[i].label == AnomalyLabel::Anomaly);
    query->setText("ranks 2..3; label anom");  // is still being typed
    CHECK(opened.canvas->choices().query == parseAnomalyQuery("ranks 2..3; label anomaly").value());
    opened.child<QPushButton>("anomalyQuery.all")->click();
    CHECK(query->text().isEmpty());
    CHECK(shownNow() == all);
    auto* window = opened.child<QComboBox>("anomalies.window");
    auto* earlier = opened.child<QToolButton>("anomalies.earlier");
    auto* later = opened.child<QToolButton>("anomalies.later");
    CHECK_FALSE(earlier->isVisible());
    window->setCurrentIndex(window->findText("Latest 100 ms"));
    REQUIRE(earlier->isVisible());
    const auto spanNow = [&] {
        return opened.canvas->choices().window.span(
            opened.anomalies().session->experiments[0]->trace->extent.end);
    };
    const TimeSpan latest = spanNow();
    CHECK(latest.end == opened.anomalies().session->experiments[0]->trace->extent.end);
    CHECK(latest.lengthNs() == 100'000'000);
    CHECK(shownNow() < all);
    earlier->click();
    CHECK(spanNow().end == latest.begin);
    later->click();
    later->click();  // there is nothing after the latest one
    CHECK(spanNow() == latest);
    window->setCurrentIndex(0);
    CHECK(shownNow() == all);
}

}  // namespace skein::anomalies_view_test
