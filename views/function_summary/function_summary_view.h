// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/region_table_view.h"

#include <memory>

class QLineEdit;

namespace skein {

class MetricChooser;
class SummaryModel;
struct SummaryRows;
struct ComparedRows;
using ComparedRowsPtr = std::shared_ptr<const ComparedRows>;

/// Where the time of the visible window went, by region. Follows zoom and pan: summed up off the GUI thread,
/// the window that is shown last wins.
class FunctionSummaryView : public RegionTableView {
    Q_OBJECT

public:
    FunctionSummaryView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void compute() override;
    void setPalettes(std::vector<RegionPalette> palettes) override;
    Selection meantBy(const QModelIndexList& rows) const override;
    FilterSubject subjectOf(const QModelIndexList& rows) const override;
    LocationRef locationIn(const QModelIndex& cell) const override;
    void showSelection() override;

private:
    void showRows(SummaryRows rows);
    void computeCompared();
    void showCompared(ComparedRowsPtr compared);
    void showCaption();

    SummaryModel* model_ = nullptr;
    QLineEdit* filter_ = nullptr;
    MetricChooser* metric_ = nullptr;
};

}  // namespace skein
