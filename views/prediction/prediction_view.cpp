// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_view.h"

#include "core/session/session_clock.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/prediction/prediction_canvas.h"

#include <QComboBox>

namespace skein {
namespace {

constexpr const char* kPredictionJob = "prediction";

}  // namespace

PredictionView::PredictionView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "prediction", parent),
      feed_(context, this),
      canvas_(new PredictionCanvas(context, this)),
      trials_(context, this, "prediction.compare", "prediction.against",
              [this](const char* name, const QString& label, const QStringList& items) {
                  return addChoice(name, label, items);
              })
{
    setPicture(canvas_, tr("Phases"));
    setHead(&feed_.head());
    // Both are always shown beside each other here.
    auto* show = findChild<QComboBox*>("prediction.compare");
    show->setCurrentIndex(static_cast<int>(TrialShow::SideBySide));
    show->hide();
    connect(&feed_, &CommunicationFeed::changed, this, [this] { trials_.setBase(feed_.communication()); });
    connect(&trials_, &TrialChooser::changed, this, &PredictionView::compute);
    connect(this, &PicturePanel::tableWanted, this, &PredictionView::fillTable);
    connect(this, &PicturePanel::rowsChosen, this, [this](const std::vector<std::size_t>& rows) {
        if (!rows.empty()) markPhase(rows.front());
    });
    connect(canvas_, &PredictionCanvas::phaseChosen, this, &PredictionView::markPhase);
    connect(canvas_, &PredictionCanvas::linkChosen, this, &PredictionView::chooseLink);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(CommunicationFeed::kParts)) feed_.update();
    });
    canvas_->setPrediction(nullptr, feed_.message());
}

void PredictionView::setSession(SessionPtr session)
{
    tasks().drop(kPredictionJob);
    trials_.setSession(session);
    canvas_->setPrediction(nullptr, feed_.message());
    rows().clearRows();
    feed_.setSession(std::move(session));
}

void PredictionView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    feed_.update();
    trials_.update();
}

void PredictionView::compute()
{
    if (!feed_.communication()) {
        tasks().drop(kPredictionJob);
        rows().clearRows();
        return canvas_->setPrediction(nullptr, feed_.message());
    }
    tasks().run<PredictionPtr>(
        {kPredictionJob, tr("Replaying the messages")}, this,
        [session = feed_.session(), base = feed_.communication(), other = trials_.other(),
         trial = trials_.name()](const Task& task) {
            return predictionOf(*session, base, other, trial, task);
        },
        [this](Result<PredictionPtr> prediction) {
            if (prediction) {
                canvas_->setPrediction(*prediction, {});
                if (showsTable()) fillTable();
            } else if (!prediction.error().cancelled()) {
                canvas_->setPrediction(nullptr, toQString(prediction.error().text()));
                rows().clearRows();
            }
        });
}

void PredictionView::markPhase(std::size_t phase)
{
    const PredictionPtr& shown = canvas_->shown();
    if (!shown || phase >= shown->phases.size() || !shown->phases[phase].span) return;
    const ViewState& state = selection().state();
    // The list keeps all phases where the timeline goes to one of them.
    if (feed_.head().pin() == ScopeHead::Pin::Follow && !state.brushed)
        feed_.head().pinTo(ScopeHead::Pin::Kept);
    const SessionClock clock = sessionClock(*feed_.session(), state.clockShiftsNs);
    selection().setVisible(clock.toSession(shown->base->request.experiment, *shown->phases[phase].span),
                           nullptr);
    selection().say(tr("The timeline shows phase %1.").arg(phase));
}

void PredictionView::chooseLink(std::size_t link)
{
    const PredictionPtr& shown = canvas_->shown();
    if (!shown || link >= shown->links.size()) return;
    Selection chosen;
    chosen.links = {LinkRef{shown->links[link].link}};
    const SessionCommunication& base = *shown->base;
    for (const std::size_t entry : entriesOver(base, chosen.links))
        chosen.rankPairs.push_back({base.request.experiment, base.matrix->entries()[entry].sender,
                                    base.matrix->entries()[entry].receiver});
    std::ranges::sort(chosen.rankPairs);
    selection().setSelected(chosen, this);
}

void PredictionView::fillTable()
{
    const PredictionPtr& shown = canvas_->shown();
    if (!shown) return rows().clearRows();
    const auto time = [](const std::optional<double>& seconds) {
        return seconds ? TableCell(*seconds * 1e9) : TableCell();
    };
    std::vector<std::vector<TableCell>> cells;
    for (std::size_t i = 0; i < shown->phases.size(); ++i) {
        const PredictedPhase& phase = shown->phases[i];
        const auto at = [&](TimeNs moment) {
            return phase.span ? TableCell(static_cast<double>(moment)) : TableCell();
        };
        cells.push_back({static_cast<double>(i), at(phase.span.value_or(TimeSpan{}).begin),
                         at(phase.span.value_or(TimeSpan{}).end), static_cast<double>(phase.messages),
                         static_cast<double>(phase.bytes), time(phase.asItIs), time(phase.tried),
                         time(phase.measured), time(phase.rerun)});
    }
    rows().setTable({{tr("Phase"), CellKind::Count},
                     {tr("Begin"), CellKind::Duration},
                     {tr("End"), CellKind::Duration},
                     {tr("Messages"), CellKind::Count},
                     {tr("Bytes"), CellKind::Bytes},
                     {tr("Predicted"), CellKind::Duration, tr("As it is, replayed over the links")},
                     {tr("… as tried"), CellKind::Duration},
                     {tr("In MPI"), CellKind::Duration, tr("Measured: mean of the processes")},
                     {tr("… in the other run"), CellKind::Duration}},
                    std::move(cells));
}

}  // namespace skein
