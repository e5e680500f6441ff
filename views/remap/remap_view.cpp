// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_view.h"

#include "views/common/elided_label.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/task_runner.h"
#include "views/common/trial_model.h"
#include "views/common/utf8_text.h"
#include "views/remap/candidate_list.h"
#include "views/remap/map_export_dialog.h"
#include "views/remap/remap_canvas.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr int kRemapDelayMs = 100;
constexpr int kLiveMs = 100;
constexpr auto kWorthKey = "remap.worth";
constexpr auto kSearchKey = "remap.search";
constexpr auto kPickKey = "remap.pick";
constexpr int kNoMoveLimit = 0;

}  // namespace

RemapView::RemapView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      candidates_(new CandidateList(context, this)),
      head_(new ElidedLabel(this)),
      figures_(new CellTable("remap.figures", tr("Figures before and after"), this)),
      canvas_(new RemapCanvas(context, this))
{
    layOut();
    delay_.setSingleShot(true);
    delay_.setInterval(kRemapDelayMs);
    tick_.setInterval(kLiveMs);
    connect(&delay_, &QTimer::timeout, this, &RemapView::compute);
    connect(&tick_, &QTimer::timeout, this, &RemapView::showLive);
    connect(canvas_, &RemapCanvas::picked, this, &RemapView::pick);
    connect(candidates_, &CandidateList::changed, this, &RemapView::listCandidates);
    connect(candidates_, &CandidateList::failed, this, [this](const QString& sentence) {
        unfit_ = sentence;
        say({});
    });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kBrushed | ViewParts::kFilters | ViewParts::kClocks
                             | ViewParts::kMachine))
            delay_.start();
    });
    setSession(nullptr);
}

RemapView::~RemapView()
{
    if (live_) live_->stop.request_stop();
}

void RemapView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    if (live_) live_->stop.request_stop();
    tick_.stop();
    tasks().drop(kWorthKey);
    tasks().drop(kPickKey);
    communication_ = nullptr;
    worth_.reset();
    TrialModel::of(selection()).drop(tr("Search under way").toStdString());
    TrialModel::of(selection()).hold({});
    const auto communicates = session_ ? communicatingExperiment(*session_) : std::nullopt;
    experiment_ = communicates.value_or(0);
    worthWords_->clear();
    unfit_.clear();
    say({});
    head_->setText({});
    candidates_->setRun(session_, experiment_);
    listCandidates();
    takeFoundLate();
    stale_ = true;
    if (communicates) delay_.start();
}

/// A search that another session ended was for nothing where that is of another run, and has found what it
/// has found where it is not.
void RemapView::takeFoundLate()
{
    if (!session_) return;
    const std::shared_ptr<const CallTree> run =
        experiment_ < session_->experiments.size() ? session_->experiments[experiment_]->callTree : nullptr;
    const bool same = run && searched_.lock() == run;
    if (!same) {
        tasks().drop(kSearchKey);
        live_ = nullptr;
    }
    const RemapCandidatePtr found = std::exchange(foundLate_, nullptr);
    if (found && same) candidates_->keep(found);
    enable();
}

const std::vector<RemapCandidatePtr>& RemapView::candidates() const { return candidates_->candidates(); }

Result<RemapRequest> RemapView::request() const
{
    if (!communication_) return fail(ErrorCode::NotRecorded, "Nothing that is open tells who sent to whom.");
    const std::string obstacle = remapObstacle(*communication_);
    if (!obstacle.empty()) return fail(ErrorCode::InvalidArgument, obstacle);
    ConstraintTexts texts{.pinned = pinned_->text().toStdString(),
                          .together = together_->text().toStdString(),
                          .apart = apart_->text().toStdString(),
                          .freeNodes = freeNodes_->text().toStdString(),
                          .maxMoved = MappingConstraints::kNoLimit,
                          .capacity = static_cast<std::uint32_t>(capacity_->value())};
    if (maxMoved_->value() != kNoMoveLimit) texts.maxMoved = static_cast<std::uint32_t>(maxMoved_->value());
    auto constraints = constraintsOf(texts, communication_->machine->topology->nodes());
    if (!constraints) return Unexpected(constraints.error());
    RemapRequest request;
    request.communication = communication_;
    request.objective = static_cast<RemapObjective>(objective_->currentIndex());
    request.constraints = std::move(*constraints);
    request.wholeMachine = nodes_->currentIndex() == 1;
    request.seconds = seconds_->value();
    request.seed = static_cast<std::uint64_t>(seed_->value());
    return request;
}

/// The communication first: what may be mapped, and whether it is worth it.
void RemapView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (stale_) delay_.start();
}

void RemapView::compute()
{
    delay_.stop();
    stale_ = !isVisible();
    if (stale_ || !session_ || !communicatingExperiment(*session_)) return;
    const ViewState& state = selection().state();
    const auto now = communicationRequest(state, searchedScope(state), experiment_);
    tasks().run<SessionCommunicationPtr>(
        {kWorthKey, tr("Is a remapping worth it?")}, this,
        [session = session_, results = results(), now](const Task& task) {
            return communicationOf(*results, session, now, task);
        },
        [this](Result<SessionCommunicationPtr> communication) {
            if (!communication) {
                if (!communication.error().cancelled()) say(toQString(communication.error().text()));
                return;
            }
            if (communication_ != *communication) worth_.reset();
            communication_ = *communication;
            head_->setText(toQString(searchedText(*communication_)));
            showCandidate();
            const auto asked = request();
            TrialModel::of(selection()).hold(asked ? heldNodesOf(*asked) : HeldNodes());
            if (!asked) return say(toQString(asked.error().text()));
            say({});
            tasks().run<RemapWorth>(
                {kWorthKey, tr("Is a remapping worth it?")}, this,
                [asked = *asked](const Task& task) { return remapWorth(asked, task); },
                [this](Result<RemapWorth> worth) {
                    if (worth) takeWorth(*worth);
                    else if (!worth.error().cancelled()) say(toQString(worth.error().text()));
                });
        });
}

void RemapView::takeWorth(const RemapWorth& worth)
{
    worth_ = worth;
    worthWords_->setText(worth.possiblePercent() < 0.005
                             ? tr("No: no placement is better than the one it has.")
                             : tr("At most %1 % are to be gained: no placement is below that.")
                                   .arg(worth.possiblePercent(), 0, 'f', 1));
    enable();
    showCandidate();
}

void RemapView::search(From from)
{
    auto asked = request();
    if (!asked) return say(toQString(asked.error().text()));
    if (const RemapCandidatePtr kept = chosen(); kept && from == From::Candidate) {
        const auto slots = kept->placement.slotOfRank();
        asked->from.assign(slots.begin(), slots.end());
        asked->seed += candidates().size();
    }
    say({});
    live_ = std::make_shared<Live>();
    searched_ = session_->experiments[experiment_]->callTree;
    const std::string name = candidates_->freshName();
    tasks().run<RemapCandidatePtr>(
        {kSearchKey, tr("Searching a placement"), JobVisibility::AtOnce}, this,
        [asked = *asked, name, live = live_](const Task& task) {
            const std::stop_callback also(task.stopToken(), [&] { live->stop.request_stop(); });
            return searchPlacement(
                asked, name,
                [&](const MappingProgress& progress) {
                    const std::lock_guard lock(live->mutex);
                    live->curve.push_back(progress);
                },
                Task(live->stop.get_token()), task,
                [&](std::span<const std::uint32_t> slots) {
                    const std::lock_guard lock(live->mutex);
                    live->better.assign(slots.begin(), slots.end());
                });
        },
        [this](Result<RemapCandidatePtr> candidate) { take(std::move(candidate)); });
    tick_.start();
    enable();
}

void RemapView::take(Result<RemapCandidatePtr> candidate)
{
    tick_.stop();
    live_ = nullptr;
    TrialModel::of(selection()).drop(tr("Search under way").toStdString());
    if (candidate && session_) candidates_->keep(*candidate);
    else if (candidate) foundLate_ = *candidate;
    if (!candidate && !candidate.error().cancelled()) say(toQString(candidate.error().text()));
    enable();
}

/// The newest is chosen, but one that was chosen stays where none came. Items stay what they are: one may be
/// the one whose name is being written.
void RemapView::listCandidates()
{
    const std::vector<RemapCandidatePtr>& kept = candidates();
    const int before = list_->count(), count = static_cast<int>(kept.size());
    {
        const QSignalBlocker quietList(list_), quietCompared(compared_);
        while (list_->count() > count) delete list_->takeItem(list_->count() - 1);
        while (compared_->count() > 1 + count) compared_->removeItem(compared_->count() - 1);
        if (compared_->count() == 0) compared_->addItem(tr("the placement as it is"));
        for (int row = 0; row < count; ++row) listCandidate(*kept[static_cast<std::size_t>(row)], row);
        if (count > before) list_->setCurrentRow(count - 1);
    }
    showCandidate();
}

void RemapView::listCandidate(const RemapCandidate& candidate, int row)
{
    const QString name = toQString(candidate.name);
    if (row == list_->count()) list_->addItem(name);
    if (row + 1 == compared_->count()) compared_->addItem(name);
    compared_->setItemText(row + 1, name);
    QListWidgetItem& item = *list_->item(row);
    item.setText(name);
    item.setFlags(item.flags() | Qt::ItemIsEditable);
    item.setToolTip(tr("%1 % less, %2 of %3 ranks move. %4")
                        .arg(candidate.gainPercent(), 0, 'f', 2)
                        .arg(candidate.moved)
                        .arg(candidate.placement.ranks())
                        .arg(toQString(candidate.method)));
}

/// Everywhere it is chosen by its name.
void RemapView::rename(QListWidgetItem* item)
{
    const auto row = static_cast<std::size_t>(list_->row(item));
    if (row >= candidates().size()) return;
    const std::string name = item->text().trimmed().toStdString();
    if (name == candidates()[row]->name) return;
    if (!candidates_->rename(row, name)) listCandidates();
}

RemapCandidatePtr RemapView::chosen() const
{
    const int row = list_->currentRow();
    return row >= 0 && row < static_cast<int>(candidates().size())
        ? candidates()[static_cast<std::size_t>(row)]
        : nullptr;
}

void RemapView::pick(std::size_t point)
{
    const RemapCandidatePtr like = chosen();
    if (!like || point >= like->front.size()) return;
    const std::string name =
        tr("%1, %2 moved").arg(toQString(like->name)).arg(like->front[point].moved).toStdString();
    // A search that runs goes on.
    tasks().run<RemapCandidatePtr>(
        {kPickKey, tr("Working out a placement")}, this,
        [like, name, slotOfRank = like->front[point].slotOfRank](const Task& task) {
            return candidateOf(*like, slotOfRank, name, task);
        },
        [this](Result<RemapCandidatePtr> candidate) {
            if (candidate) candidates_->keep(*candidate);
            else if (!candidate.error().cancelled()) say(toQString(candidate.error().text()));
        });
}

/// All communication views can show it beside the placement as it is.
void RemapView::tellTrial(const std::string& name, std::vector<std::uint32_t> slotOfRank)
{
    CommunicationTrial trial;
    trial.kind = CommunicationTrial::Kind::Placement;
    trial.name = name;
    trial.slotOfRank = std::move(slotOfRank);
    TrialModel::of(selection()).keep(std::make_shared<const CommunicationTrial>(std::move(trial)));
}

void RemapView::showLive()
{
    if (!live_) return;
    RemapPicture picture = canvas_->picture();
    std::vector<std::uint32_t> better;
    {
        const std::lock_guard lock(live_->mutex);
        picture.curve = live_->curve;
        better.swap(live_->better);
    }
    if (!better.empty()) tellTrial(tr("Search under way").toStdString(), std::move(better));
    picture.candidate = nullptr;
    picture.worth = worth_;
    picture.searchedSeconds = picture.curve.empty() ? 0 : picture.curve.back().seconds;
    canvas_->setPicture(std::move(picture), {});
}

void RemapView::showCandidate()
{
    RemapPicture picture;
    picture.worth = worth_;
    picture.candidate = chosen();
    if (picture.candidate) {
        picture.communication = picture.candidate->request.communication;
        picture.curve = picture.candidate->curve;
        picture.searchedSeconds = picture.candidate->searchedSeconds;
    } else if (communication_ && communication_->machine) {
        picture.communication = communication_;
    }
    const int beside = compared_->currentIndex() - 1;
    if (beside >= 0 && beside < static_cast<int>(candidates().size())
        && candidates()[static_cast<std::size_t>(beside)] != picture.candidate)
        picture.compared = candidates()[static_cast<std::size_t>(beside)];
    const QString message = !session_ ? tr("Open an archive to look for a better placement of its ranks.")
        : communication_              ? toQString(remapObstacle(*communication_))
                                      : tr("Nothing that is open tells who sent to whom. Open a trace with "
                                                        "messages, a profile with a communication matrix, or a hop-byte file.");
    canvas_->setPicture(std::move(picture), message);
    showFigures();
    enable();
}

void RemapView::showFigures()
{
    if (!canvas_->picture().communication) return figures_->clearRows();
    std::vector<std::vector<TableCell>> rows;
    for (const RemapFigure& figure : remapFigures(canvas_->picture())) {
        const QString change =
            QString("%1%2").arg(figure.changePercent > 0 ? "+" : "").arg(figure.changePercent, 0, 'f', 2);
        rows.push_back({figure.what, figure.before, figure.after,
                        figure.told
                            ? TableCell(WordedNumber{change.toStdString(), figure.changePercent / 100})
                            : TableCell()});
    }
    const bool ofCandidate = canvas_->picture().candidate != nullptr;
    const bool others = std::exchange(figuresOfCandidate_, ofCandidate) != ofCandidate;
    // Each figure has a unit of its own: before and after are words.
    figures_->setRows({{tr("Figure")},
                       {tr("Before"), CellKind::Number},
                       {tr("After"), CellKind::Number},
                       {tr("% change"), CellKind::Percent}},
                      std::move(rows));
    if (others) figures_->fit();
}

/// A candidate that does not fit is told as long as nothing else is wrong.
void RemapView::say(const QString& problem)
{
    problem_->setText(problem.isEmpty() ? unfit_ : problem);
    problem_->setVisible(!problem_->text().isEmpty());
    if (!problem.isEmpty()) worthWords_->clear();
}

void RemapView::enable()
{
    const bool searching = live_ != nullptr;
    start_->setEnabled(!searching && communication_ && communication_->machine);
    stop_->setEnabled(searching);
    goOn_->setEnabled(!searching && chosen());
    write_->setEnabled(!searching && chosen());
}

void RemapView::writeMap()
{
    const RemapCandidatePtr candidate = chosen();
    if (!candidate || !session_) return;
    auto* dialog = new MapExportDialog(session_, candidate, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

std::optional<DrawList> RemapView::drawnPicture(int width, int height) const
{
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
