// SPDX-License-Identifier: GPL-3.0-or-later
// What is on the screen beside what the widgets would paint: parts that are not painted again keep old
// numbers.
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/picture_difference.h"
#include "views/common/selection_model.h"

#include <QScreen>

namespace skein::painted_test {
namespace {

/// Where the screen of the offscreen platform shows something else than the window would paint now.
QRegion staleParts(gui::MainWindow& window)
{
    const QImage shown = window.screen()->grabWindow(window.winId()).toImage();
    const QImage now = window.grab().toImage();
    return differingTiles(shown.convertToFormat(QImage::Format_RGB32),
                          now.convertToFormat(QImage::Format_RGB32), 1);
}

void checkPainted(test::WindowFixture& fixture, const char* deed)
{
    fixture.settle();
    QRegion stale;
    const bool painted = test::waitFor(
        [&] {
            stale = staleParts(*fixture.window);
            return stale.isEmpty();
        },
        30000);
    INFO(deed);
    const QRect rect = stale.boundingRect();
    INFO("in " << rect.x() << ", " << rect.y() << ", " << rect.width() << " x " << rect.height());
    CHECK(painted);
}

}  // namespace

TEST_CASE("the screen shows what the window would paint, whatever was done before")
{
    test::WindowFixture fixture;
    checkPainted(fixture, "nothing is open");
    fixture.open({test::example("lulesh-8/trace-otf2")});
    checkPainted(fixture, "opened");
    SelectionModel& selection = fixture.window->selection();
    const Session& session = *fixture.window->loader().session();
    selection.setSelected(select(session, std::vector<LocationRef>{{0, LocationId(3)}}), nullptr);
    checkPainted(fixture, "a location is selected");
    selection.setVisible(TimeSpan{560'000'000, 600'000'000}, nullptr);
    checkPainted(fixture, "zoomed in");
    selection.setBrushed(TimeSpan{570'000'000, 580'000'000}, nullptr);
    checkPainted(fixture, "a span is brushed");
    selection.setVisible(std::nullopt, nullptr);
    selection.setBrushed(std::nullopt, nullptr);
    selection.setSelected({}, nullptr);
    checkPainted(fixture, "everything is taken back");
    for (const char* layout : {"layout.balance", "layout.waits", "layout.communication", "layout.where"}) {
        fixture.trigger(layout);
        checkPainted(fixture, layout);
        selection.setSelected(select(session, std::vector<LocationRef>{{0, LocationId(5)}}), nullptr);
        checkPainted(fixture, layout);
        selection.setSelected({}, nullptr);
    }
}

}  // namespace skein::painted_test
