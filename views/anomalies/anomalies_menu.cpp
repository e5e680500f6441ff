// SPDX-License-Identifier: GPL-3.0-or-later
// The context menu of the scatter.
#include "views/anomalies/anomalies_canvas.h"
#include "views/common/context_menu.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QMenu>

namespace skein {

/// Choices of the context menu; they last, so that they are kept as those of the panel's lists.
QAction* AnomaliesCanvas::newChoiceAction(const QString& title, const QString& id,
                                          const std::function<void(AnomalyChoices&, bool)>& take)
{
    auto* action = new QAction(title, this);
    action->setObjectName("anomalies." + id);
    action->setCheckable(true);
    connect(action, &QAction::toggled, this, [this, take](bool on) {
        AnomalyChoices choices = wanted_;
        take(choices, on);
        setChoices(choices);
    });
    return action;
}

void AnomaliesCanvas::addChoiceActions()
{
    consequences_ = newChoiceAction(tr("Consequences"), "consequences",
                                    [](AnomalyChoices& choices, bool on) { choices.consequences = on; });
    consequences_->setChecked(wanted_.consequences);
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < kAnomalyHeats; ++i) {
        const auto heat = static_cast<AnomalyHeat>(i);
        const QString title = toQString(name(heat));
        heats_.push_back(newChoiceAction(title, "heat." + title, [heat](AnomalyChoices& choices, bool on) {
            if (on) choices.heat = heat;
        }));
        group->addAction(heats_.back());
    }
    heats_[static_cast<std::size_t>(wanted_.heat)]->setChecked(true);
    for (std::size_t i = 0; i < kCallFeatures; ++i) {
        const auto feature = static_cast<CallFeature>(i);
        const QString title = toQString(name(feature));
        projected_.push_back(
            newChoiceAction(title, "projected." + title, [feature](AnomalyChoices& choices, bool on) {
                choices.projected =
                    on ? choices.projected | bitOf(feature) : choices.projected & ~bitOf(feature);
            }));
        projected_.back()->setChecked(kProjectedFeatures & bitOf(feature));
    }
}

void AnomaliesCanvas::addAxisMenu(QMenu& menu, const QString& title, AnomalyAxis AnomalyChoices::*axis)
{
    QMenu* sub = menu.addMenu(title);
    auto* group = new QActionGroup(sub);
    for (std::size_t i = 0; i < kAnomalyAxes; ++i) {
        const auto each = static_cast<AnomalyAxis>(i);
        QAction* action = sub->addAction(toQString(name(each)), this, [this, axis, each] {
            AnomalyChoices choices = wanted_;
            choices.*axis = each;
            Q_EMIT axesPicked(choices.x, choices.y);
        });
        action->setCheckable(true);
        action->setChecked(choices_.*axis == each);
        group->addAction(action);
    }
}

void AnomaliesCanvas::addTeachingAction(QMenu& menu)
{
    QAction* teach = menu.addAction(tr("Verdicts Teach the Detector"), this, [this](bool on) {
        selection().setVerdictUse(on ? VerdictUse::Teach : VerdictUse::OfCalls, nullptr);
    });
    teach->setCheckable(true);
    teach->setChecked(selection().state().verdictUse == VerdictUse::Teach);
}

void AnomaliesCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!anomalies_) return;
    QMenu* menu = newContextMenu(*this);
    if (const auto at = pointAt(toDevice(event->pos()))) {
        const AnomalyPoint point = anomalies_->points[*at];
        if (anomalies_->causeOf(point))
            menu->addAction(tr("Select Its Cause"), this, [this, point] { selectCause(point); });
        QAction* back = menu->addAction(tr("Show Why It Took So Long"), this,
                                        [this, point] { showCauses(point.call, CauseDirection::Back); });
        QAction* forward = menu->addAction(tr("Show What It Cost All Others"), this, [this, point] {
            showCauses(point.call, CauseDirection::Forward);
        });
        back->setEnabled(anomalies_->complete());
        forward->setEnabled(anomalies_->complete());
        menu->addSeparator();
        menu->addAction(tr("Call This an Anomaly"), this,
                        [this, point] { say(point.call, CallVerdict::Kind::Anomaly); });
        menu->addAction(tr("Call This Normal"), this,
                        [this, point] { say(point.call, CallVerdict::Kind::Normal); });
        menu->addAction(tr("Leave It to the Detector"), this,
                        [this, point] { say(point.call, std::nullopt); });
        menu->addSeparator();
    }
    addAxisMenu(*menu, tr("Across"), &AnomalyChoices::x);
    addAxisMenu(*menu, tr("Up"), &AnomalyChoices::y);
    menu->addAction(consequences_);
    menu->addMenu(tr("Ranks over Time"))->addActions(heats_);
    menu->addMenu(tr("Features of the Projection"))->addActions(projected_);
    addTeachingAction(*menu);
    menu->addAction(tr("Save Provenance Records…"), this, &AnomaliesCanvas::recordsWanted)
        ->setEnabled(anomalies_->complete());
    menu->popup(event->globalPos());
}

}  // namespace skein
