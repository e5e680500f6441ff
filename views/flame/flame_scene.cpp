// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flame/flame_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kFlameMargin = 6;       ///< logical pixels
constexpr double kNarrowestFrame = 0.4;  ///< device pixels of frames that are drawn where nothing else is
constexpr double kNarrowestName = 22;    ///< logical pixels

std::string flameWords(std::string text)
{
    for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

/// Whether the names of rows contain a text, asked once a row.
class FlameSearch {
public:
    FlameSearch(const Flame& flame, const std::string& text) : flame_(flame), wanted_(flameWords(text)) {}

    bool active() const { return !wanted_.empty(); }
    bool hits(std::uint32_t frame) const
    {
        return active()
            && flameWords(flame_.rows.rows[flame_.frames[frame].row].name).find(wanted_) != std::string::npos;
    }

private:
    const Flame& flame_;
    std::string wanted_;
};

class FlamePicture {
public:
    FlamePicture(const Flame& flame, const Selection& selected, const FlameOptions& options,
                 const Canvas& canvas)
        : flame_(flame),
          options_(options),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(flameLayout(flame, options, canvas)),
          search_(flame, options.search),
          lit_(flame.rows.rows.size(), 0)
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
        for (const CallPathRef& ref : selected.callPaths)
            if (const std::int64_t row = flame.rows.rowOf(ref.experiment, ref.id); row >= 0)
                lit_[static_cast<std::size_t>(row)] = 1;
    }

    DrawList draw()
    {
        list_.pushClip(layout_.body);
        lastPixel_.assign(flame_.levels, -1e9);
        for (std::uint32_t frame = 0; frame < flame_.frames.size(); ++frame) drawFrame(frame);
        for (TextItem& name : names_) list_.items.push_back(std::move(name));
        list_.popClip();
        drawHead();
        return std::move(list_);
    }

private:
    double xOf(double part) const
    {
        return layout_.body.x + layout_.body.width * (part - layout_.from) / (layout_.to - layout_.from);
    }

    void drawFrame(std::uint32_t frame)
    {
        const FlameFrame& one = flame_.frames[frame];
        if (one.begin + one.width <= layout_.from || one.begin >= layout_.to) return;
        const double top = layout_.top(one.depth, options_.root, options_.scroll);
        if (top + layout_.rowHeight <= layout_.body.y || top >= layout_.body.bottom()) return;
        const double left = std::round(std::max(layout_.body.x, xOf(one.begin)));
        const double exact = std::min(layout_.body.right(), xOf(one.begin + one.width));
        double right = std::round(exact);
        if (right <= left) {
            // Of many that are narrower than a pixel one is drawn a pixel.
            if (exact - xOf(one.begin) < kNarrowestFrame && left <= lastPixel_[one.depth]) return;
            right = left + 1;
        }
        if (right <= lastPixel_[one.depth] + 1 && right - left <= 1) return;
        lastPixel_[one.depth] = right - 1;
        fillFrame(frame, {left, std::round(top), right - left, layout_.rowHeight - canvas_.px(1)});
    }

    Color colorOf(std::uint32_t frame) const
    {
        const CallTreeRow& row = flame_.rows.rows[flame_.frames[frame].row];
        if (row.regions.empty()) return theme_.grid;
        const RegionPalette& palette = flame_.palettes[2 * row.experiment + (theme_.dark ? 1 : 0)];
        return palette.color(row.regions.front());
    }

    bool isAboveFocus(std::uint32_t frame) const
    {
        return options_.focus != kNoFrame && flame_.frames[frame].depth < flame_.frames[options_.focus].depth;
    }

    void fillFrame(std::uint32_t frame, const Rect& bar)
    {
        const bool hit = search_.hits(frame);
        Color fill = colorOf(frame);
        if ((search_.active() && !hit) || isAboveFocus(frame)) fill = mix(fill, theme_.background, 0.75);
        const HitId id{1, 0, frame, 0};
        // The gap to the right neighbour is part of the bar, as long as it leaves a bar.
        const double gap = bar.width > 3 ? 1 : 0;
        const Rect drawn{bar.x, bar.y, bar.width - gap, bar.height};
        list_.fillRect(drawn, fill, id);
        const bool selected = lit_[flame_.frames[frame].row] != 0;
        if (selected || hit)
            list_.items.push_back(RectItem{drawn,
                                           {0, 0, 0, 0},
                                           selected ? theme_.accent : theme_.text,
                                           canvas_.px(selected ? 2 : 1),
                                           0,
                                           id});
        if (bar.width < canvas_.px(kNarrowestName)) return;
        const double inset = canvas_.px(4);
        const std::string text =
            elideName(flame_.nameOf(frame), drawn.width - 2 * inset, FontStyle::Small, canvas_.measure);
        if (text.empty()) return;
        names_.push_back(TextItem{{drawn.x + inset, drawn.y, drawn.width - 2 * inset, drawn.height},
                                  text,
                                  textColorOn(fill),
                                  FontStyle::Small,
                                  Align::Left,
                                  id});
    }

    void drawHead()
    {
        list_.fillRect(layout_.head, theme_.panel);
        list_.fillRect({layout_.head.x, layout_.head.bottom() - 1, layout_.head.width, 1}, theme_.frame);
        std::string words = flame_.name + ": " + formatAmount(flame_.whole, flame_.unit);
        if (options_.focus != kNoFrame)
            words = fmt::format("{}: {} of {} ({:.3g} %)", flame_.nameOf(options_.focus),
                                formatAmount(flame_.whole * (layout_.to - layout_.from), flame_.unit),
                                formatAmount(flame_.whole, flame_.unit), 100 * (layout_.to - layout_.from));
        if (search_.active())
            words += fmt::format(" · found: {:.3g} %", 100 * searchShare(flame_, options_.search));
        if (!flame_.complete) words += " · callers further out are left out for their number";
        const double inset = canvas_.px(kFlameMargin), most = layout_.head.width - 2 * inset;
        const std::string text = elideMiddle(words, most, FontStyle::Small, canvas_.measure);
        list_.text({inset, layout_.head.y, std::max(0.0, most), layout_.head.height}, text, theme_.text,
                   FontStyle::Small);
    }

    const Flame& flame_;
    const FlameOptions& options_;
    const Canvas& canvas_;
    const Theme& theme_;
    FlameLayout layout_;
    FlameSearch search_;
    std::vector<std::uint8_t> lit_;  ///< rows that are selected
    std::vector<double> lastPixel_;  ///< of each depth: the last column that is taken
    std::vector<TextItem> names_;
    DrawList list_;
};

}  // namespace

FlameLayout flameLayout(const Flame& flame, const FlameOptions& options, const Canvas& canvas)
{
    FlameLayout layout;
    const double head = canvas.lineHeight() + canvas.px(8);
    layout.head = {0, 0, static_cast<double>(canvas.width), head};
    layout.body = {0, head, static_cast<double>(canvas.width), std::max(1.0, canvas.height - head)};
    // Few levels have higher bars.
    const double least = canvas.lineHeight() + canvas.px(5), most = std::floor(1.6 * least);
    layout.rowHeight = std::clamp(std::floor(layout.body.height / std::max(1u, flame.levels)), least, most);
    layout.maximumScroll = std::max(0.0, flame.levels * layout.rowHeight - layout.body.height);
    if (options.focus < flame.frames.size()) {
        layout.from = flame.frames[options.focus].begin;
        layout.to = layout.from + flame.frames[options.focus].width;
    }
    return layout;
}

DrawList flameScene(const Flame& flame, const Selection& selected, const FlameOptions& options,
                    const Canvas& canvas)
{
    return FlamePicture(flame, selected, options, canvas).draw();
}

std::optional<std::uint32_t> frameAt(const Flame& flame, const FlameOptions& options,
                                     const FlameLayout& layout, Point point)
{
    if (!layout.body.contains(point)) return std::nullopt;
    const double part =
        layout.from + (point.x - layout.body.x) / layout.body.width * (layout.to - layout.from);
    for (std::uint32_t frame = 0; frame < flame.frames.size(); ++frame) {
        const FlameFrame& one = flame.frames[frame];
        if (part < one.begin || part >= one.begin + one.width) continue;
        const double top = layout.top(one.depth, options.root, options.scroll);
        if (point.y >= top && point.y < top + layout.rowHeight) return frame;
    }
    return std::nullopt;
}

double searchShare(const Flame& flame, const std::string& text)
{
    const FlameSearch search(flame, text);
    if (!search.active()) return 0.0;
    double share = 0.0;
    std::vector<std::uint8_t> inside(flame.frames.size(), 0);
    for (std::uint32_t frame = 0; frame < flame.frames.size(); ++frame) {
        const std::uint32_t parent = flame.frames[frame].parent;
        const bool within = parent != kNoFrame && inside[parent];
        inside[frame] = within || search.hits(frame);
        if (inside[frame] && !within) share += flame.frames[frame].width;
    }
    return share;
}

}  // namespace skein
