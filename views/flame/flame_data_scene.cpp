// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/common/scene/tree/caller_rows.h"
#include "views/flame/flame_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr double kLeastFlameWidth = 1e-9;  ///< part of the whole; what is less is no frame

/// Lays the rows out as frames, without recursion.
class FrameMaker {
public:
    FrameMaker(Flame& flame, const std::vector<double>& amounts, FlameSiblings siblings)
        : flame_(flame), amounts_(amounts), siblings_(siblings)
    {
    }

    void make(const std::vector<std::uint32_t>& parents)
    {
        linkRows(parents);
        flame_.frames_.assign(flame_.rows.rows.size(), kNoFrame);
        const auto roots = childrenOf(0);
        for (const std::uint32_t root : roots) flame_.whole += amountOfRow(root);
        if (!(flame_.whole > 0)) return;
        std::vector<std::uint32_t> next;  // frames with something below
        place(roots, kNoFrame, next);
        while (!next.empty()) {
            const std::uint32_t above = next.back();
            next.pop_back();
            place(childrenOf(flame_.frames[above].row + 1), above, next);
        }
    }

private:
    /// Rows by the row above them; 0: outermost ones.
    void linkRows(const std::vector<std::uint32_t>& parents)
    {
        offsets_.assign(parents.size() + 2, 0);
        for (const std::uint32_t parent : parents)
            if (parent != kSkippedRow) ++offsets_[parent + 1];
        std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
        members_.resize(offsets_.back());
        std::vector<std::uint32_t> at(offsets_.begin(), offsets_.end() - 1);
        for (std::uint32_t row = 0; row < parents.size(); ++row)
            if (parents[row] != kSkippedRow) members_[at[parents[row]]++] = row;
    }

    std::span<std::uint32_t> childrenOf(std::size_t slot)
    {
        return {members_.data() + offsets_[slot], offsets_[slot + 1] - offsets_[slot]};
    }

    double amountOfRow(std::uint32_t row) const
    {
        return std::isfinite(amounts_[row]) ? std::max(0.0, amounts_[row]) : 0.0;
    }

    void order(std::span<std::uint32_t> rows) const
    {
        const auto& all = flame_.rows.rows;
        if (siblings_ == FlameSiblings::Name)
            std::stable_sort(rows.begin(), rows.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return all[a].name < all[b].name; });
        else
            std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
                return amountOfRow(a) > amountOfRow(b);
            });
    }

    /// One behind the other from the beginning of the frame above; where they are more than it, all narrower.
    void place(std::span<std::uint32_t> rows, std::uint32_t above, std::vector<std::uint32_t>& next)
    {
        order(rows);
        double sum = 0.0;
        for (const std::uint32_t row : rows) sum += amountOfRow(row);
        const double room = above == kNoFrame ? 1.0 : flame_.frames[above].width;
        const double scale = sum > 0 ? std::min(1.0 / flame_.whole, room / sum) : 0.0;
        double begin = above == kNoFrame ? 0.0 : flame_.frames[above].begin;
        const std::uint32_t depth = above == kNoFrame ? 0 : flame_.frames[above].depth + 1;
        for (const std::uint32_t row : rows) {
            const double width = amountOfRow(row) * scale;
            if (width < kLeastFlameWidth) {
                ++flame_.leftOut;
                continue;
            }
            const auto frame = static_cast<std::uint32_t>(flame_.frames.size());
            flame_.frames.push_back({above, row, depth, begin, width});
            flame_.frames_[row] = frame;
            flame_.levels = std::max(flame_.levels, depth + 1);
            begin += width;
            if (!childrenOf(row + 1).empty()) next.push_back(frame);
        }
    }

public:
    static constexpr std::uint32_t kSkippedRow = 0xFFFFFFFFu;

private:
    Flame& flame_;
    const std::vector<double>& amounts_;
    FlameSiblings siblings_;
    std::vector<std::uint32_t> offsets_, members_;
};

/// Parents of rows as they are after pruning: what is hidden is no frame, so that its width stays free in the
/// frame above.
std::vector<std::uint32_t> parentsAfterPruning(const CallTreeRows& rows, const TreeEdits& edits)
{
    const ShownTree shown = makeShownTree(rows, edits, {}, {}, {std::nullopt, rows.rows.size() + 1});
    std::vector<std::uint32_t> parents(rows.rows.size(), FrameMaker::kSkippedRow);
    for (const ShownNode& node : shown.nodes) {
        if (node.kind == ShownKind::Surrogate) continue;
        parents[node.row] = node.parent == kNoShownNode ? 0 : shown.nodes[node.parent].row + 1;
    }
    return parents;
}

std::vector<std::uint32_t> parentsAsTheyAre(const CallTreeRows& rows)
{
    std::vector<std::uint32_t> parents;
    for (const CallTreeRow& row : rows.rows) parents.push_back(static_cast<std::uint32_t>(row.parent + 1));
    return parents;
}

void addPalettes(Flame& flame, RegionGrouping grouping)
{
    const RegionGroups groups(*flame.session, grouping);
    const auto light = palettesOf(groups, lightTheme()), dark = palettesOf(groups, darkTheme());
    for (std::size_t number = 0; number < light.size(); ++number) {
        flame.palettes.push_back(light[number]);
        flame.palettes.push_back(dark[number]);
    }
}

}  // namespace

std::string Flame::nameOf(std::uint32_t frame) const
{
    const CallTreeRow& row = rows.rows[frames[frame].row];
    if (row.regions.empty()) return row.name;
    return displayName(session->experiments[row.experiment]->definitions.region(row.regions.front()));
}

Result<FlamePtr> makeFlame(SessionPtr session, const FlameRequest& request, const Task& task)
{
    auto rows = makeCallTreeRows(*session, request.query, task.part(0.0, 0.8));
    if (!rows) return tl::make_unexpected(rows.error());
    auto flame = std::make_shared<Flame>();
    flame->order = request.order;
    const bool bottomUp = request.order == FlameOrder::BottomUp;
    const TreeQuantity quantity{request.query.metric,
                                bottomUp ? TreeAmount::Exclusive : TreeAmount::Inclusive};
    auto amounts = quantityOfRows(*session, request.query, *rows, quantity, task.part(0.8, 0.85));
    if (!amounts) return tl::make_unexpected(amounts.error());
    flame->session = std::move(session);
    flame->name = amounts->name;
    flame->unit = amounts->unit;
    std::vector<std::uint32_t> parents;
    if (bottomUp) {
        CallerRows callers = makeCallerRows(*rows, {}, task.part(0.85, 1.0));
        if (task.stopRequested()) return cancelled();
        flame->complete = callers.complete;
        flame->rows = std::move(callers.rows);
        amounts->values.clear();
        for (const CallTreeRow& row : flame->rows.rows) {
            const bool experiment = row.callPaths.empty() && row.regions.empty();
            amounts->values.push_back(experiment ? row.total : row.values.exclusive);
        }
        parents = parentsAsTheyAre(flame->rows);
    } else {
        flame->rows = std::move(*rows);
        parents = parentsAfterPruning(flame->rows, request.edits);
    }
    addPalettes(*flame, request.grouping);
    FrameMaker(*flame, amounts->values, request.siblings).make(parents);
    return FlamePtr(std::move(flame));
}

std::vector<std::string> frameTooltip(const Flame& flame, std::uint32_t frame)
{
    const FlameFrame& one = flame.frames[frame];
    const CallTreeRow& row = flame.rows.rows[one.row];
    std::vector<std::string> lines{flame.nameOf(frame)};
    const double amount = flame.order == FlameOrder::BottomUp ? row.values.exclusive : row.values.inclusive;
    lines.push_back(fmt::format("{}: {} ({:.3g} % of all)", flame.name, formatAmount(amount, flame.unit),
                                100 * one.width));
    if (one.parent != kNoFrame) {
        const double above = flame.frames[one.parent].width;
        lines.push_back(fmt::format("{:.3g} % of {}", above > 0 ? 100 * one.width / above : 0.0,
                                    foldedName(flame.nameOf(one.parent))));
    }
    if (flame.order == FlameOrder::TopDown)
        lines.push_back("Exclusive: " + formatAmount(row.values.exclusive, flame.unit));
    lines.push_back("Calls: " + formatCount(row.values.calls));
    if (!row.regions.empty()) {
        const Region& region =
            flame.session->experiments[row.experiment]->definitions.region(row.regions.front());
        if (!region.sourceFile.empty())
            lines.push_back(fmt::format("{}:{}", region.sourceFile, region.beginLine));
    }
    return lines;
}

}  // namespace skein
