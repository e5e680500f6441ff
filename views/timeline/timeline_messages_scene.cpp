// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_messages_scene.h"

#include "core/base/read_ahead.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace skein {
namespace {

constexpr double kCellPixels = 8;  ///< messages that begin within one to two times this are thinned together
constexpr std::uint32_t kLinesPerCell = 3;  ///< at least
constexpr std::size_t kMostMessagesUnderWay = 200;
constexpr std::uint32_t kAlwaysDrawn = 400;
constexpr double kMostCovered = 0.5;  ///< how opaque the lines of a crowded cell are together
constexpr double kAlwaysKept = 100;   ///< however long they are
constexpr std::size_t kFewLines = 150;
constexpr double kMostLength = 60'000;  ///< device pixels of all lines together
constexpr double kFlatCost = 0.25;      ///< pixels along a row cost less than those of as many rows
constexpr std::uint32_t kMostLookedAt =
    100'000;  ///< messages of all cells, where many are between rows that are not shown

class MessageCollector {
public:
    MessageCollector(const TimelineData& data, const TimelineLayout& layout,
                     const std::vector<Filter>& filters)
        : data_(data),
          layout_(layout),
          filters_(messageFiltersOf(*data.messageFilters, data.session, filters)),
          middles_(data.session.experiments.size())
    {
        for (std::size_t number = 0; number < middles_.size(); ++number)
            middles_[number].assign(data.session.experiments[number]->definitions.locations.size(), kNoRow);
        for (const PlacedRow& place : layout.places) {
            const TimelineRow& row = layout.rows[place.row];
            const double middle = place.y + place.height / 2;
            for (const LocationRef& location : row.folded)
                if (middleOf(location) == kNoRow) middleOf(location) = middle;
        }
        for (const PlacedRow& place : layout.places)
            if (const TimelineRow& row = layout.rows[place.row]; row.kind == TimelineRowKind::Location)
                middleOf(row.location) = place.y + place.height / 2;
    }

    void collect(std::uint32_t experiment)
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        if (messages.empty()) return;
        const TimeSpan span = data_.clock.toExperiment(experiment, layout_.scale.span);
        const MessageSkip& skip = data_.indexes[experiment]->messages;
        const std::uint32_t first = skip.firstSentAt(messages, span.begin);
        const std::uint32_t last = skip.firstSentAt(messages, span.end);
        for (const std::uint32_t index : skip.underWay(messages, span.begin, kMostMessagesUnderWay))
            place(experiment, index);
        result_.total += last - first;
        if (last - first > kAlwaysDrawn) return thin(experiment, first, last);
        for (std::uint32_t index = first; index < last; ++index) place(experiment, index);
    }

    VisibleMessages finish()
    {
        shorten();
        return std::move(result_);
    }

private:
    static constexpr double kNoRow = -1e300;

    double& middleOf(LocationRef location) { return middles_[location.experiment][location.id.index()]; }
    double middleOf(std::uint32_t experiment, LocationId location) const
    {
        return location.index() < middles_[experiment].size() ? middles_[experiment][location.index()]
                                                              : kNoRow;
    }

    struct Cell {
        std::uint32_t first;
        std::uint32_t next;

        std::uint32_t lines;  ///< that are drawn of it

        std::uint32_t count() const { return next - first; }
        std::uint32_t chosen() const { return std::min(count(), lines); }
        std::uint32_t stride() const { return count() / chosen(); }
        std::uint32_t group(std::uint32_t which) const { return first + which * stride(); }
        /// Evenly over the cell, shifted by a hash so that senders that always send in turn all get their
        /// share.
        std::uint32_t shift(std::uint32_t which) const
        {
            return (group(which) * 2654435761u >> 16) % stride();
        }
    };

    /// Messages lie far apart: all that are wanted are asked for before the first of them is looked at.
    void thin(std::uint32_t experiment, std::uint32_t first, std::uint32_t last)
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        const auto wide = static_cast<std::uint32_t>(layout_.body.width / kCellPixels) + 1;
        mostLookedAt_ = std::max(1u, kMostLookedAt / (wide * kLinesPerCell + kAlwaysDrawn));
        const bool isRead = isInMemory(std::as_bytes(messages.span().subspan(first, last - first)));
        if (!isRead) expectCells(experiment, first, last);
        const std::vector<Cell> cells = cellsOf(experiment, first, last);
        if (!isRead) expectMessages(experiment, cells);
        for (const Cell& cell : cells) placeSome(experiment, cell);
    }

    /// Cells are a power of two of nanoseconds long and begin at multiples of it, so they do not move with
    /// the view.
    TimeNs cellNs() const
    {
        const double wanted = std::max(1.0, kCellPixels * layout_.scale.nsPerPixel());
        return static_cast<TimeNs>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
    }
    static TimeNs endOfCell(TimeNs time, TimeNs length) { return (time / length + 1) * length; }

    void expectCells(std::uint32_t experiment, std::uint32_t first, std::uint32_t last) const
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        const TimeNs length = cellNs();
        for (TimeNs end = endOfCell(messages[first].sendTime, length); end <= messages[last - 1].sendTime;
             end += length)
            data_.indexes[experiment]->messages.expect(messages, end);
    }

    void expectMessages(std::uint32_t experiment, std::span<const Cell> cells) const
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        for (const Cell& cell : cells)
            for (std::uint32_t which = 0; which < cell.chosen(); ++which)
                readAhead(messages, cell.group(which) + cell.shift(which), 1);
    }

    std::vector<Cell> cellsOf(std::uint32_t experiment, std::uint32_t first, std::uint32_t last) const
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        const MessageSkip& skip = data_.indexes[experiment]->messages;
        const TimeNs length = cellNs();
        std::vector<Cell> cells;
        for (std::uint32_t index = first; index < last; index = cells.back().next) {
            const TimeNs end = endOfCell(messages[index].sendTime, length);
            cells.push_back(
                {index, std::max(index + 1, std::min(last, skip.firstSentAt(messages, end))), kLinesPerCell});
        }
        // Where they come in bursts, crowded cells have as many lines as were there if they came evenly.
        // In steps, so that lines stay while the view moves a little.
        const double wanted = static_cast<double>(kAlwaysDrawn) / std::max(1u, last - first);
        const double part = std::exp2(std::floor(2 * std::log2(wanted)) / 2);
        for (Cell& cell : cells)
            cell.lines = std::max(kLinesPerCell, static_cast<std::uint32_t>(std::ceil(part * cell.count())));
        return cells;
    }

    void placeSome(std::uint32_t experiment, const Cell& cell)
    {
        if (cell.chosen() < cell.count()) result_.thinned = true;
        const std::size_t before = result_.drawn.size();
        for (std::uint32_t which = 0; which < cell.chosen(); ++which) {
            // The next one where this one is between rows that are not shown.
            const std::uint32_t most = std::min(cell.stride(), mostLookedAt_);
            for (std::uint32_t look = 0; look < most
                 && !place(experiment, cell.group(which) + (cell.shift(which) + look) % cell.stride());
                 ++look) {}
        }
        blend(before);
    }

    /// Crowded lines of one cell, which stand from `first` on, are together a density that what they cover is
    /// seen through.
    void blend(std::size_t first)
    {
        const std::span<PlacedMessage> lines = std::span(result_.drawn).subspan(first);
        if (lines.size() <= kLinesPerCell) return;
        const double widthPx = static_cast<double>(cellNs()) / layout_.scale.nsPerPixel();
        double top = lines[0].from.y, bottom = top, covered = 0;
        for (const PlacedMessage& line : lines) {
            const double dx = std::abs(line.to.x - line.from.x), dy = std::abs(line.to.y - line.from.y);
            covered += dy * std::min(1.0, widthPx / std::max(dx, 1.0));
            top = std::min({top, line.from.y, line.to.y});
            bottom = std::max({bottom, line.from.y, line.to.y});
        }
        const double layers = covered / std::max(1.0, widthPx * (bottom - top));
        if (layers <= 1) return;
        for (PlacedMessage& line : lines) line.opacity = 1 - std::pow(1 - kMostCovered, 1 / layers);
    }

    /// Long lines cover each other and cost their length: of too many a part is drawn, which depends on their
    /// length alone, so that windows beside each other show alike, and each of which stays when less is
    /// drawn.
    void shorten()
    {
        double length = 0;
        for (const PlacedMessage& line : result_.drawn) length += costOf(line);
        const auto count = static_cast<double>(result_.drawn.size());
        if (length <= kMostLength || count <= kAlwaysKept) return;
        const double part = std::max(kMostLength / length, kAlwaysKept / count);
        if (part >= 1) return;
        result_.thinned = true;
        const auto limit = static_cast<std::uint32_t>(part * 4294967295.0);
        std::erase_if(result_.drawn,
                      [limit](const PlacedMessage& line) { return scattered(line.message.index) > limit; });
    }

    /// A number that has nothing to do with its neighbours'.
    static std::uint32_t scattered(std::uint32_t index)
    {
        index = (index ^ index >> 16) * 0x7FEB352Du;
        index = (index ^ index >> 15) * 0x846CA68Bu;
        return index ^ index >> 16;
    }

    /// What is seen of a line, in pixels.
    double costOf(const PlacedMessage& line) const
    {
        const double dx = std::abs(line.to.x - line.from.x);
        const double dy = std::abs(line.to.y - line.from.y);
        const double left = std::max(std::min(line.from.x, line.to.x), layout_.body.x);
        const double right = std::min(std::max(line.from.x, line.to.x), layout_.body.right());
        const double shown = dx > 0 ? std::clamp((right - left) / dx, 0.0, 1.0) : 1.0;
        return shown * std::max(dy, dx * kFlatCost);
    }

    /// False where there is nothing to be seen of it.
    bool place(std::uint32_t experiment, std::uint32_t index)
    {
        const Message& message = data_.session.experiments[experiment]->trace->messages[index];
        if (!message.matched() || !(*filters_)[experiment].passes(message)) return false;
        const double from = middleOf(experiment, message.sender);
        const double to = middleOf(experiment, message.receiver);
        const Rect& body = layout_.body;
        if (from == to || std::min(from, to) == kNoRow || std::max(from, to) < body.y
            || std::min(from, to) > body.bottom())
            return false;
        result_.drawn.push_back(
            {{experiment, index},
             {layout_.scale.toX(data_.clock.toSession(experiment, message.sendTime)), from},
             {layout_.scale.toX(data_.clock.toSession(experiment, message.receiveTime)), to}});
        return true;
    }

    const TimelineData& data_;
    const TimelineLayout& layout_;
    std::shared_ptr<const MessageFilters> filters_;
    std::vector<std::vector<double>> middles_;  ///< of its row, by experiment and location
    std::uint32_t mostLookedAt_ = 1;            ///< messages for a line
    VisibleMessages result_;
};

/// Fainter where there are many, but each line that is not in a crowd has a contrast of 3 to the background.
int alphaFor(std::size_t lines, int most)
{
    constexpr int kLeast = 120;
    if (lines <= kFewLines) return most;
    const double part = std::sqrt(static_cast<double>(kFewLines) / static_cast<double>(lines));
    return std::max(kLeast, static_cast<int>(most * part));
}

}  // namespace

VisibleMessages visibleMessages(const TimelineData& data, const TimelineLayout& layout,
                                const std::vector<Filter>& filters)
{
    MessageCollector collector(data, layout, filters);
    for (std::uint32_t experiment = 0; experiment < data.session.experiments.size(); ++experiment)
        if (data.session.experiments[experiment]->trace && data.indexes[experiment])
            collector.collect(experiment);
    return collector.finish();
}

void drawMessages(DrawList& list, const VisibleMessages& messages, const TimelineLayout& layout,
                  const TimelineOptions& options)
{
    const int most = alphaFor(messages.drawn.size(), options.theme.message.alpha);
    list.pushClip(layout.body);
    for (const PlacedMessage& placed : messages.drawn) {
        const int alpha = std::min(most, static_cast<int>(std::ceil(255 * placed.opacity)));
        list.line(placed.from, placed.to, withAlpha(options.theme.message, alpha), options.scale);
    }
    list.popClip();
}

}  // namespace skein
