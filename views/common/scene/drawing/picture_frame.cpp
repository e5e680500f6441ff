// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/picture_frame.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skein {
namespace {

constexpr double kPad = 8;  ///< logical pixels
constexpr double kSwatch = 10;

struct FrameLine {
    std::string text;
    FontStyle style;
};

struct PlacedEntry {
    double x;
    std::size_t line;
    const LegendEntry* entry;
};

/// The frame on a canvas: lines of the caption, and where entries of the legend stand.
class PlacedFrame {
public:
    PlacedFrame(const PictureFrame& frame, const Canvas& canvas) : canvas_(canvas)
    {
        const double room = std::max(1.0, canvas.width - 2 * canvas.px(kPad));
        for (std::size_t line = 0; line < frame.caption.size(); ++line) {
            const FontStyle style = line == 0 ? FontStyle::Bold : FontStyle::Small;
            for (std::string& text : wrappedLines(frame.caption[line], room, style, canvas.measure))
                lines_.push_back({std::move(text), style});
        }
        placeLegend(frame.legend, room);
    }

    double captionHeight() const
    {
        if (lines_.empty()) return 0;
        double height = canvas_.px(kPad);
        for (const FrameLine& line : lines_) height += lineHeight(line.style);
        return std::round(height);
    }
    double legendHeight() const
    {
        return legendLines_ == 0
            ? 0
            : std::round(canvas_.px(kPad) + static_cast<double>(legendLines_) * lineHeight(FontStyle::Small));
    }
    void leaveOutLegend() { legendLines_ = 0, entries_.clear(); }
    void leaveOutCaption() { lines_.clear(); }

    void draw(DrawList& list) const
    {
        const Theme& theme = canvas_.theme();
        const double pad = canvas_.px(kPad);
        double y = std::round(pad / 2);
        for (const FrameLine& line : lines_) {
            list.text({pad, y, canvas_.width - 2 * pad, lineHeight(line.style)}, line.text,
                      line.style == FontStyle::Bold ? theme.text : theme.secondaryText, line.style);
            y += lineHeight(line.style);
        }
        const double top = canvas_.height - legendHeight() + std::round(pad / 2);
        const double box = canvas_.px(kSwatch), line = lineHeight(FontStyle::Small);
        for (const PlacedEntry& placed : entries_) {
            const double at = top + static_cast<double>(placed.line) * line;
            list.items.push_back(RectItem{{placed.x, std::round(at + (line - box) / 2), box, box},
                                          placed.entry->color,
                                          theme.frame,
                                          1,
                                          0,
                                          {}});
            const double left = placed.x + box + canvas_.px(4);
            list.text({left, at, canvas_.width - pad - left, line},
                      elideMiddle(placed.entry->text, canvas_.width - pad - left, FontStyle::Small,
                                  canvas_.measure),
                      theme.text, FontStyle::Small);
        }
    }

private:
    double lineHeight(FontStyle style) const { return std::ceil(canvas_.lineHeight(style)) + canvas_.px(2); }

    void placeLegend(const std::vector<LegendEntry>& legend, double room)
    {
        const double pad = canvas_.px(kPad);
        double x = pad;
        for (const LegendEntry& entry : legend) {
            const double width = canvas_.px(kSwatch) + canvas_.px(4)
                + std::ceil(canvas_.measure.width(entry.text, FontStyle::Small)) + 2 * pad;
            if (legendLines_ == 0) legendLines_ = 1;
            if (x > pad && x + width > pad + room) {
                ++legendLines_;
                x = pad;
            }
            entries_.push_back({x, legendLines_ - 1, &entry});
            x += width;
        }
    }

    const Canvas& canvas_;
    std::vector<FrameLine> lines_;
    std::vector<PlacedEntry> entries_;
    std::size_t legendLines_ = 0;
};

PlacedFrame fittingFrame(const PictureFrame& frame, const Canvas& canvas)
{
    PlacedFrame placed(frame, canvas);
    const double most = canvas.height / 2.0;
    if (placed.captionHeight() + placed.legendHeight() > most) placed.leaveOutLegend();
    if (placed.captionHeight() > most) placed.leaveOutCaption();
    return placed;
}

Rect contentOf(const PlacedFrame& frame, const Canvas& canvas)
{
    return {0, frame.captionHeight(), static_cast<double>(canvas.width),
            canvas.height - frame.captionHeight() - frame.legendHeight()};
}

void moveDown(DrawItem& item, double by)
{
    struct Mover {
        double by;
        void operator()(RectItem& shape) const { shape.rect.y += by; }
        void operator()(LineItem& shape) const { shape.from.y += by, shape.to.y += by; }
        void operator()(PolygonItem& shape) const
        {
            for (Point& point : shape.points) point.y += by;
        }
        void operator()(TextItem& shape) const { shape.box.y += by; }
        void operator()(PixelItem& shape) const { shape.y += static_cast<int>(by); }
        void operator()(PushClip& shape) const { shape.rect.y += by; }
        void operator()(PopClip&) const {}
    };
    std::visit(Mover{by}, item);
}

/// How many bytes at the beginning of the text are no wider than a line: whole words where one fits, whole
/// letters of UTF-8 at least.
std::size_t fittingBytes(std::string_view text, double width, FontStyle style, const TextMeasure& measure)
{
    std::size_t letters = 0, words = 0;
    for (std::size_t end = 1; end <= text.size(); ++end) {
        if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) continue;
        if (measure.width(text.substr(0, end), style) > width) break;
        letters = end;
        if (end == text.size() || text[end] == ' ') words = end;
    }
    if (words > 0) return words;
    if (letters > 0) return letters;
    std::size_t one = 1;
    while (one < text.size() && (static_cast<unsigned char>(text[one]) & 0xC0) == 0x80) ++one;
    return one;
}

}  // namespace

std::vector<std::string> wrappedLines(const std::string& text, double width, FontStyle style,
                                      const TextMeasure& measure)
{
    std::vector<std::string> lines;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t bytes = fittingBytes(rest, width, style, measure);
        lines.emplace_back(rest.substr(0, bytes));
        rest.remove_prefix(bytes);
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    }
    return lines;
}

Rect contentRect(const PictureFrame& frame, const Canvas& canvas)
{
    return contentOf(fittingFrame(frame, canvas), canvas);
}

int frameHeight(const PictureFrame& frame, const Canvas& canvas)
{
    const PlacedFrame placed(frame, canvas);
    return static_cast<int>(placed.captionHeight() + placed.legendHeight());
}

DrawList framedPicture(DrawList content, const PictureFrame& frame, const Canvas& canvas)
{
    const PlacedFrame placed = fittingFrame(frame, canvas);
    const Rect inner = contentOf(placed, canvas);
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    list.background = canvas.theme().background;
    placed.draw(list);
    list.pushClip(inner);
    for (DrawItem& item : content.items) moveDown(item, inner.y);
    std::move(content.items.begin(), content.items.end(), std::back_inserter(list.items));
    list.popClip();
    return list;
}

}  // namespace skein
