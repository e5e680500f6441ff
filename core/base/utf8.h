// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace skein {

/// True when the text is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) without NUL.
bool isValidUtf8(std::string_view text);

/// The text with every byte that is not part of well-formed UTF-8, and every NUL, replaced by U+FFFD.
std::string toValidUtf8(std::string_view text);

/// Why a text that a parser refused is probably no JSON, to be said behind "is no valid JSON: ". O(length).
std::string_view whyNoJson(std::string_view text);

}  // namespace skein
