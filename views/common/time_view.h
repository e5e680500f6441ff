// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/scene_view.h"

#include "core/select/navigate.h"
#include "views/common/held_keys.h"
#include "views/common/scene/axes/time_frame.h"

#include <optional>

class QScrollBar;

namespace skein {

/// A picture over time that moves with the window all views share: the keys, wheel and drags of the timeline.
/// What lies below the ruler may be higher than the view and is then scrolled.
class TimeView : public SceneView {
    Q_OBJECT

public:
    TimeView(const ViewContext& context, QString title, QWidget* parent);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    bool upToDate() const override { return (!session_ || data_) && SceneView::upToDate(); }

    void zoom(double factor, double atX);  ///< `atX` in device pixels; factors below 1 show less time
    void panBy(double devicePixels);
    void scrollBy(double devicePixels);
    void zoomToBrush();
    /// To the selected calls and messages, and the periods around selected changes of behaviour; without them
    /// to the marked span. Rows of what is selected come into sight.
    void zoomToSelection();
    /// Selects the next or the last call of the selected call's region on its location.
    void stepCall(Direction direction);
    void showEverything();  ///< of what the filters keep

protected:
    /// Where the present picture has its time.
    virtual TimeFrame frame() const = 0;
    /// What is at a point of the picture.
    virtual Hover hitAt(Point point) const = 0;
    /// Device pixels that can be scrolled out above.
    virtual double maximumScroll() const { return 0; }
    /// Parts of the state besides time, filters and clocks that the picture depends on. layoutAgain() comes
    /// before it is drawn again.
    virtual ViewParts drawnParts() const { return {}; }
    /// Another session, or other clocks.
    virtual void dataChanged() {}
    /// Another view or a search has selected something; the layout is that of the present state.
    virtual void selectedElsewhere() {}

    const TimelineDataPtr& data() const { return data_; }
    const SessionPtr& session() const { return session_; }
    double scroll() const { return scroll_; }
    /// Takes any number and keeps to what can be scrolled; draws nothing.
    void setScroll(double devicePixels);
    void showSpan(TimeSpan span);
    /// The locations of the rows between two heights of the picture, sorted, that a drag over them marks with
    /// its span; empty: those of all rows, or the picture has none.
    virtual std::vector<LocationRef> rowsBetween(double /*fromY*/, double /*toY*/) const { return {}; }
    virtual bool pressPlainKey(int key);
    /// As far as there are rows, and as it must.
    virtual void bringRowsIntoSight(const std::vector<LocationRef>& /*locations*/) {}
    /// A selected call or the end of a message comes into sight: moves the time only as far as it must.
    virtual void bringIntoView(LocationRef location, TimeSpan span);
    virtual void clicked(Point point, Qt::KeyboardModifiers modifiers);
    /// A drag that began on the labels at the left goes on.
    virtual void labelDragged(Point /*from*/, Point /*to*/) {}
    /// … and has ended.
    virtual void labelDropped(Point /*from*/, Point /*to*/) {}

    void wheelEvent(QWheelEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    std::pair<int, Rect> pictureShift() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Drag { None, Brush, Pan, Label };

    void hear(ViewParts parts);
    /// A step of a movement.
    void moveTo(TimeSpan span);
    /// By whole steps of the grid on which pictures are drawn alike, so that most of a picture is moved, not
    /// sent again.
    void panByKey(double devicePixels);
    bool move(int key, double steps);
    void fitScrollBar();
    void drag(Point from, Point to);

    SessionPtr session_;
    TimelineDataPtr data_;
    double scroll_ = 0;
    Drag drag_ = Drag::None;
    bool dragged_ = false;
    QPointF pressed_;
    QPointF last_;
    TimeNs brushFrom_ = 0;
    HeldKeys held_;
    QScrollBar* bar_ = nullptr;  ///< in sight while there is something to scroll
    bool fittingBar_ = false;
    TimeSpan drawnSpan_;  ///< of the last picture
    double keyRest_ = 0;  ///< device pixels that keys have not moved yet
    double panRest_ = 0;  ///< part of a pixel that the last pan could not move
};

}  // namespace skein
