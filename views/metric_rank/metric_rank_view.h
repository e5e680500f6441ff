// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/view.h"
#include "views/metric_rank/metric_rank_list_scene.h"

#include <QTimer>

#include <cstdint>

class QComboBox;
class QDoubleSpinBox;
class QStackedWidget;

namespace skein {

class ColorStopsStrip;
class MetricRankCanvas;
class MetricRankModel;
class ScopeHead;
class TableTree;

/// What communication is worst by: a metric of pairs, routes, links or ranks in descending order. A range, or
/// the top of it, becomes the selection that all communication views show.
class MetricRankView : public View {
    Q_OBJECT

public:
    explicit MetricRankView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeControls();
    void layOut();
    void compute();
    void show(MetricRankListPtr list);
    void showNothing(const QString& message);
    void choose(std::size_t first, std::size_t end);
    void choose(std::vector<std::size_t> places);
    void noTop();
    bool asTable() const;

    SessionPtr session_;
    std::uint32_t experiment_ = 0;
    MetricRankListPtr list_;
    ScopeHead* head_ = nullptr;
    QComboBox* quantity_ = nullptr;
    QComboBox* scale_ = nullptr;
    QComboBox* shown_ = nullptr;
    QDoubleSpinBox* top_ = nullptr;
    ColorStopsStrip* stops_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    MetricRankCanvas* canvas_ = nullptr;
    TableTree* table_ = nullptr;
    MetricRankModel* model_ = nullptr;
    QTimer delay_;
    bool stale_ = false;  ///< something changed that nobody has seen yet
};

}  // namespace skein
