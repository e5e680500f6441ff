// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is selected, Details zoom to it: in time, in rows, and where the machine is drawn.
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/behavior_model.h"
#include "views/common/plane_canvas.h"
#include "views/communication/communication_canvas.h"
#include "views/machine/machine_canvas.h"
#include "views/route_matrix/route_matrix_canvas.h"

#include <QDockWidget>
#include <QTextBrowser>

#include <algorithm>
#include <cmath>
#include <functional>

namespace skein::zoom_to_selection_test {
namespace {

/// Sixteen ranks with two threads each, one rank a node, on a mesh of 4 × 4.
struct Opened : test::WindowFixture {
    const Experiment* experiment = nullptr;
    SessionPtr session;

    Opened()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        session = window->loader().session();
        experiment = session->experiments[0].get();
        MachineChoice machine;
        machine.topology = "mesh:4x4";
        machine.ranksPerNode = 1;
        window->selection().setMachine(machine, nullptr);
        show("details");
    }
    void rest()
    {
        QTest::qWait(SelectionModel::kRestMs + 100);
        settle();
    }
    View* show(const char* id)
    {
        const auto* panel = window->docks().find(id);
        panel->dock->show();
        panel->dock->raise();
        rest();
        return panel->view;
    }
    const ViewState& state() const { return window->selection().state(); }
    void choose(const Selection& selection)
    {
        window->selection().setSelected(selection, nullptr);
        rest();
    }
    QTextBrowser* details() const
    {
        return window->docks().find("details")->view->findChild<QTextBrowser*>();
    }
    void zoom()
    {
        REQUIRE(details()->toPlainText().contains("Zoom to it"));
        Q_EMIT details()->anchorClicked(QUrl("zoom:0"));
        rest();
    }
    /// That of messages from rank to rank that are meant, one by one, with what is around it in the window.
    TimeSpan around(const std::function<bool(std::uint32_t, std::uint32_t)>& meant) const
    {
        std::optional<TimeSpan> span;
        for (const Message& message : experiment->trace->messages) {
            const auto rankOf = [&](LocationId id) {
                return static_cast<std::uint32_t>(experiment->definitions.location(id).rank);
            };
            if (!message.matched() || !meant(rankOf(message.sender), rankOf(message.receiver))) continue;
            const TimeSpan flight{message.sendTime, std::max(message.sendTime, message.receiveTime)};
            span = span ? span->united(flight) : flight;
        }
        REQUIRE(span);
        return wider(*span);
    }
    TimeSpan wider(TimeSpan span) const
    {
        const TimeNs margin = span.lengthNs() / 20 + 1;
        const TimeSpan run = experiment->trace->extent;
        return {std::max(run.begin, span.begin - margin), std::min(run.end, span.end + margin)};
    }
};

bool goesOver(const SessionCommunication& communication, LinkIndex link, std::uint32_t from, std::uint32_t to)
{
    const auto route = communication.routeOf(from, to);
    if (!route || *route >= communication.traffic.paths.size()) return false;
    const auto path = communication.traffic.paths[*route];
    return std::find(path.begin(), path.end(), link) != path.end();
}

}  // namespace

TEST_CASE("zoom to a link: when messages go over it, and where it is on the machine")
{
    Opened opened;
    auto* machine = opened.show("machine")->findChild<MachineCanvas*>();
    REQUIRE(machine->shown());
    CHECK(machine->view().pixels == 0);
    const SessionCommunicationPtr communication = machine->shown()->users.front().communication;
    const Topology& topology = machine->shown()->topology();
    const LinkIndex link = topology.findLink(0, 1);
    Selection selected;
    selected.links = {{link}};
    opened.choose(selected);
    opened.zoom();
    CHECK(opened.state().visible
          == opened.around([&](auto from, auto to) { return goesOver(*communication, link, from, to); }));
    CHECK(machine->view().pixels > 0);
    const std::vector<PlanePoint>& points = machine->shown()->plan->points;
    CHECK(machine->view().center.x == Approx((points[0].x + points[1].x) / 2));
    CHECK(machine->view().center.y == Approx((points[0].y + points[1].y) / 2));
    // The matrix of routes goes to the cell, by its key as well.
    auto* routes = opened.show("route_matrix")->findChild<RouteMatrixCanvas*>();
    REQUIRE(routes->shown());
    CHECK(routes->view().pixels == 0);
    QTest::keyClick(routes, Qt::Key_F);
    CHECK(routes->view().center.x == Approx(routes->shown()->middleOf(1)));
    CHECK(routes->view().center.y == Approx(routes->shown()->middleOf(0)));
}

TEST_CASE("zoom to a node: when it sends or gets something, and where it is in both pictures")
{
    Opened opened;
    auto* graph = opened.show("communication")->findChild<CommunicationCanvas*>();
    REQUIRE(graph->shown());
    Selection selected = select(*opened.session, [&] {
        std::vector<LocationRef> of;
        for (std::uint32_t id = 0; id < opened.experiment->definitions.locations.size(); ++id)
            if (opened.experiment->definitions.locations[id].rank == 5) of.push_back({0, LocationId(id)});
        return of;
    }());
    selected.nodes = {{5}};
    opened.choose(selected);
    opened.zoom();
    CHECK(opened.state().visible
          == opened.around([](auto from, auto to) { return (from == 5) != (to == 5); }));
    CHECK(graph->view().pixels > 0);
    // Another span has a layout of its own, which moves vertices a little.
    const PlanePoint place = (*graph->shown()->points)[5];
    CHECK(std::hypot(graph->view().center.x - place.x, graph->view().center.y - place.y)
          < 0.1 * graph->shown()->spacing);
    QTest::keyClick(graph, Qt::Key_F);
    CHECK(graph->view().center.x == Approx(place.x));
    CHECK(graph->view().center.y == Approx(place.y));
    auto* machine = opened.show("machine")->findChild<MachineCanvas*>();
    QTest::keyClick(machine, Qt::Key_F);
    CHECK(machine->view().center.x == Approx(machine->shown()->plan->points[5].x));
    // With nothing selected the key says so and moves nothing.
    const PlaneView before = machine->view();
    opened.choose({});
    QTest::keyClick(machine, Qt::Key_F);
    CHECK(machine->view() == before);
}

TEST_CASE("zoom to a region or a location: from its first to its last call")
{
    Opened opened;
    const CallIntervals& first = opened.experiment->trace->locations.front().intervals;
    const RegionId id = opened.experiment->callTree->region(CallPathId(first.callPath[first.size() / 2]));
    opened.choose(select(*opened.session, RegionRef{0, id}));
    opened.zoom();
    std::optional<TimeSpan> calls;
    for (const auto& location : opened.experiment->trace->locations)
        for (std::size_t call = 0; call < location.intervals.size(); ++call)
            if (opened.experiment->callTree->region(CallPathId(location.intervals.callPath[call])) == id) {
                const TimeSpan span = location.intervals.span(call);
                calls = calls ? calls->united(span) : span;
            }
    REQUIRE(calls);
    CHECK(opened.state().visible == opened.wider(*calls));
}

TEST_CASE("zoom to a cluster: the bins that it was made of, and its rows")
{
    Opened opened;
    opened.show("behavior");
    opened.show("details");
    BehaviorModel& model = BehaviorModel::of({opened.window->selection(), opened.window->tasks()});
    REQUIRE(test::waitFor([&] { return model.behavior() != nullptr; }, 30000));
    Selection selected;
    selected.clusters = {{0, 0}};
    opened.choose(selected);
    opened.zoom();
    const SessionBehaviorPtr behavior = model.behavior();
    CHECK(opened.state().visible == opened.wider({behavior->edges.front(), behavior->edges.back()}));
    CHECK(opened.state().selected.locations == behavior->locationsOfCluster(0));
    CHECK(opened.state().selected.clusters == selected.clusters);
}

}  // namespace skein::zoom_to_selection_test
