// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/attribute_condition.h"

#include "core/base/parse_number.h"
#include "core/base/text_pattern.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace skein {
namespace {

using Relation = AttributeCondition::Relation;

struct RelationSign {
    std::string_view sign;
    Relation relation;
};

/// Longer ones first where one begins another.
constexpr std::array kRelationSigns{
    RelationSign{"!=", Relation::IsNot},   RelationSign{"<=", Relation::AtMost},
    RelationSign{">=", Relation::AtLeast}, RelationSign{"=", Relation::Is},
    RelationSign{"<", Relation::Below},    RelationSign{">", Relation::Above}};

std::string_view trimmedPart(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view signOf(Relation relation)
{
    for (const RelationSign& known : kRelationSigns)
        if (known.relation == relation) return known.sign;
    return "=";
}

bool isCompared(Relation relation) { return relation != Relation::Is && relation != Relation::IsNot; }

Unexpected noCondition(std::string_view text)
{
    return fail(ErrorCode::InvalidArgument,
                fmt::format("\"{}\" is no condition. Conditions are like kind=io|compute, rack!=r1*, rank<8 "
                            "(=, !=, <, <=, >, >=).",
                            text));
}

/// Where the sign stands that comes first.
std::pair<std::size_t, RelationSign> firstSign(std::string_view text)
{
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const RelationSign& known : kRelationSigns)
            if (text.substr(at).starts_with(known.sign)) return {at, known};
    return {std::string_view::npos, kRelationSigns.front()};
}

bool compares(Relation relation, double value, double with)
{
    switch (relation) {
    case Relation::Below: return value < with;
    case Relation::AtMost: return value <= with;
    case Relation::Above: return value > with;
    case Relation::AtLeast: return value >= with;
    case Relation::Is:
    case Relation::IsNot: break;
    }
    return false;
}

}  // namespace

bool AttributeCondition::holds(const std::optional<std::string_view>& value) const
{
    if (!value) return relation == Relation::IsNot;
    if (isCompared(relation)) {
        const auto told = parseNumber<double>(*value);
        return told && compares(relation, *told, number);
    }
    const bool fits = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return fitsPatternInAnyCase(*value, pattern);
    });
    return fits == (relation == Relation::Is);
}

bool AttributeCondition::holdsOf(std::uint64_t value) const
{
    if (isCompared(relation)) return compares(relation, static_cast<double>(value), number);
    const bool fits = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return pattern.find_first_of("*?") == std::string::npos
            ? parseNumber<std::uint64_t>(pattern) == value
            : fitsPatternInAnyCase(fmt::format("{}", value), pattern);
    });
    return fits == (relation == Relation::Is);
}

Result<AttributeCondition> parseAttributeCondition(std::string_view text)
{
    const auto [at, sign] = firstSign(text);
    if (at == std::string_view::npos) return noCondition(text);
    AttributeCondition condition;
    condition.name = trimmedPart(text.substr(0, at));
    condition.relation = sign.relation;
    std::string_view wanted = trimmedPart(text.substr(at + sign.sign.size()));
    if (condition.name.empty()) return noCondition(text);
    if (isCompared(sign.relation)) {
        const auto number = parseNumber<double>(wanted);
        if (!number || !std::isfinite(*number)) return noCondition(text);
        condition.number = *number;
        return condition;
    }
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = wanted.find('|');
        condition.patterns.emplace_back(trimmedPart(wanted.substr(0, end)));
        wanted.remove_prefix(end == std::string_view::npos ? wanted.size() : end + 1);
    }
    return condition;
}

Result<AttributeConditions> parseAttributeConditions(std::string_view text)
{
    AttributeConditions conditions;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        const std::string_view one = trimmedPart(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.empty()) continue;
        auto condition = parseAttributeCondition(one);
        if (!condition) return Unexpected(condition.error());
        conditions.push_back(std::move(*condition));
    }
    return conditions;
}

std::string textOf(const AttributeConditions& conditions)
{
    std::string text;
    for (const AttributeCondition& condition : conditions) {
        text += fmt::format("{}{}{}", text.empty() ? "" : "; ", condition.name, signOf(condition.relation));
        text += isCompared(condition.relation) ? fmt::format("{}", condition.number)
                                               : fmt::format("{}", fmt::join(condition.patterns, "|"));
    }
    return text;
}

}  // namespace skein
