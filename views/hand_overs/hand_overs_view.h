// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_hand_overs.h"
#include "views/common/table/table_view.h"

#include <QTimer>

namespace skein {

class HandOverModel;

/// What the components of a workflow handed over to each other, a row a piece: who wrote and read it, when,
/// and how long the reader waited. A selected row selects both ends, a double click zooms to them.
class HandOversView : public TableView {
    Q_OBJECT

public:
    explicit HandOversView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    HandOverModel& model() const { return *model_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void load();
    void present();
    void publish();
    void showSelected();
    void zoomTo(int row);

    SessionPtr session_;
    SessionHandOversPtr found_;
    HandOverModel* model_ = nullptr;
    QTimer begin_;
    bool asked_ = false;
};

}  // namespace skein
