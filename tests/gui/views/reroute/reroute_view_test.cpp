// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/reroute/reroute_view.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/task_runner.h"
#include "views/common/trial_model.h"

#include <QPushButton>
#include <QTest>

namespace skein::reroute_view_test {
namespace {

/// Two routes over one link of a square, of which one may go round the other way.
struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    RerouteView view{ViewContext{selection, tasks}, nullptr};
    SessionPtr session = test::sessionOfSums(4, {{{0, 3, 1, 100}, {0, 1, 1, 100}}});

    Opened()
    {
        MachineChoice machine;
        machine.topology = "mesh:2x2";
        machine.routing = "dimension-order:BA";
        selection.setMachine(machine, nullptr);
        view.resize(900, 500);
        view.QWidget::show();
        view.setSession(session);
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 2; ++turn) {
            QTest::qWait(300);  // what is chosen is taken after a pause
            REQUIRE(test::waitFor([this] { return !tasks.anyRunning(); }, 30000));
        }
    }
    void select(std::vector<RankPairRef> pairs)
    {
        Selection chosen;
        chosen.rankPairs = std::move(pairs);
        selection.setSelected(chosen, nullptr);
        settle();
    }
    QPushButton& button(const char* name) { return *view.findChild<QPushButton*>(name); }
    int changedRows() { return view.findChild<CellTable*>()->cells().rowCount(); }
    /// The way of the pair in what all views can show; empty: nothing was tried.
    std::size_t triedHops(VertexIndex from, VertexIndex to)
    {
        for (const CommunicationTrialPtr& trial : TrialModel::of(selection).trials())
            for (const TriedRoute& route : trial->routes)
                if (route.from == from && route.to == to) return route.path.size();
        return 0;
    }
};

}  // namespace

TEST_CASE("reroute view: what is selected is simulated at once, applied once, and taken back once")
{
    Opened opened;
    CHECK_FALSE(opened.view.plan());
    CHECK_FALSE(opened.button("reroute.apply").isEnabled());
    opened.select({{0, 0, 3}});
    REQUIRE(opened.view.plan());
    CHECK(opened.view.plan()->result.maximumBefore == 200);
    CHECK(opened.view.plan()->result.maximumAfter == 100);
    CHECK(opened.changedRows() == 1);
    CHECK(opened.triedHops(0, 3) == 2);
    // A double click is one change.
    opened.button("reroute.apply").click();
    opened.button("reroute.apply").click();
    opened.settle();
    CHECK(opened.view.appliedCount() == 1);
    REQUIRE(opened.view.plan());
    CHECK(opened.view.plan()->result.maximumBefore == 100);
    CHECK(opened.changedRows() == 0);
    // It stays for all views, whatever is selected.
    opened.select({});
    CHECK_FALSE(opened.view.plan());
    CHECK(opened.triedHops(0, 3) == 2);
    opened.button("reroute.undo").click();
    opened.button("reroute.undo").click();
    opened.settle();
    CHECK(opened.view.appliedCount() == 0);
    CHECK_FALSE(opened.button("reroute.undo").isEnabled());
    CHECK(opened.triedHops(0, 3) == 0);
    opened.select({{0, 0, 3}});
    REQUIRE(opened.view.plan());
    CHECK(opened.view.plan()->result.maximumBefore == 200);
}

TEST_CASE("reroute view: what was applied stays when another run comes beside, and goes with its own run")
{
    Opened opened;
    opened.select({{0, 0, 3}});
    opened.button("reroute.apply").click();
    opened.settle();
    REQUIRE(opened.view.appliedCount() == 1);
    const auto give = [&](SessionPtr session) {
        opened.view.setSession(nullptr);
        opened.view.setSession(std::move(session));
        opened.settle();
    };
    const SessionPtr other = test::sessionOfSums(4, {{{0, 3, 1, 100}, {0, 1, 1, 100}}});
    Session both = *opened.session;
    both.experiments.push_back(other->experiments[0]);
    give(std::make_shared<const Session>(both));
    CHECK(opened.view.appliedCount() == 1);
    CHECK(opened.triedHops(0, 3) == 2);
    give(other);
    CHECK(opened.view.appliedCount() == 0);
    opened.select({});
    CHECK(opened.triedHops(0, 3) == 0);
}

}  // namespace skein::reroute_view_test
