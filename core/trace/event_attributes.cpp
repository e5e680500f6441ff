// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/event_attributes.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <string_view>

namespace skein {
namespace {

constexpr std::size_t kMostAttributes = std::size_t{1} << 16;

const Attribute* attributeOf(const Definitions& definitions, const EventAttribute& row)
{
    return row.attribute < definitions.attributes.size() ? &definitions.attributes[row.attribute] : nullptr;
}

/// Small letters and digits: "Parent GUID" and "parent_guid" are the same.
std::string keyOfAttributeName(std::string_view name)
{
    std::string key;
    for (const char letter : name) {
        if (letter >= 'A' && letter <= 'Z') key += static_cast<char>(letter - 'A' + 'a');
        else if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) key += letter;
    }
    return key;
}

template <typename Row>
std::string nameOfReference(const std::vector<Row>& rows, std::uint64_t index)
{
    return index < rows.size() ? rows[static_cast<std::size_t>(index)].name : "undefined";
}

}  // namespace

std::span<const EventAttribute> attributesOf(const LocationTrace& location, std::uint32_t interval)
{
    const auto rows = location.attributes.span();
    const auto first =
        std::lower_bound(rows.begin(), rows.end(), interval,
                         [](const EventAttribute& row, std::uint32_t at) { return row.interval < at; });
    const auto last =
        std::upper_bound(first, rows.end(), interval,
                         [](std::uint32_t at, const EventAttribute& row) { return at < row.interval; });
    return {first, last};
}

std::string nameOf(const Definitions& definitions, const EventAttribute& row)
{
    const Attribute* definition = attributeOf(definitions, row);
    if (definition && !definition->name.empty()) return definition->name;
    return fmt::format("attribute {}", row.attribute);
}

std::string valueText(const Definitions& definitions, const EventAttribute& row)
{
    const Attribute* definition = attributeOf(definitions, row);
    switch (definition ? definition->type : AttributeType::Other) {
    case AttributeType::Signed: return fmt::format("{}", static_cast<std::int64_t>(row.value));
    case AttributeType::Double: return fmt::format("{}", std::bit_cast<double>(row.value));
    case AttributeType::Text:
        return row.value < definitions.strings.size()
            ? definitions.strings[static_cast<std::size_t>(row.value)]
            : "undefined";
    case AttributeType::Region:
        return row.value < definitions.regions.size()
            ? displayName(definitions.regions[static_cast<std::size_t>(row.value)])
            : "undefined";
    case AttributeType::Location:
        return row.value < definitions.locations.size()
            ? displayName(definitions, LocationId(static_cast<std::size_t>(row.value)))
            : "undefined";
    case AttributeType::Communicator: return nameOfReference(definitions.communicators, row.value);
    case AttributeType::Unsigned:
    case AttributeType::Other: break;
    }
    return fmt::format("{}", row.value);
}

std::vector<ParentAttribute> parentAttributes(const Definitions& definitions)
{
    constexpr std::string_view kParent = "parent";
    const std::size_t count = std::min(definitions.attributes.size(), kMostAttributes);
    std::vector<std::string> keys;
    for (std::size_t at = 0; at < count; ++at)
        keys.push_back(keyOfAttributeName(definitions.attributes[at].name));
    std::vector<ParentAttribute> pairs;
    for (std::size_t parent = 0; parent < count; ++parent) {
        std::string rest = keys[parent];
        const auto word = rest.find(kParent);
        if (word == std::string::npos) continue;
        rest.erase(word, kParent.size());
        std::size_t best = count;
        for (std::size_t own = 0; own < count; ++own) {
            const bool fits = definitions.attributes[own].type == definitions.attributes[parent].type
                && !rest.empty() && keys[own].ends_with(rest) && keys[own].find(kParent) == std::string::npos;
            if (fits && (best == count || keys[own].size() < keys[best].size())) best = own;
        }
        if (best < count)
            pairs.push_back({static_cast<std::uint16_t>(parent), static_cast<std::uint16_t>(best)});
    }
    return pairs;
}

}  // namespace skein
