// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine/machine_scene.h"

#include "tests/support/catch.h"
#include "tests/support/machine_session.h"
#include "tests/support/scenes.h"
#include "views/common/scene/data/link_users.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace skein::machine_scene_test {
namespace {

SessionPtr neighbours(std::uint32_t ranks, std::size_t runs = 1)
{
    std::vector<std::vector<CommMatrix::Entry>> all;
    for (std::size_t run = 0; run < runs; ++run) {
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            entries.push_back({rank, static_cast<std::uint32_t>((rank + 1 + run) % ranks), 1, 100 + rank});
        all.push_back(std::move(entries));
    }
    return test::sessionOfSums(ranks, std::move(all));
}

MachinePicture pictureOf(const SessionPtr& session, const std::string& spec, std::size_t shown = 99,
                         const std::string& placement = {})
{
    std::vector<MachineUser> users;
    for (std::uint32_t i = 0; i < session->experiments.size(); ++i)
        users.push_back({session->experiments[i]->name, test::communicationOn(session, spec, i, placement)});
    const auto plan = machinePlan(users[0].communication->machine->topology, Task()).value();
    return machinePicture(plan, users, std::min(shown, users.size()));
}

}  // namespace

TEST_CASE("machine: every vertex of every kind of machine has a place of its own")
{
    for (const char* spec :
         {"torus:4x4x4x4x2", "mesh:5", "torus:8x8", "hamming:4x3x2", "hypercube:6", "dragonfly:9x4x2",
          "dragonfly:groups=5,routers=2x4,nodes=3", "fattree:k=4,n=3", "fattree:xgft(2;4,4;1,2)"}) {
        const MachinePicture picture = pictureOf(neighbours(16), spec);
        const auto& points = picture.plan->points;
        std::set<std::pair<long, long>> places;
        for (const PlanePoint& point : points)
            places.insert({std::lround(point.x * 1000), std::lround(point.y * 1000)});
        CHECK(places.size() == points.size());
        const test::PlainCanvas plain(1200, 800);
        const DrawList list = machineScene(picture, {}, plain.canvas, Task());
        CHECK(test::unreadable(list, plain.measure).empty());
        const MachineLayout layout = machineLayout(picture, {}, plain.canvas);
        for (const PlanePoint& point : points) CHECK(layout.body.contains(layout.toCanvas(point)));
    }
}

TEST_CASE("machine: neighbours of a plane are one unit apart, whatever its last dimensions")
{
    const MachinePicture picture = pictureOf(neighbours(16), "torus:3x4x5");
    const Topology& topology = picture.topology();
    for (VertexIndex node = 0; node < topology.nodes(); ++node) {
        const auto at = topology.coordinates(node);
        const PlanePoint& here = picture.plan->points[node];
        if (at[2] + 1 < 5) CHECK(picture.plan->points[node + 1].x == Approx(here.x + 1));
        if (at[1] + 1 < 4) CHECK(picture.plan->points[node + 5].y == Approx(here.y + 1));
    }
    CHECK(picture.plan->frameNames == std::vector<std::string>{"A0", "A1", "A2"});
}

TEST_CASE("machine: loads of several applications add up, and each is shown alone")
{
    const SessionPtr session = neighbours(16, 2);
    const MachinePicture first = pictureOf(session, "torus:4x4", 0),
                         second = pictureOf(session, "torus:4x4", 1), both = pictureOf(session, "torus:4x4");
    for (LinkIndex link = 0; link < both.topology().links(); ++link) {
        CHECK(both.loads[link] == first.loads[link] + second.loads[link]);
        CHECK(first.loads[link] == first.users[0].communication->traffic.loads[link]);
    }
    CHECK(std::is_sorted(both.order.begin(), both.order.end(),
                         [&](LinkIndex a, LinkIndex b) { return both.loads[a] > both.loads[b]; }));
    CHECK(both.most == both.loads[both.order.front()]);
    for (const std::uint8_t users : both.usersOfNode) CHECK(users == 3);
    CHECK(both.head.find("16 nodes have ranks of several") != std::string::npos);
}

TEST_CASE("machine: applications on nodes of their own share the links between them alone")
{
    // 6 ranks on the first 6 of 8 nodes; then 6 ranks on the two that are free.
    const SessionPtr session = neighbours(6, 2);
    const auto picture = pictureOf(session, "mesh:2x4", 99, "block ;free");
    const Placement &first = picture.users[0].communication->machine->placement,
                    &second = picture.users[1].communication->machine->placement;
    std::set<VertexIndex> taken;
    for (std::uint32_t rank = 0; rank < 6; ++rank) taken.insert(first.nodeOf(rank));
    CHECK(taken == std::set<VertexIndex>{0, 1, 2, 3, 4, 5});
    for (std::uint32_t rank = 0; rank < 6; ++rank) CHECK(second.nodeOf(rank) == 6 + rank / 3);
    CHECK(picture.head.find("of several") == std::string::npos);
    // Ranks of one node send nothing over links; the cut between its two nodes carries what crosses it.
    std::uint64_t sent = 0;
    for (const CommMatrix::Entry& entry : session->experiments[1]->commMatrix->entries())
        if (entry.sender / 3 < entry.receiver / 3) sent += entry.bytes;
    const LinkIndex link = picture.topology().findLink(6, 7);
    CHECK(sent > 0);
    CHECK(picture.users[1].communication->traffic.loads[link] == sent);
    CHECK(picture.loads[link] == sent + picture.users[0].communication->traffic.loads[link]);
}

TEST_CASE("machine: an application that has no room on the free nodes is told in a sentence")
{
    const SessionPtr session = neighbours(8, 2);
    const auto full = test::communicationOn(session, "mesh:2x4", 1, "block; free");
    CHECK(full->machine == nullptr);
    CHECK(full->machineProblem.find("The 8 ranks of run 2 do not fit on the 0 nodes that are free.")
          != std::string::npos);
    CHECK(full->matrix->entries().size() == 8);
    // The last part is for all further ones, and one archive takes the first.
    const auto same = test::communicationOn(session, "mesh:2x4", 1, "cyclic");
    CHECK(same->machine->placementName
          == test::communicationOn(session, "mesh:2x4", 0, "cyclic; free")->machine->placementName);
}

TEST_CASE("machine: nodes that a remapping may not touch are marked and told")
{
    MachinePicture picture = pictureOf(neighbours(6), "mesh:2x4");
    const test::PlainCanvas plain(900, 600);
    const auto draw = [&] { return machineScene(picture, {}, plain.canvas, Task()); };
    const DrawList before = draw();
    picture.held = {{1, 3}, {7}};
    const DrawList marked = draw();
    const MachineLayout layout = machineLayout(picture, {}, plain.canvas);
    // One more round shape at each pinned node and in the legend, one more line at the other and there.
    const auto rects = test::itemsOf<RectItem>(marked);
    CHECK(rects.size() == test::itemsOf<RectItem>(before).size() + 3);
    CHECK(test::itemsOf<LineItem>(marked).size() == test::itemsOf<LineItem>(before).size() + 2);
    for (VertexIndex node = 0; node < 8; ++node) {
        const Point at = layout.toCanvas(picture.plan->points[node]);
        const auto here = std::ranges::count_if(rects, [&](const RectItem& item) {
            return item.radius > 0 && std::abs(item.rect.x + item.rect.width / 2 - at.x) < 0.01
                && std::abs(item.rect.y + item.rect.height / 2 - at.y) < 0.01;
        });
        CHECK(here == (node == 1 || node == 3 ? 2 : 1));
        const auto words = machineTooltip(picture, {node, std::nullopt});
        const auto tells = [&](const char* word) {
            return std::ranges::any_of(
                words, [&](const std::string& line) { return line.find(word) != std::string::npos; });
        };
        CHECK(tells("Pinned") == (node == 1 || node == 3));
        CHECK(tells("places no rank") == (node == 7));
    }
    CHECK(test::unreadable(marked, plain.measure).empty());
}

TEST_CASE("machine: free nodes are told and shown")
{
    const MachinePicture picture = pictureOf(neighbours(5), "mesh:4x4");
    CHECK(picture.head.find("11 free") != std::string::npos);
    CHECK(machineTooltip(picture, {15, {}}).back() == "Free");
    CHECK(machineTooltip(picture, {3, {}}).back() == "run 1: ranks 3");
}

TEST_CASE("machine: links and nodes are found where they are drawn")
{
    const SessionPtr session = neighbours(16);
    const MachinePicture picture = pictureOf(session, "mesh:4x4");
    const test::PlainCanvas plain(900, 700);
    const MachineLayout layout = machineLayout(picture, {}, plain.canvas);
    CHECK(machineAt(picture, {}, layout.toCanvas(picture.plan->points[6]), plain.canvas).vertex == 6u);
    for (const LinkIndex link : picture.order) {
        const PlanePoint from = picture.plan->points[picture.topology().source(link)];
        const PlanePoint to = picture.plan->points[picture.topology().target(link)];
        // To the right of its direction.
        const Point a = layout.toCanvas(from), b = layout.toCanvas(to);
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const Point at{(a.x + b.x) / 2 - (b.y - a.y) / length * 2,
                       (a.y + b.y) / 2 + (b.x - a.x) / length * 2};
        CHECK(machineAt(picture, {}, at, plain.canvas).link == link);
    }
}

TEST_CASE("machine: a node means its ranks' pairs; a link its routes, pairs and shares")
{
    const SessionPtr session = neighbours(16);
    const MachinePicture picture = pictureOf(session, "mesh:4x4");
    const Selection node = selectionOfNode(*session, picture, 6);
    CHECK(node.rankPairs == std::vector<RankPairRef>{{0, 5, 6}, {0, 6, 7}});
    CHECK(node.nodes == std::vector<NodeRef>{{6}});

    const SessionCommunication& communication = *picture.users[0].communication;
    ResultStore results;
    for (const LinkIndex link : picture.order) {
        const auto users = linkUsers(results, *session, communication, {{link}}, Task());
        REQUIRE(users);
        CHECK(users->amount == picture.loads[link]);
        double ranks = 0, routes = 0;
        for (const LinkUsers::Ranks& pair : users->ranks) ranks += pair.share;
        for (const LinkUsers::Route& route : users->routes) routes += route.share;
        CHECK(ranks == Approx(1));
        CHECK(routes == Approx(1));
        const Selection chosen = selectionOfLinks(*session, {{link}}, *users);
        CHECK(chosen.rankPairs.size() == users->ranks.size());
        MachinePicture marked = picture;
        ViewState state;
        state.selected = chosen;
        markSelected(*session, state, marked);
        CHECK(marked.selected == std::vector<LinkRef>{{link}});
        CHECK(marked.selectedNodes[communication.traffic.pairs[users->routes[0].pair].from] == 1);
    }
}

}  // namespace skein::machine_scene_test
