// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/legend_view.h"

#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/cli.h"
#include "tests/support/random_trace.h"
#include "views/common/scene/data/metric_tracks.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scope_head.h"
#include "views/common/theme.h"
#include "views/legend/color_strip.h"
#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QLabel>
#include <QTreeWidget>

#include <nlohmann/json.hpp>

namespace skein::legend_view_test {

namespace {

SessionPtr smallSession()
{
    test::ExperimentBuilder builder("run");
    builder.process("n0", {{0, 900, "main", 0}, {10, 20, "MPI_Send", 1}, {30, 40, "MPI_Recv", 1}});
    return test::sessionOf(builder.paradigm("MPI_Send", Paradigm::Mpi).paradigm("MPI_Recv", Paradigm::Mpi));
}

struct Window : test::ViewFixture<LegendView> {
    QTreeWidget* tree = view.findChild<QTreeWidget*>();

    Window() : ViewFixture({300, 300}, smallSession()) {}
    void click(QTreeWidgetItem* item, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, modifiers, tree->visualItemRect(item).center());
    }
    std::string chips() const
    {
        std::string labels;
        for (const Filter& filter : selection.state().filters) labels += filter.label + ";";
        return labels;
    }
};

}  // namespace

TEST_CASE("a click in the legend makes a filter that undo takes back")
{
    Window window;
    REQUIRE(window.tree->topLevelItemCount() == 2);
    QTreeWidgetItem* mpi = window.tree->topLevelItem(1);
    CHECK(mpi->text(0) == "MPI");
    CHECK(mpi->text(1) == "2");
    window.click(mpi);
    CHECK(window.chips() == "MPI hidden;");
    CHECK(mpi->font(0).strikeOut());
    window.selection.undo();
    QTest::qWait(20);
    CHECK_FALSE(mpi->font(0).strikeOut());
    window.click(mpi, Qt::AltModifier);
    CHECK(window.chips() == "only MPI;");
    CHECK(window.tree->topLevelItem(0)->font(0).strikeOut());
    window.click(mpi, Qt::AltModifier);
    CHECK(window.chips().empty());
    // Window managers that move windows with Alt and the mouse leave Shift.
    window.click(mpi, Qt::ShiftModifier);
    CHECK(window.chips() == "only MPI;");
    window.click(mpi, Qt::ShiftModifier);
    CHECK(window.chips().empty());
}

TEST_CASE("the legend's parts of the time are those of the scope, which its head tells")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* view = fixture.window->findChild<LegendView*>("legend");
    auto* tree = view->findChild<QTreeWidget*>();
    const auto shown = [&](const QString& group) {
        for (int row = 0; row < tree->topLevelItemCount(); ++row)
            if (tree->topLevelItem(row)->text(0) == group)
                return tree->topLevelItem(row)->text(2).section(' ', 0, 0).toDouble();
        FAIL(group.toStdString());
        return 0.0;
    };
    const auto printed = [](const std::vector<std::string>& more) {
        std::vector<std::string> command{
            "profile",  test::sourcePath("examples/lulesh-8/trace-otf2").string(),
            "--by",     "region",
            "--format", "json"};
        command.insert(command.end(), more.begin(), more.end());
        double mpi = 0, all = 0;
        for (const auto& row : nlohmann::json::parse(test::runCli(command).out)) {
            const double own = row["exclusive_ns"].get<double>();
            all += own;
            if (row["name"].get<std::string>().starts_with("MPI")) mpi += own;
        }
        return 100 * mpi / all;
    };
    CHECK(shown("MPI") == Approx(printed({})).margin(0.06));
    for (int row = 0; row < tree->topLevelItemCount(); ++row) {
        QTreeWidgetItem& group = *tree->topLevelItem(row);
        group.setExpanded(true);
        REQUIRE(group.childCount() > 0);
        const auto part = [&](int child) {
            return group.child(child)->text(2).section(' ', 0, 0).toDouble();
        };
        for (int child = 1; child < group.childCount(); ++child) CHECK(part(child) <= part(child - 1));
    }
    fixture.window->selection().setVisible(TimeSpan{580'000'000, 600'000'000}, nullptr);
    QTest::qWait(250);
    fixture.settle();
    CHECK(shown("MPI") == Approx(printed({"--window", "580ms:600ms"})).margin(0.06));
    CHECK(ScopeHead::of(*view)->text() == "Visible window: 20 ms from 580 ms");
    const double part = shown("MPI");
    // What is hidden keeps its number: it is what one would see.
    fixture.window->selection().addFilter(
        regionFilter(FilterEffect::Hide, "MPI_Waitall hidden",
                     {{0,
                       [&] {
                           const auto& regions =
                               fixture.window->loader().session()->experiments[0]->definitions.regions;
                           for (std::uint32_t id = 0; id < regions.size(); ++id)
                               if (regions[id].name.starts_with("MPI_Waitall")) return RegionId(id);
                           return RegionId();
                       }()}}),
        nullptr);
    QTest::qWait(60);
    fixture.settle();
    CHECK(shown("MPI") == part);
    ScopeHead::of(*view)->pinTo(ScopeHead::Pin::WholeRun);
    QTest::qWait(60);
    fixture.settle();
    CHECK(shown("MPI") == Approx(printed({})).margin(0.06));
}

TEST_CASE("the colour of the selected row in the legend is not tinted")
{
    Window window;
    const QIcon icon = window.tree->topLevelItem(1)->icon(0);
    const QSize size(12, 12);
    CHECK(icon.pixmap(size, QIcon::Selected).toImage() == icon.pixmap(size, QIcon::Normal).toImage());
}

TEST_CASE("a group of the legend unfolds to its regions, which are hidden one by one from the keyboard")
{
    Window window;
    QTreeWidgetItem* mpi = window.tree->topLevelItem(1);
    mpi->setExpanded(true);
    REQUIRE(mpi->childCount() == 2);
    window.tree->setCurrentItem(mpi->child(1));
    QTest::keyClick(window.tree, Qt::Key_Space);
    CHECK(window.chips() == "MPI_Send hidden;");
    QTest::keyClick(window.tree, Qt::Key_Space);
    CHECK(window.chips().empty());
}

TEST_CASE("the legend chooses what calls are coloured by, for every view")
{
    Window window;
    auto* modes = window.view.findChild<QComboBox*>("colorMode");
    REQUIRE(modes);
    modes->setCurrentIndex(2);
    Q_EMIT modes->activated(2);
    CHECK(window.selection.state().colors == ColorMode::Depth);
    window.selection.setColors(ColorMode::Region, nullptr);
    QTest::qWait(20);
    CHECK(modes->currentIndex() == 0);
}

TEST_CASE("what the legend chooses of colours is undone and made again as other choices in panels")
{
    Window window;
    auto* modes = window.view.findChild<QComboBox*>("colorMode");
    auto* scaling = window.view.findChild<QCheckBox*>("colorScaling");
    REQUIRE(modes);
    REQUIRE(scaling);
    const int metric = static_cast<int>(ColorMode::Metric);
    modes->setCurrentIndex(metric);
    Q_EMIT modes->activated(metric);
    QTest::qWait(20);
    scaling->click();
    CHECK(window.selection.edits().undoName() == "Scaling of Colours");
    window.selection.undo();
    QTest::qWait(20);
    CHECK_FALSE(scaling->isChecked());
    CHECK(window.selection.state().colorScaling == ColorScaling::Linear);
    CHECK(modes->currentIndex() == metric);
    CHECK(window.selection.edits().undoName() == "Choice of Colours");
    window.selection.undo();
    QTest::qWait(20);
    CHECK(modes->currentIndex() == 0);
    CHECK_FALSE(window.selection.edits().canUndo());
    window.selection.redo();
    window.selection.redo();
    QTest::qWait(20);
    CHECK(modes->currentIndex() == metric);
    CHECK(scaling->isChecked());
    window.selection.setGrouping(RegionGrouping::Recorded, nullptr);
    CHECK(window.selection.edits().undoName() == "Grouping of Regions");
    window.selection.undo();
    CHECK(window.selection.state().grouping == RegionGrouping::Role);
}

TEST_CASE("the legend tells the metric that calls are coloured by, from its least to its greatest value")
{
    test::guiApplication();
    test::ViewFixture<LegendView> window(
        {300, 300},
        std::make_shared<const Session>(
            Session{{std::make_shared<const Experiment>(test::randomExperiment(4))}}));
    auto* scaling = window.view.findChild<QCheckBox*>("colorScaling");
    auto* strip = window.view.findChild<ColorStrip*>();
    CHECK(scaling->isHidden());
    window.selection.setColors(ColorMode::Metric, nullptr);
    window.waitUntil([&] { return !strip->toolTip().isEmpty(); });
    CHECK(strip->toolTip().toStdString()
          == coloringMetric(Session{{std::make_shared<const Experiment>(test::randomExperiment(4))}}, {}));
    CHECK_FALSE(scaling->isHidden());
    scaling->click();
    CHECK(window.selection.state().colorScaling == ColorScaling::Logarithmic);
}

TEST_CASE("the legend chooses the metric that calls are coloured by, and begins with one that changes")
{
    test::guiApplication();
    Experiment experiment = test::randomExperiment(4);
    auto trace = std::make_shared<Trace>(*experiment.trace);
    // A third metric of most samples that is always the same, as sizes of messages often are.
    const MetricId constant(static_cast<std::uint32_t>(experiment.definitions.metrics.size()));
    Metric always;
    always.name = "always 7";
    always.valueType = MetricValueType::Uint64;
    experiment.definitions.metrics.push_back(always);
    MetricStream stream;
    stream.recorder = LocationId(0);
    stream.metrics = {constant};
    std::vector<TimeNs> times;
    for (TimeNs time = 0; time < 500; ++time) times.push_back(time);
    stream.times = Column<TimeNs>(times);
    stream.values = Column<std::uint64_t>(std::vector<std::uint64_t>(times.size(), 7));
    trace->metricStreams.push_back(std::move(stream));
    experiment.trace = trace;
    const SessionPtr session =
        std::make_shared<const Session>(Session{{std::make_shared<const Experiment>(experiment)}});
    REQUIRE(coloringMetric(*session, {}) == "always 7");

    test::ViewFixture<LegendView> window({300, 300}, session);
    auto* metrics = window.view.findChild<QComboBox*>("colorMetric");
    auto* strip = window.view.findChild<ColorStrip*>();
    REQUIRE(metrics);
    CHECK(metrics->isHidden());
    window.selection.setColors(ColorMode::Metric, nullptr);
    window.waitUntil([&] { return !strip->toolTip().isEmpty(); });
    CHECK_FALSE(metrics->isHidden());
    CHECK(metrics->count() == 3);
    CHECK(metrics->currentText() == strip->toolTip());
    CHECK(metrics->currentText() != "always 7");

    const int row = metrics->findText("always 7");
    metrics->setCurrentIndex(row);
    Q_EMIT metrics->activated(row);
    window.waitUntil([&] { return strip->toolTip() == "always 7"; });
    CHECK(window.selection.state().metric == MetricRef{0, constant});
    CHECK(strip->accessibleName().contains("always 7"));
    // The tables have no values of it: they stay at the time.
    CHECK(profileMetricName(*session, window.selection.state().metric).empty());
}

TEST_CASE("the legend tells the kinds of waits while they are marked")
{
    Window window;
    auto* waits = window.view.findChild<QLabel*>("legend.waits");
    REQUIRE(waits);
    CHECK_FALSE(waits->isVisible());
    window.selection.setWaitMarks(WaitMarks::Shown, nullptr);
    QCoreApplication::processEvents();
    CHECK(waits->isVisible());
    CHECK(waits->text().contains("late&nbsp;sender"));
    const QString color =
        toQColor(waitColor(WaitKind::LateSender, themeFor(window.view.palette()).dark)).name();
    CHECK(waits->text().contains(color));
    window.selection.setWaitMarks(WaitMarks::Hidden, nullptr);
    QCoreApplication::processEvents();
    CHECK_FALSE(waits->isVisible());
}

TEST_CASE("a click on a group's colour chooses another one, which is kept, and reset from the menu")
{
    test::OwnSettings settings;
    Window window;
    QTreeWidgetItem* mpi = window.tree->topLevelItem(1);
    const Theme before = themeFor(window.view.palette());
    QTest::mouseClick(window.tree->viewport(), Qt::LeftButton, {},
                      window.tree->visualItemRect(mpi).topLeft() + QPoint(8, 8));
    auto* dialog = window.view.findChild<QColorDialog*>();
    REQUIRE(dialog);
    CHECK(dialog->currentColor() == toQColor(groupColor(PaletteGroup::Mpi, before)));
    dialog->setCurrentColor(QColor(10, 120, 200));
    dialog->accept();
    QTest::qWait(20);
    CHECK(window.chips().empty());
    CHECK(groupColor(PaletteGroup::Mpi, themeFor(window.view.palette())) == Color{10, 120, 200});
    CHECK(window.tree->topLevelItem(1)->data(0, Qt::UserRole + 1).value<QColor>() == QColor(10, 120, 200));
    chooseGroupColor(shownGroup(PaletteGroup::Mpi), before.dark, std::nullopt);
    CHECK(themeFor(window.view.palette()) == before);
}

TEST_CASE("the legend names the bands of buffer flushes where a trace has such, and only there")
{
    Window window;
    auto* flushes = window.view.findChild<QLabel*>("legend.flushes");
    REQUIRE(flushes);
    CHECK_FALSE(flushes->isVisible());
    Experiment experiment = *smallSession()->experiments[0];
    Trace trace = *experiment.trace;
    trace.bufferFlushes =
        Column<BufferFlush>(std::vector<BufferFlush>{{100, 200, LocationId(0)}, {300, 320, LocationId(0)}});
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    window.view.setSession(std::make_shared<const Session>(
        Session{{std::make_shared<const Experiment>(std::move(experiment))}}));
    CHECK(flushes->isVisible());
    CHECK(flushes->text().contains("Buffer flush (2)"));
}

}  // namespace skein::legend_view_test
