// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

class QLabel;
class QTreeView;

namespace skein {

class EmptyState;
class IssueModel;

/// What was odd about the archives and what was lost: one line a finding, with a sentence that sums it up. Says clearly
/// when nothing was lost.
class ImportReportView : public View {
    Q_OBJECT

public:
    ImportReportView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;

private:
    void fitColumns();

    IssueModel* model_ = nullptr;
    QTreeView* table_ = nullptr;
    QLabel* summary_ = nullptr;
    EmptyState* pages_ = nullptr;
};

/// "Nothing was lost. 3 things were noticed." and the like.
QString reportSummary(const Session& session);

}  // namespace skein
