// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/finder_popup.h"

#include "core/base/units.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr int kNoteRole = Qt::UserRole;
constexpr int kWidth = 560;
constexpr int kVisibleRows = 12;

/// The text at the left, its note at the right.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem text = option;
        const int note = option.fontMetrics.horizontalAdvance(index.data(kNoteRole).toString());
        // The text keeps clear of the note; the background goes over the whole row.
        initStyleOption(&text, index);
        text.text =
            option.fontMetrics.elidedText(text.text, Qt::ElideMiddle, option.rect.width() - note - 36);
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &text, painter, option.widget);
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(kNoteRole).toString());
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize hint = QStyledItemDelegate::sizeHint(option, index);
        return {hint.width(), option.fontMetrics.height() + 12};
    }
};

bool startsWord(const QString& text, qsizetype at) { return at == 0 || !text[at - 1].isLetterOrNumber(); }

}  // namespace

int matchScore(const QString& query, const QString& text)
{
    int score = 0;
    qsizetype from = 0;
    qsizetype previous = -2;
    for (const QChar letter : query) {
        if (letter.isSpace()) continue;
        const qsizetype at = text.indexOf(letter, from, Qt::CaseInsensitive);
        if (at < 0) return -1;
        score += at == previous + 1 ? 4 : startsWord(text, at) ? 3 : 1;
        previous = at;
        from = at + 1;
    }
    return score;
}

FinderPopup::FinderPopup(const QString& placeholder, Search search, QWidget* window)
    : QFrame(window),
      search_(std::move(search)),
      query_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      count_(new QLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    query_->setPlaceholderText(placeholder);
    query_->setAccessibleName(placeholder);
    query_->installEventFilter(this);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setItemDelegate(new RowDelegate(list_));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setAccessibleName(tr("Found"));
    count_->setProperty("role", "secondary");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(query_);
    layout->addWidget(list_);
    layout->addWidget(count_);
    connect(query_, &QLineEdit::textChanged, this, &FinderPopup::fill);
    connect(list_, &QListWidget::itemClicked, this, &FinderPopup::chooseCurrent);
    hide();
}

QPoint FinderPopup::placeFor(int width) const
{
    constexpr int kBelowMenu = 48;
    if (!anchor_ || !anchor_->isVisible()) return {(parentWidget()->width() - width) / 2, kBelowMenu};
    const QPoint corner = anchor_->mapTo(parentWidget(), QPoint(anchor_->width(), anchor_->height() + 2));
    return {std::max(16, corner.x() - width), corner.y()};
}

void FinderPopup::popUp()
{
    if (!isVisible()) before_ = QApplication::focusWidget();
    const int rowHeight = fontMetrics().height() + 12;
    const int width = std::min(kWidth, parentWidget()->width() - 32);
    const int height = std::min(rowHeight * kVisibleRows + 88, parentWidget()->height() - 64);
    setGeometry(QRect(placeFor(width), QSize(width, height)));
    query_->clear();
    fill();
    show();
    raise();
    query_->setFocus(Qt::ShortcutFocusReason);
}

void FinderPopup::fill()
{
    list_->clear();
    found_ = {};
    append(search_(query_->text()));
    list_->setCurrentRow(0);
    if (!slowSearch_ || query_->text().trimmed().isEmpty()) return;
    slowSearch_(query_->text(), [this, query = query_->text()](Findings more) {
        if (isVisible() && query == query_->text()) append(std::move(more));
    });
}

void FinderPopup::append(Findings more)
{
    for (const Finding& finding : more.best) {
        auto* item = new QListWidgetItem(finding.text, list_);
        item->setData(kNoteRole, finding.note);
    }
    found_.best.insert(found_.best.end(), more.best.begin(), more.best.end());
    found_.total += more.total;
    found_.note += more.note;
    if (list_->currentRow() < 0) list_->setCurrentRow(0);
    showCount();
}

void FinderPopup::showCount()
{
    const QString total = QString::fromStdString(formatGrouped(static_cast<std::int64_t>(found_.total)));
    count_->setText((found_.total > found_.best.size()
                         ? tr("%1 found, the best %2 are listed").arg(total).arg(found_.best.size())
                         : found_.total == 0 ? tr("Nothing found")
                                             : tr("%1 found").arg(total))
                    + found_.note);
}

void FinderPopup::moveCurrent(int step)
{
    if (list_->count() == 0) return;
    list_->setCurrentRow((list_->currentRow() + step + list_->count()) % list_->count());
}

void FinderPopup::chooseCurrent()
{
    const int row = list_->currentRow();
    if (row < 0) return;
    const auto choose = found_.best[static_cast<std::size_t>(row)].choose;
    leave();
    choose();
}

void FinderPopup::leave()
{
    hide();
    (before_ && before_->isVisible() ? before_.data() : parentWidget())->setFocus();
}

bool FinderPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut && watched == query_) hide();
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        leave();
        if (dismissed_) dismissed_();
        return true;
    case Qt::Key_Down: moveCurrent(1); return true;
    case Qt::Key_Up: moveCurrent(-1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: chooseCurrent(); return true;
    default: return QFrame::eventFilter(watched, event);
    }
}

}  // namespace skein::gui
