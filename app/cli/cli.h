// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace skein::cli {

/// Runs skein-cli with the arguments of main; returns its exit code:
/// 0 fine, 1 failed, 2 wrong usage, 3 opened with data loss.
int run(int argc, char** argv);

}  // namespace skein::cli
