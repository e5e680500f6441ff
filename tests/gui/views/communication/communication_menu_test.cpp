// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/communication/communication_view.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/common/color_stops_strip.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/communication/communication_canvas.h"
#include "views/communication/communication_encoding_scene.h"

#include <QColorDialog>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTest>

namespace skein::communication_menu_test {
namespace {

/// Eight ranks in a ring, on a machine or none.
struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    CommunicationView view{ViewContext{selection, tasks}, nullptr};
    CommunicationCanvas* canvas = view.findChild<CommunicationCanvas*>();

    explicit Opened(const std::string& topology = "mesh:2x2x2")
    {
        MachineChoice machine;
        machine.topology = topology;
        selection.setMachine(machine, nullptr);
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t rank = 0; rank < 8; ++rank)
            entries.push_back({rank, (rank + 1) % 8, 1, 100 + rank});
        view.resize(900, 600);
        view.show();
        view.setSession(test::sessionOfSums(8, {entries}));
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 3; ++turn) {
            QTest::qWait(30);
            REQUIRE(test::waitFor([this] { return !tasks.anyRunning() && canvas->upToDate(); }, 30000));
        }
    }
    /// Opens the menu and gives the action of that text; null where it has none.
    QAction* action(const QString& text, QPoint at = {1, 1})
    {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, canvas->mapToGlobal(at));
        QApplication::sendEvent(canvas, &event);
        for (QMenu* menu : canvas->findChildren<QMenu*>("communication.menu")) {
            for (QAction* action : menu->actions()) {
                if (action->text() == text) return action;
                for (QAction* inner : action->menu() ? action->menu()->actions() : QList<QAction*>())
                    if (inner->text() == text) return inner;
            }
            menu->close();
        }
        return nullptr;
    }
    void choose(const QString& text, QPoint at = {1, 1})
    {
        QAction* found = action(text, at);
        REQUIRE(found);
        REQUIRE(found->isEnabled());
        found->trigger();
        for (QMenu* menu : canvas->findChildren<QMenu*>("communication.menu")) menu->close();
        settle();
    }
    QPoint placeOf(std::uint32_t vertex)
    {
        for (int y = 0; y < canvas->height(); ++y)
            for (int x = 0; x < canvas->width(); ++x)
                if (canvas->hitAt({static_cast<double>(x), static_cast<double>(y)}).vertex == vertex)
                    return {x, y + 2};
        return {};
    }
    const CommunicationPicture& picture() const { return *canvas->shown(); }
    CommunicationLines lines() const { return picture().options.lines; }
};

}  // namespace

TEST_CASE("communication menu: lines are shown as pairs or routes, or hidden")
{
    Opened opened;
    CHECK(opened.lines() == CommunicationLines::Pairs);
    opened.choose("Show &Routes");
    CHECK(opened.lines() == CommunicationLines::Routes);
    CHECK(opened.view.findChild<QComboBox*>("communication.lines")->currentText() == "Routes");
    opened.choose("&Hide Lines");
    CHECK(opened.lines() == CommunicationLines::None);
    CHECK(opened.picture().order.empty());
    opened.choose("Show &Pairs");
    CHECK(opened.picture().order.size() == 8);
}

TEST_CASE("communication menu: without a machine there are no routes, and lines can be hidden")
{
    Opened opened("none");
    QAction* routes = opened.action("Show &Routes");
    REQUIRE(routes);
    CHECK_FALSE(routes->isEnabled());
    opened.choose("&Hide Lines");
    CHECK(opened.picture().order.empty());
}

TEST_CASE("communication menu: groups, their members, and back to what it was at first")
{
    Opened opened;
    opened.choose("By coordinates A");
    REQUIRE(opened.picture().graph->vertices.size() == 2);
    opened.choose("Show &Members", opened.placeOf(0));
    REQUIRE(opened.picture().graph->vertices.size() == 5);
    CHECK(opened.action("Put &Members Together") == nullptr);
    opened.choose("Put &All Members Together");
    CHECK(opened.picture().graph->vertices.size() == 2);
    QTest::mouseClick(opened.canvas, Qt::LeftButton, {}, opened.placeOf(1));
    opened.settle();
    CHECK(opened.picture().anySelected());
    opened.choose("&Clear Selection");
    CHECK_FALSE(opened.picture().anySelected());
    opened.choose("&Hide Lines");
    opened.choose("R&eset");
    CHECK(opened.picture().graph->vertices.size() == 8);
    CHECK(opened.lines() == CommunicationLines::Pairs);
}

TEST_CASE("communication menu: sizes and widths are seen at once, undone, and put back")
{
    Opened opened;
    opened.choose("Si&zes and Widths of Communication…");
    auto* dialog = opened.view.findChild<QWidget*>("communication_encoding.dialog");
    REQUIRE(dialog);
    auto* curves = dialog->findChild<QDoubleSpinBox*>("communication_encoding.curves");
    CHECK(curves->value() == 100);
    CHECK(curves->maximum() == 150);
    curves->setValue(50);
    dialog->findChild<QDoubleSpinBox*>("communication_encoding.nodes")->setValue(250);
    opened.settle();
    CHECK(opened.picture().encoding.curves == 0.5);
    CHECK(opened.picture().encoding.nodes == 2.5);
    opened.selection.undo();
    opened.settle();
    CHECK(opened.picture().encoding.nodes == 1);
    CHECK(opened.picture().encoding.curves == 0.5);
    CHECK(dialog->findChild<QDoubleSpinBox*>("communication_encoding.nodes")->value() == 100);
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
        if (button->text().contains("Reset")) QTest::mouseClick(button, Qt::LeftButton);
    opened.settle();
    CHECK(opened.picture().encoding == CommunicationEncoding());
    CHECK(curves->value() == 100);
    auto* discs = dialog->findChild<QComboBox*>("communication_encoding.discs");
    discs->setCurrentIndex(2);
    Q_EMIT discs->activated(2);
    opened.settle();
    CHECK(opened.picture().encoding.discs == NodeDiscs::ReceivedOnSent);
    opened.selection.undo();
    opened.settle();
    CHECK(opened.picture().encoding.discs == NodeDiscs::Share);
    CHECK(discs->currentIndex() == 0);
}

TEST_CASE("communication menu: a colour that is picked for a stop is that of the pictures, and can be undone")
{
    Opened opened;
    opened.choose("C&olours of Communication…");
    auto* dialog = opened.view.findChild<QWidget*>("color_stops.dialog");
    REQUIRE(dialog);
    QTest::mouseClick(dialog->findChild<QPushButton*>("color_stops.anchor4"), Qt::LeftButton);
    QPointer<QColorDialog> picker;
    REQUIRE(test::waitFor([&] {
        picker = dialog->findChild<QColorDialog*>("color_stops.color");
        return !picker.isNull();
    }));
    auto* strip = dialog->findChild<ColorStopsStrip*>();
    picker->setCurrentColor(QColor(200, 10, 30));
    CHECK(strip->stops().own[4] == Color{200, 10, 30});
    CHECK_FALSE(colorStopsOf(opened.selection.state()).hasOwnColors());
    picker->accept();
    opened.settle();
    CHECK(opened.picture().stops.own[4] == Color{200, 10, 30});
    // A double click on a stop asks for its colour, too; what is not taken is not kept.
    QTest::mouseDClick(strip, Qt::LeftButton, {},
                       QPoint(static_cast<int>(strip->placeOf(1)), strip->height() / 2));
    REQUIRE(test::waitFor([&] {
        picker = dialog->findChild<QColorDialog*>("color_stops.color");
        return !picker.isNull();
    }));
    picker->setCurrentColor(QColor(1, 2, 3));
    picker->reject();
    CHECK_FALSE(strip->stops().own[1].has_value());
    opened.selection.undo();
    opened.settle();
    CHECK_FALSE(opened.picture().stops.hasOwnColors());
    CHECK_FALSE(strip->stops().hasOwnColors());
}

}  // namespace skein::communication_menu_test
