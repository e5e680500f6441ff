// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/detail_messages_scene.h"

#include "views/common/scene/calls/call_stack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

namespace skein {
namespace {

constexpr double kPeerCellPixels = 8;
constexpr std::uint32_t kPeerLinesPerCell = 3;
constexpr std::size_t kPeerLinesAlwaysDrawn = 400;
constexpr std::size_t kMostReaching = 200;  ///< from each side
constexpr std::size_t kMostMessagesLookedAt =
    100'000;  ///< messages of all cells, where many are of peers that are hidden
constexpr std::size_t kFewPeerLines = 150;
constexpr double kMostPeerLineLength = 120'000;  ///< pixels of all lines together
constexpr double kMostForPeers = 0.3;            ///< of the height, where calls could have it all

class PeerLineCollector {
public:
    PeerLineCollector(const TimelineData& data, const ViewState& state, const LocationDetailLayout& layout)
        : data_(data),
          state_(state),
          layout_(layout),
          number_(layout.location.experiment),
          experiment_(*data.session.experiments[number_]),
          messages_(experiment_.trace->messages),
          filters_(messageFiltersOf(*data.messageFilters, data.session, state.filters)),
          span_(data.clock.toExperiment(number_, layout.frame.scale.span))
    {
    }

    DetailMessages collect()
    {
        const LocationMessages& list = *layout_.messages;
        for (const MessageEnds* ends : {&list.sends, &list.receives})
            for (const std::uint32_t index : ends->reachingInto(messages_, span_, kMostReaching)) add(index);
        const auto shown = [&](const MessageEnds& ends) {
            return ends.firstAt(messages_, span_.end) - ends.firstAt(messages_, span_.begin);
        };
        const bool all =
            result_.drawn.size() + shown(list.sends) + shown(list.receives) <= kPeerLinesAlwaysDrawn;
        for (const MessageEnds* ends : {&list.sends, &list.receives}) collect(*ends, all);
        if (!all) shorten();
        return std::move(result_);
    }

    std::optional<DetailMessage> place(std::uint32_t index)
    {
        const Message& message = messages_[index];
        const bool sent = message.sender == layout_.location.id;
        if (!message.matched() || (!sent && message.receiver != layout_.location.id)) return std::nullopt;
        if (!(*filters_)[number_].passes(message)) return std::nullopt;
        const LocationId other = sent ? message.receiver : message.sender;
        const PeerPlace* peer = layout_.peerOf(other);
        if (!peer) return std::nullopt;
        return DetailMessage{{number_, index},
                             {xOf(sent ? message.sendTime : message.receiveTime),
                              yOf(sent ? message.sendInterval : message.receiveInterval)},
                             {xOf(sent ? message.receiveTime : message.sendTime), peer->y},
                             other,
                             sent};
    }

private:
    double xOf(TimeNs time) const { return layout_.frame.scale.toX(data_.clock.toSession(number_, time)); }

    /// The middle of the call's row, as far as it is not scrolled out.
    double yOf(std::uint32_t call)
    {
        const CallIntervals& calls = callsOf(data_, layout_.location);
        const std::uint32_t level = call < calls.size() ? levelOf(calls.callPath[call]) : 0;
        const std::uint32_t row = std::min(std::max(level, 1u), std::max(layout_.rows, 1u)) - 1;
        return std::clamp(std::round(layout_.top(row) + layout_.rowHeight / 2), layout_.calls.y,
                          layout_.calls.bottom());
    }

    /// Visible calls from the outermost to this one.
    std::uint32_t levelOf(std::uint32_t callPath)
    {
        const auto [known, added] = levels_.try_emplace(callPath, 0);
        if (!added) return known->second;
        std::uint32_t level = 0;
        for (CallPathId at(callPath); at.valid(); at = experiment_.callTree->parent(at))
            if (passes(state_.filters, RegionRef{number_, experiment_.callTree->region(at)})) ++level;
        return levels_[callPath] = level;
    }

    bool add(std::uint32_t index)
    {
        const auto placed = place(index);
        if (placed) result_.drawn.push_back(*placed);
        return placed.has_value();
    }

    void collect(const MessageEnds& ends, bool all)
    {
        const std::size_t last = ends.firstAt(messages_, span_.end);
        const double wanted = std::max(1.0, kPeerCellPixels * layout_.frame.scale.nsPerPixel());
        // Cells are a power of two of nanoseconds long and begin at multiples of it, so they do not move with
        // the view.
        const auto cell = static_cast<TimeNs>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
        for (std::size_t at = ends.firstAt(messages_, span_.begin); at < last;) {
            const TimeNs end = (ends.time(messages_, at) / cell + 1) * cell;
            const std::size_t next = all ? at + 1 : std::clamp(ends.firstAt(messages_, end), at + 1, last);
            addSome(ends, at, next);
            at = next;
        }
    }

    /// Evenly over the cell, shifted by a hash so that peers that always take turns all get their share.
    void addSome(const MessageEnds& ends, std::size_t first, std::size_t next)
    {
        const std::size_t chosen = std::min<std::size_t>(next - first, kPeerLinesPerCell);
        const std::size_t before = result_.drawn.size();
        if (chosen < next - first) result_.thinned = true;
        for (std::size_t which = 0; which < chosen; ++which) {
            const std::size_t from = first + which * ((next - first) / chosen);
            addOneOf(ends, from, which + 1 < chosen ? from + (next - first) / chosen : next);
        }
        for (std::size_t at = before + 1; at < result_.drawn.size(); ++at) spare_.push_back(at);
    }

    /// The next one where the chosen one is of a peer that is hidden.
    void addOneOf(const MessageEnds& ends, std::size_t from, std::size_t to)
    {
        const std::size_t start = (static_cast<std::uint32_t>(from) * 2654435761u >> 16) % (to - from);
        for (std::size_t look = 0; look < to - from && (look == 0 || looked_ < kMostMessagesLookedAt);
             ++look, ++looked_)
            if (add(ends[from + (start + look) % (to - from)])) return;
    }

    /// Where the lines would cover each other every second, fourth … of those that are not the first of their
    /// cell goes.
    void shorten()
    {
        double length = 0;
        for (const DetailMessage& line : result_.drawn) length += std::abs(line.call.y - line.peer.y);
        std::uint32_t mask = 0;
        for (; length > kMostPeerLineLength && mask < 255; length /= 2) mask = mask * 2 + 1;
        if (mask == 0) return;
        std::vector<bool> gone(result_.drawn.size(), false);
        for (const std::size_t at : spare_)
            gone[at] = (result_.drawn[at].message.index * 2654435761u >> 12 & mask) != 0;
        std::size_t at = 0;
        result_.thinned = std::erase_if(result_.drawn, [&](const DetailMessage&) { return gone[at++]; }) > 0
            || result_.thinned;
    }

    const TimelineData& data_;
    const ViewState& state_;
    const LocationDetailLayout& layout_;
    std::uint32_t number_;
    const Experiment& experiment_;
    const Column<Message>& messages_;
    std::shared_ptr<const MessageFilters> filters_;
    TimeSpan span_;
    std::map<std::uint32_t, std::uint32_t> levels_;  ///< by call path
    std::vector<std::size_t> spare_;                 ///< lines that are not the first of their cell
    std::size_t looked_ = 0;
    DetailMessages result_;
};

std::string shortName(const Definitions& definitions, LocationId id)
{
    const Location& location = definitions.location(id);
    const bool main = location.rank >= 0 && location.kind == LocationKind::CpuThread && location.thread == 0;
    return main ? std::to_string(location.rank) : displayName(definitions, id);
}

std::vector<LocationId> peersByRank(const TimelineData& data, const ViewState& state,
                                    const LocationDetailLayout& layout)
{
    const Definitions& definitions = data.session.experiments[layout.location.experiment]->definitions;
    std::vector<LocationId> peers;
    for (const LocationId id : layout.messages->peers)
        if (id.index() < definitions.locations.size()
            && passes(state.filters, LocationRef{layout.location.experiment, id}))
            peers.push_back(id);
    const auto key = [&](LocationId id) {
        const Location& location = definitions.location(id);
        return std::tuple(location.rank < 0, location.rank, location.thread, id);
    };
    std::sort(peers.begin(), peers.end(),
              [&](LocationId left, LocationId right) { return key(left) < key(right); });
    return peers;
}

/// "→ 5" right of the ends of the lines, those that would lie upon another left out.
class PeerNotes {
public:
    PeerNotes(DrawList& list, const Definitions& definitions, const LocationDetailLayout& layout,
              const Canvas& canvas)
        : list_(list),
          definitions_(definitions),
          layout_(layout),
          canvas_(canvas),
          line_(canvas.lineHeight()),
          taken_(static_cast<std::size_t>(std::max(0.0, layout.peers.height / line_)) + 3, -1e300)
    {
    }

    void add(const DetailMessage& message)
    {
        const double x = message.peer.x + canvas_.px(4);
        const Rect box{x, std::round(message.peer.y - line_ / 2), 0, line_};
        const auto slot = static_cast<std::size_t>(std::max(0.0, (box.y - layout_.peers.y) / line_)) + 1;
        if (message.peer.x < layout_.peers.x || box.y < layout_.peers.y
            || box.bottom() > layout_.peers.bottom())
            return;
        if (slot + 1 >= taken_.size()
            || std::max({taken_[slot - 1], taken_[slot], taken_[slot + 1]}) > message.peer.x)
            return;
        const std::string text = (message.sent ? "→ " : "← ") + shortName(definitions_, message.other);
        const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + canvas_.px(2);
        if (x + width > layout_.peers.right()) return;
        taken_[slot] = x + width + canvas_.px(6);
        list_.fillRect({x, box.y, width, line_}, withAlpha(canvas_.theme().background, 200));
        list_.text({x, box.y, width, line_}, text, canvas_.theme().text, FontStyle::Small);
    }

private:
    DrawList& list_;
    const Definitions& definitions_;
    const LocationDetailLayout& layout_;
    const Canvas& canvas_;
    double line_;
    std::vector<double> taken_;  ///< up to where, for each line of text
};

}  // namespace

void placePeers(LocationDetailLayout& layout, const TimelineData& data, const ViewState& state,
                double leastForCalls, const Canvas& canvas)
{
    if (!layout.messages || layout.messages->size() == 0) return;
    const std::vector<LocationId> peers = peersByRank(data, state, layout);
    const double line = std::ceil(canvas.lineHeight()) + canvas.px(1);
    const Rect& body = layout.frame.body;
    const double wanted = static_cast<double>(std::max<std::size_t>(3, peers.size()) + 1) * line;
    const double most = std::max(kMostForPeers * body.height, body.height - leastForCalls);
    const double height = std::floor(std::min(wanted, most));
    if (peers.empty() || height < 2 * line) return;
    layout.calls.height = body.height - height;
    layout.peers = {body.x, layout.calls.bottom(), body.width, height};
    const double step = (height - line) / static_cast<double>(peers.size());
    for (std::size_t at = 0; at < peers.size(); ++at)
        layout.peerPlaces.push_back(
            {peers[at], layout.peers.y + line + (static_cast<double>(at) + 0.5) * step});
    std::sort(layout.peerPlaces.begin(), layout.peerPlaces.end(),
              [](const PeerPlace& left, const PeerPlace& right) { return left.peer < right.peer; });
}

DetailMessages detailMessages(const TimelineData& data, const ViewState& state,
                              const LocationDetailLayout& layout)
{
    return layout.peerPlaces.empty() ? DetailMessages{} : PeerLineCollector(data, state, layout).collect();
}

std::optional<DetailMessage> placedDetailMessage(const TimelineData& data, const ViewState& state,
                                                 const LocationDetailLayout& layout, MessageRef message)
{
    if (layout.peerPlaces.empty() || message.experiment != layout.location.experiment) return std::nullopt;
    if (message.index >= data.session.experiments[message.experiment]->trace->messages.size())
        return std::nullopt;
    return PeerLineCollector(data, state, layout).place(message.index);
}

void drawPeers(DrawList& list, const TimelineData& data, const LocationDetailLayout& layout,
               const Canvas& canvas)
{
    if (layout.peerPlaces.empty()) return;
    const Theme& theme = canvas.theme();
    const Rect& labels = layout.frame.labels;
    const double pad = canvas.px(8);
    const double line = canvas.lineHeight();
    list.fillRect({0, layout.peers.y, layout.peers.right(), canvas.px(1)}, theme.frame);
    const Rect head{pad, layout.peers.y + canvas.px(1), labels.width - 2 * pad, line};
    list.text(head, elideMiddle("Peers", head.width, FontStyle::Small, canvas.measure), theme.secondaryText,
              FontStyle::Small);
    std::vector<PeerPlace> places = layout.peerPlaces;
    std::sort(places.begin(), places.end(),
              [](const PeerPlace& left, const PeerPlace& right) { return left.y < right.y; });
    double free = head.bottom();
    double ticks = layout.peers.y;
    for (const PeerPlace& place : places) {
        if (place.y >= ticks) {
            list.fillRect({layout.peers.x, std::floor(place.y), layout.peers.width, canvas.px(1)},
                          theme.grid);
            ticks = place.y + canvas.px(4);
        }
        const Rect box{pad, std::round(place.y - line / 2), labels.width - 2 * pad, line};
        if (box.y < free || box.bottom() > layout.peers.bottom() + 1) continue;
        const std::string name =
            shortName(data.session.experiments[layout.location.experiment]->definitions, place.peer);
        list.text(box, elideMiddle(name, box.width, FontStyle::Small, canvas.measure), theme.secondaryText,
                  FontStyle::Small, Align::Right);
        free = box.bottom();
    }
}

void drawDetailMessages(DrawList& list, const DetailMessages& messages, const TimelineData& data,
                        const LocationDetailLayout& layout, const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    const double part = std::sqrt(static_cast<double>(kFewPeerLines)
                                  / static_cast<double>(std::max(messages.drawn.size(), kFewPeerLines)));
    const Color color = withAlpha(theme.message, std::max(56, static_cast<int>(theme.message.alpha * part)));
    std::vector<DetailMessage> lines = messages.drawn;
    std::sort(lines.begin(), lines.end(), [](const DetailMessage& left, const DetailMessage& right) {
        return std::tuple(left.peer.x, left.message) < std::tuple(right.peer.x, right.message);
    });
    list.pushClip(layout.frame.body);
    for (const DetailMessage& line : lines) list.line(line.call, line.peer, color, canvas.style.scale);
    PeerNotes notes(list, data.session.experiments[layout.location.experiment]->definitions, layout, canvas);
    for (const DetailMessage& line : lines) notes.add(line);
    list.popClip();
}

void drawChosenMessage(DrawList& list, const DetailMessage& message, Color color, double width,
                       const Canvas& canvas)
{
    const double size = 4 * canvas.style.scale;
    const Point from = message.sent ? message.call : message.peer;
    const Point to = message.sent ? message.peer : message.call;
    list.line(from, to, color, width * canvas.style.scale);
    list.fillRect({from.x - size / 2, from.y - size / 2, size, size}, color);
    list.items.push_back(
        PolygonItem{{{to.x, to.y - size}, {to.x + size, to.y}, {to.x, to.y + size}, {to.x - size, to.y}},
                    color,
                    {0, 0, 0, 0},
                    1,
                    {}});
}

MessageRef detailMessageAt(const DetailMessages& messages, Point point, const Canvas& canvas)
{
    MessageRef nearest;
    double least = 4 * canvas.style.scale;
    for (const DetailMessage& line : messages.drawn) {
        const double distance = distanceToLine(line.call, line.peer, point);
        if (distance > least) continue;
        least = distance;
        nearest = line.message;
    }
    return nearest;
}

}  // namespace skein
