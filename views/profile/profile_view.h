// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/view.h"
#include "views/profile/profile_scene.h"

#include <string>
#include <vector>

class QComboBox;
class QScrollBar;
class QSpinBox;
class QToolButton;

namespace skein {

class ProfileCanvas;
class ScopeHead;

/// A stacked bar a location for a chosen metric, or a treemap, with the controls that choose.
class ProfileView : public View {
    Q_OBJECT

public:
    explicit ProfileView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

    const ProfileCanvas& canvas() const { return *canvas_; }

private:
    struct MetricEntry {
        MetricRef metric;     ///< of metrics that tables know too; the shared choice
        std::string sampled;  ///< of user events and samples; this panel's own choice
    };

    QWidget* makeControls();
    QToolButton* makeSwitch(const char* name, const QString& text, const QString& hint);
    void fillMetrics();
    void fillQuantities();
    void chooseMetric(int row);
    void followMetric();
    int sharedRow() const;
    int ownRow() const;
    void takeOptions();
    void compute();
    ProfileQuantity quantity() const;

    SessionPtr session_;
    std::vector<MetricEntry> metrics_;
    std::string sampled_;
    ProfileCanvas* canvas_ = nullptr;
    ScopeHead* head_ = nullptr;
    QComboBox* metric_ = nullptr;
    QComboBox* quantity_ = nullptr;
    QComboBox* grouping_ = nullptr;
    QComboBox* order_ = nullptr;
    QSpinBox* largest_ = nullptr;
    QToolButton* shares_ = nullptr;
    QToolButton* align_ = nullptr;
    QToolButton* treemap_ = nullptr;
    QScrollBar* scroll_ = nullptr;
    QTimer delay_;
};

}  // namespace skein
