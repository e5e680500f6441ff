// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/cause_arrows.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace skein {
namespace {

constexpr double kThinnestArrow = 1.5, kMoreOfWidest = 3.5, kArrowHead = 9, kOwnRing = 9;

double shareThrough(const CauseArrow& arrow, TimeNs most)
{
    return most > 0 ? std::sqrt(static_cast<double>(arrow.throughNs) / static_cast<double>(most)) : 0.0;
}

void drawArrow(DrawList& list, const CauseArrow& arrow, double width, Color color, double scale)
{
    const double dx = arrow.to.x - arrow.from.x, dy = arrow.to.y - arrow.from.y, away = std::hypot(dx, dy);
    if (away < 1) {
        const double radius = kOwnRing * scale;
        list.items.push_back(RectItem{{arrow.to.x - radius, arrow.to.y - radius, 2 * radius, 2 * radius},
                                      {0, 0, 0, 0},
                                      color,
                                      std::max(2.0, width),
                                      radius,
                                      {}});
        return;
    }
    const double head = std::min(kArrowHead * scale + width, away), ux = dx / away, uy = dy / away;
    const Point neck{arrow.to.x - ux * head, arrow.to.y - uy * head};
    list.line(arrow.from, neck, color, width);
    const double half = 0.45 * head;
    list.items.push_back(PolygonItem{
        {arrow.to, {neck.x - uy * half, neck.y + ux * half}, {neck.x + uy * half, neck.y - ux * half}},
        color,
        {0, 0, 0, 0},
        1,
        {}});
}

}  // namespace

std::vector<CauseArrow> causeArrows(const CauseLinks& causes, const CauseEnds& endsOf)
{
    std::map<std::tuple<double, double, double, double>, CauseArrow> arrows;
    for (const CauseLink& link : causes.links) {
        const auto ends = endsOf(link);
        if (!ends) continue;
        CauseArrow& arrow = arrows[{ends->first.x, ends->first.y, ends->second.x, ends->second.y}];
        arrow.from = ends->first;
        arrow.to = ends->second;
        arrow.throughNs += link.throughNs;
        arrow.attributedNs += link.attributedNs;
    }
    std::vector<CauseArrow> all;
    for (const auto& [ends, arrow] : arrows) all.push_back(arrow);
    std::stable_sort(all.begin(), all.end(),
                     [](const CauseArrow& a, const CauseArrow& b) { return a.throughNs < b.throughNs; });
    return all;
}

void drawCauseArrows(DrawList& list, const std::vector<CauseArrow>& arrows, const Rect& clip,
                     const Theme& theme, double scale, const TextMeasure& measure)
{
    TimeNs most = 0;
    for (const CauseArrow& arrow : arrows) most = std::max(most, arrow.throughNs);
    list.pushClip(clip);
    for (const CauseArrow& arrow : arrows) {
        const double width = scale * (kThinnestArrow + kMoreOfWidest * shareThrough(arrow, most));
        drawArrow(list, arrow, width + 2 * scale, theme.background, scale);
        drawArrow(list, arrow, width, theme.error, scale);
    }
    std::vector<Rect> taken;
    for (auto arrow = arrows.rbegin(); arrow != arrows.rend(); ++arrow) {
        if (arrow->attributedNs <= 0) continue;
        const std::string text = formatDuration(static_cast<double>(arrow->attributedNs));
        const double width = std::ceil(measure.width(text, FontStyle::Small)) + 1 + 8 * scale;
        const double height = measure.lineHeight(FontStyle::Small) + 2 * scale;
        const Point middle{(arrow->from.x + arrow->to.x) / 2, (arrow->from.y + arrow->to.y) / 2};
        Rect box{middle.x - width / 2, middle.y - height / 2, width, height};
        if (arrow->from == arrow->to) box.x = arrow->to.x + (kOwnRing + 3) * scale;
        box.x = std::clamp(box.x, clip.x, std::max(clip.x, clip.right() - width));
        box.y = std::clamp(box.y, clip.y, std::max(clip.y, clip.bottom() - height));
        if (std::any_of(taken.begin(), taken.end(), [&](const Rect& other) { return other.overlaps(box); }))
            continue;
        taken.push_back(box);
        list.items.push_back(RectItem{box, theme.tooltip, theme.error, std::max(1.0, scale), 3 * scale, {}});
        list.text({box.x + 4 * scale, box.y, width - 8 * scale, height}, text, theme.tooltipText,
                  FontStyle::Small);
    }
    list.popClip();
}

std::string causesText(const CauseLinks& causes)
{
    const auto time = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    const std::size_t links = causes.links.size();
    if (causes.direction == CauseDirection::Forward)
        return fmt::format("Cost the others {} in {} wait{}", time(causes.lostNs), links,
                           links == 1 ? "" : "s");
    std::string text = fmt::format("Lost {}: {} explained by {} link{}", time(causes.lostNs),
                                   time(causes.lostNs - causes.restNs), links, links == 1 ? "" : "s");
    if (causes.restNs > 0) text += fmt::format(", {} not", time(causes.restNs));
    if (causes.contradiction) text += "; clocks contradict each other, a chain ends there";
    return text;
}

void drawCausesText(DrawList& list, const CauseLinks& causes, const Rect& room, const Theme& theme,
                    double scale, const TextMeasure& measure)
{
    const double pad = 6 * scale;
    const std::string text = elideMiddle(causesText(causes), room.width - 4 * pad, FontStyle::Small, measure);
    if (text.empty()) return;
    const double width = std::ceil(measure.width(text, FontStyle::Small)) + 1 + 2 * pad;
    const double height = measure.lineHeight(FontStyle::Small) + pad;
    const Rect box{room.x + pad, room.bottom() - height - pad, width, height};
    list.items.push_back(RectItem{box, theme.tooltip, theme.error, std::max(1.0, scale), 3 * scale, {}});
    list.text({box.x + pad, box.y, width - 2 * pad, height}, text, theme.tooltipText, FontStyle::Small);
}

}  // namespace skein
