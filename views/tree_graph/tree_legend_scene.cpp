// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_legend_scene.h"

#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kStripWidth = 220;  ///< logical pixels
constexpr double kStripHeight = 12;
constexpr double kLegendMargin = 12;
constexpr int kSizesShown = 3;

/// Words in a box that they fit.
double legendWords(DrawList& list, const Canvas& canvas, Point corner, double most, const std::string& words,
                   Color color, FontStyle style = FontStyle::Small)
{
    const std::string text = elideMiddle(words, most, style, canvas.measure);
    if (text.empty()) return 0;
    const double width = std::ceil(canvas.measure.width(text, style)) + 1;
    list.text({corner.x, corner.y, width, canvas.lineHeight(style)}, text, color, style);
    return width;
}

class TreeLegends {
public:
    TreeLegends(DrawList& list, const TreeGraph& graph, const TreeGraphOptions& options,
                const TreeGraphLayout& layout, const Canvas& canvas)
        : list_(list),
          graph_(graph),
          options_(options),
          layout_(layout),
          canvas_(canvas),
          theme_(canvas.theme()),
          line_(canvas.lineHeight()),
          top_(layout.legend.y + canvas.px(5))
    {
    }

    void draw()
    {
        list_.fillRect(layout_.legend, theme_.panel);
        list_.fillRect({layout_.legend.x, layout_.legend.bottom() - 1, layout_.legend.width, 1},
                       theme_.frame);
        list_.pushClip(layout_.legend);
        double x = layout_.legend.x + canvas_.px(kLegendMargin);
        x = drawColors(x) + canvas_.px(2 * kLegendMargin);
        x = drawSizes(x) + canvas_.px(2 * kLegendMargin);
        drawCount(x);
        list_.popClip();
        if (options_.unit == ScaleUnit::EachTree) drawTreeRanges();
    }

private:
    bool eachTree() const { return options_.unit == ScaleUnit::EachTree; }

    double drawColors(double x)
    {
        const double width = std::min(canvas_.px(kStripWidth), layout_.legend.width / 3);
        const std::pair range{graph_.color.least, graph_.color.greatest};
        legendWords(list_, canvas_, {x, top_}, width, "Colour: " + graph_.color.name, theme_.text);
        const double y = top_ + line_ + canvas_.px(2), height = canvas_.px(kStripHeight);
        for (double at = 0; at < width; ++at) {
            const double value = range.first + (range.second - range.first) * (at + 0.5) / width;
            list_.fillRect({x + at, y, 1, height}, scaleColor(graph_.color, range, options_, theme_, value));
        }
        drawEnds(x, y + height, width, range);
        return x + width;
    }

    void drawEnds(double x, double y, double width, std::pair<double, double> range)
    {
        if (eachTree()) {
            legendWords(list_, canvas_, {x, y}, width, "least … greatest of each tree", theme_.secondaryText);
            return;
        }
        const std::string least = formatAmount(range.first, graph_.color.unit);
        const std::string greatest = formatAmount(range.second, graph_.color.unit);
        const double used = legendWords(list_, canvas_, {x, y}, width, least, theme_.secondaryText);
        const double wanted = std::ceil(canvas_.measure.width(greatest, FontStyle::Small)) + 1;
        if (used + wanted + canvas_.px(8) > width) return;
        list_.text({x + width - wanted, y, wanted, line_}, greatest, theme_.secondaryText, FontStyle::Small,
                   Align::Right);
        const double middle = colorMiddle(graph_.color, range);
        if ((options_.map != ColorMap::Diverging && !graph_.color.isDifference)
            || range.second <= range.first)
            return;
        const std::string text = formatAmount(middle, graph_.color.unit);
        const double size = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
        const double at = x + width * (middle - range.first) / (range.second - range.first) - size / 2;
        if (at > x + used + canvas_.px(6) && at + size < x + width - wanted - canvas_.px(6))
            list_.text({at, y, size, line_}, text, theme_.secondaryText, FontStyle::Small);
    }

    double drawSizes(double x)
    {
        const double most = std::max(0.0, layout_.legend.width / 3);
        const double named =
            legendWords(list_, canvas_, {x, top_}, most, "Area: " + graph_.size.name, theme_.text);
        double at = x;
        const double least = std::min(0.0, graph_.size.least);
        const double middle = top_ + line_ + canvas_.px(13);
        for (int step = 0; step < kSizesShown; ++step) {
            const double part = static_cast<double>(step) / (kSizesShown - 1);
            const double drawn = options_.sizes == ColorDirection::Falling ? 1 - part : part;
            const double small = canvas_.px(4), large = canvas_.px(12);
            const double radius =
                std::round(std::sqrt(small * small + drawn * (large * large - small * small)));
            list_.items.push_back(RectItem{{at, middle - radius, 2 * radius, 2 * radius},
                                           theme_.background,
                                           theme_.secondaryText,
                                           canvas_.px(1),
                                           radius,
                                           {}});
            at += 2 * radius + canvas_.px(4);
            const double value = least + part * (graph_.size.greatest - least);
            const std::string words = eachTree() ? (step == 0       ? "least"
                                                        : step == 1 ? ""
                                                                    : "greatest of each tree")
                                                 : formatAmount(value, graph_.size.unit);
            at += legendWords(list_, canvas_, {at, middle - line_ / 2}, most, words, theme_.secondaryText)
                + canvas_.px(10);
        }
        return std::max(x + named, at);
    }

    void drawCount(double x)
    {
        const double room = layout_.legend.right() - x - canvas_.px(kLegendMargin);
        std::vector<std::pair<std::string, Color>> lines;
        for (std::string& words : treeCountLines(graph_)) lines.emplace_back(std::move(words), theme_.text);
        if (!graph_.sums->spreads.empty())
            lines.emplace_back("Bars below a node: locations, from nothing to the greatest amount of one",
                               theme_.secondaryText);
        const double height = line_ + (lines.size() > 2 ? 0 : canvas_.px(4));
        for (std::size_t at = 0; at < lines.size(); ++at)
            legendWords(list_, canvas_, {x, top_ + static_cast<double>(at) * height}, room, lines[at].first,
                        lines[at].second);
    }

    void drawTreeRanges()
    {
        list_.pushClip(layout_.body);
        for (std::uint32_t node = 0; node < graph_.shown.nodes.size(); ++node) {
            const ShownNode& shown = graph_.shown.nodes[node];
            if (shown.parent != kNoShownNode) continue;
            const Point at = layout_.place(graph_, node);
            if (at.y < layout_.body.y || at.y > layout_.body.bottom() || layout_.camera.rowHeight < 2 * line_)
                continue;
            const auto [least, greatest] = graph_.color.ofTree[shown.tree];
            legendWords(
                list_, canvas_, {at.x, at.y + layout_.largestRadius + canvas_.px(12)}, canvas_.px(220),
                formatAmount(least, graph_.color.unit) + " … " + formatAmount(greatest, graph_.color.unit),
                theme_.secondaryText);
        }
        list_.popClip();
    }

    DrawList& list_;
    const TreeGraph& graph_;
    const TreeGraphOptions& options_;
    const TreeGraphLayout& layout_;
    const Canvas& canvas_;
    const Theme& theme_;
    double line_, top_;
};

}  // namespace

void drawTreeLegends(DrawList& list, const TreeGraph& graph, const TreeGraphOptions& options,
                     const TreeGraphLayout& layout, const Canvas& canvas)
{
    TreeLegends(list, graph, options, layout, canvas).draw();
}

}  // namespace skein
