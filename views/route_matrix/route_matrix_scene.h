// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/color/color_stops.h"
#include "views/common/scene/data/session_communication.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/plane_view.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The detailed route view of Fujiwara et al. (VAST 2017), sections 4.4 and 6.2: the machine's adjacency
/// matrix, and routes as horizontal and vertical lines through its cells.
namespace skein {

enum class RouteOutline : std::uint8_t { None, LinkLoad };
/// Along rows and columns, or as a spline through the same places.
enum class RouteWays : std::uint8_t { Straight, CatmullRom };

struct RouteMatrixOptions {
    std::string order;         ///< "Machine", "Ranks", letters of dimensions from slow to fast, or a file
    double topPercent = 5;     ///< of the routes, by the highest load on their links; where none is selected
    std::uint32_t folded = 0;  ///< positions of a block that is folded where no route passes; 0: none is
    RouteOutline outline = RouteOutline::LinkLoad;
    RouteWays ways = RouteWays::Straight;

    bool operator==(const RouteMatrixOptions&) const = default;
};

/// Routes that are drawn at most; the head tells of others.
inline constexpr std::size_t kMostMatrixRoutes = 2000;

/// What is drawn, apart from where. The plane has a unit a position, rows downwards. Immutable; may cross
/// threads.
struct RouteMatrixPicture {
    SessionCommunicationPtr communication;
    RouteMatrixOptions options;
    std::vector<VertexIndex> order;         ///< vertices of the machine by position
    std::vector<std::uint32_t> positionOf;  ///< of each vertex
    std::vector<double> starts;         ///< where each position begins in the plane, and where the last ends
    std::vector<std::uint32_t> blocks;  ///< numbers of positions that are shown as one where room is short
    std::vector<std::uint32_t> routes;  ///< places in traffic.pairs, the highest load first
    std::size_t wanted = 0;             ///< routes that should be shown
    std::vector<LinkRef> selected;      ///< links, ascending
    std::uint64_t mostLoad = 0;         ///< of the links of the routes, or of what changes
    /// Another way of each of the routes, drawn blue beside it; empty: none is known.
    std::vector<std::vector<LinkIndex>> alternatives;
    std::vector<std::int64_t> changes;  ///< of the load of each link; empty: loads are shown
    std::vector<std::string> notes;     ///< on top of the picture
    ColorStops stops;
    std::string head;

    const Topology& topology() const { return *communication->machine->topology; }
    double side() const { return starts.back(); }
    double middleOf(VertexIndex vertex) const
    {
        const std::uint32_t at = positionOf[vertex];
        return (starts[at] + starts[at + 1]) / 2;
    }
};
using RouteMatrixPicturePtr = std::shared_ptr<const RouteMatrixPicture>;

/// What the choice of orders offers.
std::vector<std::string> routeMatrixOrders(const SessionCommunication& communication);
/// Numbers of positions of blocks that can be folded: products of the last dimensions.
std::vector<std::uint32_t> routeMatrixBlocks(const Topology& topology);

/// Errors: NotRecorded without a machine or routes; InvalidArgument for an order that names no vertices, or
/// some twice; Io for a file that cannot be read; Cancelled. `like`: of the same machine; positions are those
/// of its nodes. O(vertices log + hops).
Result<RouteMatrixPicturePtr> routeMatrixPicture(SessionCommunicationPtr communication,
                                                 const RouteMatrixOptions& options, const ViewState& state,
                                                 const Task& task, const RouteMatrixPicture* like = nullptr);

/// How routes and loads of `before` change: the routes of the same nodes that take another way, with the
/// alternative and the greatest reduction of the highest load first, and what each link carries more or less.
/// `after` is on the same machine. O(hops + links).
RouteMatrixPicturePtr routeMatrixDifference(const RouteMatrixPicture& before,
                                            const SessionCommunication& after);

/// A pair of nodes with its routes before and after, as places in the pairs of either traffic; nullopt: the
/// two exchange nothing there.
struct RouteBeforeAfter {
    VertexIndex from = 0, to = 0;
    std::optional<std::uint32_t> before = {}, after = {};
    std::uint64_t loadBefore = 0, loadAfter = 0;  ///< highest on the links of the way; 0: no route

    bool operator==(const RouteBeforeAfter&) const = default;
};

/// The pairs of nodes whose bytes, messages, way or highest load on it differ, the greatest change of the
/// highest load first: up to kMostMatrixRoutes. Both are on the same machine and have routes. O(hops + pairs
/// log).
std::vector<RouteBeforeAfter> routesThatDiffer(const SessionCommunication& before,
                                               const SessionCommunication& after);
/// Those whose routes are shown on either side, those of `shownBefore` first; both are places in the pairs of
/// their traffic.
std::vector<RouteBeforeAfter> routesOfBoth(const SessionCommunication& before,
                                           const std::vector<std::uint32_t>& shownBefore,
                                           const SessionCommunication& after,
                                           const std::vector<std::uint32_t>& shownAfter);

struct RouteMatrixLayout : PlaneFrame {
    Rect caption, head, foot;
};
RouteMatrixLayout routeMatrixLayout(const RouteMatrixPicture& picture, const PlaneView& view,
                                    const Canvas& canvas);

/// Grey cells where vertices are adjacent; a route leaves its source (a blue square on the diagonal) along
/// the row to the cell of its next hop and down or up to that vertex, and ends at a red circle. Cells of less
/// than 3 pixels are joined by blocks of the lowest dimensions; marks and lines stay. O(links + hops).
DrawList routeMatrixScene(const RouteMatrixPicture& picture, const PlaneView& view, const Canvas& canvas,
                          const Task& task);

/// The plane around a point, larger, with cells of its own.
void drawRouteLens(DrawList& list, const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                   Point at, const Canvas& canvas);

/// The cell at a point: a vertex of the row and one of the column.
std::optional<std::pair<VertexIndex, VertexIndex>> routeCellAt(const RouteMatrixPicture& picture,
                                                               const RouteMatrixLayout& layout, Point point);
/// The shown route with a line or mark at a point, within 4 logical pixels, as a place in traffic.pairs.
std::optional<std::uint32_t> matrixRouteAt(const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                                           Point point, const Canvas& canvas);
std::vector<std::string> routeMatrixTooltip(const RouteMatrixPicture& picture,
                                            const RouteMatrixLayout& layout, Point point,
                                            const Canvas& canvas);

}  // namespace skein
