// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace skein::gui {

/// Runs `skein` with the arguments of main; returns its exit code: 0 fine, 1 failed, 2 wrong usage.
int run(int argc, char** argv);

}  // namespace skein::gui
