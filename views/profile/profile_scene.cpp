// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/profile_scene.h"

#include "core/base/csv.h"
#include "core/base/natural_order.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/profile/treemap_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr double kHighestBarRow = 28;  // logical pixels
constexpr double kLowestBarRow = 2;
constexpr double kLegendWidth = 280;

bool anySelected(const std::vector<RegionRef>& regions, const Selection& selected)
{
    return std::any_of(regions.begin(), regions.end(), [&](RegionRef region) {
        return std::binary_search(selected.regions.begin(), selected.regions.end(), region);
    });
}

double amountOfSelected(const ProfilePicture& picture, const ProfileBar& bar, const Selection& selected)
{
    double sum = 0;
    for (const ProfileSegment& segment : bar.segments)
        if (anySelected(picture.bars.series[segment.series].regions, selected)) sum += segment.amount;
    return sum;
}

std::vector<std::uint32_t> barOrder(const ProfilePicture& picture, const Selection& selected,
                                    ProfileOrder order)
{
    const auto& bars = picture.bars.bars;
    std::vector<std::uint32_t> result(bars.size());
    std::iota(result.begin(), result.end(), 0u);
    if (order == ProfileOrder::Name)
        std::stable_sort(result.begin(), result.end(),
                         [&](auto a, auto b) { return NaturalOrder()(bars[a].label, bars[b].label); });
    if (order == ProfileOrder::Amount)
        std::stable_sort(result.begin(), result.end(),
                         [&](auto a, auto b) { return bars[a].total > bars[b].total; });
    if (order == ProfileOrder::SelectedRegions) {
        std::vector<double> amounts;
        for (const ProfileBar& bar : bars) amounts.push_back(amountOfSelected(picture, bar, selected));
        std::stable_sort(result.begin(), result.end(),
                         [&](auto a, auto b) { return amounts[a] > amounts[b]; });
    }
    return result;
}

double scaleOf(const ProfileBar& bar, ProfileScale scale)
{
    if (scale == ProfileScale::Amounts) return 1;
    return bar.total > 0 ? 1 / bar.total : 0;
}

double lengthOf(const ProfileBar& bar)
{
    double length = 0;
    for (const ProfileSegment& segment : bar.segments) length += std::max(0.0, segment.amount);
    return length;
}

/// What of a bar lies before a series, or before what has no segment of its own.
double lengthBefore(const ProfileBar& bar, std::uint32_t series, std::uint32_t shown)
{
    double length = 0;
    for (const ProfileSegment& segment : bar.segments)
        if (segment.series < std::min(series, shown)) length += std::max(0.0, segment.amount);
    return length;
}

/// Bars begin so that the largest selected series does in all of them; at the left where none is selected.
void placeBars(ProfileLayout& layout, const ProfilePicture& picture, const Selection& selected,
               const ProfileOptions& options)
{
    const auto& series = picture.bars.series;
    const auto aligned = std::find_if(series.begin(), series.end(), [&](const ProfileSeries& of) {
        return anySelected(of.regions, selected);
    });
    const bool align = options.alignment == ProfileAlignment::SelectedRegion && aligned != series.end();
    for (const ProfileBar& bar : picture.bars.bars) {
        const auto number = static_cast<std::uint32_t>(aligned - series.begin());
        layout.starts.push_back(align ? lengthBefore(bar, number, layout.shown) * scaleOf(bar, options.scale)
                                      : 0);
        layout.zero = std::max(layout.zero, layout.starts.back());
    }
    for (std::size_t bar = 0; bar < layout.starts.size(); ++bar) {
        const ProfileBar& of = picture.bars.bars[bar];
        layout.starts[bar] = align ? layout.zero - layout.starts[bar] : 0;
        layout.maximum =
            std::max(layout.maximum, layout.starts[bar] + lengthOf(of) * scaleOf(of, options.scale));
    }
    if (!(layout.maximum > 0)) layout.maximum = 1;
}

std::string percent(double part, double whole)
{
    return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "–";
}

class ProfilePainter {
public:
    ProfilePainter(const ProfilePicture& picture, const Selection& selected, const ProfileOptions& options,
                   const Canvas& canvas)
        : picture_(picture),
          bars_(picture.bars),
          selected_(selected),
          options_(options),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(profileLayout(picture, selected, options, canvas))
    {
        for (std::uint32_t series = 0; series < bars_.series.size(); ++series)
            colors_.push_back(colorOf(series));
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        list_.text(layout_.heading, profileHeading(bars_, options_.shape), theme_.text, FontStyle::Bold);
        if (options_.shape == ProfileShape::Bars) drawBars();
        else drawTreemap();
        drawLegend();
        return std::move(list_);
    }

private:
    Color faint(Color color) const { return mix(theme_.background, color, 0.3); }

    Color colorOf(std::uint32_t series) const
    {
        const ProfileSeries& found = bars_.series[series];
        const Color full = found.regions.empty()
            ? mix(theme_.background, theme_.text, 0.45)
            : regionColor(shortName(found.name), picture_.groups[picture_.groupOf[series]], theme_,
                          picture_.shades);
        return selected_.regions.empty() || anySelected(found.regions, selected_) ? full : faint(full);
    }

    Color restColor() const
    {
        const Color full = mix(theme_.background, theme_.text, 0.22);
        return selected_.regions.empty() ? full : faint(full);
    }

    void drawBars()
    {
        drawAxis();
        list_.pushClip({0, layout_.body.y, layout_.body.right(), layout_.body.height});
        double freeBelow = layout_.body.y - 1;
        for (std::size_t row = 0; row < layout_.order.size(); ++row) {
            const double top =
                layout_.body.y + static_cast<double>(row) * layout_.rowHeight - options_.scrollY;
            if (top + layout_.rowHeight < layout_.body.y) continue;
            if (top > layout_.body.bottom()) break;
            drawBar(layout_.order[row], top);
            drawLabel(layout_.order[row], top, freeBelow);
        }
        list_.popClip();
        list_.fillRect({layout_.body.x - canvas_.px(1), layout_.body.y, canvas_.px(1), layout_.body.height},
                       theme_.frame);
    }

    void drawAxis()
    {
        const bool shares = options_.scale == ProfileScale::Shares;
        const std::string unit = shares ? "" : bars_.unit;
        const int most = std::max(1, static_cast<int>(layout_.body.width / canvas_.px(90)));
        const double zero = layout_.zero;
        for (const double value : roundValues(-zero, layout_.maximum - zero, most, unit)) {
            const double x =
                std::round(layout_.body.x + (value + zero) / layout_.maximum * layout_.body.width);
            // To the left of an aligned region lengths count from it as well.
            const double shown = std::abs(value);
            const std::string text = shares ? fmt::format("{:g} %", shown * 100) : formatAmount(shown, unit);
            const double width = canvas_.measure.width(text, FontStyle::Small);
            list_.fillRect({x, layout_.body.y, canvas_.px(1), layout_.body.height}, theme_.grid);
            const double left = std::clamp(x - width / 2, layout_.body.x,
                                           std::max(layout_.body.x, layout_.body.right() - width));
            list_.text({left, layout_.axis.y, width + 1, layout_.axis.height}, text, theme_.secondaryText,
                       FontStyle::Small);
        }
    }

    void drawLabel(std::uint32_t number, double top, double& freeBelow)
    {
        const ProfileBar& bar = bars_.bars[number];
        const HitId id{static_cast<std::uint32_t>(ProfileHit::Label), 0, number, 0};
        const Rect row{layout_.labels.x, std::round(top), layout_.labels.width, std::ceil(layout_.rowHeight)};
        const bool chosen =
            std::any_of(bar.locations.begin(), bar.locations.end(), [this](LocationRef location) {
                return std::binary_search(selected_.locations.begin(), selected_.locations.end(), location);
            });
        list_.fillRect(row, chosen ? theme_.selectionFill : withAlpha(theme_.background, 0), id);
        if (chosen) list_.fillRect({row.x, row.y, canvas_.px(3), row.height}, theme_.accent);
        const double line = canvas_.lineHeight();
        const double middle = top + layout_.rowHeight / 2;
        if (middle - line / 2 < freeBelow) return;
        const double pad = canvas_.px(8);
        const FontStyle style = chosen ? FontStyle::Bold : FontStyle::Small;
        list_.text({row.x + pad, middle - line / 2, row.width - 2 * pad, line},
                   elideMiddle(bar.label, row.width - 2 * pad, style, canvas_.measure), theme_.text, style,
                   Align::Right, id);
        freeBelow = middle + line / 2;
    }

    void drawBar(std::uint32_t number, double top)
    {
        const ProfileBar& bar = bars_.bars[number];
        const double scale = scaleOf(bar, options_.scale);
        const double gap = layout_.rowHeight >= canvas_.px(8) ? canvas_.px(2)
            : layout_.rowHeight >= canvas_.px(4)              ? canvas_.px(1)
                                                              : 0;
        const double y = std::round(top),
                     height = std::max(1.0, std::round(top + layout_.rowHeight) - y - gap);
        double sum = layout_.starts[number];
        double left = layout_.body.x + std::round(sum / layout_.maximum * layout_.body.width);
        const auto segment = [&](std::uint32_t series, double amount, Color color) {
            sum += std::max(0.0, amount) * scale;
            const double right = layout_.body.x + std::round(sum / layout_.maximum * layout_.body.width);
            if (right > left) drawSegment({left, y, right - left, height}, number, series, color);
            left = right;
        };
        double rest = 0;
        for (const ProfileSegment& part : bar.segments) {
            if (part.series < layout_.shown) segment(part.series, part.amount, colors_[part.series]);
            else rest += std::max(0.0, part.amount);
        }
        if (rest > 0) segment(kRestSeries, rest, restColor());
    }

    void drawSegment(const Rect& box, std::uint32_t bar, std::uint32_t series, Color color)
    {
        const HitId id{static_cast<std::uint32_t>(ProfileHit::Segment), 0, bar, series};
        list_.fillRect(box, color, id);
        if (box.width >= canvas_.px(4))
            list_.fillRect({box.right() - 1, box.y, 1, box.height}, theme_.background, id);
        nameInside(box, series, color, id);
    }

    void nameInside(const Rect& box, std::uint32_t series, Color color, HitId id)
    {
        const double pad = canvas_.px(4);
        const double line = canvas_.lineHeight();
        if (box.height < line || box.width < 3 * line) return;
        const std::string name = series == kRestSeries ? restName() : bars_.series[series].name;
        list_.text({box.x + pad, box.y + (box.height - line) / 2, box.width - 2 * pad, line},
                   elideName(shortName(name), box.width - 2 * pad, FontStyle::Small, canvas_.measure),
                   textColorOn(color), FontStyle::Small, Align::Left, id);
    }

    std::string restName() const { return fmt::format("{} others", bars_.series.size() - layout_.shown); }

    double restTotal() const
    {
        double sum = 0;
        for (std::size_t series = layout_.shown; series < bars_.series.size(); ++series)
            sum += bars_.series[series].total;
        return sum;
    }

    static std::string shortName(const std::string& name)
    {
        Region region;
        region.name = name;
        return displayName(region);
    }

    /// Groups of regions, and regions in them. Amounts that are not positive have no area.
    void drawTreemap()
    {
        struct Group {
            std::uint32_t group = 0;
            double total = 0;
            std::vector<std::uint32_t> series;
        };
        std::vector<Group> groups;
        for (std::uint32_t series = 0; series < bars_.series.size(); ++series) {
            if (!(bars_.series[series].total > 0)) continue;
            auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
                return group.group == picture_.groupOf[series];
            });
            if (found == groups.end())
                found = groups.insert(groups.end(), Group{picture_.groupOf[series], 0, {}});
            found->total += bars_.series[series].total;
            found->series.push_back(series);
        }
        std::stable_sort(groups.begin(), groups.end(),
                         [](const Group& a, const Group& b) { return a.total > b.total; });
        std::vector<double> weights;
        for (const Group& group : groups) weights.push_back(group.total);
        const std::vector<Rect> boxes = squarify(weights, layout_.body);
        for (std::size_t group = 0; group < groups.size(); ++group)
            drawGroup(pixels(boxes[group]), picture_.groups[groups[group].group].name, groups[group].total,
                      groups[group].series);
    }

    static Rect pixels(const Rect& box)
    {
        const double x = std::round(box.x), y = std::round(box.y);
        return {x, y, std::round(box.right()) - x, std::round(box.bottom()) - y};
    }

    void drawGroup(const Rect& box, const std::string& group, double total,
                   const std::vector<std::uint32_t>& series)
    {
        Rect inner = box.inset(canvas_.px(1));
        const double line = canvas_.lineHeight(FontStyle::Bold) + canvas_.px(4);
        const std::string text = groupTitle(group, total, inner.width - canvas_.px(4));
        if (inner.height > 3 * line && !text.empty()) {
            list_.text({inner.x + canvas_.px(2), inner.y, inner.width, line}, text, theme_.text,
                       FontStyle::Bold);
            inner = {inner.x, inner.y + line, inner.width, inner.height - line};
        }
        std::vector<double> weights;
        for (const std::uint32_t number : series) weights.push_back(bars_.series[number].total);
        const std::vector<Rect> boxes = squarify(weights, inner);
        for (std::size_t place = 0; place < boxes.size(); ++place)
            drawRegion(pixels(boxes[place]), series[place]);
    }

    /// As much as has room of what the group is and what it took; empty where not even its name has.
    std::string groupTitle(const std::string& group, double total, double width) const
    {
        const std::string share = percent(total, bars_.total);
        for (const std::string& text :
             {fmt::format("{} · {} · {}", group, formatAmount(total, bars_.unit), share),
              fmt::format("{} · {}", group, share), group})
            if (canvas_.measure.width(text, FontStyle::Bold) <= width) return text;
        return {};
    }

    void drawRegion(Rect box, std::uint32_t series)
    {
        const HitId id{static_cast<std::uint32_t>(ProfileHit::Segment), 0, kAllBars, series};
        if (box.width >= canvas_.px(4) && box.height >= canvas_.px(4))
            box = {box.x, box.y, box.width - canvas_.px(1), box.height - canvas_.px(1)};
        if (box.empty()) return;
        list_.fillRect(box, colors_[series], id);
        const double line = canvas_.lineHeight();
        nameInside({box.x, box.y, box.width, std::min(box.height, line + canvas_.px(4))}, series,
                   colors_[series], id);
        if (box.height < 2 * line + canvas_.px(6)) return;
        const std::string amount =
            fmt::format("{} · {}", formatAmount(bars_.series[series].total, bars_.unit),
                        percent(bars_.series[series].total, bars_.total));
        if (canvas_.measure.width(amount, FontStyle::Small) > box.width - canvas_.px(8)) return;
        list_.text({box.x + canvas_.px(4), box.y + line + canvas_.px(4), box.width - canvas_.px(8), line},
                   amount, textColorOn(colors_[series]), FontStyle::Small, Align::Left, id);
    }

    void drawLegend()
    {
        const Rect& area = layout_.legend;
        if (area.empty()) return;
        const double line = canvas_.lineHeight() + canvas_.px(4);
        const auto room = static_cast<std::size_t>(std::max(0.0, area.height / line));
        const bool rest = options_.shape == ProfileShape::Bars && layout_.shown < bars_.series.size();
        const std::size_t wanted = options_.shape == ProfileShape::Bars ? layout_.shown : bars_.series.size();
        const std::size_t lines = wanted + (rest ? 1 : 0);
        // Where not all fit, the last line says how many are missing.
        const std::size_t rows = lines <= room ? wanted : room > 0 ? room - 1 : 0;
        double y = area.y;
        for (std::uint32_t series = 0; series < rows; ++series, y += line)
            drawLegendRow(y, line, series, shortName(bars_.series[series].name), bars_.series[series].total,
                          colors_[series]);
        if (lines > room && room > 0)
            list_.text({area.x, y, area.width, line},
                       fmt::format("and {} more; point at {} to see them", lines - rows,
                                   options_.shape == ProfileShape::Bars ? "a bar" : "an area"),
                       theme_.secondaryText, FontStyle::Small);
        else if (rest && room > 0) drawLegendRow(y, line, kRestSeries, restName(), restTotal(), restColor());
    }

    void drawLegendRow(double y, double line, std::uint32_t series, const std::string& name, double total,
                       Color color)
    {
        const Rect& area = layout_.legend;
        const HitId id{static_cast<std::uint32_t>(ProfileHit::Legend), 0, series, 0};
        const double box = canvas_.px(10);
        const std::string amount = bars_.addsUp
            ? formatAmount(total, bars_.unit) + "  " + percent(total, bars_.total)
            : std::string();
        const double amountWidth = canvas_.measure.width(amount, FontStyle::Small);
        const double left = area.x + box + canvas_.px(8);
        list_.fillRect({area.x, y, area.width, line}, withAlpha(theme_.background, 0), id);
        list_.fillRect({area.x, y + (line - box) / 2, box, box}, color, id);
        list_.text({left, y, area.right() - left - amountWidth - canvas_.px(8), line},
                   elideName(name, area.right() - left - amountWidth - canvas_.px(8), FontStyle::Small,
                             canvas_.measure),
                   theme_.text, FontStyle::Small, Align::Left, id);
        list_.text({area.right() - amountWidth - 1, y, amountWidth + 1, line}, amount, theme_.secondaryText,
                   FontStyle::Small, Align::Right, id);
    }

    const ProfilePicture& picture_;
    const ProfileBars& bars_;
    const Selection& selected_;
    const ProfileOptions& options_;
    const Canvas& canvas_;
    const Theme& theme_;
    ProfileLayout layout_;
    std::vector<Color> colors_;
    DrawList list_;
};

}  // namespace

ProfilePicturePtr makeProfilePicture(const Session& session, ProfileBars bars, RegionGrouping grouping)
{
    const RegionGroups groups(session, grouping);
    std::vector<std::uint32_t> groupOf;
    for (const ProfileSeries& series : bars.series)
        groupOf.push_back(series.regions.empty() ? groups.others() : groups.of(series.regions.front()));
    return std::make_shared<const ProfilePicture>(
        ProfilePicture{std::move(bars), grouping, groups.list(), std::move(groupOf), groups.shades()});
}

ProfileLayout profileLayout(const ProfilePicture& picture, const Selection& selected,
                            const ProfileOptions& options, const Canvas& canvas)
{
    ProfileLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    const double width = canvas.width, height = canvas.height;
    const double captionHeight = canvas.style.caption.empty() ? 0 : line + pad;
    layout.caption = {pad, 0, std::max(0.0, width - 2 * pad), captionHeight};
    layout.heading = {pad, captionHeight, std::max(0.0, width - 2 * pad),
                      canvas.lineHeight(FontStyle::Bold) + pad};
    const double top = layout.heading.bottom();
    const double legend = width >= canvas.px(3 * kLegendWidth) ? canvas.px(kLegendWidth) : 0;
    const bool bars = options.shape == ProfileShape::Bars;
    double labels = 0;
    for (const ProfileBar& bar : picture.bars.bars)
        labels = std::max(labels, canvas.measure.width(bar.label, FontStyle::Bold));
    labels = bars ? std::min(std::ceil(labels) + 2 * pad, std::floor(width / 4)) : pad;
    const double axis = bars ? line + canvas.px(4) : 0;
    const double right = width - legend - (legend > 0 ? 2 * pad : pad);
    layout.axis = {labels, top, std::max(0.0, right - labels), axis};
    layout.labels = {0, top + axis, labels, std::max(0.0, height - top - axis - pad)};
    layout.body = {labels, top + axis, std::max(1.0, right - labels),
                   std::max(1.0, height - top - axis - pad)};
    layout.legend = {right + 2 * pad - canvas.px(4), top + axis, std::max(0.0, legend - pad),
                     layout.body.height};
    layout.order = barOrder(picture, selected, options.order);
    layout.shown = std::min(options.largest, static_cast<std::uint32_t>(picture.bars.series.size()));
    if (layout.shown + 1 == picture.bars.series.size())
        ++layout.shown;  // "1 other" takes as much room as its name
    const auto rows = static_cast<double>(std::max<std::size_t>(layout.order.size(), 1));
    layout.rowHeight = std::clamp(std::floor(layout.body.height / rows), canvas.px(kLowestBarRow),
                                  canvas.px(kHighestBarRow));
    layout.maximumScroll = bars ? std::max(0.0, rows * layout.rowHeight - layout.body.height) : 0;
    placeBars(layout, picture, selected, options);
    return layout;
}

DrawList profileScene(const ProfilePicture& picture, const Selection& selected, const ProfileOptions& options,
                      const Canvas& canvas)
{
    return ProfilePainter(picture, selected, options, canvas).draw();
}

Selection profileSelection(const Session& session, const ProfilePicture& picture, const ProfileLayout& layout,
                           HitId hit)
{
    const auto kind = static_cast<ProfileHit>(hit.kind);
    std::vector<Selection> parts;
    const auto addBar = [&](std::uint32_t bar) {
        if (bar == kAllBars) return;
        for (const LocationRef location : picture.bars.bars[bar].locations)
            parts.push_back(select(session, location));
    };
    const auto addSeries = [&](std::uint32_t series) {
        const std::size_t first = series == kRestSeries ? layout.shown : series;
        const std::size_t end = series == kRestSeries ? picture.bars.series.size() : first + 1;
        for (std::size_t number = first; number < end; ++number)
            for (const RegionRef region : picture.bars.series[number].regions)
                parts.push_back(select(session, region));
    };
    if (kind == ProfileHit::Label || kind == ProfileHit::Segment) addBar(hit.item);
    if (kind == ProfileHit::Segment) addSeries(hit.part);
    if (kind == ProfileHit::Legend) addSeries(hit.item);
    return unitedParts(std::move(parts));
}

std::vector<std::string> profileTooltip(const ProfilePicture& picture, const ProfileLayout& layout, HitId hit)
{
    const auto kind = static_cast<ProfileHit>(hit.kind);
    if (kind == ProfileHit::None) return {};
    const ProfileBars& bars = picture.bars;
    const std::uint32_t series = kind == ProfileHit::Segment ? hit.part
        : kind == ProfileHit::Legend                         ? hit.item
                                                             : kAllBars;
    const std::uint32_t bar = kind == ProfileHit::Legend ? kAllBars : hit.item;
    const auto isPart = [&](std::uint32_t number) {
        return series == kRestSeries ? number >= layout.shown : number == series;
    };
    std::vector<std::string> lines;
    if (kind != ProfileHit::Label)
        lines.push_back(series == kRestSeries
                            ? fmt::format("{} other regions", bars.series.size() - layout.shown)
                            : bars.series[series].name);
    double inSeries = 0;
    for (std::uint32_t number = 0; number < bars.series.size(); ++number)
        if (isPart(number)) inSeries += bars.series[number].total;
    if (bar != kAllBars) {
        const ProfileBar& found = bars.bars[bar];
        double amount = kind == ProfileHit::Label ? found.total : 0;
        for (const ProfileSegment& segment : found.segments)
            if (kind == ProfileHit::Segment && isPart(segment.series)) amount += segment.amount;
        lines.push_back(fmt::format("{}: {}", found.label, formatAmount(amount, bars.unit)));
        if (bars.addsUp && kind == ProfileHit::Segment)
            lines.push_back(fmt::format("{} of this bar", percent(amount, found.total)));
        if (bars.addsUp && kind == ProfileHit::Label)
            lines.push_back(fmt::format("{} of all bars", percent(amount, bars.total)));
    }
    if (bars.addsUp && kind != ProfileHit::Label)
        lines.push_back(fmt::format("all bars: {}, {}", formatAmount(inSeries, bars.unit),
                                    percent(inSeries, bars.total)));
    return lines;
}

std::string profileHeading(const ProfileBars& bars, ProfileShape shape)
{
    std::size_t regions = 0;
    for (const ProfileSeries& series : bars.series) regions += series.regions.empty() ? 0 : 1;
    std::string text = bars.title;
    if (bars.insteadOfTime) text += " (no time was recorded)";
    if (bars.addsUp) text += ": " + formatAmount(bars.total, bars.unit);
    if (regions > 0) text += fmt::format(" in {} region{}", regions, regions == 1 ? "" : "s");
    if (shape == ProfileShape::Bars)
        text += fmt::format(" · {} bar{}", bars.bars.size(), bars.bars.size() == 1 ? "" : "s");
    if (bars.hidden > 0)
        text += fmt::format(" · {} region{} hidden", bars.hidden, bars.hidden == 1 ? "" : "s");
    if (bars.someWithoutTimes) text += " · profiles are left out: they have no times of events";
    if (!bars.addsUp && regions > 0) text += " · callers contain their callees";
    return text;
}

std::string profileCsv(const ProfileBars& bars)
{
    std::string csv = "bar,region,";
    appendCsv(csv, bars.title + (bars.unit.empty() ? "" : " in " + bars.unit));
    for (const ProfileBar& bar : bars.bars) {
        for (const ProfileSegment& segment : bar.segments) {
            csv += '\n';
            appendCsv(csv, bar.label);
            csv += ',';
            appendCsv(csv, bars.series[segment.series].name);
            csv += fmt::format(",{}", segment.amount);
        }
    }
    return csv + '\n';
}

}  // namespace skein
