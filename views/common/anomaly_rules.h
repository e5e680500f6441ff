// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "algorithms/anomaly/stream_anomalies.h"

namespace skein {

class SelectionModel;

/// By what all views of a window judge calls. Lives in the GUI thread, as long as the window's selection
/// model.
class AnomalyRules : public QObject {
    Q_OBJECT

public:
    /// The one of the window that this model belongs to.
    static AnomalyRules& of(SelectionModel& selection);

    const AnomalySearch& search() const { return search_; }
    const AnomalyParams& params() const { return search_.judge; }
    void setSearch(const AnomalySearch& search);

Q_SIGNALS:
    void changed();

private:
    explicit AnomalyRules(SelectionModel& window);

    AnomalySearch search_;
};

}  // namespace skein
