// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/behavior_model.h"

#include "views/common/scene/axes/time_window.h"
#include "views/common/scene/data/session_replay.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr int kBehaviorDelayMs = 60;  ///< a pan or zoom sends many spans; the last one is wanted
constexpr int kReplayTickMs = 100;
constexpr auto kSecondModel = "second behavior";
constexpr auto kFirstModel = "behavior";

std::uint32_t firstTrace(const Session& session)
{
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number)
        if (session.experiments[number]->trace) return number;
    return 0;
}

}  // namespace

BehaviorModel& BehaviorModel::of(const ViewContext& context, BehaviorPlace place)
{
    const QString name = place == BehaviorPlace::First ? kFirstModel : kSecondModel;
    if (auto* known = context.selection.findChild<BehaviorModel*>(name, Qt::FindDirectChildrenOnly))
        return *known;
    auto* made = new BehaviorModel(
        context, place == BehaviorPlace::First ? nullptr : &of(context, BehaviorPlace::First));
    made->setObjectName(name);
    return *made;
}

BehaviorModel::BehaviorModel(const ViewContext& context, BehaviorModel* first)
    : QObject(&context.selection), context_(context), first_(first)
{
    delay_.setSingleShot(true);
    delay_.setInterval(kBehaviorDelayMs);
    connect(&delay_, &QTimer::timeout, this, &BehaviorModel::start);
    ticks_.setInterval(kReplayTickMs);
    connect(&ticks_, &QTimer::timeout, this, &BehaviorModel::tick);
    machine_.start();
    context_.selection.listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kClocks)) refresh();
    });
    setLeader(first_);
    if (first_)
        connect(first_, &BehaviorModel::changed, this, [this] {
            refresh();
            if (!leader_ && !showsWanted()) follow();
        });
    message_ = tr("Open a trace to see how its processes behave over time.");
}

void BehaviorModel::setSession(const SessionPtr& session)
{
    if (first_) first_->setSession(session);
    if (session == session_) return;
    session_ = session;
    started_.reset();
    context_.tasks.drop(objectName());
    dropPart();
    if (!first_) endReplay();
    request_ = {};
    openedFrom_.clear();
    baseRow_ = 0;
    if (session_) request_.experiment = firstTrace(*session_);
    tell(nullptr,
         session_ ? tr("Making series…") : tr("Open a trace to see how its processes behave over time."));
    refresh();
}

void BehaviorModel::ask(const BehaviorRequest& request)
{
    request_ = request;
    refresh();
}

std::vector<SeriesGrouping> BehaviorModel::groupings() const
{
    if (!session_ || session_->experiments.empty()) return {};
    return seriesGroupings(session_->experiments[request_.experiment]->definitions);
}

void BehaviorModel::openEntity(std::size_t entity)
{
    if (first_) return first_->openEntity(entity);
    if (!whole_ || entity >= whole_->table.columns.size()) return;
    BehaviorRequest inside = request_;
    inside.within = whole_->locations[entity];
    std::sort(inside.within.begin(), inside.within.end());
    inside.withinName = whole_->table.columns[entity];
    const Definitions& definitions = session_->experiments[request_.experiment]->definitions;
    std::vector<bool> outside(definitions.locations.size(), true);
    for (const LocationId id : inside.within) outside[id.index()] = false;
    // What has one part only is gone through.
    for (std::size_t parts = 1; parts == 1;) {
        const SeriesGrouping finer = finerGrouping(definitions, inside.per);
        if (finer == inside.per) return;
        inside.per = finer;
        const auto entities = seriesEntities(definitions, finer, outside);
        parts = entities ? entities->names.size() : 0;
    }
    openedFrom_.push_back(request_);
    request_ = std::move(inside);
    refresh();
    Q_EMIT entityOpened();
}

void BehaviorModel::closeEntity()
{
    if (first_) return first_->closeEntity();
    if (openedFrom_.empty()) return;
    const BehaviorRequest outside = std::move(openedFrom_.back());
    openedFrom_.pop_back();
    request_.per = outside.per;
    request_.within = outside.within;
    request_.withinName = outside.withinName;
    refresh();
    Q_EMIT entityOpened();
}

void BehaviorModel::askSecond(const std::string& metric, BehaviorFindings findings)
{
    secondMetric_ = metric;
    // Before the other one follows: neither shows what the other has from it.
    if (findings != BehaviorFindings::First) setLeader(nullptr);
    first_->setLeader(findings == BehaviorFindings::Second ? this : nullptr);
    if (findings == BehaviorFindings::First) setLeader(first_);
    refresh();
}

void BehaviorModel::setLeader(BehaviorModel* leader)
{
    if (leader_ == leader) return;
    if (leader_) disconnect(leader_, &BehaviorModel::changed, this, &BehaviorModel::follow);
    leader_ = leader;
    if (leader_) connect(leader_, &BehaviorModel::changed, this, &BehaviorModel::follow);
    follow();
}

void BehaviorModel::setScope(std::function<Scope()> scope)
{
    scope_ = std::move(scope);
    refresh();
}

void BehaviorModel::refresh()
{
    if (!session_) return;
    if (first_) {
        if (secondMetric_.empty()) return;
        request_ = first_->request();
        request_.metric = secondMetric_;
    } else {
        const Scope scope = scope_ ? scope_() : Scope();
        const ViewState& state = context_.selection.state();
        request_.span = scope.span;
        request_.filters = filtersOf(scope, state.filters);
        request_.clockShiftsNs = state.clockShiftsNs;
    }
    Q_EMIT becameOutdated();
    if (started_ != request_) delay_.start();
}

SessionBehaviorPtr BehaviorModel::present() const
{
    return shown_ && shown_->request == request_ ? shown_ : nullptr;
}

SessionBehaviorPtr BehaviorModel::outdated() const
{
    return shown_ && shown_->request != request_ && wanted() ? shown_ : nullptr;
}

bool BehaviorModel::wanted() const
{
    if (first_ && first_->leader_ == this && first_->wanted()) return true;
    return std::any_of(views_.begin(), views_.end(),
                       [](const QPointer<QWidget>& view) { return view && view->isVisible(); });
}

void BehaviorModel::workFor(QWidget* view)
{
    // The second shows what the first has found.
    if (first_) first_->workFor(view);
    std::erase_if(views_, [](const QPointer<QWidget>& known) { return known.isNull(); });
    if (std::find(views_.begin(), views_.end(), view) == views_.end()) views_.emplace_back(view);
    Q_EMIT looked();
    refresh();
}

void BehaviorModel::start()
{
    if (!session_ || started_ == request_ || !wanted()) return;
    started_ = request_;
    context_.tasks.run<SessionBehaviorPtr>(
        {objectName(), tr("Behaviour over time")}, this,
        [session = session_, request = request_, previous = whole_](const Task& task) {
            return makeBehavior(*session, request, previous, task);
        },
        [this](Result<SessionBehaviorPtr> found) {
            if (found) return tell(*found, {});
            if (found.error().cancelled())
                return tell(nullptr, tr("The work was cancelled. Choose a metric to repeat it."));
            tell(nullptr, toQString(found.error().text()));
        });
}

void BehaviorModel::tell(SessionBehaviorPtr behavior, const QString& message)
{
    whole_ = std::move(behavior);
    message_ = message;
    // The replay is the first one's, whose series the second need not have.
    const bool other = !whole_ || (replay_ && replay_->whole().begin != whole_->edges.front());
    if (other && !first_) endReplay();
    if (whole_) return follow();
    dropPart();
    show(nullptr);
}

void BehaviorModel::show(SessionBehaviorPtr part)
{
    shown_ = std::move(part);
    Q_EMIT changed();
}

/// A part that is still being made must not come after what is shown in its place.
void BehaviorModel::dropPart()
{
    behind_ = false;
    if (std::exchange(following_, false)) context_.tasks.drop(objectName() + " replay");
}

/// Of one that has changes and clusters of its own.
bool BehaviorModel::showsWanted() const
{
    if (!replay()) return shown_ == whole_;
    return shown_ && whole_ && shown_->table.rows() == rowsUntil(*whole_, replayTime());
}

/// Makes the part that is to be shown; while one is being made the next one waits.
void BehaviorModel::follow()
{
    if (!whole_) return;
    const SessionBehaviorPtr leader = leader_ && leader_->behavior() && mayLead(*leader_->behavior(), *whole_)
        ? leader_->behavior()
        : nullptr;
    const bool replayed = replay() != nullptr;
    if (!replayed && !leader) {
        dropPart();
        return show(whole_);
    }
    behind_ = following_;
    if (following_) return;
    following_ = true;
    std::size_t rows = replayed ? rowsUntil(*whole_, replayTime()) : whole_->table.rows();
    if (leader) rows = std::min(rows, leader->table.rows());
    context_.tasks.run<SessionBehaviorPtr>(
        {objectName() + " replay", tr("Behaviour by now")}, this,
        [whole = whole_, rows, previous = shown_, leader](const Task& task) {
            return behaviorUntil(*whole, rows, previous, leader, {}, task);
        },
        [this](Result<SessionBehaviorPtr> part) {
            following_ = false;
            if (part && whole_) show(*part);
            if (std::exchange(behind_, false)) follow();
        });
}

const ReplayClock* BehaviorModel::replay() const
{
    if (first_) return first_->replay();
    return replay_ ? &*replay_ : nullptr;
}

double BehaviorModel::now() const
{
    return seconds_ ? seconds_() : static_cast<double>(machine_.nsecsElapsed()) / 1e9;
}

TimeNs BehaviorModel::replayTime() const
{
    if (first_) return first_->replayTime();
    return replay_ ? replay_->shown(now()) : 0;
}

void BehaviorModel::control(const std::function<void(ReplayClock&, double)>& change)
{
    if (first_) return first_->control(change);
    if (!whole_) return;
    if (!replay_) replay_.emplace(TimeSpan{whole_->edges.front(), whole_->edges.back()});
    change(*replay_, now());
    ticks_.start();
    tick();
    Q_EMIT replayControlled();
}

void BehaviorModel::endReplay()
{
    if (first_) return first_->endReplay();
    if (!replay_) return;
    replay_.reset();
    ticks_.stop();
    follow();
    Q_EMIT replayControlled();
}

void BehaviorModel::tick()
{
    if (!replay_ || !whole_) return;
    const TimeNs time = replayTime();
    if (replay_->ended(now())) ticks_.stop();
    slide(time);
    // The one that leads goes first; the other one follows it.
    BehaviorModel& front = leader_ && leader_->whole_ ? *leader_ : *this;
    if (!front.showsWanted()) front.follow();
    Q_EMIT replayControlled();
}

void BehaviorModel::slide(TimeNs time)
{
    if (slidingBins_ == 0) return;
    const std::size_t rows = rowsUntil(*whole_, time);
    const std::size_t first = rows > slidingBins_ ? rows - slidingBins_ : 0;
    const TimeSpan whole{whole_->edges.front(), whole_->edges.back()};
    const std::size_t last = std::min(first + slidingBins_, whole_->table.rows());
    context_.selection.setVisible(
        visibleOf(windowWithin({whole_->edges[first], whole_->edges[last]}, whole), whole), nullptr);
}

std::size_t BehaviorModel::baseRow() const
{
    if (first_) return first_->baseRow();
    return whole_ ? std::min(baseRow_, whole_->table.rows() - 1) : 0;
}

void BehaviorModel::setBaseRow(std::size_t row)
{
    if (first_) return first_->setBaseRow(row);
    if (row == baseRow_) return;
    baseRow_ = row;
    Q_EMIT baseChanged();
}

}  // namespace skein
