// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/job_block.h"

#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace skein::job_block_test {
namespace {

TEST_CASE("a job on a huge machine has a block around it, an even one with room for it many times")
{
    const Topology torus = makeTopology("torus:1024x512").value();
    const Placement placement = placeInBlocks(torus, 64, 1).value();
    const auto inside = blockAroundJob(torus, placement);
    REQUIRE(inside.size() == torus.nodes());
    CHECK(std::count(inside.begin(), inside.end(), 1) == 65536);
    for (std::uint32_t node = 0; node < torus.nodes(); ++node) {
        const auto position = torus.coordinates(node);
        REQUIRE(inside[node] == (position[0] < 256 && position[1] < 256 ? 1 : 0));
    }
}

TEST_CASE("the block around a job holds all of its nodes, wherever they are")
{
    const Topology mesh = makeTopology("mesh:64x100x128").value();
    std::vector<std::uint32_t> slots;
    for (std::uint32_t rank = 0; rank < 50; ++rank)
        slots.push_back(mesh.nodes() * 2 - 1 - 2 * rank * 12'801 % (mesh.nodes() / 2));
    const Placement placement = Placement::create(slots, mesh.nodes(), 2).value();
    const auto inside = blockAroundJob(mesh, placement);
    REQUIRE(inside.size() == mesh.nodes());
    CHECK(2 * std::count(inside.begin(), inside.end(), 1) >= 65536);
    CHECK(std::count(inside.begin(), inside.end(), 0) > 0);
    for (std::uint32_t rank = 0; rank < 50; ++rank) CHECK(inside[placement.nodeOf(rank)] == 1);
}

TEST_CASE("machines that are not huge, or that a job fills, are searched as a whole")
{
    const Topology torus = makeTopology("torus:64x64x64").value();
    CHECK(blockAroundJob(torus, placeInBlocks(torus, 64, 1).value()).empty());
    const Topology large = makeTopology("torus:128x64x64").value();
    CHECK(blockAroundJob(large, placeInBlocks(large, 40'000, 1).value()).empty());
    CHECK_FALSE(blockAroundJob(large, placeInBlocks(large, 20'000, 1).value()).empty());
}

}  // namespace
}  // namespace skein::job_block_test
