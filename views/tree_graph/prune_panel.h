// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/view.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStringListModel;

namespace skein {

class PruneCanvas;
class SelectionModel;
struct QueriedRows;

/// Prunes many call paths at once: by the range of an amount, by what they are, or by a query. Every change
/// is an edit of the window's one history.
class PrunePanel : public QWidget {
    Q_OBJECT

public:
    PrunePanel(const ViewContext& context, QWidget* parent);

    /// Null: there is none.
    void setGraph(TreeGraphPtr graph);
    /// Another session comes: what is written names functions of the one before.
    void forgetWritten();

private:
    QWidget* makeRange(const ViewContext& context);
    QWidget* makeRules();
    QWidget* makeQuery();
    QPushButton* makeButton(const char* name, const QString& text, const QString& hint,
                            void (PrunePanel::*clicked)());
    void showHistogram();
    void tellRange();
    void applyRange();
    void pruneZeros();
    void ruleChanged();
    void pruneMatches();
    void keepMatches();
    void selectMatches();
    void queryChanged();
    void applyQuery();
    void selectFound();
    void writeQuery();
    void writeSelected();
    void write(const std::vector<std::uint32_t>& rows);
    const QueriedRows& queried();
    void showAllAgain();
    const RowQuantity* quantity() const;
    std::vector<std::uint32_t> matches();
    void setRemoved(const std::vector<CallPathRef>& removed);

    SelectionModel& selection_;
    TreeGraphPtr graph_;
    PruneCanvas* canvas_ = nullptr;
    QComboBox* amount_ = nullptr;
    QComboBox* scale_ = nullptr;
    QSpinBox* bins_ = nullptr;
    QLabel* range_ = nullptr;
    QComboBox* kind_ = nullptr;
    QLineEdit* text_ = nullptr;
    QSpinBox* depth_ = nullptr;
    QLabel* count_ = nullptr;
    QLineEdit* query_ = nullptr;
    QLabel* queryState_ = nullptr;
    QPushButton *showFound_ = nullptr, *selectFound_ = nullptr;
    QStringListModel* completions_ = nullptr;
    TreeGraphSumsPtr queriedSums_;  ///< of which queried_ is made
    std::shared_ptr<const QueriedRows> queried_;
    std::vector<CallPathRef> beforeRange_, afterRange_;  ///< what was pruned before and with the range
    QString ruleProblem_;
};

}  // namespace skein
