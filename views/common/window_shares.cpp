// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/window_shares.h"

#include "views/common/selection_model.h"

namespace skein {

WindowShares& WindowShares::of(SelectionModel& selection)
{
    auto* known = selection.findChild<WindowShares*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new WindowShares(&selection);
}

void WindowShares::setWaitMarks(Marks marks)
{
    if (marks == marks_) return;
    marks_ = marks;
    Q_EMIT waitMarksChanged();
}

void WindowShares::setMessages(Marks messages)
{
    if (messages == messages_) return;
    messages_ = messages;
    Q_EMIT messagesChanged();
}

}  // namespace skein
