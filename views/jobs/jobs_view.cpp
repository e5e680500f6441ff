// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobs/jobs_view.h"

#include "views/common/empty_state.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"
#include "views/jobs/job_model.h"

#include <QAction>
#include <QHeaderView>

namespace skein {

JobsView::JobsView(const ViewContext& context, QWidget* parent)
    : View(context, parent), model_(new JobModel(context.tasks, this)), table_(new TableTree(this))
{
    setUpTable(*table_, "Jobs");
    table_->setRootIsDecorated(false);
    table_->setModel(model_);
    table_->header()->setSortIndicator(-1, Qt::DescendingOrder);
    table_->setSortingEnabled(true);
    table_->header()->setSectionResizeMode(JobModel::kState, QHeaderView::Stretch);
    table_->setColumnWidth(JobModel::kTitle, 480);
    table_->setColumnWidth(JobModel::kTime, 140);
    pages_ = EmptyState::fill(*this, table_, table_);
    auto* cancel = new QAction(tr("Cancel Job"), this);
    cancel->setObjectName("jobs.cancel");
    cancel->setShortcut(QKeySequence::Delete);
    cancel->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(cancel);
    connect(cancel, &QAction::triggered, this, &JobsView::cancelCurrent);
    connect(table_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == JobModel::kCancel) cancelRow(index.row());
    });
    connect(model_, &QAbstractItemModel::modelReset, this, &JobsView::showState);
    showState();
}

std::vector<KeyHint> JobsView::keyHints() const { return {{tr("Click on ✕ Cancel"), tr("Cancel that job")}}; }

void JobsView::cancelCurrent()
{
    cancelRow(table_->currentIndex().isValid() ? table_->currentIndex().row() : 0);
}

void JobsView::cancelRow(int row)
{
    if (const JobInfo* job = model_->job(row)) tasks().cancel(job->id);
}

void JobsView::showState()
{
    if (model_->rowCount() > 0) pages_->showContent();
    else
        pages_->showMessage(
            tr("No work is running. Imports and other long work are listed here while they run."));
}

}  // namespace skein
