// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"
#include "app/gui/export/table_csv.h"
#include "app/gui/session/session_file.h"
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"

#include <QTreeView>

#include <filesystem>
#include <functional>
#include <sys/stat.h>

namespace skein::picture_files_test {
namespace {

namespace fs = std::filesystem;

using Writer = std::function<Result<void>(const QString& file)>;

/// Writes through a link, and has pipes and devices refused; nothing else may stay in the folder.
void checkWriter(const Writer& write, const std::string& ending)
{
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "target", link = folder.path() / ("link" + ending),
                   pipe = folder.path() / ("pipe" + ending), device = folder.path() / ("device" + ending);
    fs::create_symlink(target, link);
    fs::create_symlink("/dev/null", device);
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    REQUIRE(write(QString::fromStdString(link.string())));
    CHECK(fs::symlink_status(link).type() == fs::file_type::symlink);
    CHECK(fs::file_size(target) > 0);
    for (const fs::path& refused : {pipe, device}) {
        INFO(refused.string());
        const auto written = write(QString::fromStdString(refused.string()));
        REQUIRE_FALSE(written);
        CHECK(written.error().code == ErrorCode::Unsupported);
    }
    CHECK(fs::symlink_status(pipe).type() == fs::file_type::fifo);
    CHECK(fs::symlink_status(device).type() == fs::file_type::symlink);
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 4);
}

}  // namespace

TEST_CASE("what the window writes follows links and replaces neither devices nor pipes")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    View& timeline = *fixture.window->docks().find("timeline")->view;
    const QTreeView* const table = gui::tableOf(*fixture.window->docks().find("function_summary")->view);
    REQUIRE(table);
    gui::SessionFile session;
    session.sources = {{"/somewhere/traces.otf2", {}}};
    for (const std::string ending : {".png", ".svg", ".pdf"}) {
        INFO(ending);
        checkWriter([&](const QString& file) { return gui::savePicture(*fixture.window, file); }, ending);
        checkWriter(
            [&](const QString& file) {
                return gui::saveViewPicture(timeline, file, {400, 300}, {});
            },
            ending);
    }
    checkWriter([&](const QString& file) { return gui::saveTable(*table, file); }, ".csv");
    checkWriter([&](const QString& file) { return gui::writeSessionFile(file, session); }, ".session.json");
}

}  // namespace skein::picture_files_test
