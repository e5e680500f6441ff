// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flame/flame_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/flame/flame_canvas.h"

#include <QComboBox>
#include <QLineEdit>

namespace skein::flame_view_test {

namespace {

struct Opened : test::WindowFixture {
    FlameCanvas* canvas = nullptr;

    explicit Opened(const char* archive)
    {
        window->resize(1800, 1100);
        open({test::example(archive)});
        window->docks().focusView("flame");
        settleAll();
        canvas = child<FlameCanvas>("flame.canvas");
        REQUIRE(canvas->flame());
    }
    void settleAll()
    {
        settle();
        QTest::qWait(120);
        settle();
    }
    void choose(const char* box, int row)
    {
        auto* choice = child<QComboBox>(box);
        choice->setCurrentIndex(row);
        Q_EMIT choice->activated(row);
        settleAll();
    }
    QPoint middleOf(std::uint32_t frame) const
    {
        const FlameLayout layout = canvas->sceneLayout();
        const FlameFrame& one = canvas->flame()->frames[frame];
        const double part = (one.begin + one.width / 2 - layout.from) / (layout.to - layout.from);
        const double ratio = canvas->devicePixelRatioF();
        const double y = layout.top(one.depth, canvas->options().root, canvas->options().scroll);
        return QPointF((layout.body.x + part * layout.body.width) / ratio, (y + layout.rowHeight / 2) / ratio)
            .toPoint();
    }
};

}  // namespace

TEST_CASE("a double-click zooms into a frame, Backspace out of it, and a click selects")
{
    Opened opened("lulesh-8/profile-callpath");
    const auto& frames = opened.canvas->flame()->frames;
    REQUIRE(frames.size() > 10);
    std::uint32_t widest = kNoFrame;
    for (std::uint32_t frame = 0; frame < frames.size(); ++frame)
        if (frames[frame].depth == 2 && (widest == kNoFrame || frames[frame].width > frames[widest].width))
            widest = frame;
    QTest::mouseClick(opened.canvas, Qt::LeftButton, {}, opened.middleOf(widest));
    CHECK_FALSE(opened.window->selection().state().selected.callPaths.empty());
    QTest::mouseDClick(opened.canvas, Qt::LeftButton, {}, opened.middleOf(widest));
    CHECK(opened.canvas->options().focus == widest);
    QTest::keyClick(opened.canvas, Qt::Key_Backspace);
    CHECK(opened.canvas->options().focus == frames[widest].parent);
    QTest::keyClick(opened.canvas, Qt::Key_Home);
    CHECK(opened.canvas->options().focus == kNoFrame);
}

TEST_CASE("the other orders and a search are drawn")
{
    Opened opened("lulesh-8/trace-otf2");
    opened.choose("flame.order", 1);
    REQUIRE(opened.canvas->flame());
    CHECK(opened.canvas->flame()->order == FlameOrder::BottomUp);
    opened.child<QLineEdit>("flame.search")->setText("MPI");
    CHECK(searchShare(*opened.canvas->flame(), "MPI") > 0);
    opened.choose("flame.root", 1);
    CHECK(opened.canvas->options().root == FlameRoot::Bottom);
    opened.choose("flame.order", 2);
    CHECK_FALSE(opened.canvas->flame());
    test::TemporaryFolder folder;
    const auto saved = opened.canvas->savePicture(folder.path() / "f.png", 900, 500);
    REQUIRE(saved);
    CHECK(saved->has_value());
}

}  // namespace skein::flame_view_test
