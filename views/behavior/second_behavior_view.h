// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/behavior/behavior_view.h"

namespace skein {

/// Another metric of the same entities, in the colours and with the changes of the first unless its own are
/// wanted.
class SecondBehaviorView : public BehaviorView {
    Q_OBJECT

public:
    explicit SecondBehaviorView(const ViewContext& context, QWidget* parent = nullptr)
        : BehaviorView(context, BehaviorPlace::Second, parent)
    {
    }
};

}  // namespace skein
