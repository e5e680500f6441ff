// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/import_report/import_report_view.h"

#include "core/base/units.h"
#include "views/common/empty_state.h"
#include "views/import_report/issue_model.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyle>
#include <QTreeView>

namespace skein {
namespace {

constexpr int kWidestColumn = 420;

struct Tally {
    std::uint64_t noticed = 0;
    std::uint64_t lost = 0;
    std::uint64_t errors = 0;
};

Tally tally(const Session& session)
{
    Tally sum;
    for (const ExperimentPtr& experiment : session.experiments) {
        for (const Issue& issue : experiment->report.issues()) {
            const Severity severity = describe(issue.kind).severity;
            ++(severity == Severity::Information    ? sum.noticed
                   : severity == Severity::DataLoss ? sum.lost
                                                    : sum.errors);
        }
    }
    return sum;
}

QString counted(std::uint64_t count, const QString& one, const QString& many)
{
    return count == 1 ? one
                      : many.arg(QString::fromStdString(formatGrouped(static_cast<std::int64_t>(count))));
}

}  // namespace

QString reportSummary(const Session& session)
{
    const Tally sum = tally(session);
    QStringList sentences;
    if (sum.errors > 0)
        sentences.push_back(counted(sum.errors, QObject::tr("A part could not be read."),
                                    QObject::tr("%1 parts could not be read.")));
    if (sum.lost > 0)
        sentences.push_back(counted(sum.lost, QObject::tr("Data was lost in one way."),
                                    QObject::tr("Data was lost in %1 ways.")));
    if (sum.errors + sum.lost == 0)
        sentences.push_back(QObject::tr("Nothing was lost: everything that was recorded is shown."));
    if (sum.noticed > 0)
        sentences.push_back(counted(sum.noticed, QObject::tr("One oddity was noticed, without loss."),
                                    QObject::tr("%1 oddities were noticed, without loss.")));
    return sentences.join(' ');
}

ImportReportView::ImportReportView(const ViewContext& context, QWidget* parent)
    : TableView(context, "Import report", parent), model_(new IssueModel(this)), summary_(new QLabel(this))
{
    table().setRootIsDecorated(false);
    table().setModel(model_);
    table().setSortingEnabled(true);
    table().header()->setStretchLastSection(true);
    table().header()->setSortIndicator(IssueModel::kSeverity, Qt::DescendingOrder);
    summary_->setMargin(4);
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    controls().addWidget(summary_, 1);
    setSession(nullptr);
}

void ImportReportView::setSession(SessionPtr session)
{
    model_->setSession(session);
    if (!session) {
        setWindowTitle(tr("Import report"));
        return pages().showMessage(tr("Open an archive to see what was odd about it and what was lost."));
    }
    const Tally sum = tally(*session);
    const bool lost = sum.lost + sum.errors > 0;
    setWindowTitle(lost ? tr("Import report: data lost") : tr("Import report"));
    const QString summary = reportSummary(*session);
    if (model_->rowCount() == 0) return pages().showMessage(summary);
    summary_->setText(summary);
    summary_->setProperty("role", lost ? "warning" : "");
    summary_->style()->unpolish(summary_);
    summary_->style()->polish(summary_);
    fitColumns();
    pages().showContent();
}

void ImportReportView::fitColumns()
{
    for (int column = 0; column < IssueModel::kColumnCount; ++column) {
        bool empty = true;
        for (int row = 0; empty && row < model_->rowCount(); ++row)
            empty = model_->index(row, column).data().toString().isEmpty();
        table().setColumnHidden(column, empty);
        table().resizeColumnToContents(column);
    }
    for (const int column : {IssueModel::kFile, IssueModel::kLocation, IssueModel::kDetail})
        table().setColumnWidth(column, std::min(table().columnWidth(column), kWidestColumn));
}

}  // namespace skein
