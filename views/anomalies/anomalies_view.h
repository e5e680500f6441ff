// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/anomalies/anomalies_scene.h"
#include "views/common/picture_panel.h"

#include <vector>

class QComboBox;
class QLabel;

namespace skein {

class AnomaliesCanvas;

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

private:
    enum class TableRows { Calls, Functions, Ranks };

    void addRules();
    void takeRules();
    void takeChoices();
    void tellHowMuchIsKnown();
    void pick(const QString& function);
    void fillTable();
    void fillCalls();
    void fillLines(TableRows what);
    void chooseRows(const std::vector<std::size_t>& rows);

    AnomaliesCanvas* canvas_ = nullptr;
    SessionPtr session_;
    QComboBox *detector_ = nullptr, *sigma_ = nullptr;
    QComboBox *across_ = nullptr, *up_ = nullptr;
    QComboBox *functions_ = nullptr, *statistic_ = nullptr, *listed_ = nullptr, *severity_ = nullptr,
              *score_ = nullptr, *tableRows_ = nullptr;
    QLabel* early_ = nullptr;                  ///< says that what is shown is not all
    std::vector<std::uint32_t> tablePoints_;   ///< of each row of the calls
    std::vector<LocationRef> tableLocations_;  ///< of each row of the ranks
    std::vector<std::string> tableFunctions_;  ///< of each row of the functions
};

}  // namespace skein
