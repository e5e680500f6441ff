// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_view.h"

#include "algorithms/comm/comm_phases.h"
#include "core/session/session_clock.h"
#include "views/comm_matrix/comm_matrix_canvas.h"
#include "views/comm_matrix/comm_matrix_model.h"
#include "views/common/choice_box.h"
#include "views/common/scene/data/message_filters.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace skein {
namespace {

constexpr int kCommDelayMs = 60;  ///< a brush sends many spans; the matrix of the last one is wanted
constexpr std::size_t kTimeParts = 400;
constexpr std::size_t kMostPhases = 24;
constexpr int kTableChoice = 4;  ///< of the choice what is shown, after the pictures
constexpr auto kCommMatrixKey = "comm_matrix";

/// What is asked for, as the work on another thread needs it.
struct CommMatrixQuery {
    SessionPtr session;
    std::shared_ptr<ResultStore> results;
    CommunicationRequest request;
    CommMatrixOptions options;
    CommPicture shown = CommPicture::Matrix;
    TrialShow trialShow = TrialShow::AsItIs;
    CommunicationTrialPtr trial;
    SessionCommunicationPtr trialBase, other;  ///< what the trial was tried on, and what became of it
};

/// The phases with the most bytes, in the order of time.
std::vector<CommPhasePart> heaviestPhases(std::vector<CommPhasePart> phases)
{
    const auto bytes = [](const CommPhasePart& part) {
        return part.table->communication->matrix->totalBytes();
    };
    std::ranges::stable_sort(phases, std::greater(), bytes);
    if (phases.size() > kMostPhases) phases.resize(kMostPhases);
    std::ranges::sort(phases, {}, [](const CommPhasePart& part) { return part.span.begin; });
    return phases;
}

/// Phases that are too many are looked at by their messages alone first. `sending` are those with any.
std::vector<TimeSpan> phasesWorthALook(const std::vector<TimeSpan>& phases, const MessageSums& sums,
                                       std::size_t& sending)
{
    std::vector<std::pair<std::size_t, TimeSpan>> counted;
    for (const TimeSpan& span : phases) {
        const auto [first, end] = sums.sentIn(span);
        if (end > first) counted.emplace_back(end - first, span);
    }
    sending = counted.size();
    std::ranges::stable_sort(counted, std::greater(), &std::pair<std::size_t, TimeSpan>::first);
    if (counted.size() > 4 * kMostPhases) counted.resize(4 * kMostPhases);
    std::vector<TimeSpan> spans;
    for (const auto& [count, span] : counted) spans.push_back(span);
    return spans;
}

Result<void> addPhases(const CommMatrixQuery& query, CommMatrixPicture& picture, const Task& task)
{
    const Experiment& experiment = *query.session->experiments[query.request.experiment];
    const auto sums = messageSumsOf(*query.results, experiment, messageRules(query.request.filters), task);
    if (!sums) return Unexpected(sums.error());
    const auto clock = sessionClock(*query.session, query.request.clockShiftsNs);
    CommunicationRequest request = query.request;
    const auto phases = commPhases(experiment, experimentSpan(*query.session, query.request), task);
    if (!phases) return Unexpected(phases.error());
    for (const TimeSpan& span : phasesWorthALook(*phases, **sums, picture.sendingPhases)) {
        request.span = clock.toSession(request.experiment, span);
        auto part = communicationOf(*query.results, query.session, request, task);
        if (!part) return Unexpected(part.error());
        auto table = makeCommMatrixTable(*query.session, *part, query.options, task);
        if (!table) return Unexpected(table.error());
        picture.phases.push_back({*request.span, *table});
    }
    picture.phases = heaviestPhases(std::move(picture.phases));
    return {};
}

Result<void> addSums(const CommMatrixQuery& query, CommMatrixPicture& picture, const Task& task)
{
    const Experiment& experiment = *query.session->experiments[query.request.experiment];
    const auto sums = messageSumsOf(*query.results, experiment, messageRules(query.request.filters), task);
    if (!sums) return Unexpected(sums.error());
    const auto span = experimentSpan(*query.session, query.request);
    const CountedMessages counted = countedMessages(*query.session, query.request);
    if (query.shown == CommPicture::Sizes) {
        picture.sizes = (*sums)->sizes(span, counted);
        return {};
    }
    const TimeSpan whole = span.value_or(experiment.trace->extent);
    picture.overTime = (*sums)->overTime(whole, kTimeParts, counted);
    picture.timeSpan =
        sessionClock(*query.session, query.request.clockShiftsNs).toSession(query.request.experiment, whole);
    return {};
}

/// Puts what was tried in the place of the table, beside it, or takes the one from the other.
Result<void> addTrial(const CommMatrixQuery& query, CommMatrixPicture& picture, const Task& task)
{
    const auto tried = makeCommMatrixTable(query.other, *picture.table, task);
    if (!tried) return Unexpected(tried.error());
    const std::string& name = query.trial->name;
    if (query.trialShow == TrialShow::Difference) {
        const auto difference = commMatrixDifference(*picture.table, **tried, task);
        if (!difference) return Unexpected(difference.error());
        picture.table = *difference;
        picture.title = name + " against as it is";
        return {};
    }
    CommMatrixTable left = *picture.table, right = **tried;
    shareScale(left, right);
    picture.table = std::make_shared<const CommMatrixTable>(std::move(left));
    picture.beside = std::make_shared<const CommMatrixTable>(std::move(right));
    picture.title = "As it is";
    picture.besideTitle = name;
    if (query.trialShow == TrialShow::Tried) picture = commMatrixPane(picture, 1);
    return {};
}

using PicturePtr = std::shared_ptr<CommMatrixPicture>;

Result<PicturePtr> makePicture(const CommMatrixQuery& query, const Task& task)
{
    auto communication = communicationOf(*query.results, query.session, query.request, task);
    if (!communication) return Unexpected(communication.error());
    auto table = makeCommMatrixTable(*query.session, *communication, query.options, task);
    if (!table) return Unexpected(table.error());
    auto picture = std::make_shared<CommMatrixPicture>();
    picture->table = *table;
    picture->shown = query.shown;
    picture->endRow = picture->endColumn = static_cast<double>((*table)->size());
    picture->base = *communication;
    const bool tried = query.other && query.trialBase == *communication;
    if (query.shown == CommPicture::Matrix && tried && query.trialShow != TrialShow::AsItIs) {
        const auto added = addTrial(query, *picture, task);
        if (!added) return Unexpected(added.error());
    }
    if (query.shown == CommPicture::Matrix) return picture;
    const auto added = query.shown == CommPicture::Phases ? addPhases(query, *picture, task)
                                                          : addSums(query, *picture, task);
    if (!added) return Unexpected(added.error());
    return picture;
}

}  // namespace

CommMatrixView::CommMatrixView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      head_(new ScopeHead(selection(), this)),
      pages_(new QStackedWidget(this)),
      canvas_(new CommMatrixCanvas(context, this)),
      table_(new TableTree(this)),
      model_(new CommMatrixModel(this)),
      trials_(context, this, "comm_matrix.compare", "comm_matrix.against",
              [this](const char* name, const QString& label, const QStringList& items) {
                  return addChoice(name, label, items);
              })
{
    connect(&trials_, &TrialChooser::changed, this, [this] {
        if (!taking_) compute();
    });
    shown_ = addChoice("comm_matrix.shown", tr("What is shown"),
                       {tr("Matrix"), tr("Message sizes"), tr("Over time"), tr("Phases"), tr("Table")});
    value_ = addChoice("comm_matrix.value", tr("What a cell tells"),
                       {tr("Bytes"), tr("Messages"), tr("Mean size"), tr("Hops"), tr("Time in flight")});
    scale_ = addChoice("comm_matrix.scale", tr("Scale of the colours"), {tr("Logarithmic"), tr("Linear")});
    order_ = addChoice(
        "comm_matrix.order", tr("Order of the ranks"),
        {tr("By rank"), tr("By placement"), tr("By system tree"), tr("Clusters"), tr("Near the diagonal")});
    level_ = addChoice("comm_matrix.level", tr("What a row stands for"), {tr("A row a rank")});
    layOut();
    listen();
    setSession(nullptr);
}

QComboBox* CommMatrixView::addChoice(const char* name, const QString& label, const QStringList& items)
{
    ChoiceBox* choice = newChoice(this, name, label, items);
    connect(choice, &QComboBox::activated, this, [this] { compute(); });
    return choice;
}

void CommMatrixView::layOut()
{
    setUpTable(*table_, "Communication of pairs");
    table_->setObjectName("comm_matrix.table");
    table_->setRootIsDecorated(false);
    table_->setModel(model_);
    table_->freezeColumns(2);
    table_->setSortingEnabled(true);
    table_->sortByColumn(CommMatrixModel::kBytes, Qt::DescendingOrder);
    pages_->addWidget(canvas_);
    pages_->addWidget(table_);
    auto* controls = new WrapLayout;
    controls->setContentsMargins(8, 0, 8, 4);
    for (QComboBox* choice : {shown_, value_, scale_, order_, level_}) controls->addWidget(choice);
    for (const char* name : {"comm_matrix.compare", "comm_matrix.against"})
        controls->addWidget(findChild<QComboBox*>(name));
    controls->addStretch();
    head_->setContentsMargins(8, 4, 8, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addLayout(controls);
    all->addWidget(pages_, 1);
    setFocusProxy(canvas_);
}

void CommMatrixView::listen()
{
    delay_.setSingleShot(true);
    delay_.setInterval(kCommDelayMs);
    connect(&delay_, &QTimer::timeout, this, &CommMatrixView::compute);
    connect(head_, &ScopeHead::pinned, this, &CommMatrixView::compute);
    connect(canvas_, &CommMatrixCanvas::opened, this, [this](const QStringList& groups) {
        for (const QString& group : groups) opened_.insert(group.toStdString());
        compute();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        Selection chosen;
        for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
            const CommMatrixCell& cell = model_->cellOf(index);
            const auto pairs = pairsOfCell(*model_->matrix(), cell.row, cell.column);
            chosen.rankPairs.insert(chosen.rankPairs.end(), pairs.begin(), pairs.end());
        }
        std::ranges::sort(chosen.rankPairs);
        if (!chosen.rankPairs.empty()) selection().setSelected(chosen, this);
    });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kClocks | ViewParts::kMachine))
            delay_.start();
        else if (change.parts.has(ViewParts::kPanels)) canvas_->setStops(colorStopsOf(selection().state()));
    });
}

void CommMatrixView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    head_->setSession(session_);
    trials_.setSession(session_);
    opened_.clear();
    tasks().drop(kCommMatrixKey);
    canvas_->setSession(session_);
    model_->setMatrix(nullptr);
    if (!session_) return showNothing(tr("Open an archive to see who sends how much to whom."));
    const auto communicates = communicatingExperiment(*session_);
    if (!communicates)
        return showNothing(tr("Nothing that is open tells who sent to whom. Open a trace with messages, a "
                              "profile with a communication matrix, or a hop-byte file."));
    experiment_ = *communicates;
    offerLevels();
    showNothing(tr("Summing messages up…"));
    stale_ = true;
    delay_.start();
}

void CommMatrixView::showNothing(const QString& message)
{
    head_->setDetail({});
    canvas_->setPicture(nullptr, message);
    pages_->setCurrentWidget(canvas_);
}

void CommMatrixView::offerLevels()
{
    level_->clear();
    level_->addItem(tr("A row a rank"), QString());
    for (const std::string& level : groupingLevels(session_->experiments[experiment_]->definitions))
        level_->addItem(tr("By %1").arg(toQString(level)), toQString(level));
}

CommMatrixOptions CommMatrixView::options() const
{
    CommMatrixOptions options;
    options.value = static_cast<CommValue>(value_->currentIndex());
    options.order = static_cast<CommOrder>(order_->currentIndex());
    options.level = level_->currentData().toString().toStdString();
    options.opened = opened_;
    return options;
}

void CommMatrixView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (stale_) delay_.start();
}

void CommMatrixView::compute()
{
    delay_.stop();
    stale_ = !isVisible();
    if (stale_ || !session_ || !communicatingExperiment(*session_)) return;
    const bool asTable = shown_->currentIndex() == kTableChoice;
    // A table of what was tried has both sides and the change, whichever of them the picture shows.
    const TrialShow trialShow =
        asTable && trials_.show() != TrialShow::AsItIs ? TrialShow::Difference : trials_.show();
    CommMatrixQuery query{session_,
                          results(),
                          communicationRequest(selection().state(), head_->scope(), experiment_),
                          options(),
                          asTable ? CommPicture::Matrix : static_cast<CommPicture>(shown_->currentIndex()),
                          trialShow,
                          trials_.trial(),
                          trials_.base(),
                          trials_.other()};
    tasks().run<PicturePtr>(
        {kCommMatrixKey, tr("Communication matrix")}, this,
        [query](const Task& task) { return makePicture(query, task); },
        [this](Result<PicturePtr> picture) {
            if (picture) show(std::move(*picture));
            else if (!picture.error().cancelled()) showNothing(toQString(picture.error().text()));
        });
}

void CommMatrixView::show(std::shared_ptr<CommMatrixPicture> picture)
{
    const SessionCommunication& communication = *picture->table->communication;
    picture->logarithmic = scale_->currentIndex() == 0;
    picture->stops = colorStopsOf(selection().state());
    if (trials_.base() != picture->base) {
        taking_ = true;
        trials_.setBase(picture->base);
        taking_ = false;
    }
    std::string words = commAmountText(communication) + " · " + machineText(communication);
    if (!communication.timed && !communication.note.empty()) words = communication.note + " · " + words;
    head_->setDetail(toQString(words));
    model_->setMatrix(picture->table);
    const bool sided = !picture->table->befores.empty();
    const auto offer = [&](CommMatrixModel::Column column, bool known) {
        useColumn(*table_, column, sided || known ? ColumnUse::Offered : ColumnUse::Missing);
    };
    offer(CommMatrixModel::kHops, communication.machine != nullptr);
    offer(CommMatrixModel::kTime, !communication.timesNs.empty());
    canvas_->setPicture(std::move(picture), {});
    const bool asTable = shown_->currentIndex() == kTableChoice;
    pages_->setCurrentWidget(asTable ? static_cast<QWidget*>(table_) : canvas_);
    if (asTable) fitColumns(*table_, 120);
}

std::vector<KeyHint> CommMatrixView::keyHints() const { return canvas_->keyHints(); }

std::optional<DrawList> CommMatrixView::drawnPicture(int width, int height) const
{
    if (pages_->currentWidget() == table_) return std::nullopt;
    return canvas_->drawnPicture(width, height);
}

}  // namespace skein
