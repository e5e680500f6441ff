// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the window is painted again: over a remote display each pixel of it is sent.
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"

#include <QPaintEvent>

#include <algorithm>

namespace skein::repainted_test {
namespace {

/// What is painted of a window between one look at its widgets and the next counts once, however many widgets
/// lie there. Pictures that widgets draw of themselves to be compared are not on the screen.
class Repainted : public QObject {
public:
    explicit Repainted(const QWidget& window) : window_(window) { qApp->installEventFilter(this); }

    std::int64_t pixels()
    {
        take();
        return pixels_;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::UpdateRequest && watched == &window_) take();
        const auto* widget = qobject_cast<const QWidget*>(watched);
        if (event->type() != QEvent::Paint || !widget || widget->window() != &window_
            || !widget->updatesEnabled())
            return false;
        painted_ |= static_cast<QPaintEvent*>(event)->region().translated(widget->mapTo(&window_, QPoint()));
        return false;
    }

private:
    void take()
    {
        for (const QRect& rect : std::exchange(painted_, {}))
            pixels_ += std::int64_t{rect.width()} * rect.height();
    }

    const QWidget& window_;
    QRegion painted_;
    std::int64_t pixels_ = 0;
};

/// The least of some single steps along the time and back, with all that follows: other work on the machine
/// may delay a picture, so that what waits for it is emptied first.
std::int64_t pixelsOfStep(test::WindowFixture& fixture, TimeSpan visible)
{
    fixture.window->selection().setVisible(visible, nullptr);
    auto* timeline = fixture.child<QWidget>("timeline");
    REQUIRE(timeline);
    timeline->setFocus();
    fixture.settle();
    std::int64_t least = std::int64_t{1} << 40;
    for (const int key : {Qt::Key_D, Qt::Key_A, Qt::Key_D, Qt::Key_A}) {
        const auto before = fixture.window->selection().state().visible;
        Repainted repainted(*fixture.window);
        QTest::keyClick(timeline, static_cast<Qt::Key>(key));
        // What sums up follows once the window has rested.
        QTest::qWait(250);
        fixture.settle();
        CHECK(fixture.window->selection().state().visible != before);
        CHECK(repainted.pixels() > 5'000);
        least = std::min(least, repainted.pixels());
    }
    return least;
}

/// What instruments every access to memory draws no exact picture quickly: a draft of the strip is sent
/// before.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::int64_t kMostBytes = 3 << 19;
#else
constexpr std::int64_t kMostBytes = 1 << 20;
#endif

}  // namespace

TEST_CASE("a step along the time repaints no more than a MiB of the window, all panels that follow together")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(4 * pixelsOfStep(fixture, {726'000'000, 991'000'000}) <= kMostBytes);
}

TEST_CASE("a step along a dense trace repaints no more than a MiB of the window")
{
    const test::TemporaryFolder folder;
    const auto target = folder.path() / "halo";
    REQUIRE(generator::writeArchive(target, {.ranks = 64, .steps = 100}));
    test::WindowFixture fixture;
    fixture.open({QString::fromStdString(target.string())});
    CHECK(4 * pixelsOfStep(fixture, {12'000'000, 24'000'000}) <= kMostBytes);
}

}  // namespace skein::repainted_test
