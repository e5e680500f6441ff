// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QList>
#include <QTimer>

#include "views/anomalies/anomalies_picture_scene.h"
#include "views/common/plane_canvas.h"
#include "views/common/scene/data/memo.h"

#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace skein {

class ScopeHead;

/// A dot a call, anomalies with a thick border; ranks over time below, functions and ranks beside it. The
/// scatter is a plane that is moved and zoomed.
class AnomaliesCanvas : public PlaneCanvas {
    Q_OBJECT

public:
    AnomaliesCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    /// Shows the calls of this scope from now on; `scope` outlives the canvas.
    void follow(const ScopeHead& scope);
    /// Tells where others are shown, or judged otherwise, than were told of last: a panel that is pinned to
    /// the whole run has nothing to do when another one is zoomed.
    void followScope();
    std::vector<KeyHint> keyHints() const override;
    /// Begins to look for anomalies if they are not known and the canvas, or the table in its place, is seen.
    void findSoon();
    /// What is known so far, see SessionAnomalies::complete().
    const SessionAnomaliesPtr& anomalies() const { return anomalies_; }
    const AnomalyChoices& choices() const { return choices_; }
    /// What was asked for last: choices(), or what is shown when its axes are counted.
    const AnomalyChoices& wantedChoices() const { return wanted_; }
    void setChoices(const AnomalyChoices& choices);
    /// Where the parts are now; empty ones before anything was found.
    AnomaliesLayout sceneLayout() const;
    /// The part of the window's state that the picture shows, with what counts of the user's verdicts.
    ViewState shownState() const;
    /// Says what a call is, whatever the detector says; nullopt: leaves it to the detector.
    void say(const IntervalRef& call, std::optional<CallVerdict::Kind> verdict);
    /// Selects calls of the session, of very many those that lost most.
    void choose(std::vector<SevereCall> calls, Qt::KeyboardModifiers modifiers);
    /// The same by points of anomalies().
    void choose(const std::vector<std::uint32_t>& points, Qt::KeyboardModifiers modifiers);
    bool upToDate() const override { return !finding_ && !counting_ && PlaneCanvas::upToDate(); }
    /// Whether the picture shows what is known so far.
    bool showsKnown() const { return anomalies_ && !counting_ && PlaneCanvas::upToDate(); }

Q_SIGNALS:
    /// Anomalies were found, first some and then all, or others are shown.
    void shownChanged();
    /// A function of the list was clicked.
    void functionPicked(const QString& name);
    /// Other axes were asked for by the menu.
    void axesPicked(AnomalyAxis x, AnomalyAxis y);
    /// The anomalies are to be saved as provenance records.
    void recordsWanted();

protected:
    Maker maker() const override { return makerOf(AnomaliesDetail::AtRest); }
    Maker movingMaker() const override { return makerOf(AnomaliesDetail::Moving); }
    PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const override;
    std::optional<PlaneBox> selectedPart() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void layoutAgain() override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// What is shown of anomalies(), which takes a while to find out of a million points.
    struct Shown {
        SessionAnomaliesPtr of;
        AnomalyChoices choices;
        ViewState state;
        std::vector<std::uint32_t> points;
        AnomaliesLayout layout;
        AnomalyZoom zoom;
        int width = 0, height = 0;
    };

    /// What a picture of all parts of the axes is made of.
    struct PictureKey {
        SessionAnomaliesPtr of;
        AnomalyChoices choices;
        ViewState state;
        Theme theme;

        bool operator==(const PictureKey&) const = default;
    };
    using Pictures = Memo<PictureKey, AnomaliesPicture>;

    Maker makerOf(AnomaliesDetail detail) const;
    static std::shared_ptr<const AnomaliesPicture> pictureOf(Pictures& pictures, const PictureKey& key);
    AnomalyZoom zoomNow() const;
    const Shown& shownNow() const;
    void find();
    bool isLookedAt() const;
    void tellShown();
    void takeEarly(const SessionAnomaliesPtr& known);
    void takeFound(const Result<SessionAnomaliesPtr>& found);
    std::optional<std::uint32_t> pointAt(Point point) const;
    std::optional<AnomalyListHit> listAt(Point point) const;
    std::optional<AnomalyHeatCell> heatAt(Point point) const;
    void showCauses(const IntervalRef& call, CauseDirection direction);
    void showCausesOfSelected();
    void selectCause(const AnomalyPoint& point);
    void addAxisMenu(QMenu& menu, const QString& title, AnomalyAxis AnomalyChoices::*axis);
    QAction* newChoiceAction(const QString& title, const QString& id,
                             const std::function<void(AnomalyChoices&, bool)>& take);
    void addChoiceActions();
    void addTeachingAction(QMenu& menu);
    void takeChoices(const AnomalyChoices& choices);
    bool axesKnown() const;

    SessionPtr session_;
    const ScopeHead* scope_ = nullptr;
    SessionAnomaliesPtr anomalies_;
    AnomalyChoices choices_;
    AnomalyChoices wanted_;
    QString message_;
    bool finding_ = false;
    bool counting_ = false;  ///< features that chosen axes want
    std::shared_ptr<Pictures> pictures_ = std::make_shared<Pictures>();
    std::optional<ViewState> told_;  ///< what the panel was told of last, without what is selected
    mutable Shown shown_;            ///< of the state that was asked for last
    std::vector<Point> lasso_;       ///< while the button is down
    QAction* consequences_ = nullptr;
    QList<QAction*> heats_, projected_;
    QTimer begin_;
};

}  // namespace skein
