// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/region_table_view.h"

namespace skein {

class StatisticsChart;
class StatisticsModel;
struct StatisticsRows;

/// Where the time of the brushed span went, by region and, unfolded, by location; of the visible window while
/// nothing is brushed.
class StatisticsView : public RegionTableView {
    Q_OBJECT

public:
    StatisticsView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void compute() override;
    void setPalettes(std::vector<RegionPalette> palettes) override;
    Selection meantBy(const QModelIndexList& rows) const override;
    FilterSubject subjectOf(const QModelIndexList& rows) const override;
    void showSelection() override;

private:
    void showRows(StatisticsRows rows);
    void setRows(StatisticsRows rows);

    StatisticsModel* model_ = nullptr;
    StatisticsChart* chart_ = nullptr;
    std::vector<RegionPalette> palettes_;
};

}  // namespace skein
