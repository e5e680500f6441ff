// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/common/picture_panel.h"
#include "views/structure/structure_data_scene.h"

#include <utility>
#include <vector>

class QComboBox;

namespace skein {

class StructureCanvas;

/// What happened in the selected executions, beside the most typical normal one of the same function.
class StructureView : public PicturePanel {
    Q_OBJECT

public:
    explicit StructureView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    StructureCanvas& canvas() const { return *canvas_; }
    bool upToDate() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void find();
    void compare();
    void place();
    void fillTable();
    void choose(const IntervalRef& call, bool add);
    StructureOptions options() const;

    SessionPtr session_;
    SessionAnomaliesPtr anomalies_;
    StructureDataPtr data_;
    StructureCanvas* canvas_ = nullptr;
    QComboBox *shape_ = nullptr, *depth_ = nullptr, *twin_ = nullptr;
    std::vector<std::pair<std::size_t, std::uint32_t>> tableNodes_;  ///< execution and node of each row
    Selection stay_;  ///< what was selected outside of this panel
    bool finding_ = false, comparing_ = false;
    QTimer begin_;
};

}  // namespace skein
