// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/summary_model.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/small_session.h"
#include "views/common/table/table_delegate.h"

#include <QAbstractItemModelTester>

#include <cmath>

namespace skein::summary_model_test {

namespace {

Session smallSession()
{
    test::ExperimentBuilder builder("small");
    builder.process("node", {{0, 100, "main", 0}, {10, 40, "work", 1}, {60, 80, "work", 1}});
    builder.process("node", {{0, 100, "main", 0}, {50, 90, "idle", 1}});
    return Session{{builder.finish()}};
}

double number(const SummaryModel& model, const QString& region, int column)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, 0).data().toString() == region)
            return model.index(row, column).data(kSortRole).toDouble();
    return -1.0;
}

}  // namespace

TEST_CASE("the function summary counts what lies in the window and no more")
{
    test::guiApplication();
    const Session session = smallSession();
    SummaryModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(makeSummaryRows(session, {}, Task()).value(), session);
    CHECK(number(model, "work", SummaryModel::kExclusive) == 50.0);
    CHECK(number(model, "main", SummaryModel::kExclusive) == 110.0);
    CHECK(number(model, "work", SummaryModel::kCalls) == 2.0);
    CHECK(number(model, "main", SummaryModel::kPercent) == Approx(110.0 / 200.0));
    CHECK(number(model, "main", SummaryModel::kLocations) == 2.0);
    model.setRows(makeSummaryRows(session, {TimeSpan{30, 70}, {}, {}, {}}, Task()).value(), session);
    CHECK(number(model, "work", SummaryModel::kExclusive) == 20.0);
    CHECK(number(model, "idle", SummaryModel::kExclusive) == 20.0);
    // Both calls are cut: how long they are is not seen.
    CHECK(std::isnan(number(model, "work", SummaryModel::kMaximum)));
    CHECK(number(model, "work", SummaryModel::kCalls) == 2.0);
    CHECK(number(model, "idle", SummaryModel::kImbalance) == 2.0);
    CHECK(number(model, "idle", SummaryModel::kLost) == 10.0);
}

TEST_CASE("numbers of the function summary have room for the units that they may have")
{
    test::guiApplication();
    const Session session = smallSession();
    SummaryModel model;
    model.setRows(makeSummaryRows(session, {}, Task()).value(), session);
    // 10,000 locations are "10.00 k": without its unit that would be ten.
    for (const int column : {SummaryModel::kCalls, SummaryModel::kLocations})
        CHECK(model.data(model.index(0, column), kUnitRole).toString() == "M");
    CHECK(model.data(model.index(0, SummaryModel::kExclusive), kUnitRole).toString() == "ms");
}

TEST_CASE("the function summary sorts and filters and its rows follow")
{
    test::guiApplication();
    const Session session = smallSession();
    SummaryModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(makeSummaryRows(session, {}, Task()).value(), session);
    const QPersistentModelIndex idle = model.index(2, 0);
    CHECK(idle.data().toString() == "idle");
    for (int column = 0; column < SummaryModel::kColumnCount; ++column) {
        model.sort(column, Qt::AscendingOrder);
        CHECK(idle.data().toString() == "idle");
    }
    model.sort(SummaryModel::kName, Qt::AscendingOrder);
    CHECK(model.index(0, 0).data().toString() == "idle");
    model.setFilter("OR");
    REQUIRE(model.rowCount() == 1);
    CHECK(model.row(0).region.name == "work");
}

TEST_CASE("profiles are left out of a window and said to be")
{
    Session session = smallSession();
    auto profile = std::make_shared<Experiment>(*session.experiments[0]);
    profile->profile = std::make_shared<const Profile>();
    profile->trace = nullptr;
    session.experiments.push_back(profile);
    const SummaryRows rows = makeSummaryRows(session, {TimeSpan{0, 10}, {}, {}, {}}, Task()).value();
    CHECK(rows.someWithoutTimes);
    for (const SummaryRow& row : rows.rows) CHECK(row.experiment == 0);
}

}  // namespace skein::summary_model_test
