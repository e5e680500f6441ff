// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/window/main_window.h"

#include <QElapsedTimer>

#include <functional>
#include <memory>
#include <string>

namespace skein::bench {

/// Lets the event loop turn until it is so.
void turnUntil(const std::function<bool()>& done);

/// Lets it turn until the window has had nothing to do for 400 ms.
void settle(const gui::MainWindow& window);

double milliseconds(const QElapsedTimer& clock);

/// A window that reads and writes no settings, shown, with its index in that folder. Needs a QApplication.
std::unique_ptr<gui::MainWindow> shownWindow(const std::string& indexFolder);

/// Opens the archive and waits for the first full picture of the timeline. False: it could not be opened.
bool openUntilDrawn(gui::MainWindow& window, const std::string& path);

}  // namespace skein::bench
