// SPDX-License-Identifier: GPL-3.0-or-later
// Every warning of Qt ends the test: each test case runs in a process of its own.
#include <QString>
#include <QtGlobal>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

void failOnWarning(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    // The platform without a display has no window manager to give hints to, to raise a menu or grab keys for
    // it.
    if (message.contains("propagateSizeHints") || message.startsWith("This plugin does not support")) return;
    std::fprintf(stderr, "Qt: %s\n", qPrintable(message));
    if (type == QtWarningMsg || type == QtCriticalMsg || type == QtFatalMsg) std::abort();
}

[[maybe_unused]] const bool installed = [] {
    // Without such a folder Qt warns of the environment, which is not what is tested.
    const std::string runtime = "/tmp/skein-test-runtime-" + std::to_string(getuid());
    mkdir(runtime.c_str(), 0700);
    setenv("XDG_RUNTIME_DIR", runtime.c_str(), 0);
    qInstallMessageHandler(failOnWarning);
    return true;
}();

}  // namespace
