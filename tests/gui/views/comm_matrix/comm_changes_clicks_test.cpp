// SPDX-License-Identifier: GPL-3.0-or-later
// What clicks select in the panel of changes of communication, beside cells and titles.
#include "tests/gui/support/window_fixture.h"
#include "views/comm_matrix/comm_changes_view.h"

#include <QDockWidget>

#include <algorithm>

namespace skein::comm_changes_clicks_test {

namespace {

struct Opened : test::WindowFixture {
    CommChangesCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        auto* panel = window->docks().find("comm_changes");
        panel->dock->show();
        panel->dock->raise();
        canvas = panel->view->findChild<CommChangesCanvas*>();
        REQUIRE(canvas);
        // Large enough for colours at the margins.
        window->docks().focusView("comm_changes");
        QTest::keyClick(window.get(), Qt::Key_F11, Qt::ShiftModifier);
        REQUIRE(test::waitFor([&] { return canvas->changes() != nullptr; }, 30'000));
        settle();
    }
    const Selection& selected() const { return window->selection().state().selected; }
    void click(double x, double y, Qt::KeyboardModifiers modifiers = {})
    {
        const double scale = canvas->devicePixelRatioF();
        QTest::mouseClick(canvas, Qt::LeftButton, modifiers, QPointF(x / scale, y / scale).toPoint());
    }
};

}  // namespace

TEST_CASE("a colour at a margin of a matrix selects its cluster, with Ctrl one more")
{
    Opened opened;
    const CommChanges& changes = *opened.canvas->changes();
    const CommChangesLayout layout = opened.canvas->sceneLayout();
    REQUIRE(layout.margin > 0);
    const CommBox& box = layout.boxes.front();
    const auto items = static_cast<double>(changes.clusters.size());
    const auto middle = [&](std::size_t item) { return (static_cast<double>(item) + 0.5) / items; };
    for (std::size_t item = 0; item < changes.clusters.size(); ++item) {
        INFO(item);
        const std::uint32_t cluster = changes.clusters[item].value();
        const auto members = changes.behavior->locationsOfCluster(cluster);
        opened.click(box.body.x + middle(item) * box.body.width, box.body.y - layout.margin / 2);
        CHECK(opened.selected().clusters == std::vector<ClusterRef>{{0, cluster}});
        CHECK(opened.selected().locations == members);
        opened.click(box.body.x - layout.margin / 2, box.body.y + middle(item) * box.body.height);
        CHECK(opened.selected().clusters == std::vector<ClusterRef>{{0, cluster}});
        CHECK(opened.selected().rankPairs.empty());
    }
    const auto other = std::find_if(changes.clusters.begin(), changes.clusters.end(),
                                    [&](const auto& one) { return one != changes.clusters.front(); });
    REQUIRE(other != changes.clusters.end());
    const auto place = [&](std::size_t item) { return box.body.y + middle(item) * box.body.height; };
    opened.click(box.body.x - layout.margin / 2, place(0));
    opened.click(box.body.x - layout.margin / 2,
                 place(static_cast<std::size_t>(other - changes.clusters.begin())), Qt::ControlModifier);
    CHECK(opened.selected().clusters.size() == 2);
    // A cell beside the margin is its pairs of ranks still.
    opened.click(box.body.x + middle(0) * box.body.width, place(0));
    CHECK(opened.selected().clusters.empty());
    CHECK_FALSE(opened.selected().rankPairs.empty());
}

TEST_CASE("the number of a change on the strip selects the change, and moves no base")
{
    Opened opened;
    const CommChangesLayout layout = opened.canvas->sceneLayout();
    REQUIRE_FALSE(layout.numbers.empty());
    const std::size_t base = opened.canvas->changes()->base.row;
    const auto& [box, change] = layout.numbers.front();
    opened.click(box.x + 3, box.y + box.height / 2);
    CHECK(opened.selected().changePoints
          == std::vector<ChangePointRef>{changeRef(*opened.canvas->changes()->behavior, change)});
    opened.settle();
    CHECK(opened.canvas->changes()->base.row == base);
}

}  // namespace skein::comm_changes_clicks_test
