// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QChartView>

#include "views/common/scene/color/palette.h"
#include "views/statistics/statistics_rows.h"

#include <vector>

namespace skein {

/// The regions of most exclusive time as bars, in the colours that they have everywhere, and the rest as one
/// more. No more bars than have room for their names.
class StatisticsChart : public QChartView {
    Q_OBJECT

public:
    static constexpr std::size_t kMostBars = 10;

    explicit StatisticsChart(QWidget* parent);

    void showRows(const StatisticsRows& rows, const std::vector<RegionPalette>& palettes);
    QSize sizeHint() const override { return {400, 240}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Bar {
        QString name;
        double timeNs = 0;
        QColor color;
    };

    std::vector<Bar> barsOf(const StatisticsRows& rows, const std::vector<RegionPalette>& palettes) const;
    std::size_t barsWithRoom() const;
    std::vector<Bar> barsShown(std::size_t most) const;
    QColor neutral() const;
    void draw();
    void style(QAbstractAxis& axis) const;

    std::vector<Bar> bars_;  ///< of every region, the greatest first
    std::size_t most_ = 0;   ///< bars of single regions that are drawn
};

}  // namespace skein
