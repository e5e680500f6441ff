// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_list.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <optional>

namespace skein {
namespace {

constexpr std::size_t kMaximumNumbers = std::size_t{1} << 24;

/// Takes the part before the separator off the text.
std::string_view takeNumbersUntil(std::string_view& text, char separator)
{
    const auto end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return part;
}

bool appendNumberRange(std::string_view part, std::vector<std::uint32_t>& numbers)
{
    std::string_view rest = part;
    const auto first = parseNumber<std::uint32_t>(takeNumbersUntil(rest, '-'));
    const auto last = part.find('-') == std::string_view::npos ? first : parseNumber<std::uint32_t>(rest);
    if (!first || !last || *last < *first || numbers.size() + (*last - *first) >= kMaximumNumbers)
        return false;
    for (std::uint64_t number = *first; number <= *last; ++number)
        numbers.push_back(static_cast<std::uint32_t>(number));
    return true;
}

}  // namespace

Result<std::vector<std::uint32_t>> parseNumbers(std::string_view text)
{
    std::vector<std::uint32_t> numbers;
    const std::string_view whole = text;
    while (!text.empty()) {
        if (!appendNumberRange(takeNumbersUntil(text, ','), numbers)) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("\"{}\" is no list of numbers; write for example 0,5,10-19.", whole));
        }
    }
    return numbers;
}

Result<std::vector<std::vector<std::uint32_t>>> parseNumberGroups(std::string_view text)
{
    std::vector<std::vector<std::uint32_t>> groups;
    while (!text.empty()) {
        auto group = parseNumbers(takeNumbersUntil(text, ';'));
        if (!group) return Unexpected(group.error());
        if (!group->empty()) groups.push_back(std::move(*group));
    }
    return groups;
}

}  // namespace skein
