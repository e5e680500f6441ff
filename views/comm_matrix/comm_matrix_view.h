// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/common/trial_chooser.h"
#include "views/common/view.h"

#include <QTimer>

#include <cstdint>
#include <memory>
#include <set>
#include <string>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace skein {

class CommMatrixCanvas;
class CommMatrixModel;
class ScopeHead;
class TableTree;

/// Who sends how much to whom: the matrix in several orders, by ranks or by groups that open, sizes of
/// messages, communication over time, and a matrix for every phase.
class CommMatrixView : public View {
    Q_OBJECT

public:
    explicit CommMatrixView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& items);
    void layOut();
    void listen();
    void offerLevels();
    void compute();
    void show(std::shared_ptr<CommMatrixPicture> picture);
    void showNothing(const QString& message);
    CommMatrixOptions options() const;

    SessionPtr session_;
    std::uint32_t experiment_ = 0;
    std::set<std::string> opened_;
    ScopeHead* head_ = nullptr;
    QComboBox* shown_ = nullptr;
    QComboBox* value_ = nullptr;
    QComboBox* scale_ = nullptr;
    QComboBox* order_ = nullptr;
    QComboBox* level_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    CommMatrixCanvas* canvas_ = nullptr;
    TableTree* table_ = nullptr;
    CommMatrixModel* model_ = nullptr;
    TrialChooser trials_;
    bool taking_ = false;  ///< the trials hear of what is shown already
    QTimer delay_;
    bool stale_ = false;  ///< something changed that nobody has seen yet
};

}  // namespace skein
