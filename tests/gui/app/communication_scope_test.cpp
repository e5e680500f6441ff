// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of communication sum up the window's scope, as every other panel does. What they show is held
// against sums over the messages, one by one.
#include "app/gui/window/panel_head.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "views/comm_matrix/comm_matrix_canvas.h"
#include "views/common/draw_list_painter.h"
#include "views/common/elided_label.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/communication/communication_canvas.h"
#include "views/machine/machine_canvas.h"
#include "views/metric_rank/metric_rank_canvas.h"
#include "views/prediction/prediction_canvas.h"
#include "views/remap/remap_view.h"
#include "views/reroute/reroute_view.h"
#include "views/route_matrix/route_matrix_canvas.h"

#include <QComboBox>
#include <QDockWidget>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <set>

namespace skein::communication_scope_test {

using namespace skein::gui;

namespace {

constexpr std::array kPanels{"comm_matrix",  "communication", "machine",
                             "route_matrix", "metric_rank",   "prediction"};

/// Sums over messages.
struct Sent {
    std::uint64_t messages = 0, bytes = 0;
    std::uint64_t flowBytes = 0, hopBytes = 0;  ///< between two ranks; over the links of a mesh of 4 × 4
    bool operator==(const Sent&) const = default;
};

std::uint64_t apart(std::uint32_t a, std::uint32_t b)
{
    const auto between = [](std::uint32_t from, std::uint32_t to) {
        return from > to ? from - to : to - from;
    };
    return between(a / 4, b / 4) + between(a % 4, b % 4);
}

/// Sixteen ranks with two threads each, on a mesh of 4 × 4.
struct Opened : test::WindowFixture {
    const Experiment* experiment = nullptr;
    TimeSpan run;

    Opened()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        experiment = window->loader().session()->experiments[0].get();
        run = experiment->trace->extent;
        MachineChoice machine;
        machine.topology = "mesh:4x4";
        selection().setMachine(machine, nullptr);
        raise("call_tree");
    }
    SelectionModel& selection() { return window->selection(); }
    /// A part of the run, in percent.
    TimeSpan part(int from, int to) const
    {
        return {run.begin + run.lengthNs() * from / 100, run.begin + run.lengthNs() * to / 100};
    }
    void rest()
    {
        QTest::qWait(SelectionModel::kRestMs + 100);
        settle();
    }
    void raise(const char* id)
    {
        QDockWidget* dock = window->docks().find(id)->dock;
        dock->show();
        dock->raise();
        rest();
    }
    ScopeHead& head(const char* id) { return *ScopeHead::of(*window->docks().find(id)->view); }
    std::vector<LocationRef> locationsOf(std::uint32_t rank) const
    {
        std::vector<LocationRef> found;
        const auto& locations = experiment->definitions.locations;
        for (std::uint32_t i = 0; i < locations.size(); ++i)
            if (locations[i].rank == rank) found.push_back({0, LocationId(i)});
        return found;
    }
    Sent sentIn(const std::optional<TimeSpan>& span, const std::set<std::uint32_t>& ranks = {}) const
    {
        Sent sent;
        for (const Message& message : experiment->trace->messages) {
            if (span && (message.sendTime < span->begin || message.sendTime >= span->end)) continue;
            const auto rankOf = [&](LocationId id) {
                return static_cast<std::uint32_t>(experiment->definitions.locations[id.index()].rank);
            };
            const std::uint32_t from = rankOf(message.sender), to = rankOf(message.receiver);
            if (!ranks.empty() && !ranks.contains(from) && !ranks.contains(to)) continue;
            ++sent.messages;
            sent.bytes += message.bytes;
            sent.flowBytes += from == to ? 0 : message.bytes;
            sent.hopBytes += message.bytes * apart(from, to);
        }
        return sent;
    }
    /// What the panel shows, as far as it shows it; the rest is as expected.
    Sent shownBy(const std::string& panel, const Sent& expected)
    {
        Sent shown = expected;
        const auto takeMatrix = [&](const SessionCommunication& communication) {
            shown.messages = communication.matrix->totalMessages();
            shown.bytes = communication.matrix->totalBytes();
        };
        if (panel == "comm_matrix") {
            const CommMatrixTable& table = *child<CommMatrixCanvas>("comm_matrix.canvas")->picture()->table;
            shown.messages = shown.bytes = 0;
            for (const CommMatrixCell& cell : table.cells) {
                shown.messages += cell.messages;
                shown.bytes += cell.bytes;
            }
        } else if (panel == "communication") {
            shown.flowBytes = shown.hopBytes = 0;
            const auto picture = window->findChild<CommunicationCanvas*>()->shown();
            for (const CommGraph::Flow& flow :
                 picture ? picture->graph->flows : std::vector<CommGraph::Flow>()) {
                shown.flowBytes += flow.bytes;
                shown.hopBytes += flow.hopBytes;
            }
        } else if (panel == "machine") {
            const MachinePicture& picture = *window->findChild<MachineCanvas*>()->shown();
            shown.hopBytes = 0;
            for (LinkIndex link = 0; link < picture.loads.size(); ++link)
                shown.hopBytes += picture.loads[link];
        } else if (panel == "route_matrix") {
            const auto& communication = *window->findChild<RouteMatrixCanvas*>()->shown()->communication;
            takeMatrix(communication);
            shown.hopBytes = communication.traffic.hopBytes;
        } else if (panel == "metric_rank") {
            const MetricRankList& list = *window->findChild<MetricRankCanvas*>()->picture().list;
            REQUIRE(list.quantity == RankedQuantity::PairBytes);
            takeMatrix(*list.communication);
            shown.bytes = 0;
            for (const RankedValue& value : list.values)
                shown.bytes += static_cast<std::uint64_t>(value.value);
        } else {
            shown.messages = shown.bytes = 0;
            for (const PredictedPhase& phase : window->findChild<PredictionCanvas*>()->shown()->phases) {
                shown.messages += phase.messages;
                shown.bytes += phase.bytes;
            }
        }
        return shown;
    }
    void checkAll(const Sent& expected)
    {
        const Scope scope = scopeOf(selection().state());
        const QString words = QString::fromStdString(scopeText(*window->loader().session(), scope));
        CHECK(head("call_tree").text().startsWith(words));
        for (const char* panel : kPanels) {
            INFO(panel);
            raise(panel);
            CHECK(shownBy(panel, expected) == expected);
            CHECK(head(panel).text().startsWith(words));
        }
    }
};

}  // namespace

TEST_CASE("panels of communication sum up the visible window, in the words of the call tree")
{
    Opened opened;
    const Sent whole = opened.sentIn({});
    opened.checkAll(whole);
    opened.selection().setVisible(opened.part(30, 45), nullptr);
    opened.rest();
    const Sent visible = opened.sentIn(opened.part(30, 45));
    REQUIRE(visible.messages > 0);
    REQUIRE(visible.messages < whole.messages);
    CHECK(opened.head("call_tree").text().startsWith("Visible window: "));
    opened.checkAll(visible);
    // A marked span comes before the window.
    opened.selection().setBrushed(opened.part(60, 70), nullptr);
    opened.rest();
    const Sent marked = opened.sentIn(opened.part(60, 70));
    REQUIRE(marked != visible);
    opened.checkAll(marked);
}

TEST_CASE("panels of communication show nothing of a window in which nothing was sent, and come back")
{
    Opened opened;
    TimeNs first = opened.run.end;
    for (const Message& message : opened.experiment->trace->messages)
        first = std::min(first, message.sendTime);
    const TimeSpan silent{opened.run.begin, first};
    REQUIRE_FALSE(silent.empty());
    // A graph that is not laid out from nothing keeps the zoom in which it is looked at.
    opened.raise("communication");
    auto* graph = opened.window->findChild<CommunicationCanvas*>();
    test::turnWheel(*graph, graph->rect().center(), 2);
    opened.rest();
    const PlaneView zoomed = graph->view();
    REQUIRE(zoomed != PlaneView());
    opened.selection().setVisible(silent, nullptr);
    opened.rest();
    opened.checkAll(Sent());
    CHECK_FALSE(graph->shown());
    opened.selection().setVisible(opened.run, nullptr);
    opened.rest();
    opened.checkAll(opened.sentIn(opened.run));
    CHECK(graph->view() == zoomed);
}

TEST_CASE("panels of communication count messages with an end among the rows that are marked")
{
    Opened opened;
    std::vector<LocationRef> rows = opened.locationsOf(3);
    for (const LocationRef& location : opened.locationsOf(8)) rows.push_back(location);
    std::sort(rows.begin(), rows.end());
    opened.selection().setBrushed(opened.part(20, 70), rows, nullptr);
    opened.rest();
    const Sent ofTwo = opened.sentIn(opened.part(20, 70), {3, 8});
    REQUIRE(ofTwo.messages > 0);
    REQUIRE(ofTwo.messages < opened.sentIn(opened.part(20, 70)).messages);
    opened.checkAll(ofTwo);
    // Pictures of sums by size and over time are of the same messages.
    opened.raise("comm_matrix");
    auto* shown = opened.child<QComboBox>("comm_matrix.shown");
    auto* canvas = opened.child<CommMatrixCanvas>("comm_matrix.canvas");
    const auto choose = [&](int index) {
        shown->setCurrentIndex(index);
        Q_EMIT shown->activated(index);
        opened.rest();
    };
    choose(static_cast<int>(CommPicture::Sizes));
    std::uint64_t bytes = 0;
    for (const std::uint64_t sum : canvas->picture()->sizes->bytes) bytes += sum;
    CHECK(bytes == ofTwo.bytes);
    choose(static_cast<int>(CommPicture::OverTime));
    bytes = 0;
    for (const MessageSum& sum : canvas->picture()->overTime) bytes += sum.bytes;
    CHECK(bytes == ofTwo.bytes);
}

TEST_CASE("a pinned panel of communication keeps what it sums up, and follows again")
{
    Opened opened;
    opened.selection().setVisible(opened.part(30, 45), nullptr);
    opened.rest();
    const Sent first = opened.sentIn(opened.part(30, 45)), second = opened.sentIn(opened.part(50, 90));
    REQUIRE(first != second);
    for (const char* panel : kPanels) {
        INFO(panel);
        opened.selection().setVisible(opened.part(30, 45), nullptr);
        opened.raise(panel);
        const QString words = opened.head(panel).text();
        opened.head(panel).pinTo(ScopeHead::Pin::Kept);
        opened.selection().setVisible(opened.part(50, 90), nullptr);
        opened.rest();
        CHECK(opened.shownBy(panel, first) == first);
        CHECK(opened.head(panel).text() == words);
        opened.head(panel).pinTo(ScopeHead::Pin::WholeRun);
        opened.rest();
        CHECK(opened.shownBy(panel, opened.sentIn({})) == opened.sentIn({}));
        CHECK(opened.head(panel).text().startsWith("Whole run"));
        opened.head(panel).pinTo(ScopeHead::Pin::Follow);
        opened.rest();
        CHECK(opened.shownBy(panel, second) == second);
    }
}

TEST_CASE("panels of communication follow a pan when it rests")
{
    Opened opened;
    for (const char* panel : {"comm_matrix", "communication"}) {
        INFO(panel);
        opened.selection().setVisible(opened.part(10, 20), nullptr);
        opened.raise(panel);
        const Sent before = opened.sentIn(opened.part(10, 20)), after = opened.sentIn(opened.part(50, 60));
        REQUIRE(before != after);
        for (int step = 12; step <= 50; step += 2) {
            opened.selection().moveVisible(opened.part(step, step + 10), nullptr);
            QTest::qWait(10);
            // A machine that is busy may have let the movement rest.
            if (opened.selection().moves()) CHECK(opened.shownBy(panel, before) == before);
        }
        opened.rest();
        CHECK(opened.shownBy(panel, after) == after);
    }
}

TEST_CASE("a click on a predicted phase zooms to it and leaves the other phases in the panel")
{
    Opened opened;
    opened.raise("prediction");
    auto* canvas = opened.window->findChild<PredictionCanvas*>();
    const PredictionPtr all = canvas->shown();
    REQUIRE(all->phases.size() > 3);
    Q_EMIT canvas->phaseChosen(2);
    opened.rest();
    CHECK(opened.selection().state().visible == all->phases[2].span);
    CHECK(canvas->shown()->phases.size() == all->phases.size());
    CHECK(opened.head("prediction").pin() == ScopeHead::Pin::Kept);
}

TEST_CASE("what placements and routes are searched for does not change with a zoom")
{
    Opened opened;
    const auto words = [&](const char* panel) {
        opened.raise(panel);
        QString all;
        for (const auto* label : opened.window->docks().find(panel)->view->findChildren<ElidedLabel*>())
            all += label->fullText();
        return all;
    };
    opened.selection().setVisible(opened.part(30, 45), nullptr);
    for (const char* panel : {"remap", "reroute"}) CHECK(words(panel).startsWith("Whole run · mesh:4x4"));
    opened.selection().setBrushed(opened.part(60, 70), nullptr);
    for (const char* panel : {"remap", "reroute"}) CHECK(words(panel).startsWith("Marked span: "));
}

}  // namespace skein::communication_scope_test
