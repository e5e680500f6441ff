// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/view.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <optional>
#include <vector>

class QComboBox;
class QLayout;
class QMenu;
class QTabWidget;
class QToolButton;

namespace skein {

class CellTable;
class MetricChooser;
class PrunePanel;
class ScopeHead;
class TreeGraphCanvas;

/// The calling context tree as nodes and lines: colour and area tell amounts, subtrees are pruned and
/// composed, notes are written on call paths.
class TreeGraphView : public View {
    Q_OBJECT

public:
    explicit TreeGraphView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

    const TreeGraphCanvas& canvas() const { return *canvas_; }
    /// Of the second run, where two are shown side by side; hidden else.
    const TreeGraphCanvas& otherCanvas() const { return *other_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeControls();
    QWidget* makeSide();
    QAction* makeAction(const char* id, const QString& text, const QKeySequence& shortcut,
                        const QString& hint);
    QToolButton* makeButton(QLayout& row, QAction* action);
    void addEdits();
    void fillQuantities();
    void fillTrees();
    void takeOptions();
    TreeGraphRequest request() const;
    void compute();
    void layOut();
    void showGraph();
    bool sideBySide() const;
    void takeGraph(Result<TreeGraphPtr> graph);
    void showTable();
    void showMenu(const QPoint& globalPosition);

    SessionPtr session_;
    TreeGraphSumsPtr sums_;
    QString emptyText_;
    TreeGraphPtr graph_;  ///< of both runs where two are compared
    TreeGraphCanvas* canvas_ = nullptr;
    TreeGraphCanvas* other_ = nullptr;
    PrunePanel* prune_ = nullptr;
    CellTable* table_ = nullptr;
    QTabWidget* side_ = nullptr;
    ScopeHead* head_ = nullptr;
    MetricChooser* metric_ = nullptr;
    QComboBox* color_ = nullptr;
    QComboBox* size_ = nullptr;
    QComboBox* tree_ = nullptr;
    QComboBox* map_ = nullptr;
    QComboBox* scaling_ = nullptr;
    QComboBox* unit_ = nullptr;
    QComboBox* beside_ = nullptr;
    QAction* invertColors_ = nullptr;
    QAction* invertSizes_ = nullptr;
    QAction* brush_ = nullptr;
    QAction* sideShown_ = nullptr;
    std::vector<QAction*> edits_;  ///< what can be done with what is selected
    std::vector<TreeQuantity> quantities_;
    std::vector<std::optional<CallPathRef>> roots_;  ///< by row of the tree chooser
    QTimer delay_;
    bool stale_ = false;  ///< nobody has looked since the archive was opened
};

}  // namespace skein
