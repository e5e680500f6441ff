// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_model.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/table/table_delegate.h"

#include <QAbstractItemModelTester>

#include <cmath>
#include <map>

#include "views/statistics/statistics_chart.h"
#include "views/statistics/statistics_view.h"

#include <QAbstractBarSeries>
#include <QBarSet>
#include <QChart>
#include <QTreeView>

namespace skein::statistics_model_test {

namespace {

constexpr double kCut = -1;  ///< a call that the span cuts has no duration

/// Durations of the calls of each region name on each location, cut at the span, call by call.
std::map<std::pair<std::string, std::uint32_t>, std::vector<double>> durationsOf(const Experiment& experiment,
                                                                                 TimeSpan span)
{
    std::map<std::pair<std::string, std::uint32_t>, std::vector<double>> found;
    for (std::uint32_t location = 0; location < experiment.trace->locations.size(); ++location) {
        const CallIntervals& calls = experiment.trace->locations[location].intervals;
        for (std::size_t call = 0; call < calls.size(); ++call) {
            const TimeSpan own = calls.span(call);
            const bool counts = own.lengthNs() == 0 ? span.contains(own.begin) : own.overlaps(span);
            if (!counts) continue;
            const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call]));
            found[{experiment.definitions.region(region).name, location}].push_back(
                own.intersected(span) == own ? static_cast<double>(own.lengthNs()) : kCut);
        }
    }
    return found;
}

SessionPtr smallSession()
{
    test::ExperimentBuilder builder("small");
    builder.process("node", {{0, 100, "main", 0}, {10, 40, "work", 1}, {60, 80, "work", 1}});
    builder.process("node", {{0, 100, "main", 0}, {50, 90, "work", 1}});
    return std::make_shared<const Session>(Session{{builder.finish()}});
}

QModelIndex find(const StatisticsModel& model, const QString& name, const QModelIndex& parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row)
        if (model.index(row, 0, parent).data().toString() == name) return model.index(row, 0, parent);
    return {};
}

double number(const QModelIndex& row, int column)
{
    return row.siblingAtColumn(column).data(kSortRole).toDouble();
}

}  // namespace

TEST_CASE(
    "statistics of a span are those of its calls, by region and by location, whoever defined the regions")
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        test::RandomTraceOptions options;
        options.regionsPerProcess = seed % 2 == 0;
        const auto data =
            test::timelineDataOf({std::make_shared<const Experiment>(test::randomExperiment(seed, options))});
        const TimeSpan all = data->clock.extent;
        const TimeSpan span{all.begin + all.lengthNs() / 4, all.begin + all.lengthNs() / 2};
        const auto rows = makeStatisticsRows(*data, span, {}, Task());
        REQUIRE(rows);
        auto expected = durationsOf(*data->session.experiments[0], span);
        std::size_t found = 0;
        for (const StatisticsRow& row : rows->rows) {
            std::vector<double> together;
            for (const LocationStatistics& location : row.locations) {
                const auto& durations = expected[{row.name, location.location.value()}];
                REQUIRE(location.values.calls == durations.size());
                together.insert(together.end(), durations.begin(), durations.end());
                ++found;
            }
            REQUIRE(row.total.calls == together.size());
            CHECK(row.total.cut == static_cast<std::uint64_t>(std::erase(together, kCut)));
            if (together.empty()) continue;
            double sum = 0, squares = 0;
            for (const double duration : together) sum += duration;
            const double mean = sum / static_cast<double>(together.size());
            for (const double duration : together) squares += (duration - mean) * (duration - mean);
            CHECK(row.total.meanNs == Approx(mean));
            CHECK(row.total.deviationNs
                  == Approx(std::sqrt(squares / static_cast<double>(together.size()))).margin(1e-6));
            CHECK(static_cast<double>(row.total.shortestNs)
                  == *std::min_element(together.begin(), together.end()));
            CHECK(static_cast<double>(row.total.longestNs)
                  == *std::max_element(together.begin(), together.end()));
        }
        CHECK(found == expected.size());
    }
}

TEST_CASE("statistics leave out what filters hide")
{
    const SessionPtr session = smallSession();
    const auto data = test::timelineDataOf(session->experiments);
    const std::vector<Filter> noWork{
        regionFilter(FilterEffect::Hide, "work", regionsMatching(*session, "work"))};
    const auto rows = makeStatisticsRows(*data, {0, 100}, noWork, Task());
    REQUIRE(rows->rows.size() == 1);
    CHECK(rows->hidden == 1);
    CHECK(rows->rows[0].total.exclusiveNs == 200 - 90);
    const std::vector<Filter> one{locationFilter(FilterEffect::Keep, "Rank 1", {{0, LocationId(1)}})};
    const auto ofOne = makeStatisticsRows(*data, {0, 100}, one, Task());
    CHECK(ofOne->locations == 1);
    CHECK(ofOne->rows[1].total.inclusiveNs == 40);
    const std::vector<Filter> half{spanFilter({0, 50})};
    CHECK(makeStatisticsRows(*data, {0, 100}, half, Task())->rows[1].total.inclusiveNs == 30);
}

TEST_CASE("the table of statistics has locations below its regions and keeps its rows when it is sorted")
{
    test::guiApplication();
    const SessionPtr session = smallSession();
    StatisticsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(*makeStatisticsRows(*test::timelineDataOf(session->experiments), {0, 100}, {}, Task()),
                  session);
    const QModelIndex work = find(model, "work");
    REQUIRE(model.rowCount(work) == 2);
    CHECK(number(work, StatisticsModel::kCalls) == 3);
    CHECK(number(work, StatisticsModel::kExclusive) == 90);
    CHECK(number(work, StatisticsModel::kMean) == 30);
    CHECK(number(work, StatisticsModel::kDeviation) == Approx(std::sqrt(200.0 / 3)));
    CHECK(number(find(model, "Rank 0", work), StatisticsModel::kCalls) == 2);
    const QPersistentModelIndex kept = find(model, "Rank 0", work);
    for (const int column :
         {StatisticsModel::kName, StatisticsModel::kCalls, StatisticsModel::kMean, StatisticsModel::kMaximum})
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(column, order);
            CHECK(kept.data().toString() == "Rank 0");
            CHECK(kept.parent().data().toString() == "work");
            for (int row = 0; row + 1 < model.rowCount() && column != StatisticsModel::kName; ++row) {
                const double here = number(model.index(row, 0), column),
                             next = number(model.index(row + 1, 0), column);
                CHECK((order == Qt::AscendingOrder ? here <= next : here >= next));
            }
        }
}

TEST_CASE("the chart of statistics has a bar for each of the largest regions and one for the rest")
{
    test::guiApplication();
    test::ExperimentBuilder builder("many");
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (int region = 0; region < 14; ++region)
        calls.push_back(
            {region * 5'000, region * 5'000 + 1'000 + 200 * region, "region " + std::to_string(region), 1});
    builder.process("node", calls);
    test::ViewFixture<StatisticsView> window({900, 500}, test::sessionOf(builder));
    window.trigger("statistics.showChart");
    auto* chart = window.view.findChild<StatisticsChart*>();
    REQUIRE(chart);
    CHECK_FALSE(chart->isHidden());
    const auto bars = [&] {
        const auto series = chart->chart()->series();
        return series.isEmpty() ? QList<QBarSet*>()
                                : static_cast<QAbstractBarSeries*>(series.front())->barSets();
    };
    window.waitUntil([&] { return bars().size() == static_cast<qsizetype>(StatisticsChart::kMostBars) + 1; });
    double sum = 0;
    for (const QBarSet* bar : bars()) sum += bar->sum();
    CHECK(sum == Approx(100));  // µs
    CHECK(bars().front()->label() == "main");
    CHECK(bars().front()->sum() >= bars()[1]->sum());
    CHECK(bars().back()->label() == "the rest");
    CHECK(chart->x() >= window.view.findChild<QTreeView*>()->width());
    // Each bar has room for its name.
    window.view.resize(1200, 190);
    window.waitUntil([&] { return bars().size() < 8; });
    CHECK(bars().size() * (chart->fontMetrics().height() + 2) < chart->height());
    CHECK(bars().back()->label() == "the rest");
    sum = 0;
    for (const QBarSet* bar : bars()) sum += bar->sum();
    CHECK(sum == Approx(100));  // µs
}

TEST_CASE(
    "statistics mark the rows of what is selected elsewhere, and stay unfolded when another span is marked")
{
    const SessionPtr session = smallSession();
    test::ViewFixture<StatisticsView> fixture({900, 400}, session);
    auto* table = fixture.view.findChild<QTreeView*>();
    const auto* model = static_cast<const StatisticsModel*>(table->model());
    fixture.waitUntil([&] { return model->rowCount() == 2; });
    const auto marked = [&] {
        std::string names;
        for (const QModelIndex& row : table->selectionModel()->selectedRows())
            names += row.data().toString().toStdString() + ";";
        return names;
    };
    fixture.selection.setSelected(select(*session, IntervalRef{0, LocationId(1), 1}), nullptr);
    fixture.waitUntil([&] { return marked() == "work;"; });
    table->expand(find(*model, "work"));
    fixture.selection.setBrushed(TimeSpan{0, 60}, nullptr);
    fixture.waitUntil([&] { return number(find(*model, "work"), StatisticsModel::kExclusive) == 40; });
    CHECK(table->isExpanded(find(*model, "work")));
    CHECK(marked() == "Rank 1;");
    CHECK(fixture.selection.state().selected.intervals.size() == 1);
    fixture.selection.setSelected(select(*session, RegionRef{0, RegionId(0)}), nullptr);
    fixture.waitUntil([&] { return marked() == "main;"; });
}

}  // namespace skein::statistics_model_test
