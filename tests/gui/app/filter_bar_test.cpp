// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/filter_bar.h"

#include "core/select/filters.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"

#include <QToolButton>

namespace skein::filter_bar_test {

using namespace skein::gui;

TEST_CASE("many filters stand in several rows, and the window can be as narrow as before")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const int narrowest = fixture.window->minimumSizeHint().width();
    auto* bar = fixture.window->findChild<FilterBar*>();
    for (int number = 0; number < 14; ++number)
        fixture.window->selection().addFilter(regionFilter(FilterEffect::Hide,
                                                           "a name of the " + std::to_string(number)
                                                               + "th region"
                                                               + std::string(number == 3 ? 90 : 1, 'x'),
                                                           {{0, RegionId(5)}}),
                                              nullptr);
    QTest::qWait(50);
    fixture.settle();
    CHECK(fixture.window->minimumSizeHint().width() <= narrowest);
    CHECK(fixture.window->width() == 1600);
    const auto chips = bar->findChildren<QToolButton*>("filterChip");
    REQUIRE(chips.size() == 14);
    for (const QToolButton* chip : chips) {
        CHECK(bar->rect().contains(chip->geometry()));
        CHECK(chip->text().endsWith("✕"));
        for (const QToolButton* other : chips)
            CHECK((chip == other || !chip->geometry().intersects(other->geometry())));
    }
    CHECK(chips.front()->y() < chips.back()->y());
}

}  // namespace skein::filter_bar_test
