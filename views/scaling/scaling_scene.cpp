// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scaling/scaling_scene.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

using ColumnKind = ScalingColumn::Kind;

constexpr int kModelDigits = 4;
constexpr std::size_t kMostAlternatives = 3;
/// Lines of facts that have room above the chart.
constexpr std::size_t kFactLines = 5;
/// Below this width the list stands above the chart.
constexpr double kBesidePx = 860;

std::string_view scalingColumnTitle(ColumnKind kind)
{
    switch (kind) {
    case ColumnKind::Name: return "Call path";
    case ColumnKind::Predicted: return "Predicted";
    case ColumnKind::Interval: return "95 % interval";
    case ColumnKind::Share: return "Share";
    case ColumnKind::Error: return "SMAPE";
    case ColumnKind::Model: break;
    }
    return "Model";
}

/// Widths of the list's columns; what does not fit is left out, the last one first.
std::vector<ScalingColumn> scalingColumns(const Rect& list, const Canvas& canvas)
{
    struct Wish {
        ColumnKind kind;
        double width;
    };
    const Wish wishes[] = {{ColumnKind::Predicted, 74},
                           {ColumnKind::Share, 64},
                           {ColumnKind::Error, 54},
                           {ColumnKind::Interval, 132},
                           {ColumnKind::Model, 190}};
    const double gap = canvas.px(10);
    double left = list.width - canvas.px(170);
    std::vector<ScalingColumn> chosen{{ColumnKind::Name, 0, canvas.px(170)}};
    for (const Wish& wish : wishes) {
        const double width = canvas.px(wish.width);
        if (left < width + gap) break;
        left -= width + gap;
        chosen.push_back({wish.kind, 0, width});
    }
    chosen.front().width += std::max(0.0, left) / 2;
    if (chosen.back().kind == ColumnKind::Model) chosen.back().width += std::max(0.0, left) / 2;
    else chosen.front().width += std::max(0.0, left) / 2;
    std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
    double x = list.x;
    for (ScalingColumn& column : chosen) {
        column.x = std::round(x);
        column.width = std::floor(column.width);
        x += column.width + gap;
    }
    return chosen;
}

bool isNumberColumn(ColumnKind kind)
{
    return kind == ColumnKind::Predicted || kind == ColumnKind::Interval || kind == ColumnKind::Error
        || kind == ColumnKind::Share;
}

std::string intervalText(const ModelRow& row)
{
    const ScalingPrediction& told = row.model->predictions.front();
    return scalingAmount(row, told.low) + " … " + scalingAmount(row, told.high);
}

class ScalingPainter {
public:
    ScalingPainter(const ScalingPicture& picture, const Canvas& canvas)
        : picture_(picture),
          data_(*picture.data),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(scalingLayout(canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        small(layout_.caption, canvas_.style.caption, theme_.secondaryText);
        small(layout_.head, headText(), theme_.text);
        drawTitles();
        const std::size_t end = std::min(data_.rows.size(), picture_.first + layout_.rowsShown());
        for (std::size_t row = picture_.first; row < end; ++row) drawRow(row);
        drawScrollMark(end);
        drawFacts();
        if (picture_.chosen < data_.rows.size()) drawScalingChart(picture_, layout_, canvas_, list_);
        small(layout_.foot, footText(), theme_.secondaryText);
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Color color, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), color,
                   FontStyle::Small, align);
    }

    std::string headText() const
    {
        const ModelRow& row = data_.rows.front();
        return fmt::format("{} of {} call paths at {}: what dominates there first", row.series->metric,
                           data_.rows.size(), pointText(data_.target, data_.parameters()));
    }

    std::string footText() const
    {
        std::string text;
        for (std::size_t at = 0; at < data_.parameters().size(); ++at)
            if (const std::size_t count = levelsOf(data_.study(), at); count < kSoundLevels)
                text += fmt::format("{} has {} values only; with five or more models are sounder. ",
                                    data_.parameters()[at], count);
        if (data_.left > 0)
            text += fmt::format("{} call paths were measured at fewer than three points and have no model.",
                                data_.left);
        return text;
    }

    void drawTitles()
    {
        list_.fillRect(layout_.titles, theme_.panel);
        for (const ScalingColumn& column : layout_.columns)
            small({column.x, layout_.titles.y, column.width, layout_.titles.height},
                  std::string(scalingColumnTitle(column.kind)), theme_.secondaryText,
                  isNumberColumn(column.kind) ? Align::Right : Align::Left);
    }

    double rowTop(std::size_t row) const
    {
        return layout_.list.y + static_cast<double>(row - picture_.first) * layout_.rowHeight;
    }

    void drawRow(std::size_t row)
    {
        const Rect line{layout_.titles.x, rowTop(row), layout_.titles.width, layout_.rowHeight};
        if (row == picture_.chosen) {
            list_.fillRect(line, theme_.selectionFill);
            list_.strokeRect(line, theme_.accent, canvas_.px(1));
        } else if (row % 2 == 1) {
            list_.fillRect(line, theme_.stripe);
        }
        for (const ScalingColumn& column : layout_.columns)
            drawCell(row, column, {column.x, line.y, column.width, line.height});
    }

    void drawCell(std::size_t number, const ScalingColumn& column, const Rect& box)
    {
        const ModelRow& row = data_.rows[number];
        switch (column.kind) {
        case ColumnKind::Name: return drawName(row, box);
        case ColumnKind::Predicted:
            return small(box, scalingAmount(row, row.model->predictions.front().value), theme_.text,
                         Align::Right);
        case ColumnKind::Interval: return small(box, intervalText(row), theme_.secondaryText, Align::Right);
        case ColumnKind::Share: return drawShare(row, box);
        case ColumnKind::Error:
            return small(box, formatNumber(std::round(row.model->smape * 100) / 100) + " %", theme_.text,
                         Align::Right);
        case ColumnKind::Model: break;
        }
        small(box, (row.model->jump ? "↯ " : "") + row.model->function.text(data_.parameters(), kModelDigits),
              row.model->jump ? theme_.warning : theme_.text);
    }

    /// The function, and behind it what it was called from as far as there is room.
    void drawName(const ModelRow& row, const Rect& box)
    {
        const auto [leaf, above] = leafOfPath(row.series->path);
        const std::string name = elideName(leaf, box.width, FontStyle::Small, canvas_.measure);
        list_.text(box, name, theme_.text, FontStyle::Small);
        const double used = canvas_.measure.width(name, FontStyle::Small) + canvas_.px(8);
        if (box.width - used < canvas_.px(48)) return;
        small({box.x + used, box.y, box.width - used, box.height}, above, theme_.secondaryText);
    }

    void drawShare(const ModelRow& row, const Rect& box)
    {
        const double pad = canvas_.px(3);
        const double width = std::round(box.width * std::clamp(row.percent / 100, 0.0, 1.0));
        list_.fillRect({box.x, box.y + pad, width, box.height - 2 * pad},
                       withAlpha(theme_.accent, theme_.dark ? 90 : 60));
        small(box, formatNumber(std::round(row.percent * 10) / 10) + " %", theme_.text, Align::Right);
    }

    /// Where in the list the rows are that are shown.
    void drawScrollMark(std::size_t end)
    {
        const std::size_t all = data_.rows.size();
        if (picture_.first == 0 && end == all) return;
        const Rect& box = layout_.list;
        const double height = box.height / static_cast<double>(all);
        list_.fillRect({layout_.titles.right() - canvas_.px(4),
                        box.y + static_cast<double>(picture_.first) * height, canvas_.px(3),
                        std::max(canvas_.px(8), static_cast<double>(end - picture_.first) * height)},
                       theme_.frame);
    }

    void drawFacts()
    {
        if (picture_.chosen >= data_.rows.size()) return;
        const double line = canvas_.lineHeight();
        const std::vector<std::string> facts = scalingFacts(data_, picture_.chosen);
        const bool jump = data_.rows[picture_.chosen].model->jump.has_value();
        for (std::size_t at = 0; at < std::min(facts.size(), kFactLines); ++at) {
            const Rect box{layout_.facts.x, layout_.facts.y + static_cast<double>(at) * line,
                           layout_.facts.width, line};
            if (at == 0) {
                list_.text(box, elideName(facts[0], box.width, FontStyle::Small, canvas_.measure),
                           theme_.text, FontStyle::Small);
                continue;
            }
            small(box, facts[at], jump && at == 3 ? theme_.warning : theme_.secondaryText);
        }
    }

    const ScalingPicture& picture_;
    const ScalingData& data_;
    const Canvas& canvas_;
    const Theme& theme_;
    ScalingLayout layout_;
    DrawList list_;
};

}  // namespace

std::size_t ScalingLayout::rowsShown() const
{
    return static_cast<std::size_t>(std::max(0.0, std::floor(list.height / rowHeight)));
}

ScalingLayout scalingLayout(const Canvas& canvas)
{
    ScalingLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    const bool beside = canvas.width >= canvas.px(kBesidePx);
    const double whole = canvas.width - 2 * pad;
    layout.caption = {pad, canvas.px(4), whole, canvas.style.caption.empty() ? 0 : line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), whole, line};
    const double top = std::round(layout.caption.bottom() + canvas.px(2)), bottom = layout.foot.y - pad / 2;
    const double listWidth = beside ? std::floor(whole * 0.56) : whole;
    layout.head = {pad, top, listWidth, line};
    layout.titles = {pad, std::round(top + line + canvas.px(4)), listWidth, line + canvas.px(4)};
    layout.rowHeight = std::round(line + canvas.px(4));
    const double listTop = layout.titles.bottom();
    const double listBottom = beside ? bottom : listTop + std::floor((bottom - listTop) * 0.45);
    layout.list = {pad + canvas.px(4), listTop, listWidth - canvas.px(12),
                   std::max(0.0, listBottom - listTop)};
    layout.columns = scalingColumns(layout.list, canvas);
    const double left = beside ? pad + listWidth + 2 * pad : pad;
    const double factsTop = beside ? top : listBottom + pad;
    layout.facts = {left, factsTop, canvas.width - left - pad, static_cast<double>(kFactLines) * line};
    const double chartTop = std::round(layout.facts.bottom() + canvas.px(6));
    layout.chart = {left, chartTop, layout.facts.width, std::max(0.0, bottom - chartTop)};
    return layout;
}

DrawList scalingScene(const ScalingPicture& picture, const Canvas& canvas)
{
    return ScalingPainter(picture, canvas).draw();
}

std::optional<std::size_t> scalingRowAt(const ScalingPicture& picture, const ScalingLayout& layout,
                                        Point point)
{
    const Rect lines{layout.titles.x, layout.list.y, layout.titles.width, layout.list.height};
    if (!lines.contains(point)) return std::nullopt;
    const auto line = static_cast<std::size_t>((point.y - lines.y) / layout.rowHeight);
    const std::size_t row = picture.first + line;
    if (line >= layout.rowsShown() || row >= picture.data->rows.size()) return std::nullopt;
    return row;
}

std::vector<std::string> scalingFacts(const ScalingData& data, std::size_t row)
{
    const ModelRow& of = data.rows[row];
    const ScalingModel& model = *of.model;
    const auto& parameters = data.parameters();
    std::vector<std::string> facts{leafOfPath(of.series->path).first};
    facts.push_back(fmt::format("f = {}{}", model.function.text(parameters, kModelDigits),
                                of.series->unit.empty() ? "" : " " + of.series->unit));
    facts.push_back(fmt::format("At {}: {} ({}); SMAPE {:.2f} %, {:.2f} % where points are left out",
                                pointText(data.target, parameters),
                                scalingAmount(of, model.predictions.front().value), intervalText(of),
                                model.smape, model.leftOutSmape));
    if (model.jump)
        facts.push_back("Jump: " + jumpText(model, parameters) + "; before it "
                        + model.jump->before.text(parameters, kModelDigits));
    std::string others;
    std::size_t count = 0;
    for (const ScalingAlternative& one : model.alternatives) {
        if (one.function.sameTerms(model.function) || count++ >= kMostAlternatives) continue;
        others += fmt::format("{}{} ({:.2g} %)", others.empty() ? "" : ";  ",
                              one.function.text(parameters, 3), one.weight * 100);
    }
    if (count > kMostAlternatives) others += fmt::format(";  and {} more", count - kMostAlternatives);
    facts.push_back(others.empty() ? "No other function is likely." : "Not excluded: " + others);
    return facts;
}

std::vector<std::string> scalingTooltip(const ScalingData& data, std::size_t row)
{
    std::vector<std::string> lines = scalingFacts(data, row);
    const auto [leaf, above] = leafOfPath(data.rows[row].series->path);
    if (!above.empty()) lines.insert(lines.begin() + 1, "called from " + above);
    return lines;
}

}  // namespace skein
