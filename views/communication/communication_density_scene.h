// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/communication/communication_scene.h"

#include <memory>
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

/// The density of a whole picture in the plane, on grids each half as fine as the one before it. The density
/// of any view is taken from it in a time that depends on the pixels alone. Immutable.
struct FlowDensityMap {
    std::shared_ptr<const std::vector<PlanePoint>> points;
    std::shared_ptr<const std::vector<DensePiece>> dense;
    std::vector<FlowGrid> levels;

    /// Whether it was made of the places and pieces of this picture.
    bool isOf(const CommunicationPicture& picture) const
    {
        return points == picture.points && dense == picture.dense;
    }
};

/// The map of a picture with places, 2048 cells along its longer side; 64 MB at most. O(pieces · cells on
/// their way + cells). After a stop request it is incomplete.
FlowDensityMapPtr flowDensityMap(const CommunicationPicture& picture, const Task& task);

/// The density at rest: every piece in every pixel. On as many threads as the task has; the same bits on any
/// number of them. O(pieces · their pixels + pixels).
PixelItem flowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                      const Canvas& canvas, const Task& task);

/// The density while the view moves: blocks of pixels share a value, so that there are half a million at
/// most; they are taken from the map where pieces have more than a million of them to go through. `map` may
/// be null: then pieces are gone through. O(pieces + pixels) with a map.
PixelItem movingFlowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                            const Canvas& canvas, const FlowDensityMap* map, const Task& task);

}  // namespace skein
