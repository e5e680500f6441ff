// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/anomalies/anomaly_rows_scene.h"
#include "views/common/picture_panel.h"

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace skein {

class AnomaliesCanvas;
class ScopeHead;
class AnomalyQueryDialog;
struct CriticalPathRow;

/// Which calls are different? A picture of all calls with what was found of functions and ranks; the same as
/// tables.
class AnomaliesView : public PicturePanel {
    Q_OBJECT

public:
    explicit AnomaliesView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    AnomaliesCanvas& canvas() const { return *canvas_; }
    bool upToDate() const;
    std::vector<LegendEntry> pictureLegend() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void addLists();
    void addQuery();
    void addWindow();
    void takeQuery();
    void openForm();
    void fitSteps();
    void takeWindow();
    void takeChoices();
    void forgetWritten();
    void tellHowMuchIsKnown();
    void pick(const QString& function);
    void renewRows();
    void fillTable();
    void clearRows();
    void makeRows(AnomalyRowKind kind);
    void showRows(AnomalyRows made);
    void followCriticalPath();
    void forgetPath();
    void fillPath(const std::vector<CriticalPathRow>& path);
    void askForRecords();
    void saveRecords(const QString& file);
    void chooseRows(const std::vector<std::size_t>& rows);

    ScopeHead* head_ = nullptr;
    AnomaliesCanvas* canvas_ = nullptr;
    SessionPtr session_;
    SessionPtr pathOf_;  ///< whose critical path the table has, or is getting
    QComboBox *across_ = nullptr, *up_ = nullptr;
    QComboBox *functions_ = nullptr, *statistic_ = nullptr, *listed_ = nullptr, *severity_ = nullptr,
              *score_ = nullptr, *normal_ = nullptr, *tableRows_ = nullptr;
    QComboBox *window_ = nullptr, *functionsAs_ = nullptr;
    QToolButton *earlier_ = nullptr, *later_ = nullptr;
    QSpinBox* back_ = nullptr;  ///< how many windows before the latest
    QLineEdit* query_ = nullptr;
    AnomalyQueryDialog* form_ = nullptr;  ///< once it was opened
    QLabel* early_ = nullptr;             ///< says that what is shown is not all
    bool rowsAreOld_ = true;              ///< those of the table; others are made once it is looked at
    AnomalyRows shownRows_;               ///< what those stand for; the table has their cells
};

}  // namespace skein
