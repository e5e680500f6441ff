// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_pattern.h"

#include <algorithm>

namespace skein {
namespace {

char smallLetter(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Goes back to the last star only.
template <typename Same>
bool fitsWhole(std::string_view name, std::string_view pattern, Same same)
{
    std::size_t at = 0, in = 0, star = std::string_view::npos, mark = 0;
    while (at < name.size()) {
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            mark = at;
        } else if (in < pattern.size() && (pattern[in] == '?' || same(pattern[in], name[at]))) {
            ++in;
            ++at;
        } else if (star != std::string_view::npos) {
            in = star + 1;
            at = ++mark;
        } else {
            return false;
        }
    }
    while (in < pattern.size() && pattern[in] == '*') ++in;
    return in == pattern.size();
}

bool sameLetter(char a, char b) { return smallLetter(a) == smallLetter(b); }

}  // namespace

bool fitsPattern(std::string_view name, std::string_view pattern)
{
    return fitsWhole(name, pattern, [](char a, char b) { return a == b; });
}

bool fitsPatternInAnyCase(std::string_view name, std::string_view pattern)
{
    return fitsWhole(name, pattern, sameLetter);
}

bool sameInAnyCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameLetter);
}

}  // namespace skein
