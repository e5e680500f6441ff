// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_graph_scene.h"

#include "core/io/importer.h"
#include "core/select/translate.h"
#include "tests/support/paths.h"
#include "tests/support/scenes.h"
#include "tests/support/tree_rows.h"
#include "views/tree_graph/label_room_scene.h"
#include "views/tree_graph/prune_histogram_scene.h"
#include "views/tree_graph/tree_table_scene.h"

#include <cmath>
#include <fmt/format.h>
#include <random>

namespace skein::tree_graph_scene_test {

namespace {

TreeGraphPtr graphOf(SessionPtr session, const TreeEdits& edits = {}, std::optional<CallPathRef> root = {})
{
    TreeGraphRequest request;
    request.color = {{}, TreeAmount::Inclusive};
    request.size = {{}, TreeAmount::Exclusive};
    request.edits = edits;
    request.root = root;
    auto sums = sumUpTree(std::move(session), request, Task());
    REQUIRE(sums);
    auto graph = layOutTree(*sums, request, Task());
    REQUIRE(graph);
    return *graph;
}

SessionPtr luleshSession()
{
    auto experiment = openExperiment(test::sourcePath("examples/lulesh-8/profile-callpath"), Task());
    REQUIRE(experiment);
    return std::make_shared<Session>(Session{{*experiment}});
}

std::uint32_t nodeNamed(const TreeGraph& graph, const std::string& name)
{
    for (std::uint32_t node = 0; node < graph.shown.nodes.size(); ++node)
        if (graph.nameOf(node) == name) return node;
    FAIL("no node " << name);
    return 0;
}

}  // namespace

TEST_CASE("levels go to the right, and every node can be hit where it is drawn")
{
    const TreeGraphPtr graph = graphOf(test::smallTree());
    const test::PlainCanvas plain(1200, 700);
    const TreeGraphOptions options;
    const TreeGraphLayout layout = treeGraphLayout(*graph, options, plain.canvas);
    for (std::uint32_t node = 0; node < graph->shown.nodes.size(); ++node) {
        const Point at = layout.place(*graph, node);
        CHECK(layout.body.contains(at));
        CHECK(treeNodeAt(*graph, options, layout, at, 3) == node);
        const std::uint32_t parent = graph->shown.nodes[node].parent;
        if (parent != kNoShownNode) CHECK(at.x > layout.place(*graph, parent).x);
    }
    CHECK_FALSE(treeNodeAt(*graph, options, layout, {layout.body.right() - 1, layout.body.bottom() - 1}, 3));
    const auto within = treeNodesWithin(*graph, layout, layout.body);
    CHECK(within.size() == graph->shown.nodes.size());
}

TEST_CASE("areas are in proportion, and colours run from the least to the greatest amount")
{
    const TreeGraphPtr graph = graphOf(test::smallTree());
    const test::PlainCanvas plain(1200, 700);
    TreeGraphOptions options;
    const TreeGraphLayout layout = treeGraphLayout(*graph, options, plain.canvas);
    const auto area = [&](std::uint32_t node) {
        return std::pow(nodeRadius(*graph, options, layout, node), 2) - std::pow(layout.smallestRadius, 2);
    };
    const std::uint32_t mult = nodeNamed(*graph, "mult"), norm = nodeNamed(*graph, "norm");
    CHECK(area(mult) / area(norm)
          == Approx(graph->size.values[mult] / graph->size.values[norm]).epsilon(1e-9));
    const Color strong = nodeColor(*graph, options, plain.style.theme, nodeNamed(*graph, "main"));
    options.colors = ColorDirection::Falling;
    CHECK_FALSE(nodeColor(*graph, options, plain.style.theme, nodeNamed(*graph, "main")) == strong);
    options.sizes = ColorDirection::Falling;
    CHECK(nodeRadius(*graph, options, layout, mult) < nodeRadius(*graph, options, layout, norm));
}

TEST_CASE("names do not lie upon each other, nor leave the picture, at any zoom")
{
    const TreeGraphPtr graph = graphOf(luleshSession());
    REQUIRE(graph->shown.nodes.size() > 20);
    for (const double scale : {1.0, 0.3, 2.0, 5.0})
        for (const int width : {700, 1600}) {
            const test::PlainCanvas plain(width, 900);
            TreeGraphOptions options;
            TreeCamera camera = treeGraphLayout(*graph, options, plain.canvas).camera;
            camera.rowHeight *= scale;
            options.camera = camera;
            const DrawList list = treeGraphScene(*graph, {}, options, plain.canvas);
            CHECK(test::unreadable(list, plain.measure) == "");
            CHECK(test::itemsOf<TextItem>(list).size() > 8);
        }
}

TEST_CASE("a node between siblings that are near is named where there is room below its edge")
{
    const TreeGraphPtr graph = graphOf(luleshSession());
    const test::PlainCanvas plain(1600, 962);
    const DrawList list = treeGraphScene(*graph, {}, {}, plain.canvas);
    const auto texts = test::itemsOf<TextItem>(list);
    CHECK(std::any_of(texts.begin(), texts.end(),
                      [](const TextItem& item) { return item.text.starts_with("LagrangeLeapFrog"); }));
    CHECK(test::unreadable(list, plain.measure) == "");
}

TEST_CASE("leaves have their names first, and a selected node before all")
{
    const TreeGraphPtr graph = graphOf(test::smallTree());
    const test::PlainCanvas plain(420, 150);
    const DrawList list = treeGraphScene(*graph, {}, {}, plain.canvas);
    CHECK(test::shows(list, "MPI_Wait"));
    const std::uint32_t solve = nodeNamed(*graph, "solve");
    const auto refs = callPathsOf(graph->rows(), graph->shown.nodes[solve].row);
    const Selection chosen = select(*graph->sums->session, refs);
    CHECK(selectedNodes(*graph, chosen) == std::vector<std::uint32_t>{solve});
    const test::PlainCanvas wide(1200, 700);
    CHECK(test::shows(treeGraphScene(*graph, chosen, {}, wide.canvas), "solve"));
}

TEST_CASE("both legends name what they show, and how much is pruned is told")
{
    const SessionPtr session = test::smallTree();
    const CallTreeRows rows = test::rowsOf(*session);
    const TreeEdits edits = withToggled({}, rows, test::rowAt(rows, {"main", "solve"}));
    const TreeGraphPtr graph = graphOf(session, edits);
    CHECK(treeCountText(*graph) == "8 call paths: 5 shown, 3 pruned");
    const test::PlainCanvas plain(1600, 700);
    const DrawList list = treeGraphScene(*graph, {}, {}, plain.canvas);
    CHECK(test::shows(list, "Colour: Time, inclusive"));
    CHECK(test::shows(list, "Area: Time, exclusive"));
    const auto lines = treeNodeTooltip(*graph, nodeNamed(*graph, "solve"));
    CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("3 pruned call paths") != std::string::npos;
    }));
}

TEST_CASE("where no time was recorded amounts are named after what is shown instead")
{
    const test::TemporaryFolder folder;
    auto experiment = openExperiment(test::fileWith(folder, "perf.folded", "main;a 3\nmain;b 5\n"), Task());
    REQUIRE(experiment);
    const TreeGraphPtr graph = graphOf(std::make_shared<Session>(Session{{*experiment}}));
    CHECK(graph->color.name == "samples, inclusive");
    CHECK(graph->size.name == "samples, exclusive");
}

TEST_CASE("how many call paths are left out stands in a line of its own, in whole numbers")
{
    TreeGraphRequest request;
    request.most = 4;
    auto sums = sumUpTree(luleshSession(), request, Task());
    REQUIRE(sums);
    auto graph = layOutTree(*sums, request, Task());
    REQUIRE(graph);
    const auto lines = treeCountLines(**graph);
    REQUIRE(lines.size() == 2);
    CHECK(treeCountText(**graph) == lines[0] + ", " + lines[1]);
    const test::PlainCanvas plain(830, 500);
    const DrawList list = treeGraphScene(**graph, {}, {}, plain.canvas);
    for (const std::string& line : lines) CHECK(test::shows(list, line));
    CHECK(test::unreadable(list, plain.measure) == "");
}

TEST_CASE("functions have their names before what was pruned")
{
    // Of each caller one function is shown, and one that took far more is not; rows are half a line high.
    std::string stacks;
    for (int caller = 0; caller < 40; ++caller)
        for (const auto& [name, amount] : {std::pair("small", 1), std::pair("large", 900)})
            stacks += fmt::format("main;caller{};{}{} {}\n", caller, name, caller, amount);
    const test::TemporaryFolder folder;
    auto experiment = openExperiment(test::fileWith(folder, "perf.folded", stacks), Task());
    REQUIRE(experiment);
    const auto session = std::make_shared<Session>(Session{{*experiment}});
    const CallTreeRows rows = test::rowsOf(*session);
    std::vector<std::uint32_t> large;
    for (std::uint32_t row = 0; row < rows.rows.size(); ++row)
        if (rows.rows[row].name.starts_with("large")) large.push_back(row);
    const TreeGraphPtr graph = graphOf(session, withRemoved({}, rows, large));
    const test::PlainCanvas plain(1200, 700);
    const DrawList list = treeGraphScene(*graph, {}, {}, plain.canvas);
    std::size_t functions = 0;
    for (const TextItem& item : test::itemsOf<TextItem>(list)) functions += item.text.starts_with("small");
    CHECK(functions > 35);
    CHECK(test::unreadable(list, plain.measure) == "");
}

TEST_CASE("bars of locations below nodes leave the names beside them whole")
{
    const TreeGraphPtr graph = graphOf(test::smallTree());
    REQUIRE_FALSE(graph->sums->spreads.empty());
    for (int width = 1400; width < 1420; ++width) {
        const test::PlainCanvas plain(width, 700);
        const DrawList list = treeGraphScene(*graph, {}, {}, plain.canvas);
        INFO(width);
        for (const char* name : {"main", "init", "mult", "MPI_Wait"}) CHECK(test::shows(list, name));
        CHECK(test::unreadable(list, plain.measure) == "");
    }
}

TEST_CASE("a table of nodes has every amount, and copies as text that reads back")
{
    const TreeGraphPtr graph = graphOf(test::smallTree());
    const TreeTable table = treeTable(*graph, {nodeNamed(*graph, "main"), nodeNamed(*graph, "mult")});
    REQUIRE(table.rows.size() == 2);
    for (const auto& row : table.rows) CHECK(row.size() == table.header.size());
    CHECK(table.rows[1][1].text == "main → solve → mult");
    CHECK(table.rows[0][2].number == 200);
    CHECK(table.rows[0][3].number == 100);
    const std::string text = treeTableText(table);
    CHECK(std::count(text.begin(), text.end(), '\n') == 3);
    CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\t'))
          == 3 * (table.header.size() - 1));
}

TEST_CASE("one tree of a forest is the one that its root names")
{
    const auto run = [](const char* name, const char* root) {
        return test::ExperimentBuilder(name).process("n0", {{0, 100, root, 0}, {0, 50, "work", 1}}).finish();
    };
    const auto session = std::make_shared<Session>(Session{{run("a", "alpha"), run("b", "beta")}});
    const TreeGraphPtr all = graphOf(session);
    REQUIRE(all->shown.trees.size() == 2);
    for (const TreeOfForest& tree : all->shown.trees) {
        const auto refs = callPathsOf(all->rows(), tree.root);
        const TreeGraphPtr one = graphOf(session, {}, refs.front());
        REQUIRE(one->shown.nodes.size() == 2);
        CHECK(tree.name.ends_with(one->nameOf(0)));
        CHECK(one->rows().rows[one->shown.nodes[0].row].experiment == refs.front().experiment);
    }
}

TEST_CASE("room for labels is what nothing has taken")
{
    std::mt19937 random(2);
    LabelRoom room(640, 200);
    std::vector<Rect> taken;
    const auto number = [&](int most) { return static_cast<double>(random() % static_cast<unsigned>(most)); };
    for (int turn = 0; turn < 400; ++turn) {
        const Rect asked{4 * number(150), number(180), 4 * (1 + number(30)), 1 + number(18)};
        bool free = asked.right() <= 640 && asked.bottom() <= 200;
        for (const Rect& other : taken) free = free && !asked.overlaps(other);
        CHECK(room.isFree(asked) == free);
        const double width = room.freeWidth({asked.x, asked.y}, asked.height, asked.width);
        CHECK((width >= asked.width) == free);
        if (width >= 4) CHECK(room.isFree({asked.x, asked.y, width, asked.height}));
        if (!free || turn % 3) continue;
        room.take(asked);
        taken.push_back(asked);
    }
    CHECK_FALSE(room.isFree({-4, 0, 8, 8}));
}

TEST_CASE("values have a place in the histogram, and places a value")
{
    const SessionPtr session = test::smallTree();
    const CallTreeRows rows = test::rowsOf(*session);
    std::vector<double> values;
    for (const CallTreeRow& row : rows.rows) values.push_back(row.values.inclusive);
    const test::PlainCanvas plain(300, 200);
    const PruneHistogramLayout layout = pruneHistogramLayout(plain.canvas);
    for (const BinScale scale : {BinScale::Linear, BinScale::Logarithmic}) {
        const PruneHistogram histogram = pruneHistogram(rows, values, 25, scale);
        for (const double value : values)
            CHECK(valueAtPlace(histogram, layout, placeOfValue(histogram, layout, value))
                  == Approx(value).epsilon(1e-6));
        CHECK(valueAtPlace(histogram, layout, -50) == histogram.least);
        CHECK(valueAtPlace(histogram, layout, 5000) == histogram.greatest);
        const DrawList list =
            pruneHistogramScene(histogram, histogram.least, histogram.greatest, "ns", plain.canvas);
        CHECK(test::unreadable(list, plain.measure) == "");
    }
}

}  // namespace skein::tree_graph_scene_test
