// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_graph_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/common/source_opener.h"
#include "views/common/table/cell_table.h"
#include "views/tree_graph/prune_canvas.h"
#include "views/tree_graph/tree_graph_canvas.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QWheelEvent>

#include <algorithm>

namespace skein::tree_graph_view_test {

namespace {

using Nodes = std::vector<std::uint32_t>;

struct Opened : test::WindowFixture {
    TreeGraphCanvas* canvas = nullptr;

    Opened()
    {
        window->resize(1800, 1100);
        open({test::example("lulesh-8/profile-callpath")});
        window->docks().focusView("tree_graph");
        settleAll();
        canvas = child<TreeGraphCanvas>("tree_graph.canvas");
        REQUIRE(canvas->graph());
    }
    void settleAll()
    {
        settle();
        QTest::qWait(120);
        settle();
    }
    const TreeEdits& edits() const { return window->selection().state().tree; }
    const ShownTree& shown() const { return canvas->graph()->shown; }
    std::uint32_t nodeNamed(const std::string& name) const
    {
        for (std::uint32_t node = 0; node < shown().nodes.size(); ++node)
            if (canvas->graph()->nameOf(node).starts_with(name)) return node;
        FAIL("no node " << name);
        return 0;
    }
    QPoint placeOf(std::uint32_t node) const
    {
        const Point at = canvas->sceneLayout().place(*canvas->graph(), node);
        const double ratio = canvas->devicePixelRatioF();
        return QPointF(at.x / ratio, at.y / ratio).toPoint();
    }
    void click(std::uint32_t node, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(canvas, Qt::LeftButton, modifiers, placeOf(node));
    }
    void doubleClick(std::uint32_t node, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseDClick(canvas, Qt::LeftButton, modifiers, placeOf(node));
        settleAll();
    }
    void showSide()
    {
        child<QAction>("tree_graph.side")->setChecked(true);
        settleAll();
    }
    void press(const char* button)
    {
        child<QPushButton>(button)->click();
        settleAll();
    }
    QString textOf(const char* label) const { return child<QLabel>(label)->text(); }
};

}  // namespace

TEST_CASE("a click selects a node everywhere, Shift+click adds and takes away")
{
    Opened opened;
    const std::uint32_t main = opened.nodeNamed("main"), nodal = opened.nodeNamed("LagrangeNodal");
    opened.click(main);
    CHECK(opened.canvas->selected() == Nodes{main});
    CHECK_FALSE(opened.window->selection().state().selected.regions.empty());
    opened.click(nodal, Qt::ShiftModifier);
    CHECK(opened.canvas->selected().size() == 2);
    opened.click(main, Qt::ShiftModifier);
    CHECK(opened.canvas->selected() == Nodes{nodal});
    QTest::keyClick(opened.canvas, Qt::Key_Escape);
    CHECK(opened.canvas->selected().empty());
}

TEST_CASE("a double-click collapses a subtree, and undo opens it again")
{
    Opened opened;
    const std::size_t before = opened.shown().nodes.size();
    opened.doubleClick(opened.nodeNamed("LagrangeNodal"));
    CHECK_FALSE(opened.edits().collapsed.empty());
    CHECK(opened.shown().nodes.size() < before);
    opened.trigger("edit.undo");
    opened.settleAll();
    CHECK(opened.edits() == TreeEdits());
    CHECK(opened.shown().nodes.size() == before);
}

TEST_CASE("Ctrl+double-click composes a node with its caller and decomposes it")
{
    Opened opened;
    const std::uint32_t frog = opened.nodeNamed("LagrangeLeapFrog");
    const std::uint32_t callerRow = opened.shown().nodes[opened.shown().nodes[frog].parent].row;
    const std::size_t before = opened.shown().nodes.size();
    opened.doubleClick(frog, Qt::ControlModifier);
    const std::uint32_t composed = opened.shown().nodeOf[callerRow];
    CHECK(opened.shown().nodes[composed].composed == 1);
    opened.doubleClick(composed, Qt::ControlModifier);
    CHECK(opened.shown().nodes.size() == before);
}

TEST_CASE("keys lead along callers, calls and neighbours")
{
    Opened opened;
    const auto go = [&](Qt::Key key) {
        QTest::keyClick(opened.canvas, key);
        const Nodes now = opened.canvas->selected();
        REQUIRE(now.size() == 1);
        return now.front();
    };
    const std::uint32_t root = go(Qt::Key_Home), child = go(Qt::Key_Right);
    CHECK(opened.shown().nodes[child].parent == root);
    CHECK(go(Qt::Key_Down) != child);
    CHECK(go(Qt::Key_Up) == child);
    CHECK(go(Qt::Key_Left) == root);
}

TEST_CASE("zoom keeps what is under the pointer, and fit shows everything again")
{
    Opened opened;
    const std::uint32_t node = opened.nodeNamed("LagrangeNodal");
    const QPoint before = opened.placeOf(node);
    QWheelEvent wheel(before, opened.canvas->mapToGlobal(before), {}, {0, 480}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(opened.canvas, &wheel);
    CHECK((opened.placeOf(node) - before).manhattanLength() <= 2);
    CHECK(opened.canvas->options().camera.has_value());
    opened.child<QAction>("tree_graph.fit")->trigger();
    CHECK_FALSE(opened.canvas->options().camera.has_value());
}

TEST_CASE("what is meant by name is counted while it is typed, pruned, and undone")
{
    Opened opened;
    opened.showSide();
    auto* text = opened.child<QLineEdit>("tree_graph.ruleText");
    text->setText("MPI_");
    CHECK(opened.textOf("tree_graph.ruleCount").split(' ').first().toInt() > 10);
    opened.press("tree_graph.pruneMatches");
    CHECK(opened.edits().removed.size() > 10);
    CHECK(opened.textOf("tree_graph.ruleCount").startsWith("0"));
    opened.press("tree_graph.showAll");
    CHECK(opened.edits() == TreeEdits());
    opened.trigger("edit.undo");
    CHECK_FALSE(opened.edits().removed.empty());
    auto* kind = opened.child<QComboBox>("tree_graph.rule");
    kind->setCurrentIndex(1);
    text->setText("MPI_(");
    CHECK(opened.textOf("tree_graph.ruleCount").startsWith("At character"));
}

TEST_CASE("a range that is let go prunes, and another one takes its place")
{
    Opened opened;
    opened.showSide();
    auto* histogram = opened.child<PruneCanvas>("tree_graph.histogram");
    REQUIRE_FALSE(histogram->histogram().edges.empty());
    for (int step = 0; step < 12; ++step) QTest::keyClick(histogram, Qt::Key_Right);
    opened.settleAll();
    const std::size_t many = opened.edits().removed.size();
    CHECK(many > 0);
    for (int step = 0; step < 6; ++step) QTest::keyClick(histogram, Qt::Key_Left);
    opened.settleAll();
    CHECK(opened.edits().removed.size() < many);
}

TEST_CASE("a query shows what it finds, and one that is wrong says where")
{
    Opened opened;
    opened.showSide();
    auto* query = opened.child<QLineEdit>("tree_graph.query");
    query->setText("MATCH (n WHERE");
    CHECK(opened.textOf("tree_graph.queryState").startsWith("At character"));
    CHECK_FALSE(opened.child<QPushButton>("tree_graph.showFound")->isEnabled());
    query->setText("MATCH (\"*\")->(n) WHERE n.\"name\" STARTS WITH \"MPI_Waitall\"");
    CHECK(opened.textOf("tree_graph.queryState").startsWith("Finds "));
    opened.press("tree_graph.showFound");
    CHECK_FALSE(opened.edits().query.empty());
    const TreeGraph& graph = *opened.canvas->graph();
    REQUIRE(graph.shown.nodes.size() > 3);
    for (std::uint32_t node = 0; node < graph.shown.nodes.size(); ++node)
        if (graph.childrenOf(node).empty() && graph.shown.nodes[node].kind == ShownKind::Call)
            CHECK(graph.nameOf(node).starts_with("MPI_Waitall"));
    opened.press("tree_graph.asQuery");
    CHECK(QApplication::clipboard()->text().startsWith("MATCH"));
}

TEST_CASE("what is selected is a table that can be copied")
{
    Opened opened;
    opened.showSide();
    opened.click(opened.nodeNamed("main"));
    opened.click(opened.nodeNamed("LagrangeNodal"), Qt::ShiftModifier);
    opened.settleAll();
    auto* table = opened.child<CellTable>("tree_graph.table");
    CHECK(table->cells().rowCount() == 2);
    CHECK(table->cells().headerData(2, Qt::Horizontal, Qt::InitialSortOrderRole) == Qt::DescendingOrder);
    opened.child<QAction>("tree_graph.copy")->trigger();
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].startsWith("Name\tCall path\t"));
    // The key does the same where the table has the keyboard.
    QApplication::clipboard()->clear();
    opened.window->activateWindow();
    table->setFocus();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    CHECK(QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts) == lines);
    // The table's own copying has the same header and numbers.
    table->selectAll();
    table->actions().front()->trigger();
    const QStringList own = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    REQUIRE(own.size() == 3);
    CHECK(own[0] == lines[0]);
    const QStringList cells = own[1].split('\t'), expected = lines[1].split('\t');
    REQUIRE(cells.size() == expected.size());
    for (qsizetype cell = 0; cell < cells.size(); ++cell)
        if (bool number = false; expected[cell].toDouble(&number), number)
            CHECK(cells[cell].toDouble() == Approx(expected[cell].toDouble()));
}

TEST_CASE("editors are started in their own ways")
{
    CHECK(editorCommand("vim", "xterm", "/a b.cpp", 12)
          == QStringList{"xterm", "-e", "vim", "+12", "/a b.cpp"});
    CHECK(editorCommand("code -r", "xterm", "/a.cpp", 12)
          == QStringList{"code", "-r", "--goto", "/a.cpp:12"});
    CHECK(editorCommand("emacsclient -n", "", "/a.cpp", 3)
          == QStringList{"emacsclient", "-n", "+3", "/a.cpp"});
    CHECK(editorCommand("nano", "", "/a.cpp", 0) == QStringList{"nano", "/a.cpp"});
    CHECK(editorCommand("", "xterm", "/a.cpp", 1).isEmpty());
}

TEST_CASE("what was pruned and brushed by hand becomes a query that selects the same again")
{
    Opened opened;
    opened.showSide();
    opened.child<QLineEdit>("tree_graph.ruleText")->setText("MPI_Isend");
    opened.press("tree_graph.pruneMatches");
    // Brush all nodes in the right half of the picture.
    opened.child<QAction>("tree_graph.brush")->setChecked(true);
    const QRect area = opened.canvas->rect();
    QTest::mousePress(opened.canvas, Qt::LeftButton, {}, {area.width() / 2, 1});
    for (int step = 1; step <= 4; ++step) {
        const QPoint at(area.width() / 2 + step * (area.width() / 2 - 2) / 4, step * (area.height() - 2) / 4);
        QMouseEvent move(QEvent::MouseMove, at, opened.canvas->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(opened.canvas, &move);
    }
    QTest::mouseRelease(opened.canvas, Qt::LeftButton, {}, {area.width() - 2, area.height() - 2});
    opened.settleAll();
    const auto brushed = opened.window->selection().state().selected.callPaths;
    REQUIRE(brushed.size() > 5);
    opened.press("tree_graph.selectedAsQuery");
    const QString query = QApplication::clipboard()->text();
    CHECK(query.contains("MATCH"));
    CHECK_FALSE(query.contains("node_id"));
    opened.window->selection().setSelected({}, nullptr);
    opened.settleAll();
    REQUIRE(opened.window->selection().state().selected.callPaths.empty());
    opened.child<QLineEdit>("tree_graph.query")->setText(query);
    opened.press("tree_graph.selectFound");
    CHECK(opened.window->selection().state().selected.callPaths == brushed);
    // And the picture: the query of what is shown shows the same once more.
    std::vector<std::uint32_t> rows;
    for (const ShownNode& node : opened.shown().nodes)
        if (node.kind == ShownKind::Call) rows.push_back(node.row);
    opened.press("tree_graph.asQuery");
    const QString picture = QApplication::clipboard()->text();
    opened.press("tree_graph.showAll");
    REQUIRE(opened.shown().nodes.size() > rows.size());
    opened.child<QLineEdit>("tree_graph.query")->setText(picture);
    opened.press("tree_graph.showFound");
    std::vector<std::uint32_t> again;
    for (const ShownNode& node : opened.shown().nodes)
        if (node.kind == ShownKind::Call) again.push_back(node.row);
    std::sort(rows.begin(), rows.end());
    std::sort(again.begin(), again.end());
    CHECK(rows == again);
}

TEST_CASE("what of a query finds nothing is named below it")
{
    Opened opened;
    opened.showSide();
    opened.child<QLineEdit>("tree_graph.query")
        ->setText("MATCH (\"*\")->(n) WHERE n.\"name\" = \"no_such_function\"");
    const QString said = opened.textOf("tree_graph.queryState");
    CHECK(said.startsWith("Finds 0 "));
    CHECK(said.contains("no_such_function"));
    CHECK_FALSE(opened.child<QPushButton>("tree_graph.selectFound")->isEnabled());
}

}  // namespace skein::tree_graph_view_test
