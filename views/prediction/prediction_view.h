// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/communication_feed.h"
#include "views/common/picture_panel.h"
#include "views/common/trial_chooser.h"
#include "views/prediction/prediction_data_scene.h"

namespace skein {

class PredictionCanvas;

/// How long communication should take on the machine, phase by phase, as it is and as it was tried; and,
/// where another run is open, what became of it.
class PredictionView : public PicturePanel {
    Q_OBJECT

public:
    explicit PredictionView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void compute();
    void fillTable();
    void markPhase(std::size_t phase);
    void chooseLink(std::size_t link);

    CommunicationFeed feed_;
    PredictionCanvas* canvas_ = nullptr;
    TrialChooser trials_;
};

}  // namespace skein
