// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/scope_bar.h"

#include "core/select/filters.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/elided_label.h"
#include "views/common/selection_model.h"

#include <QDockWidget>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

namespace skein::scope_bar_test {

using namespace skein::gui;

namespace {

std::vector<QToolButton*> shownChips(const ScopeBar& bar)
{
    std::vector<QToolButton*> shown;
    for (QToolButton* chip : bar.findChildren<QToolButton*>())
        if (chip->isVisible() && chip->property("role") == "chip") shown.push_back(chip);
    return shown;
}

QToolButton* chipOf(const ScopeBar& bar, const char* name)
{
    QToolButton* last = nullptr;  // those before wait to be deleted
    for (QToolButton* chip : bar.findChildren<QToolButton*>(name)) last = chip;
    return last;
}

void settle(test::WindowFixture& fixture)
{
    QTest::qWait(150);
    fixture.settle();
}

void bringToFront(test::WindowFixture& fixture, const char* view)
{
    QDockWidget* dock = fixture.window->docks().find(view)->dock;
    dock->show();
    dock->raise();
    settle(fixture);
}

/// As the panel has it once it is in front: panels that are hidden hear of nothing.
QString headOf(test::WindowFixture& fixture, const char* view)
{
    const auto* label = fixture.window->docks().find(view)->dock->findChild<ElidedLabel*>("scope.text");
    return label->fullText();
}

}  // namespace

TEST_CASE("many filters take one line, and the window can be as narrow as before")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const int narrowest = fixture.window->minimumSizeHint().width();
    auto* bar = fixture.window->findChild<ScopeBar*>();
    const int height = bar->height();
    for (int number = 0; number < 14; ++number)
        fixture.window->selection().addFilter(regionFilter(FilterEffect::Hide,
                                                           "a name of the " + std::to_string(number)
                                                               + "th region"
                                                               + std::string(number == 3 ? 90 : 1, 'x'),
                                                           {{0, RegionId(5)}}),
                                              nullptr);
    settle(fixture);
    CHECK(fixture.window->minimumSizeHint().width() <= narrowest);
    CHECK(fixture.window->width() == 1600);
    CHECK(bar->height() == height);
    const auto chips = shownChips(*bar);
    REQUIRE(chips.size() > 3);
    for (const QToolButton* chip : chips) {
        CHECK(bar->rect().contains(chip->geometry()));
        for (const QToolButton* other : chips)
            CHECK((chip == other || !chip->geometry().intersects(other->geometry())));
    }
    auto* more = bar->findChild<QToolButton*>("scopeChip");
    REQUIRE(more->isVisible());
    CHECK(bar->rect().contains(more->geometry()));
    CHECK(chips.size() + static_cast<std::size_t>(more->menu()->actions().size()) == 16);
    more->menu()->actions().last()->trigger();
    settle(fixture);
    CHECK(fixture.window->selection().state().filters.size() == 13);
}

TEST_CASE("one scope is told in the same words by the bar and by every panel, which all obey it")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    auto* bar = fixture.window->findChild<ScopeBar*>();
    SelectionModel& selection = fixture.window->selection();
    for (const char* view : {"statistics", "function_summary", "call_tree"}) bringToFront(fixture, view);
    CHECK(chipOf(*bar, "scopeChip.span")->text() == "Whole run");
    CHECK(chipOf(*bar, "scopeChip.locations")->text() == "All locations");
    selection.setBrushed(TimeSpan{560'000'000, 600'000'000}, {{0, LocationId(2)}, {0, LocationId(3)}},
                         nullptr);
    settle(fixture);
    CHECK(chipOf(*bar, "scopeChip.span")->text() == "Marked span: 40 ms from 560 ms  ✕");
    CHECK(chipOf(*bar, "scopeChip.locations")->text() == "Rank 2 to Rank 3  ✕");
    for (const char* view : {"function_summary", "call_tree", "statistics"})
        CHECK(headOf(fixture, view).startsWith("Marked span: 40 ms from 560 ms · Rank 2 to Rank 3"));
    // Each part has its own way back.
    chipOf(*bar, "scopeChip.locations")->click();
    settle(fixture);
    CHECK(selection.state().brushed);
    CHECK(selection.state().markedLocations.empty());
    chipOf(*bar, "scopeChip.span")->click();
    settle(fixture);
    CHECK_FALSE(selection.state().brushed);
    CHECK(headOf(fixture, "call_tree").startsWith("Whole run"));
}

TEST_CASE("the hot path of a window lies in the window, and a pinned panel keeps the whole run")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    bringToFront(fixture, "call_tree");
    const auto names = [&] {
        QStringList all;
        const auto* tree = fixture.window->docks().find("call_tree")->view->findChild<QTreeView*>();
        for (QModelIndex row = tree->model()->index(0, 0); row.isValid(); row = tree->indexBelow(row))
            all << row.data().toString();
        return all;
    };
    CHECK_FALSE(names().filter("MPI_Init").isEmpty());
    // MPI_Init has ended by then, on all ranks.
    fixture.window->selection().setVisible(TimeSpan{585'000'000, 600'000'000}, nullptr);
    settle(fixture);
    CHECK(names().filter("MPI_Init").isEmpty());
    CHECK_FALSE(names().filter("LagrangeLeapFrog").isEmpty());
    auto* pin = fixture.window->docks().find("call_tree")->dock->findChild<QToolButton*>("scope.pin");
    for (QAction* action : pin->menu()->actions())
        if (action->text() == "Whole Run") action->trigger();
    settle(fixture);
    CHECK(headOf(fixture, "call_tree").startsWith("Whole run"));
    CHECK(pin->text() == "Pinned");
    CHECK_FALSE(names().filter("MPI_Init").isEmpty());
}

}  // namespace skein::scope_bar_test
