// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

namespace skein {

class EmptyState;
class JobModel;
class TableTree;

/// The work that runs or ran, with stage, progress, time left and a way to cancel it.
class JobsView : public View {
    Q_OBJECT

public:
    JobsView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    std::vector<KeyHint> keyHints() const override;

private:
    void cancelCurrent();
    void cancelRow(int row);
    void showState();

    JobModel* model_ = nullptr;
    TableTree* table_ = nullptr;
    EmptyState* pages_ = nullptr;
};

}  // namespace skein
