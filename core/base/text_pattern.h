// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace skein {

/// Whether all of a name fits a pattern in which * is any text and ? any byte. O(name · pattern).
bool fitsPattern(std::string_view name, std::string_view pattern);

/// The same where the case of ASCII letters does not matter.
bool fitsPatternInAnyCase(std::string_view name, std::string_view pattern);

/// Whether texts are the same but for the case of ASCII letters.
bool sameInAnyCase(std::string_view a, std::string_view b);

}  // namespace skein
