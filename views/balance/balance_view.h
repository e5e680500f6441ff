// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/balance/balance_scene.h"
#include "views/common/view.h"

#include <QTimer>

class QComboBox;
class QScrollBar;
class QToolButton;

namespace skein {

class BalanceCanvas;
class CellModel;
class ScopeHead;
class TableTree;

/// Is it balanced? The efficiencies of the processes, and regions × locations as a matrix, of the scope.
class BalanceView : public View {
    Q_OBJECT

public:
    explicit BalanceView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

private:
    void compute();
    void arrange();
    void fitScroll();
    void addTable();
    void showTable(bool shown);
    void fillTable();
    void chooseRows();

    SessionPtr session_;
    std::shared_ptr<const BalanceMatrix> matrix_;
    BalanceOptions options_;
    ScopeHead* head_ = nullptr;
    BalanceCanvas* canvas_ = nullptr;
    QScrollBar* scroll_ = nullptr;
    TableTree* table_ = nullptr;
    CellModel* cells_ = nullptr;
    QToolButton* tableShown_ = nullptr;
    QComboBox* quantity_ = nullptr;
    QComboBox* columns_ = nullptr;
    QComboBox* shading_ = nullptr;
    QComboBox* rowOrder_ = nullptr;
    QComboBox* columnOrder_ = nullptr;
    QTimer delay_;
};

}  // namespace skein
