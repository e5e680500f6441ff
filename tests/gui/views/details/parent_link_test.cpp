// SPDX-License-Identifier: GPL-3.0-or-later
// From a task to the one that made it.
#include "app/gui/window/dock_host.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/task_archive.h"

#include <QTextBrowser>

namespace skein::parent_link_test {
namespace {

QTextBrowser* details(const test::WindowFixture& fixture)
{
    return fixture.window->docks().find("details")->view->findChild<QTextBrowser*>();
}

void selectCall(test::WindowFixture& fixture, std::uint32_t location, std::uint32_t call)
{
    fixture.window->selection().setSelected(
        select(*fixture.window->loader().session(), IntervalRef{0, LocationId(location), call}), nullptr);
    fixture.settle();
}

}  // namespace

TEST_CASE("details of a task have its attributes and lead to its parent, which comes into view")
{
    const test::TemporaryFolder folder;
    const auto anchor = test::writeTaskArchive(folder.path() / "archive");
    test::WindowFixture fixture;
    fixture.open({QString::fromStdString(anchor.string())});
    selectCall(fixture, 1, 1);
    CHECK(details(fixture)->toPlainText().contains("Parent GUID"));
    CHECK(details(fixture)->toPlainText().contains("work on Rank 1 Go to the parent"));
    fixture.window->selection().setVisible(TimeSpan{550, 750}, nullptr);
    fixture.settle();
    const auto follow = [&] {
        Q_EMIT details(fixture)->anchorClicked(QUrl("parent:0"));
        fixture.settle();
        return fixture.window->selection().state();
    };
    const ViewState atParent = follow();
    CHECK(atParent.selected.intervals == std::vector<IntervalRef>{{0, LocationId(1), 0}});
    REQUIRE(atParent.visible);
    CHECK(atParent.visible->lengthNs() == 200);
    CHECK(atParent.visible->contains(100));
    CHECK(details(fixture)->toPlainText().contains("bytes inside"));
    CHECK(follow().selected.intervals == std::vector<IntervalRef>{{0, LocationId(0), 0}});
    CHECK_FALSE(details(fixture)->toPlainText().contains("Go to the parent"));
    // A link of what is no longer selected leads nowhere.
    CHECK(follow().selected.intervals == std::vector<IntervalRef>{{0, LocationId(0), 0}});
}

}  // namespace skein::parent_link_test
