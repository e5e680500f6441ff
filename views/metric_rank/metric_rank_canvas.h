// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/metric_rank/metric_rank_scene.h"

#include <optional>
#include <string>

namespace skein {

/// The bars of the metric rank view, of which a range is dragged.
class MetricRankCanvas : public SceneView {
    Q_OBJECT

public:
    MetricRankCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// A list without values, or null: `message` says why.
    void setList(MetricRankListPtr list, bool logarithmic, const QString& message);
    void setRange(std::size_t first, std::size_t end);
    void setStops(const ColorStops& stops);
    const MetricRankPicture& picture() const { return picture_; }
    MetricRankLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// The user has chosen the ranks [first, end); none where they are equal.
    void chosen(std::size_t first, std::size_t end);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool ready() const { return picture_.list && picture_.list->size() > 0; }
    std::optional<std::size_t> placeAt(const QPointF& position) const;

    MetricRankPicture picture_;
    QString message_;
    std::optional<std::size_t> pressed_;
};

}  // namespace skein
