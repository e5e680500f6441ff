// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/scope_bar.h"

#include "core/select/scope.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace skein::gui {
namespace {

constexpr int kWidestChip = 320;

}  // namespace

ScopeBar::ScopeBar(SelectionModel& selection, QWidget* parent)
    : QWidget(parent), selection_(selection), row_(new QHBoxLayout(this)), more_(new QToolButton(this))
{
    row_->setContentsMargins(8, 3, 8, 3);
    row_->setSpacing(8);
    auto* title = new QLabel(tr("Scope"), this);
    title->setProperty("role", "secondary");
    row_->addWidget(title);
    row_->addStretch(1);
    more_->setObjectName("scopeChip");
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setMenu(new QMenu(more_));
    row_->addWidget(more_);
    // A long stack of filters does not widen the window.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(kScopeParts | ViewParts::kFilters)) rebuild();
    });
    rebuild();
}

void ScopeBar::setSession(SessionPtr session)
{
    session_ = std::move(session);
    rebuild();
}

std::vector<ScopeBar::Part> ScopeBar::parts()
{
    if (!session_) return {};
    const ViewState& state = selection_.state();
    const Scope scope = scopeOf(state);
    std::vector<Part> parts;
    const auto clearSpan = [this, kind = scope.kind] {
        const auto& rows = selection_.state().markedLocations;
        if (kind == Scope::Span::Marked) selection_.setBrushed(std::nullopt, rows, this);
        else selection_.setVisible(std::nullopt, this);
    };
    parts.push_back({toQString(spanText(scope)), scope.span ? std::function<void()>(clearSpan) : nullptr,
                     "scopeChip.span"});
    if (scope.locations.empty()) parts.push_back({tr("All locations"), nullptr, "scopeChip.locations"});
    else
        parts.push_back({toQString(locationsText(*session_, scope.locations)),
                         [this] { selection_.setMarkedLocations({}, this); }, "scopeChip.locations"});
    for (std::size_t filter = 0; filter < state.filters.size(); ++filter)
        parts.push_back(
            {toQString(state.filters[filter].label), [this, filter] { removeFilter(filter); }, "filterChip"});
    return parts;
}

void ScopeBar::rebuild()
{
    shown_ = parts();
    setVisible(session_ != nullptr);
    // Chips that stay are not made again: a chip may be pressed, and is painted only where its text changes.
    while (chips_.size() > shown_.size()) {
        chips_.back()->deleteLater();
        chips_.pop_back();
    }
    while (chips_.size() < shown_.size()) addChip();
    for (std::size_t chip = 0; chip < chips_.size(); ++chip) fillChip(*chips_[chip], shown_[chip]);
    showWhatFits();
}

void ScopeBar::addChip()
{
    auto* chip = new QToolButton(this);
    chip->setProperty("role", "chip");
    connect(chip, &QToolButton::clicked, this, [this, place = chips_.size()] {
        // What is taken away takes its chip along.
        if (const auto remove = shown_[place].remove) remove();
    });
    row_->insertWidget(static_cast<int>(chips_.size()) + 1, chip);
    chips_.push_back(chip);
}

void ScopeBar::fillChip(QToolButton& chip, const Part& part)
{
    chip.setObjectName(part.name);
    const QString name = chip.fontMetrics().elidedText(part.text, Qt::ElideMiddle, kWidestChip);
    chip.setText(QString(name).replace("&", "&&") + (part.remove ? "  ✕" : ""));
    chip.setEnabled(static_cast<bool>(part.remove));
    if (!part.remove)
        chip.setToolTip(tr("What the panels sum up. Drag over the timeline to mark a span on some rows"));
    else chip.setToolTip(name == part.text ? tr("Take this away") : tr("Take this away: %1").arg(part.text));
}

void ScopeBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
}

/// The first ones; the others stand in the menu at the end.
void ScopeBar::showWhatFits()
{
    const int moreWidth = more_->fontMetrics().horizontalAdvance(tr("%1 more").arg(99)) + 40;
    int left = width() - row_->itemAt(0)->sizeHint().width() - 4 * row_->spacing();
    int whole = 0;
    for (const QToolButton* chip : chips_) whole += chip->sizeHint().width() + row_->spacing();
    const bool all = whole <= left;
    if (!all) left -= moreWidth;
    more_->menu()->clear();
    int hidden = 0;
    for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
        left -= chips_[chip]->sizeHint().width() + row_->spacing();
        const bool fits = all || (left >= 0 && hidden == 0);
        chips_[chip]->setVisible(fits);
        if (fits) continue;
        ++hidden;
        const Part& part = shown_[chip];
        QAction* action =
            more_->menu()->addAction(tr("Take away: %1").arg(QString(part.text).replace("&", "&&")));
        action->setEnabled(static_cast<bool>(part.remove));
        if (part.remove) connect(action, &QAction::triggered, this, part.remove);
    }
    more_->setText(tr("%1 more").arg(hidden));
    more_->setVisible(hidden > 0);
}

void ScopeBar::removeFilter(std::size_t index)
{
    auto filters = selection_.state().filters;
    if (index >= filters.size()) return;
    filters.erase(filters.begin() + static_cast<std::ptrdiff_t>(index));
    selection_.setFilters(filters, this);
}

}  // namespace skein::gui
