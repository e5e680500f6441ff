// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/checks/source_tree.h"

#include <span>
#include <string>
#include <vector>

namespace skein::checks {

/// A header that names something of the standard library (or of fmt and tl::expected) that neither it nor a
/// header of the project that it includes, directly or through others, asks for.
struct MissingInclude {
    std::string path;    ///< of the header
    std::string name;    ///< "std::vector"
    std::string header;  ///< "vector"

    bool operator==(const MissingInclude&) const = default;
};

/// Looks through all headers among `files`, for names whose headers are precompiled in batched builds
/// (SKEIN_STANDARD_HEADERS) or come with other headers of a batch: the compiler does not see there that an
/// include was forgotten. What the standard
/// headers include of each other counts only where the standard says so, and for std::pair and what moves
/// values. Ordered by path and name.
std::vector<MissingInclude> missingStandardIncludes(std::span<const SourceFile> files);

}  // namespace skein::checks
