// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/communication/communication_view.h"

#include "core/io/importer.h"
#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "tests/support/paths.h"
#include "views/common/draw_list_painter.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/communication/communication_canvas.h"

#include <QComboBox>
#include <QTest>
#include <QTreeView>

#include <cmath>

namespace skein::communication_view_test {
namespace {

/// Sixteen ranks on a mesh of 4 × 4, each of which sends to the next.
struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    CommunicationView view{ViewContext{selection, tasks}, nullptr};
    CommunicationCanvas* canvas = view.findChild<CommunicationCanvas*>();

    Opened() : Opened(16, ring(), "mesh:4x4") {}
    Opened(std::uint32_t ranks, const std::vector<CommMatrix::Entry>& entries, const std::string& topology)
    {
        MachineChoice machine;
        machine.topology = topology;
        selection.setMachine(machine, nullptr);
        view.resize(900, 600);
        view.show();
        view.setSession(test::sessionOfSums(ranks, {entries}));
        settle();
    }
    static std::vector<CommMatrix::Entry> ring()
    {
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t rank = 0; rank < 16; ++rank)
            entries.push_back({rank, (rank + 1) % 16, 1, 100 + rank});
        return entries;
    }
    void settle()
    {
        for (int turn = 0; turn < 3; ++turn) {
            QTest::qWait(30);
            REQUIRE(test::waitFor([this] { return !tasks.anyRunning() && canvas->upToDate(); }, 30000));
        }
    }
    QComboBox& choice(const char* name) { return *view.findChild<QComboBox*>(name); }
    /// Where a vertex is drawn: about its middle.
    QPoint placeOf(std::uint32_t vertex)
    {
        constexpr int kStepPx = 3;  // a vertex is wider
        QRect around;
        for (int y = 0; y < canvas->height(); y += kStepPx)
            for (int x = 0; x < canvas->width(); x += kStepPx)
                if (canvas->hitAt({static_cast<double>(x), static_cast<double>(y)}).vertex == vertex)
                    around |= QRect(x, y, 1, 1);
        return around.center();
    }
};

}  // namespace

TEST_CASE("communication view: clicks select, Shift adds, Escape clears")
{
    Opened opened;
    REQUIRE(opened.canvas->shown());
    CHECK(opened.canvas->shown()->graph->vertices.size() == 16);
    QTest::mouseClick(opened.canvas, Qt::LeftButton, {}, opened.placeOf(3));
    opened.settle();
    CHECK(opened.selection.state().selected.rankPairs == std::vector<RankPairRef>{{0, 2, 3}, {0, 3, 4}});
    CHECK(opened.canvas->shown()->anySelected());
    QTest::mouseClick(opened.canvas, Qt::LeftButton, Qt::ShiftModifier, opened.placeOf(9));
    opened.settle();
    CHECK(opened.selection.state().selected.rankPairs.size() == 4);
    QTest::keyClick(opened.canvas, Qt::Key_Escape);
    opened.settle();
    CHECK(opened.selection.state().selected.empty());
    CHECK_FALSE(opened.canvas->shown()->anySelected());
}

TEST_CASE("communication view: a double click shows the members of a group, and nothing else moves")
{
    Opened opened;
    QComboBox& grouping = opened.choice("communication.grouping");
    grouping.setCurrentText("By coordinates A");
    Q_EMIT grouping.activated(grouping.currentIndex());
    opened.settle();
    REQUIRE(opened.canvas->shown()->graph->vertices.size() == 4);
    const std::vector<PlanePoint> before = *opened.canvas->shown()->points;
    QTest::mouseDClick(opened.canvas, Qt::LeftButton, {}, opened.placeOf(1));
    opened.settle();
    const CommGraph& graph = *opened.canvas->shown()->graph;
    REQUIRE(graph.vertices.size() == 7);
    for (const std::uint32_t group : {0u, 2u, 3u}) {
        const PlanePoint now = (*opened.canvas->shown()->points)[graph.vertexOf[4 * group]];
        CHECK(now == before[group]);
    }
    PlanePoint middle;
    for (std::uint32_t member = 4; member < 8; ++member) {
        const PlanePoint at = (*opened.canvas->shown()->points)[graph.vertexOf[member]];
        middle = {middle.x + at.x / 4, middle.y + at.y / 4};
    }
    CHECK(std::hypot(middle.x - before[1].x, middle.y - before[1].y) < 1e-6);
}

TEST_CASE("communication view: the wheel zooms at the pointer, Home shows all")
{
    Opened opened;
    const QPoint at = opened.placeOf(5);
    QWheelEvent turn(at, opened.canvas->mapToGlobal(at), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(opened.canvas, &turn);
    opened.settle();
    CHECK(opened.canvas->view().pixels > 0);
    CHECK(opened.canvas->hitAt({static_cast<double>(at.x()), static_cast<double>(at.y())}).vertex == 5u);
    QTest::keyClick(opened.canvas, Qt::Key_Home);
    CHECK(opened.canvas->view() == PlaneView());
}

TEST_CASE("communication view: what is dense is coarser while it moves, and exact at rest")
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t a = 0; a < 50; ++a)
        for (std::uint32_t b = 0; b < 50; ++b)
            if (a != b) entries.push_back({a, b, 1, 1 + a * 50 + b});
    Opened opened(50, entries, "none");
    REQUIRE(test::waitFor([&] { return opened.canvas->movesQuickly(); }, 30000));
    const auto shown = [&] { return opened.canvas->grab().toImage().convertToFormat(QImage::Format_RGB32); };
    const QImage before = shown();
    const QPoint at = opened.canvas->rect().center();
    QWheelEvent turn(at, opened.canvas->mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(opened.canvas, &turn);
    CHECK_FALSE(opened.canvas->upToDate());
    opened.settle();
    const auto list = opened.canvas->drawnPicture(opened.canvas->width(), opened.canvas->height());
    REQUIRE(list);
    const QImage exact = toImage(*list, SceneFonts(opened.canvas->font(), 1.0));
    // The line of the focus lies on top.
    const QRect below(0, 1, exact.width(), exact.height() - 1);
    CHECK(shown().copy(below) == exact.copy(below));
    CHECK(shown() != before);
}

TEST_CASE("communication view: the last picture follows the pointer at once, and nothing is painted twice")
{
    Opened opened;
    CommunicationCanvas& canvas = *opened.canvas;
    const SceneFonts fonts(canvas.font(), 1.0);
    const QtTextMeasure measure(fonts);
    const SceneStyle style{lightTheme(), 1, {}};
    const CommunicationLayout layout =
        communicationLayout(*canvas.shown(), {}, Canvas{canvas.width(), canvas.height(), style, measure});
    const QRect body(static_cast<int>(layout.body.x), static_cast<int>(layout.body.y),
                     static_cast<int>(layout.body.width), static_cast<int>(layout.body.height));
    canvas.setView(layout.view);
    opened.settle();
    const auto grabbed = [&] { return canvas.grab().toImage().convertToFormat(QImage::Format_RGB32); };
    const QImage before = grabbed();
    const QRgb background = before.pixel(body.left() + 1, body.top() + 1);
    constexpr int kRight = 37, kDown = -21;
    PlaneView moved = layout.view;
    moved.center.x -= (kRight + 0.2) / moved.pixels;
    moved.center.y -= (kDown - 0.2) / moved.pixels;
    canvas.setView(moved);
    const QImage after = grabbed();  // no event was handled in between
    int others = 0;
    for (int y = 1; y < after.height(); ++y)
        for (int x = 0; x < after.width(); ++x) {
            QRgb wanted = before.pixel(x, y);
            if (body.contains(x, y)) {
                const QPoint from(x - kRight, y - kDown);
                wanted = body.contains(from) ? before.pixel(from) : background;
            }
            others += after.pixel(x, y) != wanted;
        }
    CHECK(others == 0);
    // Twice as large around the middle, by the nearest pixels.
    PlaneView close = moved;
    close.pixels *= 2;
    opened.settle();
    const QImage still = grabbed();
    canvas.setView(close);
    const QImage larger = grabbed();
    others = 0;
    int shown = 0;
    const QPointF middle =
        QRectF(layout.body.x, layout.body.y, layout.body.width, layout.body.height).center();
    for (int y = body.top() + 2; y < body.bottom() - 2; ++y)
        for (int x = body.left() + 2; x < body.right() - 2; ++x) {
            const QPointF at = middle + (QPointF(x + 0.5, y + 0.5) - middle) / 2;
            const QRgb found = larger.pixel(x, y);
            bool near = false;
            for (int down = -1; down <= 1; ++down)
                for (int right = -1; right <= 1; ++right)
                    near = near
                        || found
                            == still.pixel(static_cast<int>(at.x()) + right, static_cast<int>(at.y()) + down);
            others += !near;
            shown += found != background;
        }
    CHECK(others == 0);
    CHECK(shown > 1000);
}

TEST_CASE("communication view: the table holds the flows, and selects them")
{
    Opened opened;
    opened.view.showTable(true);
    opened.settle();
    auto* table = opened.view.findChild<QTreeView*>("communication.table");
    REQUIRE(table);
    CHECK(table->model()->rowCount() == 16);
    CHECK(table->model()->index(0, 2).data().toString() == "115 B");
    table->setCurrentIndex(table->model()->index(0, 0));
    opened.settle();
    CHECK(opened.selection.state().selected.rankPairs == std::vector<RankPairRef>{{0, 15, 0}});
}

}  // namespace skein::communication_view_test
