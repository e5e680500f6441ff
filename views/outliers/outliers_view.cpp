// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outliers_view.h"

#include "views/common/scene/data/shared_results.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/outliers/outlier_calls_canvas.h"
#include "views/outliers/outlier_ranks_canvas.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace skein {

OutliersView::OutliersView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      calls_(new OutlierCallsCanvas(context, this)),
      ranks_(new OutlierRanksCanvas(context, this)),
      pages_(new QStackedWidget(this)),
      mode_(new QComboBox(this)),
      ofSelected_(new QAction(tr("Only the Selected Region"), this)),
      head_(new ScopeHead(selection(), this))
{
    mode_->setObjectName("outliers.mode");
    mode_->setAccessibleName(tr("What a dot stands for"));
    mode_->addItems({tr("Calls"), tr("Aggregated by location")});
    mode_->setToolTip(
        tr("A dot a call, by entry and duration; or a dot a location, by number and time beyond the usual"));
    ofSelected_->setObjectName("outliers.selectedRegion");
    ofSelected_->setCheckable(true);
    ofSelected_->setToolTip(tr("Leave the calls of regions that are not selected out"));
    addAction(ofSelected_);
    auto* button = new QToolButton(this);
    button->setDefaultAction(ofSelected_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(mode_);
    row->addWidget(button);
    row->addWidget(head_, 1);
    connect(head_, &ScopeHead::pinned, this, &OutliersView::compute);
    pages_->addWidget(calls_);
    pages_->addWidget(ranks_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(row);
    all->addWidget(pages_, 1);
    setFocusProxy(calls_);
    connect(mode_, &QComboBox::currentIndexChanged, this, [this](int index) {
        pages_->setCurrentIndex(index);
        setFocusProxy(pages_->currentWidget());
    });
    connect(ofSelected_, &QAction::toggled, this, &OutliersView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kClocks)) source_ = withClockOf(source_, selection().state());
        ViewParts parts = kScopeParts | ViewParts::kFilters | ViewParts::kClocks;
        if (selectedRegionsOnly()) parts |= ViewParts::kSelected;
        if (change.parts.has(parts)) compute();
    });
    setSession(nullptr);
}

bool OutliersView::selectedRegionsOnly() const { return ofSelected_->isChecked(); }

void OutliersView::show(Mode mode) { mode_->setCurrentIndex(mode == Mode::Calls ? 0 : 1); }

void OutliersView::setSession(SessionPtr session)
{
    tasks().drop("outliers");
    session_ = std::move(session);
    head_->setSession(session_);
    source_ = nullptr;
    outliers_ = nullptr;
    preparing_ = computing_ = stale_ = false;
    calls_->setSession(session_);
    if (!session_) return showMessage(tr("Open a trace to see which calls took much longer than usual."));
    if (!anyTrace(*session_))
        return showMessage(tr("Outliers are single calls, and a profile has none. Open a trace."));
    showMessage(tr("Looking for outliers…"));
    QTimer::singleShot(kShownForMs, this, &OutliersView::prepare);
}

void OutliersView::showMessage(const QString& message)
{
    calls_->setOutliers(nullptr, message);
    ranks_->setOutliers(nullptr, message);
}

/// Work that only this view needs begins when it is looked at.
void OutliersView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    QTimer::singleShot(kShownForMs, this, &OutliersView::prepare);
}

void OutliersView::prepare()
{
    if (preparing_ || source_ || !isVisible() || !session_ || !anyTrace(*session_)) return;
    preparing_ = true;
    tasks().run<OutlierSourcePtr>(
        {"outliers", tr("Outliers")}, this,
        [session = session_, results = results()](const Task& task) -> Result<OutlierSourcePtr> {
            const auto timeline = timelineDataOf(*results, *session, task);
            if (!timeline) return cancelled();
            return makeOutlierSource(*timeline, task);
        },
        [this](Result<OutlierSourcePtr> source) {
            preparing_ = false;
            if (!source)
                return showMessage(
                    tr("The search for outliers was cancelled. Show this panel again to repeat it."));
            if (!(*source)->any)
                showMessage(tr("No call took much longer than the other calls of its region."));
            source_ = withClockOf(*source, selection().state());
            compute();
        });
}

/// One after the other: a newer state waits for the one under way, so that pictures follow while the window
/// moves.
void OutliersView::compute()
{
    if (!source_ || !source_->any) return;
    stale_ = computing_;
    if (computing_) return;
    computing_ = true;
    const OutlierRequest request =
        outlierRequest(*source_->data, selection().state(), head_->scope(), selectedRegionsOnly());
    tasks().run<OutlierDataPtr>(
        {"outliers", tr("Outliers")}, this,
        [source = source_, request](const Task& task) { return makeOutlierData(source, request, task); },
        [this](Result<OutlierDataPtr> outliers) {
            computing_ = false;
            if (outliers) showOutliers(*outliers);
            if (outliers && stale_) compute();
        });
}

void OutliersView::showOutliers(OutlierDataPtr outliers)
{
    outliers_ = std::move(outliers);
    calls_->setOutliers(outliers_, tr("Preparing the outliers…"));
    ranks_->setOutliers(
        outliers_,
        tr("No call in the visible window took much longer than usual, of what the filters show."));
}

std::vector<KeyHint> OutliersView::keyHints() const
{
    return pages_->currentWidget() == calls_ ? calls_->keyHints() : ranks_->keyHints();
}

std::optional<DrawList> OutliersView::drawnPicture(int width, int height) const
{
    return pages_->currentWidget() == calls_ ? calls_->drawnPicture(width, height)
                                             : ranks_->drawnPicture(width, height);
}

}  // namespace skein
