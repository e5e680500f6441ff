// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/table_view.h"

class QLabel;

namespace skein {

class IssueModel;

/// What was odd about the archives and what was lost: one line a finding, with a sentence that sums it up.
/// Says clearly when nothing was lost.
class ImportReportView : public TableView {
    Q_OBJECT

public:
    ImportReportView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;

private:
    void fitColumns();

    IssueModel* model_ = nullptr;
    QLabel* summary_ = nullptr;
};

/// "Nothing was lost. 3 things were noticed." and the like.
QString reportSummary(const Session& session);

}  // namespace skein
