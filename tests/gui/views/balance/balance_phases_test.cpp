// SPDX-License-Identifier: GPL-3.0-or-later
// Efficiencies by phase in the panel Balance are those of skein-cli efficiency.
#include "tests/gui/support/window_fixture.h"
#include "tests/support/cli.h"
#include "views/balance/balance_canvas.h"
#include "views/balance/phase_canvas.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_delegate.h"

#include <QComboBox>
#include <QDockWidget>
#include <QToolButton>
#include <QTreeView>

#include <nlohmann/json.hpp>

namespace skein::balance_phases_test {

using nlohmann::json;

namespace {

constexpr const char* kHeatflow = "heatflow-16x2/trace-otf2";
constexpr const char* kLulesh = "lulesh-8/trace-otf2";

struct Opened : test::WindowFixture {
    const char* archive;
    QComboBox* phases = nullptr;
    PhaseCanvas* curves = nullptr;

    explicit Opened(const char* relative) : archive(relative)
    {
        open({test::example(relative)});
        const auto* panel = window->docks().find("balance");
        panel->dock->show();
        panel->dock->raise();
        phases = child<QComboBox>("balance.phases");
        curves = child<PhaseCanvas>("balance.curves");
        settleAll();
    }
    void settleAll()
    {
        QTest::qWait(150);
        settle();
    }
    void choose(const QString& text)
    {
        const int row = phases->findText(text);
        INFO(text.toStdString());
        REQUIRE(row >= 0);
        phases->setCurrentIndex(row);
        Q_EMIT phases->activated(row);
        settleAll();
    }
    json printed(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"efficiency", test::example(archive).toStdString()});
        words.insert(words.end(), {"--format", "json"});
        const test::CliResult result = test::runCli(words);
        INFO(result.err);
        REQUIRE(result.exitCode == 0);
        const json found = json::parse(result.out);
        return found.is_array() ? found : json::array({found});
    }
    const QAbstractItemModel& table()
    {
        auto* shown = child<QToolButton>("balance.asTable");
        if (!shown->isChecked()) shown->click();
        settleAll();
        return *child<QTreeView>("balance.table")->model();
    }
    /// The numbers of the panel's table against those that were printed.
    void compare(const json& rows)
    {
        const QAbstractItemModel& model = table();
        REQUIRE(model.rowCount() == static_cast<int>(rows.size()));
        constexpr std::array<const char*, 6> kFields{
            "parallel_efficiency", "load_balance",  "communication_efficiency",
            "useful_ns",           "max_useful_ns", "max_useful_location"};
        for (int row = 0; row < model.rowCount(); ++row) {
            const json& line = rows[static_cast<std::size_t>(row)];
            const auto number = [&](int column) {
                return model.index(row, column).data(kSortRole).toDouble();
            };
            CHECK(number(0) == row + 1);
            for (int field = 0; field < 3; ++field)
                CHECK(number(2 + field) == Approx(line.at(kFields[field]).get<double>()).margin(1e-6));
            CHECK(number(5) == Approx(line.at("useful_ns").get<double>()).margin(1));
            CHECK(number(6) == Approx(line.at("max_useful_ns").get<double>()).margin(1));
            CHECK(model.index(row, 7).data().toString().toStdString() == line.at(kFields[5]));
            CHECK(number(8) == Approx(line.at("runtime_ns").get<double>()).margin(1));
            CHECK(number(9) == line.at("processes").get<double>());
            if (line.contains("begin_ns")) CHECK(number(1) == line.at("begin_ns").get<double>());
        }
    }
};

}  // namespace

TEST_CASE("efficiencies by phase of a region that is proposed are those of skein-cli")
{
    Opened opened(kHeatflow);
    CHECK_FALSE(opened.curves->isVisible());
    opened.choose("A phase a call of time_step");
    CHECK(opened.curves->isVisible());
    CHECK_FALSE(opened.child<QComboBox>("balance.shading")->isVisible());
    REQUIRE(opened.curves->phases());
    const json rows = opened.printed({"--by-region", "time_step"});
    CHECK(rows.size() == 150);
    const View& view = *opened.window->docks().find("balance")->view;
    CHECK(view.drawnPicture(640, 320));
    opened.compare(rows);
    CHECK_FALSE(view.drawnPicture(640, 320));  // saved as a table
    // In a window those that begin in it.
    opened.window->selection().setVisible(TimeSpan{1'000'000'000, 1'500'000'000}, nullptr);
    opened.settleAll();
    const json part = opened.printed({"--by-region", "time_step", "--window", "1s:1500ms"});
    CHECK(part.size() < 150);
    opened.compare(part);
}

TEST_CASE("a click on a phase shows it in the window, and the panel keeps what it shows")
{
    Opened opened(kHeatflow);
    opened.choose("A phase a call of time_step");
    const BalancePhasesPtr phases = opened.curves->phases();
    REQUIRE(phases);
    const PhaseLayout layout = opened.curves->sceneLayout();
    REQUIRE(layout.panes.size() == 1);
    const Rect& plot = layout.panes[0].plot;
    const double scale = opened.curves->devicePixelRatioF();
    const QPointF at(layout.toX(plot, 40), plot.y + plot.height / 2);
    const QPoint clicked = (at / scale).toPoint();
    const auto expected = phaseAt(*phases, layout, {clicked.x() * scale, clicked.y() * scale});
    REQUIRE(expected);
    CHECK(std::abs(static_cast<double>(expected->phase) - 39) <= 1);
    QTest::mouseClick(opened.curves, Qt::LeftButton, {}, clicked);
    opened.settleAll();
    CHECK(opened.window->selection().state().visible == phases->runs[0].phases[expected->phase].span);
    const auto* panel = opened.window->docks().find("balance");
    CHECK(ScopeHead::of(*panel->view)->pin() == ScopeHead::Pin::Kept);
    CHECK(opened.curves->phases() == phases);
    // A row of the table does the same.
    const QAbstractItemModel& model = opened.table();
    opened.child<QTreeView>("balance.table")->setCurrentIndex(model.index(99, 0));
    opened.settleAll();
    CHECK(opened.window->selection().state().visible == phases->runs[0].phases[99].span);
    CHECK(model.rowCount() == 150);
}

TEST_CASE("calls of the selected region and marked spans are phases, with the numbers of skein-cli")
{
    Opened opened(kLulesh);
    const std::string name = "LagrangeLeapFrog(Domain&)";
    const BalancePicturePtr matrix = opened.child<BalanceCanvas>("balance.matrix")->picture();
    REQUIRE(matrix);
    Selection selected;
    for (const BalanceRow& row : matrix->matrix.rows)
        if (row.name.find("LagrangeLeapFrog") != std::string::npos) selected.regions = row.regions;
    opened.choose("A phase a call of the selected region");
    CHECK_FALSE(opened.curves->phases());
    REQUIRE_FALSE(selected.regions.empty());
    opened.window->selection().setSelected(selected, nullptr);
    opened.settleAll();
    opened.compare(opened.printed({"--by-region", name}));
    const std::vector<Mark> marks{{{560'000'000, 580'000'000}, "first"},
                                  {{580'000'000, 600'000'000}, "second"}};
    opened.window->selection().setMarks(marks, nullptr);
    opened.choose("A phase a marked span");
    json rows = opened.printed({"--window", "560ms:580ms"});
    rows.push_back(opened.printed({"--window", "580ms:600ms"}).front());
    opened.compare(rows);
    CHECK(opened.table().index(1, 10).data().toString() == "second");
}

TEST_CASE("the choice of phases is undone by name, and comes back with the session")
{
    Opened opened(kHeatflow);
    opened.choose("A phase a call of time_step");
    const ViewState kept = opened.window->selection().state();
    CHECK(kept.panels.at("balance").at("phases") == "A phase a call of time_step");
    CHECK(opened.window->actionRegistry().find("edit.undo")->text()
          == "&Undo Balance: Efficiencies by phase");
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(opened.phases->currentIndex() == 0);
    CHECK_FALSE(opened.curves->isVisible());
    CHECK(opened.child<QWidget>("balance.matrix")->isVisible());
    opened.trigger("edit.redo");
    opened.settleAll();
    CHECK(opened.phases->currentText() == "A phase a call of time_step");
    REQUIRE(opened.curves->phases());
    CHECK(opened.curves->phases()->count() == 150);
    // Of a saved session it waits for the regions that are proposed.
    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "mine.session.json").string());
    opened.window->keeper().save(file, opened.window->docks().layout());
    opened.settleAll();
    opened.trigger("file.close");
    opened.settleAll();
    CHECK(opened.phases->currentIndex() == 0);
    opened.open({file});
    opened.settleAll();
    CHECK(opened.phases->currentText() == "A phase a call of time_step");
    REQUIRE(opened.curves->phases());
    CHECK(opened.curves->phases()->count() == 150);
}

}  // namespace skein::balance_phases_test
