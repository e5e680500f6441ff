// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/application.h"

#include "app/gui/arguments.h"
#include "app/gui/export/render.h"
#include "app/gui/remote/window_server.h"
#include "app/gui/settings/preferences.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/panel_arranger.h"
#include "app/gui/window/surface_keeper.h"
#include "core/base/memory_limit.h"

#include <QApplication>

#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace skein::gui {
namespace {

bool hasDisplay()
{
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(variable); value && *value) return true;
    return false;
}

/// Without a window manager there is nobody to give hints to, and nobody wants to hear of it.
void printMessage(QtMsgType, const QMessageLogContext&, const QString& message)
{
    if (!message.startsWith("This plugin does not support"))
        std::fprintf(stderr, "skein: %s\n", qPrintable(message));
}

/// Qt warns where this is not set; a folder of the user's own serves as well.
void setRuntimeFolder()
{
    if (const char* folder = std::getenv("XDG_RUNTIME_DIR"); folder && *folder) return;
    const std::string folder = "/tmp/runtime-" + std::to_string(getuid());
    mkdir(folder.c_str(), 0700);
    struct stat status {};
    const bool own = lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)
        && status.st_uid == getuid() && (status.st_mode & 0777) == 0700;
    if (own) setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
}

QStringList toPaths(const std::vector<std::string>& paths)
{
    QStringList result;
    for (const std::string& path : paths) result.push_back(QString::fromStdString(path));
    return result;
}

/// Every picture takes and frees the same megabytes: given back to the system they would have to be cleared
/// again each time, which takes longer than to fill them.
void keepFreedMemory()
{
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
}

int runWindow(const Arguments& arguments)
{
    SurfaceKeeper::install();
    MainWindow window;
    if (!arguments.theme.empty())
        window.preferences().setAppearance(appearanceFromName(QString::fromStdString(arguments.theme)));
    window.loader().setIndexSettings(arguments.index);
    if (const Workspace* layout = findWorkspace(QString::fromStdString(arguments.layout)))
        window.panels().insist(*layout);
    if (arguments.scripts)
        if (const auto heard = window.letScriptsIn(WindowServer::runtimeFolder()); !heard)
            std::fprintf(stderr, "skein: %s\n", heard.error().text().c_str());
    window.show();
    window.loader().open(toPaths(arguments.sources()));
    return QApplication::exec();
}

}  // namespace

int run(int argc, char** argv)
{
    QApplication::setOrganizationName("skein");
    QApplication::setApplicationName("skein");
    const Preferences preferences = loadPreferences();
    // The command line, and the variable that stands for it, win.
    if (preferences.memoryLimit > 0) setMemoryLimit(preferences.memoryLimit);
    const ParsedArguments parsed = parseArguments(argc, argv, preferences.index);
    if (parsed.exitCode) return *parsed.exitCode;
    if (!hasDisplay() && !parsed.arguments.headless()) {
        std::fputs("skein: there is no display. Draw views with --render or --tour, or use skein-cli.\n",
                   stderr);
        return 1;
    }
    // Pictures look the same with and without a display.
    if (parsed.arguments.headless()) setenv("QT_QPA_PLATFORM", "offscreen", 0);
    keepFreedMemory();
    setRuntimeFolder();
    qInstallMessageHandler(printMessage);
    QApplication application(argc, argv);
    QApplication::setApplicationVersion(SKEIN_VERSION);
    QApplication::setDesktopFileName("skein");
    if (!parsed.arguments.tour.empty()) return renderTour(parsed.arguments);
    if (!parsed.arguments.render.empty()) return renderView(parsed.arguments);
    return runWindow(parsed.arguments);
}

}  // namespace skein::gui
