// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/collective_table.h"
#include "core/select/view_state.h"
#include "core/session/hand_over.h"
#include "views/common/scene/axes/time_frame.h"
#include "views/common/scene/data/session_critical_path.h"
#include "views/common/scene/data/session_io.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scene/drawing/theme.h"
#include "views/timeline/picture_detail_scene.h"
#include "views/timeline/timeline_rows_scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

enum class MessageDisplay : std::uint8_t { Hidden, Shown };
enum class CollectiveDisplay : std::uint8_t { Hidden, Shown };
/// How high rows are at least. All: all fill the picture, however low they become. Readable: as high as their
/// names. Usual: high enough to show how time divides, unless locations are so many that they are drawn in
/// bundles, and all in one picture.
enum class RowFit : std::uint8_t { All, Usual, Readable };

/// How a timeline is drawn, apart from what the shared ViewState says.
struct TimelineOptions {
    Theme theme;
    double scale = 1;  ///< device pixels per logical pixel
    RowFit fit = RowFit::All;
    double rowZoom = 1;  ///< height of rows; at 1 all rows fill the view, or are as high as `fit` says
    double scrollY = 0;  ///< device pixels that are scrolled out above
    PictureDetail detail;
    MessageDisplay messages = MessageDisplay::Shown;
    CollectiveDisplay collectives = CollectiveDisplay::Shown;
    std::vector<CollectiveTablePtr> inferred =
        {};  ///< one an experiment: collectives of traces that have none of their own; may be null
    SessionWaitsPtr waits;                             ///< wait states to be marked; null: none
    SessionCriticalPathPtr criticalPath;               ///< to be drawn over the rows; null: none
    SessionIoPtr io;                                   ///< I/O operations to be marked; null: none
    std::shared_ptr<const PlacedHandOvers> handOvers;  ///< between components; null: none
    std::string caption;                               ///< over the picture; empty: none

    bool operator==(const TimelineOptions&) const = default;
};

struct PlacedRow {
    std::uint32_t row = 0;  ///< index into TimelineLayout::rows
    double y = 0;           ///< device pixels from the picture's top, scrolling included
    double height = 0;
};

/// Where everything of a timeline is. Device pixels.
struct TimelineLayout {
    Rect caption, corner, ruler, labels, body;
    Rect notes;       ///< below the body: what the picture leaves out; empty where it always shows all
    TimeScale scale;  ///< session time over `body`
    std::vector<TimelineRow> rows;
    std::vector<PlacedRow> places;  ///< one a row, from top to bottom
    double rowHeight = 0;           ///< of location rows
    double contentHeight = 0;       ///< of all rows together
    double maximumScroll = 0;
    std::uint32_t pinnedRows = 0;  ///< the first ones; they are not scrolled
    double pinnedHeight = 0;

    /// The row at a height; nullopt over headers' gaps and below the last.
    std::optional<std::uint32_t> rowAt(double y) const;
    /// The place of a location's row; nullopt where it has none.
    const PlacedRow* placeOf(LocationRef location) const;
};

/// Rows that are seen, no more than one a pixel, times columns.
double cellsOf(const TimelineLayout& layout);

/// The layout cut into what is scrolled and, where rows are pinned, what stays above it; bodies do not
/// overlap.
std::vector<TimelineLayout> partsOf(const TimelineLayout& layout);

/// The part of the layout that all pictures over time share.
TimeFrame frameOf(const TimelineLayout& layout);

/// How high a picture of this width is for all rows to be in it: as high as they are in one of the usual
/// height.
int timelineHeight(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                   int width, const TextMeasure& measure);

TimelineLayout timelineLayout(const TimelineData& data, const ViewState& state,
                              const TimelineOptions& options, int width, int height,
                              const TextMeasure& measure);

/// What stands in a header: its title, and where the text behind that begins and ends.
struct HeaderTexts {
    double title = 0;  ///< left edges, device pixels
    double titleWidth = 0;
    double members = 0;
    double end = 0;
    std::string count;  ///< "12 locations"
};

HeaderTexts headerTexts(const TimelineRow& row, const TimelineLayout& layout, double scale,
                        const TextMeasure& measure);

/// How a location row of a height is divided among the levels of the call stack. Lane i begins at tops[i];
/// the last one, for the innermost call, ends at the bottom.
struct LaneLayout {
    std::vector<double> tops;
    double height = 0;

    std::uint32_t count() const { return static_cast<std::uint32_t>(tops.size()); }
    double bottom(std::uint32_t lane) const { return lane + 1 < count() ? tops[lane + 1] : height; }
    std::uint32_t laneAt(double y) const;
};

/// Levels that get lanes of their own: as many as fit at 4 logical pixels each beside one for the name of the
/// innermost call. Where there is more room, the inner levels get lanes that hold a name, in the end all.
LaneLayout laneLayout(double height, std::uint32_t maximumDepth, double scale, double lineHeight);

}  // namespace skein
