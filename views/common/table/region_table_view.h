// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/table/table_view.h"

#include "core/select/view_state.h"
#include "views/common/filter_menu.h"
#include "views/common/scene/color/palette.h"

#include <QModelIndexList>
#include <QTimer>

#include <cstdint>
#include <vector>

class QAbstractItemModel;

namespace skein {

class ScopeHead;

/// A sortable table whose rows are regions, calls or locations of the open experiments: it is summed up again
/// when parts of the state change, selects and filters what its rows stand for, and shows the colours of
/// their regions.
class RegionTableView : public TableView {
    Q_OBJECT

protected:
    /// `computed`: parts of the state that need new sums, besides the scope.
    RegionTableView(const ViewContext& context, const char* accessibleName, ViewParts computed,
                    QWidget* parent);

    /// Shows the model's rows, the greatest of `column` first. To be called once, from the constructor.
    void setModel(QAbstractItemModel* model, int column);
    const SessionPtr& session() const { return session_; }
    /// Takes another session and forgets widths and sums; false: nothing is open, and `nothing` is shown.
    bool takeSession(SessionPtr session, const QString& nothing);
    /// The line above the controls that says what is summed up.
    ScopeHead& head() const { return *head_; }
    /// Says above the table that there is no time, and what is shown in its place; empty: nothing to say.
    void tellInsteadOfTime(const std::string& metric);

    /// Starts to sum up; the last one wins.
    virtual void compute() = 0;
    virtual void setPalettes(std::vector<RegionPalette> palettes) = 0;
    /// What rows stand for, for selections.
    virtual Selection meantBy(const QModelIndexList& rows) const = 0;
    /// The same for filters.
    virtual FilterSubject subjectOf(const QModelIndexList& rows) const = 0;
    /// Whether one of these regions of an experiment is among what is selected.
    static bool anySelected(const Selection& selected, std::uint32_t experiment,
                            const std::vector<RegionId>& regions);
    /// The location that a cell names; invalid for all others. A click on it selects the location.
    virtual LocationRef locationIn(const QModelIndex& /*cell*/) const { return {}; }
    /// Marks the rows of what other views have selected.
    virtual void showSelection() {}
    /// Selects these rows, and scrolls to the first where something else is selected than the last time: when
    /// sums of another part of the run come, the table stays where it is.
    void markSelected(const QItemSelection& rows, const QModelIndex& first);
    /// The next rows that are marked are scrolled to.
    void bringSelection() { brought_ = {}; }
    void updatePalettes();

    void changeEvent(QEvent* event) override;
    void fillMenu(QMenu& menu) override;

private:
    void publishSelection();

    SessionPtr session_;
    Selection brought_;  ///< what was scrolled to
    ScopeHead* head_ = nullptr;
    QTimer delay_;
};

}  // namespace skein
