// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_picture_scene.h"

#include "core/base/units.h"
#include "core/session/session_clock.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace skein {
namespace {

constexpr double kAnomalyDotPx = 5, kConsequenceDotPx = 3;
constexpr double kAnomalyBorderPx = 2.5, kConsequenceBorderPx = 1;
constexpr double kRingGapPx = 2, kRingPx = 2;      ///< around what is selected
constexpr std::size_t kMostConsequences = 20'000;  ///< that are drawn as shapes; more become pixels

/// A kind of mark of the scatter, as drawMark() and drawPixels() draw it; from right to left. `more` is added
/// where the whole key has room for it.
struct KeyMark {
    std::string_view text, more;
    double radiusPx, borderPx;
};
constexpr std::array<KeyMark, 3> kAnomalyKey{
    KeyMark{"normal calls", ", stronger where many are", 2, 0},
    KeyMark{"consequence of an anomaly", "", kConsequenceDotPx, kConsequenceBorderPx},
    KeyMark{"anomaly", "", kAnomalyDotPx, kAnomalyBorderPx},
};

constexpr double kRestingBlockPx = 2, kMovingBlockPx = 4;
constexpr double kManyPixels = 400'000;  ///< of a scatter, from which on a moving picture is coarser

double partOf(const AnomalyScale& scale, double value) { return scale.at(value); }

/// Places of the scale are parts of the axis.
AnomalyScale inParts(AnomalyScale scale)
{
    scale.low = 0;
    scale.high = 1;
    return scale;
}

/// Of a call whose region has no colour.
Color colorOfFunction(const std::vector<RegionPalette>& palettes, const AnomalyPoint& point,
                      const Theme& theme)
{
    const RegionPalette& palette = palettes[point.call.experiment];
    return point.function < palette.argb.size() ? palette.color(RegionId(point.function))
                                                : theme.secondaryText;
}

}  // namespace

AnomaliesPicture::AnomaliesPicture(const SessionAnomalies& anomalies, ViewState state, AnomalyChoices choices,
                                   const Theme& theme)
    : anomalies_(anomalies),
      state_(std::move(state)),
      choices_(std::move(choices)),
      shown_(shownPoints(anomalies, state_, choices_)),
      clock_(sessionClock(*anomalies.session, state_.clockShiftsNs)),
      x_(inParts(scaleFor(anomalies, shown_, choices_.x, choices_.projected, clock_))),
      y_(inParts(scaleFor(anomalies, shown_, choices_.y, choices_.projected, clock_))),
      palettes_(palettesOf(RegionGroups(*anomalies.session, state_.grouping), theme)),
      functions_(functionLines(anomalies, shown_, state_, choices_)),
      ranks_(rankLines(anomalies, shown_, state_, choices_)),
      heat_(anomalies, state_, choices_, shown_, x_)
{
    const AxisValues across(anomalies, choices_.x, choices_.projected, clock_),
        up(anomalies, choices_.y, choices_.projected, clock_);
    addDots(across, up, theme);
    addMarks(across, up);
    fadeLeastSevere(theme);
    sortDots();
    addChosen(across, up);
}

AnomaliesLayout AnomaliesPicture::layout(const AnomalyZoom& zoom, const Canvas& canvas) const
{
    AnomaliesLayout layout = anomaliesPlaces(canvas);
    showPartOf(layout, x_, y_, zoom);
    return layout;
}

std::size_t AnomaliesPicture::cellOf(double part)
{
    return static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * (kCells - 1e-6));
}

void AnomaliesPicture::addDots(const AxisValues& across, const AxisValues& up, const Theme& theme)
{
    for (const std::uint32_t i : shown_) {
        const AnomalyPoint& point = anomalies_.points[i];
        if (labelOf(point, state_.verdicts) != AnomalyLabel::Normal) continue;
        dots_.push_back({static_cast<float>(partOf(x_, across(point))),
                         static_cast<float>(partOf(y_, up(point))), point.dice,
                         toArgb(colorOfFunction(palettes_, point, theme))});
    }
}

/// By cells, which keep their order.
void AnomaliesPicture::sortDots()
{
    const auto cellOfDot = [](const Dot& dot) { return cellOf(dot.up) * kCells + cellOf(dot.across); };
    cells_.assign(kCells * kCells + 1, 0);
    for (const Dot& dot : dots_) ++cells_[cellOfDot(dot) + 1];
    for (std::size_t cell = 1; cell < cells_.size(); ++cell) cells_[cell] += cells_[cell - 1];
    std::vector<std::uint32_t> next(cells_.begin(), cells_.end() - 1);
    std::vector<Dot> sorted(dots_.size());
    for (const Dot& dot : dots_) sorted[next[cellOfDot(dot)]++] = dot;
    dots_ = std::move(sorted);
}

void AnomaliesPicture::addMarks(const AxisValues& across, const AxisValues& up)
{
    for (const std::uint32_t i : shown_) {
        const AnomalyPoint& point = anomalies_.points[i];
        const AnomalyLabel label = labelOf(point, state_.verdicts);
        if (label == AnomalyLabel::Normal) continue;
        (label == AnomalyLabel::Anomaly ? odd_ : follows_)
            .push_back({i, partOf(x_, across(point)), partOf(y_, up(point))});
    }
    const auto lessSevere = [this](const Mark& a, const Mark& b) {
        return anomalies_.points[a.point].severityNs < anomalies_.points[b.point].severityNs;
    };
    std::stable_sort(follows_.begin(), follows_.end(), lessSevere);
    std::stable_sort(odd_.begin(), odd_.end(), lessSevere);
}

/// More consequences than can be told apart are dots of the density.
void AnomaliesPicture::fadeLeastSevere(const Theme& theme)
{
    const std::size_t faded = follows_.size() - std::min(follows_.size(), kMostConsequences);
    for (std::size_t i = 0; i < faded; ++i) {
        const AnomalyPoint& point = anomalies_.points[follows_[i].point];
        dots_.push_back({static_cast<float>(follows_[i].across), static_cast<float>(follows_[i].up),
                         point.dice, toArgb(colorOfFunction(palettes_, point, theme))});
    }
    follows_.erase(follows_.begin(), follows_.begin() + static_cast<std::ptrdiff_t>(faded));
    consequences_ = follows_.size() + faded;
}

/// Normal calls as well.
void AnomaliesPicture::addChosen(const AxisValues& across, const AxisValues& up)
{
    const auto& chosen = state_.selected.intervals;
    if (chosen.empty()) return;
    for (const std::uint32_t i : shown_) {
        const AnomalyPoint& point = anomalies_.points[i];
        if (std::binary_search(chosen.begin(), chosen.end(), point.call))
            chosen_.push_back({i, partOf(x_, across(point)), partOf(y_, up(point))});
    }
}

/// One picture of a part.
class AnomaliesPainter {
public:
    AnomaliesPainter(const AnomaliesPicture& picture, const AnomalyZoom& zoom, AnomaliesDetail detail,
                     const Canvas& canvas)
        : picture_(picture),
          anomalies_(picture.anomalies_),
          choices_(picture.choices_),
          zoom_(zoom),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(picture.layout(zoom, canvas))
    {
        const bool coarse =
            detail == AnomaliesDetail::Moving && layout_.scatter.width * layout_.scatter.height > kManyPixels;
        block_ = std::max(1, static_cast<int>(canvas.px(coarse ? kMovingBlockPx : kRestingBlockPx)));
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        drawHead();
        drawAxes();
        list_.pushClip(layout_.scatter);
        if (!task.stopRequested()) drawPixels();
        if (!task.stopRequested()) drawShapes();
        list_.popClip();
        if (!task.stopRequested()) picture_.heat_.draw(list_, layout_.heat, zoom_, canvas_);
        if (!task.stopRequested())
            drawAnomalyLists(list_, {picture_.functions_, picture_.ranks_, picture_.palettes_}, layout_,
                             picture_.state_, choices_, canvas_);
        return std::move(list_);
    }

private:
    using Dot = AnomaliesPicture::Dot;
    using Mark = AnomaliesPicture::Mark;

    void drawHead()
    {
        const std::size_t odd = picture_.odd_.size(), follows = picture_.consequences_;
        if (!anomalies_.complete()) return drawEarlyHead(odd);
        const double drawn = anomalies_.keptShare * choices_.normalShare;
        list_.text(
            layout_.head,
            fmt::format(
                "{} anomalies · {} consequences · {} normal calls{}, of which {:.3g} % are drawn · {} by {}",
                formatGrouped(static_cast<std::int64_t>(odd)),
                formatGrouped(static_cast<std::int64_t>(follows)),
                formatGrouped(static_cast<std::int64_t>(anomalies_.normalCalls)),
                showsPartOfRun(picture_.state_, choices_) ? " in the whole run" : "", 100.0 * drawn,
                name(choices_.y), name(choices_.x)),
            theme_.secondaryText, FontStyle::Small);
        drawKey();
    }

    void drawEarlyHead(std::size_t anomalies)
    {
        list_.text(layout_.head,
                   fmt::format("{} anomalies so far, from {:.0f} % of the work · consequences and normal "
                               "calls follow · {} by {}",
                               formatGrouped(static_cast<std::int64_t>(anomalies)), 100.0 * anomalies_.share,
                               name(choices_.y), name(choices_.x)),
                   theme_.secondaryText, FontStyle::Small);
        drawKey();
    }

    double keyTextWidth(std::string_view text) const
    {
        return std::ceil(canvas_.measure.width(text, FontStyle::Small)) + canvas_.px(14);
    }
    double keyMarkWidth(const KeyMark& mark) const
    {
        return keyTextWidth(mark.text) + 2 * canvas_.px(mark.radiusPx) + canvas_.px(4);
    }

    /// What the marks are, below the scatter at the right: in the line of the heat map's title. In little
    /// room the last marks of the key, which matter most.
    void drawKey()
    {
        if (layout_.heat.height <= 0) return;
        const double line = canvas_.lineHeight(), y = layout_.heat.y - line - canvas_.px(2);
        const double usedByTitle = canvas_.px(150);
        double x = layout_.scatter.right();
        double room = x - layout_.heat.x - usedByTitle;
        std::size_t first = kAnomalyKey.size();
        while (first > 0 && keyMarkWidth(kAnomalyKey[first - 1]) <= room)
            room -= keyMarkWidth(kAnomalyKey[--first]);
        for (std::size_t i = first; i < kAnomalyKey.size(); ++i) {
            const KeyMark& mark = kAnomalyKey[i];
            std::string text(mark.text);
            if (first == 0 && keyTextWidth(text + std::string(mark.more)) - keyTextWidth(text) <= room)
                text += mark.more;
            const double radius = canvas_.px(mark.radiusPx), width = keyTextWidth(text);
            x -= width;
            list_.text({x, y, width, line}, text, theme_.secondaryText, FontStyle::Small);
            x -= 2 * radius + canvas_.px(4);
            list_.items.push_back(RectItem{{x, y + line / 2 - radius, 2 * radius, 2 * radius},
                                           theme_.grid,
                                           mark.borderPx > 2 ? theme_.text : theme_.secondaryText,
                                           canvas_.px(1) * mark.borderPx,
                                           mark.borderPx > 0 ? radius : 0,
                                           {}});
        }
    }

    void drawAxes()
    {
        const Rect& area = layout_.scatter;
        const double line = canvas_.lineHeight(), pad = canvas_.px(4);
        for (const double tick : ticksOf(layout_.x, unitOfAnomalyAxis(choices_.x),
                                         static_cast<int>(area.width / canvas_.px(90)))) {
            const double x = std::floor(layout_.x.at(tick));
            if (x < area.x || x >= area.right()) continue;
            list_.fillRect({x, area.y, canvas_.px(1), area.height}, theme_.grid);
            list_.text({x - canvas_.px(44), area.bottom() + pad, canvas_.px(88), line},
                       anomalyTickText(layout_.x, tick, unitOfAnomalyAxis(choices_.x)), theme_.secondaryText,
                       FontStyle::Small, Align::Center);
        }
        for (const double tick :
             ticksOf(layout_.y, unitOfAnomalyAxis(choices_.y), static_cast<int>(area.height / (2 * line)))) {
            const double y = std::floor(layout_.y.at(tick));
            if (y < area.y || y >= area.bottom()) continue;
            list_.fillRect({area.x, y, area.width, canvas_.px(1)}, theme_.grid);
            list_.text({0, y - line / 2, area.x - pad, line},
                       anomalyTickText(layout_.y, tick, unitOfAnomalyAxis(choices_.y)), theme_.secondaryText,
                       FontStyle::Small, Align::Right);
        }
        list_.strokeRect(area, theme_.frame);
    }

    /// Of the density: how many calls, and whose colour.
    struct Block {
        std::uint32_t count = 0, dice = 0xFFFFFFFFu, argb = 0;
    };

    /// Calls visit(column, row, dot) for each normal call in sight.
    template <typename Visit>
    void forDotsInSight(int columns, int rows, Visit visit) const
    {
        constexpr std::size_t cells = AnomaliesPicture::kCells;
        const double wide = layout_.scatter.width / (zoom_.right - zoom_.left) / block_,
                     tall = layout_.scatter.height / (zoom_.high - zoom_.low) / block_;
        const auto left = static_cast<float>(zoom_.left), top = static_cast<float>(zoom_.high);
        const auto across = static_cast<float>(wide), down = static_cast<float>(tall);
        const std::size_t firstRow = AnomaliesPicture::cellOf(zoom_.low),
                          lastRow = AnomaliesPicture::cellOf(zoom_.high),
                          firstColumn = AnomaliesPicture::cellOf(zoom_.left),
                          lastColumn = AnomaliesPicture::cellOf(zoom_.right);
        for (std::size_t cellRow = firstRow; cellRow <= lastRow; ++cellRow) {
            const std::uint32_t begin = picture_.cells_[cellRow * cells + firstColumn],
                                end = picture_.cells_[cellRow * cells + lastColumn + 1];
            for (std::uint32_t i = begin; i < end; ++i) {
                const Dot& dot = picture_.dots_[i];
                const float x = (dot.across - left) * across, y = (top - dot.up) * down;
                if (!(x >= 0.0F && y >= 0.0F)) continue;
                const int column = static_cast<int>(x), row = static_cast<int>(y);
                if (column < columns && row < rows) visit(column, row, dot);
            }
        }
    }

    /// Normal calls as blocks: the more lie on one, the stronger it is; its colour is that of the call with
    /// the lowest dice among them.
    void drawPixels()
    {
        const Rect& area = layout_.scatter;
        const int columns = static_cast<int>(area.width) / block_,
                  rows = static_cast<int>(area.height) / block_;
        if (columns < 1 || rows < 1) return;
        const auto width = static_cast<std::size_t>(columns);
        std::vector<Block> blocks(width * static_cast<std::size_t>(rows));
        forDotsInSight(columns, rows, [&](int column, int row, const Dot& dot) {
            Block& block = blocks[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
            ++block.count;
            if (dot.dice > block.dice) return;
            block.dice = dot.dice;
            block.argb = dot.argb;
        });
        std::uint32_t most = 1;
        for (const Block& block : blocks) most = std::max(most, block.count);
        std::array<double, 256> parts{};  // of the counts that most blocks have
        for (std::size_t count = 1; count < parts.size(); ++count)
            parts[count] = std::log1p(static_cast<double>(count)) / std::log1p(most);
        PixelItem pixels{static_cast<int>(area.x), static_cast<int>(area.y), columns * block_, {}, {}, {}};
        pixels.heights.assign(static_cast<std::size_t>(rows), block_);
        pixels.argb.assign(blocks.size() * static_cast<std::size_t>(block_), 0);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].count == 0) continue;
            const double part = blocks[i].count < parts.size()
                ? parts[blocks[i].count]
                : std::log1p(blocks[i].count) / std::log1p(most);
            const std::uint32_t color =
                toArgb(mix(theme_.background, fromArgb(blocks[i].argb), 0.35 + 0.65 * part));
            std::fill_n(pixels.argb.begin() + static_cast<std::ptrdiff_t>(i) * block_, block_, color);
        }
        list_.items.push_back(std::move(pixels));
    }

    /// Consequences as small dots, then anomalies with a thick border, least severe first. What is selected
    /// lies over all of them.
    void drawShapes()
    {
        for (const Mark& mark : picture_.follows_) drawMark(mark, AnomalyLabel::Consequence);
        for (const Mark& mark : picture_.odd_) drawMark(mark, AnomalyLabel::Anomaly);
        for (const Mark& mark : picture_.chosen_) drawChosen(mark);
    }

    Point placeOf(const Mark& mark) const
    {
        const Rect& area = layout_.scatter;
        return {area.x + (mark.across - zoom_.left) / (zoom_.right - zoom_.left) * area.width,
                area.bottom() - (mark.up - zoom_.low) / (zoom_.high - zoom_.low) * area.height};
    }
    bool isInSight(Point at, double reach) const
    {
        const Rect& area = layout_.scatter;
        return at.x >= area.x - reach && at.x <= area.right() + reach && at.y >= area.y - reach
            && at.y <= area.bottom() + reach;
    }
    void drawCircle(Point at, double radius, Color fill, Color edge, double border)
    {
        list_.items.push_back(
            RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius}, fill, edge, border, radius, {}});
    }

    void drawMark(const Mark& mark, AnomalyLabel label)
    {
        const bool odd = label == AnomalyLabel::Anomaly;
        const double radius = canvas_.px(odd ? kAnomalyDotPx : kConsequenceDotPx);
        const double border = odd ? kAnomalyBorderPx : kConsequenceBorderPx;
        const Point at = placeOf(mark);
        if (!isInSight(at, radius + canvas_.px(border))) return;
        drawCircle(at, radius, colorOfFunction(picture_.palettes_, anomalies_.points[mark.point], theme_),
                   odd ? theme_.text : theme_.secondaryText, canvas_.px(1) * border);
    }

    void drawChosen(const Mark& mark)
    {
        const AnomalyLabel label = labelOf(anomalies_.points[mark.point], picture_.state_.verdicts);
        drawMark(mark, label);
        const double radius =
            canvas_.px((label == AnomalyLabel::Anomaly ? kAnomalyDotPx : kConsequenceDotPx) + kRingGapPx)
            + canvas_.px(kRingPx);
        const Point at = placeOf(mark);
        if (isInSight(at, radius)) drawCircle(at, radius, {0, 0, 0, 0}, theme_.accent, canvas_.px(kRingPx));
    }

    const AnomaliesPicture& picture_;
    const SessionAnomalies& anomalies_;
    const AnomalyChoices& choices_;
    const AnomalyZoom zoom_;
    const Canvas& canvas_;
    const Theme& theme_;
    AnomaliesLayout layout_;
    int block_ = 2;
    DrawList list_;
};

DrawList AnomaliesPicture::draw(const AnomalyZoom& zoom, AnomaliesDetail detail, const Canvas& canvas,
                                const Task& task) const
{
    return AnomaliesPainter(*this, zoom, detail, canvas).draw(task);
}

}  // namespace skein
