// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/prune_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace skein {

PruneCanvas::PruneCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the distribution"), parent)
{
    setObjectName("tree_graph.histogram");
    setAccessibleName(tr("Amounts of call paths, and the range that is shown"));
    setAccessibleDescription(tr("Left and Right move the lower handle, with Shift the upper one."));
    setFocusPolicy(Qt::StrongFocus);
}

void PruneCanvas::setHistogram(PruneHistogram histogram, std::string unit)
{
    histogram_ = std::make_shared<const PruneHistogram>(std::move(histogram));
    unit_ = std::move(unit);
    redraw();
}

void PruneCanvas::setRange(double from, double to)
{
    from_ = from;
    to_ = to;
    redraw();
}

SceneView::Maker PruneCanvas::maker() const
{
    if (histogram_->edges.empty()) return {};
    return [histogram = histogram_, from = from_, to = to_, unit = unit_](const Canvas& canvas, const Task&) {
        return pruneHistogramScene(*histogram, from, to, unit, canvas);
    };
}

PruneHistogramLayout PruneCanvas::histogramLayout() const
{
    return onCanvas([](const Canvas& canvas) { return pruneHistogramLayout(canvas); });
}

void PruneCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || histogram_->edges.empty()) return;
    const PruneHistogramLayout layout = histogramLayout();
    const double x = toDevice(event->position()).x;
    const double toFrom = std::abs(x - placeOfValue(*histogram_, layout, from_));
    const double toTo = std::abs(x - placeOfValue(*histogram_, layout, to_));
    // Where both stand at one place, the one that can go there.
    const bool first = toFrom < toTo || (toFrom == toTo && x < placeOfValue(*histogram_, layout, from_));
    dragged_ = first ? Handle::From : Handle::To;
    dragTo(x);
}

void PruneCanvas::dragTo(double x)
{
    const double value = valueAtPlace(*histogram_, histogramLayout(), x);
    if (dragged_ == Handle::From) from_ = std::min(value, to_);
    if (dragged_ == Handle::To) to_ = std::max(value, from_);
    redraw();
    Q_EMIT moved();
}

void PruneCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (dragged_ != Handle::None) dragTo(toDevice(event->position()).x);
}

void PruneCanvas::mouseReleaseEvent(QMouseEvent*)
{
    if (std::exchange(dragged_, Handle::None) != Handle::None) Q_EMIT chosen();
}

void PruneCanvas::step(Handle handle, int bins)
{
    if (histogram_->edges.empty()) return;
    const PruneHistogramLayout layout = histogramLayout();
    const double width = (layout.right - layout.left) / static_cast<double>(histogram_->edges.size() - 1);
    dragged_ = handle;
    dragTo(placeOfValue(*histogram_, layout, handle == Handle::From ? from_ : to_) + bins * width);
    dragged_ = Handle::None;
    Q_EMIT chosen();
}

void PruneCanvas::keyPressEvent(QKeyEvent* event)
{
    const Handle handle = event->modifiers() & Qt::ShiftModifier ? Handle::To : Handle::From;
    if (event->key() == Qt::Key_Left) return step(handle, -1);
    if (event->key() == Qt::Key_Right) return step(handle, 1);
    SceneView::keyPressEvent(event);
}

}  // namespace skein
