// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/tidy_tree.h"

#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <map>
#include <random>

namespace skein::tidy_tree_test {

namespace {

struct Forest {
    std::vector<std::uint32_t> parents;
    std::vector<std::int64_t> ids;
};

/// The nodes of nested objects, each before what is below it.
Forest preorder(const nlohmann::json& root)
{
    Forest forest;
    std::vector<std::pair<const nlohmann::json*, std::uint32_t>> next{{&root, kNoParent}};
    while (!next.empty()) {
        const auto [node, parent] = next.back();
        next.pop_back();
        const auto number = static_cast<std::uint32_t>(forest.parents.size());
        forest.parents.push_back(parent);
        forest.ids.push_back((*node)["id"].get<std::int64_t>());
        if (!node->contains("children")) continue;
        const auto& children = (*node)["children"];
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            next.emplace_back(&*child, number);
    }
    return forest;
}

TidyTreeLayout layOut(const std::vector<std::uint32_t>& parents, const TidyTreeParams& params = {})
{
    auto layout = tidyTree(parents, params, Task());
    REQUIRE(layout);
    return std::move(*layout);
}

void compareWithGolden(const nlohmann::json& tree, const char* key, const TidyTreeParams& params)
{
    const Forest forest = preorder(tree["root"]);
    const TidyTreeLayout layout = layOut(forest.parents, params);
    std::map<std::int64_t, std::size_t> nodeOf;
    for (std::size_t node = 0; node < forest.ids.size(); ++node) nodeOf[forest.ids[node]] = node;
    REQUIRE(tree[key].size() == forest.parents.size());
    for (const auto& entry : tree[key]) {
        const std::size_t node = nodeOf.at(entry[0].get<std::int64_t>());
        CHECK(std::abs(layout.across[node] - entry[1].get<double>()) <= 1e-9);
        CHECK(layout.depth[node] == entry[2].get<double>());
    }
}

std::vector<std::uint32_t> randomForest(std::size_t nodes, std::uint32_t roots, std::mt19937& random)
{
    std::vector<std::uint32_t> parents;
    for (std::uint32_t node = 0; node < nodes; ++node)
        parents.push_back(node < roots ? kNoParent : static_cast<std::uint32_t>(random() % node));
    return parents;
}

std::vector<std::vector<std::uint32_t>> childrenOf(const std::vector<std::uint32_t>& parents)
{
    std::vector<std::vector<std::uint32_t>> children(parents.size());
    for (std::uint32_t node = 0; node < parents.size(); ++node)
        if (parents[node] != kNoParent) children[parents[node]].push_back(node);
    return children;
}

/// The nodes of each level in the order in which a drawing without crossings has them.
std::vector<std::vector<std::uint32_t>> levelsOf(const std::vector<std::uint32_t>& parents)
{
    const auto children = childrenOf(parents);
    std::vector<std::vector<std::uint32_t>> levels(1);
    for (std::uint32_t node = 0; node < parents.size(); ++node)
        if (parents[node] == kNoParent) levels[0].push_back(node);
    for (; !levels.back().empty();) {
        std::vector<std::uint32_t> below;
        for (const std::uint32_t node : levels.back())
            below.insert(below.end(), children[node].begin(), children[node].end());
        levels.push_back(std::move(below));
    }
    return levels;
}

}  // namespace

TEST_CASE("trees are drawn as d3 draws them")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/layout/tidy_tree.json");
    const nlohmann::json golden = test::readGolden(file);
    REQUIRE_FALSE(golden["cases"].empty());
    for (const auto& tree : golden["cases"]) {
        INFO(tree["name"].get<std::string>());
        compareWithGolden(tree, "tidy_sep1", {1, 1, 1});
        compareWithGolden(tree, "tidy_default", {1, 2, 1});
        const TidyTreeLayout layout = layOut(preorder(tree["root"]).parents);
        CHECK(layout.greatest - layout.least <= 1.05 * tree["width"].get<double>() + 1e-9);
    }
}

TEST_CASE("siblings keep their order and their distance, and parents stand in the middle")
{
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        const auto parents = randomForest(1 + random() % 120, 1 + random() % 3, random);
        const TidyTreeParams params{1.0, round % 2 ? 2.0 : 1.0, 1.5};
        const TidyTreeLayout layout = layOut(parents, params);
        for (const auto& level : levelsOf(parents))
            for (std::size_t place = 1; place < level.size(); ++place) {
                const bool siblings = parents[level[place]] == parents[level[place - 1]];
                const bool roots = siblings && parents[level[place]] == kNoParent;
                const double asked = roots ? params.trees : siblings ? params.siblings : 1.0;
                CHECK(layout.across[level[place]] - layout.across[level[place - 1]] >= asked - 1e-9);
            }
        const auto children = childrenOf(parents);
        for (std::size_t node = 0; node < parents.size(); ++node)
            if (!children[node].empty())
                CHECK(layout.across[node]
                      == Approx((layout.across[children[node].front()] + layout.across[children[node].back()])
                                / 2)
                             .margin(1e-9));
    }
}

TEST_CASE("trees of a forest lie beside each other as they are alone")
{
    std::mt19937 random(11);
    const auto one = randomForest(40, 1, random), other = randomForest(60, 1, random);
    std::vector<std::uint32_t> both = one;
    for (const std::uint32_t parent : other)
        both.push_back(parent == kNoParent ? kNoParent : parent + static_cast<std::uint32_t>(one.size()));
    const TidyTreeLayout first = layOut(one), second = layOut(other), forest = layOut(both, {1, 1, 3});
    for (std::size_t node = 0; node < one.size(); ++node)
        CHECK(forest.across[node] == Approx(first.across[node]).margin(1e-9));
    const double offset = first.greatest + 3 - second.least;
    for (std::size_t node = 0; node < other.size(); ++node)
        CHECK(forest.across[one.size() + node] == Approx(second.across[node] + offset).margin(1e-9));
    CHECK(forest.greatest == Approx(second.greatest + offset));
}

TEST_CASE("equal subtrees are drawn alike")
{
    // Two copies of a small tree below a root, with something wide between them.
    const std::vector<std::uint32_t> shape{kNoParent, 0, 0, 1, 1, 1, 4};
    std::vector<std::uint32_t> parents{kNoParent};
    std::vector<std::uint32_t> firsts;
    for (int copy = 0; copy < 2; ++copy) {
        const auto base = static_cast<std::uint32_t>(parents.size());
        firsts.push_back(base);
        for (const std::uint32_t parent : shape) parents.push_back(parent == kNoParent ? 0 : base + parent);
        if (copy == 0)
            for (int leaf = 0; leaf < 9; ++leaf) parents.push_back(0);
    }
    const TidyTreeLayout layout = layOut(parents);
    for (std::uint32_t node = 0; node < shape.size(); ++node)
        CHECK(layout.across[firsts[0] + node] - layout.across[firsts[0]]
              == Approx(layout.across[firsts[1] + node] - layout.across[firsts[1]]).margin(1e-9));
}

TEST_CASE("a path of 100000 levels and a comb as deep are laid out")
{
    std::vector<std::uint32_t> path{kNoParent}, comb{kNoParent};
    for (std::uint32_t node = 1; node < 100'000; ++node) path.push_back(node - 1);
    for (std::uint32_t level = 0; level < 50'000; ++level) {
        const auto spine = static_cast<std::uint32_t>(level == 0 ? 0 : comb.size() - 2);
        comb.push_back(spine);
        comb.push_back(spine);
    }
    const TidyTreeLayout straight = layOut(path), teeth = layOut(comb);
    CHECK(straight.levels == 100'000);
    CHECK(straight.least == 0.0);
    CHECK(straight.greatest == 0.0);
    CHECK(teeth.levels == 50'001);
    CHECK(std::isfinite(teeth.least));
    CHECK(std::isfinite(teeth.greatest));
}

TEST_CASE("what is not a forest, and distances that are none, are refused")
{
    CHECK(tidyTree({}, {}, Task())->across.empty());
    const std::vector<std::uint32_t> cycle{1, 0}, itself{0}, missing{kNoParent, 7};
    for (const auto& parents : {cycle, itself, missing})
        CHECK(tidyTree(parents, {}, Task()).error().code == ErrorCode::InvalidArgument);
    const std::vector<std::uint32_t> single{kNoParent};
    CHECK_FALSE(tidyTree(single, {0.0, 1.0, 1.0}, Task()));
    CHECK_FALSE(tidyTree(single, {1.0, std::nan(""), 1.0}, Task()));
    CHECK_FALSE(tidyTree(single, {1.0, 1.0, -1.0}, Task()));
}

}  // namespace skein::tidy_tree_test
