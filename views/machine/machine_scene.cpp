// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine/machine_scene.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/data/communication_trial.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skein {
namespace {

constexpr std::size_t kMostDrawnLinks = 20'000;
constexpr double kLinkReachPx = 4, kStub = 0.38;
constexpr int kUserBits = 7;

/// A link as it lies in the plane: one line, or an end at each side where it leads around a ring.
struct LinkPlace {
    PlanePoint from, to, secondFrom, secondTo;
    bool around = false;
};

/// Ways around a ring of more than two positions that are not beside each other in the picture.
bool leadsAround(const Topology& topology, VertexIndex from, VertexIndex to)
{
    if (!topology.isGrid()) return false;
    const std::vector<std::uint32_t> a = topology.coordinates(from), b = topology.coordinates(to);
    for (std::size_t d = 0; d < a.size(); ++d) {
        const GridDimension& dimension = topology.numbering()[d];
        if (a[d] != b[d])
            return dimension.shape == DimensionShape::Ring && dimension.size > 2
                && std::max(a[d], b[d]) - std::min(a[d], b[d]) == dimension.size - 1;
    }
    return false;
}

LinkPlace placeOf(const MachinePlan& plan, LinkIndex link)
{
    const VertexIndex source = plan.topology->source(link), target = plan.topology->target(link);
    LinkPlace place{plan.points[source], plan.points[target], {}, {}, false};
    if (!leadsAround(*plan.topology, source, target)) return place;
    const double x = place.to.x - place.from.x, y = place.to.y - place.from.y, length = std::hypot(x, y);
    const PlanePoint away{-x / length * kStub, -y / length * kStub};
    place.around = true;
    place.secondTo = place.to;
    place.secondFrom = {place.to.x - away.x, place.to.y - away.y};
    place.to = {place.from.x + away.x, place.from.y + away.y};
    return place;
}

class MachinePainter {
public:
    MachinePainter(const MachinePicture& picture, const PlaneView& view, const Canvas& canvas,
                   const Task& task)
        : picture_(picture), canvas_(canvas), task_(task), layout_(machineLayout(picture, view, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = canvas.theme().background;
    }

    DrawList run()
    {
        list_.pushClip(layout_.body);
        drawFrames();
        drawIdleLinks();
        const std::size_t drawn = std::min(picture_.order.size(), kMostDrawnLinks);
        for (std::size_t i = drawn; i-- > 0 && !task_.stopRequested();) drawLoad(picture_.order[i]);
        for (const LinkRef& link : picture_.selected) drawSelectedLink(link.index);
        drawVertices();
        drawFrameNames();
        list_.popClip();
        drawTexts();
        return std::move(list_);
    }

private:
    void drawFrames()
    {
        const Theme& theme = canvas_.theme();
        for (std::size_t i = 0; i < picture_.plan->frameLow.size(); ++i) {
            const Point low = layout_.toCanvas(picture_.plan->frameLow[i]);
            const Point high = layout_.toCanvas(picture_.plan->frameHigh[i]);
            const Rect frame{low.x, low.y, high.x - low.x, high.y - low.y};
            if (!frame.overlaps(layout_.body)) continue;
            list_.items.push_back(
                RectItem{frame, theme.stripe, theme.frame, canvas_.px(1), canvas_.px(4), {}});
        }
    }

    /// Over the links, which lead from plane to plane through where the names stand.
    void drawFrameNames()
    {
        const double line = canvas_.lineHeight();
        if (0.9 * layout_.view.pixels < line) return;
        for (std::size_t i = 0; i < picture_.plan->frameLow.size(); ++i) {
            const Point low = layout_.toCanvas(picture_.plan->frameLow[i]);
            const Point high = layout_.toCanvas(picture_.plan->frameHigh[i]);
            const std::string& name = picture_.plan->frameNames[i];
            const double width = canvas_.measure.width(name, FontStyle::Small) + canvas_.px(2);
            const Rect box{low.x, low.y - line, width, line};
            if (width <= high.x - low.x && box.overlaps(layout_.body)) drawName(box, name);
        }
    }

    void drawName(const Rect& box, const std::string& name)
    {
        const Theme& theme = canvas_.theme();
        list_.items.push_back(
            RectItem{box, withAlpha(theme.background, 225), {0, 0, 0, 0}, 1, canvas_.px(2), {}});
        list_.text(box, name, theme.secondaryText, FontStyle::Small);
    }

    /// Of nodes and routers, below and to the right of them, where all of a row of them have room.
    void drawVertexNames(double reach)
    {
        const Topology& topology = picture_.topology();
        const double line = canvas_.lineHeight(), room = layout_.view.pixels - reach - canvas_.px(14);
        if (layout_.view.pixels < 2 * reach + 1.5 * line) return;
        for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) {
            const Point at = layout_.toCanvas(picture_.plan->points[vertex]);
            if (!layout_.body.contains(at)) continue;
            const std::string name = topology.vertexName(vertex);
            const double width = canvas_.measure.width(name, FontStyle::Small) + canvas_.px(2);
            if (width > room) return;
            drawName({at.x + reach + canvas_.px(2), at.y + reach, width, line}, name);
        }
    }

    /// From and to on the canvas, to the right of the direction.
    void drawPiece(PlanePoint a, PlanePoint b, Color color, double width)
    {
        const Point from = layout_.toCanvas(a), to = layout_.toCanvas(b);
        const double x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
        if (length == 0) return;
        const double offset = width / 2 + 0.5;
        const Point right{-y / length * offset, x / length * offset};
        const Rect box{std::min(from.x, to.x) - width, std::min(from.y, to.y) - width,
                       std::abs(x) + 2 * width, std::abs(y) + 2 * width};
        if (!box.overlaps(layout_.body)) return;
        list_.line({from.x + right.x, from.y + right.y}, {to.x + right.x, to.y + right.y}, color, width);
    }

    void drawLink(LinkIndex link, Color color, double width)
    {
        const LinkPlace place = placeOf(*picture_.plan, link);
        drawPiece(place.from, place.to, color, width);
        if (place.around) drawPiece(place.secondFrom, place.secondTo, color, width);
    }

    void drawIdleLinks()
    {
        const Topology& topology = picture_.topology();
        if (topology.links() > kMostDrawnLinks) return;
        for (LinkIndex link = 0; link < topology.links(); ++link)
            if (picture_.loads.size() <= link || picture_.loads[link] == 0)
                drawLink(link, canvas_.theme().frame, canvas_.px(1) * 0.6);
    }

    void drawLoad(LinkIndex link)
    {
        const double amount = picture_.changes.empty() ? static_cast<double>(picture_.loads[link])
                                                       : static_cast<double>(picture_.changes[link]);
        const double signedPart = amount / static_cast<double>(picture_.most), part = std::abs(signedPart);
        const double widest = std::clamp(layout_.view.pixels * 0.22, canvas_.px(1) * 1.0, canvas_.px(7));
        drawLink(link, colorAt(signedPart), std::max(0.7 * canvas_.style.scale, widest * part));
    }

    /// Of a load between none and the greatest, or of a change from −1 to 1.
    Color colorAt(double part) const
    {
        const bool dark = canvas_.theme().dark;
        if (!picture_.changes.empty()) return divergingColor(dark, part);
        return picture_.stops.color(dark, part, 0.1);
    }

    void drawSelectedLink(LinkIndex link)
    {
        drawLink(link, canvas_.theme().accent,
                 std::clamp(layout_.view.pixels * 0.3, canvas_.px(3), canvas_.px(9)));
    }

    void drawVertices()
    {
        const Topology& topology = picture_.topology();
        const double reach = std::clamp(0.17 * layout_.view.pixels, canvas_.px(1) * 1.0, canvas_.px(9));
        for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) {
            const Point at = layout_.toCanvas(picture_.plan->points[vertex]);
            if (!layout_.body.contains(at)) continue;
            drawVertex(vertex, at, reach);
        }
        drawVertexNames(reach);
    }

    void drawVertex(VertexIndex vertex, Point at, double reach)
    {
        const Theme& theme = canvas_.theme();
        const bool router = vertex >= picture_.topology().nodes();
        const std::uint8_t users = router ? 0 : picture_.usersOfNode[vertex];
        const bool selected = !picture_.selectedNodes.empty() && picture_.selectedNodes[vertex];
        Color fill = theme.background;
        if (router) fill = theme.secondaryText;
        else if (users != 0)
            fill = clusterColor(static_cast<std::uint32_t>(std::countr_zero(users)), theme.dark);
        const Rect box{at.x - reach, at.y - reach, 2 * reach, 2 * reach};
        list_.items.push_back(RectItem{box,
                                       fill,
                                       selected ? theme.accent : theme.secondaryText,
                                       canvas_.px(selected ? 2 : 1),
                                       router ? canvas_.px(1) : reach,
                                       {}});
        if (!router) drawHeld(vertex, at, reach);
        if (std::popcount(users) < 2) return;
        list_.line({box.x, box.y}, {box.right(), box.bottom()}, theme.text, canvas_.px(1));
        list_.line({box.x, box.bottom()}, {box.right(), box.y}, theme.text, canvas_.px(1));
    }

    /// Too small a mark is left away: it would look like another colour.
    void drawHeld(VertexIndex node, Point at, double reach)
    {
        if (reach < canvas_.px(3)) return;
        const auto has = [node](const std::vector<VertexIndex>& nodes) {
            return std::binary_search(nodes.begin(), nodes.end(), node);
        };
        if (has(picture_.held.pinned)) drawPin(at, reach);
        if (has(picture_.held.keptFree)) drawBar(at, reach);
    }

    void drawPin(Point at, double reach)
    {
        const double radius = 0.45 * reach;
        list_.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                       canvas_.theme().background,
                                       canvas_.theme().text,
                                       canvas_.px(1),
                                       radius,
                                       {}});
    }

    void drawBar(Point at, double reach)
    {
        list_.line({at.x - 0.6 * reach, at.y}, {at.x + 0.6 * reach, at.y}, canvas_.theme().text,
                   std::max(canvas_.px(1) * 1.0, 0.35 * reach));
    }

    void drawTexts()
    {
        const Theme& theme = canvas_.theme();
        list_.text(layout_.caption, canvas_.style.caption, theme.secondaryText, FontStyle::Small);
        list_.text(layout_.head,
                   elideMiddle(picture_.head, layout_.head.width, FontStyle::Small, canvas_.measure),
                   theme.secondaryText, FontStyle::Small);
        double x = layout_.foot.x;
        const Rect& foot = layout_.foot;
        const double size = canvas_.px(8), middle = foot.y + foot.height / 2;
        const auto word = [&](const std::string& text) {
            const double width = canvas_.measure.width(text, FontStyle::Small) + canvas_.px(2);
            if (x + width > foot.right()) return;
            list_.text({x, foot.y, width, foot.height}, text, theme.secondaryText, FontStyle::Small);
            x += width + canvas_.px(16);
        };
        for (std::size_t user = 0; user < picture_.users.size(); ++user) {
            list_.items.push_back(RectItem{{x, middle - size / 2, size, size},
                                           clusterColor(static_cast<std::uint32_t>(user), theme.dark),
                                           {0, 0, 0, 0},
                                           1,
                                           size / 2,
                                           {}});
            x += size + canvas_.px(6);
            word(picture_.users[user].name);
        }
        list_.items.push_back(RectItem{{x, middle - size / 2, size, size},
                                       theme.background,
                                       theme.secondaryText,
                                       canvas_.px(1),
                                       size / 2,
                                       {}});
        x += size + canvas_.px(6);
        word("free");
        if (!picture_.held.pinned.empty()) {
            drawPin({x + size / 2, middle}, size);
            x += size + canvas_.px(6);
            word("pinned");
        }
        if (!picture_.held.keptFree.empty()) {
            drawBar({x + size / 2, middle}, size / 1.2);
            x += size + canvas_.px(6);
            word("stays free");
        }
        if (picture_.most == 0) return;
        const bool changes = !picture_.changes.empty();
        if (changes) word("a link carries " + loadOf(picture_.most) + " less");
        if (changes) x -= canvas_.px(10);
        for (int i = 0; i < 24; ++i, x += canvas_.px(4))
            list_.fillRect({x, middle - size / 2, canvas_.px(4), size},
                           colorAt(changes ? (i + 0.5) / 12 - 1 : (i + 0.5) / 24));
        x += canvas_.px(6);
        word(changes ? loadOf(picture_.most) + " more" : "load of a link, to " + loadOf(picture_.most));
    }

    std::string loadOf(std::uint64_t load) const
    {
        const auto value = static_cast<double>(load);
        return picture_.unit == LoadUnit::Bytes ? formatBytes(value) : formatCount(value) + " messages";
    }

    const MachinePicture& picture_;
    const Canvas& canvas_;
    const Task& task_;
    MachineLayout layout_;
    DrawList list_;
};

std::string machineLoadText(const MachinePicture& picture, std::uint64_t load)
{
    const auto value = static_cast<double>(load);
    return picture.unit == LoadUnit::Bytes ? formatBytes(value) : formatCount(value) + " messages";
}

std::string machineHead(const MachinePicture& picture)
{
    const Topology& topology = picture.topology();
    const auto busy =
        std::ranges::count_if(picture.usersOfNode, [](std::uint8_t users) { return users != 0; });
    const auto shared = std::ranges::count_if(picture.usersOfNode,
                                              [](std::uint8_t users) { return std::popcount(users) > 1; });
    std::string text = fmt::format("{} nodes, {} free · {} of {} links in use",
                                   formatGrouped(topology.nodes()), formatGrouped(topology.nodes() - busy),
                                   formatGrouped(static_cast<std::int64_t>(picture.order.size())),
                                   formatGrouped(topology.links()));
    if (picture.most > 0) text += " · highest load " + machineLoadText(picture, picture.most);
    if (picture.users.size() > 1) {
        text += " · loads of "
            + (picture.shownUser < picture.users.size() ? picture.users[picture.shownUser].name
                                                        : std::string("all together"));
        if (shared > 0) text += fmt::format(" · {} nodes have ranks of several", formatGrouped(shared));
    } else if (!picture.users.empty()) text += " · " + machineText(*picture.users[0].communication);
    // Which machine it is is told once.
    if (text.find(topology.spec()) == std::string::npos) text = topology.spec() + " · " + text;
    return text;
}

}  // namespace

MachinePicture machinePicture(MachinePlanPtr plan, std::vector<MachineUser> users, std::size_t shownUser)
{
    MachinePicture picture;
    picture.plan = std::move(plan);
    picture.users = std::move(users);
    picture.shownUser = shownUser;
    picture.usersOfNode.resize(picture.topology().nodes(), 0);
    std::vector<std::uint64_t> loads(picture.topology().links(), 0);
    for (std::size_t user = 0; user < picture.users.size(); ++user) {
        const SessionCommunication& communication = *picture.users[user].communication;
        const Placement& placement = communication.machine->placement;
        const auto bit = static_cast<std::uint8_t>(1u << std::min<std::size_t>(user, kUserBits));
        for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank)
            picture.usersOfNode[placement.nodeOf(rank)] |= bit;
        // Where routes were recorded between nodes, these are who runs there.
        if (placement.ranks() == 0)
            for (const NodePair& pair : communication.traffic.pairs) {
                picture.usersOfNode[pair.from] |= bit;
                if (pair.to < picture.usersOfNode.size()) picture.usersOfNode[pair.to] |= bit;
            }
        if (shownUser < picture.users.size() && shownUser != user) continue;
        picture.unit = communication.traffic.unit;
        communication.traffic.loads.forEach(
            [&](LinkIndex link, std::uint64_t amount) { loads[link] += amount; });
    }
    for (LinkIndex link = 0; link < loads.size(); ++link)
        if (loads[link] > 0) picture.order.push_back(link);
    std::stable_sort(picture.order.begin(), picture.order.end(),
                     [&](LinkIndex a, LinkIndex b) { return loads[a] > loads[b]; });
    picture.most = picture.order.empty() ? 0 : loads[picture.order.front()];
    picture.loads = LinkAmounts(std::move(loads));
    picture.head = machineHead(picture);
    return picture;
}

void shareScale(MachinePicture& left, MachinePicture& right)
{
    left.most = right.most = std::max(left.most, right.most);
}

MachinePicture machineDifference(const MachinePicture& before, const MachinePicture& after)
{
    MachinePicture picture = after;
    picture.changes.assign(picture.topology().links(), 0);
    picture.order.clear();
    picture.most = 0;
    for (LinkIndex link = 0; link < picture.changes.size(); ++link) {
        const auto change =
            static_cast<std::int64_t>(after.loads[link]) - static_cast<std::int64_t>(before.loads[link]);
        picture.changes[link] = change;
        if (change == 0) continue;
        picture.order.push_back(link);
        picture.most = std::max(picture.most, static_cast<std::uint64_t>(std::abs(change)));
    }
    std::stable_sort(picture.order.begin(), picture.order.end(), [&](LinkIndex a, LinkIndex b) {
        return std::abs(picture.changes[a]) > std::abs(picture.changes[b]);
    });
    picture.head = loadChangeText(picture.changes, picture.unit);
    return picture;
}

void markSelected(const Session& session, const ViewState& state, MachinePicture& picture)
{
    picture.selected.clear();
    for (const LinkRef& link : state.selected.links)
        if (link.index < picture.topology().links()) picture.selected.push_back(link);
    picture.selectedNodes.clear();
    std::vector<char> nodes(picture.topology().vertices(), 0);
    bool any = false;
    for (const NodeRef& node : state.selected.nodes)
        if (node.index < nodes.size()) {
            nodes[node.index] = 1;
            any = true;
        }
    for (const MachineUser& user : picture.users) {
        const std::uint32_t experiment = user.communication->request.experiment;
        const Placement& placement = user.communication->machine->placement;
        const auto mark = [&](std::int64_t rank) {
            if (rank < 0 || rank >= placement.ranks()) return;
            nodes[placement.nodeOf(static_cast<std::uint32_t>(rank))] = 1;
            any = true;
        };
        const std::vector<std::int64_t> ranks =
            ranksOfLocations(session.experiments[experiment]->definitions);
        for (const LocationRef& location : state.selected.locations)
            if (location.experiment == experiment && location.id.index() < ranks.size())
                mark(ranks[location.id.index()]);
        for (const RankPairRef& pair : state.selected.rankPairs)
            if (pair.experiment == experiment) {
                mark(pair.sender);
                mark(pair.receiver);
            }
    }
    if (any) picture.selectedNodes = std::move(nodes);
}

MachineLayout machineLayout(const MachinePicture& picture, const PlaneView& view, const Canvas& canvas)
{
    MachineLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight(), wide = canvas.width - 2 * pad;
    layout.caption = {pad, 0, wide, canvas.style.caption.empty() ? 0 : line + pad};
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), wide, line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), wide, line};
    const double top = std::ceil(layout.head.bottom() + canvas.px(4));
    layout.body = {0, top, static_cast<double>(canvas.width),
                   std::max(1.0, std::floor(layout.foot.y - canvas.px(4)) - top)};
    layout.view = view;
    if (view.pixels > 0 || picture.plan->points.empty()) return layout;
    PlanePoint low = picture.plan->points[0], high = low;
    for (const PlanePoint& point : picture.plan->points) {
        low = {std::min(low.x, point.x), std::min(low.y, point.y)};
        high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    layout.view =
        fittedView({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, layout.body, canvas.px(4), 160);
    return layout;
}

DrawList machineScene(const MachinePicture& picture, const PlaneView& view, const Canvas& canvas,
                      const Task& task)
{
    return MachinePainter(picture, view, canvas, task).run();
}

MachineHit machineAt(const MachinePicture& picture, const PlaneView& view, Point point, const Canvas& canvas)
{
    const MachineLayout layout = machineLayout(picture, view, canvas);
    MachineHit hit;
    if (!layout.body.contains(point)) return hit;
    double nearest = std::clamp(0.2 * layout.view.pixels, canvas.px(2) * 1.0, canvas.px(10));
    for (VertexIndex vertex = 0; vertex < picture.topology().vertices(); ++vertex) {
        const Point at = layout.toCanvas(picture.plan->points[vertex]);
        const double away = std::hypot(at.x - point.x, at.y - point.y);
        if (away >= nearest) continue;
        nearest = away;
        hit.vertex = vertex;
    }
    if (hit.vertex) return hit;
    nearest = canvas.px(kLinkReachPx);
    // Of the two directions of a cable that on whose side the point lies.
    const auto ask = [&](LinkIndex link, PlanePoint a, PlanePoint b) {
        const Point from = layout.toCanvas(a), to = layout.toCanvas(b);
        const double side = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
        const double away = distanceToLine(from, to, point) + (side < 0 ? 0.5 : 0);
        if (away >= nearest) return;
        nearest = away;
        hit.link = link;
    };
    for (const LinkIndex link : picture.order) {
        const LinkPlace place = placeOf(*picture.plan, link);
        ask(link, place.from, place.to);
        if (place.around) ask(link, place.secondFrom, place.secondTo);
    }
    return hit;
}

std::vector<std::string> machineTooltip(const MachinePicture& picture, const MachineHit& hit)
{
    std::vector<std::string> lines;
    if (hit.link) {
        lines.push_back("Link " + picture.topology().linkName(*hit.link));
        lines.push_back("Load " + machineLoadText(picture, picture.loads[*hit.link]));
        if (!picture.changes.empty()) {
            const std::int64_t change = picture.changes[*hit.link];
            lines.push_back(machineLoadText(picture, static_cast<std::uint64_t>(std::abs(change)))
                            + (change < 0 ? " less than before" : " more than before"));
        }
        if (picture.users.size() > 1)
            for (const MachineUser& user : picture.users)
                lines.push_back(
                    fmt::format("{}: {}", user.name,
                                machineLoadText(picture, user.communication->traffic.loads[*hit.link])));
    }
    if (!hit.vertex) return lines;
    const bool router = *hit.vertex >= picture.topology().nodes();
    lines.push_back((router ? "" : "Node ") + picture.topology().vertexName(*hit.vertex));
    for (const MachineUser& user : picture.users) {
        const Placement& placement = user.communication->machine->placement;
        std::string ranks;
        for (std::uint32_t rank = 0; rank < placement.ranks() && ranks.size() < 80; ++rank)
            if (placement.nodeOf(rank) == *hit.vertex)
                ranks += fmt::format("{}{}", ranks.empty() ? "" : ", ", rank);
        if (!ranks.empty()) lines.push_back(fmt::format("{}: ranks {}", user.name, ranks));
    }
    if (!router && picture.usersOfNode[*hit.vertex] == 0) lines.emplace_back("Free");
    const auto isIn = [&](const std::vector<VertexIndex>& nodes) {
        return std::binary_search(nodes.begin(), nodes.end(), *hit.vertex);
    };
    if (isIn(picture.held.pinned)) lines.emplace_back("Pinned: the next remapping leaves ranks here");
    if (isIn(picture.held.keptFree)) lines.emplace_back("The next remapping places no rank here");
    return lines;
}

Selection selectionOfNode(const Session& session, const MachinePicture& picture, VertexIndex node)
{
    std::vector<LocationRef> locations;
    std::vector<RankPairRef> pairs;
    for (const MachineUser& user : picture.users) {
        const std::uint32_t experiment = user.communication->request.experiment;
        const Placement& placement = user.communication->machine->placement;
        const auto isThere = [&](std::int64_t rank) {
            return rank >= 0 && rank < placement.ranks()
                && placement.nodeOf(static_cast<std::uint32_t>(rank)) == node;
        };
        const std::vector<std::int64_t> ranks =
            ranksOfLocations(session.experiments[experiment]->definitions);
        for (std::uint32_t i = 0; i < ranks.size(); ++i)
            if (isThere(ranks[i])) locations.push_back({experiment, LocationId(i)});
        for (const CommMatrix::Entry& entry : user.communication->matrix->entries())
            if (isThere(entry.sender) || isThere(entry.receiver))
                pairs.push_back({experiment, entry.sender, entry.receiver});
    }
    std::sort(locations.begin(), locations.end());
    std::sort(pairs.begin(), pairs.end());
    Selection chosen = locations.empty() ? Selection() : select(session, locations);
    chosen.rankPairs = std::move(pairs);
    chosen.nodes = {{node}};
    return chosen;
}

}  // namespace skein
