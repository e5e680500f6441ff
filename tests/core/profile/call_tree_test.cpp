// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/call_tree.h"
#include "tests/support/catch.h"

namespace skein::call_tree_test {

TEST_CASE("the same call path is one node, and recursion is known")
{
    CallTreeBuilder builder;
    const auto main = builder.child({}, RegionId(0));
    const auto work = builder.child(main, RegionId(1));
    const auto again = builder.child(work, RegionId(1));
    CHECK(builder.child(main, RegionId(1)) == work);

    CallTreeBuilder other;
    const auto otherMain = other.child({}, RegionId(0));
    other.child(otherMain, RegionId(2));
    const auto numbers = builder.merge(other, Task()).value();
    CHECK(numbers == std::vector<std::uint32_t>{main.value(), 3});

    const CallTree tree = std::move(builder).finish();
    CHECK(tree.roots() == std::vector<std::uint32_t>{0});
    CHECK(tree.children(main).size() == 2);
    CHECK(tree.depth(again) == 2);
    CHECK(tree.isRecursive(again));
    CHECK_FALSE(tree.isRecursive(work));
}

TEST_CASE("a deep chain of calls is built without deep recursion")
{
    CallTreeBuilder builder;
    CallPathId node;
    for (int level = 0; level < 3000; ++level) node = builder.child(node, RegionId(level));
    const CallTree tree = std::move(builder).finish();
    CHECK(tree.depth(node) == 2999);
}

TEST_CASE("recursion is found in linear time in a tree as deep as it is large")
{
    CallTreeBuilder builder;
    CallPathId node;
    constexpr int depth = 200'000;
    for (int level = 0; level < depth; ++level) node = builder.child(node, RegionId(level));
    const auto again = builder.child(node, RegionId(7));
    const auto beside = builder.child({}, RegionId(7));
    const CallTree tree = std::move(builder).finish();
    CHECK_FALSE(tree.isRecursive(node));
    CHECK(tree.isRecursive(again));
    CHECK_FALSE(tree.isRecursive(beside));
}

}  // namespace skein::call_tree_test
