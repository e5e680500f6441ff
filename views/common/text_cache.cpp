// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/text_cache.h"

#include "views/common/utf8_text.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QStaticText>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace skein {
namespace {

constexpr std::size_t kMostBytes = 32 << 20;
constexpr std::size_t kBytesOfEntry = 128;  ///< of a map, about
constexpr double kWidestMask = 8192;        ///< pixels: what is wider is not drawn twice

/// White on black, with room around the box for letters that reach out of it.
QImage drawn(const QStaticText& text, const QFont& font, int margin)
{
    const QSizeF size = text.size();
    QImage image(static_cast<int>(std::ceil(size.width())) + 2 * margin,
                 static_cast<int>(std::ceil(size.height())) + 2 * margin, QImage::Format_RGB32);
    image.fill(Qt::black);
    QPainter painter(&image);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawStaticText(QPointF(margin, margin), text);
    return image;
}

const QRgb* line(const QImage& image, int row)
{
    return reinterpret_cast<const QRgb*>(image.constScanLine(row));
}

/// The pixels that are not black.
QRect inked(const QImage& image)
{
    QRect box;
    for (int y = 0; y < image.height(); ++y) {
        const QRgb* const pixels = line(image, y);
        const auto isInk = [](QRgb pixel) { return (pixel & 0xFFFFFFu) != 0; };
        const QRgb* const first = std::find_if(pixels, pixels + image.width(), isInk);
        if (first == pixels + image.width()) continue;
        const QRgb* last = pixels + image.width() - 1;
        while (!isInk(*last)) --last;
        box |= QRect(QPoint(static_cast<int>(first - pixels), y), QPoint(static_cast<int>(last - pixels), y));
    }
    return box;
}

TextMask makeMask(const std::string& text, const QFont& font)
{
    QStaticText laidOut(toQString(text));
    laidOut.setTextFormat(Qt::PlainText);
    laidOut.prepare(QTransform(), font);
    if (laidOut.size().width() > kWidestMask) return {laidOut.size(), 0, 0, 0, 0, {}, false};
    const int margin = static_cast<int>(std::ceil(QFontMetricsF(font).height()));
    const QImage image = drawn(laidOut, font, margin);
    const QRect box = inked(image);
    TextMask mask{laidOut.size(), box.left() - margin, box.top() - margin, box.width(), box.height(), {}};
    mask.coverage.reserve(static_cast<std::size_t>(box.width()) * static_cast<std::size_t>(box.height()));
    for (int y = box.top(); y <= box.bottom(); ++y)
        for (int x = box.left(); x <= box.right(); ++x) {
            const QRgb pixel = line(image, y)[x];
            mask.usable &= qRed(pixel) == qGreen(pixel) && qGreen(pixel) == qBlue(pixel);
            mask.coverage.push_back(static_cast<std::uint8_t>(qGreen(pixel)));
        }
    return mask;
}

/// (under · (255 - part) + over · part) / 255, rounded; two channels at a time.
std::uint32_t mixedOf255(std::uint32_t under, std::uint32_t over, std::uint32_t part)
{
    const std::uint32_t rest = 255 - part;
    const auto divided = [](std::uint32_t sums) {
        return (sums + ((sums >> 8) & 0xFF00FFu) + 0x800080u) >> 8 & 0xFF00FFu;
    };
    const std::uint32_t redBlue = divided((under & 0xFF00FFu) * rest + (over & 0xFF00FFu) * part);
    const std::uint32_t green = divided((under >> 8 & 0x0000FFu) * rest + (over >> 8 & 0x0000FFu) * part);
    return 0xFF000000u | redBlue | green << 8;
}

void blendRow(std::uint32_t* pixels, const std::uint8_t* coverage, int count, std::uint32_t argb)
{
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128();
    const __m128i over = _mm_unpacklo_epi8(_mm_set1_epi32(static_cast<int>(argb)), zero);
    const __m128i opaque = _mm_set1_epi32(static_cast<int>(0xFF000000u));
    const __m128i all = _mm_set1_epi32(static_cast<int>(argb | 0xFF000000u));
    const __m128i whole = _mm_set1_epi16(255);
    const __m128i half = _mm_set1_epi16(128);
    const auto mix = [&](__m128i under, __m128i part) {
        const __m128i sum =
            _mm_add_epi16(_mm_mullo_epi16(under, _mm_sub_epi16(whole, part)), _mm_mullo_epi16(over, part));
        return _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(sum, _mm_srli_epi16(sum, 8)), half), 8);
    };
    for (; count >= 4; count -= 4, pixels += 4, coverage += 4) {
        std::int32_t four = 0;
        std::memcpy(&four, coverage, sizeof four);
        if (four == 0) continue;
        if (four == -1) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(pixels), all);
            continue;
        }
        const __m128i parts = _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero);
        const __m128i twice = _mm_unpacklo_epi16(parts, parts);
        const __m128i under = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pixels));
        const __m128i low = mix(_mm_unpacklo_epi8(under, zero), _mm_unpacklo_epi32(twice, twice));
        const __m128i high = mix(_mm_unpackhi_epi8(under, zero), _mm_unpackhi_epi32(twice, twice));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(pixels),
                         _mm_or_si128(_mm_packus_epi16(low, high), opaque));
    }
#endif
    for (; count > 0; --count, ++pixels, ++coverage)
        if (*coverage != 0) *pixels = mixedOf255(*pixels, argb, *coverage);
}

}  // namespace

void blendMask(const PixelPlane& plane, const TextMask& mask, int left, int top, std::uint32_t argb)
{
    const int from = std::max(plane.left, left + mask.x);
    const int to = std::min(plane.right, left + mask.x + mask.columns);
    const int end = std::min(plane.bottom, top + mask.y + mask.rows);
    for (int y = std::max(plane.top, top + mask.y); y < end && from < to; ++y) {
        const std::size_t row =
            static_cast<std::size_t>(y - top - mask.y) * static_cast<std::size_t>(mask.columns);
        blendRow(plane.at(from, y), mask.coverage.data() + row + (from - left - mask.x), to - from, argb);
    }
}

double TextCache::width(std::string_view text, FontStyle style, const QFont& font)
{
    const std::scoped_lock lock(mutex_);
    auto& widths = widths_[static_cast<std::size_t>(style)];
    if (const auto found = widths.find(text); found != widths.end()) return found->second;
    const double width = QFontMetricsF(font).horizontalAdvance(toQString(text));
    makeRoom(text.size() + kBytesOfEntry);
    return widths.emplace(text, width).first->second;
}

std::shared_ptr<const TextMask> TextCache::mask(const std::string& text, FontStyle style, const QFont& font)
{
    const std::scoped_lock lock(mutex_);
    auto& masks = masks_[static_cast<std::size_t>(style)];
    if (const auto found = masks.find(text); found != masks.end()) return found->second;
    auto mask = std::make_shared<const TextMask>(makeMask(text, font));
    makeRoom(text.size() + mask->coverage.size() + kBytesOfEntry);
    return masks.emplace(text, std::move(mask)).first->second;
}

void TextCache::makeRoom(std::size_t bytes)
{
    bytes_ += bytes;
    if (bytes_ <= kMostBytes) return;
    for (auto& widths : widths_) widths.clear();
    for (auto& masks : masks_) masks.clear();
    bytes_ = bytes;
}

}  // namespace skein
