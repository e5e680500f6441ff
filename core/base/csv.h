// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace skein {

/// Appends the text as one CSV field, quoted where it must be (RFC 4180).
void appendCsv(std::string& out, std::string_view text);

}  // namespace skein
