// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/panel_head.h"

#include "views/common/elided_label.h"
#include "views/common/scope_head.h"
#include "views/common/theme.h"
#include "views/common/view.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr int kButtonSide = 20;
constexpr int kHeadHeight = 28;

/// A button of a head: its sign is drawn in the colour of the text, so that it is right in every theme.
class HeadButton : public QToolButton {
public:
    enum class Sign { More, Maximise, Restore, Float, Dock, Close };

    HeadButton(Sign sign, QWidget* parent) : QToolButton(parent), sign_(sign)
    {
        setFixedSize(kButtonSide, kButtonSide);
        setFocusPolicy(Qt::TabFocus);
    }
    void setSign(Sign sign)
    {
        sign_ = sign;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme theme = plainThemeFor(palette());
        QPainter painter(this);
        if (underMouse() || hasFocus() || isDown()) {
            QColor fill = toQColor(theme.text);
            fill.setAlpha(isDown() ? 50 : 24);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRoundedRect(rect(), 4, 4);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(toQColor(underMouse() ? theme.text : theme.secondaryText));
        draw(painter);
    }

private:
    void draw(QPainter& painter) const
    {
        switch (sign_) {
        case Sign::More:
            for (const int x : {6, 10, 14}) painter.fillRect(x - 1, 9, 2, 2, painter.pen().color());
            return;
        case Sign::Maximise:
            painter.drawRect(5, 5, 9, 9);
            painter.drawLine(5, 6, 14, 6);
            return;
        case Sign::Restore:
            painter.drawRect(4, 7, 8, 8);
            painter.drawPolyline(
                QPolygon({QPoint(7, 6), QPoint(7, 4), QPoint(15, 4), QPoint(15, 12), QPoint(13, 12)}));
            return;
        case Sign::Float:
            painter.drawPolyline(
                QPolygon({QPoint(9, 5), QPoint(5, 5), QPoint(5, 14), QPoint(14, 14), QPoint(14, 10)}));
            painter.drawLine(9, 10, 14, 5);
            painter.drawPolyline(QPolygon({QPoint(11, 5), QPoint(14, 5), QPoint(14, 8)}));
            return;
        case Sign::Dock:
            painter.drawRect(5, 5, 9, 9);
            painter.fillRect(6, 10, 8, 4, painter.pen().color());
            return;
        case Sign::Close:
            painter.drawLine(6, 6, 13, 13);
            painter.drawLine(6, 13, 13, 6);
            return;
        }
    }

    Sign sign_;
};

HeadButton::Sign signOf(const QString& name)
{
    if (name == "head.more") return HeadButton::Sign::More;
    if (name == "head.maximise") return HeadButton::Sign::Maximise;
    if (name == "head.float") return HeadButton::Sign::Float;
    return HeadButton::Sign::Close;
}

}  // namespace

PanelHead::PanelHead(View& view, QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout(this)), title_(new ElidedLabel(this)), menu_(new QMenu(this))
{
    setObjectName("panelHead");
    row_->setContentsMargins(8, 0, 4, 0);
    row_->setSpacing(4);
    title_->setObjectName("head.title");
    row_->addWidget(title_);
    row_->addSpacing(4);
    if (auto* scope = view.findChild<ScopeHead*>()) {
        scope->setContentsMargins(0, 0, 0, 0);
        scope->moveOutOf(view);
        scope_ = scope;
        row_->addWidget(scope, 1);
    }
    row_->addStretch(scope_ ? 0 : 1);  // also where a view hides the scope
    more_ = addButton("head.more", tr("More for this panel"));
    more_->setMenu(menu_);
    more_->setPopupMode(QToolButton::InstantPopup);
    maximise_ = addButton("head.maximise", tr("Maximise this panel (Shift+F11)"));
    float_ = addButton("head.float", tr("Take this panel out of the window (Ctrl+Shift+F)"));
    close_ = addButton("head.close", tr("Close this panel"));
    connect(maximise_, &QToolButton::clicked, this, &PanelHead::maximiseWanted);
    connect(float_, &QToolButton::clicked, this, &PanelHead::floatWanted);
    connect(close_, &QToolButton::clicked, this, &PanelHead::closeWanted);
}

QToolButton* PanelHead::addButton(const char* name, const QString& label)
{
    auto* button = new HeadButton(signOf(name), this);
    button->setObjectName(name);
    button->setToolTip(label);
    button->setAccessibleName(label);
    row_->addWidget(button);
    return button;
}

void PanelHead::setTitle(const QString& title)
{
    title_->setText(title);
    showWhatFits();
}

void PanelHead::setTitleShown(bool shown)
{
    if (shown == titleShown_) return;
    titleShown_ = shown;
    showWhatFits();
}

void PanelHead::setMaximised(bool maximised)
{
    static_cast<HeadButton*>(maximise_)->setSign(maximised ? HeadButton::Sign::Restore
                                                           : HeadButton::Sign::Maximise);
    maximise_->setToolTip(maximised ? tr("Show the other panels again (Shift+F11)")
                                    : tr("Maximise this panel (Shift+F11)"));
    maximise_->setAccessibleName(maximise_->toolTip());
}

void PanelHead::setFloats(bool floats)
{
    static_cast<HeadButton*>(float_)->setSign(floats ? HeadButton::Sign::Dock : HeadButton::Sign::Float);
    float_->setToolTip(floats ? tr("Put this panel back where it was (Ctrl+Shift+F)")
                              : tr("Take this panel out of the window (Ctrl+Shift+F)"));
    float_->setAccessibleName(float_->toolTip());
}

/// A dock gives its title as much height as the hint says, whatever the widget is.
QSize PanelHead::sizeHint() const { return {QWidget::sizeHint().width(), kHeadHeight}; }

/// What stands in it is made narrower where it does not fit: nothing widens the window.
QSize PanelHead::minimumSizeHint() const { return {6 * kButtonSide, kHeadHeight}; }

void PanelHead::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
}

/// What stands in it may become narrower or wider while the head does not: a pin that names its span, a
/// control that comes or goes.
bool PanelHead::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest && close_) showWhatFits();
    return done;
}

/// First all buttons go but the one with the menu, which offers the same, then the title.
void PanelHead::showWhatFits()
{
    const int scope = scope_ && !scope_->isHidden() ? scope_->minimumSizeHint().width() : 0;
    int left = width() - 16 - scope - (kButtonSide + 2 * row_->spacing());
    const int title = titleShown_ ? title_->minimumSizeHint().width() + row_->spacing() : 0;
    const int buttons = 3 * (kButtonSide + row_->spacing());
    const bool buttonsFit = left >= buttons + title;
    if (buttonsFit) left -= buttons;
    title_->setVisible(titleShown_ && left >= title);
    for (QToolButton* button : {maximise_, float_, close_}) button->setVisible(buttonsFit);
}

void PanelHead::paintEvent(QPaintEvent*)
{
    const Theme theme = plainThemeFor(palette());
    QPainter painter(this);
    painter.fillRect(rect(), toQColor(theme.panel));
    painter.setPen(toQColor(theme.grid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

void PanelHead::contextMenuEvent(QContextMenuEvent* event) { menu_->popup(event->globalPos()); }

}  // namespace skein::gui
