// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/picture_panel.h"

#include "views/scaling/scaling_data_scene.h"

#include <memory>
#include <string>
#include <vector>

namespace skein {

class ScalingCanvas;

/// How call paths scale: models of the runs of a study that are open together, or of a text in Extra-P's
/// form, and what they predict; what dominates at the next scale first.
class ScalingView : public PicturePanel {
    Q_OBJECT

public:
    explicit ScalingView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    const ScalingCanvas& canvas() const { return *canvas_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeControls();
    QComboBox* addTyped(const char* name, const QString& label, const QString& usual, int letters);
    void chooseText();
    void takeOrigin();
    void fillMetrics();
    void readText(const std::string& path);
    void sumUp();
    void model();
    void takeData(Result<ScalingDataPtr> models);
    void takeChart();
    void fillTable();
    void choose(std::size_t row);
    void showSelection();
    void showNothing(const QString& message);
    QString noStudyText(const std::string& error) const;
    std::string typedIn(const QComboBox& box) const;

    SessionPtr session_;
    std::shared_ptr<const ScalingStudy> text_;  ///< null: the runs of the session
    ScalingSourcePtr source_;
    ScalingDataPtr data_;
    std::vector<std::string> metrics_;  ///< by row of the chooser
    ScalingCanvas* canvas_ = nullptr;
    QComboBox* origin_ = nullptr;
    QComboBox* metric_ = nullptr;
    QComboBox* amount_ = nullptr;
    QComboBox* at_ = nullptr;
    QComboBox* along_ = nullptr;
    QComboBox* axes_ = nullptr;
    bool stale_ = false;  ///< nobody has looked since the archives were opened
};

}  // namespace skein
