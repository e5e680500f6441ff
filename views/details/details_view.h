// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/session_waits.h"
#include "views/common/view.h"
#include "views/details/detail_sections.h"

class QTextBrowser;

namespace skein {

class EmptyState;

/// Everything that is known about the selection, as text that can be marked and copied.
class DetailsView : public View {
    Q_OBJECT

public:
    DetailsView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void findWaits();
    QString waitsHtml() const;
    void showSelection();
    QString html(const std::vector<DetailSection>& sections) const;

    SessionPtr session_;
    SessionWaitsPtr waits_;  ///< null until they are asked for and found
    QTextBrowser* text_ = nullptr;
    EmptyState* pages_ = nullptr;
    std::vector<DetailSection> shown_;
};

}  // namespace skein
