// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/checks/source_tree.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::checks {

/// What a header says, as far as it matters to headers that are compiled behind it.
struct HeaderNames {
    std::vector<std::string> used;      ///< identifiers, but for members that are asked of a value
    std::vector<std::string> defined;   ///< at namespace scope: types, aliases, functions, constants
    std::vector<std::string> declared;  ///< types that are defined elsewhere
};
/// Each in order, without repetitions. Macros are not looked into.
HeaderNames namesOfHeader(std::string_view text);

/// Headers that may be compiled one behind the other as if each were alone, as includes of one source; each
/// of `files` that is `wanted` stands in one of the batches, which are few. To compile a header takes the
/// standard library and Qt some seconds each time, and a header itself some milliseconds.
///
/// A header stands behind others where all that these bring along, and it does not include itself, defines
/// nothing that it names or that its own includes only declare, and declares nothing that it names without a
/// declaration of its own. What it forgot to include can then not be there by chance. That is told by the
/// text of the project's headers, and of Qt's by their names, which are those of their classes; for the
/// standard library see missingStandardIncludes().
std::vector<std::vector<std::string>> headerBatches(std::span<const SourceFile> files,
                                                    const std::function<bool(std::string_view)>& wanted);

}  // namespace skein::checks
