// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/details_view.h"

#include "algorithms/timeline/parent_call.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/empty_state.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/data/session_waits.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"

#include <QEvent>
#include <QTextBrowser>
#include <QUrl>

#include <algorithm>

namespace skein {
namespace {

constexpr qsizetype kLongestValue = 4000;

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
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected | ViewParts::kBrushed | ViewParts::kClocks))
            showSelection();
    });
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const auto number = static_cast<std::size_t>(link.path().toUInt());
        if (link.scheme() == "cause") showCause(number);
        if (link.scheme() == "parent") showParent(number);
    });
    setSession(nullptr);
}

void DetailsView::showCause(std::size_t call)
{
    const auto& calls = selection().state().selected.intervals;
    if (waits_ && call < calls.size())
        selection().setSelected(selectCauseOf(*session_, *waits_, calls[call]), nullptr);
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
            text_->setHtml(html(shown_));
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
            text_->setHtml(html(shown_));
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
    parents_.clear();
    waits_ = nullptr;
    session_ = std::move(session);
    if (!session_)
        return pages_->showMessage(tr("Open an archive, then select a call, a message or a region."));
    pages_->showContent();
    showSelection();
}

void DetailsView::showSelection()
{
    if (!session_) return;
    shown_ = detailsOf(*session_, selection().state());
    findParents();
    text_->setHtml(html(shown_));
    findWaits();
}

QString DetailsView::html(const std::vector<DetailSection>& sections) const
{
    const QString faint = toQColor(themeFor(palette()).secondaryText).name();
    QString page = parentsHtml() + waitsHtml();
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

void DetailsView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_) showSelection();
}

}  // namespace skein
