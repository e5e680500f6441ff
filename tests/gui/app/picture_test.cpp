// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"

#include <QDockWidget>
#include <QFile>
#include <QImage>

namespace skein::picture_test {

using namespace skein::gui;

TEST_CASE("every view is saved as a picture and as vectors")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const test::TemporaryFolder folder;
    for (const DockHost::Panel& panel : fixture.window->docks().panels()) {
        INFO(panel.description->id);
        panel.dock->raise();
        QTest::qWait(20);
        const QString file = QString::fromStdString((folder.path() / panel.description->id).string());
        REQUIRE(saveViewPicture(*panel.view, file + ".png", 800, 500));
        CHECK_FALSE(QImage(file + ".png").isNull());
        REQUIRE(saveViewPicture(*panel.view, file + ".svg", 800, 500));
        QFile svg(file + ".svg");
        REQUIRE(svg.open(QIODevice::ReadOnly));
        CHECK(svg.readAll().contains("<svg"));
    }
    CHECK(savePicture(*fixture.window, QString::fromStdString((folder.path() / "window.png").string())));
    CHECK_FALSE(savePicture(*fixture.window, "window.gif"));
    CHECK_FALSE(savePicture(*fixture.window, "/nowhere/window.png"));
}

TEST_CASE("archives of one name are told apart in every view, the same one opened twice too")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2"), test::example("eztrace-lulesh-8/trace-otf2"),
                  test::example("lulesh-8/trace-otf2")});
    std::vector<std::string> names;
    for (const ExperimentPtr& experiment : fixture.window->loader().session()->experiments)
        names.push_back(experiment->name);
    CHECK(names
          == std::vector<std::string>{"lulesh-8/trace-otf2", "eztrace-lulesh-8/trace-otf2",
                                      "lulesh-8/trace-otf2 (2)"});
}

}  // namespace skein::picture_test
