// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

namespace skein {

void appendCsv(std::string& out, std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char byte : text) out.append(byte == '"' ? 2 : 1, byte);
    out += '"';
}

}  // namespace skein
