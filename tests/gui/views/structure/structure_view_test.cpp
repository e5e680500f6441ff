// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/structure/structure_canvas.h"

#include <QAction>
#include <QComboBox>
#include <QMouseEvent>

#include <numeric>

namespace skein::structure_view_test {
namespace {

struct Opened : test::WindowFixture {
    explicit Opened(const char* archive = "heatflow-16x2/trace-otf2")
    {
        open({test::example(archive)});
        window->docks().focusView("structure");
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(150);
        settle();
    }
    StructureView& view() const
    {
        return *static_cast<StructureView*>(window->docks().find("structure")->view);
    }
    const StructurePicturePtr& shown() const { return view().canvas().shown(); }
};

}  // namespace

TEST_CASE("without a selection the most severe anomaly stands beside its normal twin, node by node")
{
    Opened opened;
    REQUIRE(opened.shown());
    REQUIRE(opened.shown()->data->executions.size() == 1);
    const ComparedExecution& compared = opened.shown()->data->executions[0];
    REQUIRE(compared.twin.has_value());
    const Trace& trace = *opened.shown()->data->session->experiments[0]->trace;
    const auto duration = [&](const IntervalRef& call) {
        return trace.locations[call.location.index()].intervals.span(call.index).lengthNs();
    };
    const auto& differences = opened.shown()->placed[0].differenceNs;
    CHECK(std::accumulate(differences.begin(), differences.end(), TimeNs{0})
          == duration(compared.of) - duration(*compared.twin));
    CHECK(compared.of.experiment == 0);
}

TEST_CASE("the structure follows the selection, and a click on a node selects its call without leaving it")
{
    Opened opened;
    const IntervalRef twin = *opened.shown()->data->executions[0].twin;
    Selection selected;
    selected.intervals = {twin};
    opened.window->selection().setSelected(selected, nullptr);
    opened.settleAll();
    REQUIRE(opened.shown()->data->executions.size() == 1);
    CHECK(opened.shown()->data->executions[0].of == twin);
    StructureCanvas& canvas = opened.view().canvas();
    const IntervalRef inner{twin.experiment, twin.location, twin.index + 1};
    Q_EMIT canvas.callChosen(inner, false);
    opened.settleAll();
    CHECK(opened.window->selection().state().selected.intervals == std::vector{inner});
    CHECK(opened.shown()->data->executions[0].of == twin);
}

TEST_CASE("the structure is drawn tidy or by forces, with or without its twin, as deep as is wanted")
{
    Opened opened;
    const auto tidy = opened.shown();
    const auto choices = opened.view().findChildren<QComboBox*>();
    REQUIRE(choices.size() >= 3);
    bool otherShape = false, otherDepth = false, alone = false;
    for (QComboBox* choice : choices)
        for (int row = 0; row < choice->count(); ++row) {
            choice->setCurrentIndex(row);
            opened.settleAll();
            otherShape = otherShape || opened.shown()->options.shape != tidy->options.shape;
            otherDepth = otherDepth || opened.shown()->options.depth != tidy->options.depth;
            alone = alone || !opened.shown()->options.twins;
        }
    CHECK(otherShape);
    CHECK(otherDepth);
    CHECK(alone);
}

TEST_CASE("a node follows the pointer, is no click then, and is put back by a key")
{
    Opened opened;
    StructureCanvas& canvas = opened.view().canvas();
    const auto nodes = [&] { return canvas.sceneLayout().panes[0].nodes; };
    const auto before = nodes();
    REQUIRE(before.size() > 2);
    const double ratio = canvas.devicePixelRatioF();
    const std::size_t dragged = before.size() - 1;
    const QPoint from(static_cast<int>(before[dragged].x / ratio),
                      static_cast<int>(before[dragged].y / ratio));
    const auto selected = opened.window->selection().state().selected;
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 4; ++step) {
        QMouseEvent move(QEvent::MouseMove, QPointF(from + QPoint(5 * step, -5 * step)),
                         QPointF(from + QPoint(5 * step, -5 * step)), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas, &move);
    }
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + QPoint(20, -20));
    opened.settleAll();
    CHECK(nodes()[dragged].x == before[dragged].x + 20 * ratio);
    CHECK(nodes()[dragged].y == before[dragged].y - 20 * ratio);
    CHECK(nodes()[0].x == before[0].x);
    CHECK(opened.window->selection().state().selected == selected);
    QTest::keyClick(&canvas, Qt::Key_Home);
    opened.settleAll();
    CHECK(nodes()[dragged].x == before[dragged].x);
    CHECK(nodes()[dragged].y == before[dragged].y);
}

TEST_CASE("what the user says of a call inside shows in the structure")
{
    Opened opened;
    const ComparedExecution& compared = opened.shown()->data->executions[0];
    const auto odd = [&] {
        const auto& labels = opened.shown()->data->executions[0].labels;
        return std::count(labels.begin(), labels.end(), AnomalyLabel::Anomaly);
    };
    REQUIRE(odd() > 0);
    opened.window->selection().setVerdicts({{compared.of, CallVerdict::Kind::Normal}}, nullptr);
    Selection selected;
    selected.intervals = {compared.of};
    const auto before = odd();
    opened.window->selection().setSelected(selected, nullptr);
    opened.settleAll();
    CHECK(odd() < before);
}

TEST_CASE("a profile has no executions to show, and the panel says so")
{
    Opened opened("lulesh-8/profile-callpath");
    CHECK_FALSE(opened.shown());
}

}  // namespace skein::structure_view_test
