// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/scene_view.h"

#include "views/tree_graph/prune_histogram_scene.h"

#include <memory>
#include <string>

namespace skein {

/// The butterfly histogram with two handles, which are dragged or moved by keys.
class PruneCanvas : public SceneView {
    Q_OBJECT

public:
    PruneCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    void setHistogram(PruneHistogram histogram, std::string unit);
    void setRange(double from, double to);
    const PruneHistogram& histogram() const { return *histogram_; }
    double from() const { return from_; }
    double to() const { return to_; }
    QSize sizeHint() const override { return {300, 190}; }
    QSize minimumSizeHint() const override { return {160, 140}; }

Q_SIGNALS:
    /// While a handle moves.
    void moved();
    /// A handle was let go.
    void chosen();

protected:
    Maker maker() const override;
    QString emptyText() const override { return tr("Nothing to prune by this amount."); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Handle { None, From, To };
    PruneHistogramLayout histogramLayout() const;
    void dragTo(double x);
    void step(Handle handle, int bins);

    std::shared_ptr<const PruneHistogram> histogram_ = std::make_shared<const PruneHistogram>();
    std::string unit_;
    double from_ = 0.0, to_ = 0.0;
    Handle dragged_ = Handle::None;
};

}  // namespace skein
