// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of a million call paths in the window: what takes least is left out, and how much is told.
#include "app/gui/window/dock_host.h"
#include "core/base/units.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/tree_graph/tree_graph_canvas.h"

#include <algorithm>
#include <ctime>
#include <string>

namespace skein::many_nodes_test {

namespace {

// Sanitizers take three times the memory and ten times the time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kPhases = 100;
#else
constexpr int kPhases = 1000;
#endif
constexpr int kFunctions = 1000;
constexpr std::size_t kCallPaths = 1 + kPhases + std::size_t{kPhases} * kFunctions;
constexpr std::size_t kMostShown = 50'000;

/// Each function took as many samples as its number and one.
std::string millionStacks()
{
    std::string text;
    text.reserve(32'000'000);
    for (int phase = 0; phase < kPhases; ++phase) {
        const std::string before = "main;phase" + std::to_string(phase) + ";f";
        for (int function = 0; function < kFunctions; ++function)
            text += before + std::to_string(function) + ' ' + std::to_string(function + 1) + '\n';
    }
    return text;
}

}  // namespace

TEST_CASE("a tree of a million call paths opens, shows what took most, and tells what it left out")
{
    const test::TemporaryFolder folder;
    const auto file = test::fileWith(folder, "million.folded", millionStacks());
    test::WindowFixture fixture;
    const std::clock_t before = std::clock();
    fixture.window->loader().open({QString::fromStdString(file)});
    const auto settle = [&] {
        REQUIRE(test::waitFor([&] { return fixture.window->settled(); }, 240'000));
        QTest::qWait(150);
        REQUIRE(test::waitFor([&] { return fixture.window->settled(); }, 240'000));
    };
    settle();
    fixture.trigger("layout.call_tree");
    settle();
    auto* const canvas = fixture.child<TreeGraphCanvas>("tree_graph.canvas");
    const TreeGraphPtr whole = canvas->graph();
    REQUIRE(whole);
    const TreeGraph& graph = *whole;
    const ShownTree& shown = graph.shown;
    CHECK(shown.rows == kCallPaths);
    const auto drawn = std::count_if(shown.nodes.begin(), shown.nodes.end(),
                                     [](const ShownNode& node) { return node.kind != ShownKind::Surrogate; });
    CHECK(static_cast<std::size_t>(drawn) <= kMostShown);
    CHECK(static_cast<std::size_t>(drawn) > kMostShown / 2);
    CHECK(shown.nodes.size() <= static_cast<std::size_t>(drawn) + kPhases);  // a surrogate a caller
    CHECK(shown.tooSmall == kCallPaths - static_cast<std::size_t>(drawn));
    const auto lines = treeCountLines(graph);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with(formatGrouped(kCallPaths) + " call paths: "));
    CHECK(
        lines[1].starts_with(formatGrouped(static_cast<std::int64_t>(shown.tooSmall)) + " left out (up to "));

    // What took most is there, and the sum of all is what it is.
    for (std::uint32_t node = 0; node < shown.nodes.size(); ++node)
        if (graph.nameOf(node) == "main") CHECK(graph.color.values[node] == kPhases * 500'500.0);
    std::size_t greatest = 0;
    for (std::uint32_t node = 0; node < shown.nodes.size(); ++node) greatest += graph.nameOf(node) == "f999";
    CHECK(greatest == kPhases);

    // It stays usable: a frame is painted, a subtree is collapsed and opened again.
    CHECK_FALSE(canvas->grab().isNull());
    const std::size_t nodes = shown.nodes.size();
    auto& selection = fixture.window->selection();
    const auto row = graph.shown.nodes[graph.byValue[1]].row;
    selection.setTree(withToggled(selection.state().tree, graph.rows(), row), nullptr);
    settle();
    CHECK(canvas->graph()->shown.nodes.size() < nodes + 1000);
    CHECK(canvas->graph()->shown.rows == shown.rows);
    fixture.trigger("edit.undo");
    settle();
    CHECK(canvas->graph()->shown.nodes.size() == nodes);

    // A generous bound of all processors' time: work that grows with the square of the nodes is hours.
    CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 240);
}

}  // namespace skein::many_nodes_test
