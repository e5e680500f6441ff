// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/communication/communication_lines_scene.h"
#include "views/communication/communication_scene.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// Lines that are more than pixels can hold, as a density: the more lines, the stronger; the colour is that
/// of the greatest value there.
namespace skein {

/// Coverage by lines, and the greatest value of those that cover it; both 0: nothing.
struct FlowCell {
    float cover = 0, value = 0;
};

/// Cells row by row. Cell (0, 0) is at `origin`, each next one a `pixels`th of a unit of the plane on.
struct FlowGrid {
    int columns = 1, rows = 1;
    PlanePoint origin;
    double pixels = 1;
    std::vector<FlowCell> cells = {};

    Point toCells(PlanePoint point) const
    {
        return {(point.x - origin.x) * pixels, (point.y - origin.y) * pixels};
    }
};

/// A straight piece of a line that is among the exact ones at rest.
struct StrongPiece {
    PlanePoint from, to;
    float width = 1;  ///< in cells of the finest grid
    float value = 0;  ///< as FlowColors::at() takes it
};

/// The density of a whole picture in the plane, on grids each half as fine as the one before it. The density
/// of any view is taken from it in a time that depends on the pixels alone. Immutable.
struct FlowDensityMap {
    std::shared_ptr<const std::vector<PlanePoint>> points;
    std::shared_ptr<const std::vector<DensePiece>> dense;
    std::optional<std::pair<double, double>> range;
    CommunicationEncoding encoding;
    std::vector<FlowGrid> levels;
    /// The first flows of the order, which stay lines while the view moves; the other exact ones are
    /// `strong`.
    std::size_t exactFlows = 0;
    std::vector<StrongPiece> strong;
    std::vector<FlowGrid> strongLevels;

    /// Whether it was made of the places, pieces, colours and sizes of this picture.
    bool isOf(const CommunicationPicture& picture) const;
};

/// The map of a picture with places, 2048 cells along its longer side; 128 MB at most. O(pieces · cells on
/// their way + cells). After a stop request it is incomplete.
FlowDensityMapPtr flowDensityMap(const CommunicationPicture& picture, const Task& task);

/// The density at rest: every piece in every pixel. On as many threads as the task has; the same bits on any
/// number of them. O(pieces · their pixels + pixels).
PixelItem flowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                      const Canvas& canvas, const Task& task);

/// How many of the exact lines of a picture, the strongest first, stay lines while the view moves; all where
/// they are few enough in sight, or where no map (null) has the others. O(pieces).
std::size_t movingExactFlows(const FlowDensityMap* map, const std::vector<FlowLine>& lines, const Rect& body);

/// What becomes of strong lines that do not stay lines.
enum class StrongAs : std::uint8_t { Lines, Cells };

/// The density while the view moves: blocks of pixels share a value, so that there are half a million at
/// most; they are taken from the map where pieces have more than 200 000 of them to go through. `map` may
/// be null: then pieces are gone through, and there are no strong lines. O(pieces + pixels) with a map.
PixelItem movingFlowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                            const Canvas& canvas, const FlowDensityMap* map, StrongAs strongAs,
                            const Task& task);

}  // namespace skein
