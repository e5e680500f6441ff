// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/common/color_stops_strip.h"
#include "views/common/trial_chooser.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/comm_matrix/comm_matrix_model.h"
#include "views/comm_matrix/comm_matrix_view.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_delegate.h"
#include "views/common/table/table_text.h"
#include "views/common/task_runner.h"
#include "views/communication/communication_canvas.h"
#include "views/communication/communication_view.h"
#include "views/machine/machine_canvas.h"
#include "views/machine/machine_view.h"
#include "views/metric_rank/metric_rank_view.h"
#include "views/prediction/prediction_canvas.h"
#include "views/prediction/prediction_view.h"
#include "views/route_matrix/route_matrix_canvas.h"
#include "views/route_matrix/route_matrix_view.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <map>

namespace skein::trial_view_test {
namespace {

/// A view of sixteen ranks in a row on a mesh of 4 × 4.
template <typename ViewType>
struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    ViewType view{ViewContext{selection, tasks}, nullptr};
    SessionPtr session;

    Opened()
    {
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t rank = 0; rank < 16; ++rank)
            entries.push_back({rank, (rank + 1) % 16, 1, 100 + rank});
        MachineChoice machine;
        machine.topology = "mesh:4x4";
        selection.setMachine(machine, nullptr);
        view.resize(1200, 600);
        static_cast<QWidget&>(view).show();
        session = test::sessionOfSums(16, {entries});
        view.setSession(session);
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 4; ++turn) {
            QTest::qWait(30);
            REQUIRE(test::waitFor([this] { return !tasks.anyRunning(); }, 30000));
        }
    }
    void choose(const char* name, int index)
    {
        auto* choice = view.template findChild<QComboBox*>(name);
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
        settle();
    }
    /// Every second rank changes its place with the one opposite.
    void keepTrial(const std::string& name)
    {
        CommunicationTrial trial;
        trial.name = name;
        for (std::uint32_t rank = 0; rank < 16; ++rank)
            trial.slotOfRank.push_back(rank % 2 ? (rank + 8) % 16 : rank);
        TrialModel::of(selection).keep(std::make_shared<const CommunicationTrial>(trial));
        settle();
    }
};

/// A table as its user reads it: the text of each column of each row, by the names of the columns.
std::vector<std::map<std::string, QModelIndex>> rowsOf(const QWidget& view, const char* name)
{
    const auto* table = view.findChild<QTreeView*>(name);
    REQUIRE(table);
    std::vector<std::map<std::string, QModelIndex>> rows(
        static_cast<std::size_t>(table->model()->rowCount()));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            const auto title = table->model()->headerData(column, Qt::Horizontal).toString().toStdString();
            rows[row][title] = table->model()->index(static_cast<int>(row), column);
        }
    return rows;
}
double numberIn(const QModelIndex& index) { return index.data(kSortRole).toDouble(); }
std::string textIn(const QModelIndex& index) { return index.data().toString().toStdString(); }

/// What is and what the trial of keepTrial() comes to, worked out apart from any view.
struct BothSides {
    SessionCommunicationPtr before, after;

    explicit BothSides(const SessionPtr& session) : before(test::communicationOn(session, "mesh:4x4"))
    {
        CommunicationTrial trial;
        for (std::uint32_t rank = 0; rank < 16; ++rank)
            trial.slotOfRank.push_back(rank % 2 ? (rank + 8) % 16 : rank);
        ResultStore results;
        after = communicationUnder(results, session, before,
                                   std::make_shared<const CommunicationTrial>(trial), Task())
                    .value();
    }
    std::string nameOf(VertexIndex vertex) const { return before->machine->topology->vertexName(vertex); }
};

constexpr int kAsItIs = 0, kTried = 1, kSideBySide = 2, kDifference = 3;

}  // namespace

TEST_CASE("machine plan: what was tried lies beside it, as soon as there is something")
{
    Opened<MachineView> opened;
    auto* canvas = opened.view.findChild<MachineCanvas*>();
    opened.choose("machine.compare", kSideBySide);
    CHECK_FALSE(canvas->besideIt());
    opened.keepTrial("better");
    REQUIRE(canvas->besideIt());
    CHECK(canvas->besideIt()->most == canvas->shown()->most);
    CHECK(canvas->besideIt()->head.starts_with("better"));
    CHECK(canvas->shown()->head.starts_with("As it is"));
    opened.choose("machine.compare", kDifference);
    CHECK_FALSE(canvas->besideIt());
    CHECK_FALSE(canvas->shown()->changes.empty());
    opened.choose("machine.compare", kTried);
    CHECK(canvas->shown()->head.starts_with("better"));
    TrialModel::of(opened.selection).drop("better");
    opened.settle();
    CHECK(canvas->shown()->changes.empty());
    opened.keepTrial("again");
    opened.choose("machine.compare", kAsItIs);
    CHECK_FALSE(canvas->shown()->head.starts_with("again"));
}

TEST_CASE(
    "trials: what a search finds in quick succession does not keep what it found before from being seen")
{
    Opened<MachineView> opened;
    auto* canvas = opened.view.findChild<MachineCanvas*>();
    opened.choose("machine.compare", kTried);
    TrialModel& trials = TrialModel::of(opened.selection);
    const auto found = [&](std::uint32_t turn) {
        CommunicationTrial trial;
        trial.name = "search";
        for (std::uint32_t rank = 0; rank < 16; ++rank) trial.slotOfRank.push_back((rank * 5 + turn) % 16);
        trials.keep(std::make_shared<const CommunicationTrial>(trial));
    };
    const auto shown = [&] { return canvas->shown() && canvas->shown()->head.starts_with("search"); };
    // A better one every turn of the event loop, before any job can have ended.
    std::uint32_t turn = 0;
    QElapsedTimer clock;
    for (clock.start(); !shown() && clock.elapsed() < 20'000; ++turn) {
        found(turn);
        QCoreApplication::processEvents();
    }
    CHECK(shown());
    // The newest of all is what stays: worked out apart from any view.
    found(3);
    const SessionCommunicationPtr before = test::communicationOn(opened.session, "mesh:4x4");
    ResultStore results;
    const SessionCommunicationPtr after =
        communicationUnder(results, opened.session, before, trials.trials().back(), Task()).value();
    const LinkAmounts& wanted = after->traffic.loads;
    const auto isNewest = [&] {
        const LinkAmounts& loads = canvas->shown()->loads;
        for (LinkIndex link = 0; link < wanted.size(); ++link)
            if (loads[link] != wanted[link]) return false;
        return !opened.tasks.anyRunning();
    };
    CHECK(test::waitFor(isNewest, 20'000));
}

TEST_CASE("communication: both sides have one zoom, and either is selected in")
{
    Opened<CommunicationView> opened;
    auto* canvas = opened.view.findChild<CommunicationCanvas*>();
    const std::size_t vertices = canvas->shown()->graph->vertices.size();
    opened.keepTrial("better");
    opened.choose("communication.compare", kSideBySide);
    REQUIRE(canvas->besideIt());
    CHECK(canvas->shown()->graph->vertices.size() == vertices);
    CHECK(canvas->besideIt()->points == canvas->shown()->points);
    const CommunicationHit left = canvas->hitAt({20, 20});
    CHECK_FALSE(left.vertex);
    // The same vertex is found at the same place of either pane.
    std::optional<std::uint32_t> found;
    for (int y = 0; y < canvas->height() && !found; y += 2)
        for (int x = 0; x < canvas->width() / 2 - 10 && !found; x += 2) {
            const auto here = canvas->hitAt({double(x), double(y)}).vertex;
            if (!here) continue;
            found = here;
            CHECK(canvas->hitAt({x + (canvas->width() + 8) / 2.0, double(y)}).vertex == here);
            QTest::mouseClick(canvas, Qt::LeftButton, {}, {x + (canvas->width() + 8) / 2, y});
        }
    REQUIRE(found);
    opened.settle();
    CHECK_FALSE(opened.selection.state().selected.rankPairs.empty());
    opened.choose("communication.compare", kDifference);
    CHECK_FALSE(canvas->shown()->changes.empty());
    CHECK_FALSE(canvas->besideIt());
}

TEST_CASE("route matrix: rows are the same on both sides")
{
    Opened<RouteMatrixView> opened;
    auto* canvas = opened.view.findChild<RouteMatrixCanvas*>();
    opened.keepTrial("better");
    opened.choose("route_matrix.compare", kDifference);
    REQUIRE(canvas->shown());
    CHECK_FALSE(canvas->shown()->changes.empty());
    opened.choose("route_matrix.compare", kSideBySide);
    CHECK(canvas->shown()->changes.empty());
    CHECK(canvas->shown()->head.starts_with("As it is"));
}

TEST_CASE("prediction: both maps are told as soon as one was tried")
{
    Opened<PredictionView> opened;
    auto* canvas = opened.view.findChild<PredictionCanvas*>();
    REQUIRE(canvas->shown());
    CHECK_FALSE(canvas->shown()->phases.front().tried);
    opened.keepTrial("better");
    REQUIRE(canvas->shown()->phases.front().tried);
    CHECK(canvas->shown()->trial == "better");
}

TEST_CASE("machine plan: the table has loads before and after, and the change, however they are shown")
{
    Opened<MachineView> opened;
    opened.keepTrial("better");
    opened.view.showTable(true);
    const BothSides both(opened.session);
    std::map<std::pair<std::string, std::string>, LinkIndex> links;
    const Topology& topology = *both.before->machine->topology;
    for (LinkIndex link = 0; link < topology.links(); ++link)
        links[{both.nameOf(topology.source(link)), both.nameOf(topology.target(link))}] = link;
    for (const int show : {kTried, kSideBySide, kDifference}) {
        opened.choose("machine.compare", show);
        const auto rows = rowsOf(opened.view, "machine.table");
        CHECK(rows.size() > 8);
        for (const auto& row : rows) {
            const LinkIndex link = links.at({textIn(row.at("From")), textIn(row.at("To"))});
            const auto was = static_cast<double>(both.before->traffic.loads[link]);
            const auto is = static_cast<double>(both.after->traffic.loads[link]);
            CHECK(numberIn(row.at("Load")) == was);
            CHECK(numberIn(row.at("Load as tried")) == is);
            CHECK(numberIn(row.at("Change of load")) == is - was);
        }
    }
    opened.choose("machine.compare", kAsItIs);
    CHECK_FALSE(rowsOf(opened.view, "machine.table").front().contains("Load as tried"));
}

TEST_CASE("route matrix: the table has routes before and after, and the change, however they are shown")
{
    Opened<RouteMatrixView> opened;
    opened.keepTrial("better");
    opened.view.showTable(true);
    opened.choose("route_matrix.top", 4);
    const BothSides both(opened.session);
    for (const int show : {kTried, kSideBySide, kDifference}) {
        opened.choose("route_matrix.compare", show);
        const auto rows = rowsOf(opened.view, "route_matrix.table");
        CHECK(rows.size() > 8);
        std::size_t gone = 0, come = 0;
        for (const auto& row : rows) {
            const auto sideOf = [&](const SessionCommunication& of) {
                for (std::size_t i = 0; i < of.traffic.pairs.size(); ++i) {
                    const NodePair& pair = of.traffic.pairs[i];
                    if (both.nameOf(pair.from) != textIn(row.at("From"))
                        || both.nameOf(pair.to) != textIn(row.at("To")))
                        continue;
                    return std::pair(static_cast<double>(pair.bytes),
                                     static_cast<double>(of.traffic.paths[i].size()));
                }
                return std::pair(0.0, 0.0);
            };
            const auto [bytesWas, lengthWas] = sideOf(*both.before);
            const auto [bytesIs, lengthIs] = sideOf(*both.after);
            CHECK(numberIn(row.at("Bytes")) == bytesWas);
            CHECK(numberIn(row.at("Bytes as tried")) == bytesIs);
            CHECK(numberIn(row.at("Change of bytes")) == bytesIs - bytesWas);
            CHECK(numberIn(row.at("Length")) == lengthWas);
            CHECK(numberIn(row.at("Length as tried")) == lengthIs);
            CHECK(numberIn(row.at("Change of highest load"))
                  == numberIn(row.at("Highest load as tried")) - numberIn(row.at("Highest load")));
            CHECK(textIn(row.at("Way")).empty() == (bytesWas == 0));
            CHECK(textIn(row.at("Way as tried")).empty() == (bytesIs == 0));
            gone += bytesIs == 0 ? 1 : 0;
            come += bytesWas == 0 ? 1 : 0;
        }
        CHECK(come > 0);
        if (show != kTried) CHECK(gone > 0);
    }
    // A row that only what was tried has selects its ranks.
    auto* table = opened.view.findChild<QTreeView*>("route_matrix.table");
    const auto rows = rowsOf(opened.view, "route_matrix.table");
    const auto only =
        std::ranges::find_if(rows, [](const auto& row) { return textIn(row.at("Way")).empty(); });
    REQUIRE(only != rows.end());
    table->setCurrentIndex(only->at("From"));
    opened.settle();
    CHECK(opened.selection.state().selected.rankPairs.size() == 1);
}

TEST_CASE("communication: the table has flows before and after, and the change")
{
    Opened<CommunicationView> opened;
    opened.keepTrial("better");
    opened.view.showTable(true);
    for (const int show : {kSideBySide, kDifference}) {
        opened.choose("communication.compare", show);
        const auto rows = rowsOf(opened.view, "communication.table");
        CHECK(rows.size() > 16);
        double before = 0, after = 0;
        for (const auto& row : rows) {
            for (const char* name : {"Bytes", "Length", "Highest load"}) {
                std::string lower = name;
                lower[0] = static_cast<char>(lower[0] | 0x20);
                CHECK(numberIn(row.at("Change of " + lower))
                      == numberIn(row.at(std::string(name) + " as tried")) - numberIn(row.at(name)));
            }
            before += numberIn(row.at("Bytes"));
            after += numberIn(row.at("Bytes as tried"));
        }
        // All that the ring sends, on either side.
        CHECK(before == 16 * 100 + 120);
        CHECK(after == 16 * 100 + 120);
    }
}

TEST_CASE(
    "communication matrix: the table has cells before and after, and the change, however they are shown")
{
    Opened<CommMatrixView> opened;
    opened.keepTrial("better");
    opened.choose("comm_matrix.shown", 4);
    CHECK_FALSE(rowsOf(opened.view, "comm_matrix.table").front().contains("Hops as tried"));
    const BothSides both(opened.session);
    for (const int show : {kTried, kSideBySide, kDifference}) {
        opened.choose("comm_matrix.compare", show);
        const auto rows = rowsOf(opened.view, "comm_matrix.table");
        REQUIRE(rows.size() == 16);
        bool changed = false;
        for (const auto& row : rows) {
            const auto sender = static_cast<std::uint32_t>(std::stoul(textIn(row.at("Sender")).substr(5)));
            const auto hops = [&](const SessionCommunicationPtr& of) {
                return *of->hopsOf(sender, (sender + 1) % 16);
            };
            CHECK(textIn(row.at("Bytes")) == std::to_string(100 + sender) + " B");
            CHECK(textIn(row.at("Bytes as tried")) == textIn(row.at("Bytes")));
            CHECK(textIn(row.at("Hops")) == std::to_string(hops(both.before)) + " hops");
            CHECK(textIn(row.at("Hops as tried")) == std::to_string(hops(both.after)) + " hops");
            changed = changed || hops(both.before) != hops(both.after);
            CHECK(textIn(row.at("Change of hops"))
                  == std::to_string(int(hops(both.after)) - int(hops(both.before))) + " hops");
            // What is copied is the number behind each text.
            CHECK(exactText(row.at("Bytes")).toStdString() == std::to_string(100 + sender));
            CHECK(exactText(row.at("Change of hops")).toInt()
                  == int(hops(both.after)) - int(hops(both.before)));
        }
        CHECK(changed);
    }
}

TEST_CASE(
    "communication matrix: rows of the table go by sender and by receiver, and numbers are copied whole")
{
    Opened<CommMatrixView> opened;
    opened.choose("comm_matrix.shown", 4);
    const auto* table = opened.view.findChild<QTreeView*>("comm_matrix.table");
    REQUIRE(table);
    QAbstractItemModel& model = *table->model();
    for (const int column : {0, 1}) {
        model.sort(column, Qt::AscendingOrder);
        for (const int row : {0, 2, 10, 15})
            CHECK(model.index(row, column).data().toString() == QString("Rank %1").arg(row));
    }
    CHECK(exactHeader(model, 2) == "Bytes [bytes]");
    CHECK(exactHeader(model, 3) == "Messages");
    CHECK(exactHeader(model, 6) == "Time in flight [ns]");
    CHECK(exactText(model.index(0, 2)) == "115");  // to rank 0 from rank 15
    // What nothing is known of has no column: sums have no times, and hops are those of a machine.
    CHECK(table->isColumnHidden(CommMatrixModel::kTime));
    CHECK_FALSE(table->isColumnHidden(CommMatrixModel::kHops));
    MachineChoice none;
    none.topology = "none";
    opened.selection.setMachine(none, nullptr);
    QTest::qWait(100);
    opened.settle();
    CHECK(table->isColumnHidden(CommMatrixModel::kHops));
}

TEST_CASE("colours: a stop that is dragged is that of all communication views, and can be put back")
{
    Opened<MetricRankView> opened;
    auto* strip = opened.view.findChild<ColorStopsStrip*>();
    const QPoint at(static_cast<int>(strip->placeOf(1)), strip->height() / 2);
    QTest::mousePress(strip, Qt::LeftButton, {}, at);
    QTest::mouseMove(strip, at - QPoint(20, 0));
    QTest::mouseRelease(strip, Qt::LeftButton, {}, at - QPoint(20, 0));
    opened.settle();
    const ColorStops chosen = colorStopsOf(opened.selection.state());
    CHECK(chosen.at[0] < 0.2);
    CHECK(chosen.at[1] == ColorStops().at[1]);
    opened.selection.undo();
    opened.settle();
    CHECK(colorStopsOf(opened.selection.state()) == ColorStops());
    CHECK(strip->stops() == ColorStops());
}

}  // namespace skein::trial_view_test
