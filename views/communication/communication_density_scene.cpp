// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_density_scene.h"

#include "core/base/parallel_for.h"
#include "views/communication/communication_lines_scene.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kMapCells = 2048;    ///< along the longer side
constexpr double kMovingCells = 5e5;  ///< that a picture has while it moves
constexpr double kMovingSteps = 1e6;  ///< cells that pieces may go through while it moves
constexpr std::size_t kPiecesBetweenStops = 1024;
constexpr double kWholeCell = 4294967296.0;  ///< positions across a line are whole numbers of 2^-32 cells

/// The part of a line within a rectangle (Liang, Barsky 1984); false: none.
bool clippedFlowLine(Point& from, Point& to, const Rect& rect)
{
    double begin = 0, end = 1;
    const double x = to.x - from.x, y = to.y - from.y;
    const auto cut = [&](double along, double room) {
        if (along == 0) return room >= 0;
        const double at = room / along;
        if (along < 0) begin = std::max(begin, at);
        else end = std::min(end, at);
        return begin <= end;
    };
    if (!cut(-x, from.x - rect.x) || !cut(x, rect.right() - from.x) || !cut(-y, from.y - rect.y)
        || !cut(y, rect.bottom() - from.y))
        return false;
    const Point start = from;
    from = {start.x + begin * x, start.y + begin * y};
    to = {start.x + end * x, start.y + end * y};
    return true;
}

/// A line on its way along its longer axis: one step a cell. Where it starts is known for every step without
/// those before it, so that bands of rows have the same bits as the whole.
struct FlowWalk {
    bool steep = false;
    int first = 0, last = -1;  ///< cells along, both included
    std::int64_t across = 0;   ///< at `first`
    std::int64_t slope = 0;

    std::int64_t at(int along) const { return across + (along - first) * slope; }
};

FlowWalk flowWalkOf(Point from, Point to)
{
    FlowWalk walk;
    walk.steep = std::abs(to.y - from.y) > std::abs(to.x - from.x);
    if (!walk.steep) {
        std::swap(from.x, from.y);
        std::swap(to.x, to.y);
    }
    if (from.y > to.y) std::swap(from, to);
    const double slope = to.y > from.y ? (to.x - from.x) / (to.y - from.y) : 0;
    walk.first = static_cast<int>(std::lround(from.y));
    walk.last = static_cast<int>(std::lround(to.y));
    walk.across = static_cast<std::int64_t>((from.x + (walk.first - from.y) * slope) * kWholeCell);
    walk.slope = static_cast<std::int64_t>(slope * kWholeCell);
    return walk;
}

/// Adds lines to the rows [firstRow, endRow) of a grid.
class FlowBand {
public:
    FlowBand(FlowGrid& grid, int firstRow, int endRow) : grid_(grid), firstRow_(firstRow), endRow_(endRow) {}

    void line(Point from, Point to, float cover, float value)
    {
        // What rounding moves by half a cell, and the cell beside a line.
        constexpr double kReach = 2;
        if (std::max(from.y, to.y) < firstRow_ - kReach || std::min(from.y, to.y) > endRow_ + kReach) return;
        if (!clippedFlowLine(from, to, {0, 0, grid_.columns - 1.0, grid_.rows - 1.0})) return;
        const FlowWalk walk = flowWalkOf(from, to);
        if (walk.steep) addSteep(walk, cover, value);
        else addFlat(walk, cover, value);
    }

private:
    static void add(FlowCell& cell, float cover, float value)
    {
        cell.cover += cover;
        cell.value = std::max(cell.value, value);
    }

    static float beyond(std::int64_t across)
    {
        return static_cast<float>(static_cast<std::uint32_t>(across)) * static_cast<float>(1 / kWholeCell);
    }

    FlowCell* row(int number)
    {
        return grid_.cells.data()
            + static_cast<std::size_t>(number) * static_cast<std::size_t>(grid_.columns);
    }

    void addSteep(const FlowWalk& walk, float cover, float value)
    {
        const int first = std::max(walk.first, firstRow_), end = std::min(walk.last + 1, endRow_);
        std::int64_t across = walk.at(first);
        for (int at = first; at < end; ++at, across += walk.slope) {
            const auto column = static_cast<int>(across >> 32);
            if (static_cast<unsigned>(column) >= static_cast<unsigned>(grid_.columns)) continue;
            const float part = beyond(across);
            FlowCell* const cell = row(at) + column;
            add(cell[0], cover * (1 - part), value);
            if (column + 1 < grid_.columns) add(cell[1], cover * part, value);
        }
    }

    void addFlat(const FlowWalk& walk, float cover, float value)
    {
        const int end = std::min(walk.last + 1, grid_.columns);
        std::int64_t across = walk.at(walk.first);
        const auto inBand = [this](int at) { return firstRow_ <= at && at < endRow_; };
        for (int at = walk.first; at < end; ++at, across += walk.slope) {
            const auto number = static_cast<int>(across >> 32);
            const float part = beyond(across);
            if (inBand(number)) add(row(number)[at], cover * (1 - part), value);
            if (inBand(number + 1)) add(row(number + 1)[at], cover * part, value);
        }
    }

    FlowGrid& grid_;
    int firstRow_, endRow_;
};

std::vector<Point> cellsOfVertices(const CommunicationPicture& picture, const FlowGrid& grid)
{
    std::vector<Point> cells;
    cells.reserve(picture.points->size());
    for (const PlanePoint& point : *picture.points) cells.push_back(grid.toCells(point));
    return cells;
}

/// Fills the cells of a grid of which the rest is set. A line covers `strength` of a cell, in all, a step.
void fillFlowGrid(FlowGrid& grid, const CommunicationPicture& picture, double strength, const Task& task)
{
    grid.cells.assign(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows), {});
    const std::vector<Point> at = cellsOfVertices(picture, grid);
    const int bands = std::clamp(task.threads(), 1, grid.rows);
    parallelFor(static_cast<std::size_t>(bands), task, [&](std::size_t number) {
        const auto band = static_cast<int>(number);
        FlowBand rows(grid, grid.rows * band / bands, grid.rows * (band + 1) / bands);
        for (std::size_t i = 0; i < picture.dense->size(); ++i) {
            if (i % kPiecesBetweenStops == 0 && task.stopRequested()) return;
            const DensePiece& piece = (*picture.dense)[i];
            rows.line(at[piece.key >> 32], at[piece.key & 0xFFFFFFFFu],
                      static_cast<float>(strength * std::sqrt(static_cast<double>(piece.lines))),
                      piece.value);
        }
    });
}

/// Half as fine: a line has half of the cells to go through, and a cell the same of it.
FlowGrid halfAsFine(const FlowGrid& fine)
{
    FlowGrid half{(fine.columns + 1) / 2, (fine.rows + 1) / 2, fine.origin, fine.pixels / 2};
    // The middle of four cells.
    half.origin = {fine.origin.x + 0.5 / fine.pixels, fine.origin.y + 0.5 / fine.pixels};
    half.cells.resize(static_cast<std::size_t>(half.columns) * static_cast<std::size_t>(half.rows));
    for (int y = 0; y < fine.rows; ++y)
        for (int x = 0; x < fine.columns; ++x) {
            const FlowCell& from =
                fine.cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(fine.columns)
                           + static_cast<std::size_t>(x)];
            FlowCell& to = half.cells[static_cast<std::size_t>(y / 2) * static_cast<std::size_t>(half.columns)
                                      + static_cast<std::size_t>(x / 2)];
            to.cover += from.cover / 2;
            to.value = std::max(to.value, from.value);
        }
    return half;
}

/// How strong one line is: the more there are, the less.
double strengthOfLine(const CommunicationPicture& picture, const CommunicationLayout& layout)
{
    const double many = static_cast<double>(picture.dense->size()) / std::max(1.0, layout.body.width);
    return std::clamp(3 / (1 + many), 0.05, 0.5);
}

/// The grid whose cells are blocks of pixels of the body.
FlowGrid gridOfBody(const CommunicationLayout& layout, int block)
{
    FlowGrid grid;
    const int wide = std::max(1, static_cast<int>(layout.body.width));
    const int tall = std::max(1, static_cast<int>(layout.body.height));
    grid.columns = (wide + block - 1) / block;
    grid.rows = (tall + block - 1) / block;
    grid.pixels = layout.view.pixels / block;
    const double middle = (block - 1) / 2.0;
    grid.origin = layout.toPlane({layout.body.x + middle, layout.body.y + middle});
    return grid;
}

/// Colours of coverage and value, looked up.
class FlowShades {
public:
    FlowShades(const FlowColors& colors, Color background)
    {
        shades_.reserve(kShades * kShades);
        for (std::size_t value = 0; value < kShades; ++value)
            for (std::size_t cover = 0; cover < kShades; ++cover)
                shades_.push_back(
                    toArgb(mix(background, colors.at(static_cast<double>(value) / (kShades - 1)),
                               1 - std::exp(-4.0 * static_cast<double>(cover) / (kShades - 1)))));
    }

    /// 0: nothing is there.
    std::uint32_t of(const FlowCell& cell) const
    {
        if (cell.cover <= 0.004f) return 0;
        const auto strength = static_cast<std::size_t>(std::min(cell.cover, 4.0f) / 4 * (kShades - 1));
        const auto value = static_cast<std::size_t>(std::min(cell.value, 1.0f) * (kShades - 1));
        return shades_[value * kShades + strength];
    }

private:
    static constexpr std::size_t kShades = 128;
    std::vector<std::uint32_t> shades_;  ///< by value and coverage, from none to four times all
};

/// Pixels of the cells of a grid of blocks.
PixelItem pixelsOfCells(const FlowGrid& grid, int block, const CommunicationPicture& picture,
                        const CommunicationLayout& layout, const Canvas& canvas)
{
    PixelItem item;
    item.x = static_cast<int>(layout.body.x);
    item.y = static_cast<int>(layout.body.y);
    item.columns = std::max(1, static_cast<int>(layout.body.width));
    const int tall = std::max(1, static_cast<int>(layout.body.height));
    item.argb.resize(static_cast<std::size_t>(item.columns) * static_cast<std::size_t>(grid.rows));
    const FlowShades shades(FlowColors(picture, canvas.theme().dark), canvas.theme().background);
    const FlowCell* cell = grid.cells.data();
    std::uint32_t* pixel = item.argb.data();
    for (int row = 0; row < grid.rows; ++row) {
        item.heights.push_back(std::min(block, tall - row * block));
        for (int at = 0; at < item.columns; at += block, ++cell) {
            const int count = std::min(block, item.columns - at);
            pixel = std::fill_n(pixel, count, shades.of(*cell));
        }
    }
    return item;
}

/// Whether all pieces together go through more cells than may be while the view moves.
bool goesThroughMany(const CommunicationPicture& picture, const FlowGrid& grid)
{
    const std::vector<Point> at = cellsOfVertices(picture, grid);
    double steps = 0;
    for (const DensePiece& piece : *picture.dense) {
        Point from = at[piece.key >> 32], to = at[piece.key & 0xFFFFFFFFu];
        if (std::max(from.x, to.x) < 0 || std::min(from.x, to.x) > grid.columns || std::max(from.y, to.y) < 0
            || std::min(from.y, to.y) > grid.rows
            || !clippedFlowLine(from, to, {0, 0, grid.columns - 1.0, grid.rows - 1.0}))
            continue;
        steps += std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) + 1;
        if (steps > kMovingSteps) return true;
    }
    return false;
}

/// Takes the cells of a grid from a map, between the four nearest ones of the level that is as fine.
class MapSampler {
public:
    MapSampler(const FlowDensityMap& map, const FlowGrid& grid, double strength)
        : level_(&map.levels.front()), grid_(grid)
    {
        for (const FlowGrid& level : map.levels)
            if (level.pixels >= grid.pixels) level_ = &level;
        // A line has as much of all cells that it goes through, be they many or few.
        strength_ = static_cast<float>(strength * level_->pixels / grid.pixels);
        for (int column = 0; column < grid.columns; ++column)
            columns_.push_back(placeOf(grid_.origin.x - level_->origin.x, column, level_->columns));
    }

    void row(int number, FlowCell* cells) const
    {
        const Place down = placeOf(grid_.origin.y - level_->origin.y, number, level_->rows);
        if (down.first < 0) return;
        const FlowCell* const upper = level_->cells.data()
            + static_cast<std::size_t>(down.first) * static_cast<std::size_t>(level_->columns);
        const FlowCell* const lower = down.first + 1 < level_->rows ? upper + level_->columns : upper;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const Place& place = columns_[i];
            if (place.first < 0) continue;
            const int next = place.first + 1 < level_->columns ? place.first + 1 : place.first;
            const FlowCell &a = upper[place.first], &b = upper[next], &c = lower[place.first],
                           &d = lower[next];
            const float over = a.cover + (b.cover - a.cover) * place.part;
            const float under = c.cover + (d.cover - c.cover) * place.part;
            cells[i].cover = strength_ * (over + (under - over) * down.part);
            cells[i].value = std::max(std::max(a.value, b.value), std::max(c.value, d.value));
        }
    }

private:
    struct Place {
        int first = -1;  ///< −1: outside
        float part = 0;  ///< of the way to the next one
    };

    Place placeOf(double offset, int number, int count) const
    {
        const double at = (offset + number / grid_.pixels) * level_->pixels;
        if (!(at >= 0 && at <= count - 1)) return {};
        const double first = std::floor(at);
        return {static_cast<int>(first), static_cast<float>(at - first)};
    }

    const FlowGrid* level_;
    const FlowGrid& grid_;
    float strength_ = 1;
    std::vector<Place> columns_;
};

void sampleMap(FlowGrid& grid, const FlowDensityMap& map, double strength, const Task& task)
{
    grid.cells.assign(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows), {});
    const MapSampler sampler(map, grid, strength);
    parallelFor(static_cast<std::size_t>(grid.rows), task, [&](std::size_t row) {
        sampler.row(static_cast<int>(row), grid.cells.data() + row * static_cast<std::size_t>(grid.columns));
    });
}

}  // namespace

FlowDensityMapPtr flowDensityMap(const CommunicationPicture& picture, const Task& task)
{
    auto map = std::make_shared<FlowDensityMap>();
    map->points = picture.points;
    map->dense = picture.dense;
    PlanePoint low, high;
    if (!picture.points->empty()) low = high = picture.points->front();
    for (const PlanePoint& point : *picture.points) {
        low = {std::min(low.x, point.x), std::min(low.y, point.y)};
        high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    const double longer = std::max({high.x - low.x, high.y - low.y, 1e-9});
    FlowGrid finest;
    finest.pixels = kMapCells / longer;
    // A row of cells around it, so that what lies between the outermost cells and nothing fades.
    finest.origin = {low.x - 1 / finest.pixels, low.y - 1 / finest.pixels};
    finest.columns = static_cast<int>((high.x - low.x) * finest.pixels) + 4;
    finest.rows = static_cast<int>((high.y - low.y) * finest.pixels) + 4;
    fillFlowGrid(finest, picture, 1, task);
    map->levels.push_back(std::move(finest));
    while (std::max(map->levels.back().columns, map->levels.back().rows) > 8 && !task.stopRequested())
        map->levels.push_back(halfAsFine(map->levels.back()));
    return map;
}

PixelItem flowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                      const Canvas& canvas, const Task& task)
{
    FlowGrid grid = gridOfBody(layout, 1);
    fillFlowGrid(grid, picture, strengthOfLine(picture, layout), task);
    return pixelsOfCells(grid, 1, picture, layout, canvas);
}

PixelItem movingFlowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                            const Canvas& canvas, const FlowDensityMap* map, const Task& task)
{
    const double pixels = std::max(1.0, layout.body.width * layout.body.height);
    const int block = std::max(2, static_cast<int>(std::ceil(std::sqrt(pixels / kMovingCells))));
    FlowGrid grid = gridOfBody(layout, block);
    // A block holds a part of a line that is one pixel wide.
    const double strength = strengthOfLine(picture, layout);
    const bool sampled = map && map->isOf(picture) && !map->levels.empty() && goesThroughMany(picture, grid);
    if (sampled) sampleMap(grid, *map, strength / block, task);
    else fillFlowGrid(grid, picture, strength / block, task);
    return pixelsOfCells(grid, block, picture, layout, canvas);
}

}  // namespace skein
