// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/common/trial_chooser.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/communication/communication_canvas.h"
#include "views/communication/communication_view.h"
#include "views/machine/machine_canvas.h"
#include "views/machine/machine_view.h"
#include "views/metric_rank/color_stops_strip.h"
#include "views/metric_rank/metric_rank_view.h"
#include "views/prediction/prediction_canvas.h"
#include "views/prediction/prediction_view.h"
#include "views/route_matrix/route_matrix_canvas.h"
#include "views/route_matrix/route_matrix_view.h"

#include <QComboBox>
#include <QTest>

namespace skein::trial_view_test {
namespace {

/// A view of sixteen ranks in a row on a mesh of 4 × 4.
template <typename ViewType>
struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    ViewType view{ViewContext{selection, tasks}, nullptr};

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
        view.setSession(test::sessionOfSums(16, {entries}));
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 4; ++turn) {
            QTest::qWait(30);
            REQUIRE(QTest::qWaitFor([this] { return !tasks.anyRunning(); }, 30000));
        }
    }
    void choose(const char* name, int index)
    {
        view.template findChild<QComboBox*>(name)->setCurrentIndex(index);
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

TEST_CASE("colours: a stop that is dragged is that of all communication views, and can be put back")
{
    Opened<MetricRankView> opened;
    auto* strip = opened.view.findChild<ColorStopsStrip*>();
    const QPoint at(static_cast<int>(strip->placeOf(0)), strip->height() / 2);
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
