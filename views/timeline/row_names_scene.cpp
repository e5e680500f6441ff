// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_names_scene.h"

#include "views/timeline/timeline_bars_scene.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr double kApart = 1.5;  ///< lines from one name of low rows to the next

class NamedPlaces {
public:
    NamedPlaces(const TimelineData& data, const TimelineLayout& layout, double lineHeight, double scale)
        : data_(data),
          layout_(layout),
          line_(lineHeight),
          gap_(rowGap(layout.rowHeight, scale)),
          edge_(layout.labels.y),
          free_(layout.labels.y)
    {
    }

    std::vector<NamedPlace> find()
    {
        for (std::size_t first = 0; first < layout_.places.size();) {
            if (isHeader(rowOf(first))) {
                const PlacedRow& header = layout_.places[first++];
                edge_ = free_ = header.y + header.height;
                continue;
            }
            const std::size_t end = endOfProcess(first);
            nameProcess(first, end);
            first = end;
        }
        return std::move(named_);
    }

private:
    const TimelineRow& rowOf(std::size_t place) const { return layout_.rows[layout_.places[place].row]; }
    double middleOf(std::size_t place) const
    {
        return layout_.places[place].y + (layout_.places[place].height - gap_) / 2;
    }
    double reachOf(std::size_t place) const
    {
        return layout_.places[place].height < line_ ? line_ * kApart : line_;
    }

    std::size_t endOfProcess(std::size_t first) const
    {
        std::size_t end = first + 1;
        while (end < layout_.places.size() && !isHeader(rowOf(end)) && isOneProcess(rowOf(first), rowOf(end)))
            ++end;
        return end;
    }

    bool isOneProcess(const TimelineRow& left, const TimelineRow& right) const
    {
        if (!left.folded.empty() || !right.folded.empty()
            || left.location.experiment != right.location.experiment)
            return false;
        const auto& locations = data_.session.experiments[left.location.experiment]->definitions.locations;
        return locations[left.location.id.index()].group == locations[right.location.id.index()].group;
    }

    void nameProcess(std::size_t first, std::size_t end)
    {
        name(first);
        // What stands behind must leave the next process its name.
        const bool isLast = end == layout_.places.size() || isHeader(rowOf(end));
        for (std::size_t place = first + 1; place < end; ++place)
            if (isLast || middleOf(place) + reachOf(place) <= middleOf(end) + 0.5) name(place);
    }

    void name(std::size_t place)
    {
        const double middle = middleOf(place);
        const double top = middle - line_ / 2;
        // The first one below an edge is moved down to it.
        const bool isFirst = free_ == edge_;
        if (middle < layout_.labels.y || (top < free_ - 0.5 && !isFirst)) return;
        const double moved = std::max({top, edge_, layout_.labels.y});
        if (moved + line_ > layout_.labels.bottom()) return;
        named_.push_back({place, moved});
        free_ = top + reachOf(place);
    }

    const TimelineData& data_;
    const TimelineLayout& layout_;
    double line_;
    double gap_;
    double edge_;  ///< of the panel, or of the last header
    double free_;  ///< from where on there is room
    std::vector<NamedPlace> named_;
};

}  // namespace

std::vector<NamedPlace> namedPlaces(const TimelineData& data, const TimelineLayout& layout, double lineHeight,
                                    double scale)
{
    return NamedPlaces(data, layout, lineHeight, scale).find();
}

}  // namespace skein
