// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_changes_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/color/palette.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kStripPx = 56, kMarginPx = 5, kSmallestMarginPx = 60;

/// Amounts become means over the bins, and cells of groups also over the pairs of ranks that they stand for.
CommMatrixTablePtr asMeans(const CommMatrixTablePtr& table, std::size_t bins)
{
    const bool grouped = !table->options.level.empty();
    if (!grouped && bins == 1) return table;
    auto means = std::make_shared<CommMatrixTable>(*table);
    means->greatest = means->smallest = 0;
    for (std::size_t i = 0; i < means->cells.size(); ++i) {
        const CommMatrixCell& cell = means->cells[i];
        double& value = means->values[i];
        const std::size_t pairs =
            grouped ? means->items[cell.row].ranks.size() * means->items[cell.column].ranks.size() : 1;
        value /= static_cast<double>(pairs * bins);
        if (!(value > 0)) continue;
        means->greatest = std::max(means->greatest, value);
        means->smallest = means->smallest > 0 ? std::min(means->smallest, value) : value;
    }
    return means;
}

/// Lasting changes first; between periods others only where none lasts.
std::vector<std::size_t> shownChanges(const SessionBehavior& behavior, CommSpans spans)
{
    std::vector<std::size_t> chosen(behavior.lasting);
    if (chosen.size() > kMostCommDifferences) chosen.resize(kMostCommDifferences);
    if (spans == CommSpans::Periods && !chosen.empty()) return chosen;
    for (std::size_t i = 0; i < behavior.changes.changes.size() && chosen.size() < kMostCommDifferences; ++i)
        if (std::find(behavior.lasting.begin(), behavior.lasting.end(), i) == behavior.lasting.end())
            chosen.push_back(i);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

/// Rows [first, last).
struct CommRows {
    std::size_t first = 0, last = 0;
};

/// The bins that a matrix at a row is the mean of.
CommRows rowsAround(const SessionBehavior& behavior, const std::vector<std::size_t>& shown, CommSpans spans,
                    std::size_t row)
{
    const std::size_t rows = behavior.table.rows();
    row = std::min(row, rows - 1);
    if (spans == CommSpans::Bins) return {row, row + 1};
    CommRows found{0, rows};
    for (const std::size_t change : shown) {
        const std::size_t at = behavior.changes.changes[change];
        if (at <= row) found.first = std::max(found.first, at);
        else found.last = std::min(found.last, at);
    }
    return found;
}

std::vector<std::vector<std::size_t>> itemsOf(const SessionBehavior& behavior, const Definitions& definitions,
                                              const CommMatrixTable& table)
{
    std::vector<std::vector<std::size_t>> items(behavior.locations.size());
    for (std::size_t column = 0; column < behavior.locations.size(); ++column)
        for (const LocationId id : behavior.locations[column]) {
            const auto rank = definitions.locations[id.index()].rank;
            if (rank < 0 || static_cast<std::size_t>(rank) >= table.itemOfRank.size()) continue;
            items[column].push_back(table.itemOfRank[static_cast<std::size_t>(rank)]);
        }
    return items;
}

/// The cluster of most locations of each item.
std::vector<std::optional<std::uint32_t>> clustersOfItems(const CommChanges& changes,
                                                          const Clustering& clustering)
{
    const std::vector<std::size_t> none(clustering.clusters, 0);
    std::vector<std::vector<std::size_t>> votes(changes.live.table->size(), none);
    for (std::size_t column = 0; column < changes.itemsOfColumns.size(); ++column)
        for (const std::size_t item : changes.itemsOfColumns[column])
            ++votes[item][clustering.labels[column]];
    std::vector<std::optional<std::uint32_t>> clusters;
    for (const auto& counts : votes) {
        const auto most = std::max_element(counts.begin(), counts.end());
        if (auto& cluster = clusters.emplace_back(); most != counts.end() && *most > 0)
            cluster = static_cast<std::uint32_t>(most - counts.begin());
    }
    return clusters;
}

/// The widest squares that hold so many matrices below each other and side by side.
struct CommGrid {
    std::size_t columns = 1;
    double side = 1;
};

CommGrid commGrid(std::size_t count, const Rect& room, double title, double gap)
{
    CommGrid best;
    for (std::size_t columns = 1; columns <= count; ++columns) {
        const double across = static_cast<double>(columns);
        const double down = std::ceil(static_cast<double>(count) / across);
        const double side = std::floor(
            std::min((room.width - gap * (across - 1)) / across, room.height / down - title - gap));
        if (side > best.side) best = {columns, side};
    }
    return best;
}

/// Of each item whether others are selected, and none that sends or receives there.
std::vector<bool> greyItems(const CommChanges& changes, const Selection& selected)
{
    const std::vector<bool> columns = selectedColumns(*changes.behavior, selected);
    std::vector<bool> grey(changes.clusters.size(), std::ranges::count(columns, true) > 0);
    for (std::size_t column = 0; column < columns.size(); ++column)
        for (const std::size_t item : changes.itemsOfColumns[column])
            grey[item] = grey[item] && !columns[column];
    return grey;
}

class CommChangesPainter {
public:
    CommChangesPainter(const CommChanges& changes, const Selection& selected, const Canvas& canvas)
        : changes_(changes),
          behavior_(*changes.behavior),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(commChangesLayout(changes, canvas)),
          grey_(greyItems(changes, selected))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        drawStrip();
        for (const CommBox& box : layout_.boxes) drawBox(box, task);
        drawFoot();
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Color color)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), color,
                   FontStyle::Small);
    }

    double stripY(double value, double greatest) const
    {
        const double room = layout_.strip.height - canvas_.px(6);
        return layout_.strip.bottom() - canvas_.px(3) - (greatest > 0 ? value / greatest : 0) * room;
    }

    void drawStrip()
    {
        const Rect& strip = layout_.strip;
        list_.fillRect(strip, theme_.panel);
        double greatest = 0;
        for (const double value : behavior_.mean) greatest = std::fmax(greatest, value);
        list_.pushClip(strip);
        std::optional<Point> last;
        for (std::size_t row = 0; row < behavior_.mean.size(); ++row) {
            if (!std::isfinite(behavior_.mean[row])) {
                last.reset();
                continue;
            }
            const double x =
                (layout_.scale.toX(behavior_.edges[row]) + layout_.scale.toX(behavior_.edges[row + 1])) / 2;
            if (last && x - last->x < 0.5) continue;
            const Point next{x, stripY(behavior_.mean[row], greatest)};
            if (last) list_.line(*last, next, theme_.text, canvas_.px(1));
            last = next;
        }
        for (std::size_t i = 0; i < behavior_.changes.changes.size(); ++i) drawChange(i);
        drawNumbers();
        drawMark(changes_.live, theme_.accent);
        drawMark(changes_.base, baseColor(theme_.dark));
        list_.popClip();
        small({strip.x + canvas_.px(4), strip.y + canvas_.px(2), strip.width - canvas_.px(8),
               canvas_.lineHeight()},
              fmt::format("Mean of {}", behavior_.request.metric), theme_.secondaryText);
        list_.strokeRect(strip, theme_.frame);
    }

    void drawChange(std::size_t change)
    {
        const bool shown =
            std::any_of(changes_.differences.begin(), changes_.differences.end(),
                        [&](const CommInterval& interval) { return interval.change == change; });
        const double x = std::floor(layout_.scale.toX(behavior_.edges[behavior_.changes.changes[change]]));
        list_.fillRect({x, layout_.strip.y, canvas_.px(1.5), layout_.strip.height},
                       withAlpha(changeColor(theme_.dark), shown ? 255 : 90));
    }

    void drawNumbers()
    {
        for (const auto& [box, change] : layout_.numbers)
            small(box, std::to_string(change + 1), changeColor(theme_.dark));
    }

    /// The bins of an interval, as a bar at the upper edge of the strip.
    void drawMark(const CommInterval& interval, Color color)
    {
        const double from = std::floor(layout_.scale.toX(interval.span.begin));
        const double to = std::max(from + canvas_.px(2), std::floor(layout_.scale.toX(interval.span.end)));
        list_.fillRect({from, layout_.strip.y, to - from, canvas_.px(3)}, color);
    }

    Color titleColor(const CommInterval& interval) const
    {
        if (interval.change) return changeColor(theme_.dark);
        return &interval == &changes_.base ? baseColor(theme_.dark) : theme_.text;
    }

    void drawBox(const CommBox& box, const Task& task)
    {
        small(box.title, commIntervalTitle(changes_, *box.interval), titleColor(*box.interval));
        CommMatrixPicture picture;
        picture.differences = box.interval->change.has_value();
        picture.stops = greyStops(theme_.dark);
        list_.items.push_back(commMatrixPixels(picture, *box.interval->table, box.body, theme_, task));
        list_.strokeRect(box.body, theme_.frame);
        if (std::ranges::none_of(box.interval->table->values, [](double each) { return std::abs(each) > 0; }))
            list_.text(box.body,
                       elideMiddle(box.interval->change ? "No difference" : "Nothing was sent",
                                   box.body.width, FontStyle::Small, canvas_.measure),
                       theme_.secondaryText, FontStyle::Small, Align::Center);
        if (layout_.margin > 0) drawMargins(box);
    }

    void drawMargins(const CommBox& box)
    {
        const auto size = static_cast<double>(changes_.clusters.size());
        const double step = box.body.width / size;
        const double margin = layout_.margin;
        for (std::size_t first = 0; first < changes_.clusters.size();) {
            std::size_t end = first + 1;
            while (end < changes_.clusters.size() && changes_.clusters[end] == changes_.clusters[first]
                   && grey_[end] == grey_[first])
                ++end;
            if (const auto cluster = changes_.clusters[first]) {
                const double from = std::floor(static_cast<double>(first) * step);
                const double to = std::floor(static_cast<double>(end) * step);
                const Color color =
                    grey_[first] ? withAlpha(theme_.secondaryText, 90) : clusterColor(*cluster, theme_.dark);
                list_.fillRect({box.body.x + from, box.body.y - margin, to - from, margin - canvas_.px(1)},
                               color);
                list_.fillRect({box.body.x - margin, box.body.y + from, margin - canvas_.px(1), to - from},
                               color);
            }
            first = end;
        }
    }

    void put(double& x, const std::string& text)
    {
        const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
        if (x + width > layout_.foot.right()) return;
        small({x, layout_.foot.y, width, layout_.foot.height}, text, theme_.secondaryText);
        x += width + canvas_.px(6);
    }

    template <typename ColorAt>
    void putScale(double& x, const ColorAt& colorAt)
    {
        const double bar = canvas_.px(80);
        if (x + bar > layout_.foot.right()) return;
        PixelItem pixels{static_cast<int>(x),
                         static_cast<int>(layout_.foot.y + layout_.foot.height / 4),
                         static_cast<int>(bar),
                         {std::max(1, static_cast<int>(layout_.foot.height / 2))},
                         {},
                         {}};
        for (int step = 0; step < pixels.columns; ++step)
            pixels.argb.push_back(
                toArgb(colorAt(static_cast<double>(step) / std::max(1, pixels.columns - 1))));
        list_.items.push_back(std::move(pixels));
        x += bar + canvas_.px(6);
    }

    void drawFoot()
    {
        const CommValue value = changes_.live.table->options.value;
        const std::string mean = changes_.live.table->options.level.empty() ? "" : " a pair of ranks";
        double x = layout_.foot.x;
        put(x,
            fmt::format("{} a bin{}, {}: {}", commValueName(value), mean, commSpansText(changes_),
                        commMeanText(value, changes_.live.table->smallest)));
        putScale(x, [&](double part) { return greyScaleColor(theme_.dark, part); });
        put(x, commMeanText(value, changes_.live.table->greatest));
        if (!changes_.differences.empty()) {
            const double most = changes_.differences.front().table->greatest;
            put(x, fmt::format("· differences: −{}", commMeanText(value, most)));
            putScale(x, [&](double part) { return divergingColor(theme_.dark, 2 * part - 1); });
            put(x, "+" + commMeanText(value, most));
        } else {
            put(x, "· no change was found: no differences");
        }
        if (changes_.changesLeftOut > 0)
            put(x, fmt::format("· {} further changes are not shown", changes_.changesLeftOut));
    }

    const CommChanges& changes_;
    const SessionBehavior& behavior_;
    const Canvas& canvas_;
    const Theme& theme_;
    CommChangesLayout layout_;
    std::vector<bool> grey_;
    DrawList list_;
};

/// One scale for tables that are looked at side by side.
void shareScale(const std::vector<CommInterval*>& intervals)
{
    double greatest = 0, smallest = 0;
    for (const CommInterval* interval : intervals) {
        greatest = std::max(greatest, interval->table->greatest);
        const double least = interval->table->smallest;
        if (least > 0) smallest = smallest > 0 ? std::min(smallest, least) : least;
    }
    for (CommInterval* interval : intervals) {
        auto table = std::make_shared<CommMatrixTable>(*interval->table);
        table->greatest = greatest;
        table->smallest = smallest;
        interval->table = std::move(table);
    }
}

}  // namespace

CommMatrixTablePtr commDifference(const CommMatrixTable& later, const CommMatrixTable& base)
{
    auto table = std::make_shared<CommMatrixTable>();
    table->communication = later.communication;
    table->options = later.options;
    table->items = later.items;
    table->itemOfRank = later.itemOfRank;
    const auto place = [](const CommMatrixCell& cell) { return std::pair(cell.row, cell.column); };
    const auto known = [](double value) { return std::isfinite(value) ? value : 0.0; };
    std::size_t a = 0, b = 0;
    while (a < later.cells.size() || b < base.cells.size()) {
        const bool inLater = a < later.cells.size()
            && (b >= base.cells.size() || place(later.cells[a]) <= place(base.cells[b]));
        const bool inBase = b < base.cells.size()
            && (a >= later.cells.size() || place(base.cells[b]) <= place(later.cells[a]));
        CommMatrixCell cell;
        cell.row = inLater ? later.cells[a].row : base.cells[b].row;
        cell.column = inLater ? later.cells[a].column : base.cells[b].column;
        double value = 0;
        if (inLater) value += known(later.values[a++]);
        if (inBase) value -= known(base.values[b++]);
        table->cells.push_back(cell);
        table->values.push_back(value);
        table->greatest = std::max(table->greatest, std::abs(value));
    }
    table->firstCell.assign(table->items.size() + 1, 0);
    for (const CommMatrixCell& cell : table->cells) ++table->firstCell[cell.row + std::size_t{1}];
    for (std::size_t row = 0; row < table->items.size(); ++row)
        table->firstCell[row + 1] += table->firstCell[row];
    return table;
}

Result<CommChangesPtr> makeCommChanges(ResultStore& results, const SessionPtr& session,
                                       SessionBehaviorPtr behavior, const CommChangesRequest& request,
                                       const Task& task)
{
    auto changes = std::make_shared<CommChanges>();
    changes->spans = request.spans;
    changes->reference = request.reference;
    const std::vector<std::size_t> shown = shownChanges(*behavior, request.spans);
    const auto intervalAt = [&](std::size_t row) -> Result<CommInterval> {
        const CommRows rows = rowsAround(*behavior, shown, request.spans, row);
        CommInterval interval;
        interval.row = rows.first;
        interval.rows = rows.last - rows.first;
        interval.span = {behavior->edges[rows.first], behavior->edges[rows.last]};
        CommunicationRequest asked = request.communication;
        asked.filters = behavior->request.filters;
        asked.clockShiftsNs = behavior->request.clockShiftsNs;
        asked.span = interval.span;
        auto communication = communicationOf(results, session, asked, task);
        if (!communication) return Unexpected(communication.error());
        if (!(*communication)->timed)
            return fail(ErrorCode::NotRecorded,
                        "What is open tells no times of messages: bins cannot be told apart.");
        auto table = makeCommMatrixTable(*session, *communication, request.options, task);
        if (!table) return Unexpected(table.error());
        interval.table = asMeans(*table, interval.rows);
        return interval;
    };
    for (auto [to, row] :
         {std::pair(&changes->live, request.liveRow), std::pair(&changes->base, request.baseRow)}) {
        auto interval = intervalAt(row);
        if (!interval) return Unexpected(interval.error());
        *to = std::move(*interval);
    }
    changes->changesLeftOut = behavior->changes.changes.size() - shown.size();
    std::vector<CommInterval*> differences;
    changes->differences.reserve(shown.size());
    for (const std::size_t change : shown) {
        const std::size_t row = behavior->changes.changes[change];
        auto interval = intervalAt(row);
        if (!interval) return Unexpected(interval.error());
        CommMatrixTablePtr reference = changes->base.table;
        if (request.reference == CommReference::Before) {
            const auto before = intervalAt(row > 0 ? row - 1 : 0);
            if (!before) return Unexpected(before.error());
            reference = before->table;
        }
        interval->change = change;
        interval->table = commDifference(*interval->table, *reference);
        changes->differences.push_back(std::move(*interval));
        differences.push_back(&changes->differences.back());
    }
    shareScale({&changes->live, &changes->base});
    shareScale(differences);
    changes->itemsOfColumns = itemsOf(
        *behavior, session->experiments[behavior->request.experiment]->definitions, *changes->live.table);
    changes->clusters = clustersOfItems(*changes, behavior->clusters);
    changes->behavior = std::move(behavior);
    return CommChangesPtr(std::move(changes));
}

CommChangesLayout commChangesLayout(const CommChanges& changes, const Canvas& canvas)
{
    CommChangesLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    layout.caption = {pad, canvas.px(4), canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line};
    layout.strip = {pad, layout.caption.bottom() + canvas.px(4), canvas.width - 2 * pad, canvas.px(kStripPx)};
    layout.scale = {{changes.behavior->edges.front(), changes.behavior->edges.back()},
                    layout.strip.x,
                    layout.strip.width};
    layout.foot = {pad, canvas.height - line - canvas.px(4), canvas.width - 2 * pad, line};
    for (const CommInterval& interval : changes.differences) {
        const std::size_t change = *interval.change;
        const double x =
            std::floor(layout.scale.toX(changes.behavior->edges[changes.behavior->changes.changes[change]]));
        layout.numbers.push_back(
            {{x + canvas.px(3), layout.strip.bottom() - line, canvas.px(24), line}, change});
    }
    std::vector<const CommInterval*> intervals{&changes.live, &changes.base};
    for (const CommInterval& interval : changes.differences) intervals.push_back(&interval);
    const double top = layout.strip.bottom() + pad;
    const double gap = canvas.px(14), title = line + canvas.px(kMarginPx + 2);
    const Rect room{pad + canvas.px(kMarginPx), top,
                    std::max(1.0, canvas.width - 2 * pad - canvas.px(kMarginPx)),
                    std::max(1.0, layout.foot.y - top)};
    const CommGrid grid = commGrid(intervals.size(), room, title, canvas.px(4));
    layout.margin = grid.side >= canvas.px(kSmallestMarginPx) ? canvas.px(kMarginPx) : 0;
    const double side = std::max(1.0, grid.side - gap);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        const double x =
            std::round(room.x + static_cast<double>(i % grid.columns) * (grid.side + canvas.px(4)));
        const double y =
            std::round(top + static_cast<double>(i / grid.columns) * (grid.side + title + canvas.px(4)));
        layout.boxes.push_back(
            {{x, y, side, line}, {x, y + title, std::floor(side), std::floor(side)}, intervals[i]});
    }
    return layout;
}

DrawList commChangesScene(const CommChanges& changes, const Selection& selected, const Canvas& canvas,
                          const Task& task)
{
    return CommChangesPainter(changes, selected, canvas).draw(task);
}

DrawList commBaseOverlay(const CommChanges& changes, std::size_t baseRow, const Canvas& canvas)
{
    DrawList list;
    const CommChangesLayout layout = commChangesLayout(changes, canvas);
    const std::size_t row = std::min(baseRow, changes.behavior->table.rows() - 1);
    const double x = std::floor(layout.scale.toX(changes.behavior->edges[row]));
    const Color color = baseColor(canvas.theme().dark);
    list.fillRect({x - canvas.px(1), layout.strip.y, canvas.px(2.5), layout.strip.height}, color);
    const std::string text = "Base";
    const double width = canvas.measure.width(text, FontStyle::Small) + canvas.px(8);
    const double left = std::clamp(x, layout.strip.x, std::max(layout.strip.x, layout.strip.right() - width));
    const Rect box{left, layout.strip.y + canvas.lineHeight() + canvas.px(2), width, canvas.lineHeight()};
    list.fillRect(box, color);
    list.text(box, text, textColorOn(color), FontStyle::Small, Align::Center);
    return list;
}

std::optional<CommChangesHit> commChangesCellAt(const CommChanges& changes, const CommChangesLayout& layout,
                                                Point point)
{
    const auto size = static_cast<double>(changes.live.table->size());
    for (const CommBox& box : layout.boxes) {
        if (!box.body.contains(point)) continue;
        const auto at = [&](double from, double place, double length) {
            return static_cast<std::size_t>(std::clamp((place - from) / length * size, 0.0, size - 1));
        };
        return CommChangesHit{box.interval, at(box.body.y, point.y, box.body.height),
                              at(box.body.x, point.x, box.body.width)};
    }
    return std::nullopt;
}

std::optional<std::size_t> commStripRowAt(const CommChanges& changes, const CommChangesLayout& layout,
                                          Point point)
{
    if (point.y < layout.strip.y || point.y >= layout.strip.bottom()) return std::nullopt;
    const TimeNs time = layout.scale.toTime(point.x);
    const auto& edges = changes.behavior->edges;
    const auto after = std::upper_bound(edges.begin(), edges.end(), time) - edges.begin();
    const auto rows = static_cast<std::ptrdiff_t>(changes.behavior->table.rows());
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, rows - 1));
}

std::optional<std::uint32_t> commClusterAt(const CommChanges& changes, const CommChangesLayout& layout,
                                           Point point)
{
    const auto size = static_cast<double>(changes.clusters.size());
    for (const CommBox& box : layout.boxes) {
        const Rect& body = box.body;
        const Rect above{body.x, body.y - layout.margin, body.width, layout.margin};
        const Rect left{body.x - layout.margin, body.y, layout.margin, body.height};
        double part = 0;
        if (above.contains(point)) part = (point.x - body.x) / body.width;
        else if (left.contains(point)) part = (point.y - body.y) / body.height;
        else continue;
        return changes.clusters[static_cast<std::size_t>(std::clamp(part * size, 0.0, size - 1))];
    }
    return std::nullopt;
}

std::optional<std::size_t> commStripChangeAt(const CommChangesLayout& layout, Point point)
{
    for (const auto& [box, change] : layout.numbers)
        if (box.contains(point)) return change;
    return std::nullopt;
}

std::string commIntervalTitle(const CommChanges& changes, const CommInterval& interval)
{
    std::string time = formatDuration(static_cast<double>(interval.span.begin));
    if (interval.rows > 1)
        time += fmt::format(" to {}", formatDuration(static_cast<double>(interval.span.end)));
    if (interval.change)
        return fmt::format("{} {} − {}, {}", interval.rows > 1 ? "After change" : "Change",
                           *interval.change + 1,
                           changes.reference == CommReference::Before ? "before" : "base", time);
    return fmt::format("{}, {}", &interval == &changes.base ? "Base" : "Live", time);
}

std::string commSpansText(const CommChanges& changes)
{
    if (changes.spans == CommSpans::Bins) return "single bins";
    if (changes.differences.empty()) return "mean of all bins";
    return changes.behavior->lasting.empty() ? "means of the bins from change to change"
                                             : "means of the bins from lasting change to lasting change";
}

std::string commMeanText(CommValue value, double amount)
{
    if (value != CommValue::Messages || amount == std::floor(amount)) return commValueText(value, amount);
    return formatNumber(amount);
}

std::vector<std::string> commChangesText(const CommChanges& changes, const CommChangesHit& hit)
{
    const CommMatrixTable& table = *hit.interval->table;
    std::vector<std::string> lines{
        commIntervalTitle(changes, *hit.interval),
        fmt::format("{} to {}", table.items[hit.row].name, table.items[hit.column].name)};
    const CommMatrixCell* const cell = table.cellAt(hit.row, hit.column);
    if (!cell) {
        lines.emplace_back(hit.interval->change ? "Nothing was sent before and after." : "Nothing was sent.");
        return lines;
    }
    const double value = table.values[static_cast<std::size_t>(cell - table.cells.data())];
    const std::string amount = commMeanText(table.options.value, std::abs(value));
    if (!hit.interval->change) lines.push_back(amount);
    else
        lines.push_back(value == 0 ? "As much as before"
                                   : fmt::format("{}{}", value > 0 ? "+" : "−", amount));
    if (hit.interval->rows > 1) lines.push_back(fmt::format("Mean of {} bins", hit.interval->rows));
    if (!table.options.level.empty() && (table.items[hit.row].group || table.items[hit.column].group))
        lines.emplace_back("Mean over pairs of ranks; double click opens the groups");
    return lines;
}

}  // namespace skein
