// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/natural_order.h"

#include <cstddef>

namespace skein {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The run of digits at `at` without leading zeros.
std::string_view digitsAt(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && isDigit(text[end])) ++end;
    std::string_view digits = text.substr(at, end - at);
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return digits;
}

}  // namespace

bool NaturalOrder::operator()(std::string_view a, std::string_view b) const
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const auto x = digitsAt(a, i);
            const auto y = digitsAt(b, j);
            if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
            while (i < a.size() && isDigit(a[i])) ++i;
            while (j < b.size() && isDigit(b[j])) ++j;
        } else if (a[i] != b[j]) {
            return a[i] < b[j];
        } else {
            ++i, ++j;
        }
    }
    return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

}  // namespace skein
