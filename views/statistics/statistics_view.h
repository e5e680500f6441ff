// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/table_view.h"

#include <QTimer>

class QLabel;

namespace skein {

class StatisticsModel;
struct StatisticsRows;

/// Where the time of the brushed span went, by region and, unfolded, by location; of the visible window while nothing is
/// brushed.
class StatisticsView : public TableView {
    Q_OBJECT

public:
    StatisticsView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void changeEvent(QEvent* event) override;
    void fillMenu(QMenu& menu) override;

private:
    void compute();
    void showRows(StatisticsRows rows);
    void publishSelection();

    SessionPtr session_;
    StatisticsModel* model_ = nullptr;
    QLabel* caption_ = nullptr;
    QTimer delay_;
};

}  // namespace skein
