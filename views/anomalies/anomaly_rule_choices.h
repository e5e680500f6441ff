// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include <array>
#include <cstddef>
#include <vector>

#include "algorithms/anomaly/call_features.h"

class QAction;
class QComboBox;
class QToolButton;
class QWidget;

namespace skein {

class AnomalyRules;

/// The controls by which a panel chooses how calls are judged, for all panels of the window: detector, limit,
/// features, height of structures, the whole archive or each call as it ends, and what is remembered then.
/// Controls without effect are hidden,
/// and those behind detector and limit until they are asked for or say something unusual. Belongs to the
/// panel, whose id begins the names of the controls.
class AnomalyRuleChoices : public QObject {
    Q_OBJECT

public:
    AnomalyRuleChoices(AnomalyRules& rules, QWidget* panel);

    /// In the order of the row that they are for.
    std::vector<QWidget*> controls() const;

private:
    enum class Features { Both, Time, Structure, Chosen };

    QComboBox* add(const char* name, const QString& label, const QStringList& items);
    void addLimit();
    void addFeatures();
    void addOrder();
    void take();
    void showWhatCounts();
    Features features() const;
    bool judgesAsCallsEnd() const;
    std::vector<CallFeature> chosenFeatures() const;

    AnomalyRules& rules_;
    QWidget* panel_;
    QComboBox *detector_ = nullptr, *sigma_ = nullptr, *features_ = nullptr, *height_ = nullptr,
              *order_ = nullptr, *age_ = nullptr;
    QToolButton *chosen_ = nullptr, *more_ = nullptr;
    std::array<QAction*, kCallFeatures> feature_{};
};

}  // namespace skein
