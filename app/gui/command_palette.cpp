// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr int kShortcutRole = Qt::UserRole;
constexpr int kEntryRole = Qt::UserRole + 1;
constexpr int kWidth = 560;
constexpr int kVisibleRows = 12;

/// The action at the left, its shortcut at the right.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(kShortcutRole).toString());
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

CommandPalette::CommandPalette(const ActionRegistry& registry, QWidget* window)
    : QFrame(window), registry_(registry), query_(new QLineEdit(this)), list_(new QListWidget(this))
{
    setObjectName("commandPalette");
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    query_->setPlaceholderText(tr("Find a command"));
    query_->setAccessibleName(tr("Find a command"));
    query_->installEventFilter(this);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setItemDelegate(new RowDelegate(list_));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAccessibleName(tr("Commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(query_);
    layout->addWidget(list_);
    connect(query_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    hide();
}

void CommandPalette::popUp()
{
    const int rowHeight = fontMetrics().height() + 12;
    const int width = std::min(kWidth, parentWidget()->width() - 32);
    const int height = std::min(rowHeight * kVisibleRows + 64, parentWidget()->height() - 64);
    setGeometry((parentWidget()->width() - width) / 2, 48, width, height);
    query_->clear();
    fill();
    show();
    raise();
    query_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::fill()
{
    const QString query = query_->text();
    std::vector<std::pair<int, std::size_t>> found;
    for (std::size_t i = 0; i < registry_.entries().size(); ++i) {
        const auto& entry = registry_.entries()[i];
        const int score = matchScore(query, entry.category + ": " + plainText(*entry.action));
        if (score >= 0 && entry.action->isEnabled()) found.emplace_back(-score, i);
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
    list_->clear();
    for (const auto& [score, index] : found) {
        const auto& entry = registry_.entries()[index];
        auto* item = new QListWidgetItem(entry.category + ": " + plainText(*entry.action), list_);
        item->setData(kShortcutRole, entry.action->shortcut().toString(QKeySequence::NativeText));
        item->setData(kEntryRole, static_cast<qulonglong>(index));
    }
    list_->setCurrentRow(0);
}

void CommandPalette::moveCurrent(int step)
{
    if (list_->count() == 0) return;
    list_->setCurrentRow((list_->currentRow() + step + list_->count()) % list_->count());
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = list_->currentItem();
    if (!item) return;
    QAction* action = registry_.entries()[item->data(kEntryRole).toULongLong()].action;
    hide();
    parentWidget()->setFocus();
    action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut && watched == query_) hide();
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape: hide(); parentWidget()->setFocus(); return true;
    case Qt::Key_Down: moveCurrent(1); return true;
    case Qt::Key_Up: moveCurrent(-1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: runCurrent(); return true;
    default: return QFrame::eventFilter(watched, event);
    }
}

}  // namespace skein::gui
