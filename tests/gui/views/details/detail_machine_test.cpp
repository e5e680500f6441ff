// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_machine.h"

#include "core/base/units.h"
#include "tests/support/catch.h"
#include "tests/support/machine_session.h"

namespace skein::detail_machine_test {
namespace {

/// On a line of four nodes 300 bytes go from the first to the last, and 100 between those in the middle.
SessionCommunicationPtr lineOfFour(const char* topology)
{
    return test::communicationOn(test::sessionOfSums(4, {{{0, 3, 3, 300}, {1, 2, 1, 100}}}), topology);
}

Selection ofLink(const SessionCommunication& communication, VertexIndex from, VertexIndex to)
{
    Selection selected;
    selected.links = {{communication.machine->topology->findLink(from, to)}};
    return selected;
}

}  // namespace

TEST_CASE("details of a link tell its load, its place among all and whose it is")
{
    const auto communication = lineOfFour("mesh:4");
    const auto tables = machineDetails(*communication, ofLink(*communication, 1, 2));
    REQUIRE(tables.size() == 1);
    REQUIRE(tables[0].rows.size() == 1);
    const auto& row = tables[0].rows[0];
    CHECK(row[1] == formatBytes(400));
    CHECK(row[2] == "2.4");  // 1,000 bytes over six links
    CHECK(row[3] == "1");
    CHECK(row[4] == "1 of 6");
    CHECK(row[5] == "2");
    const auto idle = machineDetails(*communication, ofLink(*communication, 3, 2));
    CHECK(idle[0].rows[0][4] == "4 of 6");
    CHECK(idle[0].rows[0][5] == "0");
}

TEST_CASE("details of a node tell its ranks and what it sends and gets")
{
    const auto communication = lineOfFour("mesh:4");
    Selection selected;
    selected.nodes = {{0}, {3}, {99}};
    const auto tables = machineDetails(*communication, selected);
    REQUIRE(tables.size() == 1);
    REQUIRE(tables[0].rows.size() == 2);
    const auto &first = tables[0].rows[0], &last = tables[0].rows[1];
    CHECK(first[1] == "0");
    CHECK(first[2] == formatBytes(300));
    CHECK(first[3] == "1");
    CHECK(first[4] == formatBytes(0));
    CHECK(first[6] == formatBytes(300));
    CHECK(last[2] == formatBytes(0));
    CHECK(last[4] == formatBytes(300));
    CHECK(last[5] == "1");
}

TEST_CASE("details of a pair of ranks tell its way over the machine")
{
    const auto communication = lineOfFour("mesh:4");
    Selection selected;
    selected.rankPairs = {{0, 0, 3}, {0, 1, 2}, {0, 2, 2}, {1, 0, 3}, {0, 0, 99}};
    const auto tables = machineDetails(*communication, selected);
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].title == "Routes");
    REQUIRE(tables[0].rows.size() == 3);
    const Topology& topology = *communication->machine->topology;
    const auto &far = tables[0].rows[0], &near = tables[0].rows[1], &inside = tables[0].rows[2];
    CHECK(far[0] == "Rank 0 → Rank 3");
    CHECK(far[3] == "3");
    CHECK(far[4] == formatBytes(400));  // both pairs cross the link in the middle
    CHECK(far[5] == "2.4");             // 1,000 bytes over six links
    CHECK(far[6]
          == topology.vertexName(0) + " → " + topology.vertexName(1) + " → " + topology.vertexName(2) + " → "
              + topology.vertexName(3));
    CHECK(near[3] == "1");
    CHECK(near[4] == formatBytes(400));
    CHECK(inside[3] == "0");
    CHECK(inside[6] == "–");
}

TEST_CASE("without a machine links and nodes have no details")
{
    const auto communication = lineOfFour("none");
    Selection selected;
    selected.nodes = {{0}};
    selected.rankPairs = {{0, 0, 3}};
    CHECK(machineDetails(*communication, selected).empty());
}

}  // namespace skein::detail_machine_test
