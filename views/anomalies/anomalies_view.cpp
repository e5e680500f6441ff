// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_view.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/anomalies/anomaly_query_dialog.h"
#include "views/anomalies/anomaly_records.h"
#include "views/anomalies/anomaly_rule_choices.h"
#include "views/anomalies/critical_path_rows_scene.h"
#include "views/common/anomaly_rules.h"
#include "views/common/choice_box.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scene/regions/call_legend.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace skein {
namespace {

constexpr std::array<TimeNs, 7> kLeastSeverities{0,          10'000,      100'000,      1'000'000,
                                                 10'000'000, 100'000'000, 1'000'000'000};
constexpr std::array<double, 6> kLeastScores{0, 1, 3, 10, 30, 100};
constexpr std::array<double, 6> kNormalShares{1, 0.5, 0.1, 0.01, 0.001, 0};
constexpr std::array<TimeNs, 7> kWindowLengths{1'000'000,      10'000'000,     100'000'000,    1'000'000'000,
                                               10'000'000'000, 60'000'000'000, 600'000'000'000};
struct ListedItems {
    RankingEnd end;
    std::size_t most;
};
constexpr std::array<ListedItems, 5> kListed{{{RankingEnd::Top, 10},
                                              {RankingEnd::Top, 25},
                                              {RankingEnd::Top, 100},
                                              {RankingEnd::Bottom, 10},
                                              {RankingEnd::Bottom, 25}}};
constexpr int kCriticalPathRows = 3;  ///< behind the kinds of AnomalyRowKind
const char* const kAllFunctions = QT_TRANSLATE_NOOP("skein::AnomaliesView", "All functions");
const char* const kProposedFunctions = QT_TRANSLATE_NOOP("skein::AnomaliesView", "Proposed functions");

/// What stands for rows of a table; less than there are rows where some stand for nothing.
template <typename Item>
std::vector<Item> itemsOf(const std::vector<std::size_t>& rows, const std::vector<Item>& all)
{
    std::vector<Item> items;
    for (const std::size_t row : rows)
        if (row < all.size()) items.push_back(all[row]);
    return items;
}

template <std::size_t Count, typename Value>
Value chosenOf(const std::array<Value, Count>& values, const QComboBox& choice)
{
    return values[std::min(Count - 1, static_cast<std::size_t>(std::max(0, choice.currentIndex())))];
}

std::vector<CellColumn> callColumns()
{
    const auto tr = [](const char* text) { return AnomaliesView::tr(text); };
    return {{tr("Call")},
            {tr("Label")},
            {tr("Why")},
            {tr("Begin"), CellKind::Duration},
            {tr("Duration"), CellKind::Duration},
            {tr("Own time"), CellKind::Duration},
            {tr("Lost"), CellKind::Duration},
            {tr("Score"), CellKind::Number},
            {tr("Cost all others"), CellKind::Duration},
            {tr("Because of")}};
}

/// Of functions or ranks.
std::vector<CellColumn> lineColumns(AnomalyRowKind kind, bool showsPart)
{
    const auto tr = [](const char* text) { return AnomaliesView::tr(text); };
    std::vector<CellColumn> columns{{kind == AnomalyRowKind::Functions ? tr("Function") : tr("Location")}};
    for (std::size_t i = 0; i < kAnomalyStatistics; ++i) {
        const auto statistic = static_cast<AnomalyStatistic>(i);
        QString title = toQString(name(statistic));
        title[0] = title[0].toUpper();
        columns.push_back(
            {title, statistic == AnomalyStatistic::Severity ? CellKind::Duration : CellKind::Number});
    }
    if (kind != AnomalyRowKind::Functions) return columns;
    for (CellColumn more :
         {CellColumn{tr("Calls"), CellKind::Count}, CellColumn{tr("Regular"), CellKind::Count},
          CellColumn{tr("Anomalous"), CellKind::Percent}, CellColumn{tr("Mean duration"), CellKind::Duration},
          CellColumn{tr("Deviation of durations"), CellKind::Duration},
          CellColumn{tr("Interest"), CellKind::Number}}) {
        if (showsPart) more.title = tr("%1, whole run").arg(more.title);
        columns.push_back(more);
    }
    return columns;
}

}  // namespace

AnomaliesView::AnomaliesView(const ViewContext& context, QWidget* parent)
    : PicturePanel(context, "anomalies", parent),
      head_(new ScopeHead(selection(), this)),
      canvas_(new AnomaliesCanvas(context, this))
{
    setHead(head_);
    canvas_->follow(*head_);
    setPicture(canvas_, tr("Anomalous calls"));
    functions_ = addChoice("anomalies.functions",
                           tr("Functions of interest: parts of names between |, or those proposed by their "
                              "share of time × variability"),
                           {tr(kAllFunctions), tr(kProposedFunctions)});
    functions_->setEditable(true);
    functions_->setInsertPolicy(QComboBox::NoInsert);
    functions_->setCompleter(nullptr);
    functions_->setMinimumContentsLength(18);
    keepWithPanel(*functions_);
    QStringList across, up;
    for (std::size_t i = 0; i < kAnomalyAxes; ++i) {
        const QString axis = toQString(name(static_cast<AnomalyAxis>(i)));
        across.push_back(tr("Across: %1").arg(axis));
        up.push_back(tr("Up: %1").arg(axis));
    }
    across_ = addChoice("anomalies.across", tr("What the scatter shows from left to right"), across);
    up_ = addChoice("anomalies.up", tr("What the scatter shows from bottom to top"), up);
    up_->setCurrentIndex(static_cast<int>(AnomalyAxis::Duration));
    addLists();
    severity_ = addChoice("anomalies.severity", tr("Which anomalies are shown, by the time that they lost"),
                          {tr("Any loss"), tr("≥ 10 µs lost"), tr("≥ 100 µs lost"), tr("≥ 1 ms lost"),
                           tr("≥ 10 ms lost"), tr("≥ 100 ms lost"), tr("≥ 1 s lost")});
    score_ = addChoice("anomalies.score", tr("Which anomalies are shown, by their score"),
                       {tr("Any score"), tr("Score ≥ 1"), tr("Score ≥ 3"), tr("Score ≥ 10"), tr("Score ≥ 30"),
                        tr("Score ≥ 100")});
    normal_ = addChoice("anomalies.normal",
                        tr("How many of the normal calls are drawn, always the same ones; what is not normal "
                           "always is"),
                        {tr("Normal: all"), tr("Normal: 50 %"), tr("Normal: 10 %"), tr("Normal: 1 %"),
                         tr("Normal: 0.1 %"), tr("Normal: none")});
    tableRows_ = addChoice("anomalies.rows", tr("What the rows of the table are"),
                           {tr("Table of calls"), tr("Table of functions"), tr("Table of ranks"),
                            tr("Table of the critical path")});
    addWindow();
    addQuery();
    for (QWidget* rule : (new AnomalyRuleChoices(AnomalyRules::of(selection()), this))->controls())
        addControl(rule);
    early_ = new QLabel(this);
    early_->setObjectName("anomalies.early");
    addControl(early_);
    early_->hide();
    for (QComboBox* choice : {across_, up_, statistic_, listed_, functionsAs_, severity_, score_, normal_})
        connect(choice, &QComboBox::currentIndexChanged, this, &AnomaliesView::takeChoices);
    connect(functions_, &QComboBox::currentTextChanged, this, &AnomaliesView::takeChoices);
    connect(tableRows_, &QComboBox::currentIndexChanged, this, [this] {
        forgetPath();
        renewRows();
    });
    connect(canvas_, &AnomaliesCanvas::axesPicked, this, [this](AnomalyAxis x, AnomalyAxis y) {
        const auto choose = [](QComboBox* axis, AnomalyAxis wanted) {
            const int index = static_cast<int>(wanted);
            if (axis->currentIndex() == index) return;
            axis->setCurrentIndex(index);
            Q_EMIT axis->activated(index);  // what is chosen in panels is kept
        };
        choose(across_, x);
        choose(up_, y);
    });
    connect(canvas_, &AnomaliesCanvas::recordsWanted, this, &AnomaliesView::askForRecords);
    connect(canvas_, &AnomaliesCanvas::functionPicked, this, &AnomaliesView::pick);
    connect(canvas_, &AnomaliesCanvas::shownChanged, this, [this] {
        tellHowMuchIsKnown();
        takeChoices();
        renewRows();
    });
    selection().listen(this, [this](const ViewChange& change) {
        // The canvas hears nothing while the table is in its place.
        if (change.parts.has(ViewParts::kFilters | ViewParts::kVerdicts | kScopeParts))
            canvas_->followScope();
        if (!change.parts.has(ViewParts::kClocks)) return;
        fitSteps();
        renewRows();
    });
    connect(this, &PicturePanel::tableWanted, this, [this] {
        canvas_->findSoon();
        fillTable();
    });
    connect(this, &PicturePanel::rowsChosen, this, &AnomaliesView::chooseRows);
}

void AnomaliesView::addLists()
{
    QStringList statistics;
    for (std::size_t i = 0; i < kAnomalyStatistics; ++i)
        statistics.push_back(tr("By %1").arg(toQString(name(static_cast<AnomalyStatistic>(i)))));
    statistic_ = addChoice("anomalies.statistic",
                           tr("What functions and ranks are listed by; all but the first two are of the "
                              "anomalies in windows of time"),
                           statistics);
    QStringList listed;
    for (const ListedItems& each : kListed)
        listed.push_back(each.end == RankingEnd::Top ? tr("Top %1").arg(each.most)
                                                     : tr("Bottom %1").arg(each.most));
    listed_ = addChoice("anomalies.listed", tr("How many functions and ranks are listed"), listed);
    functionsAs_ = addChoice("anomalies.functionsAs",
                             tr("How functions stand beside the scatter: in a list, or as spokes of a radar "
                                "of anomalies, time lost and score"),
                             {tr("Functions: list"), tr("Functions: radar")});
}

/// The latest window first, then back by its length.
void AnomaliesView::addWindow()
{
    QStringList windows{tr("All times")};
    for (const TimeNs length : kWindowLengths)
        windows.push_back(tr("Latest %1").arg(toQString(formatDuration(static_cast<double>(length)))));
    window_ = addChoice("anomalies.window",
                        tr("A window of fixed length that scatter, lists and table are of; the map of ranks "
                           "over time is of all times"),
                        windows);
    const auto step = [this](const char* name, Qt::ArrowType arrow, const QString& label, int by) {
        auto* button = new QToolButton(this);
        button->setObjectName(name);
        button->setArrowType(arrow);
        button->setToolTip(label);
        button->setAccessibleName(label);
        button->hide();
        addControl(button);
        connect(button, &QToolButton::clicked, this, [this, by] { back_->stepBy(by); });
        return button;
    };
    earlier_ = step("anomalies.earlier", Qt::LeftArrow, tr("The window before"), 1);
    back_ = new QSpinBox(this);
    back_->setObjectName("anomalies.back");
    back_->setAccessibleName(tr("Windows before the latest"));
    back_->setToolTip(tr("How many windows of this length the shown one is before the latest"));
    back_->setSpecialValueText(tr("The latest"));
    back_->setSuffix(tr(" before"));
    back_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    back_->setKeyboardTracking(false);
    back_->hide();
    keepWithPanel(*back_);
    addControl(back_);
    later_ = step("anomalies.later", Qt::RightArrow, tr("The window after"), -1);
    connect(back_, &QSpinBox::valueChanged, this, &AnomaliesView::takeWindow);
    connect(window_, &QComboBox::currentIndexChanged, this, [this] {
        {
            const QSignalBlocker once(back_);
            back_->setValue(0);
        }
        fitSteps();
        takeWindow();
    });
}

/// As far back as the run goes.
void AnomaliesView::fitSteps()
{
    const int row = window_->currentIndex();
    for (QWidget* one : std::initializer_list<QWidget*>{earlier_, back_, later_}) one->setVisible(row > 0);
    if (row <= 0 || !session_) return;
    const TimeNs length = kWindowLengths[static_cast<std::size_t>(row) - 1];
    const TimeSpan run = sessionClock(*session_, selection().state().clockShiftsNs).extent;
    back_->setMaximum(static_cast<int>(
        std::clamp<TimeNs>((run.lengthNs() - 1) / length, 0, std::numeric_limits<int>::max())));
}

void AnomaliesView::takeWindow()
{
    AnomalyChoices choices = canvas_->wantedChoices();
    const int row = window_->currentIndex();
    choices.window = {};
    if (row > 0) choices.window = {kWindowLengths[static_cast<std::size_t>(row) - 1], back_->value()};
    canvas_->setChoices(choices);
}

void AnomaliesView::addQuery()
{
    query_ = new QLineEdit(this);
    query_->setObjectName("anomalies.query");
    query_->setPlaceholderText(tr("Query: ranks 2..5; lost 1ms..; label anomaly"));
    query_->setAccessibleName(tr("Query of calls"));
    query_->setClearButtonEnabled(true);
    keepWithPanel(*query_);
    auto* form = new QToolButton(this);
    form->setObjectName("anomalies.form");
    form->setText(tr("Form…"));
    form->setToolTip(tr("Fill in a form of the query"));
    addControl(query_);
    addControl(form);
    connect(query_, &QLineEdit::textChanged, this, &AnomaliesView::takeQuery);
    connect(form, &QToolButton::clicked, this, &AnomaliesView::openForm);
}

/// What is being typed and is no query yet changes nothing.
void AnomaliesView::takeQuery()
{
    const auto query = parseAnomalyQuery(query_->text().toStdString());
    query_->setToolTip(query ? tr("Only calls that fulfil all clauses are shown: programs, ranks, function, "
                                  "begins, lost, scores, label")
                             : toQString(query.error().text()));
    QPalette colors = palette();
    if (!query) colors.setColor(QPalette::Text, toQColor(themeFor(palette()).error));
    query_->setPalette(colors);
    if (!query) return;
    AnomalyChoices choices = canvas_->wantedChoices();
    choices.query = *query;
    canvas_->setChoices(choices);
}

void AnomaliesView::openForm()
{
    if (!form_) {
        form_ = new AnomalyQueryDialog(this);
        connect(form_, &AnomalyQueryDialog::asked, query_, &QLineEdit::setText);
    }
    form_->setQuery(query_->text());
    form_->show();
    form_->raise();
}

void AnomaliesView::setSession(SessionPtr session)
{
    // What is written names ranks and functions of the archives before.
    if (session != session_) {
        forgetWritten();
        forgetPath();
        clearRows();
    }
    session_ = session;
    head_->setSession(session);
    fitSteps();
    canvas_->setSession(std::move(session));
    tellHowMuchIsKnown();
    renewRows();
}

void AnomaliesView::forgetWritten()
{
    query_->clear();
    functions_->setCurrentIndex(0);
    functions_->setEditText(tr(kAllFunctions));
    back_->setValue(0);
    if (form_) form_->hide();  // it would write the old ones again
}

void AnomaliesView::tellHowMuchIsKnown()
{
    const SessionAnomaliesPtr& known = canvas_->anomalies();
    early_->setVisible(known && !known->complete());
    if (known && !known->complete())
        early_->setText(tr("Preliminary: from %1 % of the work").arg(std::lround(known->share * 100)));
}

bool AnomaliesView::upToDate() const { return canvas_->upToDate(); }

/// Functions have the colour of their region, however calls are coloured elsewhere.
std::vector<LegendEntry> AnomaliesView::pictureLegend() const
{
    if (!session_) return {};
    ViewState state;
    state.filters = selection().state().filters;
    state.grouping = selection().state().grouping;
    return callLegend(*session_, state, themeFor(palette()));
}

void AnomaliesView::takeChoices()
{
    AnomalyChoices choices = canvas_->wantedChoices();
    choices.x = static_cast<AnomalyAxis>(std::max(0, across_->currentIndex()));
    choices.y = static_cast<AnomalyAxis>(std::max(0, up_->currentIndex()));
    choices.statistic = static_cast<AnomalyStatistic>(std::max(0, statistic_->currentIndex()));
    const ListedItems listed = chosenOf(kListed, *listed_);
    choices.end = listed.end;
    choices.listed = listed.most;
    choices.leastSeverityNs = chosenOf(kLeastSeverities, *severity_);
    choices.leastScore = chosenOf(kLeastScores, *score_);
    choices.normalShare = chosenOf(kNormalShares, *normal_);
    choices.functionsAs = functionsAs_->currentIndex() == 1 ? FunctionsAs::Radar : FunctionsAs::List;
    const QString functions = functions_->currentText();
    choices.functions = functions == tr(kAllFunctions) ? std::string() : functions.toStdString();
    if (functions == tr(kProposedFunctions))
        choices.functions = canvas_->anomalies() ? proposedNames(*canvas_->anomalies()) : std::string();
    canvas_->setChoices(choices);
}

/// Adds the function to those of interest, or takes it away.
void AnomaliesView::pick(const QString& function)
{
    QStringList names;
    const QString now = toQString(canvas_->choices().functions);
    for (const QString& name : now.split('|', Qt::SkipEmptyParts)) names.push_back(name.trimmed());
    if (!names.removeOne(function)) names.push_back(function);
    functions_->setCurrentText(names.isEmpty() ? tr(kAllFunctions) : names.join(" | "));
}

/// What only the table wants begins when it is looked at.
void AnomaliesView::showEvent(QShowEvent* event)
{
    PicturePanel::showEvent(event);
    canvas_->findSoon();
    fillTable();
}

void AnomaliesView::renewRows()
{
    tasks().drop("anomalies table");
    rowsAreOld_ = true;
    fillTable();
}

/// Rows stay until others are there, as more is found again and again: what they stand for does, too.
void AnomaliesView::fillTable()
{
    if (!rowsAreOld_ || !showsTable() || !isVisible()) return;
    rowsAreOld_ = false;
    const int chosen = std::max(0, tableRows_->currentIndex());
    if (chosen == kCriticalPathRows) return session_ ? followCriticalPath() : clearRows();
    if (!canvas_->anomalies()) return clearRows();
    makeRows(static_cast<AnomalyRowKind>(chosen));
}

void AnomaliesView::clearRows()
{
    shownRows_ = {};
    rows().setTable({{tr("Function")}}, {});
}

void AnomaliesView::makeRows(AnomalyRowKind kind)
{
    ViewState state = canvas_->shownState();
    state.verdicts = selection().state().verdicts;
    state.verdictUse = selection().state().verdictUse;
    tasks().run<AnomalyRows>(
        {"anomalies table", tr("Listing anomalies"), JobVisibility::WhenSlow}, this,
        [kind, anomalies = canvas_->anomalies(), state, choices = canvas_->choices()](const Task& task) {
            return anomalyRows(kind, *anomalies, state, choices, task);
        },
        [this](Result<AnomalyRows> made) {
            if (made) return showRows(std::move(*made));
            clearRows();
            rowsAreOld_ = true;
            if (!made.error().cancelled()) selection().say(toQString(made.error().text()));
        });
}

void AnomaliesView::showRows(AnomalyRows made)
{
    auto cells = std::exchange(made.cells, {});
    shownRows_ = std::move(made);
    rows().setTable(shownRows_.kind == AnomalyRowKind::Calls
                        ? callColumns()
                        : lineColumns(shownRows_.kind, shownRows_.showsPart),
                    std::move(cells));
}

void AnomaliesView::askForRecords()
{
    auto* dialog = new QFileDialog(this, tr("Save Provenance Records"));
    dialog->setObjectName("anomalies.records");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Records as Chimbuko writes them (*.json)")});
    dialog->setDefaultSuffix("json");
    dialog->selectFile("anomalies.json");
    connect(dialog, &QFileDialog::fileSelected, this, &AnomaliesView::saveRecords);
    dialog->open();
}

void AnomaliesView::saveRecords(const QString& file)
{
    if (!canvas_->anomalies() || !canvas_->anomalies()->complete()) return;
    using Files = std::vector<std::filesystem::path>;
    const ViewState& state = selection().state();
    tasks().run<Files>(
        {"anomalies records", tr("Saving provenance records"), JobVisibility::WhenSlow}, this,
        [anomalies = canvas_->anomalies(), said = state.verdicts, use = state.verdictUse,
         place = file.toStdString()](const Task& task) {
            return saveProvenance(*anomalies, said, use, place, task);
        },
        [this](Result<Files> files) {
            if (!files)
                return files.error().cancelled() ? void() : selection().say(toQString(files.error().text()));
            QStringList names;
            for (const auto& each : *files) names.push_back(toQString(each.string()));
            selection().say(tr("Saved %1.").arg(names.join(", ")));
        });
}

/// It is of the whole run and of all that was recorded, whatever the panel shows.
void AnomaliesView::followCriticalPath()
{
    if (pathOf_ == session_) return;
    fillPath({});
    pathOf_ = session_;
    tasks().run<SessionCriticalPathPtr>(
        {"anomalies critical path", tr("Following the critical path"), JobVisibility::WhenSlow}, this,
        [session = session_, results = results()](const Task& task) {
            return criticalPathOf(*results, *session, task);
        },
        [this, session = session_](Result<SessionCriticalPathPtr> found) {
            if (found) return fillPath(criticalPathRows(*session, **found));
            forgetPath();  // shown again, it is worked out again
            rowsAreOld_ = true;
            if (!found.error().cancelled()) selection().say(toQString(found.error().text()));
        });
}

void AnomaliesView::forgetPath()
{
    tasks().drop("anomalies critical path");
    pathOf_ = nullptr;
}

void AnomaliesView::fillPath(const std::vector<CriticalPathRow>& path)
{
    shownRows_ = {};
    std::vector<std::vector<TableCell>> cells;
    for (const CriticalPathRow& row : path) {
        shownRows_.functions.push_back(row.function);
        cells.push_back(row.cells);
    }
    rows().setTable(
        {{tr("Function")},
         {tr("On the path"), CellKind::Duration, tr("How long the run's length is decided by this function")},
         {tr("Share"), CellKind::Percent},
         {tr("A process"), CellKind::Duration, tr("What a process spends in it on average, without waiting")},
         {tr("Imbalance"), CellKind::Duration, tr("What of the path balanced processes would save")},
         {tr("All processes lose"), CellKind::Duration, tr("Imbalance × processes")},
         {tr("Twice as fast gains"), CellKind::Duration,
          tr("How much shorter the run would be if the function took half its time")}},
        std::move(cells));
}

void AnomaliesView::chooseRows(const std::vector<std::size_t>& chosen)
{
    if (!session_) return;
    const auto regions = namesakes(*session_, itemsOf(chosen, shownRows_.functions));
    auto locations = itemsOf(chosen, shownRows_.locations);
    auto calls = itemsOf(chosen, shownRows_.calls);
    std::sort(locations.begin(), locations.end());
    if (!regions.empty()) selection().setSelected(select(*session_, regions), canvas_);
    else if (!locations.empty()) selection().setSelected(select(*session_, locations), canvas_);
    else if (!calls.empty()) canvas_->choose(std::move(calls), {});
}

}  // namespace skein
