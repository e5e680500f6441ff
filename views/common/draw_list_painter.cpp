// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/draw_list_painter.h"

#include "core/base/output_file.h"
#include "views/common/picture_buffers.h"
#include "views/common/pixel_batch.h"
#include "views/common/pixel_plane.h"
#include "views/common/scene/drawing/pixel_runs.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPdfWriter>
#include <QPolygonF>
#include <QStaticText>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace skein {
namespace {

constexpr int kLargestSide = 32'767;
constexpr int kLargestDisc = 96;  ///< pixels; larger ones are drawn by the painter

/// How much of each pixel a disc covers, by the distance of its middle from the edge.
TextMask discMask(int diameter, double radius)
{
    TextMask mask;
    mask.columns = mask.rows = diameter;
    const double middle = diameter / 2.0;
    for (int y = 0; y < diameter; ++y)
        for (int x = 0; x < diameter; ++x) {
            const double inside = radius + 0.5 - std::hypot(x + 0.5 - middle, y + 0.5 - middle);
            mask.coverage.push_back(
                static_cast<std::uint8_t>(std::lround(255 * std::clamp(inside, 0.0, 1.0))));
        }
    return mask;
}

/// A disc or ring whose middle lies somewhere in a pixel, in steps that nobody sees: graphs have thousands of
/// them, and few that differ.
struct RoundShape {
    static constexpr int kPlaces = 4;  ///< in a pixel, each way
    static constexpr int kRadii = 8;   ///< a pixel

    int x = 0, y = 0;          ///< places of the middle from the corner of its pixel
    int radius = 0, hole = 0;  ///< in kRadii-ths of a pixel
    bool operator==(const RoundShape&) const = default;

    std::size_t hash() const
    {
        return ((static_cast<std::size_t>(radius) * 1021 + static_cast<std::size_t>(hole)) * kPlaces
                + static_cast<std::size_t>(x))
            * kPlaces
            + static_cast<std::size_t>(y);
    }
};

/// Without rows and columns at the edges that nothing covers: the smallest shapes are half of them.
TextMask trimmedMask(const TextMask& mask)
{
    int left = mask.columns, right = 0, top = mask.rows, bottom = 0;
    for (int row = 0; row < mask.rows; ++row)
        for (int column = 0; column < mask.columns; ++column)
            if (mask.coverage[static_cast<std::size_t>(row * mask.columns + column)] != 0) {
                left = std::min(left, column);
                right = std::max(right, column + 1);
                top = std::min(top, row);
                bottom = row + 1;
            }
    TextMask less;
    if (right <= left) return less;
    less.x = mask.x + left;
    less.y = mask.y + top;
    less.columns = right - left;
    less.rows = bottom - top;
    for (int row = top; row < bottom; ++row) {
        const auto from = mask.coverage.begin() + row * mask.columns;
        less.coverage.insert(less.coverage.end(), from + left, from + right);
    }
    return less;
}

/// How much of each pixel a round shape covers; its corner is seen from the pixel of the middle.
TextMask roundMask(const RoundShape& shape)
{
    const double radius = static_cast<double>(shape.radius) / RoundShape::kRadii;
    const double hole = static_cast<double>(shape.hole) / RoundShape::kRadii;
    const double x = static_cast<double>(shape.x) / RoundShape::kPlaces;
    const double y = static_cast<double>(shape.y) / RoundShape::kPlaces;
    const int reach = static_cast<int>(std::ceil(radius + 1));
    TextMask mask;
    mask.x = mask.y = -reach;
    mask.columns = mask.rows = 2 * reach + 1;
    mask.coverage.reserve(static_cast<std::size_t>(mask.columns) * static_cast<std::size_t>(mask.rows));
    const auto inside = [](double of, double away) { return std::clamp(of + 0.5 - away, 0.0, 1.0); };
    for (int row = -reach; row <= reach; ++row)
        for (int column = -reach; column <= reach; ++column) {
            const double away = std::hypot(column + 0.5 - x, row + 0.5 - y);
            const double covered = inside(radius, away) - (hole > 0 ? inside(hole, away) : 0);
            mask.coverage.push_back(static_cast<std::uint8_t>(255 * covered + 0.5));
        }
    return trimmedMask(mask);
}

/// Masks of round shapes. Graphs draw the same few of them tens of thousands of times.
class RoundMasks {
public:
    const TextMask& of(const RoundShape& shape)
    {
        Entry& recent = recent_[shape.hash() % recent_.size()];
        if (recent.mask && recent.shape == shape) return *recent.mask;
        const auto [found, isNew] = masks_.try_emplace(shape);
        if (isNew) found->second = roundMask(shape);
        recent = {shape, &found->second};
        return found->second;
    }

private:
    struct Hash {
        std::size_t operator()(const RoundShape& shape) const { return shape.hash(); }
    };
    struct Entry {
        RoundShape shape;
        const TextMask* mask = nullptr;
    };
    std::unordered_map<RoundShape, TextMask, Hash> masks_;  ///< whose values stay where they are
    std::array<Entry, 256> recent_;
};

QRectF toQRect(const Rect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

class ItemPainter {
public:
    ItemPainter(QPainter& painter, const SceneFonts& fonts, const Task& task)
        : painter_(painter), fonts_(fonts), task_(task)
    {
        // Only an unclipped image of whole words without a transformation may be written behind the painter's
        // back.
        if (painter.device()->devType() != QInternal::Image || !painter.transform().isIdentity()) return;
        auto* const image = static_cast<QImage*>(painter.device());
        if (image->format() == QImage::Format_RGB32 || image->format() == QImage::Format_ARGB32_Premultiplied)
            image_ = image;
        showClip();
    }

    void operator()(const RectItem& item)
    {
        if (item.radius > 0) return paintRounded(item);
        if (image_ && isPlain(item)) return fillPlain(item);
        if (item.fill.alpha != 0) painter().fillRect(toQRect(item.rect), toQColor(item.fill));
        if (item.stroke.alpha == 0) return;
        const double half = item.strokeWidth / 2;
        painter().setPen(
            QPen(toQColor(item.stroke), item.strokeWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter().setBrush(Qt::NoBrush);
        painter().drawRect(toQRect(item.rect.inset(half)));
    }

    void operator()(const LineItem& item)
    {
        if (image_) return batch_.blend(seen_, item);
        painter().setRenderHint(QPainter::Antialiasing, true);
        painter().setPen(QPen(toQColor(item.color), item.width));
        painter().drawLine(QPointF(item.from.x, item.from.y), QPointF(item.to.x, item.to.y));
        painter().setRenderHint(QPainter::Antialiasing, false);
    }

    /// Whether pixels may be written as they lie in memory.
    bool writesPixels() const { return image_ != nullptr; }

    /// Until showAll() plain rectangles leave out what will be covered.
    void leaveOut(std::vector<CoveredRow> rows)
    {
        covered_ = std::move(rows);
        leftOut_ = covered_;
    }
    void showAll() { leftOut_ = {}; }
    /// The first narrow blocks are copied over a ground of this colour.
    void setGround(std::uint32_t argb) { batch_.setGround(argb); }
    /// Whatever was gathered.
    void finish() { batch_.write(task_); }

    void operator()(const PolygonItem& item)
    {
        QPolygonF polygon;
        for (const Point& point : item.points) polygon << QPointF(point.x, point.y);
        painter().setRenderHint(QPainter::Antialiasing, true);
        painter().setPen(item.stroke.alpha == 0 ? QPen(Qt::NoPen)
                                                : QPen(toQColor(item.stroke), item.strokeWidth));
        painter().setBrush(item.fill.alpha == 0 ? QBrush(Qt::NoBrush) : QBrush(toQColor(item.fill)));
        painter().drawPolygon(polygon);
        painter().setRenderHint(QPainter::Antialiasing, false);
    }

    void operator()(const TextItem& item)
    {
        if (image_ && item.color.alpha == 255) {
            const TextMask& mask =
                *kept_.emplace_back(fonts_.texts().mask(item.text, item.style, fonts_.font(item.style)));
            const QPoint corner = cornerOf(item, mask.size);
            if (mask.usable) return batch_.blend(seen_, mask, corner.x(), corner.y(), toArgb(item.color));
        }
        const QStaticText& text = laidOut(item);
        painter().setFont(fonts_.font(item.style));
        painter().setPen(toQColor(item.color));
        painter().drawStaticText(cornerOf(item, text.size()), text);
    }

    void operator()(const PixelItem& item)
    {
        if (image_) batch_.copy(seen_, item);
        else paintRuns(item);
    }

    void operator()(const PushClip& item)
    {
        painter_.save();
        painter_.setClipRect(toQRect(item.rect), Qt::IntersectClip);
        const QRect before = clips_.empty() ? QRect(0, 0, kLargestSide, kLargestSide) : clips_.back();
        clips_.push_back(before & toQRect(item.rect).toAlignedRect());
        showClip();
    }

    void operator()(const PopClip&)
    {
        if (clips_.empty()) return;
        clips_.pop_back();
        painter_.restore();
        showClip();
    }

private:
    void showClip()
    {
        batch_.separate();
        if (image_) seen_ = planeOf(image_->rect());
    }

    /// The part of a box that is not clipped away.
    PixelPlane planeOf(const QRect& box) const
    {
        const QRect seen = box & image_->rect() & (clips_.empty() ? image_->rect() : clips_.back());
        return {image_->bits(),   static_cast<std::size_t>(image_->bytesPerLine()),
                seen.left(),      seen.top(),
                seen.right() + 1, seen.bottom() + 1};
    }

    /// Trees have tens of thousands of lines that are rectangles: a painter takes more time to begin than
    /// this does.
    void fillPlain(const RectItem& item)
    {
        const int left = static_cast<int>(item.rect.x), top = static_cast<int>(item.rect.y);
        PixelPlane part = seen_;
        part.left = std::max(part.left, left);
        part.top = std::max(part.top, top);
        part.right = std::min(part.right, left + static_cast<int>(item.rect.width));
        part.bottom = std::min(part.bottom, top + static_cast<int>(item.rect.height));
        batch_.fill(part, toArgb(item.fill), leftOut_);
    }

    static bool isPlain(const RectItem& item)
    {
        const auto whole = [](double value) {
            return std::abs(value) < kLargestSide && value == static_cast<int>(value);
        };
        return item.fill.alpha == 255 && item.stroke.alpha == 0 && whole(item.rect.x) && whole(item.rect.y)
            && whole(item.rect.width) && whole(item.rect.height);
    }

    /// Small opaque discs on whole pixels: trees of nodes have thousands of them.
    bool isSmallDisc(const RectItem& item) const
    {
        const auto whole = [](double value) { return value == std::floor(value); };
        return image_ && item.rect.width == item.rect.height && 2 * item.radius >= item.rect.width
            && item.rect.width >= 2 && item.rect.width <= kLargestDisc && whole(item.rect.x)
            && whole(item.rect.y) && whole(item.rect.width) && std::abs(item.rect.x) < kLargestSide
            && std::abs(item.rect.y) < kLargestSide && item.fill.alpha == 255
            && (item.stroke.alpha == 255 || item.stroke.alpha == 0);
    }

    void paintDisc(const RectItem& item)
    {
        const int x = static_cast<int>(item.rect.x), y = static_cast<int>(item.rect.y);
        const int diameter = static_cast<int>(item.rect.width);
        const double stroke = item.stroke.alpha == 0 ? 0.0 : item.strokeWidth;
        if (stroke > 0) batch_.blend(seen_, disc(diameter, 0.0), x, y, toArgb(item.stroke));
        if (diameter > 2 * stroke) batch_.blend(seen_, disc(diameter, stroke), x, y, toArgb(item.fill));
    }

    /// Discs and rings anywhere: graphs have thousands of them, too.
    bool isSmallRound(const RectItem& item) const
    {
        const auto plain = [](Color color) { return color.alpha == 255 || color.alpha == 0; };
        return image_ && item.rect.width == item.rect.height && 2 * item.radius >= item.rect.width
            && item.rect.width <= kLargestDisc && std::abs(item.rect.x) < kLargestSide
            && std::abs(item.rect.y) < kLargestSide && plain(item.fill) && plain(item.stroke);
    }

    /// As the painter has it: the outline lies on both sides of the edge.
    void paintRound(const RectItem& item)
    {
        const double radius = item.rect.width / 2, x = item.rect.x + radius, y = item.rect.y + radius;
        const double half = item.stroke.alpha == 0 ? 0 : item.strokeWidth / 2;
        if (item.fill.alpha != 0) blendRound(x, y, radius, 0, item.fill);
        if (half > 0) blendRound(x, y, radius + half, std::max(0.0, radius - half), item.stroke);
    }

    void blendRound(double x, double y, double outer, double hole, Color color)
    {
        const auto nearest = [](double of) { return static_cast<int>(std::floor(of + 0.5)); };
        const int across = nearest(x * RoundShape::kPlaces), down = nearest(y * RoundShape::kPlaces);
        static_assert(RoundShape::kPlaces == 4);
        const RoundShape shape{across & 3, down & 3, nearest(outer * RoundShape::kRadii),
                               nearest(hole * RoundShape::kRadii)};
        batch_.blend(seen_, rounds_.of(shape), across >> 2, down >> 2, toArgb(color));
    }

    const TextMask& disc(int diameter, double inset)
    {
        const auto [found, isNew] = discs_.try_emplace({diameter, inset});
        if (isNew) found->second = discMask(diameter, diameter / 2.0 - inset);
        return found->second;
    }

    void paintRounded(const RectItem& item)
    {
        if (isSmallDisc(item)) return paintDisc(item);
        if (isSmallRound(item)) return paintRound(item);
        painter().setRenderHint(QPainter::Antialiasing, true);
        painter().setPen(item.stroke.alpha == 0 ? QPen(Qt::NoPen)
                                                : QPen(toQColor(item.stroke), item.strokeWidth));
        painter().setBrush(item.fill.alpha == 0 ? QBrush(Qt::NoBrush) : QBrush(toQColor(item.fill)));
        painter().drawRoundedRect(toQRect(item.rect), item.radius, item.radius);
        painter().setRenderHint(QPainter::Antialiasing, false);
    }

    void paintRuns(const PixelItem& item)
    {
        visitRuns(item, [&](const PixelRun& run) {
            if (run.argb >> 24 != 0)
                painter().fillRect(QRectF(item.x + run.from, run.y, run.to - run.from, run.height),
                                   toQColor(fromArgb(run.argb)));
        });
    }

    /// On whole pixels glyphs stay sharp.
    static QPoint cornerOf(const TextItem& item, const QSizeF& size)
    {
        const double spare = item.box.width - size.width();
        const double x = item.align == Align::Left ? 0 : item.align == Align::Center ? spare / 2 : spare;
        return {qRound(item.box.x + x), qRound(item.box.y + (item.box.height - size.height()) / 2)};
    }

    /// The same few names are drawn again and again.
    const QStaticText& laidOut(const TextItem& item)
    {
        auto& cache = texts_[static_cast<std::size_t>(item.style)];
        const auto found = cache.find(item.text);
        if (found != cache.end()) return found->second;
        QStaticText text(toQString(item.text));
        text.setTextFormat(Qt::PlainText);
        text.setPerformanceHint(QStaticText::AggressiveCaching);
        text.prepare(QTransform(), fonts_.font(item.style));
        return cache.emplace(item.text, std::move(text)).first->second;
    }

    /// With everything that was gathered below what it draws.
    QPainter& painter()
    {
        batch_.write(task_);
        return painter_;
    }

    QPainter& painter_;
    const SceneFonts& fonts_;
    const Task& task_;
    QImage* image_ = nullptr;  ///< null: everything goes through the painter
    PixelBatch batch_;
    std::vector<CoveredRow> covered_;  ///< as long as the batch may need them …
    std::span<const CoveredRow> leftOut_;
    std::vector<std::shared_ptr<const TextMask>> kept_;  ///< … and these
    std::array<std::unordered_map<std::string, QStaticText>, 4> texts_;
    std::vector<QRect> clips_;
    std::map<std::pair<int, double>, TextMask> discs_;  ///< by diameter and what is cut off at the edge
    RoundMasks rounds_;
    PixelPlane seen_;  ///< what of the image is not clipped away
};

Result<void> checkSize(const DrawList& list)
{
    if (list.width < 1 || list.height < 1 || list.width > kLargestSide || list.height > kLargestSide)
        return fail(ErrorCode::InvalidArgument, "A picture must be 1 to 32767 pixels wide and high.");
    return {};
}

Unexpected drawError(const std::filesystem::path& path)
{
    return fail(ErrorCode::Io, "The picture for " + path.string() + " cannot be drawn.");
}

bool drawSvg(const DrawList& list, const SceneFonts& fonts, QIODevice& out, const QString& title)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    // One unit of the list is one pixel of the SVG.
    generator.setResolution(96);
    generator.setSize({list.width, list.height});
    generator.setViewBox(QRect(0, 0, list.width, list.height));
    generator.setTitle(title);
    QPainter painter(&generator);
    paintDrawList(painter, list, fonts);
    return painter.end();
}

bool drawPdf(const DrawList& list, const SceneFonts& fonts, QIODevice& out, const QString& title)
{
    QPdfWriter writer(&out);
    // One unit of the list is one pixel of 1/96 inch.
    writer.setResolution(96);
    writer.setPageSize(QPageSize(QSizeF(list.width, list.height) * 72.0 / 96.0, QPageSize::Point, {},
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(title);
    writer.setCreator("Skein");
    QPainter painter(&writer);
    paintDrawList(painter, list, fonts);
    return painter.end();
}

bool drawPng(const DrawList& list, const SceneFonts& fonts, QIODevice& out, const QString& title)
{
    QImage image = toImage(list, fonts);
    image.setText("Title", title);
    return image.save(&out, "PNG");
}

}  // namespace

SceneFonts::SceneFonts(const QFont& base, double scale, std::shared_ptr<TextCache> texts)
    : texts_(texts ? std::move(texts) : std::make_shared<TextCache>())
{
    const double size = base.pixelSize() > 0 ? base.pixelSize() : base.pointSizeF() * 96.0 / 72.0;
    fonts_.fill(base);
    const std::array<double, 4> factors{1.0, 0.9, 1.0, 1.25};
    for (std::size_t style = 0; style < fonts_.size(); ++style)
        fonts_[style].setPixelSize(std::max(1, static_cast<int>(std::lround(size * factors[style] * scale))));
    fonts_[static_cast<std::size_t>(FontStyle::Bold)].setBold(true);
    fonts_[static_cast<std::size_t>(FontStyle::Title)].setBold(true);
}

QtTextMeasure::QtTextMeasure(const SceneFonts& fonts) : fonts_(fonts) {}

double QtTextMeasure::width(std::string_view text, FontStyle style) const
{
    return fonts_.texts().width(text, style, fonts_.font(style));
}

double QtTextMeasure::lineHeight(FontStyle style) const
{
    double& height = lineHeights_[static_cast<std::size_t>(style)];
    if (height == 0) height = QFontMetricsF(fonts_.font(style)).height();
    return height;
}

void paintDrawList(QPainter& painter, const DrawList& list, const SceneFonts& fonts, const Task& task)
{
    painter.save();
    const double ratio = painter.device()->devicePixelRatioF();
    if (ratio != 1.0) painter.scale(1 / ratio, 1 / ratio);
    ItemPainter visitor(painter, fonts, task);
    const auto isBlock = [](const DrawItem& item) { return std::holds_alternative<PixelItem>(item); };
    const auto firstBlock = std::find_if(list.items.begin(), list.items.end(), isBlock);
    if (visitor.writesPixels() && firstBlock != list.items.end()) visitor.leaveOut(coveredRows(list));
    if (list.background.alpha == 255 && beginsWithNarrowBlocks(list))
        visitor.setGround(toArgb(list.background));
    if (list.background.alpha != 0 && list.width > 0)
        visitor(RectItem{{0, 0, static_cast<double>(list.width), static_cast<double>(list.height)},
                         list.background,
                         {0, 0, 0, 0},
                         1,
                         0,
                         {}});
    for (auto item = list.items.begin(); item != list.items.end(); ++item) {
        if (item == firstBlock) visitor.showAll();
        std::visit(visitor, *item);
    }
    visitor.finish();
    painter.restore();
}

QImage toImage(const DrawList& list, const SceneFonts& fonts, const Task& task)
{
    QImage image = newPicture(list.width, list.height);
    QPainter painter(&image);
    paintDrawList(painter, list, fonts, task);
    return image;
}

Result<void> saveDrawList(const DrawList& list, const SceneFonts& fonts, const std::filesystem::path& path,
                          const std::string& title)
{
    if (auto size = checkSize(list); !size) return size;
    const auto draw = path.extension() == ".svg" ? drawSvg
        : path.extension() == ".pdf"             ? drawPdf
        : path.extension() == ".png"             ? drawPng
                                                 : nullptr;
    if (!draw)
        return fail(ErrorCode::InvalidArgument,
                    "Pictures are written as .png, .svg or .pdf, not as " + path.filename().string() + ".");
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    if (!draw(list, fonts, bytes, toQString(title))) return drawError(path);
    return writeFile(path, std::string_view(bytes.data().constData(), bytes.size()));
}

}  // namespace skein
