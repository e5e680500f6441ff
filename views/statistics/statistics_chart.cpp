// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_chart.h"

#include "views/common/table/region_text.h"
#include "views/common/theme.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QValueAxis>

#include <algorithm>

namespace skein {
namespace {

constexpr qsizetype kLongestAxisName = 24;
constexpr int kAroundName = 8;    ///< less, and the axis leaves names out
constexpr int kTimesHeight = 40;  ///< of the axis below the bars and the margins

struct Unit {
    double ns;
    const char* name;
};

/// The one in which the longest bar has the fewest digits.
Unit unitOf(double longestNs)
{
    for (const Unit unit : {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "µs"}})
        if (longestNs >= unit.ns) return unit;
    return {1, "ns"};
}

QString shortenedForAxis(const QString& name)
{
    return name.size() <= kLongestAxisName
        ? name
        : name.left(kLongestAxisName / 2) + "…" + name.right(kLongestAxisName / 2);
}

}  // namespace

StatisticsChart::StatisticsChart(QWidget* parent) : QChartView(parent)
{
    setObjectName("statistics.chart");
    setAccessibleName(tr("Regions of most exclusive time"));
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    chart()->legend()->hide();
    chart()->setMargins({8, 0, 8, 0});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
}

QColor StatisticsChart::neutral() const
{
    const Theme theme = themeFor(palette());
    return toQColor(mix(theme.background, theme.text, 0.3));
}

std::vector<StatisticsChart::Bar> StatisticsChart::barsOf(const StatisticsRows& rows,
                                                          const std::vector<RegionPalette>& palettes) const
{
    std::vector<Bar> bars;
    for (const StatisticsRow& row : rows.rows) {
        if (row.total.exclusiveNs <= 0) continue;
        const bool known = row.experiment < palettes.size() && !row.regions.empty();
        bars.push_back({shortenedForAxis(shortRegionName(row.name)),
                        static_cast<double>(row.total.exclusiveNs),
                        known ? toQColor(palettes[row.experiment].color(row.regions.front())) : neutral()});
    }
    std::stable_sort(bars.begin(), bars.end(),
                     [](const Bar& a, const Bar& b) { return a.timeNs > b.timeNs; });
    return bars;
}

/// One more is for the rest.
std::size_t StatisticsChart::barsWithRoom() const
{
    const int fitting = (height() - kTimesHeight) / (fontMetrics().height() + kAroundName) - 1;
    return static_cast<std::size_t>(std::clamp(fitting, 1, static_cast<int>(kMostBars)));
}

std::vector<StatisticsChart::Bar> StatisticsChart::barsShown(std::size_t most) const
{
    if (bars_.size() <= most + 1) return bars_;
    std::vector<Bar> shown(bars_.begin(), bars_.begin() + static_cast<std::ptrdiff_t>(most));
    Bar rest{tr("the rest"), 0, neutral()};
    for (std::size_t at = most; at < bars_.size(); ++at) rest.timeNs += bars_[at].timeNs;
    shown.push_back(rest);
    return shown;
}

void StatisticsChart::showRows(const StatisticsRows& rows, const std::vector<RegionPalette>& palettes)
{
    bars_ = barsOf(rows, palettes);
    draw();
}

void StatisticsChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    if (!bars_.empty() && barsWithRoom() != most_) draw();
}

void StatisticsChart::style(QAbstractAxis& axis) const
{
    const Theme theme = themeFor(palette());
    axis.setLabelsColor(toQColor(theme.text));
    axis.setLabelsFont(font());
    axis.setGridLineColor(toQColor(theme.grid));
    axis.setLinePenColor(toQColor(theme.frame));
}

/// A set of its own for every bar, because a set has one colour.
void StatisticsChart::draw()
{
    most_ = barsWithRoom();
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    chart()->setBackgroundBrush(toQColor(themeFor(palette()).background));
    const std::vector<Bar> bars = barsShown(most_);
    if (bars.empty()) return;
    const Unit unit = unitOf(std::max(bars.front().timeNs, bars.back().timeNs));
    auto* series = new QHorizontalStackedBarSeries;
    auto* names = new QBarCategoryAxis;
    for (std::size_t at = 0; at < bars.size(); ++at) {
        auto* set = new QBarSet(bars[at].name);
        // The axis counts from below.
        for (std::size_t place = bars.size(); place-- > 0;)
            *set << (place == at ? bars[at].timeNs / unit.ns : 0.0);
        set->setColor(bars[at].color);
        set->setBorderColor(bars[at].color);
        series->append(set);
        names->append(bars[bars.size() - 1 - at].name);
    }
    auto* times = new QValueAxis;
    times->setLabelFormat(QString("%g ") + unit.name);
    chart()->addSeries(series);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(names), static_cast<QAbstractAxis*>(times)}) {
        chart()->addAxis(axis, axis == names ? Qt::AlignLeft : Qt::AlignBottom);
        series->attachAxis(axis);
        style(*axis);
    }
    names->setGridLineVisible(false);
    names->setTruncateLabels(false);
    times->setTickCount(4);
    times->applyNiceNumbers();
}

}  // namespace skein
