// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/control_strip.h"

#include "views/common/wrap_layout.h"

#include <QEvent>

#include <algorithm>

namespace skein {

ControlStrip::ControlStrip(QWidget* panel) : QScrollArea(panel)
{
    auto* content = new QWidget(this);
    row_ = new WrapLayout(content);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    for (QWidget* each : {content, viewport()}) each->setAutoFillBackground(false);
    content->installEventFilter(this);
    panel->installEventFilter(this);
}

/// At least a line, so that there is something to scroll.
int ControlStrip::heightForWidth(int widthPx) const
{
    const int least = row_->minimumSize().height();
    return std::min(row_->heightForWidth(widthPx),
                    std::max(least, parentWidget()->height() - kLeastPicturePx));
}

QSize ControlStrip::sizeHint() const
{
    return {row_->sizeHint().width(), heightForWidth(parentWidget()->width())};
}

QSize ControlStrip::minimumSizeHint() const { return row_->minimumSize(); }

/// What a layout asked once it remembers.
bool ControlStrip::eventFilter(QObject* watched, QEvent* event)
{
    const bool grown = watched == parentWidget() && event->type() == QEvent::Resize;
    const bool other = watched == widget() && event->type() == QEvent::LayoutRequest;
    if (grown || other) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace skein
