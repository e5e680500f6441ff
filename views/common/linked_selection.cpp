// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/linked_selection.h"

namespace skein {

LinkedSelection::LinkedSelection(SelectionModel& window, QObject* parent)
    : QObject(parent), window_(window), own_(this)
{
    own_.take(window_.state(), ViewParts::kEverything, this);
    constexpr auto kSteps = SelectionModel::Steps::All;
    window_.listen(
        this, [this](const ViewChange& change) { own_.follow(window_, change.parts.of(shared()), this); },
        kSteps);
    own_.listen(
        this, [this](const ViewChange& change) { window_.follow(own_, change.parts.of(shared()), this); },
        kSteps);
    connect(&own_, &SelectionModel::said, &window_, &SelectionModel::said);
    connect(&own_, &SelectionModel::revealWanted, &window_, &SelectionModel::revealWanted);
    connect(&own_, &SelectionModel::enlargeWanted, &window_, &SelectionModel::enlargeWanted);
}

ViewParts LinkedSelection::shared() const
{
    constexpr ViewParts kTime = ViewParts::kVisible | ViewParts::kBrushed | ViewParts::kHover;
    return axis_ == Axis::Linked ? ViewParts::kEverything : ViewParts::kEverything.without(kTime);
}

void LinkedSelection::setAxis(Axis axis)
{
    if (axis_ == axis) return;
    axis_ = axis;
    if (axis_ == Axis::Linked) own_.take(window_.state(), shared(), this);
    Q_EMIT axisChanged();
}

}  // namespace skein
