// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/placement_state.h"

#include "tests/support/catch.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace skein::gui::placement_state_test {
namespace {

KeptPlacement placement(const std::string& name, std::size_t ranks, std::size_t pointsOfFront)
{
    KeptPlacement kept;
    kept.name = name;
    kept.slotOfRank = std::make_shared<const std::vector<std::uint32_t>>(ranks, 1);
    KeptSearch search;
    search.objectiveBefore = 100;
    search.curve = {{0.5, 10, 90}, {0.75, 20, 80}};
    for (std::size_t point = 0; point < pointsOfFront; ++point)
        search.front.push_back({static_cast<std::uint32_t>(point), 90, 180,
                                std::vector<std::uint32_t>(ranks, static_cast<std::uint32_t>(point))});
    kept.search = std::make_shared<const KeptSearch>(std::move(search));
    return kept;
}

std::vector<KeptPlacement> readBack(const nlohmann::json& json, std::size_t& lost)
{
    const auto experimentOf = [](std::int64_t source) -> std::optional<std::uint32_t> {
        return source == 0 ? std::optional<std::uint32_t>(0) : std::nullopt;
    };
    return placementsFrom(JsonView(json), experimentOf, lost);
}

}  // namespace

TEST_CASE("placements come back with the curves and fronts of their searches")
{
    const std::vector<KeptPlacement> kept{placement("a", 8, 3), placement("b", 4, 0)};
    std::size_t lost = 0;
    CHECK((readBack(placementsToJson(kept), lost) == kept));
    CHECK(lost == 0);
}

TEST_CASE("a front that has no room beside the placements is left out, and no placement for it")
{
    const std::size_t ranks = kMostKeptRanks / 4;
    const std::vector<KeptPlacement> kept{placement("large front", ranks, 3), placement("a", ranks, 1),
                                          placement("b", ranks, 0)};
    CHECK(leftOut(kept) == 0);
    std::size_t lost = 0;
    const auto back = readBack(placementsToJson(kept), lost);
    CHECK(lost == 0);
    REQUIRE(back.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(*back[i].slotOfRank == *kept[i].slotOfRank);
    // Three points want the room of three placements where there is that of one.
    CHECK(back[0].search->front.empty());
    CHECK(back[0].search->curve == kept[0].search->curve);
    CHECK((*back[1].search == *kept[1].search));
}

TEST_CASE("what a file tells of a search that cannot be is left out and counted")
{
    auto json = placementsToJson({placement("a", 8, 4)});
    auto& search = json[0]["search"];
    search["front"][0]["slots"] = "1 2 3";
    search["front"][1]["moved"] = 9;
    search["front"][2]["objective"] = -1;
    search["curve"].push_back(nlohmann::json::array({1, 30, 70}));  // before the others
    search["curve"].push_back("never");
    std::size_t lost = 0;
    const auto back = readBack(json, lost);
    REQUIRE(back.size() == 1);
    CHECK(lost == 3);
    REQUIRE(back[0].search->front.size() == 1);
    CHECK(back[0].search->front[0].moved == 3);
    REQUIRE(back[0].search->curve.size() == 2);
    CHECK(back[0].search->curve.back().objective == 80);
    json[0]["search"] = 7;
    CHECK(readBack(json, lost).size() == 1);
    json[0].erase("search");
    CHECK_FALSE(readBack(json, lost).front().search);
}

}  // namespace skein::gui::placement_state_test
