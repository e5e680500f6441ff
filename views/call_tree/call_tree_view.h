// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/tree/derived_column.h"
#include "views/common/table/region_table_view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLineEdit;
class QModelIndex;
class QToolButton;

namespace skein {

class CallTreeModel;
class MetricChooser;
class UnfoldedRows;
struct CallTreeRows;
struct ComparedRows;
using ComparedRowsPtr = std::shared_ptr<const ComparedRows>;

/// The calling context tree as a table: where the time went, from the outermost
/// call inwards, by function, or from a function out to its callers. Flat
/// profiles are shown as the list that they are.
class CallTreeView : public RegionTableView {
    Q_OBJECT

public:
    /// From callers to what they call; functions alone; functions with their
    /// callers; those of one function.
    enum class Order { TopDown, Flat, BottomUp, CallersOf };

    CallTreeView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void compute() override;
    void setPalettes(std::vector<RegionPalette> palettes) override;
    Selection meantBy(const QModelIndexList& rows) const override;
    FilterSubject subjectOf(const QModelIndexList& rows) const override;
    LocationRef locationIn(const QModelIndex& cell) const override;
    void showSelection() override;
    void fillMenu(QMenu& menu) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader();
    void foldButtons();
    QAction* addViewAction(const char* id, const QString& text, const QKeySequence& shortcut,
                           const QString& hint, void (CallTreeView::*triggered)());
    void showRows(CallTreeRows rows, DerivedColumn derived);
    bool comparesNow() const;
    void computeCompared();
    void showCompared(ComparedRowsPtr compared);
    void chooseOrder(int order);
    void showCallers();
    void forgetCallers();
    void openSource();
    void showHotPath();
    void expandSelected();
    void collapseSelected();
    void focusFilter();
    void applyFilter(const QString& text);
    void selectRows(const std::vector<std::int64_t>& nodes);
    void unfoldTo(const QModelIndex& index);
    void unfoldHotPath();
    void unfoldFound();
    void unfoldAgain(const UnfoldedRows& unfolded);

    CallTreeModel* model_ = nullptr;
    QLineEdit* filter_ = nullptr;
    MetricChooser* metric_ = nullptr;
    QComboBox* order_ = nullptr;
    std::vector<QToolButton*> buttons_;
    QToolButton* more_ = nullptr;  ///< stands for them where they have no room
    std::string function_;         ///< whose callers are shown
    bool unfoldedByHand_ = false;  ///< or folded, since these are rows of the same kind
};

}  // namespace skein
