// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/draw_list_painter.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/common/view.h"

#include <QImage>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QPainter;

namespace skein {

/// A view that is one picture: its scene is drawn off the GUI thread and shown when it is ready; what changes
/// with the pointer is drawn over it at every paint. One picture at a time: a newer state waits for the one
/// under way. Only what differs from what stands there is painted again: over a remote display every pixel
/// counts.
class SceneView : public View {
    Q_OBJECT

public:
    /// `title` names the job that draws: "Drawing the overview".
    SceneView(const ViewContext& context, QString title, QWidget* parent);

    std::optional<DrawList> drawnPicture(int width, int height) const override;
    /// True when the picture on the screen is that of the present state.
    virtual bool upToDate() const { return !drawing_ && drawn_ == wanted_; }
    /// Draws the picture of the present size at once, where there is none of it yet: for one that is saved.
    void drawNow();
    /// True from being given a session until its first picture has come, or came to nothing.
    bool awaitsPicture() const { return awaitsPicture_; }
    /// What can be read in the picture and over it, line by line from the top, each from the left to the
    /// right: for screen readers; before them readableTable(). Draws the picture; remembered until it
    /// changes.
    const std::vector<std::vector<std::string>>& readableRows() const;
    /// Rows of readableRows() that are the table: its titles and its rows.
    std::size_t readableTableRows() const { return tableRows_; }

protected:
    /// By which a turn of the wheel or a key changes the length of the visible time.
    static constexpr double kZoomStep = 1.25;

    /// Draws what it was made of; runs in another thread.
    using Maker = std::function<DrawList(const Canvas&, const Task&)>;

    /// Takes what the present picture needs along; null where there is nothing to draw.
    virtual Maker maker() const = 0;
    /// What is drawn for the screen in its place, for a short while; the same where there is nothing quicker.
    virtual Maker screenMaker() const { return maker(); }
    /// Says why there is nothing to draw and what to do about it.
    virtual QString emptyText() const = 0;
    /// The values that colours tell of what is in sight, below a row of titles; empty: colours tell none.
    virtual std::vector<std::vector<std::string>> readableTable() const { return {}; }
    /// What lies over the picture; must be cheap.
    virtual DrawList overlay(const Canvas&) const { return {}; }
    /// Lines about what is at a point; none: nothing to say.
    virtual std::vector<std::string> toolTipAt(Point) const { return {}; }
    /// Size, fonts or colours have changed: lay out again. Followed by a new picture.
    virtual void layoutAgain() {}

    /// A first picture will be drawn …
    void expectPicture() { awaitsPicture_ = true; }
    /// … and was, or will not be.
    void endFirstPicture() { awaitsPicture_ = false; }

    /// What lies over the picture may have changed: paints what differs from what was painted last.
    void updateOverlay();
    /// Another picture takes the place of `before`, of the same size: paints where they differ. `shiftX`
    /// device pixels is by how much what is in `moved` of `before` stands elsewhere in `after`; what is on
    /// the screen is moved there first.
    void updatePicture(const QImage& before, const QImage& after, int shiftX = 0, const Rect& moved = {});
    /// By how much the new picture's contents lie to the right of those of the last one, in device pixels,
    /// and where; 0: it has other contents.
    virtual std::pair<int, Rect> pictureShift() { return {}; }
    /// What the picture shows has changed.
    virtual void redraw();
    /// Gives up the picture that is being drawn, for one that is wanted sooner: redraw() follows.
    void stopDrawing();
    /// The picture of the present state is being drawn …
    virtual void pictureStarts() {}
    /// … and is now the last picture.
    virtual void pictureCame() {}
    /// The last picture; null where there is none.
    const QImage& picture() const { return picture_; }
    /// What a tooltip tells about is no longer below the pointer.
    void dropToolTip();
    /// Paints the last picture, in device pixels, over the background where it does not cover the view.
    virtual void paintPicture(QPainter& painter) const;

    const SceneStyle& style() const { return style_; }
    /// What is known of texts in the present fonts, for the SceneFonts of any thread.
    const std::shared_ptr<TextCache>& texts() const { return texts_; }
    int deviceWidth() const;
    int deviceHeight() const;
    Point toDevice(const QPointF& position) const;

    /// Calls `use` with the canvas of the present size.
    template <typename Use>
    auto onCanvas(Use use) const
    {
        const SceneFonts fonts(font(), style_.scale, texts_);
        const QtTextMeasure measure(fonts);
        return use(Canvas{deviceWidth(), deviceHeight(), style_, measure});
    }

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void start();
    void takeStyle();
    bool covers(const QImage& picture) const;

    QString title_;
    QString key_;  ///< of its jobs: several views may have one title
    SceneStyle style_;
    QFont textsFont_;
    std::shared_ptr<TextCache> texts_;
    QImage picture_;
    DrawList painted_;  ///< what was painted over it last
    mutable std::vector<std::vector<std::string>> readable_;
    mutable std::size_t tableRows_ = 0;
    mutable quint64 readableOf_ = 0;  ///< state that readable_ was made of; 0: none
    quint64 wanted_ = 0;              ///< number of the newest state
    quint64 drawn_ = 0;               ///< number of the state that picture_ shows
    bool drawing_ = false;
    bool awaitsPicture_ = false;
    bool toolTipShown_ = false;
};

}  // namespace skein
