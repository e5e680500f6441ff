// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/response_chart.h"

#include "core/base/units.h"
#include "views/causality/response_scene.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>

namespace skein {
namespace {

constexpr int kMostStepTicks = 11;
constexpr qreal kAnswerWidthPx = 2;

}  // namespace

ResponseChart::ResponseChart(QWidget* parent) : QChartView(parent)
{
    setObjectName("causality.response");
    setAccessibleName(tr("Response of a metric to a shock in another one"));
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    chart()->legend()->hide();
    chart()->setMargins({8, 4, 8, 0});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    style();
}

void ResponseChart::clear()
{
    chart()->removeAllSeries();
    chart()->setTitle({});
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
}

void ResponseChart::show(const SessionCausality& causality, const CausalLink& link)
{
    clear();
    const std::vector<double> answer = causality.answer(link.from, link.to);
    auto* series = new QLineSeries;
    for (std::size_t step = 0; step < answer.size(); ++step)
        if (std::isfinite(answer[step])) series->append(static_cast<qreal>(step), answer[step]);
    auto* zero = new QLineSeries;
    zero->append(0, 0);
    zero->append(static_cast<qreal>(answer.size() - 1), 0);
    chart()->addSeries(zero);
    chart()->addSeries(series);
    const auto [low, high] = responseRange(answer);
    addAxis(tr("steps of %1").arg(toQString(formatDuration(causality.binNs))), 0,
            static_cast<double>(answer.size() - 1), Qt::AlignBottom);
    addAxis(toQString(causality.name(link.to)), low, high, Qt::AlignLeft);
    for (QAbstractSeries* one : chart()->series())
        for (QAbstractAxis* axis : chart()->axes()) one->attachAxis(axis);
    chart()->setTitle(toQString(responseTitle(causality, link)));
    style();
}

void ResponseChart::addAxis(const QString& title, double low, double high, Qt::Alignment side)
{
    auto* axis = new QValueAxis;
    axis->setTitleText(title);
    axis->setRange(low, high);
    if (side == Qt::AlignBottom) {
        const int steps = static_cast<int>(high);
        axis->setLabelFormat("%.0f");
        axis->setTickCount(steps < kMostStepTicks ? std::max(2, steps + 1) : 6);
    } else {
        axis->setLabelFormat("%.3g");
        axis->applyNiceNumbers();
    }
    chart()->addAxis(axis, side);
}

void ResponseChart::style()
{
    const Theme theme = plainThemeFor(palette());
    chart()->setBackgroundBrush(toQColor(theme.background));
    chart()->setTitleBrush(toQColor(theme.text));
    chart()->setTitleFont(font());
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setLabelsColor(toQColor(theme.text));
        axis->setTitleBrush(toQColor(theme.secondaryText));
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
        axis->setGridLineColor(toQColor(theme.grid));
        axis->setLinePenColor(toQColor(theme.frame));
    }
    const QList<QAbstractSeries*> series = chart()->series();
    for (qsizetype i = 0; i < series.size(); ++i)
        if (auto* line = qobject_cast<QLineSeries*>(series[i]))
            line->setPen(i == 0 ? QPen(toQColor(theme.secondaryText), 1, Qt::DashLine)
                                : QPen(toQColor(theme.accent), kAnswerWidthPx));
}

void ResponseChart::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) style();
}

}  // namespace skein
