// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/quiet_hover.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QHoverEvent>

namespace skein {
namespace {

/// Item views know by themselves what a move of the pointer changes: that it comes or goes is told as one.
class QuietHover : public QObject {
public:
    explicit QuietHover(QAbstractItemView& view) : QObject(&view), view_(view)
    {
        view.installEventFilter(this);
        view.viewport()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const bool leaves = event->type() == QEvent::HoverLeave;
        if (!leaves && event->type() != QEvent::HoverEnter) return false;
        if (watched != view_.viewport()) return true;
        const auto* hover = static_cast<QHoverEvent*>(event);
        const QPointF nowhere(-1, -1);
        QHoverEvent move(QEvent::HoverMove, leaves ? nowhere : hover->position(), hover->globalPosition(),
                         hover->oldPosF(), hover->modifiers(), hover->pointingDevice());
        QCoreApplication::sendEvent(watched, &move);
        return true;
    }

private:
    QAbstractItemView& view_;
};

}  // namespace

void paintHoveredAlone(QAbstractItemView& view) { new QuietHover(view); }

}  // namespace skein
