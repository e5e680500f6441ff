// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/application.h"

#include "app/gui/arguments.h"
#include "app/gui/main_window.h"

#include <QApplication>

#include <cstdlib>

namespace skein::gui {
namespace {

bool hasDisplay()
{
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(variable); value && *value) return true;
    return false;
}

QStringList toPaths(const std::vector<std::string>& paths)
{
    QStringList result;
    for (const std::string& path : paths) result.push_back(QString::fromStdString(path));
    return result;
}

int runWindow(const Arguments& arguments)
{
    MainWindow window;
    if (!arguments.theme.empty()) window.setAppearance(appearanceFromName(QString::fromStdString(arguments.theme)));
    window.show();
    window.loader().open(toPaths(arguments.paths));
    return QApplication::exec();
}

}  // namespace

int run(int argc, char** argv)
{
    const ParsedArguments parsed = parseArguments(argc, argv);
    if (parsed.exitCode) return *parsed.exitCode;
    if (!hasDisplay() && !parsed.arguments.headless()) {
        std::fputs("skein: there is no display. Draw views with --render or --tour, or use skein-cli.\n", stderr);
        return 1;
    }
    // Pictures look the same with and without a display.
    if (parsed.arguments.headless()) setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    QApplication::setOrganizationName("skein");
    QApplication::setApplicationName("skein");
    QApplication::setApplicationVersion(SKEIN_VERSION);
    QApplication::setDesktopFileName("skein");
    return runWindow(parsed.arguments);
}

}  // namespace skein::gui
