// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_waits.h"
#include "views/common/view.h"
#include "views/details/detail_numbers.h"
#include "views/details/detail_sections.h"

#include <QTimer>

#include <optional>

class QTextBrowser;

namespace skein {

class BehaviorModel;
class EmptyState;
class HeldPainting;

/// Everything that is known about the selection, as text that can be marked and copied.
class DetailsView : public View {
    Q_OBJECT

public:
    DetailsView(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::optional<int> pictureHeight(int width) const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    /// A selected call and the call of the task that made it.
    struct Parent {
        IntervalRef call, parent;
    };

    void findWaits();
    void findParents();
    void showCause(std::size_t call);
    void showParent(std::size_t number);
    QString waitsHtml() const;
    QString parentsHtml() const;
    void showSelection();
    std::vector<DetailSection> toldInWords() const;
    void showBothEnds();
    std::optional<TimeSpan> spanOfSelection() const;
    TimeSpan widened(TimeSpan span) const;
    void zoomToSelected();
    void revealRows();
    bool hasRows() const;
    bool hasPlace() const;
    BehaviorModel& behavior() const;
    void findNumbers();
    void findCounters();
    QString numbersHtml() const;
    static QString rowsHtml(const DetailTable& table, const QString& faint);
    QString linksHtml() const;
    void showPage();
    QString html(const std::vector<DetailSection>& sections) const;

    SessionPtr session_;
    std::vector<Parent> parents_;  ///< of the selected calls, as far as they have been found
    SessionWaitsPtr waits_;        ///< null until they are asked for and found
    QTextBrowser* text_ = nullptr;
    EmptyState* pages_ = nullptr;
    HeldPainting* painting_ = nullptr;
    QString page_;  ///< what text_ shows
    std::vector<DetailSection> shown_;
    std::vector<DetailTable> numbers_;   ///< of what is selected, when they are there
    std::optional<TimeSpan> callsSpan_;  ///< of the calls of selected call paths and locations
    QTimer delay_;
    QTimer withoutCounters_;  ///< runs while numbers wait for counters
};

}  // namespace skein
