// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

#include <cstdint>
#include <functional>

class QHBoxLayout;
class QItemSelection;
class QLineEdit;
class QMenu;
class QModelIndex;
class QTreeView;
class QVBoxLayout;

namespace skein {

class ElidedLabel;
class EmptyState;
class TableTree;

/// What views that are a table have in common: a row of controls, the table below it, a sentence in place of
/// both where there is nothing to show, columns that fit, a context menu, and a selection that follows that
/// of other views.
class TableView : public View {
    Q_OBJECT

public:
    TableView(const ViewContext& context, const char* accessibleName, QWidget* parent);

protected:
    QTreeView& table() const;
    EmptyState& pages() const { return *pages_; }
    /// Puts a widget above the controls and the table.
    void setHead(QWidget* head);
    /// The row above the table; takes no room while nothing was added.
    QHBoxLayout& controls() const { return *controls_; }
    /// A sentence between the controls and the table; empty: none.
    void setNote(const QString& sentence);
    /// A field "Filter by name" for the row of controls.
    QLineEdit* makeNameField(const QString& accessibleName);

    /// Gives the columns widths that fit, the first at least `leastFirst` pixels, now and whenever the view
    /// is resized.
    void fit(int leastFirst);
    /// Until fit() is called again, widths stay as they are.
    void forgetFit() { leastFirst_ = -1; }
    bool fitted() const { return leastFirst_ >= 0; }
    /// Soon, and once for all that is unfolded until then: as widenFirst().
    void widenSoon();

    /// Does what changes the table's selection without being a choice of the user.
    void follow(const std::function<void()>& change);
    bool following() const { return following_; }
    /// Whether marked rows are scrolled to.
    enum class RowSight : std::uint8_t { Brought, AsItIs };
    /// Selects rows that another view has chosen, and goes to `first` where it is valid.
    void markRows(const QItemSelection& rows, const QModelIndex& first, RowSight sight = RowSight::Brought);

    /// What the context menu offers for the selected rows, before copying.
    virtual void fillMenu(QMenu&) {}

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitSoon();
    void showMenu(const QPoint& position);

    TableTree* table_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    QHBoxLayout* controls_ = nullptr;
    ElidedLabel* note_ = nullptr;
    EmptyState* pages_ = nullptr;
    int leastFirst_ = -1;
    bool following_ = false;
    bool fitScheduled_ = false;
    bool widenScheduled_ = false;
};

}  // namespace skein
