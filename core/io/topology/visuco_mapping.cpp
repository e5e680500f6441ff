// SPDX-License-Identifier: GPL-3.0-or-later
// The mapping file of Fujiwara et al. (VAST 2017): sizes of the dimensions, their order, the kind of machine.
#include "core/io/launcher/text.h"
#include "core/io/topology/formats.h"
#include "core/machine/topology_builders.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace skein::topology {
namespace {

/// How all dimensions of the kind that a line names are shaped; nullopt: it names none.
std::optional<DimensionShape> shapeOfKind(std::string_view kind)
{
    if (kind == "theta") return DimensionShape::Complete;
    constexpr std::string_view kTorus = "torus";
    if (!kind.ends_with(kTorus)) return std::nullopt;
    kind.remove_suffix(kTorus.size());
    if (kind.empty()) return DimensionShape::Ring;
    const bool counted = kind.size() >= 2 && kind.back() == 'd'
        && launcher::number(kind.substr(0, kind.size() - 1)).has_value();
    return counted ? std::optional(DimensionShape::Ring) : std::nullopt;
}

/// The numbers of a line; nothing where a word is none.
std::vector<std::uint32_t> numbersOf(std::string_view line)
{
    std::vector<std::uint32_t> numbers;
    for (const std::string_view word : launcher::words(line)) {
        const auto number = launcher::number(word);
        if (!number) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

bool isPermutation(std::vector<std::uint32_t> numbers)
{
    std::ranges::sort(numbers);
    std::vector<std::uint32_t> all(numbers.size());
    std::iota(all.begin(), all.end(), 0u);
    return numbers == all;
}

bool recognizesVisuco(std::string_view text)
{
    constexpr std::size_t kMostText = 4096;
    if (text.size() > kMostText) return false;
    const auto lines = launcher::contentLines(text);
    return lines.size() == 3 && !numbersOf(lines[0].text).empty() && !numbersOf(lines[1].text).empty()
        && shapeOfKind(lines[2].text).has_value();
}

Result<Topology> readVisuco(std::string_view text, const std::string& spec, const Task& task)
{
    if (!recognizesVisuco(text))
        return fail(ErrorCode::Malformed,
                    "A mapping file has three lines: sizes, their order, and the machine.", spec);
    const auto lines = launcher::contentLines(text);
    const std::vector<std::uint32_t> sizes = numbersOf(lines[0].text), order = numbersOf(lines[1].text);
    if (order.size() != sizes.size() || !isPermutation(order))
        return launcher::badLine(lines[1].number,
                                 fmt::format("the order of {} dimensions names each of 0 to {} once",
                                             sizes.size(), sizes.size() - 1));
    const std::string_view kind = lines[2].text;
    const bool counted = kind.find('d') != std::string_view::npos && kind != "theta";
    if (counted && launcher::number(kind.substr(0, kind.find('d'))) != sizes.size())
        return launcher::badLine(
            lines[2].number, fmt::format("{} has another number of dimensions than {}", kind, sizes.size()));
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t size : sizes) dimensions.push_back({size, *shapeOfKind(kind)});
    return makeGrid(std::move(dimensions), spec, task);
}

}  // namespace

TopologyFormat visucoFormat() { return {"visuco", "Mapping file of visuco", recognizesVisuco, readVisuco}; }

}  // namespace skein::topology
