// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_scene.h"

#include "core/base/units.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace skein {
namespace {

constexpr double kRowPx = 18;
constexpr double kWidestLabelPx = 260;

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

std::string amountText(const BalanceMatrix& matrix, double value)
{
    return matrix.time ? formatDuration(value) : formatNumber(value);
}

/// What the colour of a value is made of: −1 … 1 for differences, 0 … 1 otherwise.
double shadeOf(const BalancePicture& picture, const BalanceRow& row, std::size_t column, double greatest)
{
    const double value = row.values[column];
    switch (picture.options.shading) {
    case BalanceShading::Difference:
        return row.mean > 0 ? std::clamp((value - row.mean) / row.mean, -1.0, 1.0) : 0;
    case BalanceShading::Value: return greatest > 0 ? value / greatest : 0;
    case BalanceShading::Share: {
        const double whole = picture.matrix.columnTotals[column];
        return whole > 0 ? std::min(1.0, value / whole) : 0;
    }
    }
    return 0;
}

class BalancePainter {
public:
    BalancePainter(const BalancePicture& picture, const Canvas& canvas)
        : picture_(picture),
          matrix_(picture.matrix),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(balanceLayout(picture, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
        for (const BalanceRow& row : matrix_.rows) greatest_ = std::max(greatest_, row.maximum);
    }

    DrawList draw(const Task& task)
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        drawEfficiencies();
        drawAxis();
        drawTitles();
        const std::size_t end =
            std::min(picture_.rowOrder.size(), picture_.options.firstRow + layout_.rowsInSight);
        for (std::size_t place = picture_.options.firstRow; place < end && !task.stopRequested(); ++place)
            drawRow(place);
        drawFoot(end);
        return std::move(list_);
    }

private:
    Color colorOf(double shade) const
    {
        return picture_.options.shading == BalanceShading::Difference ? divergingColor(theme_.dark, shade)
                                                                      : sequentialColor(theme_.dark, shade);
    }

    void drawEfficiencies()
    {
        const double line = canvas_.lineHeight(FontStyle::Normal);
        Rect box{layout_.efficiencies.x, layout_.efficiencies.y, layout_.efficiencies.width, line};
        for (const std::string& text : picture_.titles) {
            list_.text(box, elideMiddle(text, box.width, FontStyle::Normal, canvas_.measure), theme_.text);
            box.y += line;
        }
    }

    double columnX(std::size_t place) const
    {
        return layout_.body.x
            + std::floor(static_cast<double>(place) * layout_.body.width
                         / static_cast<double>(std::max<std::size_t>(1, picture_.columnOrder.size())));
    }

    /// Names of columns where they fit, from left to right.
    void drawAxis()
    {
        double free = layout_.axis.x;
        for (std::size_t place = 0; place < picture_.columnOrder.size(); ++place) {
            const double x = columnX(place);
            if (x < free) continue;
            const std::string& name = matrix_.columns[picture_.columnOrder[place]].name;
            const double width = std::ceil(canvas_.measure.width(name, FontStyle::Small)) + 1;
            if (x + width > layout_.axis.right()) break;
            list_.text({x, layout_.axis.y, width, layout_.axis.height}, name, theme_.secondaryText,
                       FontStyle::Small);
            free = x + width + canvas_.px(12);
        }
    }

    /// The second line says what is compared: other panels compare others, whose numbers differ.
    void drawTitles()
    {
        const double half = layout_.numbers.width / 2, line = layout_.axis.height;
        const std::string by = balanceByText(matrix_.columnsAre);
        for (const auto& [title, x] :
             {std::pair{"Max/mean", layout_.numbers.x}, {"Lost", layout_.numbers.x + half}}) {
            list_.text({x, layout_.axis.y - line, half - canvas_.px(6), line}, title, theme_.secondaryText,
                       FontStyle::Small, Align::Right);
            list_.text({x, layout_.axis.y, half - canvas_.px(6), line}, by, theme_.secondaryText,
                       FontStyle::Small, Align::Right);
        }
    }

    void drawRow(std::size_t place)
    {
        const std::uint32_t number = picture_.rowOrder[place];
        const BalanceRow& row = matrix_.rows[number];
        const double top =
            layout_.body.y + static_cast<double>(place - picture_.options.firstRow) * layout_.rowHeight;
        const double pad = canvas_.px(6), half = layout_.numbers.width / 2;
        list_.text(
            {layout_.labels.x, top, layout_.labels.width - pad, layout_.rowHeight},
            elideName(picture_.labels[number], layout_.labels.width - pad, FontStyle::Small, canvas_.measure),
            theme_.text, FontStyle::Small);
        list_.items.push_back(pixelsOf(row, top));
        list_.text({layout_.numbers.x, top, half - pad, layout_.rowHeight},
                   fmt::format("{:.3f}", row.imbalance()), theme_.text, FontStyle::Small, Align::Right);
        list_.text({layout_.numbers.x + half, top, half - pad, layout_.rowHeight},
                   amountText(matrix_, row.lost()), theme_.text, FontStyle::Small, Align::Right);
    }

    /// Rows have a line of background between them.
    PixelItem pixelsOf(const BalanceRow& row, double top) const
    {
        const auto width = static_cast<std::size_t>(layout_.body.width);
        const int height = std::max(1, static_cast<int>(layout_.rowHeight - canvas_.px(1)));
        PixelItem pixels{static_cast<int>(layout_.body.x),
                         static_cast<int>(top),
                         static_cast<int>(width),
                         {height},
                         {},
                         {}};
        pixels.argb.assign(width, 0);
        const std::size_t columns = picture_.columnOrder.size();
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t first = x * columns / width;
            const std::size_t end = std::max(first + 1, (x + 1) * columns / width);
            double shown = 0;
            for (std::size_t place = first; place < end; ++place) {
                const double shade = shadeOf(picture_, row, picture_.columnOrder[place], greatest_);
                if (place == first || std::abs(shade) > std::abs(shown)) shown = shade;
            }
            pixels.argb[x] = toArgb(colorOf(shown));
        }
        return pixels;
    }

    /// What the colours at the two ends of the scale mean.
    std::pair<std::string, std::string> scaleEnds() const
    {
        switch (picture_.options.shading) {
        case BalanceShading::Difference: return {"−100 %", "+100 % of the region's mean"};
        case BalanceShading::Value: return {"0", amountText(matrix_, greatest_)};
        case BalanceShading::Share: break;
        }
        return {"0 %", "100 % of the location's time"};
    }

    void drawFoot(std::size_t end)
    {
        const bool difference = picture_.options.shading == BalanceShading::Difference;
        const auto [low, high] = scaleEnds();
        const double pad = canvas_.px(6), bar = canvas_.px(120);
        double x = layout_.foot.x;
        const auto put = [&](const std::string& text) {
            const double width = std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 1;
            list_.text({x, layout_.foot.y, width, layout_.foot.height}, text, theme_.secondaryText,
                       FontStyle::Small);
            x += width + pad;
        };
        put(low);
        const auto steps = static_cast<int>(bar);
        PixelItem pixels{static_cast<int>(x),
                         static_cast<int>(layout_.foot.y + layout_.foot.height / 4),
                         steps,
                         {std::max(1, static_cast<int>(layout_.foot.height / 2))},
                         {},
                         {}};
        for (int step = 0; step < steps; ++step) {
            const double part = static_cast<double>(step) / std::max(1, steps - 1);
            pixels.argb.push_back(toArgb(colorOf(difference ? 2 * part - 1 : part)));
        }
        list_.items.push_back(std::move(pixels));
        x += bar + pad;
        put(high);
        const std::size_t below = picture_.rowOrder.size() - end;
        if (below == 0) return;
        const std::string more = fmt::format("{} more regions below", below);
        list_.text(layout_.foot, more, theme_.secondaryText, FontStyle::Small, Align::Right);
    }

    const BalancePicture& picture_;
    const BalanceMatrix& matrix_;
    const Canvas& canvas_;
    const Theme& theme_;
    BalanceLayout layout_;
    DrawList list_;
    double greatest_ = 0;
};

/// The place of the first of the regions that has a row.
std::optional<std::size_t> rowOfRegions(const BalanceMatrix& matrix, const std::vector<RegionRef>& regions)
{
    for (std::size_t row = 0; row < matrix.rows.size(); ++row)
        for (const RegionRef region : matrix.rows[row].regions)
            if (std::find(regions.begin(), regions.end(), region) != regions.end()) return row;
    return std::nullopt;
}

/// What is alike beside each other: along the first principal component of how amounts differ from their
/// regions' means, so that regions count by what is lost in them. By power iteration from the region with
/// most lost, which also tells the direction. O(rows · columns).
struct BalanceSimilarity {
    std::vector<double> columns;  ///< scores
    std::vector<double> rows;     ///< −1 … 1: how far a region goes along
};

BalanceSimilarity similarityOf(const BalanceMatrix& matrix)
{
    constexpr int kIterations = 60;
    BalanceSimilarity found{std::vector<double>(matrix.columns.size()),
                            std::vector<double>(matrix.rows.size())};
    const auto most =
        std::max_element(matrix.rows.begin(), matrix.rows.end(),
                         [](const BalanceRow& a, const BalanceRow& b) { return a.lost() < b.lost(); });
    if (most == matrix.rows.end()) return found;
    const auto normalise = [](std::vector<double>& values) {
        double squares = 0;
        for (const double value : values) squares += value * value;
        const double length = std::sqrt(squares);
        if (length > 0)
            for (double& value : values) value /= length;
        return length;
    };
    for (std::size_t column = 0; column < found.columns.size(); ++column)
        found.columns[column] = most->values[column] - most->mean;
    std::vector<double> next(found.columns.size());
    for (int iteration = 0; iteration < kIterations && normalise(found.columns) > 0; ++iteration) {
        std::fill(next.begin(), next.end(), 0.0);
        for (const BalanceRow& row : matrix.rows) {
            double along = 0;
            for (std::size_t column = 0; column < next.size(); ++column)
                along += (row.values[column] - row.mean) * found.columns[column];
            for (std::size_t column = 0; column < next.size(); ++column)
                next[column] += (row.values[column] - row.mean) * along;
        }
        std::swap(found.columns, next);
    }
    normalise(found.columns);
    for (std::size_t number = 0; number < matrix.rows.size(); ++number) {
        std::vector<double> differences = matrix.rows[number].values;
        for (double& value : differences) value -= matrix.rows[number].mean;
        normalise(differences);
        for (std::size_t column = 0; column < differences.size(); ++column)
            found.rows[number] += differences[column] * found.columns[column];
    }
    return found;
}

void sortBySimilarity(BalancePicture& picture, const BalanceMatrix& matrix)
{
    const auto sort = [](std::vector<std::uint32_t>& order, const std::vector<double>& by) {
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return by[a] > by[b]; });
    };
    const bool rows = picture.options.rows == BalanceRowOrder::Similar;
    const bool columns = picture.options.columns == BalanceColumnOrder::Similar;
    if (!rows && !columns) return;
    const BalanceSimilarity similarity = similarityOf(matrix);
    if (rows) sort(picture.rowOrder, similarity.rows);
    if (columns) sort(picture.columnOrder, similarity.columns);
}

}  // namespace

std::string balanceByText(const BalanceColumns& columns) { return "by " + seriesGroupingWord(columns); }

std::string efficiencyText(const Experiment& experiment, const std::optional<Efficiency>& efficiency)
{
    if (!efficiency || efficiency->processes < 2 || efficiency->runtimeNs <= 0) return {};
    return fmt::format("Parallel efficiency {} = load balance {} × communication efficiency {} · {} useful "
                       "of {}, most on {}",
                       percent(efficiency->parallelEfficiency()), percent(efficiency->loadBalance()),
                       percent(efficiency->communicationEfficiency()), formatDuration(efficiency->usefulNs),
                       formatDuration(efficiency->runtimeNs),
                       displayName(experiment.definitions, efficiency->most));
}

BalancePicturePtr arrangeBalance(const Session& session, BalanceMatrix matrix, const BalanceOptions& options,
                                 const std::vector<RegionRef>& selected)
{
    auto picture = std::make_shared<BalancePicture>();
    picture->options = options;
    const std::vector<std::string> titles = experimentTitles(session);
    for (std::size_t number = 0; number < matrix.efficiencies.size(); ++number) {
        const std::string text = efficiencyText(*session.experiments[number], matrix.efficiencies[number]);
        if (text.empty()) continue;
        picture->titles.push_back(titles.size() > 1 ? titles[number] + ": " + text : text);
    }
    for (const BalanceRow& row : matrix.rows) {
        const RegionRef first = row.regions.front();
        picture->labels.push_back(
            displayName(session.experiments[first.experiment]->definitions.region(first.id)));
    }
    picture->rowOrder.resize(matrix.rows.size());
    std::iota(picture->rowOrder.begin(), picture->rowOrder.end(), 0u);
    if (options.rows == BalanceRowOrder::Lost)
        std::stable_sort(
            picture->rowOrder.begin(), picture->rowOrder.end(),
            [&](std::uint32_t a, std::uint32_t b) { return matrix.rows[a].lost() > matrix.rows[b].lost(); });
    if (options.rows == BalanceRowOrder::Name)
        std::stable_sort(
            picture->rowOrder.begin(), picture->rowOrder.end(),
            [&](std::uint32_t a, std::uint32_t b) { return picture->labels[a] < picture->labels[b]; });
    picture->columnOrder.resize(matrix.columns.size());
    std::iota(picture->columnOrder.begin(), picture->columnOrder.end(), 0u);
    const auto by = rowOfRegions(matrix, selected);
    if (options.columns == BalanceColumnOrder::SelectedRegion && by)
        std::stable_sort(picture->columnOrder.begin(), picture->columnOrder.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                             return matrix.rows[*by].values[a] > matrix.rows[*by].values[b];
                         });
    sortBySimilarity(*picture, matrix);
    picture->matrix = std::move(matrix);
    return picture;
}

BalanceLayout balanceLayout(const BalancePicture& picture, const Canvas& canvas)
{
    BalanceLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    const double width = canvas.width - 2 * pad;
    double y = canvas.px(4);
    layout.caption = {pad, y, width, canvas.style.caption.empty() ? 0 : line};
    y = layout.caption.bottom() + canvas.px(2);
    layout.efficiencies = {pad, y, width,
                           canvas.lineHeight(FontStyle::Normal) * static_cast<double>(picture.titles.size())};
    y = layout.efficiencies.bottom() + canvas.px(4);
    double labels = canvas.px(60);
    for (const std::string& label : picture.labels)
        labels = std::max(labels, canvas.measure.width(label, FontStyle::Small) + canvas.px(10));
    labels = std::ceil(std::min({labels, canvas.px(kWidestLabelPx), width / 3}));
    const double numbers = std::ceil(std::min(width / 3, canvas.px(160)));
    layout.axis = {pad + labels, y + line, width - labels - numbers, line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), width, line};
    layout.rowHeight = canvas.px(kRowPx);
    const double top = std::round(layout.axis.bottom() + canvas.px(2));
    const double room = std::max(0.0, layout.foot.y - canvas.px(4) - top);
    layout.rowsInSight = static_cast<std::size_t>(room / layout.rowHeight);
    const double height = layout.rowHeight * static_cast<double>(layout.rowsInSight);
    layout.labels = {pad, top, labels, height};
    layout.body = {std::round(pad + labels), top, std::max(1.0, std::floor(layout.axis.width)), height};
    layout.numbers = {layout.body.right(), top, numbers, height};
    return layout;
}

DrawList balanceScene(const BalancePicture& picture, const Canvas& canvas, const Task& task)
{
    return BalancePainter(picture, canvas).draw(task);
}

DrawList balanceOverlay(const BalancePicture& picture, const ViewState& state, const BalanceLayout& layout,
                        const Canvas& canvas)
{
    DrawList list;
    const auto columns = static_cast<double>(std::max<std::size_t>(1, picture.columnOrder.size()));
    const auto selectedLocation = [&](const BalanceColumn& column) {
        return std::any_of(column.locations.begin(), column.locations.end(), [&](LocationId id) {
            return std::binary_search(state.selected.locations.begin(), state.selected.locations.end(),
                                      LocationRef{column.experiment, id});
        });
    };
    list.pushClip(
        {layout.labels.x, layout.body.y, layout.numbers.right() - layout.labels.x, layout.body.height});
    for (std::size_t place = 0; place < picture.columnOrder.size(); ++place) {
        if (!selectedLocation(picture.matrix.columns[picture.columnOrder[place]])) continue;
        const double from = std::floor(static_cast<double>(place) * layout.body.width / columns);
        const double to = std::floor(static_cast<double>(place + 1) * layout.body.width / columns);
        list.strokeRect(
            {layout.body.x + from, layout.body.y, std::max(canvas.px(2), to - from), layout.body.height},
            canvas.theme().accent, canvas.px(2));
    }
    for (std::size_t line = 0; line < layout.rowsInSight; ++line) {
        const std::size_t place = picture.options.firstRow + line;
        if (place >= picture.rowOrder.size()) break;
        const BalanceRow& row = picture.matrix.rows[picture.rowOrder[place]];
        const bool selected = std::any_of(row.regions.begin(), row.regions.end(), [&](RegionRef region) {
            return std::binary_search(state.selected.regions.begin(), state.selected.regions.end(), region);
        });
        if (!selected) continue;
        list.strokeRect({layout.labels.x, layout.body.y + static_cast<double>(line) * layout.rowHeight,
                         layout.numbers.right() - layout.labels.x, layout.rowHeight},
                        canvas.theme().accent, canvas.px(2));
    }
    list.popClip();
    return list;
}

std::optional<BalanceCell> balanceCellAt(const BalancePicture& picture, const BalanceLayout& layout,
                                         Point point)
{
    if (point.y < layout.body.y || point.y >= layout.body.bottom() || layout.rowHeight <= 0)
        return std::nullopt;
    const std::size_t row =
        picture.options.firstRow + static_cast<std::size_t>((point.y - layout.body.y) / layout.rowHeight);
    if (row >= picture.rowOrder.size()) return std::nullopt;
    if (!layout.body.contains(point)) return BalanceCell{row, std::nullopt};
    const double part = (point.x - layout.body.x) / layout.body.width;
    const auto column = static_cast<std::size_t>(part * static_cast<double>(picture.columnOrder.size()));
    if (column >= picture.columnOrder.size()) return std::nullopt;
    return BalanceCell{row, column};
}

std::vector<std::string> balanceTooltip(const BalancePicture& picture, const BalanceCell& cell)
{
    const BalanceMatrix& matrix = picture.matrix;
    const std::uint32_t number = picture.rowOrder[cell.row];
    const BalanceRow& row = matrix.rows[number];
    std::vector<std::string> lines{picture.labels[number]};
    if (cell.column) {
        const std::uint32_t column = picture.columnOrder[*cell.column];
        const double value = row.values[column], whole = matrix.columnTotals[column];
        lines.push_back(fmt::format("{}: {}", matrix.columns[column].name, amountText(matrix, value)));
        if (row.mean > 0)
            lines.push_back(fmt::format("{}{} against the mean of {}", value < row.mean ? "−" : "+",
                                        percent(std::abs(value - row.mean) / row.mean),
                                        amountText(matrix, row.mean)));
        if (whole > 0) lines.push_back(fmt::format("{} of all its time", percent(value / whole)));
    }
    lines.push_back(fmt::format("{}: max/mean {:.3f}, {} lost, most on {}", balanceByText(matrix.columnsAre),
                                row.imbalance(), amountText(matrix, row.lost()),
                                matrix.columns[row.worst].name));
    return lines;
}

BalanceTable balanceTable(const BalancePicture& picture)
{
    constexpr std::size_t kMostColumns = 256;
    const BalanceMatrix& matrix = picture.matrix;
    BalanceTable table;
    const std::size_t shown = std::min(picture.columnOrder.size(), kMostColumns);
    table.left = picture.columnOrder.size() - shown;
    for (std::size_t at = 0; at < shown; ++at)
        table.columns.push_back(matrix.columns[picture.columnOrder[at]].name);
    for (const std::uint32_t number : picture.rowOrder) {
        const BalanceRow& row = matrix.rows[number];
        std::vector<TableCell> cells{picture.labels[number], row.imbalance(), row.lost(), row.mean,
                                     matrix.columns[row.worst].name};
        for (std::size_t at = 0; at < shown; ++at) {
            const std::uint32_t column = picture.columnOrder[at];
            const double value = row.values[column], whole = matrix.columnTotals[column];
            switch (picture.options.shading) {
            case BalanceShading::Difference:
                cells.emplace_back(row.mean > 0 ? (value - row.mean) / row.mean : 0.0);
                break;
            case BalanceShading::Value: cells.emplace_back(value); break;
            case BalanceShading::Share: cells.emplace_back(whole > 0 ? value / whole : 0.0); break;
            }
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<std::vector<std::string>> balanceInSight(const BalancePicture& picture, std::size_t rows)
{
    const BalanceTable table = balanceTable(picture);
    std::vector<std::vector<std::string>> lines{{"Region", "Max/mean", "Lost", "Mean", "Worst"}};
    lines[0].insert(lines[0].end(), table.columns.begin(), table.columns.end());
    const std::size_t first = std::min(picture.options.firstRow, table.rows.size());
    const std::size_t end = std::min(table.rows.size(), first + rows);
    const auto words = [&](std::size_t column, double value) {
        const bool amount =
            column == 2 || column == 3 || (column > 4 && picture.options.shading == BalanceShading::Value);
        if (amount) return amountText(picture.matrix, value);
        return column == 1 ? fmt::format("{:.3f}", value) : percent(value);
    };
    for (std::size_t row = first; row < end; ++row) {
        std::vector<std::string> line;
        for (std::size_t column = 0; column < table.rows[row].size(); ++column) {
            const auto& cell = table.rows[row][column];
            const auto* text = std::get_if<std::string>(&cell);
            line.push_back(text ? *text : words(column, std::get<double>(cell)));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace skein
