// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/common/picture_panel.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/communication/communication_view.h"
#include "views/machine/machine_view.h"
#include "views/prediction/prediction_view.h"
#include "views/route_matrix/route_matrix_view.h"

#include <QComboBox>
#include <QTest>
#include <QTreeView>

namespace skein::picture_panel_test {
namespace {

SessionPtr ringSession()
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t rank = 0; rank < 16; ++rank) entries.push_back({rank, (rank + 1) % 16, 1, 100 + rank});
    return test::sessionOfSums(16, {entries});
}

template <typename Panel>
void checkThatTableGoes(const QString& name)
{
    test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    Panel view{ViewContext{selection, tasks}, nullptr};
    MachineChoice machine;
    machine.topology = "mesh:4x4";
    selection.setMachine(machine, nullptr);
    view.resize(900, 600);
    view.show();
    view.setSession(ringSession());
    view.showTable(true);
    INFO(name.toStdString());
    auto* table = view.template findChild<QTreeView*>(name + ".table");
    REQUIRE(table);
    REQUIRE(test::waitFor([&] { return !tasks.anyRunning() && table->model()->rowCount() > 0; }, 30000));
    view.setSession(nullptr);
    CHECK(table->model()->rowCount() == 0);
    QTest::qWait(100);
    REQUIRE(test::waitFor([&] { return !tasks.anyRunning(); }, 30000));
    CHECK(table->model()->rowCount() == 0);
    // Nor does it come back with the table.
    view.showTable(false);
    view.showTable(true);
    CHECK(table->model()->rowCount() == 0);
}

}  // namespace

TEST_CASE("tables of panels show nothing of a session that is closed")
{
    checkThatTableGoes<CommunicationView>("communication");
    checkThatTableGoes<MachineView>("machine");
    checkThatTableGoes<RouteMatrixView>("route_matrix");
    checkThatTableGoes<PredictionView>("prediction");
}

TEST_CASE("a machine that is taken away while it is laid out is not shown afterwards")
{
    test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    MachineView view{ViewContext{selection, tasks}, nullptr};
    view.resize(900, 600);
    view.show();
    view.setSession(ringSession());
    view.showTable(true);
    auto* table = view.findChild<QTreeView*>("machine.table");
    auto* loads = view.findChild<QComboBox*>("machine.loads");
    MachineChoice machine;
    machine.topology = "mesh:4x4";
    for (int turn = 0; turn < 20; ++turn) {
        selection.setMachine(machine, nullptr);
        REQUIRE(test::waitFor([&] { return !tasks.anyRunning() && table->model()->rowCount() > 0; }, 30000));
        // Laid out again while its going away is heard of, sooner or later.
        selection.setMachine({}, nullptr);
        for (int later = 0; later < turn; ++later) QCoreApplication::processEvents();
        Q_EMIT loads->activated(0);
        QTest::qWait(10);
        REQUIRE(test::waitFor([&] { return !tasks.anyRunning(); }, 30000));
        CHECK(table->model()->rowCount() == 0);
    }
}

}  // namespace skein::picture_panel_test
