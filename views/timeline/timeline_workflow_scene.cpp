// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_workflow_scene.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/calls/call_tooltip.h"
#include "views/common/scene/color/palette.h"
#include "views/timeline/collapsed_places_scene.h"
#include "views/timeline/span_band_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace skein {
namespace {

constexpr double kFileLetters = 18;  ///< of a name in a tooltip
constexpr double kHitPixels = 4;     // logical

Color ioColor(IoKind kind, bool dark)
{
    if (kind == IoKind::Write) return dark ? fromLch(70, 60, 312) : fromLch(30, 60, 310);
    if (kind == IoKind::Read) return dark ? fromLch(55, 45, 285) : fromLch(50, 50, 285);
    return dark ? fromLch(60, 12, 310) : fromLch(45, 12, 310);
}

/// A hand-over on the picture: its four corners.
struct Ribbon {
    double fromX[2];  ///< writing
    double toX[2];    ///< reading
    double fromY = 0;
    double toY = 0;
};

std::optional<Ribbon> ribbonOf(const TimelineData& data, const TimelineOptions& options,
                               const TimelineLayout& layout, const HandOver& handOver)
{
    const PlacedRow* from = placeOrCollapsed(layout, {handOver.producer, handOver.from});
    const PlacedRow* to = placeOrCollapsed(layout, {handOver.consumer, handOver.to});
    if (!from || !to) return std::nullopt;
    const TimeSpan written = data.clock.toSession(handOver.producer, handOver.written);
    const TimeSpan read =
        data.clock.toSession(handOver.consumer, TimeSpan{handOver.waited.end, handOver.readEnd});
    const TimeSpan& span = layout.scale.span;
    if (std::max(written.end, read.end) < span.begin || std::min(written.begin, read.begin) > span.end)
        return std::nullopt;
    const double least = std::max(1.0, std::round(options.scale));
    const auto x = [&](TimeNs time) { return layout.scale.toX(time); };
    Ribbon ribbon{{x(written.begin), std::max(x(written.end), x(written.begin) + least)},
                  {x(read.begin), std::max(x(read.end), x(read.begin) + least)},
                  from->y + from->height / 2,
                  to->y + to->height / 2};
    return ribbon;
}

class RibbonPainter {
public:
    RibbonPainter(DrawList& list, const TimelineData& data, const TimelineOptions& options,
                  const TimelineLayout& layout, const TextMeasure& measure)
        : list_(list),
          data_(data),
          options_(options),
          layout_(layout),
          measure_(measure),
          color_(ioColor(IoKind::Write, options.theme.dark))
    {
    }

    void draw()
    {
        list_.pushClip(layout_.body);
        for (const HandOver& handOver : options_.handOvers->handOvers) drawOne(handOver);
        for (const auto& [box, text] : labels_) {
            list_.items.push_back(
                RectItem{box, options_.theme.tooltip, color_, 1, std::round(3 * options_.scale), {}});
            list_.text(box, text, options_.theme.tooltipText, FontStyle::Small, Align::Center);
        }
        list_.popClip();
    }

private:
    void drawOne(const HandOver& handOver)
    {
        const auto ribbon = ribbonOf(data_, options_, layout_, handOver);
        if (!ribbon) return;
        const auto pixel = [](double at) { return static_cast<std::int64_t>(std::floor(at)); };
        if (!drawn_
                 .insert({pixel(ribbon->fromX[0]), pixel(ribbon->fromY), pixel(ribbon->toX[0]),
                          pixel(ribbon->toY)})
                 .second)
            return;
        list_.items.push_back(PolygonItem{{{ribbon->fromX[0], ribbon->fromY},
                                           {ribbon->fromX[1], ribbon->fromY},
                                           {ribbon->toX[1], ribbon->toY},
                                           {ribbon->toX[0], ribbon->toY}},
                                          withAlpha(color_, 60),
                                          withAlpha(color_, 130),
                                          std::max(1.0, options_.scale),
                                          {}});
        label(handOver, *ribbon);
    }

    /// One label an output, in the middle of its first band, where no other label is.
    void label(const HandOver& handOver, const Ribbon& ribbon)
    {
        if (!labelled_.insert({handOver.producer, handOver.consumer, handOver.output}).second) return;
        const std::string text = fmt::format("output {}", handOver.output);
        const double width = std::ceil(measure_.width(text, FontStyle::Small) + 8 * options_.scale);
        const double height = std::ceil(measure_.lineHeight(FontStyle::Small) + 2 * options_.scale);
        const double x = (ribbon.fromX[0] + ribbon.toX[0]) / 2 - width / 2;
        const Rect box{std::round(x), std::round(boundary(handOver, ribbon, x) - height / 2), width, height};
        if (box.x < layout_.body.x || box.right() > layout_.body.right() || box.y < layout_.body.y) return;
        if (std::any_of(labels_.begin(), labels_.end(), [&](const auto& other) {
                return other.first.overlaps(box.inset(-2 * options_.scale));
            }))
            return;
        labels_.emplace_back(box, text);
    }

    /// The middle of a label that begins at `x`. Labels lie on the header between the two components, where
    /// no bars are: over it where its own texts are, and halfway where there is none.
    double boundary(const HandOver& handOver, const Ribbon& ribbon, double x) const
    {
        const std::uint32_t lower = ribbon.fromY > ribbon.toY ? handOver.producer : handOver.consumer;
        for (const PlacedRow& place : layout_.places) {
            const TimelineRow& row = layout_.rows[place.row];
            if (row.kind != TimelineRowKind::Experiment || row.location.experiment != lower) continue;
            const bool free = !isHeader(row)
                || x > headerTexts(row, layout_, options_.scale, measure_).end + 4 * options_.scale;
            return free ? place.y + place.height / 2 : place.y - place.height / 2;
        }
        return (ribbon.fromY + ribbon.toY) / 2;
    }

    DrawList& list_;
    const TimelineData& data_;
    const TimelineOptions& options_;
    const TimelineLayout& layout_;
    const TextMeasure& measure_;
    Color color_;
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>> drawn_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> labelled_;
    std::vector<std::pair<Rect, std::string>> labels_;
};

std::string locationName(const TimelineData& data, std::uint32_t experiment, LocationId location)
{
    return experimentTitles(data.session)[experiment] + " "
        + displayName(data.session.experiments[experiment]->definitions, location);
}

std::string duration(TimeSpan span) { return formatDuration(static_cast<double>(span.lengthNs())); }

}  // namespace

SessionIoPtr makeSessionIo(const Session& session)
{
    auto io = std::make_shared<SessionIo>();
    bool any = false;
    for (const ExperimentPtr& experiment : session.experiments) {
        std::vector<IoSpan> spans;
        for (std::uint32_t number = 0; experiment->trace && number < experiment->trace->ioOperations.size();
             ++number) {
            const IoOperation& operation = experiment->trace->ioOperations[number];
            if (operation.begin == kNoTime || !operation.location.valid()) continue;
            const TimeNs end = operation.end == kNoTime ? operation.begin : operation.end;
            spans.push_back({operation.begin, std::max(end, operation.begin + 1), operation.location, number,
                             operation.kind});
        }
        std::sort(spans.begin(), spans.end(), [](const IoSpan& a, const IoSpan& b) {
            return std::tuple(a.location, a.begin, a.operation)
                < std::tuple(b.location, b.begin, b.operation);
        });
        any = any || !spans.empty();
        Column<IoSpan> column(std::move(spans));
        LocationSpans<IoSpan> index(column);
        io->experiments.push_back({std::move(column), std::move(index)});
    }
    return any ? SessionIoPtr(std::move(io)) : nullptr;
}

void drawIo(DrawList& list, const TimelineData& data, const TimelineOptions& options,
            const TimelineLayout& layout)
{
    SpanBand band(data, options, layout, BandEdge::Top);
    list.pushClip(layout.body);
    for (const PlacedRow& place : layout.places) {
        const TimelineRow& row = layout.rows[place.row];
        if (isHeader(row) || !band.enter(place, list)) continue;
        const auto& io = options.io->experiments[row.location.experiment];
        forEachLocation(row, [&](LocationRef location) {
            band.add(location, io.spans, io.index,
                     [&](const IoSpan& span) { return toArgb(ioColor(span.kind, options.theme.dark)); });
        });
    }
    band.finish(list);
    list.popClip();
}

void drawHandOvers(DrawList& list, const TimelineData& data, const TimelineOptions& options,
                   const TimelineLayout& layout, const TextMeasure& measure)
{
    RibbonPainter(list, data, options, layout, measure).draw();
}

std::optional<std::uint32_t> handOverAt(const TimelineData& data, const TimelineOptions& options,
                                        const TimelineLayout& layout, Point point)
{
    if (!options.handOvers || !layout.body.contains(point)) return std::nullopt;
    std::optional<std::uint32_t> nearest;
    double least = kHitPixels * options.scale;
    for (std::uint32_t number = 0; number < options.handOvers->handOvers.size(); ++number) {
        const auto ribbon = ribbonOf(data, options, layout, options.handOvers->handOvers[number]);
        if (!ribbon) continue;
        const double top = std::min(ribbon->fromY, ribbon->toY),
                     bottom = std::max(ribbon->fromY, ribbon->toY);
        if (point.y < top || point.y > bottom || bottom - top < 1) continue;
        const double part = (point.y - ribbon->fromY) / (ribbon->toY - ribbon->fromY);
        const double left = ribbon->fromX[0] + part * (ribbon->toX[0] - ribbon->fromX[0]);
        const double right = ribbon->fromX[1] + part * (ribbon->toX[1] - ribbon->fromX[1]);
        const double distance = std::max({0.0, left - point.x, point.x - right});
        if (distance < least) {
            least = distance;
            nearest = number;
        }
    }
    return nearest;
}

std::vector<std::string> handOverTooltip(const TimelineData& data, const HandOver& handOver)
{
    const TimeNs written = data.clock.toSession(handOver.producer, handOver.written.end);
    const TimeNs available = data.clock.toSession(handOver.consumer, handOver.waited.end);
    return {
        fmt::format("Output {}, part of rank {}: {}", handOver.output, handOver.part,
                    formatBytes(static_cast<double>(handOver.bytes))),
        fmt::format("written by {} in {}", locationName(data, handOver.producer, handOver.from),
                    duration(handOver.written)),
        fmt::format("read by {} in {}", locationName(data, handOver.consumer, handOver.to),
                    duration({handOver.waited.end, handOver.readEnd})),
        fmt::format("the reader waited {}", duration(handOver.waited)),
        fmt::format("{} from written to taken", formatDuration(static_cast<double>(available - written)))};
}

std::string ioTooltip(const TimelineData& data, const SessionIo& io, LocationRef location, TimeNs time)
{
    if (location.experiment >= io.experiments.size()) return {};
    const auto& found = io.experiments[location.experiment];
    const TimeNs at = data.clock.toExperiment(location.experiment, time);
    const std::size_t end = found.index.rowsOf(location.id).second;
    for (std::size_t number = found.index.firstEndingAfter(location.id, at);
         number < end && found.spans[number].begin <= at; ++number) {
        if (found.spans[number].end <= at) continue;
        const Experiment& experiment = *data.session.experiments[location.experiment];
        const IoOperation& operation = experiment.trace->ioOperations[found.spans[number].operation];
        std::string text(name(operation.kind));
        if (operation.bytesTransferred > 0)
            text += " " + formatBytes(static_cast<double>(operation.bytesTransferred));
        const bool known =
            operation.file.valid() && operation.file.index() < experiment.definitions.ioFiles.size();
        if (known)
            text +=
                ", " + tooltipText(experiment.definitions.ioFiles[operation.file.index()].name, kFileLetters);
        return text + ", "
            + formatDuration(static_cast<double>(found.spans[number].end - found.spans[number].begin));
    }
    return {};
}

}  // namespace skein
