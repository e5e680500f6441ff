// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine_setup/machine_sketch_scene.h"

#include "core/base/units.h"
#include "core/machine/topology_builders.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

/// Beyond this a dot would be less than a pixel.
constexpr std::uint32_t kMostDots = 1u << 17;
constexpr std::uint32_t kMostSketchedLinks = 20'000;
/// Gap between blocks of a dimension, of their size.
constexpr double kBlockGap = 0.35;

/// Nested blocks: the last dimension to the right, the one before it down, and so on.
std::vector<Point> nestedPlaces(std::span<const GridDimension> dimensions, std::uint32_t nodes)
{
    std::vector<double> step(dimensions.size(), 1);
    double width = 1, height = 1;
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        const bool across = (dimensions.size() - 1 - i) % 2 == 0;
        double& extent = across ? width : height;
        step[i] = extent * (dimensions.size() - i > 2 ? 1 + kBlockGap : 1);
        extent = step[i] * (dimensions[i].size - 1) + extent;
    }
    std::vector<Point> places(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        std::uint32_t rest = node;
        for (std::size_t i = dimensions.size(); i-- > 0;) {
            const bool across = (dimensions.size() - 1 - i) % 2 == 0;
            (across ? places[node].x : places[node].y) += step[i] * (rest % dimensions[i].size);
            rest /= dimensions[i].size;
        }
    }
    return places;
}

/// Spreads the vertices [first, end) over a line of this height.
void placeLine(std::vector<Point>& places, std::size_t first, std::size_t end, double width, double y)
{
    for (std::size_t i = first; i < end; ++i)
        places[i] = {width * (static_cast<double>(i - first) + 0.5) / static_cast<double>(end - first), y};
}

std::vector<Point> levelPlaces(const Topology& topology, const FatTreeShape& tree)
{
    std::vector<Point> places(topology.vertices());
    const double width = std::max(1.0, static_cast<double>(topology.nodes()));
    std::size_t first = 0;
    for (std::size_t level = 0; level <= tree.levels(); ++level) {
        const std::size_t end = first + fatTreeLevelSize(tree, level);
        placeLine(places, first, std::min<std::size_t>(end, places.size()), width,
                  static_cast<double>(tree.levels() - level) * width / 4);
        first = end;
    }
    return places;
}

/// Routers stand in the middle of the nodes that hang on them.
void placeRouters(const Topology& topology, std::vector<Point>& places)
{
    places.resize(topology.vertices());
    for (VertexIndex router = topology.nodes(); router < topology.vertices(); ++router) {
        double count = 0;
        Point sum;
        for (LinkIndex link = topology.firstLink(router); link < topology.firstLink(router + 1); ++link) {
            const VertexIndex node = topology.target(link);
            if (node >= topology.nodes()) continue;
            sum.x += places[node].x;
            sum.y += places[node].y;
            ++count;
        }
        if (count > 0) places[router] = {sum.x / count, sum.y / count - 0.45};
    }
}

std::vector<Point> graphPlaces(const Topology& topology)
{
    const std::uint32_t nodes = topology.nodes(), routers = topology.vertices() - nodes;
    std::vector<Point> places(topology.vertices());
    if (routers == 0) {
        const double pi = std::acos(-1.0);
        for (std::uint32_t node = 0; node < nodes; ++node) {
            const double angle = 2 * pi * node / std::max(1u, nodes);
            places[node] = {std::cos(angle), std::sin(angle)};
        }
        return places;
    }
    placeLine(places, 0, nodes, nodes, nodes / 4.0);
    placeLine(places, nodes, topology.vertices(), nodes, 0);
    return places;
}

class SketchPainter {
public:
    SketchPainter(const MachineSketch& sketch, const Canvas& canvas)
        : topology_(*sketch.topology), canvas_(canvas), used_(topology_.nodes(), 0)
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = canvas.theme().background;
        if (!sketch.machine) return;
        const Placement& placement = sketch.machine->placement;
        for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) ++used_[placement.nodeOf(rank)];
    }

    DrawList draw(const Task& task)
    {
        if (topology_.vertices() > kMostDots) {
            tell(fmt::format("{} nodes are more than a sketch has room for.",
                             formatGrouped(topology_.nodes())));
            return std::move(list_);
        }
        places_ = machinePlaces(topology_);
        if (task.stopRequested()) return std::move(list_);
        fit();
        drawLinks();
        for (VertexIndex vertex = 0; vertex < topology_.vertices(); ++vertex) drawVertex(vertex);
        drawLegend();
        return std::move(list_);
    }

private:
    void tell(const std::string& text)
    {
        list_.text({0, 0, static_cast<double>(canvas_.width), static_cast<double>(canvas_.height)}, text,
                   canvas_.theme().secondaryText, FontStyle::Small, Align::Center);
    }

    /// Scales places to the picture; both directions alike unless one would be very small.
    void fit()
    {
        Point low = places_.front(), high = places_.front();
        for (const Point& place : places_) {
            low = {std::min(low.x, place.x), std::min(low.y, place.y)};
            high = {std::max(high.x, place.x), std::max(high.y, place.y)};
        }
        const double pad = canvas_.px(16), foot = canvas_.lineHeight() + canvas_.px(8);
        const double width = canvas_.width - 2 * pad, height = canvas_.height - 2 * pad - foot;
        const double spanX = std::max(1e-9, high.x - low.x), spanY = std::max(1e-9, high.y - low.y);
        double scaleX = width / spanX, scaleY = height / spanY;
        constexpr double kMostStretch = 4;
        scaleX = std::min(scaleX, kMostStretch * scaleY);
        scaleY = std::min(scaleY, kMostStretch * scaleX);
        scaleX = std::min(scaleX, canvas_.px(64));
        scaleY = std::min(scaleY, canvas_.px(64));
        const double left = pad + (width - scaleX * spanX) / 2, top = pad + (height - scaleY * spanY) / 2;
        for (Point& place : places_)
            place = {left + (place.x - low.x) * scaleX, top + (place.y - low.y) * scaleY};
        const double room = std::sqrt(std::max(1.0, width * height) / static_cast<double>(places_.size()));
        dot_ = std::clamp(std::min({room / 3, scaleX / 3, canvas_.px(7)}), 1.0, canvas_.px(7));
    }

    /// Rings close behind the nodes: their longest links would hide what is between.
    bool sketched(LinkIndex link) const
    {
        if (!topology_.isGrid()) return true;
        const auto a = topology_.coordinates(topology_.source(link));
        const auto b = topology_.coordinates(topology_.target(link));
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (std::max(a[i], b[i]) - std::min(a[i], b[i]) > 1) return false;
        }
        return true;
    }

    void drawLinks()
    {
        if (topology_.links() > kMostSketchedLinks) return;
        for (LinkIndex link = 0; link < topology_.links(); ++link) {
            const VertexIndex from = topology_.source(link), to = topology_.target(link);
            if (from < to && sketched(link))
                list_.line(places_[from], places_[to], canvas_.theme().grid, canvas_.px(1));
        }
    }

    void drawVertex(VertexIndex vertex)
    {
        const Theme& theme = canvas_.theme();
        const Point at = places_[vertex];
        const bool router = vertex >= topology_.nodes();
        const Rect box{at.x - dot_, at.y - dot_, 2 * dot_, 2 * dot_};
        RectItem item{box, theme.background, theme.secondaryText, canvas_.px(1), router ? 0 : dot_, {}};
        if (router) item.fill = theme.panel;
        else if (used_[vertex] > 0) item.fill = item.stroke = theme.message;
        list_.items.push_back(item);
    }

    void drawLegend()
    {
        const auto used = std::ranges::count_if(used_, [](std::uint32_t ranks) { return ranks > 0; });
        std::string text =
            fmt::format("{} of {} nodes run ranks", formatGrouped(used), formatGrouped(topology_.nodes()));
        if (topology_.vertices() > topology_.nodes()) text += " · squares are routers";
        if (topology_.links() > kMostSketchedLinks) text += " · links are too many to be sketched";
        const double line = canvas_.lineHeight();
        list_.text({canvas_.px(8), canvas_.height - line - canvas_.px(4),
                    static_cast<double>(canvas_.width) - canvas_.px(16), line},
                   elideMiddle(text, canvas_.width - canvas_.px(16), FontStyle::Small, canvas_.measure),
                   canvas_.theme().secondaryText, FontStyle::Small);
    }

    const Topology& topology_;
    const Canvas& canvas_;
    std::vector<std::uint32_t> used_;
    std::vector<Point> places_;
    double dot_ = 1;
    DrawList list_;
};

}  // namespace

std::vector<Point> machinePlaces(const Topology& topology)
{
    if (topology.nodes() == 0) return {Point()};
    if (const auto* tree = std::get_if<FatTreeShape>(&topology.shape())) return levelPlaces(topology, *tree);
    if (std::holds_alternative<GraphShape>(topology.shape())) return graphPlaces(topology);
    std::vector<Point> places = nestedPlaces(topology.numbering(), topology.nodes());
    placeRouters(topology, places);
    return places;
}

DrawList machineSketchScene(const MachineSketch& sketch, const Canvas& canvas, const Task& task)
{
    return SketchPainter(sketch, canvas).draw(task);
}

}  // namespace skein
