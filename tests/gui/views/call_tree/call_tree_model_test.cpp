// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/call_tree_model.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/small_session.h"
#include "views/common/table/table_delegate.h"

#include <QAbstractItemModelTester>

#include <cmath>
#include <functional>
#include <random>

namespace skein::call_tree_model_test {

namespace {

/// main [0, 100) calls work [10, 80) that calls hot [20, 70) and cold [72, 74); main calls io [85, 95).
Session smallSession()
{
    test::ExperimentBuilder builder("small");
    builder.process("node",
                    {{0, 100, "main", 0},
                     {10, 80, "work", 1},
                     {20, 70, "hot", 2},
                     {72, 74, "cold", 2},
                     {85, 95, "io", 1}});
    return Session{{builder.finish()}};
}

std::shared_ptr<const CallTreeRows> rowsOf(const Session& session)
{
    return std::make_shared<const CallTreeRows>(makeCallTreeRows(session, {}, Task()).value());
}

QString name(const QModelIndex& index)
{
    return index.siblingAtColumn(CallTreeModel::kName).data().toString();
}

double number(const QModelIndex& index, int column)
{
    return index.siblingAtColumn(column).data(kSortRole).toDouble();
}

QStringList names(const CallTreeModel& model, const QModelIndex& parent)
{
    QStringList result;
    for (int row = 0; row < model.rowCount(parent); ++row)
        result.push_back(name(model.index(row, 0, parent)));
    return result;
}

void visit(const CallTreeModel& model, const QModelIndex& parent,
           const std::function<void(const QModelIndex&)>& seen)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        seen(index);
        visit(model, index, seen);
    }
}

/// A random tree of rows as deep and wide as it comes.
std::shared_ptr<const CallTreeRows> randomRows(std::mt19937& random, std::size_t count)
{
    CallTreeRows rows;
    rows.hasTree = true;
    std::vector<std::int64_t> stack;
    for (std::size_t i = 0; i < count; ++i) {
        while (!stack.empty() && random() % 3 == 0) stack.pop_back();
        CallTreeRow row;
        row.name = "f" + std::to_string(random() % 20);
        row.parent = stack.empty() ? -1 : stack.back();
        row.callPaths = {CallPathId(i)};
        row.values.calls = double(random() % 50);
        row.values.inclusive = double(random() % 1000);
        row.total = 1000.0;
        stack.push_back(static_cast<std::int64_t>(i));
        rows.rows.push_back(std::move(row));
    }
    return std::make_shared<const CallTreeRows>(std::move(rows));
}

}  // namespace

TEST_CASE("the call tree model shows times, calls and parts of a small trace")
{
    test::guiApplication();
    CallTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(rowsOf(smallSession()), {});
    REQUIRE(names(model, {}) == QStringList{"main"});
    const QModelIndex main = model.index(0, 0);
    CHECK(number(main, CallTreeModel::kInclusive) == 100.0);
    CHECK(number(main, CallTreeModel::kExclusive) == 20.0);
    CHECK(number(main, CallTreeModel::kPercent) == 1.0);
    CHECK(names(model, main) == QStringList{"work", "io"});
    const QModelIndex hot = model.index(0, 0, model.index(0, 0, main));
    CHECK(name(hot) == "hot");
    CHECK(number(hot, CallTreeModel::kCalls) == 1.0);
    CHECK(number(hot, CallTreeModel::kMinimum) == 50.0);
    CHECK(number(hot, CallTreeModel::kMaximum) == 50.0);
    CHECK(hot.siblingAtColumn(CallTreeModel::kInclusive).data().toString() == "50.00 ns");
}

TEST_CASE("the hot path ends where no child holds half of the time")
{
    test::guiApplication();
    CallTreeModel model;
    model.setRows(rowsOf(smallSession()), {});
    CHECK(name(model.hotPathFrom({})) == "hot");
    const QModelIndex io = model.index(1, 0, model.index(0, 0));
    CHECK(name(model.hotPathFrom(io)) == "io");
}

TEST_CASE("a filter keeps matching calls and what is above them")
{
    test::guiApplication();
    CallTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(rowsOf(smallSession()), {});
    model.setFilter("COLD");
    const QModelIndex main = model.index(0, 0);
    CHECK(names(model, main) == QStringList{"work"});
    CHECK(names(model, model.index(0, 0, main)) == QStringList{"cold"});
    CHECK(model.matches(10).size() == 1);
    model.setFilter("nothing like it");
    CHECK(model.rowCount() == 0);
    model.setFilter("");
    CHECK(names(model, model.index(0, 0)) == QStringList{"work", "io"});
}

TEST_CASE("every column sorts siblings in both directions and keeps indexes on their rows")
{
    test::guiApplication();
    std::mt19937 random(7);
    CallTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(randomRows(random, 300), {});
    std::vector<std::pair<QPersistentModelIndex, std::int64_t>> kept;
    visit(model, {}, [&](const QModelIndex& index) { kept.emplace_back(index, model.nodeOf(index)); });
    REQUIRE(kept.size() == 300);
    for (int column = 0; column < CallTreeModel::kColumnCount; ++column) {
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(column, order);
            for (const auto& [index, node] : kept) CHECK(model.nodeOf(index) == node);
            visit(model, {}, [&](const QModelIndex& index) {
                const QModelIndex next = index.sibling(index.row() + 1, 0);
                if (!next.isValid() || column == CallTreeModel::kName) return;
                const double left = number(index, column);
                const double right = number(next, column);
                const bool unknown = std::isnan(left) || std::isnan(right);
                CHECK((unknown                           ? std::isnan(right)
                           : order == Qt::AscendingOrder ? left <= right
                                                         : left >= right));
            });
        }
    }
}

TEST_CASE("half a million call paths are there without being looked at")
{
    test::guiApplication();
    std::mt19937 random(3);
    CallTreeModel model;
    model.setRows(randomRows(random, 500'000), {});
    CHECK(model.rowCount() > 0);
    model.sort(CallTreeModel::kCalls, Qt::AscendingOrder);
    CHECK(model.indexOf(499'999).isValid());
    CHECK(model.nodeOf(model.indexOf(499'999)) == 499'999);
}

TEST_CASE("several archives stand side by side in the call tree")
{
    test::guiApplication();
    Session session = smallSession();
    session.experiments.push_back(smallSession().experiments[0]);
    CallTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(rowsOf(session), {});
    CHECK(names(model, {}) == QStringList{"small", "small"});
    CHECK(names(model, model.index(1, 0)) == QStringList{"main"});
    const std::int64_t hot = model.rows().rowOf(1, CallPathId(2));
    CHECK(name(model.indexOf(hot)) == "hot");
}

}  // namespace skein::call_tree_model_test
