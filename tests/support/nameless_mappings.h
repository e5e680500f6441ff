// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <string>

namespace skein::test {

/// Mappings of files without a name in this process.
inline int namelessMappings()
{
    std::ifstream maps("/proc/self/maps");
    int found = 0;
    for (std::string line; std::getline(maps, line);)
        found += line.ends_with("(deleted)") && line.find("rw-s") != std::string::npos;
    return found;
}

}  // namespace skein::test
