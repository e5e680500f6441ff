// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/execution_stack/execution_stack_view.h"

#include "core/select/translate.h"
#include "views/common/anomaly_rules.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/execution_stack/execution_stack_canvas.h"

#include <algorithm>

namespace skein {
namespace {

constexpr const char* kStackFindJob = "execution_stack anomalies";
constexpr const char* kStackJob = "execution_stack calls";
constexpr std::size_t kMostTableCalls = 50'000;

bool sessionHasTrace(const Session& session)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(),
                       [](const ExperimentPtr& experiment) { return experiment->trace != nullptr; });
}

}  // namespace

ExecutionStackView::ExecutionStackView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "execution_stack", parent), canvas_(new ExecutionStackCanvas(context, this))
{
    setPicture(canvas_, tr("Calls of the executions"));
    connect(this, &PicturePanel::tableWanted, this, &ExecutionStackView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this, [this](const std::vector<std::size_t>& rows) {
        if (rows.empty() || rows[0] >= tableCalls_.size() || !session_) return;
        selection().setSelected(select(*session_, tableCalls_[rows[0]]), this);
        canvas_->refresh();
    });
    begin_.setSingleShot(true);
    begin_.setInterval(kShownForMs);
    connect(&begin_, &QTimer::timeout, this, &ExecutionStackView::find);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected | ViewParts::kVerdicts)) stack();
        else if (change.parts.has(ViewParts::kColors)) canvas_->refresh();
    });
    connect(&AnomalyRules::of(selection()), &AnomalyRules::changed, this, [this] { setSession(session_); });
    setSession(nullptr);
}

void ExecutionStackView::setSession(SessionPtr session)
{
    for (const char* job : {kStackFindJob, kStackJob}) tasks().drop(job);
    session_ = std::move(session);
    canvas_->setSession(session_);
    anomalies_ = nullptr;
    data_ = nullptr;
    finding_ = stacking_ = false;
    QString message = tr("Looking for anomalous calls…");
    if (!session_) message = tr("Open a trace to see the calls in an execution.");
    else if (!sessionHasTrace(*session_))
        message = tr("Executions need the times of single calls, and a profile has none. Open a trace.");
    else begin_.start();
    canvas_->setData(nullptr, message);
}

bool ExecutionStackView::upToDate() const
{
    return !finding_ && !stacking_ && !begin_.isActive() && canvas_->upToDate();
}

void ExecutionStackView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    begin_.start();
}

void ExecutionStackView::find()
{
    if (finding_ || anomalies_ || !isVisible() || !session_ || !sessionHasTrace(*session_)) return;
    finding_ = true;
    tasks().run<SessionAnomaliesPtr>(
        {kStackFindJob, tr("Anomalous calls")}, this,
        [session = session_, search = AnomalyRules::of(selection()).search(),
         results = results()](const Task& task) { return anomaliesOf(*results, session, search, task); },
        [this](Result<SessionAnomaliesPtr> found) {
            finding_ = false;
            if (!found)
                return canvas_->setData(nullptr,
                                        found.error().cancelled()
                                            ? tr("The search for anomalous calls was cancelled. Show this "
                                                 "panel again to repeat it.")
                                            : toQString(found.error().text()));
            anomalies_ = *found;
            stack();
        });
}

void ExecutionStackView::stack()
{
    if (!anomalies_) return;
    stacking_ = true;
    tasks().run<ExecutionStackDataPtr>(
        {kStackJob, tr("Collecting the calls of executions"), JobVisibility::WhenSlow}, this,
        [anomalies = anomalies_, selected = selection().state().selected, said = selection().state().verdicts,
         use = selection().state().verdictUse](const Task& task) {
            return stackExecutions(*anomalies, selected, *anomalies->inForce(said, use), task);
        },
        [this](Result<ExecutionStackDataPtr> made) {
            stacking_ = false;
            if (!made) return;
            data_ = *made;
            canvas_->setData(data_, tr("No call is anomalous. Select a call to see what happened in it."));
            if (showsTable()) fillTable();
        });
}

void ExecutionStackView::fillTable()
{
    tableCalls_.clear();
    std::vector<std::vector<TableCell>> cells;
    for (std::size_t i = 0; data_ && i < data_->executions.size(); ++i) {
        const StackedExecution& execution = data_->executions[i];
        const CallIntervals& calls = callsOfStack(*data_, execution);
        const std::string title = callTitle(*data_->session, execution.of);
        for (std::uint32_t call = execution.of.index; call < execution.end && cells.size() < kMostTableCalls;
             ++call) {
            const IntervalRef reference{execution.of.experiment, execution.of.location, call};
            const RegionRef region = regionOf(*data_->session, callPathOf(*data_->session, reference));
            const auto& definitions = data_->session->experiments[execution.of.experiment]->definitions;
            cells.push_back({title,
                             region.valid() ? displayName(definitions.region(region.id)) : std::string(),
                             static_cast<double>(calls.depth[call] - calls.depth[execution.of.index] + 1),
                             static_cast<double>(calls.begin[call] - execution.span.begin),
                             static_cast<double>(calls.end[call] - calls.begin[call]),
                             std::string(name(labelOf(execution.odd, reference)))});
            tableCalls_.push_back(reference);
        }
    }
    rows().setTable({{tr("Execution")},
                     {tr("Function")},
                     {tr("Depth"), CellKind::Count},
                     {tr("From its begin"), CellKind::Duration},
                     {tr("Duration"), CellKind::Duration},
                     {tr("Label")}},
                    std::move(cells));
}

}  // namespace skein
