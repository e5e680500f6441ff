// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_scene.h"

#include "core/base/units.h"
#include "views/comm_matrix/comm_matrix_shades_scene.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kPhaseGapPx = 10;

/// Bars from the foot of a rectangle upwards.
struct BarSet {
    Rect box;
    std::vector<double> heights;  ///< 0 … 1
    std::size_t first = 0;        ///< number of the first bar
};

class CommPainter {
public:
    CommPainter(const CommMatrixPicture& picture, const Canvas& canvas)
        : picture_(picture),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(commMatrixLayout(picture, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        switch (picture_.shown) {
        case CommPicture::Matrix: drawMatrix(task); break;
        case CommPicture::Sizes: drawSizes(); break;
        case CommPicture::OverTime: drawOverTime(); break;
        case CommPicture::Phases: drawPhases(task); break;
        }
        return std::move(list_);
    }

private:
    const CommMatrixTable& table() const { return *picture_.table; }

    void small(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), theme_.secondaryText,
                   FontStyle::Small, align);
    }

    void drawMatrix(const Task& task)
    {
        CommShadeBlock block(layout_.body, picture_, table());
        block.look(picture_.firstRow, picture_.endRow, picture_.firstColumn, picture_.endColumn);
        block.fill(task);
        list_.items.push_back(block.pixels(theme_));
        list_.strokeRect(layout_.body, theme_.frame);
        small(layout_.columnTitle,
              picture_.title.empty() ? "Receivers →" : picture_.title + " · receivers →");
        small(layout_.rowTitle, "Senders ↓");
        drawNames();
        drawScale();
    }

    /// Names of rows and columns where there is room for them.
    void drawNames()
    {
        const double rowStep = layout_.body.height / std::max(1e-9, picture_.endRow - picture_.firstRow);
        const double line = canvas_.lineHeight();
        double free = layout_.body.y;
        for (auto row = static_cast<std::size_t>(std::max(0.0, picture_.firstRow));
             row < table().size() && static_cast<double>(row) < picture_.endRow; ++row) {
            const double middle =
                layout_.body.y + (static_cast<double>(row) + 0.5 - picture_.firstRow) * rowStep;
            if (middle - line / 2 < free - 1 || middle + line / 2 > layout_.body.bottom() + line / 2)
                continue;
            small({layout_.rows.x, middle - line / 2, layout_.rows.width - canvas_.px(6), line},
                  table().items[row].name, Align::Right);
            free = middle + line / 2 + canvas_.px(2);
        }
        drawColumnNames();
    }

    void drawColumnNames()
    {
        const double step = layout_.body.width / std::max(1e-9, picture_.endColumn - picture_.firstColumn);
        double free = layout_.body.x;
        for (auto column = static_cast<std::size_t>(std::max(0.0, picture_.firstColumn));
             column < table().size() && static_cast<double>(column) < picture_.endColumn; ++column) {
            const double left = layout_.body.x + (static_cast<double>(column) - picture_.firstColumn) * step;
            if (left < free) continue;
            const std::string& name = table().items[column].name;
            const double width = std::ceil(canvas_.measure.width(name, FontStyle::Small)) + 1;
            if (left + width > layout_.body.right()) break;
            small({left, layout_.columns.y, width, layout_.columns.height}, name);
            free = left + width + canvas_.px(12);
        }
    }

    /// What the colours mean, at the foot.
    void drawScale()
    {
        const double bar = canvas_.px(120), pad = canvas_.px(6);
        double x = layout_.foot.x;
        const auto put = [&](const std::string& text) {
            const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
            small({x, layout_.foot.y, width, layout_.foot.height}, text);
            x += width + pad;
        };
        const CommValue value = table().options.value;
        const bool changes = !table().changes.empty();
        put(commValueName(value) + ":");
        if (table().greatest <= 0)
            return put(changes ? "nothing changes" : "nothing was sent, or it is not known");
        put(changes ? commValueText(value, table().greatest) + " less"
                    : commValueText(value, picture_.logarithmic ? table().smallest : 0));
        PixelItem pixels{static_cast<int>(x),
                         static_cast<int>(layout_.foot.y + layout_.foot.height / 4),
                         static_cast<int>(bar),
                         {std::max(1, static_cast<int>(layout_.foot.height / 2))},
                         {},
                         {}};
        for (int step = 0; step < pixels.columns; ++step)
            pixels.argb.push_back(
                toArgb(scaleColor(static_cast<double>(step) / std::max(1, pixels.columns - 1))));
        list_.items.push_back(std::move(pixels));
        x += bar + pad;
        put(commValueText(value, table().greatest) + (changes ? " more" : ""));
        if (!changes) put(picture_.logarithmic ? "· logarithmic" : "· linear");
        put(fmt::format("· {} {} · {} pairs", formatGrouped(static_cast<std::int64_t>(table().size())),
                        table().options.level.empty() ? "ranks" : "groups and ranks",
                        formatGrouped(static_cast<std::int64_t>(table().cells.size()))));
        if (!table().orderNote.empty()) put("· " + table().orderNote);
        if (!table().communication->note.empty()) put("· " + table().communication->note);
    }

    Color scaleColor(double part) const
    {
        return table().changes.empty() ? picture_.stops.color(theme_.dark, part)
                                       : divergingColor(theme_.dark, 2 * part - 1);
    }

    void drawBars(const BarSet& bars)
    {
        const double count = static_cast<double>(std::max<std::size_t>(1, bars.heights.size()));
        for (std::size_t i = 0; i < bars.heights.size(); ++i) {
            const double left = std::floor(bars.box.x + bars.box.width * static_cast<double>(i) / count);
            const double right = std::floor(bars.box.x + bars.box.width * static_cast<double>(i + 1) / count);
            const double gap = right - left > canvas_.px(4) ? canvas_.px(1) : 0;
            if (bars.heights[i] <= 0) continue;
            const double height = std::max(1.0, std::round(bars.heights[i] * bars.box.height));
            list_.fillRect({left, bars.box.bottom() - height, std::max(1.0, right - left - gap), height},
                           theme_.message);
        }
        list_.line({bars.box.x, bars.box.bottom()}, {bars.box.right(), bars.box.bottom()}, theme_.frame);
    }

    void drawSizes();
    void drawOverTime();
    void drawPhases(const Task& task);

    const CommMatrixPicture& picture_;
    const Canvas& canvas_;
    const Theme& theme_;
    CommMatrixLayout layout_;
    DrawList list_;
};

/// The classes of sizes that occur, [first, end).
std::pair<std::size_t, std::size_t> usedClasses(const SizeHistogram& sizes)
{
    std::size_t first = SizeHistogram::kClasses, end = 0;
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        if (sizes.messages[i] == 0) continue;
        first = std::min(first, i);
        end = i + 1;
    }
    return end == 0 ? std::pair<std::size_t, std::size_t>{0, 0} : std::pair{first, end};
}

/// Two fields of bars above each other.
std::pair<Rect, Rect> twoFields(const CommMatrixLayout& layout, const Canvas& canvas)
{
    const double line = canvas.lineHeight(), pad = canvas.px(8);
    const double top = layout.caption.bottom() + pad;
    const double height = std::max(1.0, (canvas.height - top - 4 * line - 2 * pad) / 2);
    const double width = canvas.width - 4 * pad;
    return {{2 * pad, top + line, width, height}, {2 * pad, top + 2 * line + height + pad, width, height}};
}

void CommPainter::drawSizes()
{
    const SizeHistogram& sizes = *picture_.sizes;
    const auto [first, end] = usedClasses(sizes);
    const auto [upper, lower] = twoFields(layout_, canvas_);
    const double line = canvas_.lineHeight();
    const auto field = [&, from = first, to = end](const Rect& box, const auto& of, const char* title,
                                                   auto text) {
        BarSet bars{box, {}, from};
        const double greatest = static_cast<double>(*std::max_element(of.begin() + from, of.begin() + to));
        for (std::size_t i = from; i < to; ++i)
            bars.heights.push_back(greatest > 0 ? static_cast<double>(of[i]) / greatest : 0);
        small({box.x, box.y - line, box.width, line}, fmt::format("{}, at most {}", title, text(greatest)));
        drawBars(bars);
    };
    field(upper, sizes.messages, "Messages by size",
          [](double of) { return formatGrouped(static_cast<std::int64_t>(of)); });
    field(lower, sizes.bytes, "Bytes in messages of a size", [](double of) { return formatBytes(of); });
    double free = lower.x;
    for (std::size_t i = first; i < end; ++i) {
        const double x =
            lower.x + lower.width * static_cast<double>(i - first) / static_cast<double>(end - first);
        const std::string text = "≥ " + formatBytes(static_cast<double>(SizeHistogram::smallest(i)));
        const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
        if (x < free || x + width > lower.right()) continue;
        small({x, lower.bottom(), width, line}, text);
        free = x + width + canvas_.px(10);
    }
}

void CommPainter::drawOverTime()
{
    const auto [upper, lower] = twoFields(layout_, canvas_);
    const double line = canvas_.lineHeight();
    double most = 0, largest = 0;
    for (const MessageSum& sum : picture_.overTime) {
        most = std::max(most, static_cast<double>(sum.messages));
        largest = std::max(largest, static_cast<double>(sum.bytes));
    }
    BarSet bytes{upper, {}, 0}, messages{lower, {}, 0};
    for (const MessageSum& sum : picture_.overTime) {
        bytes.heights.push_back(largest > 0 ? static_cast<double>(sum.bytes) / largest : 0);
        messages.heights.push_back(most > 0 ? static_cast<double>(sum.messages) / most : 0);
    }
    const double part = static_cast<double>(picture_.timeSpan.lengthNs())
        / static_cast<double>(std::max<std::size_t>(1, picture_.overTime.size()));
    small({upper.x, upper.y - line, upper.width, line},
          fmt::format("Bytes sent, at most {} in {}", formatBytes(largest), formatDuration(part)));
    small({lower.x, lower.y - line, lower.width, line},
          fmt::format("Messages sent, at most {}", formatGrouped(static_cast<std::int64_t>(most))));
    drawBars(bytes);
    drawBars(messages);
    small({lower.x, lower.bottom(), lower.width, line},
          formatDuration(static_cast<double>(picture_.timeSpan.begin)));
    small({lower.x, lower.bottom(), lower.width, line},
          formatDuration(static_cast<double>(picture_.timeSpan.end)), Align::Right);
}

/// Boxes of the phases' matrices, in reading order.
std::vector<Rect> phaseBoxes(std::size_t count, const CommMatrixLayout& layout, const Canvas& canvas)
{
    if (count == 0) return {};
    const double gap = canvas.px(kPhaseGapPx), line = canvas.lineHeight();
    const double top = layout.caption.bottom() + gap;
    const double width = canvas.width - gap, height = canvas.height - top - line - gap;
    std::size_t columns = 1;
    double side = 0;
    for (std::size_t tried = 1; tried <= count; ++tried) {
        const auto rows = static_cast<double>((count + tried - 1) / tried);
        const double of = std::min(width / static_cast<double>(tried) - gap, height / rows - gap - line);
        if (of <= side) continue;
        side = of;
        columns = tried;
    }
    side = std::max(4.0, std::floor(side));
    std::vector<Rect> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back({std::floor(gap + static_cast<double>(i % columns) * (side + gap)),
                         std::floor(top + static_cast<double>(i / columns) * (side + gap + line)), side,
                         side});
    return boxes;
}

void CommPainter::drawPhases(const Task& task)
{
    const auto boxes = phaseBoxes(picture_.phases.size(), layout_, canvas_);
    CommMatrixTable scale = table();
    scale.greatest = scale.smallest = 0;
    for (const CommPhasePart& part : picture_.phases) {
        scale.greatest = std::max(scale.greatest, part.table->greatest);
        if (part.table->smallest > 0)
            scale.smallest =
                scale.smallest > 0 ? std::min(scale.smallest, part.table->smallest) : part.table->smallest;
    }
    for (std::size_t i = 0; i < boxes.size() && !task.stopRequested(); ++i) {
        CommMatrixTable shown = *picture_.phases[i].table;
        shown.greatest = scale.greatest;
        shown.smallest = scale.smallest;
        CommShadeBlock block(boxes[i], picture_, shown);
        const auto size = static_cast<double>(shown.size());
        block.look(0, size, 0, size);
        block.fill(task);
        list_.items.push_back(block.pixels(theme_));
        list_.strokeRect(boxes[i], theme_.frame);
        const TimeSpan span = picture_.phases[i].span;
        small({boxes[i].x, boxes[i].bottom(), boxes[i].width, canvas_.lineHeight()},
              fmt::format("{} from {}", formatDuration(static_cast<double>(span.lengthNs())),
                          formatDuration(static_cast<double>(span.begin))));
    }
    const std::size_t shown = picture_.phases.size(), all = std::max(shown, picture_.sendingPhases);
    small(layout_.foot,
          fmt::format("{}: {} phases between synchronizing operations{}, one colour scale up to {}",
                      commValueName(table().options.value),
                      shown < all ? fmt::format("{} of {}", shown, all) : fmt::format("{}", shown),
                      shown < all ? ", those that send most" : "",
                      commValueText(table().options.value, scale.greatest)));
}

}  // namespace

CommMatrixLayout commMatrixLayout(const CommMatrixPicture& picture, const Canvas& canvas)
{
    CommMatrixLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    layout.caption = {pad, canvas.px(4), canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line};
    const double top = layout.caption.bottom() + canvas.px(2);
    layout.foot = {pad, canvas.height - line - canvas.px(4), canvas.width - 2 * pad, line};
    if (!picture.table) return layout;
    double names = canvas.px(60);
    const std::size_t step = std::max<std::size_t>(1, picture.table->size() / 256);
    for (std::size_t i = 0; i < picture.table->size(); i += step)
        names = std::max(names, canvas.measure.width(picture.table->items[i].name, FontStyle::Small));
    names = std::ceil(std::min(names + canvas.px(8), canvas.width / 4.0));
    const double bodyTop = std::round(top + 2 * line + canvas.px(4));
    const double height = std::max(1.0, std::floor(layout.foot.y - canvas.px(4) - bodyTop));
    layout.body = {std::round(pad + names), bodyTop,
                   std::max(1.0, std::floor(canvas.width - 2 * pad - names)), height};
    const double side = std::min(layout.body.width, layout.body.height);
    layout.body.width = layout.body.height = side;
    layout.rowTitle = {pad, top + line, names, line};
    layout.columnTitle = {layout.body.x, top, layout.body.width, line};
    layout.columns = {layout.body.x, top + line, layout.body.width, line};
    layout.rows = {pad, layout.body.y, names, height};
    return layout;
}

DrawList commMatrixScene(const CommMatrixPicture& picture, const Canvas& canvas, const Task& task)
{
    return CommPainter(picture, canvas).draw(task);
}

CommMatrixPicture commMatrixPane(const CommMatrixPicture& picture, int pane)
{
    CommMatrixPicture own = picture;
    if (pane > 0 && picture.beside) {
        own.table = picture.beside;
        own.title = picture.besideTitle;
    }
    own.beside = nullptr;
    return own;
}

PixelItem commMatrixPixels(const CommMatrixPicture& picture, const CommMatrixTable& table, const Rect& body,
                           const Theme& theme, const Task& task)
{
    CommShadeBlock block(body, picture, table);
    const auto size = static_cast<double>(table.size());
    if (picture.endRow > picture.firstRow)
        block.look(picture.firstRow, picture.endRow, picture.firstColumn, picture.endColumn);
    else block.look(0, size, 0, size);
    block.fill(task);
    return block.pixels(theme);
}

std::optional<std::pair<std::size_t, std::size_t>> commCellAt(const CommMatrixPicture& picture,
                                                              const CommMatrixLayout& layout, Point point)
{
    if (picture.shown != CommPicture::Matrix || !layout.body.contains(point)) return std::nullopt;
    const double row = picture.firstRow
        + (point.y - layout.body.y) / layout.body.height * (picture.endRow - picture.firstRow);
    const double column = picture.firstColumn
        + (point.x - layout.body.x) / layout.body.width * (picture.endColumn - picture.firstColumn);
    const auto size = static_cast<double>(picture.table->size());
    if (row < 0 || column < 0 || row >= size || column >= size) return std::nullopt;
    return std::pair(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
}

std::optional<std::size_t> commPhaseAt(const CommMatrixPicture& picture, const Canvas& canvas, Point point)
{
    if (picture.shown != CommPicture::Phases) return std::nullopt;
    const auto boxes = phaseBoxes(picture.phases.size(), commMatrixLayout(picture, canvas), canvas);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].contains(point)) return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> commBarAt(const CommMatrixPicture& picture, const Canvas& canvas, Point point)
{
    const auto [upper, lower] = twoFields(commMatrixLayout(picture, canvas), canvas);
    const Rect& box = upper.contains(point) ? upper : lower;
    if (!box.contains(point)) return std::nullopt;
    std::size_t first = 0, count = picture.overTime.size();
    if (picture.shown == CommPicture::Sizes && picture.sizes) {
        const auto [from, end] = usedClasses(*picture.sizes);
        first = from;
        count = end - from;
    } else if (picture.shown != CommPicture::OverTime) {
        return std::nullopt;
    }
    if (count == 0) return std::nullopt;
    return first + static_cast<std::size_t>((point.x - box.x) / box.width * static_cast<double>(count));
}

std::vector<std::string> commBarText(const CommMatrixPicture& picture, std::size_t bar)
{
    if (picture.shown == CommPicture::Sizes) {
        const SizeHistogram& sizes = *picture.sizes;
        return {fmt::format("{} to {}", formatBytes(static_cast<double>(SizeHistogram::smallest(bar))),
                            formatBytes(static_cast<double>(SizeHistogram::largest(bar)))),
                fmt::format("{} messages", formatGrouped(static_cast<std::int64_t>(sizes.messages[bar]))),
                formatBytes(static_cast<double>(sizes.bytes[bar]))};
    }
    const MessageSum& sum = picture.overTime[bar];
    const double part =
        static_cast<double>(picture.timeSpan.lengthNs()) / static_cast<double>(picture.overTime.size());
    return {fmt::format("{} from {}", formatDuration(part),
                        formatDuration(static_cast<double>(picture.timeSpan.begin)
                                       + part * static_cast<double>(bar))),
            fmt::format("{} messages", formatGrouped(static_cast<std::int64_t>(sum.messages))),
            formatBytes(static_cast<double>(sum.bytes))};
}

std::vector<std::vector<std::string>> commMatrixInSight(const CommMatrixPicture& picture)
{
    constexpr std::size_t kMostReadable = 128;
    const CommMatrixTable& table = *picture.table;
    const auto inSight = [&](double first, double end) {
        const auto from = static_cast<std::size_t>(std::max(0.0, std::floor(first)));
        const auto to = std::min(table.size(), static_cast<std::size_t>(std::max(0.0, std::ceil(end))));
        return std::pair(from, std::min(to, from + kMostReadable));
    };
    const auto [firstRow, endRow] = inSight(picture.firstRow, picture.endRow);
    const auto [firstColumn, endColumn] = inSight(picture.firstColumn, picture.endColumn);
    const std::string what = commValueName(table.options.value);
    std::vector<std::vector<std::string>> lines{
        {picture.title.empty() ? what + " from" : picture.title + ": " + what + " from"}};
    for (std::size_t column = firstColumn; column < endColumn; ++column)
        lines[0].push_back("to " + table.items[column].name);
    for (std::size_t row = firstRow; row < endRow; ++row) {
        std::vector<std::string> line{table.items[row].name};
        for (std::size_t column = firstColumn; column < endColumn; ++column) {
            const CommMatrixCell* cell = table.cellAt(row, column);
            if (!cell) {
                line.emplace_back("nothing");
                continue;
            }
            const auto at = static_cast<std::size_t>(cell - table.cells.data());
            line.push_back(commValueText(table.options.value,
                                         table.changes.empty() ? table.values[at] : table.changes[at]));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace skein
