// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compare_view.h"

#include "algorithms/calltree/joint_tree.h"
#include "core/select/translate.h"
#include "views/common/choice_box.h"
#include "views/common/empty_state.h"
#include "views/common/filter_menu.h"
#include "views/common/metric_chooser.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/table/derived_header.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <set>

namespace skein {
namespace {

constexpr auto kCompareJob = "compare";
constexpr int kCompareDelayMs = 40;
constexpr int kLeastNameWidth = 200;
constexpr std::size_t kMostPhaseRegions = 500;

enum SpanChoice { kWholeRun, kMarkedSpan, kOwnSpan };
enum RowChoice { kAllRows, kSlower, kFaster, kInBoth, kOnlyInOne };

std::string pathText(const NamePath& path)
{
    std::string text;
    for (const std::string& name : path) text += (text.empty() ? "" : " => ") + name;
    return text;
}

/// The names above a row, the outermost first.
std::string callersText(const CallTreeRows& rows, std::size_t row)
{
    std::string text;
    for (std::int64_t at = rows.rows[row].parent; at >= 0;
         at = rows.rows[static_cast<std::size_t>(at)].parent) {
        const std::string name(comparedName(rows.rows[static_cast<std::size_t>(at)].name));
        text = text.empty() ? name : name + " / " + text;
    }
    return text;
}

std::vector<CellColumn> compareColumns(const ComparedRows& compared, bool regions)
{
    const bool time = compared.rows.time;
    const CellKind kind = time ? CellKind::Duration : CellKind::Number;
    std::vector<CellColumn> columns{
        {regions ? CompareView::tr("Region") : CompareView::tr("Function")},
        {CompareView::tr("B − A"), kind, CompareView::tr("By how much the exclusive amount grew")},
        {CompareView::tr("A"), kind},
        {CompareView::tr("B"), kind},
        {CompareView::tr("B / A"), CellKind::Number},
        {CompareView::tr("Speed-up"), CellKind::Number, CompareView::tr("A / B")},
        {CompareView::tr("Efficiency"), CellKind::Number,
         CompareView::tr("Speed-up times ranks of A by ranks of B: strong scaling")},
        {CompareView::tr("Incl. B − A"), kind, CompareView::tr("By how much the inclusive amount grew")},
        {CompareView::tr("Verdict")}};
    for (const DerivedColumn& derived : compared.derived)
        columns.push_back({derivedTitle(derived),
                           derived.unit == "ns" ? CellKind::Duration : CellKind::Number,
                           derivedHint(derived)});
    if (compared.repeated) {
        const QString interval = CompareView::tr("95 % interval of B − A over repeated runs (Welch)");
        columns.insert(
            columns.begin() + 2,
            {{CompareView::tr("At least"), kind, interval}, {CompareView::tr("At most"), kind, interval}});
    }
    if (!regions) columns.push_back({CompareView::tr("Called from")});
    return columns;
}

std::vector<TableCell> compareCells(const ComparedRows& compared, std::size_t row, bool regions)
{
    const ChangeEstimate& own = compared.exclusive[row];
    const double speedUp = own.b == 0.0 ? std::nan("") : own.a / own.b;
    std::vector<TableCell> cells{std::string(comparedName(compared.rows.rows[row].name)),
                                 own.difference(),
                                 own.a,
                                 own.b,
                                 own.ratio(),
                                 speedUp,
                                 compared.efficiency(speedUp),
                                 compared.inclusive[row].difference(),
                                 std::string(name(compared.verdicts[row]))};
    for (const DerivedColumn& derived : compared.derived) cells.emplace_back(derived.values[row]);
    if (compared.repeated) {
        const auto bound = [&](double value) { return TableCell(own.interval ? value : std::nan("")); };
        cells.insert(cells.begin() + 2, {bound(own.low), bound(own.high)});
    }
    if (!regions) cells.emplace_back(callersText(compared.rows, row));
    return cells;
}

}  // namespace

CompareView::CompareView(const ViewContext& context, QWidget* parent)
    : TableView(context, "Comparison", parent), model_(new CellModel(this))
{
    setHead(makeHead());
    per_ = newChoice(this, "comparison.per", tr("What amounts are divided by"),
                     {tr("In all"), tr("Per rank"), tr("Per location"), tr("Per call"), tr("Per phase of")});
    phase_ = newChoice(this, "comparison.phase", tr("The region of which a call is a phase"), {});
    phase_->setEditable(true);
    phase_->setCompleter(nullptr);
    phase_->setInsertPolicy(QComboBox::NoInsert);
    by_ = newChoice(this, "compare.by", tr("What a row is"), {tr("Call paths"), tr("Regions")});
    rows_ = newChoice(
        this, "compare.rows", tr("Which rows are shown"),
        {tr("All rows"), tr("Slower or more"), tr("Faster or less"), tr("In both"), tr("Only in one")});
    metric_ = new MetricChooser(selection(), this);
    controls().addWidget(metric_);
    for (QComboBox* choice : {per_, phase_, by_, rows_}) controls().addWidget(choice);
    matches_ = new QAction(tr("Renamed or Moved…"), this);
    matches_->setObjectName("compare.matches");
    matches_->setToolTip(
        tr("Call paths of B that may be some of A under another name or elsewhere: confirm them"));
    addAction(matches_);
    auto* button = new QToolButton(this);
    button->setDefaultAction(matches_);
    controls().addWidget(button);
    controls().addStretch(1);
    connect(matches_, &QAction::triggered, this, &CompareView::showMatches);
    repeats_ = new QToolButton(this);
    repeats_->setObjectName("compare.repeats");
    repeats_->setText(tr("Repeated Runs"));
    repeats_->setToolTip(tr("Which open runs repeat A or B: then differences have intervals"));
    repeats_->setPopupMode(QToolButton::InstantPopup);
    repeats_->setMenu(new QMenu(repeats_));
    controls().insertWidget(controls().count() - 1, repeats_);
    connect(repeats_->menu(), &QMenu::aboutToShow, this, &CompareView::fillRepeats);
    table().setModel(model_);
    table().setRootIsDecorated(false);
    table().setSortingEnabled(true);
    table().setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(table().selectionModel(), &QItemSelectionModel::selectionChanged, this, &CompareView::publish);
    for (QComboBox* choice : {per_, phase_, a_.run, a_.span, b_.run, b_.span})
        connect(choice, &QComboBox::activated, this, &CompareView::takeChoice);
    connect(phase_->lineEdit(), &QLineEdit::returnPressed, this, &CompareView::takeChoice);
    connect(shown_, &QCheckBox::clicked, this, &CompareView::takeChoice);
    connect(by_, &QComboBox::activated, this, &CompareView::compute);
    connect(rows_, &QComboBox::activated, this, &CompareView::fillTable);
    delay_.setSingleShot(true);
    delay_.setInterval(kCompareDelayMs);
    connect(&delay_, &QTimer::timeout, this, &CompareView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        if (!session_) return;
        if (change.parts.has(ViewParts::kComparison)) showChoice();
        if (change.parts.has(ViewParts::kComparison | ViewParts::kMetric | ViewParts::kFilters
                             | ViewParts::kClocks))
            delay_.start();
    });
    setSession(nullptr);
}

/// Each side lists the runs that neither side compares already.
void CompareView::fillRepeats()
{
    QMenu& menu = *repeats_->menu();
    menu.clear();
    if (!session_) return;
    const ComparisonChoice choice =
        withinSession(selection().state().comparison, session_->experiments.size());
    for (ComparedPart ComparisonChoice::*side : {&ComparisonChoice::a, &ComparisonChoice::b}) {
        const bool isA = side == &ComparisonChoice::a;
        menu.addSection(isA ? tr("Also A") : tr("Also B"));
        for (std::uint32_t run = 0; run < session_->experiments.size(); ++run) {
            if (run == choice.a.experiment || run == choice.b.experiment) continue;
            QAction* action = menu.addAction(toQString(session_->experiments[run]->name), this,
                                             [this, side, run] { toggleRepeat(side, run); });
            action->setObjectName(QString("compare.repeat.%1.%2").arg(isA ? "a" : "b").arg(run));
            action->setCheckable(true);
            const auto& also = (choice.*side).also;
            action->setChecked(std::binary_search(also.begin(), also.end(), run));
        }
    }
    if (session_->experiments.size() < 3)
        menu.addAction(tr("Open more runs to compare with."))->setEnabled(false);
}

/// A run repeats one side at most.
void CompareView::toggleRepeat(ComparedPart ComparisonChoice::*side, std::uint32_t run)
{
    ComparisonChoice choice = withinSession(selection().state().comparison, session_->experiments.size());
    const bool was = std::erase((choice.*side).also, run) > 0;
    std::erase(choice.a.also, run);
    std::erase(choice.b.also, run);
    if (!was) {
        auto& also = (choice.*side).also;
        also.insert(std::lower_bound(also.begin(), also.end(), run), run);
    }
    selection().setComparison(choice, this);
    compute();
}

CompareView::Side CompareView::makeSide(QHBoxLayout& row, const char* name, const QString& title)
{
    Side side;
    auto* label = new QLabel(title, this);
    row.addWidget(label);
    side.run = newChoice(this, name, tr("Which run is %1").arg(title), {});
    side.run->setMinimumContentsLength(12);
    side.span =
        newChoice(this, (std::string(name) + "Span").c_str(), tr("Which part of %1 is compared").arg(title),
                  {tr("Whole run"), tr("Take the marked span")});
    label->setBuddy(side.run);
    row.addWidget(side.run, 1);
    row.addWidget(side.span);
    return side;
}

QWidget* CompareView::makeHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    a_ = makeSide(*row, "comparison.a", tr("A"));
    b_ = makeSide(*row, "comparison.b", tr("B"));
    shown_ = new QCheckBox(tr("In all panels"), this);
    shown_->setObjectName("comparison.shown");
    shown_->setToolTip(tr("Call tree, function summary and call graph show A and B beside each other, too"));
    row->addWidget(shown_);
    return head;
}

void CompareView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    tasks().drop(kCompareJob);
    compared_ = nullptr;
    model_->setTable({}, {});
    forgetFit();
    metric_->setSession(session_);
    fillRuns();
    fillPhases();
    if (!session_) return pages().showMessage(tr("Open two runs together to see what changed between them."));
    showChoice();
    stale_ = true;
    compute();
}

void CompareView::fillRuns()
{
    for (const Side& side : {a_, b_}) {
        const QSignalBlocker quiet(side.run);
        side.run->clear();
        if (!session_) continue;
        for (const ExperimentPtr& experiment : session_->experiments)
            side.run->addItem(toQString(experiment->name));
    }
}

void CompareView::fillPhases()
{
    const QSignalBlocker quiet(phase_);
    phase_->clear();
    if (!session_) return;
    std::set<std::string> names;
    for (const ExperimentPtr& experiment : session_->experiments)
        for (const Region& region : experiment->definitions.regions)
            if (names.size() < kMostPhaseRegions) names.insert(region.name);
    for (const std::string& name : names) phase_->addItem(toQString(name));
}

void CompareView::showSide(const Side& side, const ComparedPart& part)
{
    const QSignalBlocker quietRun(side.run), quietSpan(side.span);
    side.run->setCurrentIndex(static_cast<int>(part.experiment));
    while (side.span->count() > kOwnSpan) side.span->removeItem(kOwnSpan);
    if (part.span) side.span->addItem(toQString(comparedTitle(*session_, part)).section(", ", -1));
    side.span->setCurrentIndex(part.span ? kOwnSpan : kWholeRun);
}

void CompareView::showChoice()
{
    const ComparisonChoice choice =
        withinSession(selection().state().comparison, session_->experiments.size());
    showSide(a_, choice.a);
    showSide(b_, choice.b);
    const QSignalBlocker quietPer(per_), quietPhase(phase_), quietShown(shown_);
    per_->setCurrentIndex(static_cast<int>(choice.per));
    phase_->setVisible(choice.per == ComparePer::Phase);
    if (!choice.phaseRegion.empty()) phase_->setEditText(toQString(choice.phaseRegion));
    shown_->setChecked(choice.shown);
}

ComparedPart CompareView::partOf(const Side& side, const ComparedPart& before) const
{
    ComparedPart part;
    part.experiment = static_cast<std::uint32_t>(std::max(0, side.run->currentIndex()));
    part.also = before.also;
    std::erase(part.also, part.experiment);
    if (side.span->currentIndex() == kOwnSpan) part.span = before.span;
    if (side.span->currentIndex() != kMarkedSpan) return part;
    part.span = selection().state().brushed;
    if (!part.span) selection().say(tr("Mark a span in the timeline first: drag with the left button."));
    return part;
}

void CompareView::takeChoice()
{
    if (!session_) return;
    ComparisonChoice choice = withinSession(selection().state().comparison, session_->experiments.size());
    choice.a = partOf(a_, choice.a);
    choice.b = partOf(b_, choice.b);
    choice.per = static_cast<ComparePer>(per_->currentIndex());
    choice.phaseRegion =
        choice.per == ComparePer::Phase ? phase_->currentText().toStdString() : std::string();
    choice.shown = shown_->isChecked();
    selection().setComparison(choice, this);
    showChoice();
    compute();
}

void CompareView::showEvent(QShowEvent* event)
{
    TableView::showEvent(event);
    if (stale_) delay_.start();
}

QString CompareView::nothingText() const
{
    return tr(
        "One run is open. Open another one beside it (File, Add File to Session), or compare two parts of "
        "it: mark a span in the timeline and choose “Take the marked span” for A or B.");
}

void CompareView::compute()
{
    delay_.stop();
    stale_ = !isVisible();
    if (stale_ || !session_) return;
    const ViewState& state = selection().state();
    const ComparisonChoice choice = withinSession(state.comparison, session_->experiments.size());
    if (choice.a == choice.b) {
        tasks().drop(kCompareJob);  // another comparison that is under way is not wanted any more
        compared_ = nullptr;
        return pages().showMessage(session_->experiments.size() < 2
                                       ? nothingText()
                                       : tr("A and B are the same run. Choose another "
                                            "one."));
    }
    const ComparedRowsRequest request{
        state.comparison,         state.metric, state.filters, state.clockShiftsNs,
        by_->currentIndex() == 1, true,         state.derived};
    tasks().run<ComparedRowsPtr>(
        {kCompareJob, tr("Comparison")}, this,
        [session = session_, request](const Task& task) { return makeComparedRows(*session, request, task); },
        [this](Result<ComparedRowsPtr> compared) {
            if (compared) take(std::move(*compared));
            else if (!compared.error().cancelled()) pages().showMessage(toQString(compared.error().text()));
        });
}

void CompareView::take(ComparedRowsPtr compared)
{
    if (compared_ && compared_->derived.size() != compared->derived.size()) forgetFit();
    compared_ = std::move(compared);
    const std::size_t count = compared_->proposals.size();
    matches_->setText(count == 0 ? tr("Renamed or Moved…") : tr("Renamed or Moved (%1)…").arg(count));
    matches_->setEnabled(by_->currentIndex() == 0);
    pages().showContent();
    fillTable();
}

bool CompareView::isWanted(std::size_t row) const
{
    const ChangeVerdict verdict = compared_->verdicts[row];
    const bool one = verdict == ChangeVerdict::OnlyA || verdict == ChangeVerdict::OnlyB;
    switch (rows_->currentIndex()) {
    case kSlower: return verdict == ChangeVerdict::More || verdict == ChangeVerdict::OnlyB;
    case kFaster: return verdict == ChangeVerdict::Less || verdict == ChangeVerdict::OnlyA;
    case kInBoth: return !one;
    case kOnlyInOne: return one;
    default: return true;
    }
}

void CompareView::fillTable()
{
    if (!compared_) return;
    const bool regions = by_->currentIndex() == 1;
    std::vector<std::vector<TableCell>> cells;
    rowOf_.clear();
    for (const std::uint32_t row : byGrowth(*compared_)) {
        if (!isWanted(row)) continue;
        cells.push_back(compareCells(*compared_, row, regions));
        rowOf_.push_back(row);
    }
    follow([&] {
        model_->setTable(compareColumns(*compared_, regions), std::move(cells));
        table().sortByColumn(1, Qt::DescendingOrder);
    });
    QString note = tr("A: %1 · B: %2 · %3 of %4 rows, what got slower first")
                       .arg(toQString(compared_->titleA), toQString(compared_->titleB))
                       .arg(rowOf_.size())
                       .arg(compared_->rows.rows.size());
    for (const DerivedColumn& derived : compared_->derived)
        if (!derived.problem.empty()) note += " · " + toQString(derived.problem);
    setNote(note);
    fit(kLeastNameWidth);
}

void CompareView::publish()
{
    if (following() || !compared_) return;
    std::vector<Selection> parts;
    for (const QModelIndex& index : table().selectionModel()->selectedRows())
        parts.push_back(selectionOfCompared(*session_, *compared_, rowOf_[model_->rowOf(index.row())]));
    selection().setSelected(unitedParts(std::move(parts)), this);
}

void CompareView::fillMenu(QMenu& menu)
{
    if (!compared_) return;
    FilterSubject subject;
    for (const QModelIndex& index : table().selectionModel()->selectedRows()) {
        const auto& regions = compared_->regions[rowOf_[model_->rowOf(index.row())]];
        subject.regions.insert(subject.regions.end(), regions.begin(), regions.end());
    }
    addFilterActions(menu, selection(), session_, subject, this);
}

/// Confirms a match, or takes it back where it is confirmed.
void CompareView::confirm(const PathMatch& match, Qt::CheckState state)
{
    ComparisonChoice choice = selection().state().comparison;
    std::erase(choice.matches, match);
    if (state == Qt::Checked) choice.matches.push_back(match);
    selection().setComparison(choice, this);
    compute();
}

void CompareView::showMatches()
{
    if (!compared_) return selection().say(tr("Choose two runs first."));
    auto* dialog = new QDialog(window());
    dialog->setObjectName("compare.matchDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Renamed or Moved Call Paths"));
    auto* all = new QVBoxLayout(dialog);
    auto* words =
        new QLabel(tr("Call paths that only one of the runs has, and that are alike. What you confirm is "
                      "compared as one, with all below it."),
                   dialog);
    words->setWordWrap(true);
    all->addWidget(words);
    auto* list = new CellTable("compare.matches_table", dialog->windowTitle(), dialog);
    std::vector<PathMatch> matches;
    std::vector<std::vector<TableCell>> rows;
    for (const PathMatch& match : selection().state().comparison.matches) {
        rows.push_back({pathText(match.other), pathText(match.first), tr("confirmed").toStdString(), {}});
        matches.push_back(match);
    }
    std::vector<bool> ticks(matches.size(), true);
    for (const MatchProposal& one : compared_->proposals) {
        rows.push_back({pathText(one.match.other), pathText(one.match.first),
                        (one.moved ? tr("moved") : tr("renamed")).toStdString(), one.similarity});
        matches.push_back(one.match);
    }
    ticks.resize(matches.size());
    if (matches.empty())
        words->setText(tr("No call path that only one run has is like one of the other run."));
    list->setRows({{tr("In B")}, {tr("In A")}, {tr("Kind")}, {tr("Similarity"), CellKind::Number}},
                  std::move(rows));
    list->cells().setTicks(std::move(ticks));
    connect(&list->cells(), &CellModel::ticked, this, [this, matches](std::size_t row, bool on) {
        confirm(matches[row], on ? Qt::Checked : Qt::Unchecked);
    });
    all->addWidget(list, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    all->addWidget(buttons);
    dialog->resize(760, 320);
    dialog->open();
}

std::vector<KeyHint> CompareView::keyHints() const
{
    return {{tr("Click on a column"), tr("Sort by it")}, {tr("Ctrl+click"), tr("Select several rows")}};
}

}  // namespace skein
