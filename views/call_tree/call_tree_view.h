// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/table_view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLineEdit;
class QModelIndex;

namespace skein {

class CallTreeModel;
class MetricChooser;
struct CallTreeRows;
struct ViewChange;

/// The calling context tree as a table: where the time went, from the outermost call inwards. Flat profiles are shown as
/// the list that they are.
class CallTreeView : public TableView {
    Q_OBJECT

public:
    CallTreeView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void changeEvent(QEvent* event) override;
    void fillMenu(QMenu& menu) override;

private:
    void buildHeader();
    QAction* addViewAction(const char* id, const QString& text, const QKeySequence& shortcut, const QString& hint,
                           void (CallTreeView::*triggered)());
    void compute();
    void showRows(CallTreeRows rows);
    void showHotPath();
    void expandSelected();
    void collapseSelected();
    void focusFilter();
    void applyFilter(const QString& text);
    void publishSelection();
    void showSelection();
    void selectRows(const std::vector<std::int64_t>& nodes);
    void unfoldTo(const QModelIndex& index);

    SessionPtr session_;
    CallTreeModel* model_ = nullptr;
    QLineEdit* filter_ = nullptr;
    MetricChooser* metric_ = nullptr;
};

}  // namespace skein
