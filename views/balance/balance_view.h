// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/balance/balance_phases_scene.h"
#include "views/balance/balance_scene.h"
#include "views/common/view.h"

#include <QTimer>

class QComboBox;
class QScrollBar;
class QToolButton;

namespace skein {

class BalanceCanvas;
class CellModel;
class PhaseCanvas;
class ScopeHead;
class TableTree;

/// Is it balanced? The efficiencies of the processes, and regions × locations as a matrix, of the scope; or
/// the efficiencies by phase, as curves.
class BalanceView : public View {
    Q_OBJECT

public:
    explicit BalanceView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

private:
    /// Rows of the list of phases; those behind them are regions that repeat.
    enum PhaseChoice { kNoPhases, kMarkedPhases, kSelectedRegion };

    void addMatrixChoices();
    void offerColumns();
    void layOut();
    void listen();
    void compute();
    void computeMatrix();
    void arrange();
    void fitScroll();
    void addTable();
    void showParts();
    void fillTable();
    void fillMatrixTable(const BalancePicture& picture);
    void chooseRows();
    void addPhases();
    void switchPhases();
    void proposePhases();
    bool byPhase() const;
    PhaseRequest phaseRequest() const;
    void computePhases();
    void presentPhases(BalancePhasesPtr phases, const QString& message);
    void fillPhaseTable();
    void showPhase(PhasePlace place);

    SessionPtr session_;
    std::shared_ptr<const BalanceMatrix> matrix_;
    BalanceOptions options_;
    ScopeHead* head_ = nullptr;
    BalanceCanvas* canvas_ = nullptr;
    PhaseCanvas* curves_ = nullptr;
    std::optional<PhaseRequest> asked_;    ///< what the curves show, or will
    std::vector<PhasePlace> tablePlaces_;  ///< phases by row of the table
    QScrollBar* scroll_ = nullptr;
    TableTree* table_ = nullptr;
    CellModel* cells_ = nullptr;
    QToolButton* tableShown_ = nullptr;
    QComboBox* phases_ = nullptr;
    QComboBox* quantity_ = nullptr;
    QComboBox* columns_ = nullptr;
    std::vector<BalanceColumns> columnChoices_;  ///< what the entries of columns_ mean
    QComboBox* shading_ = nullptr;
    QComboBox* rowOrder_ = nullptr;
    QComboBox* columnOrder_ = nullptr;
    QTimer delay_;
};

}  // namespace skein
