// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace skein::test {

/// Runs every line `$ skein-cli …` of a text inside this process and puts what it prints now in place of the
/// lines that follow it, up to the next such line or the end of the block (```). Paths are relative to the
/// project's folder. `| head -n N` is understood; an exit code that is not 0 is added as a last line.
std::string rerunConsole(const std::string& text);

/// Compares a file of the project with its rerun. With SKEIN_ACCEPT_GOLDEN=1 in the environment the file is
/// rewritten instead.
void checkConsole(const std::string& relativePath);

}  // namespace skein::test
