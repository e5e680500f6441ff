// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/table/table_view.h"
#include "views/waits/wait_rows.h"

class QCheckBox;
class QComboBox;
class QModelIndex;

namespace skein {

class ScopeHead;
class WaitModel;

/// Who waited for whom in the visible window: sums by region, location, cause or kind, and the longest waits
/// of each.
class WaitsView : public TableView {
    Q_OBJECT

public:
    explicit WaitsView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    const WaitModel& model() const { return *model_; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void fillMenu(QMenu& menu) override;

private:
    void find();
    void compute();
    void showRows(WaitRows rows);
    void showCaption();
    QString nothingText() const;
    QString mpiNote() const;
    void fitToGrouping();
    void click(const QModelIndex& index);
    void zoomTo(const QModelIndex& index);
    Selection selectionOf(const QModelIndex& index) const;

    SessionPtr session_;
    SessionWaitsPtr waits_;
    bool finding_ = false;
    WaitModel* model_ = nullptr;
    ScopeHead* head_ = nullptr;
    QComboBox* grouping_ = nullptr;
    QCheckBox* marks_ = nullptr;
    QTimer delay_;
    QTimer begin_;
};

}  // namespace skein
