// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/choice_box.h"

#include "core/select/metric_choice.h"

#include <vector>

namespace skein {

class SelectionModel;

/// Chooses ViewState::metric among what the session's profiles have; follows the choice of others. Its last
/// entry asks for a metric by expression.
class MetricChooser : public ChoiceBox {
    Q_OBJECT

public:
    MetricChooser(SelectionModel& selection, QWidget* parent);

    /// Null: nothing is open.
    void setSession(const SessionPtr& session);

private:
    void showChoice();

    SelectionModel& selection_;
    std::vector<MetricChoice> choices_;
};

}  // namespace skein
