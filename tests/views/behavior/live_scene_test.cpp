// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_scene.h"

#include "tests/support/catch.h"

#include <fmt/format.h>

#include <string>

namespace skein::live_scene_test {

namespace {

OnlineBehavior streamWhere(const std::string& condition)
{
    OnlineBehaviorParams params;
    params.transform.where = parseAttributeConditions(condition).value();
    OnlineBehavior online(std::move(params));
    StreamRows rows;
    rows.addLine(R"({"entities": ["a", "b"], "attributes": {"kind": ["io", "compute"]}})");
    for (int t = 0; t < 5; ++t) {
        rows.addLine(fmt::format(R"({{"time": {0}, "metric": "load", "values": [{0}, 1]}})", t));
        online.take(rows);
    }
    return online;
}

}  // namespace

TEST_CASE("a stream whose entities are all filtered out says so, and one with some does not")
{
    const LivePicture some = livePicture(streamWhere("kind=io"), "load");
    CHECK(some.nothing.empty());
    REQUIRE(some.picture);
    CHECK(some.picture->behavior->table.columns == std::vector<std::string>{"a"});
    const LivePicture none = livePicture(streamWhere("kind=network"), "load");
    CHECK_FALSE(none.picture);
    CHECK(none.nothing.find("filters out") != std::string::npos);
}

TEST_CASE("a stream's groups offer their levels, sixteen at most however many slashes there are")
{
    StreamRows rows;
    const std::string deep(100'000, '/');
    rows.addLine(R"({"entities": ["a", "b", "c"], "groups": ["r0/n0)" + deep + R"(", "r0/n1)" + deep
                 + R"(", "r1/n2)" + deep + "x\"]}");
    CHECK(streamGranularities(rows).size() <= 17);
    StreamRows few;
    few.addLine(R"({"entities": ["a", "b", "c"], "groups": ["r0/n0", "r0/n1", "r1/n2"]})");
    const auto found = streamGranularities(few);
    REQUIRE(found.size() == 2);  // by node is each entity
    CHECK(found[0].label == "By level 1, such as r0");
    CHECK(found[1].level == 0);
}

}  // namespace skein::live_scene_test
