// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/searches.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/scope_bar.h"
#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/filter_menu.h"
#include "views/common/metric_chooser.h"
#include "views/common/scene/data/call_tree_rows.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/function_summary/summary_rows.h"

#include <QDockWidget>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <map>
#include <set>

namespace skein::app_filters_test {

using namespace skein::gui;

namespace {

QTreeView* table(const test::WindowFixture& fixture, const char* view)
{
    return fixture.window->docks().find(view)->view->findChild<QTreeView*>();
}

bool has(const QTreeView* view, const QString& name)
{
    return !view->model()
                ->match(view->model()->index(0, 0), Qt::DisplayRole, name, 1,
                        Qt::MatchExactly | Qt::MatchRecursive)
                .isEmpty();
}

/// Chooses an entry of the menu that a click with the right button on a row opens.
void choose(QTreeView* view, const QString& name, const QString& entry)
{
    const auto found = view->model()->match(view->model()->index(0, 0), Qt::DisplayRole, name, 1,
                                            Qt::MatchExactly | Qt::MatchRecursive);
    REQUIRE(found.size() == 1);
    view->scrollTo(found[0]);
    const QPoint at = view->visualRect(found[0]).center();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
    Q_EMIT view->customContextMenuRequested(at);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    REQUIRE(menu);
    const auto actions = menu->actions();
    const auto wanted = std::find_if(actions.begin(), actions.end(),
                                     [&](QAction* action) { return action->text() == entry; });
    REQUIRE(wanted != actions.end());
    (*wanted)->trigger();
    menu->close();
}

Session openedSession(const test::WindowFixture& fixture) { return *fixture.window->loader().session(); }

}  // namespace

TEST_CASE("a filter is made from a table's menu, shown as a chip, applied everywhere, and can be undone")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* summary = table(fixture, "function_summary");
    auto* tree = table(fixture, "call_tree");
    const auto chips = [&] { return fixture.window->findChildren<QToolButton*>("filterChip").size(); };
    const int tableTop = summary->mapTo(fixture.window.get(), QPoint()).y();
    CHECK(chips() == 0);
    choose(summary, "MPI_Allreduce()", "Hide MPI_Allreduce()");
    QTest::qWait(100);
    fixture.settle();
    CHECK(chips() == 1);
    CHECK(summary->mapTo(fixture.window.get(), QPoint()).y() == tableTop);
    CHECK_FALSE(has(summary, "MPI_Allreduce()"));
    CHECK_FALSE(has(tree, "MPI_Allreduce()"));
    for (const Finding& finding :
         findInSession(fixture.window->loader().session(), fixture.window->selection(), "MPI_Allr").best)
        CHECK_FALSE(finding.text.contains("MPI_Allreduce"));
    fixture.trigger("edit.undo");
    QTest::qWait(100);
    fixture.settle();
    CHECK(chips() == 0);
    CHECK(has(summary, "MPI_Allreduce()"));
    CHECK(has(tree, "MPI_Allreduce()"));
    fixture.trigger("edit.redo");
    QTest::qWait(100);
    fixture.settle();
    CHECK_FALSE(has(summary, "MPI_Allreduce()"));
    fixture.window->findChildren<QToolButton*>("filterChip").last()->click();
    QTest::qWait(100);
    fixture.settle();
    CHECK(has(summary, "MPI_Allreduce()"));
}

TEST_CASE("showing one group only leaves its regions in the call tree, below what still stands above them")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const Session session = openedSession(fixture);
    const auto everything = makeCallTreeRows(session, {}, Task()).value();
    const Filter filter = regionFilter(FilterEffect::Keep, "MPI",
                                       regionsOfGroup(RegionGroups(session, RegionGrouping::Role),
                                                      static_cast<std::uint32_t>(PaletteGroup::Mpi)));
    const auto only = makeCallTreeRows(session, {{}, {filter}}, Task()).value();
    double calls = 0, expected = 0;
    for (const CallTreeRow& row : everything.rows)
        if (passes({filter}, RegionRef{0, row.regions.front()})) expected += row.values.calls;
    for (const CallTreeRow& row : only.rows) {
        CHECK(passes({filter}, RegionRef{0, row.regions.front()}));
        calls += row.values.calls;
    }
    CHECK(calls == expected);
}

TEST_CASE("what a hidden region called moves up and joins what has the same name there")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const Session session = openedSession(fixture);
    const auto everything = makeCallTreeRows(session, {}, Task()).value();
    std::map<std::string, double> exclusive;
    for (const CallTreeRow& row : everything.rows) exclusive[row.name] += row.values.exclusive;
    for (const auto& [name, sum] : exclusive) {
        const std::vector<RegionRef> regions = regionsMatching(session, name);
        const Filter filter = regionFilter(FilterEffect::Hide, name, regions);
        const auto shown = makeCallTreeRows(session, {{}, {filter}}, Task()).value();
        INFO(name);
        std::set<std::pair<std::int64_t, std::string>> places;
        std::map<std::string, double> left;
        for (std::size_t row = 0; row < shown.rows.size(); ++row) {
            CHECK(shown.rows[row].parent < static_cast<std::int64_t>(row));
            CHECK(places.emplace(shown.rows[row].parent, shown.rows[row].name).second);
            left[shown.rows[row].name] += shown.rows[row].values.exclusive;
        }
        for (const auto& [kept, amount] : left) CHECK(amount == Approx(exclusive[kept]));
        for (const RegionRef& region : regions)
            left.erase(session.experiments[0]->definitions.region(region.id).name);
        for (const auto& [kept, amount] : exclusive)
            if (!left.contains(kept))
                CHECK_FALSE(
                    passes({filter}, select(session, regionsMatching(session, kept)).regions.front()));
    }
}

TEST_CASE("filters of locations and spans cut the sums to what they keep")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const Session session = openedSession(fixture);
    const auto whole = makeSummaryRows(session, {}, Task()).value();
    double parts = 0;
    for (std::uint32_t id = 0; id < session.experiments[0]->definitions.locations.size(); ++id) {
        const Filter only = locationFilter(FilterEffect::Keep, "one", {{0, LocationId(id)}});
        parts += makeSummaryRows(session, {{}, {only}, {}, {}}, Task()).value().totalExclusive;
    }
    CHECK(parts == whole.totalExclusive);
    const TimeSpan extent = sessionClock(session).extent;
    const TimeNs middle = extent.lengthNs() / 2;
    double halves = 0;
    for (const TimeSpan half : {TimeSpan{0, middle}, TimeSpan{middle, extent.end}})
        halves += makeSummaryRows(session, {{}, {spanFilter(half)}, {}, {}}, Task()).value().totalExclusive;
    CHECK(halves == whole.totalExclusive);
    const auto calls = makeSummaryRows(session, {{}, {}, kCallsMetric, {}}, Task()).value();
    double count = 0;
    for (const SummaryRow& row : whole.rows) count += row.region.values.calls;
    CHECK(calls.totalExclusive == count);
    CHECK_FALSE(calls.time);
}

TEST_CASE("a metric chosen in one table is shown in the other")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* inTree = fixture.window->docks().find("call_tree")->dock->findChild<MetricChooser*>();
    auto* inSummary = fixture.window->docks().find("function_summary")->dock->findChild<MetricChooser*>();
    REQUIRE(inTree->count() >= 2);
    inTree->setCurrentIndex(1);
    Q_EMIT inTree->activated(1);
    QTest::qWait(100);
    fixture.settle();
    CHECK(inSummary->currentText() == "Calls");
    CHECK(fixture.window->selection().state().metric == kCallsMetric);
}

TEST_CASE("search lists the longest calls of what matches, and N walks through them by time or by length")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.trigger("edit.search");
    auto* popup = fixture.window->findChild<QWidget*>("searchPopup");
    QTest::keyClicks(popup->findChild<QLineEdit*>(), "MPI_Wait");
    QTest::qWait(50);
    fixture.settle();
    auto* list = popup->findChild<QListWidget*>();
    REQUIRE(list->count() > 2);
    CHECK(list->item(list->count() - 1)->data(Qt::UserRole).toString().contains(" at "));
    const auto& state = fixture.window->selection().state();
    REQUIRE(state.hits.size() > 2);
    // What takes the keyboard elsewhere leaves the hits there.
    popup->hide();
    const Session session = openedSession(fixture);
    const auto beginOf = [&](const IntervalRef& hit) {
        return session.experiments[0]->trace->locations[hit.location.index()].intervals.begin[hit.index];
    };
    std::vector<IntervalRef> byTime = state.hits;
    std::sort(byTime.begin(), byTime.end(), [&](const IntervalRef& a, const IntervalRef& b) {
        return std::pair(beginOf(a), a) < std::pair(beginOf(b), b);
    });
    fixture.window->selection().setVisible(TimeSpan{beginOf(byTime[0]) - 1000, beginOf(byTime[0]) + 9000},
                                           nullptr);
    for (std::size_t hit = 0; hit < 2; ++hit) {
        fixture.trigger("edit.nextHit");
        CHECK(state.selected.intervals == std::vector{byTime[hit]});
        CHECK(state.visible->lengthNs() == 10000);
        CHECK(state.visible->contains(beginOf(byTime[hit])));
    }
    fixture.trigger("edit.previousHit");
    CHECK(state.selected.intervals == std::vector{byTime[0]});
    fixture.trigger("edit.hitsByLength");
    const auto place = std::find(state.hits.begin(), state.hits.end(), byTime[0]);
    fixture.trigger("edit.nextHit");
    CHECK(state.selected.intervals
          == std::vector{place + 1 == state.hits.end() ? state.hits[0] : *(place + 1)});
    const std::vector<IntervalRef> found = state.hits;
    const std::vector<RegionRef> hidden = select(session, found[0]).regions;
    fixture.window->selection().addFilter(regionFilter(FilterEffect::Hide, "it", hidden), nullptr);
    QTest::qWait(20);
    for (const IntervalRef& hit : state.hits) CHECK_FALSE(select(session, hit).regions == hidden);
    fixture.trigger("edit.undo");
    QTest::qWait(20);
    CHECK(state.hits == found);
    fixture.trigger("edit.search");
    QTest::keyClick(popup->findChild<QLineEdit*>(), Qt::Key_Escape);
    CHECK(state.hits.empty());
}

TEST_CASE("the window takes over the colours of a desktop that changes them")
{
    test::WindowFixture fixture;
    fixture.window->preferences().setAppearance(Appearance::FollowSystem);
    const QPalette dark(QColor(230, 230, 230), QColor(30, 30, 30), QColor(60, 60, 60), QColor(10, 10, 10),
                        QColor(40, 40, 40), QColor(230, 230, 230), Qt::white, QColor(20, 20, 20),
                        QColor(30, 30, 30));
    const QPalette before = QApplication::palette();
    QApplication::setPalette(dark);
    QTest::qWait(20);
    CHECK(fixture.window->palette().color(QPalette::Window).lightness() < 80);
    fixture.trigger("theme.toggle");
    CHECK(fixture.window->palette().color(QPalette::Window).lightness() > 200);
    fixture.trigger("theme.toggle");
    CHECK(fixture.window->palette().color(QPalette::Window).lightness() < 80);
    QApplication::setPalette(before);
}

namespace {

/// Answers the question for a pattern of the menu's entry.
void answer(test::WindowFixture& fixture, const QString& entry, const QString& pattern)
{
    QMenu menu;
    addFilterActions(menu, fixture.window->selection(), fixture.window->loader().session(), {},
                     fixture.window.get());
    const auto actions = menu.actions();
    const auto wanted = std::find_if(actions.begin(), actions.end(),
                                     [&](const QAction* action) { return action->text() == entry; });
    REQUIRE(wanted != actions.end());
    (*wanted)->trigger();
    auto* dialog = fixture.window->findChild<QInputDialog*>();
    REQUIRE(dialog);
    dialog->setTextValue(pattern);
    dialog->accept();
    QTest::qWait(20);
    fixture.settle();
}

std::size_t shownLocations(const test::WindowFixture& fixture)
{
    const Session session = openedSession(fixture);
    const auto kept = keptLocations(session, 0, fixture.window->selection().state().filters);
    return kept ? kept->size() : session.experiments[0]->definitions.locations.size();
}

}  // namespace

TEST_CASE(
    "locations are hidden and kept by a pattern of their names, and a pattern that nothing matches says so")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    REQUIRE(shownLocations(fixture) == 32);
    answer(fixture, "Hide Locations by Name…", "thread 1");
    CHECK(shownLocations(fixture) == 16);
    answer(fixture, "Show Only Locations by Name…", "Rank 1?");
    CHECK(shownLocations(fixture) == 6);
    const auto chips = fixture.window->findChildren<QToolButton*>("filterChip");
    REQUIRE(chips.size() == 2);
    CHECK(chips[0]->text().startsWith("“thread 1” hidden"));
    chips[0]->click();
    QTest::qWait(20);
    CHECK(shownLocations(fixture) == 6);
    QSignalSpy said(&fixture.window->selection(), &SelectionModel::said);
    answer(fixture, "Hide Locations by Name…", "nobody");
    answer(fixture, "Hide Regions by Name…", "nothing");
    REQUIRE(said.size() == 2);
    CHECK(said[0][0].toString() == "No location has a name like “nobody”");
    CHECK(said[1][0].toString() == "No region has a name like “nothing”");
    CHECK(fixture.window->selection().state().filters.size() == 1);
}

TEST_CASE("locations are hidden and kept by their attributes, and what is wrong with a condition is said")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    REQUIRE(shownLocations(fixture) == 32);
    answer(fixture, "Show Only Locations by Attributes…", "rank < 4");
    CHECK(shownLocations(fixture) == 8);
    answer(fixture, "Hide Locations by Attributes…", "thread=1");
    CHECK(shownLocations(fixture) == 4);
    const auto chips = fixture.window->findChildren<QToolButton*>("filterChip");
    REQUIRE(chips.size() == 2);
    CHECK(chips[0]->text().startsWith("only “rank<4”"));
    QSignalSpy said(&fixture.window->selection(), &SelectionModel::said);
    answer(fixture, "Hide Locations by Attributes…", "rank");
    answer(fixture, "Hide Locations by Attributes…", "galaxy=m31");
    answer(fixture, "Hide Locations by Attributes…", "rank>99");
    REQUIRE(said.size() == 3);
    CHECK(said[0][0].toString().startsWith("\"rank\" is no condition."));
    CHECK(said[1][0].toString().contains("No location has an attribute \"galaxy\""));
    CHECK(said[2][0].toString() == "No location is like “rank>99”");
    CHECK(fixture.window->selection().state().filters.size() == 2);
}

TEST_CASE("messages are hidden and kept by what they are like, and what is wrong with a condition is said")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    const auto& filters = [&]() -> const std::vector<Filter>& {
        return fixture.window->selection().state().filters;
    };
    answer(fixture, "Show Only Messages by Attributes…", "tag=100|101");
    answer(fixture, "Hide Messages by Attributes…", "sender<8");
    REQUIRE(filters().size() == 2);
    CHECK(filters()[0].effect == FilterEffect::Keep);
    CHECK(textOf(filters()[0].messages) == "tag=100|101");
    CHECK(filters()[1].effect == FilterEffect::Hide);
    CHECK(shownLocations(fixture) == 32);
    const auto chips = fixture.window->findChildren<QToolButton*>("filterChip");
    REQUIRE(chips.size() == 2);
    CHECK(chips[0]->text().startsWith("only messages like “tag=100|101”"));
    QSignalSpy said(&fixture.window->selection(), &SelectionModel::said);
    answer(fixture, "Hide Messages by Attributes…", "tag");
    answer(fixture, "Hide Messages by Attributes…", "galaxy=m31");
    REQUIRE(said.size() == 2);
    CHECK(said[0][0].toString().startsWith("\"tag\" is no condition."));
    CHECK(said[1][0].toString().startsWith("Messages have no attribute \"galaxy\"; there are tag, bytes"));
    CHECK(filters().size() == 2);
    chips[0]->click();
    CHECK(filters().size() == 1);
}

}  // namespace skein::app_filters_test
