// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology_spec.h"

#include "core/base/parse_number.h"
#include "core/machine/topology_builders.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace skein {
namespace {

struct SpecKind {
    std::string_view name;
    std::string_view example;
    Result<Topology> (*make)(std::string_view body, std::string_view spec, const Task& task);
};

Unexpected badPart(std::string_view part, std::string_view wanted, std::string_view spec)
{
    return fail(ErrorCode::InvalidArgument,
                fmt::format("\"{}\" in the machine \"{}\" is not {}.", part, spec, wanted));
}

std::vector<std::string_view> splitAt(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        if (end == text.size()) return parts;
        begin = end + 1;
    }
}

std::optional<std::uint32_t> numberFromOne(std::string_view text)
{
    const auto value = parseNumber<std::uint32_t>(text);
    return value && *value > 0 ? value : std::nullopt;
}

Result<std::vector<std::uint32_t>> parseList(std::string_view text, char separator, std::string_view spec)
{
    std::vector<std::uint32_t> values;
    for (const std::string_view part : splitAt(text, separator)) {
        const auto value = numberFromOne(part);
        if (!value) return badPart(part, "a number from 1", spec);
        values.push_back(*value);
    }
    return values;
}

Result<Topology> makeProduct(std::string_view body, std::string_view spec, DimensionShape usual,
                             const Task& task)
{
    std::vector<GridDimension> dimensions;
    for (std::string_view part : splitAt(body, 'x')) {
        const std::string_view whole = part;
        GridDimension dimension{1, usual};
        if (part.ends_with('m')) {
            dimension.shape = DimensionShape::Line;
            part.remove_suffix(1);
        }
        const auto size = numberFromOne(part);
        if (!size)
            return badPart(whole, "the size of a dimension (a number from 1, with m behind it for a mesh)",
                           spec);
        dimension.size = *size;
        dimensions.push_back(dimension);
    }
    if (dimensions.size() > 24)
        return fail(ErrorCode::InvalidArgument, "A machine may have at most 24 dimensions.",
                    std::string(spec));
    return makeGrid(std::move(dimensions), std::string(spec), task);
}

Result<Topology> makeTorus(std::string_view body, std::string_view spec, const Task& task)
{
    return makeProduct(body, spec, DimensionShape::Ring, task);
}
Result<Topology> makeMesh(std::string_view body, std::string_view spec, const Task& task)
{
    return makeProduct(body, spec, DimensionShape::Line, task);
}
Result<Topology> makeHamming(std::string_view body, std::string_view spec, const Task& task)
{
    return makeProduct(body, spec, DimensionShape::Complete, task);
}

Result<Topology> makeHypercube(std::string_view body, std::string_view spec, const Task& task)
{
    const auto dimensions = numberFromOne(body);
    if (!dimensions || *dimensions > 24) return badPart(body, "a number of dimensions from 1 to 24", spec);
    return makeGrid(std::vector<GridDimension>(*dimensions, {2, DimensionShape::Ring}), std::string(spec),
                    task);
}

Result<void> setRouters(std::string_view value, DragonflyShape& shape, std::string_view spec)
{
    const auto sizes = parseList(value, 'x', spec);
    if (!sizes) return Unexpected(sizes.error());
    if (sizes->size() > 2) return badPart(value, "a number of routers or ROWSxCOLUMNS", spec);
    shape.rows = sizes->size() == 2 ? sizes->front() : 1;
    shape.columns = sizes->back();
    return {};
}

Result<void> setDragonflyRule(std::string_view value, DragonflyParameters& parameters, std::string_view spec)
{
    for (const GlobalLinkRule rule : {GlobalLinkRule::Circulant, GlobalLinkRule::Consecutive,
                                      GlobalLinkRule::Palmtree, GlobalLinkRule::Relative})
        if (value == name(rule)) {
            parameters.rule = rule;
            return {};
        }
    return badPart(value, "a rule of global links: circulant, consecutive, palmtree or relative", spec);
}

Result<void> setDragonfly(std::string_view key, std::string_view value, DragonflyParameters& parameters,
                          std::string_view spec)
{
    if (key == "routers") return setRouters(value, parameters.shape, spec);
    if (key == "rule") return setDragonflyRule(value, parameters, spec);
    const auto number = numberFromOne(value);
    if (!number || *number > Topology::kMaximumVertices) return badPart(value, "a number from 1", spec);
    if (key == "groups") parameters.shape.groups = *number;
    else if (key == "nodes") parameters.shape.nodesPerRouter = *number;
    else if (key == "global") parameters.globalLinksPerRouter = *number;
    else if (key == "column-capacity") parameters.columnCapacity = static_cast<float>(*number);
    else
        return badPart(key, "a key of a dragonfly: groups, routers, nodes, global, rule, column-capacity",
                       spec);
    return {};
}

Result<void> checkDragonfly(const DragonflyShape& shape, std::string_view spec)
{
    const std::uint64_t routers = std::uint64_t{shape.rows} * shape.columns;
    if (shape.rows > 65535 || shape.columns > 65535 || shape.groups > 65535 || shape.nodesPerRouter > 65535
        || routers * shape.groups > Topology::kMaximumVertices)
        return fail(
            ErrorCode::OutOfMemory,
            fmt::format("A machine may have at most {} nodes and routers.", Topology::kMaximumVertices),
            std::string(spec));
    return {};
}

/// GROUPSxROUTERSxNODES or GROUPSxROWSxCOLUMNSxNODES.
Result<void> setDragonflySizes(std::string_view text, DragonflyShape& shape, std::string_view spec)
{
    const auto sizes = parseList(text, 'x', spec);
    if (!sizes) return Unexpected(sizes.error());
    if (sizes->size() < 3 || sizes->size() > 4)
        return badPart(text, "GROUPSxROUTERSxNODES or GROUPSxROWSxCOLUMNSxNODES", spec);
    shape.groups = sizes->front();
    shape.rows = sizes->size() == 4 ? (*sizes)[1] : 1;
    shape.columns = (*sizes)[sizes->size() - 2];
    shape.nodesPerRouter = sizes->back();
    return {};
}

Result<Topology> makeDragonflyFromSpec(std::string_view body, std::string_view spec, const Task& task)
{
    DragonflyParameters parameters;
    for (const std::string_view part : splitAt(body, ',')) {
        const std::size_t equals = part.find('=');
        const auto set = equals == std::string_view::npos
            ? setDragonflySizes(part, parameters.shape, spec)
            : setDragonfly(part.substr(0, equals), part.substr(equals + 1), parameters, spec);
        if (!set) return Unexpected(set.error());
    }
    if (auto checked = checkDragonfly(parameters.shape, spec); !checked) return Unexpected(checked.error());
    return makeDragonfly(parameters, std::string(spec), task);
}

/// h;m1,…,mh;w1,…,wh[;p1,…,ph]
Result<Topology> makeGeneralTree(std::string_view body, std::string_view spec, const Task& task)
{
    const auto parts = splitAt(body, ';');
    if (parts.size() < 3 || parts.size() > 4)
        return badPart(body, "h;m1,…,mh;w1,…,wh with or without ;p1,…,ph", spec);
    const auto levels = numberFromOne(parts[0]);
    if (!levels || *levels > 16) return badPart(parts[0], "a number of levels from 1 to 16", spec);
    FatTreeShape shape;
    shape.cables.assign(*levels, 1);
    std::vector<std::uint32_t>* const lists[] = {&shape.children, &shape.parents, &shape.cables};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        auto list = parseList(parts[i], ',', spec);
        if (!list) return Unexpected(list.error());
        if (list->size() != *levels)
            return badPart(parts[i], fmt::format("a list of {} numbers", *levels), spec);
        *lists[i - 1] = std::move(*list);
    }
    return makeFatTree(shape, std::string(spec), task);
}

/// k=K,n=N: the k-ary n-tree.
Result<Topology> makeKaryTree(std::string_view body, std::string_view spec, const Task& task)
{
    std::uint32_t k = 0;
    std::uint32_t n = 0;
    for (const std::string_view part : splitAt(body, ',')) {
        const auto number = part.size() > 2 ? numberFromOne(part.substr(2)) : std::nullopt;
        if (part.starts_with("k=") && number) k = *number;
        else if (part.starts_with("n=") && number && *number <= 16) n = *number;
        else return badPart(part, "k=ARITY, n=LEVELS (at most 16), xgft(h;m…;w…) or h;m…;w…[;p…]", spec);
    }
    if (k == 0 || n == 0) return badPart(body, "a pair like k=4,n=3", spec);
    FatTreeShape shape{std::vector<std::uint32_t>(n, k), std::vector<std::uint32_t>(n, k),
                       std::vector<std::uint32_t>(n, 1)};
    shape.parents[0] = 1;
    return makeFatTree(shape, std::string(spec), task);
}

Result<Topology> makeFatTreeFromSpec(std::string_view body, std::string_view spec, const Task& task)
{
    if (body.starts_with("xgft(") && body.ends_with(')'))
        return makeGeneralTree(body.substr(5, body.size() - 6), spec, task);
    return body.find(';') != std::string_view::npos ? makeGeneralTree(body, spec, task)
                                                    : makeKaryTree(body, spec, task);
}

constexpr std::array<SpecKind, 6> kKinds{{
    {"dragonfly", "dragonfly:9x4x2", makeDragonflyFromSpec},
    {"fattree", "fattree:k=4,n=3", makeFatTreeFromSpec},
    {"hamming", "hamming:12x2x3x16x4", makeHamming},
    {"hypercube", "hypercube:10", makeHypercube},
    {"mesh", "mesh:8x8x8", makeMesh},
    {"torus", "torus:4x4x4x16x2", makeTorus},
}};

const SpecKind* findKind(std::string_view spec)
{
    const std::size_t colon = spec.find(':');
    if (colon == std::string_view::npos) return nullptr;
    const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](const SpecKind& kind) { return kind.name == spec.substr(0, colon); });
    return found == kKinds.end() ? nullptr : &*found;
}

}  // namespace

bool looksLikeTopologySpec(std::string_view text) { return findKind(text) != nullptr; }

Result<Topology> makeTopology(std::string_view spec, const Task& task)
{
    const SpecKind* kind = findKind(spec);
    if (!kind) {
        std::string examples;
        for (const SpecKind& known : kKinds)
            examples += fmt::format("{}{}", examples.empty() ? "" : ", ", known.example);
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" is no machine; examples are {} and topology:FILE.", spec, examples));
    }
    const std::string_view body = spec.substr(kind->name.size() + 1);
    if (body.empty() || body.size() > 1000)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("\"{}\" does not tell the machine's sizes; an example is {}.", spec, kind->example));
    return kind->make(body, spec, task);
}

}  // namespace skein
