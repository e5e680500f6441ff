// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_messages_scene.h"

#include "core/base/read_ahead.h"
#include "views/timeline/message_shares_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

namespace skein {
namespace {

constexpr double kCellPixels = 8;  ///< messages that begin within one to two times this are thinned together
constexpr std::size_t kMostMessagesUnderWay = 200;
constexpr double kMostCovered = 0.5;  ///< how opaque the lines of a crowded cell are together
constexpr double kFlatCost = 0.25;    ///< pixels along a row cost less than those of as many rows
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
        MessageShares shares(data_, experiment, layout_, cellNs(),
                             [this, experiment](const Message& message) {
                                 const auto line = lineOf(experiment, message);
                                 return line ? costOf(*line) : 0.0;
                             });
        const std::size_t before = result_.drawn.size();
        for (const std::uint32_t index : skip.underWay(messages, span.begin, kMostMessagesUnderWay))
            place(experiment, index);
        result_.total += last - first;
        if (first < last) placeCells(experiment, first, last, shares);
        shorten(experiment, before, shares);
    }

    VisibleMessages finish() { return std::move(result_); }

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
        bool crowded;         ///< there are many around it

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
    void placeCells(std::uint32_t experiment, std::uint32_t first, std::uint32_t last, MessageShares& shares)
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        const auto wide = static_cast<std::uint32_t>(layout_.body.width / kCellPixels) + 1;
        mostLookedAt_ = std::max(1u, kMostLookedAt / (wide * kLinesPerCell + kFewMessages));
        const bool isRead = isInMemory(std::as_bytes(messages.span().subspan(first, last - first)));
        if (!isRead) expectCells(experiment, first, last);
        const std::vector<Cell> cells = cellsOf(experiment, first, last, shares);
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

    /// Where they come in bursts, crowded cells have as many lines as were there if they came evenly.
    std::vector<Cell> cellsOf(std::uint32_t experiment, std::uint32_t first, std::uint32_t last,
                              MessageShares& shares) const
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        const MessageSkip& skip = data_.indexes[experiment]->messages;
        const TimeNs length = cellNs();
        std::vector<Cell> cells;
        for (std::uint32_t index = first; index < last; index = cells.back().next) {
            const TimeNs end = endOfCell(messages[index].sendTime, length);
            const std::uint32_t next = std::max(index + 1, std::min(last, skip.firstSentAt(messages, end)));
            const MessageShare& share = shares.at(messages[index].sendTime);
            const auto evenly = static_cast<std::uint32_t>(std::ceil(share.part * (next - index)));
            cells.push_back(
                {index, next, std::max(share.all ? next - index : kLinesPerCell, evenly), !share.all});
        }
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
        if (cell.crowded) blend(before);
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

    /// Long lines cover each other and cost their length: of too many, which stand from `first` on, a part is
    /// drawn, which is the same in windows beside each other, and each of which stays when less is drawn.
    void shorten(std::uint32_t experiment, std::size_t first, MessageShares& shares)
    {
        const Column<Message>& messages = data_.session.experiments[experiment]->trace->messages;
        const auto begin = result_.drawn.begin() + static_cast<std::ptrdiff_t>(first);
        const auto left = std::remove_if(begin, result_.drawn.end(), [&](PlacedMessage& line) {
            const MessageShare& share = shares.at(messages[line.message.index].sendTime);
            line.faint = share.faint;
            return scattered(line.message.index) > share.kept * 4294967295.0;
        });
        if (left != result_.drawn.end()) result_.thinned = true;
        result_.drawn.erase(left, result_.drawn.end());
    }

    /// What may be seen of a line, wherever the window is, in pixels.
    double costOf(const PlacedMessage& line) const
    {
        const double dx = std::abs(line.to.x - line.from.x);
        const double dy = std::abs(line.to.y - line.from.y);
        const double shown = dx > layout_.body.width ? layout_.body.width / dx : 1.0;
        return shown * std::max(dy, dx * kFlatCost);
    }

    /// Without the message's name; nullopt where there is nothing to be seen of it.
    std::optional<PlacedMessage> lineOf(std::uint32_t experiment, const Message& message) const
    {
        if (!message.matched() || !(*filters_)[experiment].passes(message)) return std::nullopt;
        const double from = middleOf(experiment, message.sender);
        const double to = middleOf(experiment, message.receiver);
        const Rect& body = layout_.body;
        if (from == to || std::min(from, to) == kNoRow || std::max(from, to) < body.y
            || std::min(from, to) > body.bottom())
            return std::nullopt;
        return PlacedMessage{{},
                             {layout_.scale.toX(data_.clock.toSession(experiment, message.sendTime)), from},
                             {layout_.scale.toX(data_.clock.toSession(experiment, message.receiveTime)), to}};
    }

    bool place(std::uint32_t experiment, std::uint32_t index)
    {
        auto line = lineOf(experiment, data_.session.experiments[experiment]->trace->messages[index]);
        if (!line) return false;
        line->message = {experiment, index};
        result_.drawn.push_back(*line);
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
int alphaFor(const PlacedMessage& line, int most)
{
    constexpr int kLeast = 120;
    const int faint = line.faint < 1 ? std::max(kLeast, static_cast<int>(most * line.faint)) : most;
    return std::min(faint, static_cast<int>(std::ceil(255 * line.opacity)));
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
    list.pushClip(layout.body);
    for (const PlacedMessage& placed : messages.drawn)
        list.line(placed.from, placed.to,
                  withAlpha(options.theme.message, alphaFor(placed, options.theme.message.alpha)),
                  options.scale);
    list.popClip();
}

}  // namespace skein
