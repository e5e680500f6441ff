// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_view.h"

#include "views/common/choice_box.h"
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
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

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
    connect(candidates_, &CandidateList::failed, this, &RemapView::say);
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

QLineEdit* RemapView::addRanks(QFormLayout& form, const char* name, const RankFieldTexts& texts,
                               const std::function<QString(const QString&)>& add)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(QString(texts.label).remove('&'));
    field->setToolTip(tr("%1, such as %2").arg(texts.meaning, texts.example));
    field->setPlaceholderText(texts.example);
    keepWithPanel(*field);
    auto* button = new QToolButton(this);
    button->setObjectName(QString(name) + ".add");
    button->setText(tr("+ selected"));
    button->setToolTip(tr("Adds what is selected in the views"));
    auto* row = new QHBoxLayout;
    row->addWidget(field, 1);
    row->addWidget(button);
    // A row that is a layout makes no label that belongs to a field.
    auto* label = new QLabel(texts.label, this);
    label->setBuddy(field);
    label->setToolTip(field->toolTip());
    form.addRow(label, row);
    connect(button, &QToolButton::clicked, this, [this, field, add, nothing = texts.nothing] {
        const QString now = add(field->text());
        if (now == field->text()) selection().say(nothing);
        field->setText(now);
    });
    connect(field, &QLineEdit::textChanged, this, [this] { delay_.start(); });
    return field;
}

QWidget* RemapView::makeForm()
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    objective_ = new QComboBox(page);
    objective_->setObjectName("remap.objective");
    objective_->setAccessibleName(tr("Lower"));
    objective_->addItems({tr("Hop-bytes"), tr("Largest load of a link"), tr("Half of each")});
    form->addRow(tr("&Lower"), objective_);
    worthWords_ = new QLabel(page);
    worthWords_->setObjectName("remap.worth");
    worthWords_->setWordWrap(true);
    form->addRow(tr("Is it worth it?"), worthWords_);
    const auto joined = [](const char* separator, QString (RemapView::*what)() const, const RemapView* view) {
        return [=](const QString& text) {
            const QString more = (view->*what)();
            return more.isEmpty() || text.isEmpty() ? text + more : text + separator + more;
        };
    };
    pinned_ = addRanks(*form, "remap.pinned", {tr("&Pin ranks"), tr("Ranks that stay"), "0,5,10-19"},
                       joined(",", &RemapView::selectedRanks, this));
    auto* others = new QToolButton(page);
    others->setObjectName("remap.pinned.others");
    others->setText(tr("Pin all but the selected"));
    others->setToolTip(tr("Only the ranks that are selected in the views move"));
    connect(others, &QToolButton::clicked, this, [this] {
        if (const auto ranks = otherRanks()) pinned_->setText(*ranks);
        else selection().say(tr("No rank is selected in any view."));
    });
    form->addRow(QString(), others);
    together_ = addRanks(*form, "remap.together",
                         {tr("&Together"), tr("Groups of ranks that share a node"), "0,1;8-11"},
                         joined(";", &RemapView::selectedRanks, this));
    apart_ =
        addRanks(*form, "remap.apart", {tr("&Apart"), tr("Groups of ranks on different nodes"), "0-3;64,128"},
                 joined(";", &RemapView::selectedRanks, this));
    freeNodes_ = addRanks(*form, "remap.free_nodes",
                          {tr("Lea&ve nodes free"), tr("Nodes that stay empty"), "0-3,17",
                           tr("Neither a node nor a rank is selected in any view.")},
                          joined(",", &RemapView::selectedNodes, this));
    const auto number = [&](const char* name, const QString& label, const QString& special) {
        auto* box = new QSpinBox(page);
        box->setObjectName(name);
        box->setRange(0, 1 << 24);
        box->setSpecialValueText(special);
        box->setAccessibleName(QString(label).remove('&'));
        keepWithPanel(*box);
        form->addRow(label, box);
        connect(box, &QSpinBox::valueChanged, this, [this] { delay_.start(); });
        return box;
    };
    capacity_ = number("remap.capacity", tr("Ranks a node, at most"), tr("the ranks per node"));
    maxMoved_ = number("remap.max_moved", tr("Moved ranks, at most"), tr("any number"));
    nodes_ = new QComboBox(page);
    nodes_->setObjectName("remap.nodes");
    nodes_->setAccessibleName(tr("Nodes"));
    nodes_->addItems({tr("those of the job"), tr("all of the machine")});
    form->addRow(tr("&Nodes"), nodes_);
    makeButtons(*form);
    for (QComboBox* box : {objective_, nodes_})
        connect(box, &QComboBox::activated, this, [this] { delay_.start(); });
    return page;
}

void RemapView::makeButtons(QFormLayout& form)
{
    seconds_ = new QDoubleSpinBox(this);
    seconds_->setObjectName("remap.seconds");
    seconds_->setRange(0.1, 86'400);
    seconds_->setValue(10);
    seconds_->setSuffix(tr(" s"));
    seconds_->setAccessibleName(tr("Search for"));
    keepWithPanel(*seconds_);
    form.addRow(tr("Search &for"), seconds_);
    seed_ = new QSpinBox(this);
    seed_->setObjectName("remap.seed");
    seed_->setRange(1, 1'000'000);
    seed_->setAccessibleName(tr("Seed"));
    keepWithPanel(*seed_);
    form.addRow(tr("See&d"), seed_);
    const auto button = [this](const char* name, const QString& text, auto clicked) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(name);
        connect(made, &QPushButton::clicked, this, clicked);
        return made;
    };
    start_ = button("remap.start", tr("&Search"), [this] { search(From::Placement); });
    stop_ = button("remap.stop", tr("St&op"), [this] {
        if (live_) live_->stop.request_stop();
    });
    goOn_ = button("remap.go_on", tr("&Go on"), [this] { search(From::Candidate); });
    write_ = button("remap.write", tr("&Write map…"), [this] { writeMap(); });
    auto* row = new QHBoxLayout;
    for (QPushButton* made : {start_, stop_, goOn_, write_}) row->addWidget(made);
    form.addRow(row);
    problem_ = new QLabel(this);
    problem_->setObjectName("remap.problem");
    problem_->setProperty("role", "warning");
    problem_->setWordWrap(true);
    form.addRow(problem_);
    list_ = new QListWidget(this);
    list_->setObjectName("remap.candidates");
    list_->setAccessibleName(tr("Candidates; double click renames"));
    list_->setToolTip(tr("Candidates; double click renames"));
    list_->setMinimumHeight(90);
    form.addRow(tr("Candidates"), list_);
    compared_ = new QComboBox(this);
    compared_->setObjectName("remap.compared");
    compared_->setToolTip(tr("What the candidate is compared with"));
    form.addRow(tr("&Beside"), compared_);
    connect(list_, &QListWidget::currentRowChanged, this, [this] { showCandidate(); });
    connect(list_, &QListWidget::itemChanged, this, &RemapView::rename);
    connect(compared_, &QComboBox::activated, this, [this] { showCandidate(); });
}

void RemapView::layOut()
{
    auto* form = new QScrollArea(this);
    form->setWidget(makeForm());
    form->setWidgetResizable(true);
    form->setFrameShape(QFrame::NoFrame);
    form->setMinimumWidth(300);
    auto* right = new QSplitter(Qt::Vertical, this);
    right->addWidget(canvas_);
    right->addWidget(figures_);
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 1);
    auto* parts = new QSplitter(this);
    parts->addWidget(form);
    parts->addWidget(right);
    parts->setStretchFactor(0, 0);
    parts->setStretchFactor(1, 1);
    head_->setContentsMargins(8, 4, 8, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addWidget(parts, 1);
    setFocusProxy(start_);
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
    // Each figure has a unit of its own: before and after are words.
    figures_->setRows({{tr("Figure")},
                       {tr("Before"), CellKind::Number},
                       {tr("After"), CellKind::Number},
                       {tr("% change"), CellKind::Percent}},
                      std::move(rows));
}

void RemapView::say(const QString& problem)
{
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
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
