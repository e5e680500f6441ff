// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/table/table_view.h"

#include "views/common/scene/tree/compared_rows.h"

#include <QTimer>

#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace skein {

class CellModel;
class MetricChooser;

/// Which two runs, or parts of one run, are compared, and what changed between them, what got slower first.
/// Call tree, summary and call graph show the same beside each other.
class CompareView : public TableView {
    Q_OBJECT

public:
    explicit CompareView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    /// The last comparison; null where there is none.
    const ComparedRowsPtr& compared() const { return compared_; }
    /// Proposed and confirmed matches of call paths that were renamed or moved, to be confirmed or taken
    /// back.
    void showMatches();

protected:
    void showEvent(QShowEvent* event) override;
    void fillMenu(QMenu& menu) override;

private:
    /// What A or B is: a run, and which part of it.
    struct Side {
        QComboBox* run = nullptr;
        QComboBox* span = nullptr;
    };

    QWidget* makeHead();
    Side makeSide(QHBoxLayout& row, const char* name, const QString& title);
    void takeChoice();
    ComparedPart partOf(const Side& side, const ComparedPart& before) const;
    void showChoice();
    void showSide(const Side& side, const ComparedPart& part);
    void fillRuns();
    void fillPhases();
    void compute();
    void take(ComparedRowsPtr compared);
    void fillTable();
    bool isWanted(std::size_t row) const;
    void publish();
    void fillRepeats();
    void toggleRepeat(ComparedPart ComparisonChoice::*side, std::uint32_t run);
    void confirm(const PathMatch& match, Qt::CheckState state);
    QString nothingText() const;

    SessionPtr session_;
    ComparedRowsPtr compared_;
    std::vector<std::size_t> rowOf_;  ///< row of the comparison by row of the table as it came
    CellModel* model_ = nullptr;
    QCheckBox* shown_ = nullptr;
    Side a_, b_;
    MetricChooser* metric_ = nullptr;
    QComboBox* per_ = nullptr;
    QComboBox* phase_ = nullptr;
    QComboBox* by_ = nullptr;
    QComboBox* rows_ = nullptr;
    QAction* matches_ = nullptr;
    QToolButton* repeats_ = nullptr;
    QTimer delay_;
    bool stale_ = false;  ///< nobody has looked since something changed
};

}  // namespace skein
