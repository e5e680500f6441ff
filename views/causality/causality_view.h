// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QStringList>

#include "views/causality/causality_model.h"
#include "views/common/table/table_view.h"

class QComboBox;
class QDoubleSpinBox;
class QMenu;
class QSpinBox;
class QToolButton;

namespace skein {

class BehaviorModel;
class ResponseChart;

/// Which metric of a trace leads which (Kesavan et al. 2020, section 5.4): pairs with the results of Granger
/// tests, and how the second metric of the chosen pair answers to a shock in the first. Entities, bins and
/// scope are those of the behaviour view.
class CausalityView : public TableView {
    Q_OBJECT

public:
    explicit CausalityView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    const CausalityModel& model() const { return *rows_; }
    /// The note, the table and the response of the chosen row: beside the table, or below it where there is
    /// little width.
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::optional<int> pictureHeight(int width) const override;

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void addControls();
    void fillMetrics();
    std::vector<std::string> chosenMetrics() const;
    void compute();
    void present();
    void showPairs();
    void showResponse(int row);
    bool hasPicture() const { return causality_ && rows_->rowCount() > 0; }
    DrawList pictureOn(const Canvas& canvas) const;

    SessionPtr session_;
    BehaviorModel& behavior_;
    SessionCausalityPtr causality_;
    QString told_;  ///< above the table
    CausalityModel* rows_ = nullptr;
    ResponseChart* chart_ = nullptr;
    QComboBox* direction_ = nullptr;
    QComboBox* of_ = nullptr;
    QToolButton* metrics_ = nullptr;
    QSpinBox* lags_ = nullptr;
    QDoubleSpinBox* threshold_ = nullptr;
};

}  // namespace skein
