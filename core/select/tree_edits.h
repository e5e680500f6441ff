// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/references.h"

#include <string>
#include <vector>

namespace skein {

/// What the user wrote on a call path.
struct CallPathNote {
    CallPathRef callPath;
    std::string text;

    bool operator==(const CallPathNote&) const = default;
};

/// What the user has taken out of the calling context tree, and written on it. Lists are sorted and without
/// duplicates.
struct TreeEdits {
    std::vector<CallPathRef> collapsed;  ///< each is shown in place of all below it
    std::vector<CallPathRef> removed;    ///< not shown; what they call is shown in their place
    std::vector<CallPathNote> notes;     ///< by call path
    std::string query;  ///< Hatchet's string dialect: only what it finds is shown; empty: all

    bool operator==(const TreeEdits&) const = default;
};

}  // namespace skein
