// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_view.h"

#include "core/select/translate.h"
#include "views/common/anomaly_rules.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/structure/structure_canvas.h"

#include <QComboBox>

#include <algorithm>

namespace skein {
namespace {

constexpr const char* kFindJob = "structure anomalies";
constexpr const char* kCompareJob = "structure compare";
constexpr const char* kPlaceJob = "structure place";
constexpr int kDepthsOffered = 8;

bool anyTraceIn(const Session& session)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(),
                       [](const ExperimentPtr& experiment) { return experiment->trace != nullptr; });
}

}  // namespace

StructureView::StructureView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "structure", parent), canvas_(new StructureCanvas(context, this))
{
    setPicture(canvas_, tr("Nodes of the executions"));
    shape_ =
        addChoice("structure.shape", tr("How the trees are laid out"), {tr("Tidy"), tr("Force-directed")});
    QStringList depths{tr("About 20 nodes")};
    for (int depth = 1; depth <= kDepthsOffered; ++depth) depths.push_back(tr("Depth %1").arg(depth));
    depths.push_back(tr("All nodes"));
    depth_ = addChoice("structure.depth", tr("How far the trees are opened; anomalies always are"), depths);
    twin_ = addChoice("structure.twin", tr("What stands beside an execution"),
                      {tr("Beside its normal twin"), tr("Alone")});
    for (QComboBox* choice : {shape_, depth_, twin_})
        connect(choice, &QComboBox::currentIndexChanged, this, &StructureView::place);
    connect(canvas_, &StructureCanvas::callChosen, this, &StructureView::choose);
    connect(this, &PicturePanel::tableWanted, this, &StructureView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this, [this](const std::vector<std::size_t>& rows) {
        if (!data_ || rows.empty() || rows[0] >= tableNodes_.size()) return;
        const auto& [execution, node] = tableNodes_[rows[0]];
        auto call = callOfNode(data_->executions[execution], StructureSide::Execution, node);
        if (!call) call = callOfNode(data_->executions[execution], StructureSide::Twin, node);
        if (call) choose(*call, false);
    });
    begin_.setSingleShot(true);
    begin_.setInterval(kShownForMs);
    connect(&begin_, &QTimer::timeout, this, &StructureView::find);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected | ViewParts::kVerdicts)) {
            stay_ = selection().state().selected;
            compare();
        } else if (change.parts.has(ViewParts::kColors)) canvas_->setPicture(canvas_->shown(), {});
    });
    connect(&AnomalyRules::of(selection()), &AnomalyRules::changed, this, [this] { setSession(session_); });
    setSession(nullptr);
}

void StructureView::setSession(SessionPtr session)
{
    for (const char* job : {kFindJob, kCompareJob, kPlaceJob}) tasks().drop(job);
    session_ = std::move(session);
    canvas_->setSession(session_);
    anomalies_ = nullptr;
    data_ = nullptr;
    finding_ = comparing_ = false;
    stay_ = selection().state().selected;
    QString message = tr("Looking for anomalous calls…");
    if (!session_) message = tr("Open a trace to see what happens in an execution.");
    else if (!anyTraceIn(*session_))
        message = tr("Executions need the times of single calls, and a profile has none. Open a trace.");
    else begin_.start();
    canvas_->setPicture(nullptr, message);
}

bool StructureView::upToDate() const
{
    return !finding_ && !comparing_ && !begin_.isActive() && canvas_->upToDate();
}

void StructureView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    begin_.start();
}

void StructureView::find()
{
    if (finding_ || anomalies_ || !isVisible() || !session_ || !anyTraceIn(*session_)) return;
    finding_ = true;
    tasks().run<SessionAnomaliesPtr>(
        {kFindJob, tr("Anomalous calls")}, this,
        [session = session_, search = AnomalyRules::of(selection()).search(),
         results = results()](const Task& task) { return anomaliesOf(*results, session, search, task); },
        [this](Result<SessionAnomaliesPtr> found) {
            finding_ = false;
            if (!found)
                return canvas_->setPicture(nullptr,
                                           found.error().cancelled()
                                               ? tr("The search for anomalous calls was cancelled. Show this "
                                                    "panel again to repeat it.")
                                               : toQString(found.error().text()));
            anomalies_ = *found;
            compare();
        });
}

/// What the panel itself selects is in the trees already: they stay.
void StructureView::compare()
{
    if (!anomalies_) return;
    comparing_ = true;
    tasks().run<StructureDataPtr>(
        {kCompareJob, tr("Comparing executions"), JobVisibility::WhenSlow}, this,
        [anomalies = anomalies_, selected = stay_, said = selection().state().verdicts,
         use = selection().state().verdictUse](const Task& task) {
            return compareStructures(*anomalies, selected, *anomalies->inForce(said, use), task);
        },
        [this](Result<StructureDataPtr> made) {
            comparing_ = false;
            if (!made) return;
            data_ = *made;
            place();
        });
}

StructureOptions StructureView::options() const
{
    StructureOptions options;
    options.shape = shape_->currentIndex() == 1 ? StructureShape::Force : StructureShape::Tidy;
    const int depth = depth_->currentIndex();
    if (depth > kDepthsOffered) options.depth = 0xFFFFu;
    else if (depth > 0) options.depth = static_cast<std::uint32_t>(depth);
    options.twins = twin_->currentIndex() != 1;
    return options;
}

void StructureView::place()
{
    if (!data_) return;
    if (data_->executions.empty())
        return canvas_->setPicture(nullptr,
                                   tr("No call is anomalous. Select a call to see what happened in it."));
    tasks().run<StructurePicturePtr>(
        {kPlaceJob, tr("Laying out executions"), JobVisibility::WhenSlow}, this,
        [compared = data_, options = options()](const Task& task) {
            return placeStructures(compared, options, task);
        },
        [this](Result<StructurePicturePtr> picture) {
            if (!picture) return;
            canvas_->setPicture(*picture, {});
            if (showsTable()) fillTable();
        });
}

void StructureView::choose(const IntervalRef& call, bool add)
{
    Selection chosen = select(*session_, call);
    if (add) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    canvas_->setPicture(canvas_->shown(), {});
}

void StructureView::fillTable()
{
    tableNodes_.clear();
    std::vector<std::vector<TableCell>> cells;
    for (std::size_t i = 0; data_ && i < data_->executions.size(); ++i) {
        const ComparedExecution& execution = data_->executions[i];
        std::vector<std::string> paths;
        for (std::uint32_t node = 0; node < execution.alignment.nodes.size(); ++node) {
            const AlignedNode& aligned = execution.alignment.nodes[node];
            const std::string own = functionOfNode(*data_, execution, node);
            paths.push_back(aligned.parent == kNoNode ? own : paths[aligned.parent] + " → " + own);
            const ExecutionNode* first = executionNode(execution, StructureSide::Execution, node);
            const ExecutionNode* second = executionNode(execution, StructureSide::Twin, node);
            if (!execution.twin) second = nullptr;
            const auto amount = [](const ExecutionNode* each, auto value) {
                return each ? TableCell(static_cast<double>(value(*each))) : TableCell(std::string());
            };
            const auto duration = [](const ExecutionNode& each) { return each.durationNs; };
            const auto calls = [](const ExecutionNode& each) { return each.calls; };
            const auto differs = [&](TimeNs ns) {
                return execution.twin ? TableCell(static_cast<double>(ns)) : TableCell(std::string());
            };
            cells.push_back({callTitle(*data_->session, execution.of), paths.back(),
                             execution.twin ? structureKind(aligned) : std::string(), amount(first, calls),
                             amount(second, calls), amount(first, duration), amount(second, duration),
                             differs(aligned.differenceNs), differs(aligned.belowNs)});
            tableNodes_.emplace_back(i, node);
        }
    }
    rows().setTable({{tr("Execution")},
                     {tr("Call path")},
                     {tr("Kind")},
                     {tr("Calls"), CellKind::Count},
                     {tr("Calls, twin"), CellKind::Count},
                     {tr("Duration"), CellKind::Duration},
                     {tr("Duration, twin"), CellKind::Duration},
                     {tr("Own difference"), CellKind::Duration},
                     {tr("Difference with all below"), CellKind::Duration}},
                    std::move(cells));
}

}  // namespace skein
