// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace skein::test {

/// The application that widgets need, made at the first call (never while tests are discovered).
inline QApplication& guiApplication()
{
    static int count = 1;
    static char name[] = "skein_gui_tests";
    static char* arguments[] = {name, nullptr};
    // Not destroyed: Qt's own statics would go before it when the process ends.
    static auto* application = new QApplication(count, arguments);
    return *application;
}

}  // namespace skein::test
