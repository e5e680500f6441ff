// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/view.h"
#include "views/reroute/reroute_plan_scene.h"

#include <QTimer>

#include <cstdint>
#include <memory>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace skein {

class CellTable;
class ElidedLabel;
class RerouteCanvas;

/// Other ways for the selected routes, simulated at once: by length or load first, with the hops that a way
/// may be longer; applied and undone, with a table of the changed routes.
class RerouteView : public View {
    Q_OBJECT

public:
    explicit RerouteView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    const ReroutePlanPtr& plan() const { return plan_; }
    /// Reroutings that are applied.
    std::size_t appliedCount() const { return earlier_.size(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeControls();
    void forgetIfOther();
    void compute();
    void simulate();
    void show(Result<ReroutePlanPtr> plan);
    void tellTrial();
    void showTable();
    void takeBase(Result<RerouteBasePtr> base);
    void say(const QString& words);
    void enable();

    SessionPtr session_;
    std::uint32_t experiment_ = 0;
    RerouteBasePtr base_;
    std::weak_ptr<const CallTree> baseOf_;  ///< of its run
    ReroutePlanPtr plan_;
    std::vector<RerouteBasePtr> earlier_;  ///< before each rerouting that is applied
    ElidedLabel* head_ = nullptr;
    QComboBox* which_ = nullptr;
    QDoubleSpinBox* top_ = nullptr;
    QComboBox* criterion_ = nullptr;
    QSpinBox* tolerance_ = nullptr;
    QComboBox* strategy_ = nullptr;
    QPushButton* apply_ = nullptr;
    QPushButton* undo_ = nullptr;
    QLabel* words_ = nullptr;
    RerouteCanvas* canvas_ = nullptr;
    CellTable* table_ = nullptr;
    QTimer delay_;
    bool stale_ = false;  ///< something changed that nobody has seen yet
};

}  // namespace skein
