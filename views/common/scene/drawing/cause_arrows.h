// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/cause_links.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/text_measure.h"
#include "views/common/scene/drawing/theme.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Chains of causes as arrows over a picture, from what caused time lost to who lost it.
namespace skein {

struct CauseArrow {
    Point from, to;  ///< device pixels; the same: the cause lies in the call itself
    TimeNs throughNs = 0;
    TimeNs attributedNs = 0;
};

/// What stands for both ends of a link in a picture; nullopt: it is not there.
using CauseEnds = std::function<std::optional<std::pair<Point, Point>>(const CauseLink&)>;

/// Links with the same ends are one arrow. O(links log).
std::vector<CauseArrow> causeArrows(const CauseLinks& causes, const CauseEnds& endsOf);

/// The wider, the more time came through; with the time attributed to what is at its end where a label
/// has room. Within `clip`. O(arrows²).
void drawCauseArrows(DrawList& list, const std::vector<CauseArrow>& arrows, const Rect& clip,
                     const Theme& theme, double scale, const TextMeasure& measure);

/// "Lost 3.2 ms: 2.9 ms explained by 4 links, 300 µs not"; forwards "Cost the others 3.2 ms in 4 waits".
std::string causesText(const CauseLinks& causes);

/// In the lower left corner of `room`, over what is there.
void drawCausesText(DrawList& list, const CauseLinks& causes, const Rect& room, const Theme& theme,
                    double scale, const TextMeasure& measure);

}  // namespace skein
