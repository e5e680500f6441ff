// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/filter_menu.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/common/table/table_delegate.h"
#include "views/common/theme.h"
#include "views/profile/profile_canvas.h"
#include "views/profile/profile_view.h"

#include <QMenu>
#include <QTreeView>

namespace skein::grouping_test {

using namespace skein::gui;

namespace {

/// The square before a region's name in a table.
QColor swatchIn(const test::WindowFixture& fixture, const char* view, const QString& region)
{
    const auto* model = fixture.window->docks().find(view)->view->findChild<QTreeView*>()->model();
    const auto found =
        model->match(model->index(0, 0), Qt::DisplayRole, region, 1, Qt::MatchExactly | Qt::MatchRecursive);
    REQUIRE_FALSE(found.isEmpty());
    return found[0].data(kSwatchRole).value<QColor>();
}

QStringList filterTexts(const test::WindowFixture& fixture, RegionRef region)
{
    QMenu menu;
    FilterSubject subject;
    subject.regions = {region};
    addFilterActions(menu, fixture.window->selection(), fixture.window->loader().session(), subject,
                     fixture.window.get());
    QStringList texts;
    for (const QAction* action : menu.actions()) texts.push_back(action->text());
    return texts;
}

}  // namespace

TEST_CASE("tables, profile and menus follow the groups that the legend has chosen")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-tau")});
    const SessionPtr session = fixture.window->loader().session();
    REQUIRE(session);
    const auto& regions = session->experiments[0]->definitions.regions;
    std::uint32_t domain = 0;
    while (!displayName(regions[domain]).starts_with("Domain::CreateRegionIndexSets")) ++domain;
    auto* profile = fixture.window->findChild<ProfileView*>("profile");
    for (const char* view : {"call_tree", "function_summary", "statistics", "profile"})
        fixture.window->docks().focusView(view);
    for (const RegionGrouping grouping : {RegionGrouping::Recorded, RegionGrouping::Role}) {
        fixture.window->selection().setGrouping(grouping, nullptr);
        for (const char* view : {"call_tree", "function_summary", "statistics", "profile"}) {
            fixture.window->docks().focusView(view);
            QTest::qWait(80);
            fixture.settle();
        }
        const RegionGroups groups(*session, grouping);
        const RegionPalette palette = regionPalette(groups, 0, themeFor(fixture.window->palette()));
        for (const char* view : {"call_tree", "function_summary", "statistics"}) {
            INFO(view);
            const auto shown = swatchIn(fixture, view, "MPI_Waitall()");
            std::uint32_t waitall = 0;
            while (displayName(regions[waitall]) != "MPI_Waitall()") ++waitall;
            CHECK(shown == toQColor(palette.color(RegionId(waitall))));
        }
        REQUIRE(profile->canvas().picture());
        CHECK(profile->canvas().picture()->grouping == grouping);
        CHECK(filterTexts(fixture, {0, RegionId(domain)})
                  .contains(grouping == RegionGrouping::Role ? "Hide all of Application"
                                                             : "Hide all of TAU_DEFAULT"));
    }
}

}  // namespace skein::grouping_test
