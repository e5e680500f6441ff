// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_layout_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kHighestRow = 132;
constexpr double kRowForProcesses = 26;  ///< rows must be this high before processes get headers of their own
constexpr double kRowForNodes = 13;
constexpr double kLowestUsualRow = 6;  ///< where bands stand in place of mixed colours, see ShareBands

double headerHeight(const TimelineRow& row, const TextMeasure& measure, double scale)
{
    if (!isHeader(row)) return 0;
    const bool experiment = row.kind == TimelineRowKind::Experiment;
    return std::round(measure.lineHeight(experiment ? FontStyle::Bold : FontStyle::Small)
                      + (experiment ? 8 : 4) * scale);
}

double headersHeight(const std::vector<TimelineRow>& rows, const TextMeasure& measure, double scale)
{
    double sum = 0;
    for (const TimelineRow& row : rows) sum += headerHeight(row, measure, scale);
    return sum;
}

std::size_t locationCount(const std::vector<TimelineRow>& rows)
{
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !isHeader(row); }));
}

/// As high as a row is at least before it is zoomed.
double lowestRow(std::size_t locations, const TimelineOptions& options, const TextMeasure& measure)
{
    const bool isUsual = options.fit == RowFit::Usual && locations < TimelineIndex::kFewestToBundle;
    if (options.fit == RowFit::Readable)
        return std::ceil(measure.lineHeight(FontStyle::Small)) + 2 * options.scale;
    return isUsual ? std::round(kLowestUsualRow * options.scale) : 0;
}

/// Leaves headers away, innermost first, while the rows would become too low to read.
std::vector<TimelineRow> fittingRows(std::vector<TimelineRow> rows, double height,
                                     const TimelineOptions& options, const TextMeasure& measure)
{
    for (const TimelineRowKind kind : {TimelineRowKind::Process, TimelineRowKind::Node}) {
        const double left = height - headersHeight(rows, measure, options.scale);
        const std::size_t locations = std::max<std::size_t>(locationCount(rows), 1);
        const double each =
            std::max(left / static_cast<double>(locations), lowestRow(locations, options, measure));
        const double wanted = kind == TimelineRowKind::Process ? kRowForProcesses : kRowForNodes;
        if (each * options.rowZoom >= wanted * options.scale) break;
        rows = withoutHeaders(std::move(rows), kind);
    }
    return rows;
}

/// A line where a picture may leave something out: notes do not cover calls. Lower pictures than that have no
/// room for anything but rows.
double notesHeight(const TimelineOptions& options, double room, const TextMeasure& measure)
{
    constexpr double kMostOfRoom = 0.4;
    const double line = std::round(measure.lineHeight(FontStyle::Small) + 4 * options.scale);
    const bool leavesOut =
        options.messages == MessageDisplay::Shown || options.collectives == CollectiveDisplay::Shown;
    return leavesOut && line <= room * kMostOfRoom ? line : 0;
}

void placePanels(TimelineLayout& layout, const TimelineOptions& options, int width, int height, double labels,
                 const TextMeasure& measure)
{
    const double scale = options.scale;
    const double captionHeight =
        options.caption.empty() ? 0 : std::round(measure.lineHeight(FontStyle::Bold) + 12 * scale);
    const double rulerHeight = std::round(measure.lineHeight(FontStyle::Small) + 12 * scale);
    const double top = captionHeight + rulerHeight;
    layout.caption = {0, 0, static_cast<double>(width), captionHeight};
    layout.corner = {0, captionHeight, labels, rulerHeight};
    layout.ruler = {labels, captionHeight, std::max(1.0, width - labels), rulerHeight};
    const double notes = notesHeight(options, height - top, measure);
    layout.labels = {0, top, labels, std::max(0.0, height - notes - top)};
    layout.body = {labels, top, std::max(1.0, width - labels), std::max(0.0, height - notes - top)};
    layout.notes = {0, layout.body.bottom(), static_cast<double>(width), notes};
}

void placeRows(TimelineLayout& layout, const TimelineOptions& options, const TextMeasure& measure)
{
    const double headers = headersHeight(layout.rows, measure, options.scale);
    const std::size_t count = std::max<std::size_t>(locationCount(layout.rows), 1);
    const auto locations = static_cast<double>(count);
    const double fitting = std::max(layout.body.height - headers, layout.body.height * 0.25) / locations;
    layout.rowHeight =
        std::max(std::min(fitting, kHighestRow * options.scale), lowestRow(count, options, measure))
        * options.rowZoom;
    while (layout.pinnedRows < layout.rows.size() && layout.rows[layout.pinnedRows].pinned)
        ++layout.pinnedRows;
    // Rows are pinned to be compared with others while these are scrolled: all are then high enough for their
    // names.
    if (layout.pinnedRows > 0)
        layout.rowHeight =
            std::max(layout.rowHeight, std::ceil(measure.lineHeight(FontStyle::Small)) + 2 * options.scale);
    layout.contentHeight = headers + layout.rowHeight * locations;
    layout.maximumScroll = std::max(0.0, std::round(layout.contentHeight - layout.body.height));
    layout.pinnedHeight = layout.pinnedRows * layout.rowHeight;
    layout.places.reserve(layout.rows.size());
    double y = layout.body.y;
    for (std::uint32_t row = 0; row < layout.rows.size(); ++row) {
        if (row == layout.pinnedRows) y -= std::clamp(options.scrollY, 0.0, layout.maximumScroll);
        const double height = isHeader(layout.rows[row])
            ? headerHeight(layout.rows[row], measure, options.scale)
            : layout.rowHeight;
        layout.places.push_back({row, y, height});
        y += height;
    }
}

/// The layout with some of its places, in a body and label column of their own.
TimelineLayout partOf(const TimelineLayout& layout, std::size_t first, std::size_t last, double top,
                      double bottom)
{
    TimelineLayout part = layout;
    part.places.assign(layout.places.begin() + static_cast<std::ptrdiff_t>(first),
                       layout.places.begin() + static_cast<std::ptrdiff_t>(last));
    part.body.y = part.labels.y = top;
    part.body.height = part.labels.height = std::max(0.0, bottom - top);
    return part;
}

}  // namespace

std::optional<std::uint32_t> TimelineLayout::rowAt(double y) const
{
    if (y < body.y || y >= body.bottom()) return std::nullopt;
    const auto scrolled = places.begin() + pinnedRows;
    const bool above = y < body.y + pinnedHeight;
    const auto first = above ? places.begin() : scrolled;
    const auto after = std::upper_bound(first, above ? scrolled : places.end(), y,
                                        [](double at, const PlacedRow& place) { return at < place.y; });
    if (after == first) return std::nullopt;
    const PlacedRow& place = *(after - 1);
    return y < place.y + place.height ? std::optional(place.row) : std::nullopt;
}

const PlacedRow* TimelineLayout::placeOf(LocationRef location) const
{
    for (const PlacedRow& place : places)
        if (rows[place.row].kind == TimelineRowKind::Location && rows[place.row].location == location)
            return &place;
    return nullptr;
}

double cellsOf(const TimelineLayout& layout)
{
    const auto isSeen = [&](const PlacedRow& place) {
        return place.y + place.height > layout.body.y && place.y < layout.body.bottom();
    };
    const auto seen = static_cast<double>(std::count_if(layout.places.begin(), layout.places.end(), isSeen));
    return std::min(seen, layout.body.height) * layout.body.width;
}

std::vector<TimelineLayout> partsOf(const TimelineLayout& layout)
{
    if (layout.pinnedRows == 0) return std::vector<TimelineLayout>(1, layout);
    const double edge = std::min(layout.body.y + layout.pinnedHeight, layout.body.bottom());
    return {partOf(layout, layout.pinnedRows, layout.places.size(), edge, layout.body.bottom()),
            partOf(layout, 0, layout.pinnedRows, layout.body.y, edge)};
}

TimeFrame frameOf(const TimelineLayout& layout)
{
    return {layout.corner, layout.ruler, layout.labels, layout.body, layout.scale};
}

TimelineLayout timelineLayout(const TimelineData& data, const ViewState& state,
                              const TimelineOptions& options, int width, int height,
                              const TextMeasure& measure)
{
    TimelineLayout layout;
    layout.rows = arrangedRows(data, state.filters, state.rows);
    placePanels(layout, options, width, height, 0, measure);
    layout.rows = fittingRows(std::move(layout.rows), layout.body.height, options, measure);
    placePanels(layout, options, width, height, timeLabelsWidth(data, width, options.scale, measure),
                measure);
    placeRows(layout, options, measure);
    layout.scale = {visibleSpan(data, state), layout.body.x, layout.body.width};
    return layout;
}

int timelineHeight(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                   int width, const TextMeasure& measure)
{
    constexpr int kUsual = 500;  ///< logical pixels
    const int usual = static_cast<int>(std::lround(kUsual * options.scale));
    TimelineOptions top = options;
    top.scrollY = 0;
    const TimelineLayout layout = timelineLayout(data, state, top, width, usual, measure);
    return static_cast<int>(std::ceil(usual - layout.body.height + std::min(layout.contentHeight, 1e6)));
}

std::uint32_t LaneLayout::laneAt(double y) const
{
    std::uint32_t lane = 0;
    while (lane + 1 < count() && y >= tops[lane + 1]) ++lane;
    return lane;
}

HeaderTexts headerTexts(const TimelineRow& row, const TimelineLayout& layout, double scale,
                        const TextMeasure& measure)
{
    const FontStyle style = row.kind == TimelineRowKind::Experiment ? FontStyle::Bold : FontStyle::Small;
    HeaderTexts texts;
    texts.title = 20 * scale;  // behind the triangle
    texts.titleWidth = measure.width(row.label, style);
    texts.members = std::max(texts.title + texts.titleWidth + 12 * scale, layout.body.x + texts.title);
    texts.count = fmt::format("{} location{}", row.members, row.members == 1 ? "" : "s");
    texts.end = texts.members + measure.width(texts.count, FontStyle::Small);
    return texts;
}

LaneLayout laneLayout(double height, std::uint32_t maximumDepth, double scale, double lineHeight)
{
    LaneLayout lanes;
    lanes.height = height;
    const double label = std::ceil(lineHeight) + 1;
    const double thin = std::max(3.0, std::round(4 * scale));
    const auto levels = static_cast<double>(std::max(maximumDepth, 1u));
    const double above = std::clamp(std::floor((height - label) / thin), 0.0, levels - 1);
    // Inner lanes are the ones that get room for a name; what is left over goes to all that have one.
    const double labelled =
        std::clamp(std::floor((height - (above + 1) * thin) / (label - thin)), 1.0, above + 1);
    const double rest = height - labelled * label - (above + 1 - labelled) * thin;
    const double step = label + std::clamp(std::floor(rest / labelled), 0.0, label / 2);
    double top = 0;
    for (double lane = 0; lane <= above; ++lane) {
        lanes.tops.push_back(top);
        top += lane < above + 1 - labelled ? thin : step;
    }
    return lanes;
}

}  // namespace skein
