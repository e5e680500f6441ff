// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_sums.h"
#include "core/select/view_state.h"
#include "views/comm_matrix/comm_matrix_table_scene.h"
#include "views/common/scene/color/color_stops.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// The communication of one phase, for small multiples.
struct CommPhasePart {
    TimeSpan span;  ///< session time
    CommMatrixTablePtr table;
};

/// What the view shows of the communication.
enum class CommPicture : std::uint8_t { Matrix, Sizes, OverTime, Phases };

/// All that a picture needs. Immutable; may cross threads.
struct CommMatrixPicture {
    CommPicture shown = CommPicture::Matrix;
    CommMatrixTablePtr table;
    SessionCommunicationPtr base;  ///< as it is, whatever is shown of what was tried
    CommMatrixTablePtr beside;     ///< at the right, with the same rows; null: nothing
    std::string title;             ///< of the table, where something is held beside; else empty
    std::string besideTitle;
    bool logarithmic = true;
    ColorStops stops;
    bool differences = false;  ///< values have signs
    /// The rows and columns in sight: [first, end) of both, in items.
    double firstRow = 0, endRow = 0, firstColumn = 0, endColumn = 0;
    std::vector<std::uint64_t> marked;  ///< sender << 32 | receiver of selected pairs, sorted; others are dim
    std::optional<SizeHistogram> sizes;
    std::vector<MessageSum> overTime;
    TimeSpan timeSpan;                  ///< session time of overTime
    std::vector<CommPhasePart> phases;  ///< in the order of time
    std::size_t sendingPhases = 0;      ///< in which anything was sent: those that are not shown, too
};

using CommMatrixPicturePtr = std::shared_ptr<const CommMatrixPicture>;

/// Where the parts are. Device pixels.
struct CommMatrixLayout {
    Rect caption, columnTitle, rowTitle, columns, rows, body, foot;
};

CommMatrixLayout commMatrixLayout(const CommMatrixPicture& picture, const Canvas& canvas);

/// Senders in rows, receivers in columns; a pixel that holds several cells shows the greatest of them, so
/// that nothing rare vanishes. Or what `shown` says. O(cells in sight + pixels).
DrawList commMatrixScene(const CommMatrixPicture& picture, const Canvas& canvas, const Task& task);

/// The pictures of both tables, each for a pane of its own; the same one where there is one table.
CommMatrixPicture commMatrixPane(const CommMatrixPicture& picture, int pane);

/// A table's cells alone, in the colours of the matrix, or of differences where its values have signs. The
/// scale goes to table.greatest. All of it fills `body`; with `picture` that part of it which it has in
/// sight, what is not marked dimmed. O(cells + pixels).
PixelItem commMatrixPixels(const CommMatrixPicture& picture, const CommMatrixTable& table, const Rect& body,
                           const Theme& theme, const Task& task);

/// Row and column at a point of the matrix.
std::optional<std::pair<std::size_t, std::size_t>> commCellAt(const CommMatrixPicture& picture,
                                                              const CommMatrixLayout& layout, Point point);

/// The values of the cells in sight in words: a row a sender and a column a receiver, below a row of titles.
/// At most 128 of each.
std::vector<std::vector<std::string>> commMatrixInSight(const CommMatrixPicture& picture);

/// The phase at a point, as a place in picture.phases.
std::optional<std::size_t> commPhaseAt(const CommMatrixPicture& picture, const Canvas& canvas, Point point);
/// The size class, or the part of time, at a point.
std::optional<std::size_t> commBarAt(const CommMatrixPicture& picture, const Canvas& canvas, Point point);
/// Lines about a bar of the histogram or of the time.
std::vector<std::string> commBarText(const CommMatrixPicture& picture, std::size_t bar);

}  // namespace skein
