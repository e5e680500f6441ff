// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/time_view.h"

#include "views/common/scene/data/memo.h"
#include "views/common/scene/data/session_behavior.h"
#include "views/timeline/timeline_clusters_scene.h"
#include "views/timeline/timeline_collectives_scene.h"
#include "views/timeline/timeline_scene.h"

#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

class QMenu;

namespace skein {

class BehaviorModel;

/// The timeline of all open traces. The picture is made off the GUI thread; while it is, the last one is
/// shown scaled to where its contents belong now.
class TimelineView : public TimeView {
    Q_OBJECT

public:
    explicit TimelineView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::optional<int> pictureHeight(int width) const override;
    std::vector<LegendEntry> pictureLegend() const override;
    QSize sizeHint() const override { return {900, 500}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

    /// Where everything is now, in device pixels.
    const TimelineLayout& sceneLayout() const { return layout_; }
    /// The marks of clusters beside the rows now; null where nobody has looked for any, or they are hidden.
    std::shared_ptr<const TimelineClusters> clusters() const;
    bool upToDate() const override;

    /// Selects the other end of the selected message, or of a message of the selected call.
    void goToOtherEnd();
    /// Collapses a group of rows, or expands it.
    void toggleGroup(const RowGroup& group);
    void arrange(const RowArrangement& rows);
    void setMessageDisplay(MessageDisplay display);
    /// How high rows are at least; forgets by how much the user has zoomed them.
    void setRowFit(RowFit fit);

protected:
    Maker maker() const override;
    QString emptyText() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    TimeFrame frame() const override { return frameOf(layout_); }
    Hover hitAt(Point point) const override;
    double maximumScroll() const override { return layout_.maximumScroll; }
    ViewParts drawnParts() const override
    {
        return ViewParts::kSelected | ViewParts::kRows | ViewParts::kColors | ViewParts::kMetric;
    }
    void dataChanged() override { layoutAgain(); }
    void selectedElsewhere() override;
    void bringRowsIntoSight(const std::vector<LocationRef>& locations) override;
    void layoutAgain() override;
    void redraw() override;
    void paintPicture(QPainter& painter) const override;
    bool pressPlainKey(int key) override;
    void bringIntoView(LocationRef location, TimeSpan span) override;
    void clicked(Point point, Qt::KeyboardModifiers modifiers) override;
    void labelDragged(Point from, Point to) override;
    void labelDropped(Point from, Point to) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// What a picture was made of.
    struct Frame {
        TimelineDataPtr data;
        ViewState state;  ///< without what only the overlay shows
        TimelineOptions options;
        int width = 0;
        int height = 0;
        bool operator==(const Frame&) const = default;
    };
    struct Picture {
        Frame frame;
        TimelinePlan plan;
        QImage image;  ///< what is shown
        QImage draft;  ///< as it was before its columns were decided exactly, if they are
        PictureDetail draftDetail;
        qint64 drawnInMs = 0;
        std::shared_ptr<const KeptSamples> samples;
    };
    /// What the marks of clusters are laid out for.
    struct ClustersOf {
        SessionBehaviorPtr behavior;
        std::uint64_t layout = 0;  ///< which of the layouts so far
        TimeSpan span;
        bool operator==(const ClustersOf&) const = default;
    };
    /// A component that is dragged along the time.
    struct ComponentDrag {
        std::uint32_t experiment = 0;
        double from = 0;  ///< device pixels
        double to = 0;
    };
    /// Where a row goes that is dragged by its name.
    struct RowMove {
        LocationRef row;
        LocationRef before;  ///< invalid: to the end
        double line = 0;     ///< device pixels from the top: the edge that it will stand at
    };
    using PicturePtr = std::shared_ptr<const Picture>;

    void addActions();
    void addRowActions();
    void addRowFits();
    void firstPictureEnded();
    void markWaits();
    void followCriticalPath();
    void loadWorkflow();
    void inferCollectives();
    Frame presentFrame() const;
    static Maker makerOf(const Frame& frame);
    static bool showsSame(const Frame& a, Frame b);
    static bool isOnlyMoved(const Frame& a, Frame b);
    static bool isAsWide(const Frame& a, Frame b);
    double sampledCells() const;
    void startPicture();
    QImage composed(int shift, const Rect& moved) const;
    std::optional<QImage> movedScreen(int shift, const Rect& moved) const;
    void paintStale(QPainter& painter) const;
    void refresh();
    void selectHandOver(std::uint32_t number);
    void addBehaviorSwitch(const char* name, const QString& text, bool TimelineView::*shown);
    SessionBehaviorPtr behaviorWhere(bool shown) const;
    std::optional<std::size_t> changeAt(Point point) const;
    void selectChange(std::size_t change);
    std::optional<std::uint32_t> clusterAt(Point point) const;
    PictureDetail exactDetail() const;
    bool exactIsQuick(const Frame& frame) const;
    void decideExactly();
    void prepareGroups();
    static PicturePtr makePicture(const Frame& frame, const PicturePtr& before, const SceneFonts& fonts,
                                  const Task& task);
    static void keepExactPixels(Picture& now, const Picture& before);
    bool hasSamples() const;
    void scrollTo(const PlacedRow& place);
    void setRowZoom(double factor, double atY);
    std::optional<TimelineRow> rowAt(Point point) const;
    /// Whether the call waited, for what the filters leave.
    bool waitedInSight(IntervalRef call) const;
    std::vector<LocationRef> rowsBetween(double fromY, double toY) const override;
    std::vector<LocationRef> shownLocations() const;
    std::optional<RowMove> rowMove(Point start, Point end) const;
    void drawRowMove(DrawList& list) const;
    std::vector<std::string> groupTooltip(Point point) const;
    void orderRows(
        const QString& title,
        std::function<Result<std::vector<LocationRef>>(const TimelineData&, const ViewState&, const Task&)>
            order);
    void foldAll(RowGroupKind kind);
    TimeNs draggedNs() const;
    void paintDragged(QPainter& painter) const;
    bool hasHeader(const RowGroup& group) const;
    void fillRowMenu(QMenu& menu, Point point);

    BehaviorModel& behavior_;
    bool showsChanges_ = true;
    bool showsClusters_ = true;
    bool showsPath_ = false;
    TimelineOptions options_;
    TimelineLayout layout_;
    std::uint64_t layouts_ = 0;  ///< so far
    mutable Memo<ClustersOf, TimelineClusters> clusters_;
    PicturePtr picture_;
    QImage onScreen_;  ///< picture_, or what of it fits until the next one is there
    std::optional<ComponentDrag> shifting_;
    std::optional<RowMove> moving_;  ///< while a name is dragged to where it can be dropped
    QTimer strips_;                  ///< while it runs, what has come into sight is waited for
    bool stripsLate_ = false;
    bool drawing_ = false;
    bool preparing_ = false;   ///< trees of rows that stand for many locations
    bool sharpening_ = false;  ///< what is being drawn shows the same as picture_, more finely
};

}  // namespace skein
