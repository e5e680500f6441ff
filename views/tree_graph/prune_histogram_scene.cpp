// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/prune_histogram_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kHistogramMargin = 10;  ///< logical pixels
constexpr double kHandleWidth = 3;

class Butterfly {
public:
    Butterfly(const PruneHistogram& histogram, double from, double to, const Canvas& canvas)
        : histogram_(histogram),
          from_(from),
          to_(to),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(pruneHistogramLayout(canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const std::string& unit)
    {
        if (histogram_.edges.empty()) return std::move(list_);
        drawBins();
        list_.fillRect({layout_.left, layout_.middle, layout_.right - layout_.left, canvas_.px(1)},
                       theme_.text);
        drawWords(unit);
        drawHandle(from_);
        drawHandle(to_);
        return std::move(list_);
    }

private:
    void drawBins()
    {
        std::uint32_t most = 1;
        for (const auto* counts : {&histogram_.prunable, &histogram_.internal})
            for (const std::uint32_t count : *counts) most = std::max(most, count);
        for (std::size_t bin = 0; bin < histogram_.prunable.size(); ++bin) {
            const double low = histogram_.edges[bin], high = histogram_.edges[bin + 1];
            const bool kept = high >= from_ && low <= to_;
            drawBar(bin, histogram_.prunable[bin], most, kept, true);
            drawBar(bin, histogram_.internal[bin], most, kept, false);
        }
    }

    /// Roots of counts: a bin of one row beside one of thousands is still seen.
    void drawBar(std::size_t bin, std::uint32_t count, std::uint32_t most, bool kept, bool above)
    {
        if (count == 0) return;
        const double step = (layout_.right - layout_.left) / static_cast<double>(histogram_.prunable.size());
        const double left = std::round(layout_.left + step * static_cast<double>(bin));
        const double right = std::round(layout_.left + step * static_cast<double>(bin + 1));
        const Rect& box = above ? layout_.above : layout_.below;
        const double height =
            std::max(canvas_.px(2), std::round(box.height * std::sqrt(static_cast<double>(count) / most)));
        const Color strong = above ? theme_.accent : theme_.secondaryText;
        const Color fill = kept ? strong : mix(strong, theme_.background, 0.7);
        list_.fillRect({left, above ? layout_.middle - height : layout_.middle + canvas_.px(1),
                        std::max(1.0, right - left - 1), height},
                       fill);
    }

    void words(double x, double y, const std::string& text, Align align, Color color)
    {
        const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
        if (width > layout_.right - layout_.left) return;
        const double left = align == Align::Left ? x : x - width;
        list_.text({left, y, width, canvas_.lineHeight()}, text, color, FontStyle::Small);
    }

    void drawWords(const std::string& unit)
    {
        const double line = canvas_.lineHeight();
        words(layout_.left, layout_.above.y - line, "Prunable", Align::Left, theme_.secondaryText);
        words(layout_.right, layout_.above.y - line, "height: √ call paths", Align::Right,
              theme_.secondaryText);
        const double foot = layout_.below.bottom();
        words(layout_.left, foot, "Inner, something greater below", Align::Left, theme_.secondaryText);
        words(layout_.left, foot + line, formatAmount(histogram_.least, unit), Align::Left, theme_.text);
        words(layout_.right, foot + line, formatAmount(histogram_.greatest, unit), Align::Right, theme_.text);
    }

    void drawHandle(double value)
    {
        const double width = canvas_.px(kHandleWidth);
        const double x = std::round(placeOfValue(histogram_, layout_, value) - width / 2);
        list_.fillRect({x, layout_.above.y, width, layout_.below.bottom() - layout_.above.y}, theme_.text);
        list_.fillRect({x - width, layout_.middle - 2 * width, 3 * width, 4 * width}, theme_.text);
    }

    const PruneHistogram& histogram_;
    double from_, to_;
    const Canvas& canvas_;
    const Theme& theme_;
    PruneHistogramLayout layout_;
    DrawList list_;
};

}  // namespace

PruneHistogramLayout pruneHistogramLayout(const Canvas& canvas)
{
    const double margin = canvas.px(kHistogramMargin), line = canvas.lineHeight();
    PruneHistogramLayout layout;
    layout.left = margin;
    layout.right = std::max(margin + 1, canvas.width - margin);
    const double top = margin / 2 + line, bottom = std::max(top + 2, canvas.height - 2 * line - margin / 2);
    layout.middle = std::round((top + bottom) / 2);
    layout.above = {layout.left, top, layout.right - layout.left, layout.middle - top};
    layout.below = {layout.left, layout.middle, layout.right - layout.left, bottom - layout.middle};
    return layout;
}

double placeOfValue(const PruneHistogram& histogram, const PruneHistogramLayout& layout, double value)
{
    if (histogram.edges.size() < 2) return layout.left;
    const auto& edges = histogram.edges;
    const auto above = std::upper_bound(edges.begin(), edges.end(), value);
    if (above == edges.begin()) return layout.left;
    if (above == edges.end()) return layout.right;
    const double low = *(above - 1), high = *above;
    const double bin = static_cast<double>(above - edges.begin()) - 1 + (value - low) / (high - low);
    return layout.left + (layout.right - layout.left) * bin / static_cast<double>(edges.size() - 1);
}

double valueAtPlace(const PruneHistogram& histogram, const PruneHistogramLayout& layout, double x)
{
    if (histogram.edges.size() < 2) return 0.0;
    const auto bins = static_cast<double>(histogram.edges.size() - 1);
    const double at = std::clamp((x - layout.left) / (layout.right - layout.left), 0.0, 1.0) * bins;
    const auto bin = std::min(static_cast<std::size_t>(at), histogram.edges.size() - 2);
    const double low = histogram.edges[bin], high = histogram.edges[bin + 1];
    return std::clamp(low + (at - static_cast<double>(bin)) * (high - low), histogram.least,
                      histogram.greatest);
}

DrawList pruneHistogramScene(const PruneHistogram& histogram, double from, double to, const std::string& unit,
                             const Canvas& canvas)
{
    return Butterfly(histogram, from, to, canvas).draw(unit);
}

}  // namespace skein
