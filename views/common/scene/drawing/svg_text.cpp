// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/svg_text.h"

#include "views/common/scene/drawing/pixel_runs.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string_view>

namespace skein {
namespace {

constexpr double kFontPixels = 12;     ///< as ApproximateTextMeasure
constexpr double kBelowMiddle = 0.36;  ///< where the baseline of centred text is, in its size

/// Text between tags or quotes; control characters, which XML does not have, become blanks.
std::string xmlText(std::string_view text)
{
    std::string out;
    for (const char letter : text) {
        switch (letter) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\n': out += letter; break;
        default: out += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
        }
    }
    return out;
}

/// ` fill="#rrggbb"`, with an opacity where it is needed; `none` for what is not seen.
std::string paint(std::string_view what, Color color)
{
    if (color.alpha == 0) return fmt::format(" {}=\"none\"", what);
    std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, color.red, color.green, color.blue);
    if (color.alpha != 255) text += fmt::format(" {}-opacity=\"{:.3g}\"", what, color.alpha / 255.0);
    return text;
}

double fontSize(FontStyle style)
{
    return kFontPixels * (style == FontStyle::Small ? 0.85 : style == FontStyle::Title ? 1.25 : 1.0);
}

class SvgWriter {
public:
    explicit SvgWriter(std::string& out) : out_(out) {}

    template <typename... Values>
    void put(fmt::format_string<Values...> format, Values&&... values)
    {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }

    void operator()(const RectItem& item)
    {
        const double inset = item.stroke.alpha == 0 ? 0 : item.strokeWidth / 2;
        const Rect rect = item.rect.inset(inset);
        if (rect.width < 0 || rect.height < 0) return;
        put(R"(<rect x="{:.6g}" y="{:.6g}" width="{:.6g}" height="{:.6g}")", rect.x, rect.y, rect.width,
            rect.height);
        if (item.radius > 0) put(R"( rx="{:.6g}")", item.radius);
        else out_ += R"( shape-rendering="crispEdges")";
        endShape(item.fill, item.stroke, item.strokeWidth);
    }

    void operator()(const LineItem& item)
    {
        put(R"(<line x1="{:.6g}" y1="{:.6g}" x2="{:.6g}" y2="{:.6g}" stroke-width="{:.4g}"{}/>)", item.from.x,
            item.from.y, item.to.x, item.to.y, item.width, paint("stroke", item.color));
        out_ += '\n';
    }

    void operator()(const PolygonItem& item)
    {
        out_ += "<polygon points=\"";
        for (const Point& point : item.points) put("{:.6g},{:.6g} ", point.x, point.y);
        out_ += '"';
        endShape(item.fill, item.stroke, item.strokeWidth);
    }

    void operator()(const TextItem& item)
    {
        static constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
        const double part = item.align == Align::Left ? 0 : item.align == Align::Center ? 0.5 : 1;
        put(R"(<text x="{:.6g}" y="{:.6g}" text-anchor="{}" font-size="{:.4g}"{})",
            item.box.x + part * item.box.width,
            item.box.y + item.box.height / 2 + kBelowMiddle * fontSize(item.style),
            kAnchors[static_cast<std::size_t>(item.align)], fontSize(item.style), paint("fill", item.color));
        if (item.style == FontStyle::Bold || item.style == FontStyle::Title) out_ += R"( font-weight="bold")";
        out_ += ">" + xmlText(item.text) + "</text>\n";
    }

    /// Runs of one colour become one path: timelines have very many of them and few colours.
    void operator()(const PixelItem& item)
    {
        std::map<std::uint32_t, std::string> paths;
        visitRuns(item, [&](const PixelRun& run) {
            if (run.argb >> 24 == 0) return;
            const int width = run.to - run.from;
            fmt::format_to(std::back_inserter(paths[run.argb]), "M{} {}h{}v{}h-{}z", item.x + run.from, run.y,
                           width, run.height, width);
        });
        for (const auto& [color, path] : paths)
            put("<path shape-rendering=\"crispEdges\" d=\"{}\"{}/>\n", path, paint("fill", fromArgb(color)));
    }

    /// A nested picture cuts at its edges and, unlike a clip path, needs no id.
    void operator()(const PushClip& item)
    {
        ++clips_;
        put(R"(<svg x="{0:.6g}" y="{1:.6g}" width="{2:.6g}" height="{3:.6g}" viewBox="{0:.6g} {1:.6g} {4:.6g} {5:.6g}">)",
            item.rect.x, item.rect.y, std::max(0.0, item.rect.width), std::max(0.0, item.rect.height),
            std::max(1e-3, item.rect.width), std::max(1e-3, item.rect.height));
        out_ += '\n';
    }

    void operator()(const PopClip&)
    {
        if (clips_ == 0) return;
        --clips_;
        out_ += "</svg>\n";
    }

    void operator()(const SvgTip& tip)
    {
        put(R"(<rect x="{:.6g}" y="{:.6g}" width="{:.6g}" height="{:.6g}" fill="#000" fill-opacity="0"><title>)",
            tip.place.x, tip.place.y, tip.place.width, tip.place.height);
        for (std::size_t line = 0; line < tip.lines.size(); ++line)
            out_ += (line > 0 ? "\n" : "") + xmlText(tip.lines[line]);
        out_ += "</title></rect>\n";
    }

    void closeClips()
    {
        while (clips_ > 0) (*this)(PopClip{});
    }

private:
    void endShape(Color fill, Color stroke, double strokeWidth)
    {
        out_ += paint("fill", fill);
        if (stroke.alpha != 0) put("{} stroke-width=\"{:.4g}\"", paint("stroke", stroke), strokeWidth);
        out_ += "/>\n";
    }

    std::string& out_;
    int clips_ = 0;
};

}  // namespace

std::string toSvg(const DrawList& list, std::span<const SvgTip> tips)
{
    std::string out;
    SvgWriter writer(out);
    writer.put(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
               R"(font-family="DejaVu Sans, Verdana, sans-serif">)",
               list.width, list.height);
    out += '\n';
    writer(RectItem{{0, 0, static_cast<double>(list.width), static_cast<double>(list.height)},
                    list.background,
                    {0, 0, 0, 0},
                    1,
                    0,
                    {}});
    for (const DrawItem& item : list.items) std::visit(writer, item);
    writer.closeClips();
    for (const SvgTip& tip : tips) writer(tip);
    out += "</svg>\n";
    return out;
}

}  // namespace skein
