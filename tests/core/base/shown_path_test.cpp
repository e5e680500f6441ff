// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/call_table.h"
#include "core/base/shown_path.h"
#include "tests/support/catch.h"

#include <fmt/format.h>

namespace skein::shown_path_test {
namespace {

std::string nameAt(std::size_t depth) { return fmt::format("f{}", depth); }

/// The names of one chain, as far as they are to be shown at this depth.
std::vector<std::string> expectedAt(std::size_t depth)
{
    std::vector<std::string> names;
    const std::size_t count = depth + 1;
    for (std::size_t at = 0; at < count; ++at) {
        const bool shown = count <= 1000 || at < 50 || at >= count - 50;
        if (shown) names.push_back(nameAt(at));
        else if (at == 50) names.push_back(fmt::format("… {} more …", count - 100));
    }
    return names;
}

}  // namespace

TEST_CASE("paths of more than a thousand names are shown by their ends, wherever they are written")
{
    OpenPath open;
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    for (std::size_t depth = 0; depth < 1090; ++depth) {
        parents.push_back(depth == 0 ? CallTable::kNone : static_cast<std::uint32_t>(depth - 1));
        names.push_back(nameAt(depth));
    }
    const CallTable table(parents, names);
    for (std::size_t depth = 0; depth < 1090; ++depth) {
        open.enter(depth, nameAt(depth));
        if (depth > 60 && depth < 990) continue;
        INFO(depth);
        const auto shown = open.names();
        CHECK(std::vector<std::string>(shown.begin(), shown.end()) == expectedAt(depth));
        CHECK(table.shownPath(depth) == expectedAt(depth));
    }
    CHECK(table.path(1089).size() == 1090);
    CHECK(namesLeftOut(99900) == "… 99,900 more …");
}

TEST_CASE("a path goes on from where the tree branches, and empty names are names")
{
    OpenPath open;
    open.enter(0, "");
    open.enter(1, "b");
    CHECK(open.joined(" => ") == " => b");
    open.enter(2, "c");
    open.enter(1, "d");
    CHECK(open.joined(";") == ";d");
    open.enter(0, "e");
    CHECK(open.joined(";") == "e");
}

}  // namespace skein::shown_path_test
