// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/table_view.h"

#include <QTimer>

class QLabel;
class QLineEdit;

namespace skein {

class MetricChooser;
class SummaryModel;
struct SummaryRows;

/// Where the time of the visible window went, by region. Follows zoom and pan: summed up off the GUI thread, the
/// window that is shown last wins.
class FunctionSummaryView : public TableView {
    Q_OBJECT

public:
    FunctionSummaryView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void changeEvent(QEvent* event) override;
    void fillMenu(QMenu& menu) override;

private:
    void compute();
    void showRows(SummaryRows rows);
    void showCaption();
    void publishSelection();
    void showSelection();
    void updatePalettes();

    SessionPtr session_;
    SummaryModel* model_ = nullptr;
    QLabel* caption_ = nullptr;
    QLineEdit* filter_ = nullptr;
    MetricChooser* metric_ = nullptr;
    QTimer delay_;
};

}  // namespace skein
