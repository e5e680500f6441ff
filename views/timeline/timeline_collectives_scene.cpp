// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_collectives_scene.h"

#include "core/base/units.h"
#include "views/common/scene/calls/call_tooltip.h"
#include "views/common/scene/color/palette.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::uint64_t kMostDrawn = 200;
constexpr std::uint64_t kMostOperationsUnderWay = 50;
constexpr std::uint64_t kLookedAt = 8;  ///< of a group of operations

class CollectiveCollector {
public:
    CollectiveCollector(const TimelineData& data, const TimelineLayout& layout) : data_(data), layout_(layout)
    {
        for (const PlacedRow& place : layout.places) {
            const TimelineRow& row = layout.rows[place.row];
            if (row.kind == TimelineRowKind::Location) rows_[key(row.location)] = &place;
        }
    }

    void collect(std::uint32_t experiment, const Column<CollectiveOperation>& operations,
                 const Column<CollectiveMember>& members, bool inferred)
    {
        inferred_ = inferred;
        const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
        const auto firstAt = [&](TimeNs time) {
            return static_cast<std::uint64_t>(std::lower_bound(operations.begin(), operations.end(), time,
                                                               [](const CollectiveOperation& operation,
                                                                  TimeNs at) { return operation.begin < at; })
                                              - operations.begin());
        };
        const std::uint64_t first = firstAt(span.begin), last = firstAt(span.end);
        for (std::uint64_t before = first - std::min(first, kMostOperationsUnderWay); before < first;
             ++before)
            if (operations[before].end > span.begin) place(experiment, before, operations[before], members);
        result_.total += last - first;
        const std::uint64_t group =
            std::bit_ceil(std::max<std::uint64_t>(1, (last - first + kMostDrawn - 1) / kMostDrawn));
        result_.thinned = result_.thinned || group > 1;
        for (std::uint64_t begin = first / group * group; begin < last; begin += group) {
            const std::uint64_t longest =
                longestOf(operations, std::max(begin, first), std::min(begin + group, last));
            place(experiment, longest, operations[longest], members);
        }
    }

    VisibleCollectives finish() && { return std::move(result_); }

private:
    static std::uint64_t key(LocationRef location)
    {
        return std::uint64_t{location.experiment} << 32 | location.id.value();
    }

    static std::uint64_t longestOf(const Column<CollectiveOperation>& operations, std::uint64_t begin,
                                   std::uint64_t end)
    {
        std::uint64_t longest = begin;
        const std::uint64_t step = std::max<std::uint64_t>(1, (end - begin) / kLookedAt);
        for (std::uint64_t at = begin; at < end; at += step)
            if (operations[at].end - operations[at].begin
                > operations[longest].end - operations[longest].begin)
                longest = at;
        return longest;
    }

    void place(std::uint32_t experiment, std::uint64_t index, const CollectiveOperation& operation,
               const Column<CollectiveMember>& members)
    {
        PlacedCollective placed{experiment, index, inferred_, {}};
        const auto x = [&](TimeNs time) {
            return layout_.scale.toX(data_.clock.toSession(experiment, time));
        };
        for (std::uint64_t at = operation.firstMember; at < operation.firstMember + operation.memberCount;
             ++at) {
            const CollectiveMember& member = members[at];
            const auto row = rows_.find(key({experiment, member.location}));
            if (row == rows_.end() || member.begin == kNoTime || member.end == kNoTime) continue;
            placed.members.push_back(
                {x(member.begin), x(member.end), row->second->y, row->second->y + row->second->height});
        }
        if (placed.members.size() < 2) return;
        std::sort(placed.members.begin(), placed.members.end(),
                  [](const PlacedMember& a, const PlacedMember& b) { return a.top < b.top; });
        if (placed.members.back().bottom < layout_.body.y
            || placed.members.front().top > layout_.body.bottom())
            return;
        result_.drawn.push_back(std::move(placed));
    }

    const TimelineData& data_;
    const TimelineLayout& layout_;
    std::unordered_map<std::uint64_t, const PlacedRow*> rows_;
    VisibleCollectives result_;
    bool inferred_ = false;
};

/// Down along the begins of the members and up along their ends. Rows less than a pixel apart share a corner.
std::vector<Point> outlineOf(const PlacedCollective& collective)
{
    std::vector<Point> points;
    const auto add = [&](double x, double y) {
        if (points.empty() || std::abs(points.back().x - x) + std::abs(points.back().y - y) >= 0.5)
            points.push_back({x, y});
    };
    for (const PlacedMember& member : collective.members) {
        const double inset = (member.bottom - member.top) * 0.12;
        add(member.begin, member.top + inset);
        add(member.begin, member.bottom - inset);
    }
    for (auto member = collective.members.rbegin(); member != collective.members.rend(); ++member) {
        const double inset = (member->bottom - member->top) * 0.12;
        add(member->end, member->bottom - inset);
        add(member->end, member->top + inset);
    }
    return points;
}

}  // namespace

const PlacedCollective* collectiveAt(const VisibleCollectives& collectives, Point point)
{
    const PlacedCollective* found = nullptr;
    double least = 0;
    for (const PlacedCollective& collective : collectives.drawn) {
        const auto& members = collective.members;
        const auto below = std::find_if(members.begin(), members.end(),
                                        [&](const PlacedMember& member) { return point.y < member.bottom; });
        if (below == members.end() || point.y < members.front().top) continue;
        // Between two rows the band goes straight from the one to the other.
        double begin = below->begin, end = below->end;
        if (point.y < below->top) {
            const PlacedMember& above = *std::prev(below);
            const double part = (point.y - above.bottom) / (below->top - above.bottom);
            begin = above.begin + part * (below->begin - above.begin);
            end = above.end + part * (below->end - above.end);
        }
        constexpr double kReach = 1.5;
        if (point.x < begin - kReach || point.x > end + kReach || (found && end - begin >= least)) continue;
        least = end - begin;
        found = &collective;
    }
    return found;
}

std::vector<std::string> collectiveTooltip(const TimelineData& data, const PlacedCollective& collective,
                                           const std::vector<CollectiveTablePtr>& inferred)
{
    const Experiment& experiment = *data.session.experiments[collective.experiment];
    const auto& operations =
        collective.inferred ? inferred[collective.experiment]->operations : experiment.trace->collectives;
    const auto& members =
        collective.inferred ? inferred[collective.experiment]->members : experiment.trace->collectiveMembers;
    const CollectiveOperation& operation = operations[collective.operation];
    const CollectiveMember* last = nullptr;
    std::uint64_t bytes = 0;
    for (std::uint64_t at = operation.firstMember; at < operation.firstMember + operation.memberCount; ++at) {
        const CollectiveMember& member = members[at];
        bytes += member.bytesSent;
        if (member.begin != kNoTime && (!last || member.begin > last->begin)) last = &member;
    }
    constexpr double kNameLetters = 15;
    const auto shown = [&](LocationId location) {
        return tooltipText(displayName(experiment.definitions, location), kNameLetters);
    };
    const std::string root =
        operation.root.valid() ? fmt::format(", root {}", shown(operation.root)) : std::string();
    std::string what = fmt::format("{}{} of {}{}: {}", collective.inferred ? "inferred " : "",
                                   name(operation.kind), operation.memberCount, root,
                                   formatDuration(static_cast<double>(operation.end - operation.begin)));
    if (bytes > 0 && root.empty()) what += fmt::format(", {} sent", formatBytes(static_cast<double>(bytes)));
    std::vector<std::string> lines{std::move(what)};
    if (last)
        lines.push_back(fmt::format("{} last, {} after the first", shown(last->location),
                                    formatDuration(static_cast<double>(last->begin - operation.begin))));
    return lines;
}

VisibleCollectives visibleCollectives(const TimelineData& data, const TimelineLayout& layout,
                                      const std::vector<CollectiveTablePtr>& inferred)
{
    CollectiveCollector collector(data, layout);
    for (std::uint32_t experiment = 0; experiment < data.session.experiments.size(); ++experiment) {
        const auto& trace = data.session.experiments[experiment]->trace;
        if (!trace || !data.indexes[experiment]) continue;
        collector.collect(experiment, trace->collectives, trace->collectiveMembers, false);
        if (experiment < inferred.size() && inferred[experiment])
            collector.collect(experiment, inferred[experiment]->operations, inferred[experiment]->members,
                              true);
    }
    return std::move(collector).finish();
}

void drawCollectives(DrawList& list, const VisibleCollectives& collectives, const TimelineLayout& layout,
                     const TimelineOptions& options, ColorMode colors)
{
    const Color color = mix(groupColor(PaletteGroup::Mpi, options.theme), options.theme.text, 0.45);
    const bool many = collectives.drawn.size() > kMostDrawn / 4;
    const bool amounts = colors != ColorMode::Region && colors != ColorMode::Group;
    const Color fill = withAlpha(color, amounts ? 0 : many ? 20 : 36);
    list.pushClip(layout.body);
    for (const PlacedCollective& collective : collectives.drawn)
        list.items.push_back(
            PolygonItem{outlineOf(collective), fill, withAlpha(color, many ? 70 : 150), options.scale, {}});
    list.popClip();
}

}  // namespace skein
