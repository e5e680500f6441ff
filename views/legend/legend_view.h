// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/view.h"

#include "views/common/scene/regions/group_filters.h"
#include "views/legend/legend_shares_scene.h"

#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QTreeWidget;
class QTreeWidgetItem;

namespace skein {

struct MetricTrack;

class ColorChoosers;
class ColorStrip;
class EmptyState;
class ScopeHead;

/// What the colours stand for: groups of regions, and below each its regions. A click hides or shows, a click
/// with Alt shows alone; what it does is a filter like any other, with a chip and undo. Chooses what calls
/// are coloured by, and whether groups are the regions' roles or those that the archives recorded.
class LegendView : public View {
    Q_OBJECT

public:
    explicit LegendView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    QSize sizeHint() const override { return {300, 240}; }
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::optional<int> pictureHeight(int width) const override;

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void fill();
    void fillGroup(QTreeWidgetItem& item);
    void showGroups();
    void showFilters();
    void showColors();
    void fillMetrics();
    void chooseMetric(int row);
    void showMetricScale();
    void showMetric(const MetricTrack& track);
    void showWaits();
    void showFlushes();
    void chooseColor(const ShownGroup& group);
    void fillColorMenu(QMenu& menu, const QTreeWidgetItem& item);
    /// Null for the item of a region.
    const ShownGroup* groupOf(const QTreeWidgetItem& item) const;
    /// Where a group's colour is in the tree's viewport.
    QRect swatchOf(const QTreeWidgetItem& item) const;
    void toggle(QTreeWidgetItem& item);
    void showAlone(QTreeWidgetItem& item);
    void clicked(QTreeWidgetItem* item);
    std::vector<RegionRef> regionsOf(const QTreeWidgetItem& item) const;
    void prepareSums();
    void sumUp();
    void showShares(OwnTimeShares shares);
    double shareOf(const std::vector<RegionRef>& regions) const;
    void showShare(QTreeWidgetItem& item, double share) const;

    SessionPtr session_;
    GroupRegions groups_;
    ScopeHead* head_ = nullptr;
    QTimer delay_;                                   ///< before the scope is summed up
    OwnTimeShares shares_;                           ///< of the scope
    GroupRegions otherGroups_;                       ///< those of the other grouping
    RegionGrouping grouped_ = RegionGrouping::Role;  ///< what was chosen when the groups were listed
    EmptyState* pages_ = nullptr;
    QTreeWidget* tree_ = nullptr;
    ColorChoosers* choosers_ = nullptr;
    QComboBox* metric_ = nullptr;  ///< what calls are coloured by where a metric does it
    ColorStrip* strip_ = nullptr;
    QCheckBox* logarithmic_ = nullptr;
    QLabel* waits_ = nullptr;
    QLabel* flushes_ = nullptr;
    QPoint pressed_;  ///< where the tree was pressed last
};

}  // namespace skein
