// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr double kLargestNodePx = 18, kSmallestNodePx = 3;
constexpr double kHighestNodeRow = 44, kWidestNodeLevel = 260;
constexpr double kLastLabelPx = 190;  ///< room behind the last level
constexpr double kNodeReachPx = 4;

std::string signedDuration(TimeNs ns)
{
    return (ns < 0 ? "−" : "+") + formatDuration(std::abs(static_cast<double>(ns)));
}

bool isDragged(const StructurePicture& picture, std::size_t execution, std::uint32_t node)
{
    return !picture.draggedPx.empty()
        && (picture.draggedPx[execution][node].x != 0 || picture.draggedPx[execution][node].y != 0);
}

/// No node leaves its pane.
void addDragged(StructurePane& pane, const StructurePicture& picture, const Canvas& canvas)
{
    if (picture.draggedPx.empty()) return;
    const double edge = canvas.px(kSmallestNodePx);
    for (std::uint32_t node = 0; node < pane.nodes.size(); ++node) {
        if (!isDragged(picture, pane.execution, node)) continue;
        const PlanePoint& by = picture.draggedPx[pane.execution][node];
        Point& at = pane.nodes[node];
        at = {std::round(at.x + by.x * canvas.px(1)), std::round(at.y + by.y * canvas.px(1))};
        at.x = std::max(pane.body.x + edge, std::min(at.x, pane.body.right() - edge));
        at.y = std::max(pane.body.y + edge, std::min(at.y, pane.body.bottom() - edge));
    }
}

/// From places of the layout to pixels of a pane.
void placeNodes(StructurePane& pane, const StructurePicture& picture, const Canvas& canvas)
{
    const PlacedExecution& placed = picture.placed[pane.execution];
    PlanePoint low{1e300, 1e300}, high{-1e300, -1e300};
    for (const PlanePoint& place : placed.places) {
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const bool tidy = picture.options.shape == StructureShape::Tidy;
    const double margin = canvas.px(kLargestNodePx + 6);
    const double after = std::min(canvas.px(kLastLabelPx), pane.body.width / 3);
    const double wide = std::max(1.0, pane.body.width - margin - after);
    const double tall = std::max(1.0, pane.body.height - 2 * margin);
    double sx = wide / std::max(1e-9, high.x - low.x), sy = tall / std::max(1e-9, high.y - low.y);
    if (tidy) {
        sx = std::min(sx, canvas.px(kWidestNodeLevel));
        sy = std::min(sy, canvas.px(kHighestNodeRow));
    } else sx = sy = std::min({sx, sy, canvas.px(kWidestNodeLevel)});
    const double left =
        tidy ? pane.body.x + margin : pane.body.x + margin + (wide - sx * (high.x - low.x)) / 2;
    const double top = pane.body.y + (pane.body.height - sy * (high.y - low.y)) / 2;
    for (const PlanePoint& place : placed.places)
        pane.nodes.push_back(
            {std::round(left + (place.x - low.x) * sx), std::round(top + (place.y - low.y) * sy)});
    addDragged(pane, picture, canvas);
    const double room = tidy ? sy / 2 - canvas.px(1) : sx * 0.36;
    const double largest = std::clamp(room, canvas.px(kSmallestNodePx + 1), canvas.px(kLargestNodePx));
    const ComparedExecution& execution = picture.data->executions[pane.execution];
    const double most = std::max(1.0,
                                 static_cast<double>(std::max(execution.first.nodes[0].durationNs,
                                                              execution.second.nodes[0].durationNs)));
    for (const std::uint32_t node : placed.opened.nodes) {
        const ExecutionNode* each = executionNode(execution, pane.side, node);
        const double part = each ? std::sqrt(static_cast<double>(each->durationNs) / most) : 0.0;
        pane.radii.push_back(std::max(canvas.px(kSmallestNodePx), largest * std::min(1.0, part)));
    }
}

class StructurePainter {
public:
    StructurePainter(const StructurePicture& picture, const ViewState& state, const Canvas& canvas)
        : picture_(picture),
          state_(state),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(structureLayout(picture, canvas)),
          palettes_(palettesOf(RegionGroups(*picture.data->session, state.grouping), canvas.theme()))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        for (const StructurePane& pane : layout_.panes) {
            list_.pushClip({pane.body.x, pane.title.y, pane.body.width, pane.body.bottom() - pane.title.y});
            drawTitle(pane);
            drawEdges(pane);
            for (std::uint32_t node = 0; node < pane.nodes.size(); ++node) drawNode(pane, node);
            drawLabels(pane);
            list_.popClip();
            if (pane.side == StructureSide::Twin)
                list_.fillRect({pane.body.x - canvas_.px(1), pane.title.y, canvas_.px(1),
                                pane.body.bottom() - pane.title.y},
                               theme_.frame);
            if (pane.execution > 0 && pane.side == StructureSide::Execution)
                list_.fillRect(
                    {0, pane.title.y - canvas_.px(3), static_cast<double>(canvas_.width), canvas_.px(1)},
                    theme_.frame);
        }
        drawLegend();
        return std::move(list_);
    }

private:
    const ComparedExecution& executionOf(const StructurePane& pane) const
    {
        return picture_.data->executions[pane.execution];
    }

    std::string titleText(const StructurePane& pane) const
    {
        const ComparedExecution& execution = executionOf(pane);
        const auto took = [](const ExecutionTree& tree) {
            return formatDuration(static_cast<double>(tree.nodes[0].durationNs));
        };
        if (pane.side == StructureSide::Twin)
            return fmt::format("Normal twin: {}, {}", callTitle(*picture_.data->session, *execution.twin),
                               took(execution.second));
        const std::string what = callTitle(*picture_.data->session, execution.of);
        if (!execution.twin)
            return fmt::format("{}, {}: no other normal execution to compare with", what,
                               took(execution.first));
        const TimeNs differs = execution.alignment.nodes[0].belowNs;
        return fmt::format("{}, {}: {} {} than its normal twin", what, took(execution.first),
                           formatDuration(std::abs(static_cast<double>(differs))),
                           differs < 0 ? "shorter" : "longer");
    }

    void drawTitle(const StructurePane& pane)
    {
        list_.text(pane.title,
                   elideMiddle(titleText(pane), pane.title.width, FontStyle::Bold, canvas_.measure),
                   theme_.text, FontStyle::Bold);
    }

    /// 1: this much longer is nothing else in the execution, −1: shorter.
    double strengthOf(const StructurePane& pane, TimeNs differs) const
    {
        const auto& all = picture_.placed[pane.execution].differenceNs;
        double most = 1.0;
        for (const TimeNs each : all) most = std::max(most, std::abs(static_cast<double>(each)));
        return static_cast<double>(differs) / most;
    }

    /// Of the ring around a node and the edge to it; transparent where nothing is to be told.
    Color differenceColor(const StructurePane& pane, std::uint32_t node) const
    {
        const PlacedExecution& placed = picture_.placed[pane.execution];
        const AlignedNode& aligned = executionOf(pane).alignment.nodes[placed.opened.nodes[node]];
        if (aligned.extra()) return divergingColor(theme_.dark, 1.0);
        if (aligned.missing()) return divergingColor(theme_.dark, -1.0);
        const double strength = strengthOf(pane, placed.differenceNs[node]);
        if (std::abs(strength) < 0.02) return {0, 0, 0, 0};
        return divergingColor(theme_.dark, (strength < 0 ? -1 : 1) * (0.35 + 0.65 * std::abs(strength)));
    }

    void drawEdges(const StructurePane& pane)
    {
        const PlacedExecution& placed = picture_.placed[pane.execution];
        const bool tidy = picture_.options.shape == StructureShape::Tidy;
        for (std::uint32_t node = 0; node < pane.nodes.size(); ++node) {
            const std::uint32_t parent = placed.opened.parents[node];
            if (parent == kNoNode) continue;
            const AlignedNode& aligned = executionOf(pane).alignment.nodes[placed.opened.nodes[node]];
            const bool alone = aligned.extra() || aligned.missing();
            const Color color =
                alone ? differenceColor(pane, node) : mix(theme_.grid, theme_.secondaryText, 0.5);
            const double width = canvas_.px(alone ? 2 : 1);
            const Point from = pane.nodes[parent], to = pane.nodes[node];
            const bool dragged =
                isDragged(picture_, pane.execution, node) || isDragged(picture_, pane.execution, parent);
            if (!tidy || dragged) {
                list_.line(from, to, color, width);
                continue;
            }
            const double bend = std::round(to.x - std::min(canvas_.px(26), (to.x - from.x) / 3));
            list_.fillRect({from.x, from.y, bend - from.x, width}, color);
            list_.fillRect({bend, std::min(from.y, to.y), width, std::abs(to.y - from.y) + width}, color);
            list_.fillRect({bend, to.y, std::max(0.0, to.x - bend), width}, color);
        }
    }

    void drawCircle(Point middle, double radius, Color fill, Color edge, double width)
    {
        list_.items.push_back(RectItem{
            {middle.x - radius, middle.y - radius, 2 * radius, 2 * radius}, fill, edge, width, radius, {}});
    }

    void drawNode(const StructurePane& pane, std::uint32_t node)
    {
        const PlacedExecution& placed = picture_.placed[pane.execution];
        const ComparedExecution& execution = executionOf(pane);
        const std::uint32_t number = placed.opened.nodes[node];
        const double radius = pane.radii[node];
        const Point at = pane.nodes[node];
        const Color ring = differenceColor(pane, node);
        if (!executionNode(execution, pane.side, number))  // a place that the other tree fills
            return drawCircle(at, radius, theme_.background, ring, canvas_.px(1.5));
        const auto call = callOfNode(execution, pane.side, number);
        const auto& chosen = state_.selected.intervals;
        if (call && number > 0 && std::binary_search(chosen.begin(), chosen.end(), *call))
            drawCircle(at, radius + canvas_.px(5), theme_.accent, theme_.accent, canvas_.px(1));
        if (ring.alpha > 0 && pane.side == StructureSide::Execution)
            drawCircle(at, radius + canvas_.px(3), ring, ring, canvas_.px(1));
        if (ring.alpha > 0 && pane.side == StructureSide::Twin && execution.alignment.nodes[number].missing())
            drawCircle(at, radius + canvas_.px(3), ring, ring, canvas_.px(1));
        const bool odd =
            pane.side == StructureSide::Execution && placed.labels[node] == AnomalyLabel::Anomaly;
        drawCircle(at, radius, functionColor(execution, number), odd ? theme_.text : theme_.secondaryText,
                   canvas_.px(odd ? 2.5 : 1));
    }

    Color functionColor(const ComparedExecution& execution, std::uint32_t number) const
    {
        const RegionPalette& palette = palettes_[execution.of.experiment];
        const std::uint32_t function = functionNumber(execution, number);
        return function < palette.argb.size() ? palette.color(RegionId(function)) : theme_.secondaryText;
    }

    std::string labelText(const StructurePane& pane, std::uint32_t node) const
    {
        const PlacedExecution& placed = picture_.placed[pane.execution];
        const ComparedExecution& execution = executionOf(pane);
        const std::uint32_t number = placed.opened.nodes[node];
        const ExecutionNode* each = executionNode(execution, pane.side, number);
        const std::string name = functionOfNode(*picture_.data, execution, number);
        const AlignedNode& aligned = execution.alignment.nodes[number];
        if (!each)
            return pane.side == StructureSide::Execution
                ? name + " missing " + signedDuration(placed.differenceNs[node])
                : name + " not here";
        std::string text = name;
        if (each->calls > 1) text += fmt::format(" ×{}", each->calls);
        if (placed.opened.hidden[node] > 0) text += " …";
        if (aligned.extra()) text += " extra";
        if (pane.side == StructureSide::Twin)
            return text + " " + formatDuration(static_cast<double>(each->durationNs));
        const TimeNs differs = placed.differenceNs[node];
        return execution.twin && differs != 0
            ? text + " " + signedDuration(differs)
            : text + " " + formatDuration(static_cast<double>(each->durationNs));
    }

    /// The box of a label, and how wide its text may be.
    Rect labelBox(const StructurePane& pane, std::uint32_t node, const std::vector<bool>& inner) const
    {
        const Point at = pane.nodes[node];
        const double line = canvas_.lineHeight(), left = at.x + pane.radii[node] + canvas_.px(6);
        const bool above = inner[node] && picture_.options.shape == StructureShape::Tidy;
        const double top = above ? at.y - line - canvas_.px(1) : at.y - line / 2;
        double right = pane.body.right() - canvas_.px(4);
        if (above) right = std::min(right, nextLevel(pane, node) - canvas_.px(10));
        return {left, top, std::max(0.0, right - left), line};
    }

    double nextLevel(const StructurePane& pane, std::uint32_t node) const
    {
        const auto& parents = picture_.placed[pane.execution].opened.parents;
        for (std::uint32_t child = node + 1; child < parents.size(); ++child)
            if (parents[child] == node) return pane.nodes[child].x - canvas_.px(16);
        return pane.body.right();
    }

    /// What differs most first; a label that would lie upon another one is left out.
    void drawLabels(const StructurePane& pane)
    {
        const PlacedExecution& placed = picture_.placed[pane.execution];
        std::vector<bool> inner(pane.nodes.size(), false);
        for (const std::uint32_t parent : placed.opened.parents)
            if (parent != kNoNode) inner[parent] = true;
        std::vector<std::uint32_t> order(pane.nodes.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(a != 0, -std::abs(placed.differenceNs[a]))
                < std::pair(b != 0, -std::abs(placed.differenceNs[b]));
        });
        std::vector<Rect> taken;
        for (std::uint32_t node = 0; node < pane.nodes.size(); ++node) {
            const double radius = pane.radii[node];
            taken.push_back(
                {pane.nodes[node].x - radius, pane.nodes[node].y - radius, 2 * radius, 2 * radius});
        }
        for (const std::uint32_t node : order) {
            const Rect box = labelBox(pane, node, inner);
            const std::string text =
                elideMiddle(labelText(pane, node), box.width, FontStyle::Small, canvas_.measure);
            if (text.empty() || box.y < pane.body.y || box.bottom() > pane.body.bottom()) continue;
            const Rect ink{box.x, box.y, std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1,
                           box.height};
            const Rect core{ink.x, ink.y + 1, ink.width, ink.height - 2};
            if (std::any_of(taken.begin(), taken.end(),
                            [&](const Rect& other) { return other.overlaps(core); }))
                continue;
            taken.push_back(core);
            const bool here =
                executionNode(executionOf(pane), pane.side, placed.opened.nodes[node]) != nullptr;
            list_.text(ink, text, here ? theme_.text : theme_.secondaryText, FontStyle::Small);
        }
    }

    void drawLegend()
    {
        double x = layout_.legend.x;
        const double line = canvas_.lineHeight(), y = layout_.legend.y, middle = y + line / 2;
        const auto words = [&](const std::string& text) {
            const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
            if (x + width > layout_.legend.right()) return;
            list_.text({x, y, width, line}, text, theme_.secondaryText, FontStyle::Small);
            x += width + canvas_.px(16);
        };
        const auto ring = [&](Color color, Color edge, double width) {
            drawCircle({x + canvas_.px(6), middle}, canvas_.px(6), color, color, canvas_.px(1));
            drawCircle({x + canvas_.px(6), middle}, canvas_.px(3.5), theme_.background, edge,
                       canvas_.px(width));
            x += canvas_.px(18);
        };
        words("Area: time · colour: function");
        ring(divergingColor(theme_.dark, 1.0), theme_.secondaryText, 1);
        words("longer, or extra");
        ring(divergingColor(theme_.dark, -1.0), theme_.secondaryText, 1);
        words("shorter, or missing");
        ring(theme_.background, theme_.text, 2.5);
        words("anomaly");
        words("… hides nodes");
        if (picture_.data->selected > picture_.data->executions.size())
            words(fmt::format("the first {} of {} selected calls", picture_.data->executions.size(),
                              picture_.data->selected));
    }

    const StructurePicture& picture_;
    const ViewState& state_;
    const Canvas& canvas_;
    const Theme& theme_;
    StructureLayout layout_;
    std::vector<RegionPalette> palettes_;
    DrawList list_;
};

}  // namespace

StructureLayout structureLayout(const StructurePicture& picture, const Canvas& canvas)
{
    StructureLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight(), bold = canvas.lineHeight(FontStyle::Bold);
    layout.caption = {pad, 0, canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line + pad};
    layout.legend = {pad, canvas.height - line - canvas.px(6), canvas.width - 2 * pad, line};
    const double top = layout.caption.bottom() + canvas.px(4);
    const auto count = static_cast<double>(std::max<std::size_t>(1, picture.placed.size()));
    const double each = std::max(1.0, (layout.legend.y - canvas.px(4) - top) / count);
    for (std::size_t execution = 0; execution < picture.placed.size(); ++execution) {
        const bool both = picture.options.twins && picture.data->executions[execution].twin.has_value();
        const double width = both ? std::floor(canvas.width * 0.54) : static_cast<double>(canvas.width);
        for (const StructureSide side : {StructureSide::Execution, StructureSide::Twin}) {
            if (side == StructureSide::Twin && !both) continue;
            StructurePane pane;
            pane.execution = execution;
            pane.side = side;
            const double left = side == StructureSide::Twin ? width : 0;
            const double room = side == StructureSide::Twin ? canvas.width - width : width;
            const double y = std::floor(top + static_cast<double>(execution) * each);
            pane.title = {left + pad, y, std::max(0.0, room - 2 * pad), bold};
            pane.body = {left, y + bold + canvas.px(2), room, std::max(1.0, each - bold - canvas.px(8))};
            placeNodes(pane, picture, canvas);
            layout.panes.push_back(std::move(pane));
        }
    }
    return layout;
}

DrawList structureScene(const StructurePicture& picture, const ViewState& state, const Canvas& canvas)
{
    return StructurePainter(picture, state, canvas).draw();
}

std::optional<StructureHit> structureNodeAt(const StructurePicture& picture, const Canvas& canvas,
                                            Point point)
{
    std::optional<StructureHit> found;
    double nearest = canvas.px(kNodeReachPx);
    for (const StructurePane& pane : structureLayout(picture, canvas).panes)
        for (std::uint32_t node = 0; node < pane.nodes.size(); ++node) {
            const double beyond =
                std::hypot(pane.nodes[node].x - point.x, pane.nodes[node].y - point.y) - pane.radii[node];
            if (!pane.body.contains(point) || beyond >= nearest) continue;
            nearest = beyond;
            found =
                StructureHit{pane.execution, pane.side, picture.placed[pane.execution].opened.nodes[node]};
        }
    return found;
}

std::vector<std::string> structureTooltip(const StructurePicture& picture, const StructureHit& hit)
{
    const ComparedExecution& execution = picture.data->executions[hit.execution];
    const AlignedNode& node = execution.alignment.nodes[hit.node];
    const auto sentence = [&](StructureSide side, std::string_view who) {
        const ExecutionNode* each = executionNode(execution, side, hit.node);
        if (!each) return fmt::format("{}: none", who);
        const std::string calls = each->calls > 1 ? fmt::format(", {} calls", each->calls) : std::string();
        return fmt::format("{}: {}, {} of its own{}", who,
                           formatDuration(static_cast<double>(each->durationNs)),
                           formatDuration(static_cast<double>(each->ownNs)), calls);
    };
    std::vector<std::string> lines{functionOfNode(*picture.data, execution, hit.node)
                                       + (execution.twin ? " · " + structureKind(node) : std::string()),
                                   sentence(StructureSide::Execution, "This execution")};
    if (!execution.twin) return lines;
    lines.push_back(sentence(StructureSide::Twin, "Normal twin"));
    lines.push_back(fmt::format("Difference: {} of its own, {} with all below",
                                signedDuration(node.differenceNs), signedDuration(node.belowNs)));
    const PlacedExecution& placed = picture.placed[hit.execution];
    if (const std::uint32_t hidden = placed.opened.hidden[placed.opened.placeOf[hit.node]]; hidden > 0)
        lines.push_back(fmt::format("{} nodes below are not shown, {} in all", hidden,
                                    signedDuration(placed.differenceNs[placed.opened.placeOf[hit.node]])));
    if (execution.labels[hit.node] != AnomalyLabel::Normal)
        lines.push_back(std::string(name(execution.labels[hit.node])));
    return lines;
}

}  // namespace skein
