// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"
#include "views/outliers/outlier_data_scene.h"

class QAction;
class QComboBox;
class QStackedWidget;

namespace skein {

class OutlierCallsCanvas;
class OutlierRanksCanvas;
class ScopeHead;

/// Calls that are much longer than their region's usual: each by entry and duration, or summed up by
/// location.
class OutliersView : public View {
    Q_OBJECT

public:
    enum class Mode { Calls, Ranks };

    explicit OutliersView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;

    void show(Mode mode);
    OutlierCallsCanvas& calls() const { return *calls_; }
    OutlierRanksCanvas& ranks() const { return *ranks_; }
    /// Of the present state, or, while work is under way, of an earlier one; null before.
    const OutlierDataPtr& outliers() const { return outliers_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void prepare();
    void compute();
    void showOutliers(OutlierDataPtr outliers);
    void showMessage(const QString& message);
    bool selectedRegionsOnly() const;

    SessionPtr session_;
    OutlierSourcePtr source_;
    OutlierDataPtr outliers_;
    bool preparing_ = false;
    bool computing_ = false;
    bool stale_ = false;  ///< the state has changed since the work under way began
    OutlierCallsCanvas* calls_ = nullptr;
    OutlierRanksCanvas* ranks_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QComboBox* mode_ = nullptr;
    QAction* ofSelected_ = nullptr;
    ScopeHead* head_ = nullptr;
};

}  // namespace skein
