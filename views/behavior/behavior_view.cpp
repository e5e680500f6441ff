// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/behavior_view.h"

#include "algorithms/behavior/repeating_regions.h"
#include "views/behavior/behavior_canvas.h"
#include "views/behavior/change_choices.h"
#include "views/behavior/replay_bar.h"
#include "views/common/behavior_model.h"
#include "views/common/choice_box.h"
#include "views/common/context_menu.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"

#include <QComboBox>
#include <QPointer>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace skein {
namespace {

constexpr int kBinCounts[] = {50, 100, 200, 500, 1000, 2000, 10'000};

}  // namespace

BehaviorView::BehaviorView(const ViewContext& context, QWidget* parent)
    : BehaviorView(context, BehaviorPlace::First, parent)
{
}

BehaviorView::BehaviorView(const ViewContext& context, BehaviorPlace place, QWidget* parent)
    : View(context, parent),
      place_(place),
      model_(BehaviorModel::of(context, place)),
      head_(new ScopeHead(selection(), this)),
      canvas_(new BehaviorCanvas(context, model_, named("lines"), this))
{
    metric_ = addChoice(named("metric"), tr("What the lines show"), {});
    metric_->setEditable(true);
    metric_->setCompleter(nullptr);
    metric_->setInsertPolicy(QComboBox::NoInsert);
    if (isSecond()) addFindingsChoice();
    else addFirstChoices();
    layOut();
    connect(&model_, &BehaviorModel::looked, this, &BehaviorView::fillWhenLookedAt);
    connect(&model_, &BehaviorModel::changed, this, &BehaviorView::present);
    setSession(nullptr);
}

QString BehaviorView::named(const char* choice) const
{
    return QString(isSecond() ? "behavior_second." : "behavior.") + choice;
}

void BehaviorView::addFirstChoices()
{
    per_ = addChoice(named("per"), tr("What a line stands for"), {});
    out_ = new QToolButton(this);
    out_->setObjectName(named("out"));
    out_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    out_->hide();
    connect(out_, &QToolButton::clicked, &model_, &BehaviorModel::closeEntity);
    connect(&model_, &BehaviorModel::entityOpened, this, &BehaviorView::presentOpened);
    bins_ =
        addChoice(named("bins"), tr("Bins of time: so many of one length, or one a call of a region"), {});
    QStringList counts{tr("Clusters proposed")};
    for (int count = 2; count <= 10; ++count) counts.append(tr("%1 clusters").arg(count));
    clusters_ = addChoice(named("clusters"), tr("How many clusters"), counts);
    changes_ = new ChangeChoices(this, "behavior", tr("%1 bins to learn"));
    connect(changes_, &ChangeChoices::activated, this, &BehaviorView::ask);
    head_->pinTo(ScopeHead::Pin::WholeRun);
    connect(head_, &ScopeHead::pinned, &model_, &BehaviorModel::refresh);
    connect(head_, &ScopeHead::pinned, &model_, [this] { model_.tellPin(head_->pinText()); });
    connect(&model_, &BehaviorModel::pinned, head_, &ScopeHead::restorePin);
    model_.setScope([head = QPointer<ScopeHead>(head_)] { return head ? head->scope() : Scope(); });
}

void BehaviorView::addFindingsChoice()
{
    findings_ =
        addChoice(named("findings"), tr("Whose changes and clusters are shown"),
                  {tr("Changes and clusters of the first panel"), tr("Changes and clusters of its own"),
                   tr("Its changes and clusters in both panels")});
    head_->hide();
}

void BehaviorView::layOut()
{
    head_->setContentsMargins(8, 4, 8, 4);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, isSecond() ? 4 : 0, 8, 4);
    controls->setSpacing(8);
    for (QComboBox* choice : choices()) controls->addWidget(choice);
    if (out_) controls->insertWidget(controls->indexOf(per_) + 1, out_);
    controls->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addLayout(controls);
    all->addWidget(canvas_, 1);
    if (!isSecond()) all->addWidget(new ReplayBar(model_, "behavior", this));
    setFocusProxy(canvas_);
}

/// Those that this panel has, in the order in which they stand.
std::vector<QComboBox*> BehaviorView::choices() const
{
    if (isSecond()) return {metric_, findings_};
    return {metric_, per_, bins_, clusters_, changes_->alpha(), changes_->burnIn()};
}

QComboBox* BehaviorView::addChoice(const QString& name, const QString& label, const QStringList& items)
{
    ChoiceBox* choice = newChoice(this, name, label, items);
    connect(choice, &QComboBox::activated, this, &BehaviorView::ask);
    return choice;
}

void BehaviorView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    head_->setSession(session_);
    head_->pinTo(ScopeHead::Pin::WholeRun);
    closeContextMenus(*canvas_);
    canvas_->setSession(session_);
    model_.setSession(session_);
    filled_ = false;
    fillWhenLookedAt();
    present();
}

/// Panels that nobody looks at cost an archive nothing when it is opened.
void BehaviorView::fillWhenLookedAt()
{
    if (filled_ || (session_ && !model_.wanted())) return;
    filled_ = true;
    fillChoices();
}

void BehaviorView::fillChoices()
{
    tasks().drop("behavior.regions");
    for (QComboBox* choice : choices()) choice->setEnabled(session_ != nullptr);
    metric_->clear();
    if (isSecond()) return fillSecond();
    bins_->clear();
    for (const int count : kBinCounts) bins_->addItem(tr("%L1 bins").arg(count), count);
    bins_->setCurrentIndex(2);
    per_->clear();
    out_->hide();
    changes_->reset();
    clusters_->setCurrentIndex(0);
    if (!session_) return;
    const Experiment& experiment = *session_->experiments[model_.request().experiment];
    for (const std::string& name : behaviorMetrics(experiment)) metric_->addItem(toQString(name));
    fillEntities();
    fillRegions();
    const QString usual = metric_->count() > 1 && metric_->itemText(1) == "exclusive:MPI"
        ? metric_->itemText(1)
        : QString("exclusive");
    metric_->setCurrentText(usual);
    ask();
}

void BehaviorView::fillEntities()
{
    for (const SeriesGrouping& grouping : model_.groupings()) {
        const QString word = toQString(seriesGroupingWord(grouping));
        per_->addItem(tr("By %1").arg(word), word);
    }
    const Experiment& experiment = *session_->experiments[model_.request().experiment];
    // Where processes are many, those of one process are not told apart.
    const bool threads = experiment.definitions.locationGroups.size() <= 1;
    per_->setCurrentIndex(std::max(0, per_->findData(QString(threads ? "location" : "process"))));
}

/// The entity whose parts are shown.
void BehaviorView::presentOpened()
{
    const BehaviorRequest& request = model_.request();
    per_->setCurrentIndex(std::max(0, per_->findData(toQString(seriesGroupingWord(request.per)))));
    out_->setVisible(!request.within.empty());
    const QString name = toQString(request.withinName);
    out_->setText(tr("↑ Out of %1").arg(name));
    out_->setToolTip(tr("Only what belongs to %1 is shown. Shows all again.").arg(name));
    out_->setAccessibleName(out_->text());
}

void BehaviorView::fillSecond()
{
    findings_->setCurrentIndex(0);
    if (!session_) return;
    for (const std::string& name : behaviorMetrics(*session_->experiments[model_.request().experiment]))
        metric_->addItem(toQString(name));
    metric_->setCurrentText("sent-bytes");
    ask();
}

void BehaviorView::fillRegions()
{
    tasks().run<std::vector<std::string>>(
        {"behavior.regions", tr("Regions that repeat")}, this,
        [experiment = session_->experiments[model_.request().experiment]](const Task& task)
            -> Result<std::vector<std::string>> { return repeatingRegions(*experiment, task); },
        [this](Result<std::vector<std::string>> names) {
            if (!names) return;
            for (const std::string& name : *names)
                bins_->addItem(tr("A bin a call of %1").arg(toQString(name)), toQString(name));
        });
}

void BehaviorView::ask()
{
    if (!session_) return;
    if (isSecond())
        return model_.askSecond(metric_->currentText().trimmed().toStdString(),
                                static_cast<BehaviorFindings>(findings_->currentIndex()));
    askFirst();
}

void BehaviorView::askFirst()
{
    BehaviorRequest request = model_.request();
    request.metric = metric_->currentText().trimmed().toStdString();
    request.per = seriesGrouping(per_->currentData().toString().toStdString());
    const QVariant bins = bins_->currentData();
    request.byRegion = bins.typeId() == QMetaType::QString ? bins.toString().toStdString() : std::string();
    request.bins = request.byRegion.empty() ? static_cast<std::size_t>(bins.toInt()) : BehaviorRequest().bins;
    const int clusters = clusters_->currentIndex();
    request.clusters = clusters > 0 ? static_cast<std::uint32_t>(clusters) + 1 : 0;
    const ChangeParams changes = changes_->params();
    request.alpha = changes.alpha;
    request.burnIn = changes.burnIn;
    model_.ask(request);
}

void BehaviorView::present()
{
    const SessionBehaviorPtr& behavior = model_.behavior();
    if (!behavior) {
        head_->setDetail({});
        return canvas_->setPicture(nullptr, model_.message());
    }
    QString detail = tr("%1 changes, %2 of them lasting")
                         .arg(behavior->changes.changes.size())
                         .arg(behavior->lasting.size());
    if (behavior->clusterShare < 1)
        detail += tr("; clusters from %1 % of the lines").arg(std::lround(behavior->clusterShare * 100));
    if (!behavior->findingsOf.empty()) detail += tr("; both of %1").arg(toQString(behavior->findingsOf));
    head_->setDetail(detail);
    canvas_->setPicture(makeBehaviorPicture(behavior), {});
}

void BehaviorView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    model_.workFor(this);
}

std::vector<KeyHint> BehaviorView::keyHints() const { return canvas_->keyHints(); }

std::optional<DrawList> BehaviorView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
