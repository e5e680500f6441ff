// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/units.h"
#include "views/common/scene/data/communication_trial.h"
#include "views/route_matrix/route_matrix_scene.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>

namespace skein {
namespace {

constexpr const char *kMachineOrder = "Machine", *kRankOrder = "Ranks";
constexpr double kFoldedUnits = 0.5;  ///< of a whole folded block

std::vector<VertexIndex> allVertices(const Topology& topology)
{
    std::vector<VertexIndex> order(topology.vertices());
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

/// Nodes by the ranks on them, then what has none.
std::vector<VertexIndex> orderByRanks(const SessionCommunication& communication)
{
    const Topology& topology = *communication.machine->topology;
    std::vector<char> taken(topology.vertices(), 0);
    std::vector<VertexIndex> order;
    const auto take = [&](VertexIndex vertex) {
        if (taken[vertex]) return;
        taken[vertex] = 1;
        order.push_back(vertex);
    };
    const Placement& placement = communication.machine->placement;
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) take(placement.nodeOf(rank));
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) take(vertex);
    return order;
}

Result<std::vector<VertexIndex>> orderByLetters(const Topology& topology, std::string_view letters)
{
    std::vector<std::size_t> dimensions;
    for (const char letter : letters) {
        std::size_t found = topology.numbering().size();
        for (std::size_t d = 0; d < topology.numbering().size(); ++d)
            if (dimensionLetter(d) == (letter & ~0x20)) found = d;
        if (found == topology.numbering().size() || std::ranges::find(dimensions, found) != dimensions.end())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} is neither an order of the dimensions of {} nor a file.", letters,
                                    topology.spec()));
        dimensions.push_back(found);
    }
    std::vector<std::pair<std::vector<std::uint32_t>, VertexIndex>> keyed;
    for (VertexIndex node = 0; node < topology.nodes(); ++node) {
        const std::vector<std::uint32_t> all = topology.coordinates(node);
        std::vector<std::uint32_t> key;
        for (const std::size_t d : dimensions) key.push_back(all[d]);
        keyed.push_back({std::move(key), node});
    }
    std::sort(keyed.begin(), keyed.end());
    std::vector<VertexIndex> order;
    for (const auto& entry : keyed) order.push_back(entry.second);
    for (VertexIndex router = topology.nodes(); router < topology.vertices(); ++router)
        order.push_back(router);
    return order;
}

/// A vertex a line, by number or name; those that are not named follow.
Result<std::vector<VertexIndex>> orderOfFile(const Topology& topology, const std::string& file)
{
    std::ifstream in(file);
    if (!in) return fail(ErrorCode::Io, file + " cannot be read.");
    std::vector<char> taken(topology.vertices(), 0);
    std::vector<VertexIndex> order;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.empty()) continue;
        const auto parsed = parseNumber<std::uint32_t>(line);
        const VertexIndex vertex = parsed ? *parsed : topology.findNode(line);
        if (vertex >= topology.vertices() || taken[vertex])
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{}, line {}: {} is no node of {}, or was named before.", file, number,
                                    line.substr(0, 80), topology.spec()));
        taken[vertex] = 1;
        order.push_back(vertex);
    }
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex)
        if (!taken[vertex]) order.push_back(vertex);
    return order;
}

Result<std::vector<VertexIndex>> orderOf(const SessionCommunication& communication, const std::string& name)
{
    const Topology& topology = *communication.machine->topology;
    if (name.empty() || name == kMachineOrder) return allVertices(topology);
    if (name == kRankOrder) return orderByRanks(communication);
    if (std::ifstream(name)) return orderOfFile(topology, name);
    return orderByLetters(topology, name);
}

/// Routes of selected pairs of ranks and over selected links; none where nothing is selected.
std::vector<std::uint32_t> selectedRoutes(const SessionCommunication& communication,
                                          const Selection& selected)
{
    std::set<std::uint32_t> routes;
    for (const RankPairRef& pair : selected.rankPairs) {
        if (pair.experiment != communication.request.experiment) continue;
        if (const auto route = communication.routeOf(pair.sender, pair.receiver))
            routes.insert(static_cast<std::uint32_t>(*route));
    }
    const Traffic& traffic = communication.traffic;
    if (!selected.links.empty())
        for (std::uint32_t route = 0; route < traffic.paths.size(); ++route)
            for (const LinkIndex link : traffic.paths[route])
                if (std::ranges::binary_search(selected.links, LinkRef{link})) routes.insert(route);
    return {routes.begin(), routes.end()};
}

void chooseRoutes(RouteMatrixPicture& picture, const Selection& selected)
{
    const Traffic& traffic = picture.communication->traffic;
    picture.routes = selectedRoutes(*picture.communication, selected);
    const bool all = picture.routes.empty();
    if (all) {
        picture.routes.resize(traffic.paths.size());
        std::iota(picture.routes.begin(), picture.routes.end(), 0u);
    }
    std::vector<std::uint64_t> highest(traffic.paths.size(), 0);
    for (const std::uint32_t route : picture.routes)
        for (const LinkIndex link : traffic.paths[route])
            highest[route] = std::max(highest[route], traffic.loads[link]);
    std::stable_sort(picture.routes.begin(), picture.routes.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return highest[a] > highest[b]; });
    picture.wanted = picture.routes.size();
    if (all)
        picture.wanted = static_cast<std::size_t>(
            std::ceil(static_cast<double>(picture.wanted) * picture.options.topPercent / 100));
    picture.routes.resize(std::min(picture.wanted, kMostMatrixRoutes));
    for (const std::uint32_t route : picture.routes)
        picture.mostLoad = std::max(picture.mostLoad, highest[route]);
}

/// Positions follow each other; blocks through which no route passes are thin.
void placePositions(RouteMatrixPicture& picture)
{
    const std::size_t count = picture.order.size();
    const std::size_t block = picture.options.folded > 0 ? picture.options.folded : count;
    std::vector<char> used(count / block + 1, picture.options.folded == 0 ? 1 : 0);
    const auto use = [&](VertexIndex vertex) { used[picture.positionOf[vertex] / block] = 1; };
    for (const std::uint32_t route : picture.routes) {
        use(picture.communication->traffic.pairs[route].from);
        for (const LinkIndex link : picture.communication->traffic.paths[route])
            use(picture.topology().target(link));
    }
    for (const LinkRef& link : picture.selected) {
        use(picture.topology().source(link.index));
        use(picture.topology().target(link.index));
    }
    picture.starts.resize(count + 1, 0);
    for (std::size_t at = 0; at < count; ++at)
        picture.starts[at + 1] =
            picture.starts[at] + (used[at / block] ? 1.0 : kFoldedUnits / static_cast<double>(block));
}

constexpr std::size_t kMostRouteNotes = 4;

/// A pair of nodes whose route is another one.
struct ChangedRoute {
    std::uint32_t before = 0, after = 0;  ///< places in the pairs of either traffic
    std::uint64_t loadBefore = 0, loadAfter = 0;
};

std::uint64_t highestOn(const Traffic& traffic, std::size_t route)
{
    std::uint64_t highest = 0;
    for (const LinkIndex link : traffic.paths[route]) highest = std::max(highest, traffic.loads[link]);
    return highest;
}

/// The greatest reduction of the highest load first.
std::vector<ChangedRoute> changedRoutes(const SessionCommunication& before, const SessionCommunication& after)
{
    std::vector<ChangedRoute> changed;
    for (std::uint32_t i = 0; i < before.traffic.paths.size(); ++i) {
        const NodePair& pair = before.traffic.pairs[i];
        const auto other = after.routeBetween(pair.from, pair.to);
        if (!other || *other >= after.traffic.paths.size()
            || std::ranges::equal(before.traffic.paths[i], after.traffic.paths[*other]))
            continue;
        changed.push_back({i, static_cast<std::uint32_t>(*other), highestOn(before.traffic, i),
                           highestOn(after.traffic, *other)});
    }
    std::stable_sort(changed.begin(), changed.end(), [](const ChangedRoute& a, const ChangedRoute& b) {
        const auto reduction = [](const ChangedRoute& of) {
            return static_cast<std::int64_t>(of.loadBefore) - static_cast<std::int64_t>(of.loadAfter);
        };
        return reduction(a) > reduction(b);
    });
    return changed;
}

RouteBeforeAfter routeRow(const SessionCommunication& before, const SessionCommunication& after,
                          VertexIndex from, VertexIndex to)
{
    RouteBeforeAfter row{from, to};
    const auto find = [&](const SessionCommunication& in, std::optional<std::uint32_t>& place,
                          std::uint64_t& load) {
        const auto found = in.routeBetween(from, to);
        if (!found) return;
        place = static_cast<std::uint32_t>(*found);
        if (*found < in.traffic.paths.size()) load = highestOn(in.traffic, *found);
    };
    find(before, row.before, row.loadBefore);
    find(after, row.after, row.loadAfter);
    return row;
}

bool isSameRoute(const SessionCommunication& before, const SessionCommunication& after,
                 const RouteBeforeAfter& row)
{
    if (!row.before || !row.after || row.loadBefore != row.loadAfter) return false;
    const NodePair &was = before.traffic.pairs[*row.before], &is = after.traffic.pairs[*row.after];
    return was.bytes == is.bytes && was.messages == is.messages
        && std::ranges::equal(before.traffic.paths[*row.before], after.traffic.paths[*row.after]);
}

/// "0 1 → 2 3: highest load 8 MiB, before 12 MiB (−33.3 %); 5 links, before 4".
std::string noteOf(const SessionCommunication& before, const SessionCommunication& after,
                   const ChangedRoute& route)
{
    const Topology& topology = *before.machine->topology;
    const NodePair& pair = before.traffic.pairs[route.before];
    const auto load = [&](std::uint64_t of) {
        const auto value = static_cast<double>(of);
        return before.traffic.unit == LoadUnit::Bytes ? formatBytes(value) : formatCount(value) + " messages";
    };
    const double change = route.loadBefore == 0
        ? 0
        : 100 * (static_cast<double>(route.loadAfter) / static_cast<double>(route.loadBefore) - 1);
    return fmt::format("{} → {}: highest load {}, before {} ({}{:.1f} %); {} links, before {}",
                       topology.vertexName(pair.from), topology.vertexName(pair.to), load(route.loadAfter),
                       load(route.loadBefore), change > 0 ? "+" : (change < 0 ? "−" : ""), std::abs(change),
                       after.traffic.paths[route.after].size(), before.traffic.paths[route.before].size());
}

std::string headOf(const RouteMatrixPicture& picture)
{
    const auto grouped = [](std::size_t count) { return formatGrouped(static_cast<std::int64_t>(count)); };
    std::string text = fmt::format("{} of {} routes", grouped(picture.routes.size()),
                                   grouped(picture.communication->traffic.paths.size()));
    if (picture.routes.size() < picture.wanted)
        text += fmt::format(" (of {} chosen those with the highest loads)", grouped(picture.wanted));
    return text + " · rows and columns are nodes in the order " + picture.options.order + " · "
        + machineText(*picture.communication);
}

}  // namespace

std::vector<std::string> routeMatrixOrders(const SessionCommunication& communication)
{
    std::vector<std::string> names{kMachineOrder, kRankOrder};
    if (!communication.machine) return names;
    std::string backwards;
    const std::size_t dimensions = communication.machine->topology->numbering().size();
    for (std::size_t d = dimensions; d-- > 0;) backwards += dimensionLetter(d);
    if (dimensions > 1) names.push_back(backwards);
    return names;
}

std::vector<std::uint32_t> routeMatrixBlocks(const Topology& topology)
{
    std::vector<std::uint32_t> blocks;
    std::uint32_t size = 1;
    for (std::size_t d = topology.numbering().size(); d-- > 1;) {
        if (topology.numbering()[d].size == 1) continue;
        size *= topology.numbering()[d].size;
        if (size < topology.vertices()) blocks.push_back(size);
    }
    if (blocks.empty())
        for (size = 4; size < topology.vertices(); size *= 4) blocks.push_back(size);
    return blocks;
}

Result<RouteMatrixPicturePtr> routeMatrixPicture(SessionCommunicationPtr communication,
                                                 const RouteMatrixOptions& options, const ViewState& state,
                                                 const Task& task, const RouteMatrixPicture* like)
{
    if (!communication->machine)
        return fail(ErrorCode::NotRecorded,
                    communication->machineProblem.empty()
                        ? "Routes need a machine: choose one in the panel Machine."
                        : communication->machineProblem);
    if (communication->traffic.paths.size() != communication->traffic.pairs.size())
        return fail(
            ErrorCode::NotRecorded,
            "This routing model splits messages over many ways, so that there are no single routes to "
            "show: choose another one in the panel Machine.");
    auto order =
        like ? Result<std::vector<VertexIndex>>(like->order) : orderOf(*communication, options.order);
    if (!order) return Unexpected(order.error());
    auto picture = std::make_shared<RouteMatrixPicture>();
    picture->communication = std::move(communication);
    picture->options = options;
    if (picture->options.order.empty()) picture->options.order = kMachineOrder;
    picture->order = std::move(*order);
    picture->positionOf.resize(picture->order.size());
    for (std::uint32_t at = 0; at < picture->order.size(); ++at) picture->positionOf[picture->order[at]] = at;
    picture->blocks = routeMatrixBlocks(picture->topology());
    for (const LinkRef& link : state.selected.links)
        if (link.index < picture->topology().links()) picture->selected.push_back(link);
    Selection selected;
    selected.rankPairs = state.selected.rankPairs;
    selected.links = picture->selected;
    chooseRoutes(*picture, selected);
    if (like) picture->starts = like->starts;
    else placePositions(*picture);
    picture->head = headOf(*picture);
    if (task.stopRequested()) return cancelled();
    return picture;
}

RouteMatrixPicturePtr routeMatrixDifference(const RouteMatrixPicture& before,
                                            const SessionCommunication& after)
{
    auto picture = std::make_shared<RouteMatrixPicture>(before);
    picture->changes = loadChanges(*before.communication, after);
    picture->mostLoad = 0;
    for (const std::int64_t change : picture->changes)
        picture->mostLoad = std::max(picture->mostLoad, static_cast<std::uint64_t>(std::abs(change)));
    const std::vector<ChangedRoute> changed = changedRoutes(*before.communication, after);
    picture->routes.clear();
    picture->alternatives.clear();
    picture->wanted = changed.size();
    for (const ChangedRoute& route : changed) {
        if (picture->routes.size() == kMostMatrixRoutes) break;
        picture->routes.push_back(route.before);
        const auto path = after.traffic.paths[route.after];
        picture->alternatives.emplace_back(path.begin(), path.end());
        if (picture->notes.size() < kMostRouteNotes)
            picture->notes.push_back(noteOf(*before.communication, after, route));
    }
    picture->head = fmt::format(
        "{} of {} routes take another way · {}", formatGrouped(static_cast<std::int64_t>(changed.size())),
        formatGrouped(static_cast<std::int64_t>(before.communication->traffic.paths.size())),
        loadChangeText(picture->changes, after.traffic.unit));
    return picture;
}

std::vector<RouteBeforeAfter> routesOfBoth(const SessionCommunication& before,
                                           const std::vector<std::uint32_t>& shownBefore,
                                           const SessionCommunication& after,
                                           const std::vector<std::uint32_t>& shownAfter)
{
    std::vector<RouteBeforeAfter> rows;
    std::vector<char> known(after.traffic.pairs.size(), 0);
    for (const std::uint32_t route : shownBefore) {
        const NodePair& pair = before.traffic.pairs[route];
        rows.push_back(routeRow(before, after, pair.from, pair.to));
        if (rows.back().after) known[*rows.back().after] = 1;
    }
    for (const std::uint32_t route : shownAfter) {
        const NodePair& pair = after.traffic.pairs[route];
        if (!known[route]) rows.push_back(routeRow(before, after, pair.from, pair.to));
    }
    return rows;
}

std::vector<RouteBeforeAfter> routesThatDiffer(const SessionCommunication& before,
                                               const SessionCommunication& after)
{
    const auto all = [](const SessionCommunication& of) {
        std::vector<std::uint32_t> routes(of.traffic.pairs.size());
        std::iota(routes.begin(), routes.end(), 0u);
        return routes;
    };
    std::vector<RouteBeforeAfter> rows = routesOfBoth(before, all(before), after, all(after));
    std::erase_if(rows, [&](const RouteBeforeAfter& row) { return isSameRoute(before, after, row); });
    std::ranges::stable_sort(rows, std::greater(), [](const RouteBeforeAfter& row) {
        return row.loadBefore > row.loadAfter ? row.loadBefore - row.loadAfter
                                              : row.loadAfter - row.loadBefore;
    });
    if (rows.size() > kMostMatrixRoutes) rows.resize(kMostMatrixRoutes);
    return rows;
}

}  // namespace skein
