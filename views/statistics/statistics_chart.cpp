// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_chart.h"

#include "core/base/units.h"
#include "views/common/table/region_text.h"
#include "views/common/theme.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QValueAxis>

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

constexpr qsizetype kLongestName = 36;

struct Bar {
    QString name;
    double milliseconds = 0;
    QColor color;
};

QString shortened(const QString& name) { return name.size() <= kLongestName ? name : name.left(kLongestName / 2) + "…" + name.right(kLongestName / 2); }

/// The greatest first; what does not get a bar of its own is the last one.
std::vector<Bar> barsOf(const StatisticsRows& rows, const std::vector<RegionPalette>& palettes, const QColor& neutral)
{
    std::vector<std::size_t> order(rows.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows.rows[a].total.exclusiveNs > rows.rows[b].total.exclusiveNs; });
    std::vector<Bar> bars;
    for (const std::size_t place : order) {
        const StatisticsRow& row = rows.rows[place];
        const double milliseconds = static_cast<double>(row.total.exclusiveNs) / 1e6;
        if (milliseconds <= 0) break;
        if (bars.size() > StatisticsChart::kMostBars) bars.back().milliseconds += milliseconds;
        else if (bars.size() == StatisticsChart::kMostBars) bars.push_back({QObject::tr("the rest"), milliseconds, neutral});
        else {
            const bool known = row.experiment < palettes.size() && !row.regions.empty();
            bars.push_back({shortened(shortRegionName(row.name)), milliseconds, known ? toQColor(palettes[row.experiment].color(row.regions.front())) : neutral});
        }
    }
    return bars;
}

}  // namespace

StatisticsChart::StatisticsChart(QWidget* parent) : QChartView(parent)
{
    setObjectName("statistics.chart");
    setAccessibleName(tr("Regions of most exclusive time"));
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    chart()->legend()->hide();
    chart()->setMargins({8, 4, 8, 4});
    chart()->setBackgroundRoundness(0);
}

/// A set of its own for every bar, because a set has one colour.
void StatisticsChart::showRows(const StatisticsRows& rows, const std::vector<RegionPalette>& palettes)
{
    const Theme theme = themeFor(palette());
    const std::vector<Bar> bars = barsOf(rows, palettes, toQColor(mix(theme.background, theme.text, 0.3)));
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    chart()->setBackgroundBrush(toQColor(theme.background));
    if (bars.empty()) return;
    auto* series = new QHorizontalStackedBarSeries;
    auto* names = new QBarCategoryAxis;
    for (std::size_t at = 0; at < bars.size(); ++at) {
        auto* set = new QBarSet(bars[at].name);
        // The axis counts from below.
        for (std::size_t place = bars.size(); place-- > 0;) *set << (place == at ? bars[at].milliseconds : 0.0);
        set->setColor(bars[at].color);
        set->setBorderColor(bars[at].color);
        series->append(set);
        names->append(bars[bars.size() - 1 - at].name);
    }
    auto* times = new QValueAxis;
    times->setTitleText(tr("exclusive time, ms"));
    chart()->addSeries(series);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(names), static_cast<QAbstractAxis*>(times)}) {
        chart()->addAxis(axis, axis == names ? Qt::AlignLeft : Qt::AlignBottom);
        series->attachAxis(axis);
        axis->setLabelsColor(toQColor(theme.text));
        axis->setTitleBrush(toQColor(theme.secondaryText));
        axis->setTitleFont(font());
        axis->setLabelsFont(font());
        axis->setGridLineColor(toQColor(theme.grid));
        axis->setLinePenColor(toQColor(theme.frame));
    }
    names->setGridLineVisible(false);
    times->applyNiceNumbers();
}

}  // namespace skein
