// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_density_scene.h"

#include "core/base/parallel_for.h"
#include "views/communication/communication_lines_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace skein {
namespace {

constexpr double kMapCells = 2048;    ///< along the longer side
constexpr double kMovingCells = 5e5;  ///< that a picture has while it moves
constexpr double kMovingSteps = 2e5;  ///< cells that pieces may go through while it moves
/// Pixels that exact lines may have while it moves: a few milliseconds to blend.
constexpr double kMovingLinePixels = 3e5;
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

/// A piece of a line in the cells of a grid, and how much of each it covers, in all, a step.
struct CellPiece {
    Point from, to;
    float cover = 0, value = 0;
};

/// Lines that are drawn as a density: of many, each as strong as the root of how many share its piece.
class ManyLines {
public:
    ManyLines(const CommunicationPicture& picture, const FlowGrid& grid) : pieces_(*picture.dense)
    {
        at_.reserve(picture.points->size());
        for (const PlanePoint& point : *picture.points) at_.push_back(grid.toCells(point));
    }

    std::size_t size() const { return pieces_.size(); }
    CellPiece piece(std::size_t i) const
    {
        const DensePiece& piece = pieces_[i];
        return {at_[piece.key >> 32], at_[piece.key & 0xFFFFFFFFu], std::sqrt(piece.lines), piece.value};
    }

private:
    const std::vector<DensePiece>& pieces_;
    std::vector<Point> at_;
};

/// The strongest lines but for the very strongest, each as wide as it is.
class StrongLines {
public:
    StrongLines(const std::vector<StrongPiece>& pieces, const FlowGrid& grid) : pieces_(pieces), grid_(grid)
    {
    }

    std::size_t size() const { return pieces_.size(); }
    CellPiece piece(std::size_t i) const
    {
        const StrongPiece& piece = pieces_[i];
        return {grid_.toCells(piece.from), grid_.toCells(piece.to), piece.width, piece.value};
    }

private:
    const std::vector<StrongPiece>& pieces_;
    const FlowGrid& grid_;
};

/// Fills the cells of a grid of which the rest is set. A line covers `strength` of a cell, in all, a step.
template <typename Lines>
void fillFlowGrid(FlowGrid& grid, const Lines& lines, double strength, const Task& task)
{
    grid.cells.assign(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows), {});
    const int bands = std::clamp(task.threads(), 1, grid.rows);
    parallelFor(static_cast<std::size_t>(bands), task, [&](std::size_t number) {
        const auto band = static_cast<int>(number);
        FlowBand rows(grid, grid.rows * band / bands, grid.rows * (band + 1) / bands);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i % kPiecesBetweenStops == 0 && task.stopRequested()) return;
            const CellPiece piece = lines.piece(i);
            rows.line(piece.from, piece.to, static_cast<float>(strength) * piece.cover, piece.value);
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
    /// `nothing`: where no line is.
    FlowShades(const FlowColors& colors, Color background, std::uint32_t nothing) : nothing_(nothing)
    {
        std::array<double, kShades> parts;
        for (std::size_t cover = 0; cover < kShades; ++cover)
            parts[cover] = 1 - std::exp(-4.0 * static_cast<double>(cover) / (kShades - 1));
        shades_.reserve(kShades * kShades);
        for (std::size_t value = 0; value < kShades; ++value) {
            const Color color = colors.at(static_cast<double>(value) / (kShades - 1));
            for (const double part : parts) shades_.push_back(toArgb(mix(background, color, part)));
        }
    }

    std::uint32_t of(const FlowCell& cell) const
    {
        if (cell.cover <= 0.004f) return nothing_;
        const auto strength = static_cast<std::size_t>(std::min(cell.cover, 4.0f) / 4 * (kShades - 1));
        const auto value = static_cast<std::size_t>(std::min(cell.value, 1.0f) * (kShades - 1));
        return shades_[value * kShades + strength];
    }

private:
    static constexpr std::size_t kShades = 128;
    std::uint32_t nothing_;
    std::vector<std::uint32_t> shades_;  ///< by value and coverage, from none to four times all
};

/// Strong lines over what is below them, looked up.
class StrongShades {
public:
    StrongShades(const CommunicationPicture& picture, const Canvas& canvas)
        : background_(toArgb(canvas.theme().background))
    {
        const FlowColors colors(picture, canvas.theme().dark);
        for (std::size_t value = 0; value < kValues; ++value) {
            Color color = colors.at(static_cast<double>(value) / (kValues - 1));
            if (picture.anySelected()) color = fadedFlowColor(picture.encoding, color, canvas.theme());
            most_ = color.alpha;
            colors_.push_back(toArgb(color));
        }
    }

    std::uint32_t over(std::uint32_t under, const FlowCell& cell) const
    {
        if (cell.cover <= 0.004f) return under;
        const std::uint32_t over =
            colors_[static_cast<std::size_t>(std::min(cell.value, 1.0f) * (kValues - 1))];
        const auto part = static_cast<std::uint32_t>(std::min(cell.cover, 1.0f) * static_cast<float>(most_));
        if (under >> 24 == 0) under = background_;
        const auto mixed = [&](std::uint32_t mask) {
            return ((under & mask) * (256 - part) + (over & mask) * part) >> 8 & mask;
        };
        return 0xFF000000u | mixed(0xFF00FFu) | mixed(0x00FF00u);
    }

private:
    static constexpr std::size_t kValues = 256;
    std::uint32_t background_;
    int most_ = 255;
    std::vector<std::uint32_t> colors_;
};

template <int kBlock>
std::uint32_t* spreadBlocks(std::span<const std::uint32_t> values, std::uint32_t* pixel)
{
    for (const std::uint32_t argb : values)
        for (int i = 0; i < kBlock; ++i) *pixel++ = argb;
    return pixel;
}

/// Each value over the pixels of its block; the last block may be cut off.
void spreadRow(std::span<const std::uint32_t> values, int block, std::span<std::uint32_t> pixels)
{
    const auto whole = values.first(pixels.size() / static_cast<std::size_t>(block));
    std::uint32_t* pixel = pixels.data();
    switch (block) {
    case 1: pixel = spreadBlocks<1>(whole, pixel); break;
    case 2: pixel = spreadBlocks<2>(whole, pixel); break;
    case 3: pixel = spreadBlocks<3>(whole, pixel); break;
    case 4: pixel = spreadBlocks<4>(whole, pixel); break;
    default:
        for (const std::uint32_t argb : whole) pixel = std::fill_n(pixel, block, argb);
    }
    if (!values.empty()) std::fill(pixel, pixels.data() + pixels.size(), values.back());
}

/// Pixels of the cells of a grid of blocks; `strong` has the same cells, or none. Where no line is:
/// `nothing`.
PixelItem pixelsOfCells(const FlowGrid& grid, const FlowGrid& strong, int block,
                        const CommunicationPicture& picture, const CommunicationLayout& layout,
                        const Canvas& canvas, std::uint32_t nothing, const Task& task)
{
    PixelItem item;
    item.x = static_cast<int>(layout.body.x);
    item.y = static_cast<int>(layout.body.y);
    item.columns = std::max(1, static_cast<int>(layout.body.width));
    const int tall = std::max(1, static_cast<int>(layout.body.height));
    const auto wide = static_cast<std::size_t>(item.columns);
    item.argb.resize(wide * static_cast<std::size_t>(grid.rows));
    const FlowShades shades(FlowColors(picture, canvas.theme().dark), canvas.theme().background, nothing);
    const StrongShades strongShades(picture, canvas);
    for (int row = 0; row < grid.rows; ++row) item.heights.push_back(std::min(block, tall - row * block));
    const auto columns = static_cast<std::size_t>(grid.columns);
    const auto paintRow = [&](std::size_t row, std::vector<std::uint32_t>& values) {
        const FlowCell* cell = grid.cells.empty() ? nullptr : grid.cells.data() + row * columns;
        const FlowCell* over = strong.cells.empty() ? nullptr : strong.cells.data() + row * columns;
        for (std::uint32_t& argb : values) {
            argb = cell ? shades.of(*cell++) : nothing;
            if (over) argb = strongShades.over(argb, *over++);
        }
        spreadRow(values, block, {item.argb.data() + wide * row, wide});
    };
    const auto rows = static_cast<std::size_t>(grid.rows);
    const std::size_t parts = std::min(rows, static_cast<std::size_t>(task.threads()));
    parallelFor(parts, task, [&](std::size_t part) {
        std::vector<std::uint32_t> values(columns);
        for (std::size_t row = rows * part / parts; row < rows * (part + 1) / parts; ++row)
            paintRow(row, values);
    });
    return item;
}

/// Whether all pieces together go through more cells than may be while the view moves.
template <typename Lines>
bool goesThroughMany(const Lines& lines, const FlowGrid& grid)
{
    double steps = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        auto [from, to, cover, value] = lines.piece(i);
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
    MapSampler(const std::vector<FlowGrid>& levels, const FlowGrid& grid, double strength)
        : level_(&levels.front()), grid_(grid)
    {
        for (const FlowGrid& level : levels)
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
            if (a.cover + b.cover + c.cover + d.cover == 0) continue;
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

void sampleMap(FlowGrid& grid, const std::vector<FlowGrid>& levels, double strength, const Task& task)
{
    grid.cells.resize(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows));
    const MapSampler sampler(levels, grid, strength);
    parallelFor(static_cast<std::size_t>(grid.rows), task, [&](std::size_t row) {
        sampler.row(static_cast<int>(row), grid.cells.data() + row * static_cast<std::size_t>(grid.columns));
    });
}

/// From the map where that is quicker.
template <typename Lines>
void fillMovingGrid(FlowGrid& grid, const Lines& lines, const std::vector<FlowGrid>* levels, double strength,
                    const Task& task)
{
    if (levels && !levels->empty() && goesThroughMany(lines, grid)) sampleMap(grid, *levels, strength, task);
    else fillFlowGrid(grid, lines, strength, task);
}

/// The finest grid of a map, without cells.
FlowGrid finestGrid(const CommunicationPicture& picture)
{
    PlanePoint low, high;
    if (!picture.points->empty()) low = high = picture.points->front();
    for (const PlanePoint& point : *picture.points) {
        low = {std::min(low.x, point.x), std::min(low.y, point.y)};
        high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    FlowGrid finest;
    finest.pixels = kMapCells / std::max({high.x - low.x, high.y - low.y, 1e-9});
    // A row of cells around it, so that what lies between the outermost cells and nothing fades.
    finest.origin = {low.x - 1 / finest.pixels, low.y - 1 / finest.pixels};
    finest.columns = static_cast<int>((high.x - low.x) * finest.pixels) + 4;
    finest.rows = static_cast<int>((high.y - low.y) * finest.pixels) + 4;
    return finest;
}

template <typename Lines>
std::vector<FlowGrid> levelsOf(const FlowGrid& finest, const Lines& lines, const Task& task)
{
    std::vector<FlowGrid> levels;
    if (lines.size() == 0) return levels;
    levels.push_back(finest);
    fillFlowGrid(levels.front(), lines, 1, task);
    while (std::max(levels.back().columns, levels.back().rows) > 8 && !task.stopRequested())
        levels.push_back(halfAsFine(levels.back()));
    return levels;
}

/// How many pixels blending a line within a rectangle takes, about.
double pixelsOfLine(const FlowLine& line, const Rect& body)
{
    double pixels = 0;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        Point from = line.points[i - 1], to = line.points[i];
        if (!clippedFlowLine(from, to, body)) continue;
        pixels += (std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) + 1) * (line.width + 1);
    }
    return pixels;
}

/// The exact lines of a picture, laid out so that a cell of the grid is a pixel.
std::vector<FlowLine> exactLinesOn(const FlowGrid& grid, const CommunicationPicture& picture)
{
    CommunicationLayout layout;
    layout.body = {0, 0, static_cast<double>(grid.columns), static_cast<double>(grid.rows)};
    layout.view.pixels = grid.pixels;
    layout.view.center = {grid.origin.x + grid.columns / 2.0 / grid.pixels,
                          grid.origin.y + grid.rows / 2.0 / grid.pixels};
    const SceneStyle style{lightTheme(), 1, {}};
    const ApproximateTextMeasure measure(12);
    const std::size_t exact = std::min(kExactFlows, picture.order.size());
    return stackedLines(picture, layout,
                        {picture.order.begin(), picture.order.begin() + static_cast<std::ptrdiff_t>(exact)},
                        {grid.columns, grid.rows, style, measure});
}

/// What may be too much to be blended for every frame, in the order of the picture.
std::vector<StrongPiece> strongPieces(const FlowGrid& grid, const CommunicationPicture& picture,
                                      std::size_t& left)
{
    std::vector<StrongPiece> pieces;
    const FlowColors colors(picture, false);
    const Rect body{0, 0, static_cast<double>(grid.columns), static_cast<double>(grid.rows)};
    const auto toPlane = [&grid](Point at) {
        return PlanePoint{grid.origin.x + at.x / grid.pixels, grid.origin.y + at.y / grid.pixels};
    };
    double pixels = 0;
    left = 0;
    for (const FlowLine& line : exactLinesOn(grid, picture)) {
        pixels += pixelsOfLine(line, body);
        if (pixels <= kMovingLinePixels) ++left;
        else
            for (std::size_t i = 1; i < line.points.size(); ++i)
                pieces.push_back({toPlane(line.points[i - 1]), toPlane(line.points[i]),
                                  static_cast<float>(line.width),
                                  static_cast<float>(colors.partOf(line.flow))});
    }
    return pieces;
}

}  // namespace

bool FlowDensityMap::isOf(const CommunicationPicture& picture) const
{
    return points == picture.points && dense == picture.dense && range == picture.range
        && encoding == picture.encoding;
}

FlowDensityMapPtr flowDensityMap(const CommunicationPicture& picture, const Task& task)
{
    auto map = std::make_shared<FlowDensityMap>();
    map->points = picture.points;
    map->dense = picture.dense;
    map->range = picture.range;
    map->encoding = picture.encoding;
    const FlowGrid finest = finestGrid(picture);
    map->levels = levelsOf(finest, ManyLines(picture, finest), task);
    map->strong = strongPieces(finest, picture, map->exactFlows);
    map->strongLevels = levelsOf(finest, StrongLines(map->strong, finest), task);
    return map;
}

PixelItem flowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                      const Canvas& canvas, const Task& task)
{
    FlowGrid grid = gridOfBody(layout, 1);
    fillFlowGrid(grid, ManyLines(picture, grid), strengthOfLine(picture, layout), task);
    return pixelsOfCells(grid, {}, 1, picture, layout, canvas, 0, task);
}

std::size_t movingExactFlows(const FlowDensityMap* map, const std::vector<FlowLine>& lines, const Rect& body)
{
    if (!map || map->strong.empty()) return lines.size();
    double pixels = 0;
    for (const FlowLine& line : lines) {
        pixels += pixelsOfLine(line, body);
        if (pixels > kMovingLinePixels) return std::min(lines.size(), map->exactFlows);
    }
    return lines.size();
}

PixelItem movingFlowDensity(const CommunicationPicture& picture, const CommunicationLayout& layout,
                            const Canvas& canvas, const FlowDensityMap* map, StrongAs strongAs,
                            const Task& task)
{
    const double pixels = std::max(1.0, layout.body.width * layout.body.height);
    const int block = std::max(2, static_cast<int>(std::ceil(std::sqrt(pixels / kMovingCells))));
    FlowGrid grid = gridOfBody(layout, block), strong = grid;
    // A block holds a part of a line that is one pixel wide.
    if (!picture.dense->empty())
        fillMovingGrid(grid, ManyLines(picture, grid), map ? &map->levels : nullptr,
                       strengthOfLine(picture, layout) / block, task);
    if (map && strongAs == StrongAs::Cells)
        fillMovingGrid(strong, StrongLines(map->strong, strong), &map->strongLevels, 1.0 / block, task);
    // Opaque all over: copied without a look at what is below, which need not be painted.
    return pixelsOfCells(grid, strong, block, picture, layout, canvas, toArgb(canvas.theme().background),
                         task);
}

}  // namespace skein
