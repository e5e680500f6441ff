// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend/legend_scene.h"

#include "core/session/dominant_regions.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scene/regions/call_legend.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace skein {
namespace {

constexpr double kLegendColumnPx = 380, kLegendSwatchPx = 12, kLegendSharePx = 56, kLegendIndentPx = 16;

double shareOfName(const OwnTimeShares& shares, const std::string& name)
{
    const auto found = shares.find(name);
    return found == shares.end() ? 0 : found->second;
}

/// A group and its regions, the one with most time first; nothing where filters leave none.
void addGroupRows(const RegionGroups& groups, std::uint32_t group, const ViewState& state, const Theme& theme,
                  const OwnTimeShares& shares, std::vector<LegendRow>& rows)
{
    const ShownGroup& shown = groups.list()[group];
    std::set<std::string> names;
    for (const RegionRef region : regionsOfGroup(groups, group))
        if (passes(state.filters, region))
            names.insert(
                displayName(groups.session().experiments[region.experiment]->definitions.region(region.id)));
    if (names.empty()) return;
    std::vector<LegendRow> regions;
    double whole = 0;
    for (const std::string& name : names) {
        const double share = shareOfName(shares, name);
        whole += share;
        regions.push_back({regionColor(name, shown, theme, groups.shades()), name, share, false});
    }
    std::stable_sort(regions.begin(), regions.end(),
                     [](const LegendRow& a, const LegendRow& b) { return *a.share > *b.share; });
    const bool divided = state.colors == ColorMode::Region && regions.size() > 1;
    rows.push_back({groupColor(shown, theme),
                    divided ? shown.name + " (as a band: the rest of it)" : shown.name, whole, true});
    if (state.colors == ColorMode::Region) rows.insert(rows.end(), regions.begin(), regions.end());
}

void addMarkRows(const Session& session, const ViewState& state, const Theme& theme,
                 std::vector<LegendRow>& rows)
{
    const bool messages = std::any_of(session.experiments.begin(), session.experiments.end(),
                                      [](const ExperimentPtr& experiment) {
                                          return experiment->trace && !experiment->trace->messages.empty();
                                      });
    if (messages) rows.push_back({theme.message, "Messages", std::nullopt, true});
    if (state.waitMarks != WaitMarks::Shown) return;
    for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
        rows.push_back({waitColor(static_cast<WaitKind>(kind), theme.dark),
                        "Wait: " + std::string(name(static_cast<WaitKind>(kind))), std::nullopt, true});
}

std::string ownShareText(double share)
{
    const double percent = 100 * share;
    return percent > 0 && percent < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", percent);
}

/// Where rows go: from top to bottom, then to the right.
struct LegendGrid {
    std::size_t columns = 1, rows = 1;
    double rowHeight = 1, columnWidth = 1, top = 0;

    LegendGrid(std::size_t count, const Canvas& canvas)
    {
        rowHeight = std::ceil(canvas.lineHeight(FontStyle::Normal)) + canvas.px(4);
        top = rowHeight;
        columns =
            std::max<std::size_t>(1, static_cast<std::size_t>(canvas.width / canvas.px(kLegendColumnPx)));
        columnWidth = std::floor(static_cast<double>(canvas.width) / static_cast<double>(columns));
        rows = std::max<std::size_t>(1, (count + columns - 1) / columns);
    }
};

class LegendPainter {
public:
    LegendPainter(const std::vector<LegendRow>& rows, const Canvas& canvas)
        : rows_(rows), canvas_(canvas), theme_(canvas.theme()), grid_(rows.size(), canvas)
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        const double pad = canvas_.px(8);
        list_.text({pad, 0, canvas_.width - 2 * pad, grid_.rowHeight},
                   "Swatch, name, part of the run's own time", theme_.secondaryText, FontStyle::Small);
        const auto high = static_cast<std::size_t>(
            std::max(1.0, std::floor((canvas_.height - grid_.top) / grid_.rowHeight)));
        grid_.rows = std::min(grid_.rows, high);
        const std::size_t places = grid_.rows * grid_.columns;
        const std::size_t drawn = rows_.size() <= places ? rows_.size() : places - 1;
        for (std::size_t row = 0; row < drawn; ++row) drawRow(rows_[row], boxOf(row));
        if (drawn < rows_.size())
            list_.text(boxOf(drawn), fmt::format("{} more", rows_.size() - drawn), theme_.secondaryText,
                       FontStyle::Small);
        return std::move(list_);
    }

private:
    Rect boxOf(std::size_t place) const
    {
        const double pad = canvas_.px(8);
        return {static_cast<double>(place / grid_.rows) * grid_.columnWidth + pad,
                grid_.top + static_cast<double>(place % grid_.rows) * grid_.rowHeight,
                grid_.columnWidth - 2 * pad, grid_.rowHeight};
    }

    void drawRow(const LegendRow& row, const Rect& box)
    {
        const double side = canvas_.px(kLegendSwatchPx), gap = canvas_.px(6);
        const double left = box.x + (row.ofGroup ? 0 : canvas_.px(kLegendIndentPx));
        list_.items.push_back(RectItem{{left, std::round(box.y + (box.height - side) / 2), side, side},
                                       row.color,
                                       theme_.frame,
                                       canvas_.px(1),
                                       0,
                                       {}});
        const double from = left + side + gap, share = canvas_.px(kLegendSharePx);
        const double room = std::max(0.0, box.right() - share - gap - from);
        const FontStyle style = row.ofGroup ? FontStyle::Bold : FontStyle::Normal;
        list_.text({from, box.y, room, box.height}, elideName(row.name, room, style, canvas_.measure),
                   theme_.text, style);
        if (row.share)
            list_.text({box.right() - share, box.y, share, box.height}, ownShareText(*row.share),
                       theme_.secondaryText, FontStyle::Normal, Align::Right);
    }

    const std::vector<LegendRow>& rows_;
    const Canvas& canvas_;
    const Theme& theme_;
    LegendGrid grid_;
    DrawList list_;
};

}  // namespace

std::vector<LegendRow> legendRows(const Session& session, const ViewState& state, const OwnTimeShares& shares,
                                  const Theme& theme)
{
    std::vector<LegendRow> rows;
    if (state.colors == ColorMode::Region || state.colors == ColorMode::Group) {
        const RegionGroups groups(session, state.grouping);
        for (std::uint32_t group = 0; group < groups.list().size(); ++group)
            addGroupRows(groups, group, state, theme, shares, rows);
    } else {
        for (const LegendEntry& entry : callLegend(session, state, theme))
            rows.push_back({entry.color, entry.text, std::nullopt, true});
    }
    addMarkRows(session, state, theme, rows);
    return rows;
}

int legendHeight(const std::vector<LegendRow>& rows, const Canvas& canvas)
{
    const LegendGrid grid(rows.size(), canvas);
    return static_cast<int>(std::ceil(grid.top + static_cast<double>(grid.rows) * grid.rowHeight));
}

DrawList legendScene(const std::vector<LegendRow>& rows, const Canvas& canvas)
{
    return LegendPainter(rows, canvas).draw();
}

}  // namespace skein
