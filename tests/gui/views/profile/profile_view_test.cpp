// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/profile_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/profile/profile_canvas.h"

#include <QAction>
#include <QComboBox>

namespace skein::profile_view_test {

namespace {

struct Opened : test::WindowFixture {
    ProfileView* view = nullptr;
    const ProfileCanvas* canvas = nullptr;

    explicit Opened(const char* archive)
    {
        window->resize(1600, 1000);
        view = window->findChild<ProfileView*>("profile");
        canvas = &view->canvas();
        open({test::example(archive)});
        window->docks().focusView("profile");
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(80);
        settle();
    }
    void choose(const char* box, const QString& item)
    {
        auto* choice = child<QComboBox>(box);
        const int row = choice->findText(item);
        REQUIRE(row >= 0);
        choice->setCurrentIndex(row);
        Q_EMIT choice->activated(row);
        settleAll();
    }
    QPoint middleOf(std::uint32_t bar) const
    {
        const ProfileLayout layout = canvas->sceneLayout();
        return {static_cast<int>(layout.body.x + 5),
                static_cast<int>(layout.body.y + (bar + 0.5) * layout.rowHeight)};
    }
};

}  // namespace

TEST_CASE("a click on a segment selects its region and location everywhere")
{
    Opened opened("lulesh-8/trace-otf2");
    REQUIRE(opened.canvas->picture());
    QTest::mouseClick(const_cast<ProfileCanvas*>(opened.canvas), Qt::LeftButton, {}, opened.middleOf(3));
    const Selection& selected = opened.window->selection().state().selected;
    REQUIRE(selected.locations.size() == 1);
    CHECK(selected.locations[0].id == LocationId(3));
    REQUIRE_FALSE(selected.regions.empty());
    const auto& definitions = opened.window->loader().session()->experiments[0]->definitions;
    CHECK(definitions.region(selected.regions[0].id).name.starts_with("MPI_Init"));
}

TEST_CASE("the profile offers the metrics and quantities that an archive has")
{
    Opened opened("lulesh-8/profile-multi");
    opened.choose("profile.metric", "CPU_TIME");
    CHECK(opened.canvas->picture()->bars.title == "CPU_TIME, exclusive");
    opened.choose("profile.quantity", "Inclusive");
    CHECK(opened.canvas->picture()->bars.title == "CPU_TIME, inclusive");
    opened.choose("profile.metric", "Calls");
    opened.choose("profile.quantity", "Subroutines");
    CHECK(opened.canvas->picture()->bars.title == "Subroutines");
    CHECK(opened.canvas->picture()->bars.total > 0);
    opened.choose("profile.grouping", "By component");
    CHECK(opened.canvas->picture()->bars.bars.size() == 1);
}

TEST_CASE("a user event has bars of its own, and the treemap can be chosen by its action")
{
    Opened opened("lulesh-8/profile-flat");
    opened.choose("profile.metric", "Message size for all-reduce");
    CHECK(opened.canvas->picture()->bars.title == "Message size for all-reduce, sum");
    opened.choose("profile.quantity", "Mean");
    CHECK_FALSE(opened.canvas->picture()->bars.addsUp);
    opened.choose("profile.metric", "Time");
    opened.child<QAction>("profile.treemap")->trigger();
    CHECK(opened.canvas->options().shape == ProfileShape::Treemap);
}

}  // namespace skein::profile_view_test
