// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scope_head.h"

#include "core/select/translate.h"
#include "views/common/elided_label.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVariant>

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr auto kHeadOutside = "scopeHead";

}  // namespace

ScopeHead::ScopeHead(SelectionModel& selection, QWidget* parent)
    : QWidget(parent), selection_(selection), label_(new ElidedLabel(this)), button_(new QToolButton(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    // No wider than its text: what is beside it need not be painted when the text changes.
    label_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    label_->stepRoom();
    row->addWidget(label_);
    row->addStretch(1);
    row->addWidget(button_);
    label_->setObjectName("scope.text");
    label_->setProperty("role", "secondary");
    button_->setObjectName("scope.pin");
    button_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button_);
    button_->setMenu(menu);
    auto* group = new QActionGroup(this);
    for (QAction* action :
         {addPin(Pin::Follow, tr("Follow the Scope"), tr("The marked span, else the visible window")),
          addPin(Pin::Visible, tr("Visible Window"), tr("Whatever span is marked")),
          addPin(Pin::WholeRun, tr("Whole Run"), tr("All of the time, all locations")),
          addPin(Pin::Kept, tr("Keep This Scope"), tr("As it is now, whatever is marked later"))}) {
        group->addAction(action);
        menu->addAction(action);
    }
    // A view listens once, and the head is not the view.
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(kScopeParts)) tell();
    });
    tell();
}

ScopeHead* ScopeHead::of(const QWidget& view)
{
    if (auto* inside = view.findChild<ScopeHead*>()) return inside;
    return qobject_cast<ScopeHead*>(view.property(kHeadOutside).value<QObject*>());
}

void ScopeHead::moveOutOf(QWidget& view)
{
    view.setProperty(kHeadOutside, QVariant::fromValue<QObject*>(this));
    connect(this, &QObject::destroyed, &view, [&view] { view.setProperty(kHeadOutside, {}); });
}

QAction* ScopeHead::addPin(Pin pin, const QString& text, const QString& hint)
{
    auto* action = new QAction(text, this);
    action->setCheckable(true);
    action->setToolTip(hint);
    actions_.push_back(action);
    connect(action, &QAction::triggered, this, [this, pin] { pinTo(pin); });
    return action;
}

void ScopeHead::setSession(SessionPtr session)
{
    session_ = std::move(session);
    if (pin_ == Pin::Kept) pin_ = Pin::Follow;
    tell();
}

void ScopeHead::addControl(QWidget* control)
{
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->count() - 1, control);
}

Scope ScopeHead::scope() const
{
    const ViewState& state = selection_.state();
    switch (pin_) {
    case Pin::Follow: return scopeOf(state);
    case Pin::Visible:
        if (!state.visible) return {};
        return {Scope::Span::Visible, state.visible, {}};
    case Pin::WholeRun: return {};
    case Pin::Kept: return kept_;
    }
    return {};
}

std::vector<Filter> ScopeHead::filters() const { return filtersOf(scope(), selection_.state().filters); }

void ScopeHead::setDetail(const QString& detail)
{
    detail_ = detail;
    tell();
}

const QString& ScopeHead::text() const { return label_->fullText(); }

void ScopeHead::pinTo(Pin pin)
{
    if (pin == pin_) return;
    if (pin == Pin::Kept) kept_ = scope();
    pin_ = pin;
    tell();
    Q_EMIT pinned();
}

std::string ScopeHead::pinText() const
{
    switch (pin_) {
    case Pin::Follow: return "follow";
    case Pin::Visible: return "visible";
    case Pin::WholeRun: return "run";
    case Pin::Kept: break;
    }
    std::string text =
        kept_.span ? fmt::format("kept {} {}", kept_.span->begin, kept_.span->end) : "kept run run";
    for (const LocationRef& location : kept_.locations)
        text += fmt::format(" {}/{}", location.experiment, location.id.value());
    return text;
}

void ScopeHead::restorePin(const std::string& text)
{
    if (text == pinText()) return;
    const QStringList words = QString::fromStdString(text).split(' ');
    if (words.front() != "kept" || words.size() < 3)
        return pinTo(text == "visible" ? Pin::Visible : text == "run" ? Pin::WholeRun : Pin::Follow);
    bool begins = false, ends = false;
    const TimeSpan span{words[1].toLongLong(&begins), words[2].toLongLong(&ends)};
    kept_ = {};
    if (begins && ends && span.begin < span.end) kept_ = {Scope::Span::Marked, span, {}};
    for (const QString& word : words.mid(3)) {
        const LocationRef location{word.section('/', 0, 0).toUInt(),
                                   LocationId(word.section('/', 1).toUInt())};
        if (session_ && exists(*session_, location)) kept_.locations.push_back(location);
    }
    std::sort(kept_.locations.begin(), kept_.locations.end());
    pin_ = Pin::Kept;
    tell();
    Q_EMIT pinned();
}

void ScopeHead::tell()
{
    const bool follows = pin_ == Pin::Follow;
    actions_[static_cast<std::size_t>(pin_)]->setChecked(true);
    button_->setText(follows ? tr("Pin") : tr("Pinned"));
    button_->setToolTip(follows ? tr("Pin this panel to another scope than the window's")
                                : tr("This panel does not follow the window's scope"));
    const QString words = session_ ? toQString(scopeText(*session_, scope())) : QString();
    label_->setText(detail_.isEmpty() ? words : QString("%1 · %2").arg(words, detail_));
}

}  // namespace skein
