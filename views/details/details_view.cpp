// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/details_view.h"

#include "algorithms/timeline/parent_call.h"
#include "core/select/scope.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/anomaly_rules.h"
#include "views/common/behavior_model.h"
#include "views/common/empty_state.h"
#include "views/common/held_painting.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/data/selected_findings.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/details/detail_behavior.h"
#include "views/details/detail_counters.h"
#include "views/details/detail_spans.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <memory>

namespace skein {
namespace {

constexpr qsizetype kLongestValue = 4000;
constexpr int kNumbersDelayMs =
    40;  ///< a drag or zoom sends many scopes; the numbers of the last one are wanted
/// For so long numbers wait for the counters, which stand between them: a page that comes in two parts has
/// what is below them painted twice.
constexpr int kCountersDelayMs = 150;

/// Breaks may come after the marks that long names are made of, which have no blanks.
QString breakable(const std::string& utf8)
{
    QString text = QString::fromStdString(utf8);
    if (text.size() > kLongestValue) text = text.left(kLongestValue) + "…";
    text = text.toHtmlEscaped();
    for (const char* mark : {"::", "/", ","}) text.replace(mark, QString(mark) + "&#8203;");
    return text.replace("\n", "<br>");
}

}  // namespace

DetailsView::DetailsView(const ViewContext& context, QWidget* parent)
    : View(context, parent), text_(new QTextBrowser(this))
{
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    text_->setAccessibleName(tr("Details of the selection"));
    text_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    text_->document()->setDocumentMargin(8);
    pages_ = EmptyState::fill(*this, text_, text_);
    painting_ = new HeldPainting(*text_->viewport());
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected | ViewParts::kBrushed | ViewParts::kClocks))
            showSelection();
        else if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kCauses)) delay_.start();
    });
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const auto number = static_cast<std::size_t>(link.path().toUInt());
        if (link.scheme() == "cause") showCause(number);
        if (link.scheme() == "parent") showParent(number);
        if (link.scheme() == "zoom") zoomToSelected();
        if (link.scheme() == "rows") revealRows();
    });
    connect(&behavior(), &BehaviorModel::changed, this, [this] {
        const Selection& selected = selection().state().selected;
        if (!selected.changePoints.empty() || !selected.clusters.empty()) delay_.start();
    });
    delay_.setSingleShot(true);
    delay_.setInterval(kNumbersDelayMs);
    connect(&delay_, &QTimer::timeout, this, &DetailsView::findNumbers);
    withoutCounters_.setSingleShot(true);
    withoutCounters_.setInterval(kCountersDelayMs);
    connect(&withoutCounters_, &QTimer::timeout, this, &DetailsView::showPage);
    connect(&AnomalyRules::of(selection()), &AnomalyRules::changed, &delay_, qOverload<>(&QTimer::start));
    setSession(nullptr);
}

void DetailsView::showCause(std::size_t call)
{
    const auto& calls = selection().state().selected.intervals;
    if (!waits_ || call >= calls.size()) return;
    const Selection cause = selectCauseOf(*session_, *waits_, calls[call]);
    if (cause.empty()) return;
    selection().setSelected(united(skein::select(*session_, calls[call]), cause), nullptr);
    showBothEnds();
    selection().reveal();
}

/// The visible time grows as far as it must.
void DetailsView::showBothEnds()
{
    const auto around = spanOfSelection();
    const std::optional<TimeSpan> visible = selection().state().visible;
    if (!around || !visible || (visible->begin <= around->begin && around->end <= visible->end)) return;
    const TimeSpan both = visible->united(*around);
    // Two ends that are far apart fill the window: what was seen before has no place between them.
    const bool far = both.lengthNs() > 4 * visible->lengthNs();
    selection().setVisible(far ? widened(*around) : both, nullptr);
}

std::optional<TimeSpan> DetailsView::spanOfSelection() const
{
    if (!session_) return std::nullopt;
    const SessionClock clock = sessionClock(*session_, selection().state().clockShiftsNs);
    const Selection& selected = selection().state().selected;
    std::optional<TimeSpan> around;
    const auto include = [&](TimeSpan span) { around = around ? around->united(span) : span; };
    for (const IntervalRef& call : selected.intervals)
        if (exists(*session_, call))
            include(clock.toSession(call.experiment,
                                    session_->experiments[call.experiment]
                                        ->trace->locations[call.location.index()]
                                        .intervals.span(call.index)));
    for (const MessageRef& ref : selected.messages) {
        if (!exists(*session_, ref)) continue;
        const Message& message = session_->experiments[ref.experiment]->trace->messages[ref.index];
        if (message.matched())
            include(clock.toSession(ref.experiment, TimeSpan{message.sendTime, message.receiveTime}));
    }
    for (const DetailTable& table : numbers_)
        for (const auto& span : table.spans)
            if (span) include(*span);
    // A region or a location means all of its calls only where nothing of them is selected.
    return around ? around : callsSpan_;
}

TimeSpan DetailsView::widened(TimeSpan span) const
{
    const TimeSpan whole = sessionClock(*session_, selection().state().clockShiftsNs).extent;
    const TimeNs margin = span.lengthNs() / 20 + 1;
    return {std::max(whole.begin, span.begin - margin), std::min(whole.end, span.end + margin)};
}

/// In time, in rows, and where the machine is drawn.
void DetailsView::zoomToSelected()
{
    if (!session_) return;
    if (const auto around = spanOfSelection()) selection().setVisible(widened(*around), nullptr);
    if (hasRows()) revealRows();
    selection().enlargeSelected();
}

bool DetailsView::hasPlace() const
{
    const Selection& selected = selection().state().selected;
    return !selected.links.empty() || !selected.nodes.empty() || !selected.rankPairs.empty();
}

/// Of a change those of who moved, and of a cluster all: which they are is known here alone.
void DetailsView::revealRows()
{
    const Selection& selected = selection().state().selected;
    if (rowsOf(*session_, selected).empty())
        selection().setSelected(
            united(selected, skein::select(*session_, locationsOfFindings(behavior().behavior(), selected))),
            nullptr);
    selection().reveal();
}

BehaviorModel& DetailsView::behavior() const { return BehaviorModel::of({selection(), tasks(), results()}); }

bool DetailsView::hasRows() const
{
    if (!session_) return false;
    const Selection& selected = selection().state().selected;
    return !rowsOf(*session_, selected).empty()
        || !locationsOfFindings(behavior().behavior(), selected).empty();
}

/// Sums of what is selected, over the scope, are made off the GUI thread.
void DetailsView::findNumbers()
{
    tasks().drop("details numbers");
    tasks().drop("details counters");
    withoutCounters_.stop();
    if (!session_ || selection().state().selected.empty()) return;
    struct Found {
        std::vector<DetailTable> tables;
        std::optional<TimeSpan> callsSpan;
    };
    tasks().run<Found>(
        {"details numbers", tr("Numbers of the selection"), JobVisibility::WhenSlow}, this,
        [request = DetailRequest{session_, selection().state(), results(), behavior().behavior(),
                                 AnomalyRules::of(selection()).search()}](const Task& task) -> Result<Found> {
            auto tables = detailNumbers(request, task);
            if (!tables) return Unexpected(tables.error());
            const SessionClock clock = sessionClock(*request.session, request.state.clockShiftsNs);
            return Found{std::move(*tables),
                         spanOfSelectedCalls(*request.session, clock, request.state.selected, task)};
        },
        [this](Result<Found> found) {
            if (!found || !session_) return;
            numbers_ = std::move(found->tables);
            callsSpan_ = found->callsSpan;
            withoutCounters_.start();
            findCounters();
        });
}

/// After the other numbers: samples may be many.
void DetailsView::findCounters()
{
    tasks().run<std::vector<DetailTable>>(
        {"details counters", tr("Counters of the selection"), JobVisibility::WhenSlow}, this,
        [request = DetailRequest{session_, selection().state(), results()}](
            const Task& task) -> Result<std::vector<DetailTable>> { return counterDetails(request, task); },
        [this](Result<std::vector<DetailTable>> found) {
            withoutCounters_.stop();
            if (!session_) return;
            if (found) numbers_.insert(numbers_.end(), found->begin(), found->end());
            showPage();
        });
}

/// One thing as lines of name and value, several as rows of a table.
QString DetailsView::numbersHtml() const
{
    const QString faint = toQColor(themeFor(palette()).secondaryText).name();
    QString page;
    for (const DetailTable& table : numbers_) {
        const bool single = table.rows.size() == 1;
        page += "<p style='margin-top:8px; margin-bottom:4px'><b>"
            + breakable(single ? table.rows.front().front() : table.title) + "</b></p>";
        if (single && table.title.find(" · ") != std::string::npos)
            page += QString("<p style='margin:0; color:%1'>%2</p>").arg(faint, breakable(table.title));
        page += "<table cellspacing='0' cellpadding='2' width='100%'>";
        if (single)
            for (std::size_t column = 1; column < table.columns.size(); ++column)
                page += QString("<tr><td width='96' style='color:%1'>%2</td><td>%3</td></tr>")
                            .arg(faint, breakable(table.columns[column]), breakable(table.rows[0][column]));
        else page += rowsHtml(table, faint);
        page += "</table>";
        if (table.left > 0)
            page +=
                QString("<p style='margin:2px; color:%1'>%2</p>").arg(faint, tr("%1 more").arg(table.left));
    }
    return page;
}

QString DetailsView::rowsHtml(const DetailTable& table, const QString& faint)
{
    QString html = "<tr>";
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        html += QString("<td align='%1' style='color:%2'>%3</td>")
                    .arg(column == 0 ? "left" : "right", faint, breakable(table.columns[column]));
    html += "</tr>";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (std::size_t column = 0; column < row.size(); ++column)
            html +=
                QString("<td align='%1'>%2</td>").arg(column == 0 ? "left" : "right", breakable(row[column]));
        html += "</tr>";
    }
    return html;
}

/// What can be done with what is selected.
QString DetailsView::linksHtml() const
{
    const Selection& selected = selection().state().selected;
    if (selected.empty()) return {};
    const QString color = palette().color(QPalette::Link).name();
    const auto link = [&](const char* target, const QString& words) {
        return QString("<a href='%1:0' style='color:%2'>%3</a>").arg(target, color, words);
    };
    QStringList links;
    if (spanOfSelection() || hasPlace()) links.push_back(link("zoom", tr("Zoom to it")));
    if (hasRows()) links.push_back(link("rows", tr("Bring its rows into sight")));
    return links.isEmpty() ? QString() : "<p style='margin:2px'>" + links.join(" &nbsp; ") + "</p>";
}

/// Selects it, and moves the visible time only where it lies outside.
void DetailsView::showParent(std::size_t number)
{
    if (!session_ || number >= parents_.size()) return;
    const IntervalRef parent = parents_[number].parent;
    if (!exists(*session_, parent)) return;
    const TimeSpan own =
        session_->experiments[parent.experiment]->trace->locations[parent.location.index()].intervals.span(
            parent.index);
    const TimeSpan span =
        sessionClock(*session_, selection().state().clockShiftsNs).toSession(parent.experiment, own);
    const std::optional<TimeSpan> visible = selection().state().visible;
    selection().setSelected(skein::select(*session_, parent), nullptr);
    if (!visible || (visible->begin <= span.begin && span.begin < visible->end)) return;
    const TimeNs begin =
        span.begin - (visible->lengthNs() - std::min(span.lengthNs(), visible->lengthNs())) / 2;
    selection().setVisible(TimeSpan{begin, begin + visible->lengthNs()}, nullptr);
}

/// Of selected calls that name the task that made them.
void DetailsView::findParents()
{
    parents_.clear();
    tasks().drop("details parents");
    std::vector<IntervalRef> calls;
    for (const IntervalRef& call : selection().state().selected.intervals)
        if (calls.size() < kMostDetailed && exists(*session_, call)
            && namesParent(*session_->experiments[call.experiment], {call.location, call.index}))
            calls.push_back(call);
    if (calls.empty()) return;
    tasks().run<std::vector<Parent>>(
        {"details parents", tr("Parents of tasks"), JobVisibility::WhenSlow}, this,
        [session = session_, calls](const Task& task) -> Result<std::vector<Parent>> {
            std::vector<Parent> found;
            for (const IntervalRef& call : calls) {
                const auto parent =
                    parentCall(*session->experiments[call.experiment], {call.location, call.index}, task);
                if (!parent) return Unexpected(parent.error());
                if (*parent)
                    found.push_back({call, {call.experiment, (*parent)->location, (*parent)->interval}});
            }
            return found;
        },
        [this](Result<std::vector<Parent>> found) {
            if (!found || !session_) return;
            parents_ = std::move(*found);
            showPage();
        });
}

/// A line for each selected call whose parent is known, with a link to it.
QString DetailsView::parentsHtml() const
{
    QString lines;
    for (std::size_t number = 0; session_ && number < parents_.size(); ++number) {
        const IntervalRef parent = parents_[number].parent;
        const Definitions& definitions = session_->experiments[parent.experiment]->definitions;
        const RegionRef region = regionOf(*session_, callPathOf(*session_, parent));
        lines += QString("<p style='margin:2px'>%1 <a href='parent:%2' style='color:%3'>%4</a></p>")
                     .arg(tr("%1 on %2")
                              .arg(breakable(displayName(definitions.region(region.id))),
                                   breakable(displayName(definitions, parent.location))))
                     .arg(number)
                     .arg(palette().color(QPalette::Link).name(), tr("Go to the parent"));
    }
    return lines.isEmpty()
        ? lines
        : "<p style='margin-top:8px; margin-bottom:4px'><b>" + tr("Parent") + "</b></p>" + lines;
}

/// Of calls that may have waited; the trace is looked through once, by whichever view asks first.
void DetailsView::findWaits()
{
    const auto& calls = selection().state().selected.intervals;
    const bool mayWait = std::any_of(calls.begin(), calls.end(), [this](const IntervalRef& call) {
        if (!exists(*session_, call)) return false;
        const Experiment& experiment = *session_->experiments[call.experiment];
        const auto path = experiment.trace->locations[call.location.index()].intervals.callPath[call.index];
        return paletteGroupOf(experiment.definitions.region(experiment.callTree->region(CallPathId(path))),
                              experiment.definitions)
            == PaletteGroup::Mpi;
    });
    if (!mayWait || waits_) return;
    tasks().run<SessionWaitsPtr>(
        {"details waits", tr("Wait states"), JobVisibility::WhenSlow}, this,
        [session = session_, results = results()](const Task& task) {
            return waitsOf(*results, *session, task);
        },
        [this](Result<SessionWaitsPtr> found) {
            if (!found || !session_) return;
            waits_ = *found;
            showPage();
        });
}

/// A line for each selected call that waited, with a link to what it waited for.
QString DetailsView::waitsHtml() const
{
    if (!waits_ || !session_) return {};
    QString lines;
    const auto& calls = selection().state().selected.intervals;
    for (std::size_t call = 0; call < std::min(calls.size(), kMostDetailed); ++call) {
        const std::string text = waitText(*session_, *waits_, calls[call]);
        if (text.empty()) continue;
        lines += QString("<p style='margin:2px'>%1 <a href='cause:%2' style='color:%3'>%4</a></p>")
                     .arg(breakable(text))
                     .arg(call)
                     .arg(palette().color(QPalette::Link).name(), tr("Select what it waited for"));
    }
    return lines.isEmpty()
        ? lines
        : "<p style='margin-top:8px; margin-bottom:4px'><b>" + tr("Waiting") + "</b></p>" + lines;
}

void DetailsView::setSession(SessionPtr session)
{
    tasks().drop("details waits");
    tasks().drop("details parents");
    tasks().drop("details numbers");
    tasks().drop("details counters");
    withoutCounters_.stop();
    parents_.clear();
    numbers_.clear();
    callsSpan_.reset();
    waits_ = nullptr;
    session_ = std::move(session);
    if (!session_)
        return pages_->showMessage(tr("Open an archive, then select a call, a message or a region."));
    pages_->showContent();
    showSelection();
}

/// Several of a kind have a table instead.
std::vector<DetailSection> DetailsView::toldInWords() const
{
    ViewState state = selection().state();
    const bool any = !state.selected.empty();
    const auto single = [](auto& chosen) {
        if (chosen.size() > 1) chosen.clear();
    };
    // A message brings the calls at its ends along.
    if (state.selected.messages.size() > 1) state.selected.intervals.clear();
    single(state.selected.messages);
    if (state.selected.messages.empty()) single(state.selected.intervals);
    single(state.selected.regions);
    single(state.selected.locations);
    if (state.selected.callPaths.size() > 1) state.selected.callPaths.clear();
    const bool left = !state.selected.messages.empty() || !state.selected.intervals.empty()
        || !state.selected.regions.empty() || !state.selected.locations.empty()
        || !state.selected.callPaths.empty() || state.brushed;
    return any && !left ? std::vector<DetailSection>() : detailsOf(*session_, state);
}

void DetailsView::showSelection()
{
    if (!session_) return;
    shown_ = toldInWords();
    numbers_.clear();
    callsSpan_.reset();
    findParents();
    showPage();
    text_->verticalScrollBar()->setValue(0);
    findWaits();
    delay_.start();
}

/// A page that says the same stays, with its place and what is marked in it.
void DetailsView::showPage()
{
    QString page = html(shown_);
    if (page == page_) return;
    if (!page_.isEmpty()) painting_->hold();
    page_ = std::move(page);
    // A text that has gone for a moment would take its scroll bar along.
    const int place = text_->verticalScrollBar()->value();
    if (text_->verticalScrollBar()->isVisible()) text_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    text_->setHtml(page_);
    text_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    text_->verticalScrollBar()->setValue(place);
}

QString DetailsView::html(const std::vector<DetailSection>& sections) const
{
    const QString faint = toQColor(themeFor(palette()).secondaryText).name();
    QString page = linksHtml() + parentsHtml() + waitsHtml() + numbersHtml();
    for (const DetailSection& section : sections) {
        page += "<p style='margin-top:8px; margin-bottom:4px'><b>" + breakable(section.title) + "</b></p>";
        if (section.lines.empty()) continue;
        page += "<table cellspacing='0' cellpadding='2' width='100%'>";
        for (const auto& [name, value] : section.lines)
            page += QString("<tr><td width='96' style='color:%1'>%2</td><td>%3</td></tr>")
                        .arg(faint, breakable(name), breakable(value));
        page += "</table>";
    }
    return page;
}

/// Of the whole text.
std::optional<int> DetailsView::pictureHeight(int width) const
{
    if (!session_) return std::nullopt;
    const double ratio = devicePixelRatioF();
    const std::unique_ptr<QTextDocument> copy(text_->document()->clone());
    copy->setTextWidth(width / ratio);
    return static_cast<int>(std::ceil(copy->size().height() * ratio)) + 2;
}

void DetailsView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_) showSelection();
}

}  // namespace skein
