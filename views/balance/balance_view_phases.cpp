// SPDX-License-Identifier: GPL-3.0-or-later
// The efficiencies by phase in the panel Balance.
#include "views/balance/balance_view.h"
#include "views/balance/phase_canvas.h"
#include "views/common/choice_box.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QToolButton>

namespace skein {
namespace {

constexpr const char* kPhasesJob = "balance.phases";
constexpr const char* kPhaseRegionsJob = "balance.regions";

}  // namespace

void BalanceView::addPhases()
{
    phases_ = newChoice(
        this, "balance.phases", tr("Efficiencies by phase"),
        {tr("Without phases"), tr("A phase a marked span"), tr("A phase a call of the selected region")});
    connect(phases_, &QComboBox::activated, this, &BalanceView::switchPhases);
    connect(curves_, &PhaseCanvas::phaseChosen, this, &BalanceView::showPhase);
}

/// What was worked out for the choice before is not that of this one.
void BalanceView::switchPhases()
{
    tasks().drop("balance");
    tasks().drop(kPhasesJob);
    asked_.reset();
    cells_->clearRows();
    table_->sortByColumn(-1, Qt::AscendingOrder);
    presentPhases(nullptr, tr("Summing up the phases…"));
    showParts();
    compute();
}

/// Another session: without phases, with its regions in the list.
void BalanceView::proposePhases()
{
    tasks().drop(kPhasesJob);
    tasks().drop(kPhaseRegionsJob);
    asked_.reset();
    presentPhases(nullptr, tr("Open an archive to see how well its processes were used."));
    phases_->setCurrentIndex(kNoPhases);
    while (phases_->count() > kSelectedRegion + 1) phases_->removeItem(phases_->count() - 1);
    if (!session_) return;
    tasks().run<std::vector<std::string>>(
        {kPhaseRegionsJob, tr("Regions that repeat")}, this,
        [session = session_](const Task& task) -> Result<std::vector<std::string>> {
            return proposedPhaseRegions(*session, task);
        },
        [this](Result<std::vector<std::string>> names) {
            if (!names) return;
            for (const std::string& name : *names)
                phases_->addItem(tr("A phase a call of %1").arg(toQString(name)), toQString(name));
        });
}

bool BalanceView::byPhase() const { return phases_->currentIndex() > kNoPhases; }

PhaseRequest BalanceView::phaseRequest() const
{
    const ViewState& state = selection().state();
    PhaseRequest request{{}, {}, head_->scope().span, head_->filters(), state.clockShiftsNs};
    const int choice = phases_->currentIndex();
    if (choice > kSelectedRegion) request.region = phases_->currentData().toString().toStdString();
    if (choice == kMarkedPhases) request.marks = state.marks;
    if (choice == kSelectedRegion && !state.selected.regions.empty()) {
        const RegionRef region = state.selected.regions.front();
        request.region = session_->experiments[region.experiment]->definitions.region(region.id).name;
    }
    return request;
}

void BalanceView::computePhases()
{
    if (!session_) return;
    PhaseRequest request = phaseRequest();
    if (asked_ == request) return;
    asked_ = request;
    if (request.region.empty() && phases_->currentIndex() == kSelectedRegion) {
        tasks().drop(kPhasesJob);
        return presentPhases(nullptr,
                             tr("Select a region, here or in another panel: its calls are the phases."));
    }
    tasks().run<BalancePhasesPtr>(
        {kPhasesJob, tr("Efficiencies by phase")}, this,
        [session = session_, request = std::move(request)](const Task& task) -> Result<BalancePhasesPtr> {
            auto phases = makeBalancePhases(*session, request, task);
            if (!phases) return tl::make_unexpected(std::move(phases.error()));
            return std::make_shared<const BalancePhases>(std::move(*phases));
        },
        [this](Result<BalancePhasesPtr> phases) {
            if (phases && (*phases)->count() > 0) return presentPhases(*phases, {});
            if (phases) return presentPhases(nullptr, toQString((*phases)->runs.front().message));
            if (!phases.error().cancelled()) return presentPhases(nullptr, toQString(phases.error().text()));
            asked_.reset();
        });
}

void BalanceView::presentPhases(BalancePhasesPtr phases, const QString& message)
{
    if (byPhase()) head_->setDetail(phases ? tr("Efficiencies by phase") : QString());
    curves_->setPhases(std::move(phases), message);
    fillTable();
}

void BalanceView::fillPhaseTable()
{
    const BalancePhasesPtr& phases = curves_->phases();
    if (!phases) {
        tablePlaces_.clear();
        return cells_->clearRows();
    }
    PhaseTable table = phaseTable(*phases);
    tablePlaces_ = std::move(table.places);
    cells_->setTable({{tr("Phase"), CellKind::Count},
                      {tr("Begin"), CellKind::Duration},
                      {tr("Parallel efficiency"), CellKind::Percent},
                      {tr("Load balance"), CellKind::Percent},
                      {tr("Communication efficiency"), CellKind::Percent},
                      {tr("Useful"), CellKind::Duration, tr("Outside MPI: mean of the processes")},
                      {tr("Most useful"), CellKind::Duration, tr("The most of a process")},
                      {tr("On")},
                      {tr("Runtime"), CellKind::Duration, tr("The longest of a process")},
                      {tr("Processes"), CellKind::Count},
                      {tr("Note")},
                      {tr("Run")}},
                     std::move(table.rows));
    fitColumns(*table_, 80);
    if (table.left > 0)
        selection().say(tr("%L1 more phases have no room in a table; skein-cli efficiency --by-region prints "
                           "all.")
                            .arg(table.left));
}

/// The window shows the phase; what the panel shows stays.
void BalanceView::showPhase(PhasePlace place)
{
    const BalancePhasesPtr& phases = curves_->phases();
    if (!phases || place.run >= phases->runs.size() || place.phase >= phases->runs[place.run].phases.size())
        return;
    const BalancePhase phase = phases->runs[place.run].phases[place.phase];
    const bool follows = head_->pin() == ScopeHead::Pin::Follow && head_->scope().kind != Scope::Span::Marked;
    if (follows || head_->pin() == ScopeHead::Pin::Visible) head_->pinTo(ScopeHead::Pin::Kept);
    selection().setVisible(phase.span, this);
    selection().say(tr("The timeline shows phase %1.").arg(phase.efficiency.phase));
}

}  // namespace skein
