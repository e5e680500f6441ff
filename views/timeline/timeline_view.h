// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/draw_list_painter.h"
#include "views/common/view.h"
#include "core/select/navigate.h"
#include "views/timeline/timeline_scene.h"

#include <QImage>
#include <QPointF>

#include <functional>
#include <memory>
#include <optional>

class QMenu;

namespace skein {

/// The timeline of all open traces. The picture is made off the GUI thread; while it is, the last one is shown scaled
/// to where its contents belong now.
class TimelineView : public View {
    Q_OBJECT

public:
    explicit TimelineView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<Result<void>> savePicture(const std::filesystem::path& path, int width, int height) const override;
    QSize sizeHint() const override { return {900, 500}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

    /// Where everything is now, in device pixels.
    const TimelineLayout& sceneLayout() const { return layout_; }
    /// True when the picture on the screen is that of the present state.
    bool upToDate() const;

    void zoom(double factor, double atX);  ///< `atX` in device pixels; factors below 1 show less time
    void panBy(double devicePixels);
    void scrollBy(double devicePixels);
    void zoomToBrush();
    void zoomToSelection();
    void showEverything();
    /// Selects the next or the last call of the selected call's region on its location.
    void stepCall(Direction direction);
    /// Selects the other end of the selected message, or of a message of the selected call.
    void goToOtherEnd();
    /// Collapses a group of rows, or expands it.
    void toggleGroup(const RowGroup& group);
    void arrange(const RowArrangement& rows);
    void setMessageDisplay(MessageDisplay display);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
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
        TimelineLayout layout;
        VisibleMessages messages;
        QImage image;
    };
    using PicturePtr = std::shared_ptr<const Picture>;
    enum class Drag { None, Brush, Pan, Row };

    void addActions();
    void addRowActions();
    void buildIndexes(SessionPtr session);
    void markWaits();
    void loadWorkflow(SessionPtr session);
    void setData(TimelineDataPtr prepared);
    void inferCollectives();
    void hear(ViewParts parts);
    Frame presentFrame() const;
    void layoutAgain();
    void refresh();
    void startPicture();
    static PicturePtr makePicture(const Frame& frame, const QFont& font, const Task& task);
    void paintPicture(QPainter& painter) const;
    void paintText(QPainter& painter, const QString& text) const;
    void showSpan(TimeSpan span);
    void bringIntoView(LocationRef location, TimeSpan span);
    void setRowZoom(double factor, double atY);
    void select(const Hover& hit, Qt::KeyboardModifiers modifiers);
    Hover hitAt(const QPointF& position) const;
    Point toDevice(const QPointF& position) const;
    TimeNs timeAt(const QPointF& position) const;
    void dragBrush(const QPointF& position);
    void dragPan(const QPointF& position);
    void dropRow(const QPointF& position);
    std::optional<TimelineRow> rowAt(const QPointF& position) const;
    std::vector<LocationRef> shownLocations() const;
    void orderRows(const QString& title, std::function<Result<std::vector<LocationRef>>(const TimelineData&, const ViewState&, const Task&)> order);
    void foldAll(RowGroupKind kind);
    void fillRowMenu(QMenu& menu, const QPointF& position);
    bool pressPlainKey(int key);

    SessionPtr session_;
    TimelineDataPtr data_;
    TimelineOptions options_;
    TimelineLayout layout_;
    PicturePtr picture_;
    bool drawing_ = false;
    bool preparing_ = false;
    Drag drag_ = Drag::None;
    bool dragged_ = false;
    QPointF pressed_;
    QPointF last_;
    std::optional<QPointF> pointer_;
    TimeNs brushFrom_ = 0;
    double panRest_ = 0;  ///< part of a pixel that the last pan could not move
};

}  // namespace skein
