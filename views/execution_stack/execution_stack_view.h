// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/picture_panel.h"
#include "views/execution_stack/execution_stack_data_scene.h"

#include <vector>

namespace skein {

class ExecutionStackCanvas;

/// The selected executions call by call over time, with their messages.
class ExecutionStackView : public PicturePanel {
    Q_OBJECT

public:
    explicit ExecutionStackView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    ExecutionStackCanvas& canvas() const { return *canvas_; }
    bool upToDate() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void find();
    void stack();
    void fillTable();

    SessionPtr session_;
    SessionAnomaliesPtr anomalies_;
    ExecutionStackDataPtr data_;
    ExecutionStackCanvas* canvas_ = nullptr;
    std::vector<IntervalRef> tableCalls_;  ///< of each row
    bool finding_ = false, stacking_ = false;
    QTimer begin_;
};

}  // namespace skein
