// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/behavior_model.h"

#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <algorithm>

namespace skein {
namespace {

constexpr int kBehaviorDelayMs = 60;  ///< a pan or zoom sends many spans; the last one is wanted

std::uint32_t firstTrace(const Session& session)
{
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number)
        if (session.experiments[number]->trace) return number;
    return 0;
}

}  // namespace

BehaviorModel& BehaviorModel::of(const ViewContext& context)
{
    if (auto* known = context.selection.findChild<BehaviorModel*>(QString(), Qt::FindDirectChildrenOnly))
        return *known;
    return *new BehaviorModel(context);
}

BehaviorModel::BehaviorModel(const ViewContext& context) : QObject(&context.selection), context_(context)
{
    delay_.setSingleShot(true);
    delay_.setInterval(kBehaviorDelayMs);
    connect(&delay_, &QTimer::timeout, this, &BehaviorModel::start);
    context_.selection.listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kClocks)) refresh();
    });
    message_ = tr("Open a trace to see how its processes behave over time.");
}

void BehaviorModel::setSession(const SessionPtr& session)
{
    if (session == session_) return;
    session_ = session;
    started_.reset();
    context_.tasks.drop("behavior");
    request_ = {};
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

void BehaviorModel::setScope(std::function<Scope()> scope)
{
    scope_ = std::move(scope);
    refresh();
}

void BehaviorModel::refresh()
{
    if (!session_) return;
    const Scope scope = scope_ ? scope_() : Scope();
    const ViewState& state = context_.selection.state();
    request_.span = scope.span;
    request_.filters = filtersOf(scope, state.filters);
    request_.clockShiftsNs = state.clockShiftsNs;
    if (started_ != request_) delay_.start();
}

bool BehaviorModel::wanted() const
{
    return std::any_of(views_.begin(), views_.end(),
                       [](const QPointer<QWidget>& view) { return view && view->isVisible(); });
}

void BehaviorModel::workFor(QWidget* view)
{
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
        {"behavior", tr("Behaviour over time")}, this,
        [session = session_, request = request_, previous = behavior_](const Task& task) {
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
    behavior_ = std::move(behavior);
    message_ = message;
    Q_EMIT changed();
}

}  // namespace skein
