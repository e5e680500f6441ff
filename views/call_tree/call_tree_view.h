// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QItemSelection;
class QLineEdit;
class QModelIndex;
class QTreeView;

namespace skein {

class CallTreeModel;
class EmptyState;
struct CallTreeRows;
struct ViewChange;

/// The calling context tree as a table: where the time went, from the outermost call inwards. Flat profiles are shown as
/// the list that they are.
class CallTreeView : public View {
    Q_OBJECT

public:
    CallTreeView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader(QWidget& header);
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
    QTreeView* tree_ = nullptr;
    QLineEdit* filter_ = nullptr;
    EmptyState* pages_ = nullptr;
    bool following_ = false;  ///< the selection is being taken over from another view
    bool fitted_ = false;     ///< columns were given widths for this session
};

}  // namespace skein
