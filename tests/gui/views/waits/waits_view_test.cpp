// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/waits/waits_view.h"

#include "app/gui/window/dock_host.h"
#include "core/base/natural_order.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/cli.h"
#include "tests/support/random_trace.h"
#include "views/common/elided_label.h"
#include "views/common/empty_state.h"
#include "views/common/scope_head.h"
#include "views/common/table/number_text.h"
#include "views/common/table/table_text.h"
#include "views/timeline/timeline_view.h"
#include "views/waits/wait_model.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QTextBrowser>
#include <QTreeView>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace skein::waits_view_test {

namespace {

SessionWaits waitsOf(const Session& session)
{
    SessionWaits waits;
    for (const ExperimentPtr& experiment : session.experiments)
        waits.experiments.push_back(
            std::make_shared<const WaitIndex>(findWaitStates(*experiment, Task()).value()));
    return waits;
}

struct Opened : test::WindowFixture {
    WaitsView* view = nullptr;
    QTreeView* table = nullptr;

    Opened()
    {
        window->resize(1600, 1000);
        view = window->findChild<WaitsView*>("waits");
        table = view->findChild<QTreeView*>();
        open({test::example("lulesh-8/trace-otf2")});
        window->docks().focusView("waits");
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(80);
        settle();
    }
    void click(const QModelIndex& index)
    {
        table->scrollTo(index);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    }
};

}  // namespace

TEST_CASE("what is copied of wait states is what is shown, with every digit, of single waits too")
{
    Opened opened;
    const QAbstractItemModel& model = *opened.table->model();
    REQUIRE(model.rowCount() > 1);
    const QModelIndex sum = model.index(0, 0);
    CHECK(exactHeader(model, WaitModel::kTime) == "Waiting time [ns]");
    double percent = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const double part = exactText(model.index(row, WaitModel::kPercent)).toDouble();
        CHECK(part == Approx(model.index(row, WaitModel::kPercent).data().toDouble()).margin(0.051));
        percent += part;
    }
    CHECK(percent == Approx(100));
    REQUIRE(model.rowCount(sum) > 0);
    const auto* waits = dynamic_cast<const WaitModel*>(&model);
    REQUIRE(waits);
    const QModelIndex single = model.index(0, WaitModel::kTime, sum);
    CHECK(exactText(single).toLongLong() == waits->wait(single)->state.lengthNs());
    CHECK(exactText(single.siblingAtColumn(WaitModel::kBegin)).toLongLong() == waits->wait(single)->beginNs);
}

TEST_CASE("sums of a session that is closed meanwhile are not shown")
{
    Opened opened;
    REQUIRE(opened.table->model()->rowCount() > 1);
    auto* by = opened.child<QComboBox>("waits.grouping");
    REQUIRE(by);
    by->setCurrentIndex(by->currentIndex() == 0 ? 1 : 0);
    opened.view->setSession(nullptr);
    opened.settleAll();
    CHECK(opened.table->model()->rowCount() == 0);
}

TEST_CASE("locations of wait states are sorted as people count")
{
    test::WindowFixture fixture;
    fixture.open({test::example("workflow-12-4/sim/trace-otf2")});
    auto* view = fixture.window->findChild<WaitsView*>("waits");
    fixture.window->docks().focusView("waits");
    fixture.settle();
    auto* by = fixture.child<QComboBox>("waits.grouping");
    REQUIRE(by);
    by->setCurrentIndex(static_cast<int>(WaitGrouping::Location));
    Q_EMIT by->activated(by->currentIndex());
    fixture.settle();
    QAbstractItemModel& model = *view->findChild<QTreeView*>()->model();
    REQUIRE(model.rowCount() > 10);
    model.sort(WaitModel::kName, Qt::AscendingOrder);
    const NaturalOrder before;
    for (int row = 1; row < model.rowCount(); ++row)
        CHECK_FALSE(before(model.index(row, 0).data().toString().toStdString(),
                           model.index(row - 1, 0).data().toString().toStdString()));
}

TEST_CASE(
    "filters of messages leave waits for these and those in collectives, as skein-cli waits --messages does")
{
    const std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const Session session{{openExperiment(archive, Task()).value()}};
    const SessionWaits waits = waitsOf(session);
    WaitRequest request;
    request.grouping = WaitGrouping::Kind;
    const WaitRows all = makeWaitRows(session, waits, request);
    std::uint64_t apart = 0;
    for (const char* conditions : {"tag=2048", "tag!=2048"}) {
        request.filters = {messageFilter(FilterEffect::Keep, *parseAttributeConditions(conditions))};
        const WaitRows rows = makeWaitRows(session, waits, request);
        CHECK(rows.hidden + rows.count == all.count);
        apart += rows.hidden;
        const auto printed = nlohmann::json::parse(
            test::runCli({"waits", archive, "--by", "kind", "--messages", conditions, "--format", "json"})
                .out);
        REQUIRE(printed.size() == rows.rows.size());
        for (std::size_t row = 0; row < rows.rows.size(); ++row) {
            CHECK(printed[row]["kind"] == rows.rows[row].name);
            CHECK(printed[row]["count"] == rows.rows[row].sum.count);
            CHECK(printed[row]["wait_ns"] == rows.rows[row].sum.totalNs);
            CHECK(printed[row]["longest_ns"] == rows.rows[row].sum.longestNs);
        }
    }
    // Each late sender is hidden once, collectives never.
    const auto late = std::ranges::find(all.rows, "late sender", &WaitRow::name);
    REQUIRE(late != all.rows.end());
    CHECK(apart == late->sum.count);
    CHECK(test::runCli({"waits", archive, "--messages", "colour=red"}).exitCode == 2);
}

TEST_CASE("sums of wait states are those of skein-cli waits")
{
    const std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const Session session{{openExperiment(archive, Task()).value()}};
    const SessionWaits waits = waitsOf(session);
    for (const auto& [grouping, by, field] : {std::tuple{WaitGrouping::Region, "region", "region"},
                                              {WaitGrouping::Location, "location", "location"},
                                              {WaitGrouping::Cause, "cause", "cause"},
                                              {WaitGrouping::Kind, "kind", "kind"}}) {
        auto printed =
            nlohmann::json::parse(test::runCli({"waits", archive, "--by", by, "--format", "json"}).out);
        // By region it prints what did not wait, too.
        const auto waited = [](const nlohmann::json& row) { return row["count"] > 0; };
        printed.erase(std::partition_point(printed.begin(), printed.end(), waited), printed.end());
        WaitRequest request;
        request.grouping = grouping;
        const WaitRows rows = makeWaitRows(session, waits, request);
        REQUIRE(rows.rows.size() == printed.size());
        for (std::size_t row = 0; row < rows.rows.size(); ++row) {
            CHECK(printed[row].begin().value().is_null() == false);
            CHECK(printed[row].dump().find(rows.rows[row].name) != std::string::npos);
            CHECK(printed[row].dump().find(std::to_string(rows.rows[row].sum.totalNs)) != std::string::npos);
        }
    }
}

TEST_CASE("waits of a window are what lies in it, the longest first, with their causes")
{
    const Session session{{std::make_shared<const Experiment>(
        test::randomExperiment(5, {.processes = 6, .messages = 300, .collectives = 20}))}};
    const SessionWaits waits = waitsOf(session);
    for (const WaitGrouping grouping : {WaitGrouping::Region, WaitGrouping::Location}) {
        WaitRequest request;
        request.span = TimeSpan{200, 2500};
        request.grouping = grouping;
        request.longest = 3;
        TimeNs expected = 0;
        for (const WaitState& state : waits.experiments[0]->found().states)
            expected +=
                std::max<TimeNs>(0, std::min<TimeNs>(state.end, 2500) - std::max<TimeNs>(state.begin, 200));
        const WaitRows rows = makeWaitRows(session, waits, request);
        CHECK(rows.totalNs == expected);
        REQUIRE_FALSE(rows.rows.empty());
        for (const WaitRow& row : rows.rows) {
            CHECK(row.longest.size() == std::min<std::size_t>(3, row.sum.count));
            CHECK(row.longest.front().state.lengthNs() == row.sum.longestNs);
            CHECK(row.causeNs <= row.sum.totalNs);
            CHECK(row.sum.byKindNs[static_cast<std::size_t>(row.kind)] > 0);
        }
        request.filters = {{"", FilterEffect::Hide, {}, {{0, LocationId(1)}}}};
        for (const WaitRow& row : makeWaitRows(session, waits, request).rows)
            for (const SingleWait& wait : row.longest) CHECK(wait.state.location != LocationId(1));
    }
}

TEST_CASE("the table of waits keeps the rules of a tree model")
{
    test::guiApplication();
    auto session = std::make_shared<const Session>(
        Session{{std::make_shared<const Experiment>(test::randomExperiment(5, {.messages = 300}))}});
    WaitModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(makeWaitRows(*session, waitsOf(*session), {}), session);
    REQUIRE(model.rowCount() > 1);
    const QPersistentModelIndex wait = model.index(0, WaitModel::kTime, model.index(model.rowCount() - 1, 0));
    const QString length = wait.data().toString();
    for (int column = 0; column < WaitModel::kColumnCount; ++column) {
        model.sort(column, Qt::AscendingOrder);
        CHECK(wait.data().toString() == length);
    }
    model.clear();
    CHECK(model.rowCount() == 0);
}

TEST_CASE("the panel says what the waits leave open, of the scope")
{
    Opened opened;
    const auto note = [&] { return opened.view->findChild<ElidedLabel*>("table.note")->fullText(); };
    const MpiTotals& all = opened.view->model().rows().mpi;
    CHECK(all.mpiNs == all.waitedNs + all.workNs + all.unexplainedNs);
    CHECK(all.waitedNs > 0);
    CHECK(note() == QString::fromStdString(mpiText(all)));
    const TimeNs whole = all.mpiNs;
    opened.window->selection().setBrushed(TimeSpan{585'000'000, 600'000'000}, {{0, LocationId(1)}}, nullptr);
    opened.settleAll();
    const MpiTotals& part = opened.view->model().rows().mpi;
    CHECK(part.mpiNs > 0);
    CHECK(part.mpiNs <= 15'000'000);
    CHECK(part.mpiNs < whole);
    CHECK(note() == QString::fromStdString(mpiText(part)));
    opened.window->selection().setFilters(
        {messageFilter(FilterEffect::Keep, *parseAttributeConditions("tag=2048"))}, nullptr);
    opened.settleAll();
    CHECK(note() == QString::fromStdString(mpiText(part)) + " (of all messages)");
}

TEST_CASE("by region the panel says what all time in MPI went to, as skein-cli waits does")
{
    const std::string archive = test::sourcePath("examples/heatflow-16x2/trace-otf2").string();
    const Session session{{openExperiment(archive, Task()).value()}};
    const SessionWaits waits = waitsOf(session);
    const auto printed =
        nlohmann::json::parse(test::runCli({"waits", archive, "--by", "region", "--format", "json"}).out);
    WaitRows rows = makeWaitRows(session, waits, {});
    REQUIRE(addMpiTimes(rows, session, waits, {}, Task()));
    REQUIRE(rows.rows.size() == printed.size());
    MpiTotals sum;
    for (std::size_t row = 0; row < printed.size(); ++row) {
        INFO(printed[row]);
        CHECK(rows.rows[row].name == printed[row]["region"].get<std::string>());
        REQUIRE(rows.rows[row].mpi);
        const MpiTotals& mpi = *rows.rows[row].mpi;
        CHECK(mpi.mpiNs == printed[row]["mpi_ns"].get<TimeNs>());
        CHECK(mpi.workNs == printed[row]["work_ns"].get<TimeNs>());
        CHECK(mpi.unexplainedNs == printed[row]["unexplained_ns"].get<TimeNs>());
        CHECK(mpi.mpiNs == mpi.waitedNs + mpi.workNs + mpi.unexplainedNs);
        sum.mpiNs += mpi.mpiNs;
        sum.unexplainedNs += mpi.unexplainedNs;
    }
    CHECK(sum.mpiNs == rows.mpi.mpiNs);
    CHECK(sum.unexplainedNs == rows.mpi.unexplainedNs);
    CHECK(rows.rows.back().sum.count == 0);

    // A region that filters hide has no row, but its time is in the whole.
    WaitRequest request;
    const auto silent = std::find_if(rows.rows.begin(), rows.rows.end(),
                                     [](const WaitRow& row) { return row.sum.count == 0; });
    request.filters = {{"", FilterEffect::Hide, {{0, RegionId(silent->sum.item)}}, {}}};
    WaitRows fewer = makeWaitRows(session, waits, request);
    REQUIRE(addMpiTimes(fewer, session, waits, request, Task()));
    CHECK(fewer.rows.size() + 1 == rows.rows.size());
    CHECK(fewer.mpi.mpiNs == rows.mpi.mpiNs);
}

TEST_CASE("what did not wait stands in the table by region, and only there")
{
    Opened opened;
    const WaitModel& model = opened.view->model();
    const auto rowOf = [&](const QString& name) {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, WaitModel::kName).data().toString() == name) return row;
        return -1;
    };
    const int init = rowOf("MPI_Init()");
    REQUIRE(init >= 0);
    CHECK(model.index(init, WaitModel::kUnexplained).data().toString().endsWith("s"));
    CHECK(model.index(init, WaitModel::kKind).data().toString().isEmpty());
    CHECK(model.index(init, WaitModel::kCause).data().toString().isEmpty());
    opened.click(model.index(init, WaitModel::kCause));
    CHECK(opened.window->selection().state().selected.locations.empty());
    auto* grouping = opened.child<QComboBox>("waits.grouping");
    REQUIRE(grouping);
    for (const auto& [by, hidden] : {std::pair{"By kind", true}, {"By region", false}}) {
        grouping->setCurrentIndex(grouping->findText(by));
        opened.settleAll();
        CHECK(opened.table->isColumnHidden(WaitModel::kUnexplained) == hidden);
        CHECK((rowOf("MPI_Init()") >= 0) != hidden);
    }
}

TEST_CASE("where nothing waited the panel says so, and by region what the time in MPI went to")
{
    test::ViewFixture<WaitsView> window(
        {700, 300},
        test::sessionOf(test::ExperimentBuilder("run").process(
            "n", {{0, 1'000'000, "main", 0}, {100'000, 350'000, "MPI_Init", 1}})));
    auto* pages = window.view.findChild<EmptyState*>();
    auto* grouping = window.view.findChild<QComboBox*>("waits.grouping");
    REQUIRE(grouping->currentText() == "By region");
    REQUIRE(test::waitFor([&] { return !pages->isEmpty() && !window.tasks.anyRunning(); }));
    const WaitModel& model = window.view.model();
    REQUIRE(model.rowCount() == 1);
    CHECK(model.index(0, WaitModel::kName).data().toString() == "MPI_Init");
    CHECK(model.index(0, WaitModel::kUnexplained).data().toString() == tableDuration(250'000));
    grouping->setCurrentIndex(grouping->findText("By kind"));
    REQUIRE(test::waitFor([&] { return pages->isEmpty() && !window.tasks.anyRunning(); }));
    REQUIRE(test::waitFor([&] { return pages->message().startsWith("No call waited"); }));
    CHECK(pages->message().contains("250 µs in MPI = 0 ns waiting"));
    // A part of the run is told apart from that.
    window.selection.setBrushed(TimeSpan{0, 200'000}, nullptr);
    CHECK(test::waitFor([&] { return pages->message().startsWith("In this scope no call waited"); }));
    CHECK(pages->message().contains("100 µs in MPI"));
}

TEST_CASE("one click leads from a wait to the call that it waited for")
{
    Opened opened;
    const WaitModel& model = opened.view->model();
    REQUIRE(model.rowCount() > 0);
    CHECK(opened.window->selection().state().waitMarks != WaitMarks::Shown);
    const QModelIndex sum = model.index(0, 0);
    opened.table->expand(sum);
    const QModelIndex first = model.index(0, WaitModel::kName, sum);
    const WaitState state = model.wait(first)->state;
    opened.click(first);
    CHECK(opened.window->selection().state().selected.intervals
          == std::vector{IntervalRef{0, state.location, state.interval}});
    opened.click(first.siblingAtColumn(WaitModel::kCause));
    CHECK(opened.window->selection().state().selected.locations == std::vector{LocationRef{0, state.cause}});
    if (state.causeInterval != kNoInterval)
        CHECK(opened.window->selection().state().selected.intervals
              == std::vector{IntervalRef{0, state.cause, state.causeInterval}});
}

TEST_CASE("sums of waits follow the visible window, and rows stay unfolded")
{
    Opened opened;
    const TimeNs all = opened.view->model().rows().totalNs;
    opened.table->expand(opened.view->model().index(0, 0));
    const WaitState longest = opened.view->model().rows().rows[0].longest[0].state;
    opened.window->selection().setVisible(TimeSpan{longest.begin, longest.end}, nullptr);
    opened.settleAll();
    CHECK(opened.view->model().rows().totalNs < all);
    CHECK(opened.view->model().rows().totalNs >= longest.lengthNs());
    CHECK(opened.table->isExpanded(opened.view->model().index(0, 0)));
    ScopeHead::of(*opened.view)->pinTo(ScopeHead::Pin::WholeRun);
    opened.settleAll();
    CHECK(opened.view->model().rows().totalNs == all);
}

TEST_CASE("details of a call that waited lead to what it waited for")
{
    Opened opened;
    const Session& session = *opened.window->loader().session();
    const WaitState longest = opened.view->model().rows().rows[0].longest[0].state;
    const IntervalRef call{0, longest.location, longest.interval};
    opened.window->docks().focusView("details");
    opened.window->selection().setSelected(select(session, call), nullptr);
    opened.settleAll();
    auto* page = opened.window->findChild<QWidget*>("details")->findChild<QTextBrowser*>();
    REQUIRE(page);
    CHECK(page->toPlainText().contains("waited"));
    Q_EMIT page->anchorClicked(QUrl("cause:0"));
    // Both ends: who waited, and for whom.
    const auto& chosen = opened.window->selection().state().selected.locations;
    CHECK(chosen.size() == 2);
    for (const LocationId end : {longest.location, longest.cause})
        CHECK(std::count(chosen.begin(), chosen.end(), LocationRef{0, end}) == 1);
}

TEST_CASE("waits of a window on the command line add up to what lies in it")
{
    const std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto total = [&](const std::string& window) {
        TimeNs sum = 0;
        std::vector<std::string> arguments{"waits", archive, "--format", "json"};
        if (!window.empty()) arguments.insert(arguments.end(), {"--window", window});
        for (const auto& row : nlohmann::json::parse(test::runCli(arguments).out))
            sum += row["wait_ns"].get<TimeNs>();
        return sum;
    };
    const TimeNs all = total("");
    const TimeNs first = total(":608ms"), rest = total("608ms:");
    CHECK(first > 0);
    CHECK(rest > 0);
    CHECK(first + rest == all);
}

TEST_CASE("wait states are marked in the timeline where they are, and go again")
{
    Opened opened;
    auto* timeline = opened.window->findChild<TimelineView*>("timeline");
    opened.window->docks().focusView("timeline");
    opened.window->selection().setVisible(TimeSpan{590'000'000, 600'000'000}, nullptr);
    const auto picture = [&] {
        opened.settleAll();
        REQUIRE(test::waitFor([&] { return timeline->upToDate(); }, 30000));
        return timeline->grab().toImage();
    };
    auto* action = timeline->findChild<QAction*>("timeline.waits");
    REQUIRE(action);
    // Marks do not turn themselves on.
    REQUIRE_FALSE(action->isChecked());
    action->trigger();
    const QImage with = picture();
    action->trigger();
    const QImage without = picture();
    action->trigger();
    CHECK(picture() == with);
    opened.window->selection().undo();
    CHECK(picture() == without);
    CHECK_FALSE(action->isChecked());
    opened.window->selection().redo();
    CHECK(picture() == with);
    // Wherever a location waits for at least three pixels its row has changed there, and rows that never wait
    // have not.
    const SessionPtr session = opened.window->loader().session();
    const SessionWaits waits = waitsOf(*session);
    const TimelineLayout& layout = timeline->sceneLayout();
    int marked = 0;
    for (const PlacedRow& place : layout.places) {
        if (isHeader(layout.rows[place.row])) continue;
        const auto changedIn = [&](double from, double to) {
            for (int x = static_cast<int>(std::ceil(from)); x < static_cast<int>(to); ++x)
                for (int y = static_cast<int>(place.y); y < static_cast<int>(place.y + place.height); ++y)
                    if (with.pixel(x, y) != without.pixel(x, y)) return true;
            return false;
        };
        const auto& found = waits.experiments[0]->found().states;
        bool any = false;
        for (const WaitState& wait : found) {
            if (wait.location != layout.rows[place.row].location.id || wait.end <= layout.scale.span.begin
                || wait.begin >= layout.scale.span.end)
                continue;
            any = true;
            const double from = std::max(layout.body.x, layout.scale.toX(wait.begin));
            const double to = std::min(layout.body.right(), layout.scale.toX(wait.end));
            if (to - from < 3) continue;
            ++marked;
            CHECK(changedIn(from, to));
        }
        if (!any) CHECK_FALSE(changedIn(layout.body.x, layout.body.right()));
    }
    CHECK(marked > 5);
}

}  // namespace skein::waits_view_test
