// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "core/select/view_state.h"
#include "core/session/experiment.h"

class QBoxLayout;
class QComboBox;

namespace skein {

/// Lists of what calls are coloured by, and of what groups of regions are: beside each other where there is
/// room.
class ColorChoosers : public QWidget {
    Q_OBJECT

public:
    explicit ColorChoosers(QWidget* parent = nullptr);

    /// Recorded groups can be chosen only where an archive has such.
    void setSession(const Session& session);
    void showChoice(ColorMode colors, RegionGrouping grouping);

Q_SIGNALS:
    void colorsChosen(skein::ColorMode colors);
    void groupingChosen(skein::RegionGrouping grouping);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QBoxLayout* row_ = nullptr;
    QComboBox* modes_ = nullptr;
    QComboBox* grouping_ = nullptr;
};

}  // namespace skein
