// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/legend_view.h"

#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/theme.h"

#include <QAbstractItemView>
#include <QColorDialog>
#include <QComboBox>
#include <QTreeWidget>

namespace skein::legend_grouping_test {

namespace {

SessionPtr tauSession()
{
    test::ExperimentBuilder builder("run");
    builder
        .process("n0",
                 {{0, 900, "main", 0},
                  {5, 800, "solve", 1},
                  {10, 20, "MPI_Send", 2},
                  {30, 40, "MPI_Recv", 2},
                  {50, 60, "tau_write", 2},
                  {70, 80, "odd", 2}})
        .paradigm("MPI_Send", Paradigm::Mpi)
        .paradigm("MPI_Recv", Paradigm::Mpi)
        .group("main", "TAU_USER")
        .group("solve", "TAU_DEFAULT")
        .group("MPI_Send", "MPI")
        .group("MPI_Recv", "TAU_MESSAGE")
        .group("tau_write", "FLUSH");
    return test::sessionOf(builder);
}

SessionPtr plainSession()
{
    test::ExperimentBuilder builder("run");
    return test::sessionOf(builder.process("n0", {{0, 900, "main", 0}}));
}

struct Legend : test::ViewFixture<LegendView> {
    QTreeWidget* tree = view.findChild<QTreeWidget*>();
    QComboBox* grouping = view.findChild<QComboBox*>("regionGrouping");

    explicit Legend(SessionPtr session = tauSession(), QSize size = {300, 400})
        : ViewFixture(size, std::move(session))
    {
        REQUIRE(grouping);
    }

    /// Opens the list with the mouse and clicks the entry.
    void choose(int row)
    {
        QTest::mouseClick(grouping, Qt::LeftButton);
        REQUIRE(test::waitFor([this] { return grouping->view()->isVisible(); }));
        // A list that has just opened takes a click for the end of the one that opened it.
        QTest::qWait(QApplication::doubleClickInterval() + 50);
        const QModelIndex index = grouping->model()->index(row, 0);
        QTest::mouseClick(grouping->view()->viewport(), Qt::LeftButton, {},
                          grouping->view()->visualRect(index).center());
        QTest::qWait(20);
    }
    std::string rows() const
    {
        std::string names;
        for (int row = 0; row < tree->topLevelItemCount(); ++row)
            names += (row ? ", " : "") + tree->topLevelItem(row)->text(0).toStdString() + " "
                + tree->topLevelItem(row)->text(1).toStdString();
        return names;
    }
    QTreeWidgetItem* row(const QString& name) const
    {
        const auto found = tree->findItems(name, Qt::MatchExactly);
        REQUIRE(found.size() == 1);
        return found.front();
    }
    void click(const QString& name, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, modifiers,
                          tree->visualItemRect(row(name)).center());
    }
    std::string chips() const
    {
        std::string labels;
        for (const Filter& filter : selection.state().filters) labels += filter.label + ";";
        return labels;
    }
    /// The regions that the filters hide.
    std::string hidden(const Session& session) const
    {
        std::string names;
        const auto& regions = session.experiments[0]->definitions.regions;
        for (std::uint32_t id = 0; id < regions.size(); ++id)
            if (!passes(selection.state().filters, RegionRef{0, RegionId(id)}))
                names += regions[id].name + ";";
        return names;
    }
};

}  // namespace

TEST_CASE("the legend lists the groups as the archive recorded them once these are chosen, and goes back")
{
    Legend legend;
    CHECK(legend.rows() == "Application 3, MPI 2, Measurement 1");
    CHECK(legend.grouping->isEnabled());
    legend.choose(1);
    CHECK(legend.selection.state().grouping == RegionGrouping::Recorded);
    CHECK(legend.rows() == "FLUSH 1, MPI 1, TAU_DEFAULT 1, TAU_MESSAGE 1, TAU_USER 1, Others 1");
    legend.choose(0);
    CHECK(legend.selection.state().grouping == RegionGrouping::Role);
    CHECK(legend.rows() == "Application 3, MPI 2, Measurement 1");
}

TEST_CASE("a recorded group is hidden, shown alone and shown again with the mouse, as groups by role are")
{
    const SessionPtr session = tauSession();
    Legend legend(session);
    legend.choose(1);
    legend.click("MPI");
    CHECK(legend.chips() == "MPI hidden;");
    CHECK(legend.hidden(*session) == "MPI_Send;");
    CHECK(legend.row("MPI")->font(0).strikeOut());
    CHECK_FALSE(legend.row("TAU_MESSAGE")->font(0).strikeOut());
    legend.click("TAU_DEFAULT", Qt::AltModifier);
    CHECK(legend.chips() == "only TAU_DEFAULT;");
    CHECK(legend.hidden(*session) == "main;MPI_Send;MPI_Recv;tau_write;odd;");
    legend.click("Others");
    CHECK(legend.chips() == "only TAU_DEFAULT, Others;");
    legend.click("Others", Qt::ShiftModifier);
    CHECK(legend.chips() == "only Others;");
    legend.click("Others", Qt::ShiftModifier);
    CHECK(legend.chips().empty());
    CHECK(legend.hidden(*session).empty());
}

TEST_CASE("what was hidden by role is shown again by recorded group, and the chip tells so")
{
    test::ExperimentBuilder builder("run");
    builder
        .process(
            "n0",
            {{0, 900, "main", 0}, {10, 20, "MPI_Send", 1}, {30, 40, "MPI_Recv", 1}, {50, 60, "tau_wrap", 1}})
        .paradigm("MPI_Send", Paradigm::Mpi)
        .paradigm("MPI_Recv", Paradigm::Mpi)
        .group("MPI_Send", "MPI")
        .paradigm("tau_wrap", Paradigm::Measurement)
        .group("tau_wrap", "MPI")
        .group("MPI_Recv", "TAU_MESSAGE");
    const SessionPtr session = test::sessionOf(builder);
    Legend legend(session);
    legend.click("MPI");
    CHECK(legend.hidden(*session) == "MPI_Send;MPI_Recv;");
    legend.choose(1);
    CHECK(legend.chips() == "MPI hidden;");
    CHECK_FALSE(legend.row("MPI")->font(0).strikeOut());
    CHECK(legend.row("TAU_MESSAGE")->font(0).strikeOut());
    legend.click("TAU_MESSAGE");
    CHECK(legend.chips() == "MPI hidden, but for TAU_MESSAGE;");
    CHECK(legend.hidden(*session) == "MPI_Send;");
    legend.selection.undo();
    QTest::qWait(20);
    CHECK(legend.hidden(*session) == "MPI_Send;MPI_Recv;");
}

TEST_CASE("a filter by role that is just some recorded groups is theirs once these are chosen")
{
    const SessionPtr session = tauSession();
    Legend legend(session);
    legend.click("MPI");
    legend.choose(1);
    legend.click("TAU_MESSAGE");
    CHECK(legend.chips() == "MPI hidden;");
    CHECK(legend.hidden(*session) == "MPI_Send;");
    legend.click("MPI");
    CHECK(legend.chips().empty());
}

TEST_CASE("what stands alone by role gives way to a recorded group that is shown alone")
{
    const SessionPtr session = tauSession();
    Legend legend(session);
    legend.click("Measurement", Qt::AltModifier);
    CHECK(legend.chips() == "only Measurement;");
    legend.choose(1);
    legend.click("TAU_USER", Qt::AltModifier);
    CHECK(legend.chips() == "only TAU_USER;");
    CHECK(legend.hidden(*session) == "solve;MPI_Send;MPI_Recv;tau_write;odd;");
    legend.click("TAU_USER", Qt::AltModifier);
    CHECK(legend.chips().empty());
}

TEST_CASE("groups are chosen from the keyboard, and the legend follows what others choose")
{
    Legend legend;
    legend.grouping->setFocus();
    QTest::keyClick(legend.grouping, Qt::Key_Down);
    CHECK(legend.selection.state().grouping == RegionGrouping::Recorded);
    CHECK(legend.tree->topLevelItemCount() == 6);
    CHECK(legend.grouping->focusPolicy() & Qt::TabFocus);
    ViewState state;
    legend.selection.setState(state, nullptr);
    QTest::qWait(20);
    CHECK(legend.grouping->currentIndex() == 0);
    CHECK(legend.tree->topLevelItemCount() == 3);
}

TEST_CASE("where no archive recorded groups there is nothing to choose, and the tooltip says why")
{
    Legend legend(plainSession());
    CHECK_FALSE(legend.grouping->isEnabled());
    CHECK(legend.grouping->toolTip().contains("No open archive recorded groups"));
    legend.selection.setGrouping(RegionGrouping::Recorded, nullptr);
    QTest::qWait(20);
    CHECK(legend.grouping->currentIndex() == 0);
    CHECK(legend.rows() == "Application 1");
}

TEST_CASE("the colour that is chosen for a recorded group is kept by its name")
{
    test::OwnSettings settings;
    Legend legend;
    legend.choose(1);
    const bool dark = themeFor(legend.view.palette()).dark;
    QTest::mouseClick(legend.tree->viewport(), Qt::LeftButton, {},
                      legend.tree->visualItemRect(legend.row("TAU_USER")).topLeft() + QPoint(8, 8));
    auto* dialog = legend.view.findChild<QColorDialog*>();
    REQUIRE(dialog);
    CHECK(dialog->windowTitle() == "Colour of TAU_USER");
    dialog->setCurrentColor(QColor(10, 120, 200));
    dialog->accept();
    QTest::qWait(20);
    CHECK(legend.row("TAU_USER")->data(0, Qt::UserRole + 1).value<QColor>() == QColor(10, 120, 200));
    CHECK(themeFor(legend.view.palette()).chosenRecorded.at("TAU_USER") == Color{10, 120, 200});
    // Names may hold what separates the levels of the settings.
    const ShownGroup odd{"a/b %2F é", RegionGrouping::Recorded, 9};
    chooseGroupColor(odd, dark, QColor(1, 2, 3));
    CHECK(themeFor(legend.view.palette()).chosenRecorded.at(odd.name) == Color{1, 2, 3});
    chooseGroupColor(odd, dark, std::nullopt);
    chooseGroupColor({"TAU_USER", RegionGrouping::Recorded, 0}, dark, std::nullopt);
    CHECK(themeFor(legend.view.palette()).chosenRecorded.empty());
}

TEST_CASE(
    "the legend's lists stand below each other where it is narrow, and beside each other where it is wide")
{
    for (const auto& [width, beside] : {std::pair{170, false}, std::pair{700, true}}) {
        Legend legend(tauSession(), {width, 400});
        const auto* modes = legend.view.findChild<QComboBox*>("colorMode");
        QTest::qWait(20);
        INFO(width);
        CHECK((modes->mapTo(&legend.view, QPoint()).y() == legend.grouping->mapTo(&legend.view, QPoint()).y())
              == beside);
        CHECK(legend.grouping->mapTo(&legend.view, QPoint(legend.grouping->width(), 0)).x()
              <= legend.view.width());
    }
}

}  // namespace skein::legend_grouping_test
