// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/view.h"
#include "views/flame/flame_scene.h"

class QComboBox;
class QLineEdit;

namespace skein {

class FlameCanvas;
class MetricChooser;
class ScopeHead;

/// Icicles and flames of the call tree: from the outside in, from the inside out, or over time.
class FlameView : public View {
    Q_OBJECT

public:
    explicit FlameView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

    const FlameCanvas& canvas() const { return *canvas_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeControls();
    void addActions();
    void compute();
    void computeSums();
    void computeTimeline();

    SessionPtr session_;
    FlameCanvas* canvas_ = nullptr;
    ScopeHead* head_ = nullptr;
    MetricChooser* metric_ = nullptr;
    QComboBox* order_ = nullptr;
    QComboBox* root_ = nullptr;
    QComboBox* siblings_ = nullptr;
    QLineEdit* search_ = nullptr;
    QTimer delay_;
    bool stale_ = false;  ///< nobody has looked since the archive was opened
};

}  // namespace skein
