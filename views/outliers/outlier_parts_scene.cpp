// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_parts_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kFarApart = 20;  ///< times: linear axes would press the small ones together
constexpr std::size_t kMostNamedLocations = 8;

/// The legend of few locations: a dot and a name each. Returns its width; draws only with `list`.
double namedLegend(DrawList* list, const Rect& box, const OutlierSource& source, const Canvas& canvas)
{
    const double dot = canvas.px(9), gap = canvas.px(5), between = canvas.px(14);
    double x = box.x;
    for (std::uint32_t place = 0; place < source.locations.size(); ++place) {
        const std::string name = elideMiddle(outlierLocationName(source, source.locations[place]),
                                             canvas.px(140), FontStyle::Small, canvas.measure);
        const double width = std::ceil(canvas.measure.width(name, FontStyle::Small)) + 1;
        if (list) {
            drawDot(*list, {x + dot / 2, box.y + box.height / 2}, dot / 2,
                    rankColor(canvas.theme(), place, source.locations.size()), canvas);
            list->text({x + dot + gap, box.y, width, box.height}, name, canvas.theme().secondaryText,
                       FontStyle::Small);
        }
        x += dot + gap + width + between;
    }
    return x - box.x - between;
}

/// The legend of many: the colours from the first location to the last one.
double barLegend(DrawList* list, const Rect& box, const OutlierSource& source, const Canvas& canvas)
{
    const double gap = canvas.px(6), bar = canvas.px(140);
    const auto nameOf = [&](LocationRef location) {
        return elideMiddle(outlierLocationName(source, location), canvas.px(140), FontStyle::Small,
                           canvas.measure);
    };
    const std::string first = nameOf(source.locations.front()), last = nameOf(source.locations.back());
    const double left = std::ceil(canvas.measure.width(first, FontStyle::Small)) + 1,
                 right = std::ceil(canvas.measure.width(last, FontStyle::Small)) + 1;
    if (list) {
        list->text({box.x, box.y, left, box.height}, first, canvas.theme().secondaryText, FontStyle::Small);
        const int height = static_cast<int>(canvas.px(9));
        PixelItem pixels{static_cast<int>(box.x + left + gap),
                         static_cast<int>(box.y + (box.height - height) / 2),
                         static_cast<int>(bar),
                         {height},
                         {},
                         {}};
        const std::size_t count = source.locations.size();
        for (int column = 0; column < pixels.columns; ++column)
            pixels.argb.push_back(toArgb(rankColor(
                canvas.theme(),
                static_cast<std::uint32_t>(static_cast<double>(column) / bar * static_cast<double>(count)),
                count)));
        list->items.push_back(std::move(pixels));
        list->text({box.x + left + bar + 2 * gap, box.y, right, box.height}, last,
                   canvas.theme().secondaryText, FontStyle::Small);
    }
    return left + bar + right + 2 * gap;
}

double legend(DrawList* list, const Rect& box, const OutlierSource& source, const Canvas& canvas)
{
    if (source.locations.empty()) return 0;
    return source.locations.size() <= kMostNamedLocations ? namedLegend(list, box, source, canvas)
                                                          : barLegend(list, box, source, canvas);
}

}  // namespace

Color rankColor(const Theme& theme, std::uint32_t place, std::size_t count)
{
    const double part = count < 2 ? 0 : static_cast<double>(place) / static_cast<double>(count - 1);
    const double low = theme.dark ? 55 : 30, high = theme.dark ? 88 : 66;
    // Few of them get wider steps of hue and take turns in lightness: single ones are to be told apart.
    if (count <= kMostNamedLocations)
        return fromLch(place % 2 == 0 ? low + 8 : high - 4, 62, 300 - 290 * part);
    return fromLch(low + (high - low) * part, 62, 300 - 250 * part);
}

double PlotAxis::part(double value) const
{
    if (!logarithmic) return (value - low) / (high - low);
    return std::log(std::max(value, low) / low) / std::log(high / low);
}

std::vector<double> PlotAxis::ticks(double length, double gap, std::string_view unit) const
{
    if (!logarithmic) return roundValues(low, high, std::max(1, static_cast<int>(length / gap)), unit);
    std::vector<double> values;
    const double decade = length / std::log10(high / low);
    // The closest of 1, 2, 5, 10 are a factor of two apart.
    const bool between = decade * std::log10(2.0) >= gap;
    const int step = std::max(1, static_cast<int>(std::ceil(gap / decade)));
    for (int exponent = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, exponent) <= high;
         ++exponent) {
        if (exponent % step != 0) continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10.0, exponent);
            if ((factor == 1 || between) && value >= low && value <= high) values.push_back(value);
        }
    }
    return values;
}

PlotAxis plotAxis(double least, double greatest)
{
    if (least > 0 && greatest > kFarApart * least) return {least / 1.5, greatest * 1.5, true};
    // Values that are much alike spread over the whole axis.
    const double around = std::max(greatest - least, greatest * 0.02) * 0.1;
    const double low = least > greatest / 2 ? least - around : 0;
    return {low, std::max(greatest, 1e-9) + (low > 0 ? around : greatest * 0.08), false};
}

void drawDot(DrawList& list, Point at, double radius, Color color, const Canvas& canvas)
{
    const double line = canvas.px(1) * 0.75;
    list.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                  color,
                                  canvas.theme().background,
                                  line,
                                  radius,
                                  {}});
}

void drawRing(DrawList& list, Point at, double radius, Color color, const Canvas& canvas)
{
    list.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                  {0, 0, 0, 0},
                                  color,
                                  canvas.px(2),
                                  radius,
                                  {}});
}

double footHeight(const Canvas& canvas) { return std::round(canvas.lineHeight() + canvas.px(10)); }

void drawFoot(DrawList& list, const Rect& box, const std::string& sentence, const OutlierSource& source,
              const Canvas& canvas)
{
    const double pad = canvas.px(8);
    list.fillRect(box, canvas.theme().panel);
    list.fillRect({box.x, box.y, box.width, canvas.px(1)}, canvas.theme().frame);
    const double needed = legend(nullptr, box, source, canvas);
    const bool fits = needed + 4 * pad < box.width * 0.7;
    const double right = fits ? box.right() - pad - needed : box.right();
    if (fits) legend(&list, {right, box.y, needed, box.height}, source, canvas);
    const double room = right - 3 * pad - box.x;
    list.text({box.x + pad, box.y, room, box.height},
              elideMiddle(sentence, room, FontStyle::Small, canvas.measure), canvas.theme().secondaryText,
              FontStyle::Small);
}

std::string outlierSentence(const OutlierData& data)
{
    if (data.total == 0) return "No call here took much longer than usual";
    return fmt::format("{} {} much longer than usual: {} beyond it",
                       formatGrouped(static_cast<std::int64_t>(data.total)),
                       data.total == 1 ? "call" : "calls", formatDuration(data.excessNs));
}

}  // namespace skein
