// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen in the panel Anomalies: kept, undone, and in the picture.
#include "app/gui/settings/preferences.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_arranger.h"
#include "app/gui/window/workspaces.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "tests/gui/support/window_fixture.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/anomalies/anomalies_view.h"
#include "views/anomalies/anomaly_query_scene.h"
#include "views/common/control_strip.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace skein::anomalies_choices_test {
namespace {

struct Panel : test::WindowFixture {
    AnomaliesCanvas* canvas = nullptr;

    Panel() { openExample(); }
    void openExample()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        showAnomalies();
    }
    void showAnomalies()
    {
        window->docks().focusView("anomalies");
        canvas = child<AnomaliesCanvas>("anomalies.scatter");
        waitUntilFound();
    }
    void waitUntilFound()
    {
        REQUIRE(test::waitFor(
            [this] { return canvas->anomalies() && canvas->anomalies()->complete() && canvas->upToDate(); },
            30'000));
    }
    /// Undoes or redoes what the menu has heard of, until all panels have.
    void step(const char* action)
    {
        settle();
        trigger(action);
        settle();
    }
    PanelSettings kept() const
    {
        const auto& panels = window->selection().state().panels;
        const auto found = panels.find("anomalies");
        return found == panels.end() ? PanelSettings() : found->second;
    }
    std::string keptAs(const char* choice) const
    {
        const PanelSettings all = kept();
        const auto found = all.find(choice);
        return found == all.end() ? "nothing" : found->second;
    }
    void choose(const char* name, int row) const
    {
        auto* choice = child<QComboBox>(name);
        choice->setCurrentIndex(row);
        Q_EMIT choice->activated(row);
    }
    DrawList drawn() const
    {
        const auto list = window->docks().find("anomalies")->view->drawnPicture(1200, 800);
        REQUIRE(list.has_value());
        return *list;
    }
    /// The fills of marks with a thick border.
    std::vector<Color> anomalyColors() const
    {
        std::vector<Color> colors;
        for (const DrawItem& item : drawn().items)
            if (const auto* dot = std::get_if<RectItem>(&item);
                dot && dot->radius > 0 && dot->strokeWidth > 2)
                colors.push_back(dot->fill);
        return colors;
    }
};

}  // namespace

TEST_CASE("query, functions and the step of the window are kept in the session, and undone")
{
    Panel panel;
    auto* query = panel.child<QLineEdit>("anomalies.query");
    auto* functions = panel.child<QComboBox>("anomalies.functions");
    auto* back = panel.child<QSpinBox>("anomalies.back");
    query->setText("ranks 2..5");
    REQUIRE(test::waitFor([&] { return panel.keptAs("query") == "ranks 2..5"; }));
    functions->setEditText("compute");
    REQUIRE(test::waitFor([&] { return panel.keptAs("functions") == "compute"; }));
    panel.choose("anomalies.window", 3);  // the latest 100 ms
    CHECK(panel.keptAs("back") == "0");
    panel.child<QToolButton>("anomalies.earlier")->click();
    panel.child<QToolButton>("anomalies.earlier")->click();
    CHECK(panel.keptAs("back") == "2");
    CHECK(panel.canvas->choices().window == AnomalyWindow{100'000'000, 2});

    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "mine.session.json").string());
    panel.window->keeper().save(file, panel.window->docks().layout());
    panel.settle();

    panel.step("edit.undo");
    CHECK(back->value() == 1);
    CHECK(panel.canvas->choices().window == AnomalyWindow{100'000'000, 1});
    panel.step("edit.undo");
    panel.step("edit.undo");
    CHECK(panel.canvas->choices().window == AnomalyWindow());
    CHECK_FALSE(back->isVisible());
    panel.step("edit.undo");
    CHECK(panel.canvas->choices().functions.empty());
    CHECK(query->text() == "ranks 2..5");
    panel.step("edit.undo");
    CHECK(query->text().isEmpty());
    CHECK(panel.canvas->choices().query.empty());
    panel.step("edit.redo");
    CHECK(query->text() == "ranks 2..5");
    CHECK(panel.canvas->choices().query == parseAnomalyQuery("ranks 2..5").value());

    panel.reopen();
    panel.open({file});
    panel.showAnomalies();
    CHECK(panel.child<QLineEdit>("anomalies.query")->text() == "ranks 2..5");
    CHECK(panel.child<QComboBox>("anomalies.functions")->currentText() == "compute");
    CHECK(panel.child<QSpinBox>("anomalies.back")->value() == 2);
    const AnomalyChoices& choices = panel.canvas->choices();
    CHECK(choices.query == parseAnomalyQuery("ranks 2..5").value());
    CHECK(choices.functions == "compute");
    CHECK(choices.window == AnomalyWindow{100'000'000, 2});
}

TEST_CASE("a window goes back no farther than the run, and another length begins at the latest again")
{
    Panel panel;
    auto* back = panel.child<QSpinBox>("anomalies.back");
    const TimeNs length = panel.canvas->anomalies()->session->experiments[0]->trace->extent.lengthNs();
    panel.choose("anomalies.window", 3);
    CHECK(back->maximum() == static_cast<int>((length - 1) / 100'000'000));
    back->setValue(back->maximum());
    panel.child<QToolButton>("anomalies.earlier")->click();
    CHECK(panel.canvas->choices().window.back == back->maximum());
    CHECK(panel.canvas->choices().window.span(length).begin <= 0);
    panel.choose("anomalies.window", 4);
    CHECK(panel.canvas->choices().window == AnomalyWindow{1'000'000'000, 0});
    panel.step("edit.undo");
    CHECK(panel.canvas->choices().window == AnomalyWindow{100'000'000, back->maximum()});
}

TEST_CASE("what is still being typed is in a session that is saved")
{
    Panel panel;
    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "typed.session.json").string());
    panel.child<QLineEdit>("anomalies.query")->setText("ranks 2..5");
    CHECK(panel.keptAs("query") != "ranks 2..5");
    panel.window->keeper().save(file, panel.window->docks().layout());
    CHECK(panel.keptAs("query") == "ranks 2..5");
}

TEST_CASE(
    "another archive begins without the query, functions and window that were written for the one before")
{
    Panel panel;
    auto* query = panel.child<QLineEdit>("anomalies.query");
    auto* functions = panel.child<QComboBox>("anomalies.functions");
    query->setText("ranks 2..5");
    functions->setEditText("compute");
    panel.choose("anomalies.window", 3);
    panel.child<QToolButton>("anomalies.earlier")->click();
    REQUIRE_FALSE(panel.canvas->choices().query.empty());
    panel.open({test::example("lulesh-8/trace-otf2")});
    panel.showAnomalies();
    CHECK(query->text().isEmpty());
    CHECK(functions->currentText() == "All functions");
    CHECK(panel.canvas->choices().query.empty());
    CHECK(panel.canvas->choices().functions.empty());
    CHECK(panel.canvas->choices().window.back == 0);
    CHECK_FALSE(panel.window->actionRegistry().find("edit.undo")->isEnabled());
}

TEST_CASE("windows go back as far as clocks that are shifted reach")
{
    Panel panel;
    panel.open({test::example("heatflow-16x2/trace-otf2"), test::example("lulesh-8/trace-otf2")});
    panel.showAnomalies();
    panel.choose("anomalies.window", 3);
    const auto* back = panel.child<QSpinBox>("anomalies.back");
    const int before = back->maximum();
    const std::vector<TimeNs> shifts{0, 10'000'000'000};
    panel.window->selection().setClockShifts(shifts, nullptr);
    panel.settle();
    const TimeSpan run = sessionClock(*panel.window->loader().session(), shifts).extent;
    CHECK(back->maximum() == static_cast<int>((run.lengthNs() - 1) / 100'000'000));
    CHECK(back->maximum() > before);
}

TEST_CASE("how many normal calls are drawn, consequences and the map are choices that are kept and undone")
{
    Panel panel;
    const auto shown = [&] {
        return shownPoints(*panel.canvas->anomalies(), panel.canvas->shownState(), panel.canvas->choices())
            .size();
    };
    const std::size_t all = shown(), odd = panel.canvas->anomalies()->found[0]->calls.size(),
                      anomalies = panel.canvas->anomalies()->found[0]->anomalies;
    REQUIRE(all > odd);
    panel.choose("anomalies.normal", 5);
    CHECK(shown() == odd);
    CHECK(panel.keptAs("normal") == "Normal: none");
    panel.child<QAction>("anomalies.consequences")->trigger();
    CHECK(shown() == anomalies);
    CHECK(panel.keptAs("consequences") == "off");
    panel.child<QAction>("anomalies.heat.Calls")->trigger();
    CHECK(panel.canvas->choices().heat == AnomalyHeat::Calls);
    panel.child<QAction>("anomalies.projected.bytes")->trigger();
    CHECK(panel.canvas->choices().projected == (kProjectedFeatures & ~bitOf(CallFeature::Bytes)));
    panel.step("edit.undo");
    CHECK(panel.canvas->choices().projected == kProjectedFeatures);
    panel.step("edit.undo");
    CHECK(panel.canvas->choices().heat == AnomalyHeat::Anomalies);
    panel.step("edit.undo");
    CHECK(shown() == odd);
    panel.step("edit.undo");
    CHECK(shown() == all);
}

TEST_CASE("choices that are made while axes are counted are not lost")
{
    Panel panel;
    REQUIRE_FALSE(panel.canvas->anomalies()->featuresCounted());
    panel.choose("anomalies.across", static_cast<int>(AnomalyAxis::Messages));
    CHECK(panel.canvas->choices().x == AnomalyAxis::Entry);  // still counting
    panel.choose("anomalies.severity", 3);
    panel.choose("anomalies.normal", 5);
    panel.child<QAction>("anomalies.consequences")->trigger();
    panel.child<QLineEdit>("anomalies.query")->setText("ranks 1..9");
    panel.waitUntilFound();
    const AnomalyChoices& choices = panel.canvas->choices();
    CHECK(choices.x == AnomalyAxis::Messages);
    CHECK(choices.leastSeverityNs == 1'000'000);
    CHECK(choices.normalShare == 0.0);
    CHECK_FALSE(choices.consequences);
    CHECK(choices.query == parseAnomalyQuery("ranks 1..9").value());
    CHECK(choices == panel.canvas->wantedChoices());
}

TEST_CASE("a colour that is chosen anew for a group reaches the dots of the scatter")
{
    Panel panel;
    const SessionAnomalies& anomalies = *panel.canvas->anomalies();
    const RegionGroups groups(*anomalies.session, panel.window->selection().state().grouping);
    const ShownGroup group = groups.list()[groups.of({0, RegionId(anomalies.points[0].function)})];
    const bool dark = themeFor(panel.window->palette()).dark;
    const auto expected = [&] {
        return regionPalette(groups, 0, themeFor(panel.window->palette()))
            .color(RegionId(anomalies.points[0].function));
    };
    const Color before = expected();
    const auto has = [&](const Color& color) {
        const auto colors = panel.anomalyColors();
        return std::find(colors.begin(), colors.end(), color) != colors.end();
    };
    CHECK(has(before));
    chooseGroupColor(group, dark, QColor(250, 30, 200));
    REQUIRE(test::waitFor([&] { return panel.canvas->upToDate(); }));
    CHECK_FALSE(expected() == before);
    CHECK(has(expected()));
    CHECK_FALSE(has(before));
    chooseGroupColor(group, dark, std::nullopt);
    REQUIRE(test::waitFor([&] { return panel.canvas->upToDate(); }));
    CHECK(has(before));
}

TEST_CASE("F shows the selected calls of the scatter enlarged, and says where there are none")
{
    Panel panel;
    AnomaliesCanvas& canvas = *panel.canvas;
    const AnomaliesLayout whole = canvas.sceneLayout();
    const AnomalyPoint& worst = canvas.anomalies()->points[0];
    panel.window->selection().setSelected(select(*canvas.anomalies()->session, worst.call), nullptr);
    panel.settle();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_F);
    REQUIRE(test::waitFor([&] {
        return canvas.upToDate()
            && canvas.sceneLayout().x.to - canvas.sceneLayout().x.from < 0.5 * (whole.x.to - whole.x.from);
    }));
    const AnomaliesLayout near = canvas.sceneLayout();
    CHECK(near.scatter.contains(
        {near.x.at(static_cast<double>(worst.begin)), near.y.at(static_cast<double>(worst.durationNs))}));
    QTest::keyClick(&canvas, Qt::Key_Home);
    REQUIRE(test::waitFor([&] { return canvas.upToDate() && canvas.sceneLayout().x.from == whole.x.from; }));
    panel.window->selection().setSelected({}, nullptr);
    QTest::keyClick(&canvas, Qt::Key_F);
    REQUIRE(test::waitFor([&] { return canvas.upToDate(); }));
    CHECK(canvas.sceneLayout().x.from == whole.x.from);
    CHECK(canvas.sceneLayout().x.to == whole.x.to);
}

TEST_CASE("a click on the map of ranks over time selects the anomalies that it counts there")
{
    Panel panel;
    panel.window->resize(1600, 1000);
    panel.window->docks().focusView("anomalies");
    panel.trigger("view.maximise");
    panel.settle();
    const SessionAnomalies& anomalies = *panel.canvas->anomalies();
    const AnomaliesLayout layout = panel.canvas->sceneLayout();
    REQUIRE(layout.heat.height > 16);
    const double ratio = panel.canvas->devicePixelRatioF();
    // The rows are ranks, from top to bottom; an anomaly stands where the scatter has its entry.
    const AnomalyPoint& worst = anomalies.points[0];
    const std::int64_t rank = anomalies.found[0]->places[worst.call.location.index()].rank;
    const double row = layout.heat.height / 16;
    const QPoint at(static_cast<int>(layout.x.at(static_cast<double>(worst.begin)) / ratio),
                    static_cast<int>((layout.heat.y + (static_cast<double>(rank) + 0.5) * row) / ratio));
    QTest::mouseClick(panel.canvas, Qt::LeftButton, {}, at);
    const auto& selected = panel.window->selection().state().selected.intervals;
    CHECK(std::find(selected.begin(), selected.end(), worst.call) != selected.end());
    for (const IntervalRef& call : selected)
        CHECK(anomalies.found[0]->places[call.location.index()].rank == rank);
}

TEST_CASE("anomalies are saved as provenance records with what was said of them, a file a trace")
{
    Panel panel;
    const test::TemporaryFolder folder;
    const SessionAnomaliesPtr anomalies = panel.canvas->anomalies();
    panel.canvas->say(anomalies->points[0].call, CallVerdict::Kind::Normal);
    const auto save = [&](const char* name) {
        Q_EMIT panel.canvas->recordsWanted();
        auto* dialog = panel.child<QFileDialog>("anomalies.records");
        Q_EMIT dialog->fileSelected(QString::fromStdString((folder.path() / name).string()));
        dialog->close();
        panel.settle();
        QTest::qWait(1);
    };
    const auto recordsIn = [&](const char* name) {
        std::ifstream file(folder.path() / name);
        return nlohmann::json::parse(file)["anomalies"];
    };
    save("one.json");
    const auto records = recordsIn("one.json");
    CHECK(records.size() == anomalies->found[0]->anomalies);
    CHECK(std::count_if(records.begin(), records.end(),
                        [](const auto& each) {
                            return each.contains("user_verdict") && !each["is_anomaly"].template get<bool>();
                        })
          == 1);
    panel.open({test::example("heatflow-16x2/trace-otf2"), test::example("lulesh-8/trace-otf2")});
    panel.showAnomalies();
    save("two.json");
    for (const auto& [number, name] : {std::pair(0U, "two.json"), std::pair(1U, "two-2.json")})
        CHECK(recordsIn(name).size() == panel.canvas->anomalies()->found[number]->anomalies);
    // The dialog asks about the first file alone: another one is not replaced.
    std::ofstream(folder.path() / "three-2.json") << "kept";
    save("three.json");
    CHECK_FALSE(std::filesystem::exists(folder.path() / "three.json"));
    std::ifstream other(folder.path() / "three-2.json");
    std::string kept;
    other >> kept;
    CHECK(kept == "kept");
}

TEST_CASE("a saved picture of the same choices has the colours of the theme that it is saved in")
{
    Panel panel;
    const SessionAnomalies& anomalies = *panel.canvas->anomalies();
    const RegionGroups groups(*anomalies.session, panel.window->selection().state().grouping);
    const ShownGroup group = groups.list()[groups.of({0, RegionId(anomalies.points[0].function)})];
    chooseGroupColor(group, true, QColor(250, 30, 200));  // of the dark theme alone
    std::vector<Color> wanted;
    for (const gui::Appearance appearance :
         {gui::Appearance::Light, gui::Appearance::Dark, gui::Appearance::Light}) {
        panel.window->preferences().setAppearance(appearance);
        const Theme theme = themeFor(panel.window->palette());
        CHECK(theme.dark == (appearance == gui::Appearance::Dark));
        panel.settle();
        CHECK(panel.drawn().background == theme.background);
        const std::vector<Color> colors = panel.anomalyColors();
        wanted.push_back(regionPalette(groups, 0, theme).color(RegionId(anomalies.points[0].function)));
        CHECK(std::find(colors.begin(), colors.end(), wanted.back()) != colors.end());
    }
    CHECK_FALSE(wanted[0] == wanted[1]);
    CHECK(wanted[0] == wanted[2]);
    chooseGroupColor(group, true, std::nullopt);
}

TEST_CASE("in a low panel the choices are scrolled, and the scatter keeps its height")
{
    Panel panel;
    panel.window->resize(1024, 700);
    panel.window->panels().apply(*gui::findWorkspace("anomalies"));
    panel.child<QToolButton>("anomalies.rules")->click();
    panel.choose("anomalies.order", 1);
    panel.choose("anomalies.window", 3);
    auto* view = panel.window->docks().find("anomalies")->view;
    auto* strip = view->findChild<ControlStrip*>();
    REQUIRE(strip);
    const auto roomOfPicture = [&] { return view->height() - strip->height(); };
    REQUIRE(test::waitFor([&] { return roomOfPicture() >= ControlStrip::kLeastPicturePx; }));
    panel.waitUntilFound();
    CHECK(panel.canvas->sceneLayout().scatter.height >= 120 * panel.canvas->devicePixelRatioF());
    CHECK(strip->widget()->height() > strip->viewport()->height());
    // A choice out of sight is scrolled to when it gets the keys.
    auto* age = panel.child<QComboBox>("anomalies.age");
    REQUIRE(age->isVisible());
    strip->ensureWidgetVisible(age);
    CHECK(strip->viewport()->rect().intersects(QRect(age->mapTo(strip->viewport(), QPoint()), age->size())));
    panel.window->resize(1600, 1000);
    REQUIRE(test::waitFor([&] { return strip->widget()->height() <= strip->viewport()->height(); }));
}

}  // namespace skein::anomalies_choices_test
