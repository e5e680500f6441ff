// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/view.h"
#include "views/counters/counters_scene.h"

#include <string>
#include <vector>

class QMenu;
class QToolButton;

namespace skein {

class CountersCanvas;

/// Metrics of traces over time, aligned with the timeline, and the controls that choose them.
class CountersView : public View {
    Q_OBJECT

public:
    explicit CountersView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::optional<int> pictureHeight(int width) const override;

    const CountersCanvas& canvas() const { return *canvas_; }
    /// Shows these metrics, in this order.
    void show(const std::vector<std::string>& metrics);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillMenu();
    void addChoice(QMenu& menu, const std::string& name);
    void load();
    void begin();

    SessionPtr session_;
    std::vector<std::string> chosen_;
    bool loaded_ = false;
    CountersCanvas* canvas_ = nullptr;
    QToolButton* choose_ = nullptr;
    QMenu* menu_ = nullptr;
    QTimer begin_;
};

}  // namespace skein
