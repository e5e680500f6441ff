// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_hand_overs.h"
#include "views/common/view.h"
#include "views/components/component_rows.h"

class QPushButton;

namespace skein {

class CellTable;
class ElidedLabel;
class EmptyState;

/// What is open together: where each component stands on the common clock, its ranks among those of all, what
/// it handed over; and by how much its clock is shifted, which can be edited.
class ComponentsView : public View {
    Q_OBJECT

public:
    enum Column {
        kName,
        kFormat,
        kLocations,
        kRanks,
        kBegin,
        kDuration,
        kShift,
        kWrote,
        kRead,
        kWaited,
        kColumnCount
    };

    explicit ComponentsView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    CellTable& table() const { return *table_; }

private:
    void load();
    void showRows();
    void showCaption();
    void editShift(std::size_t row);
    void takeShift(std::size_t row, const QString& written);
    void select(std::size_t row);
    void shift(const std::vector<TimeNs>& shifts);

    SessionPtr session_;
    SessionHandOversPtr handOvers_;
    EmptyState* pages_ = nullptr;
    CellTable* table_ = nullptr;
    ElidedLabel* caption_ = nullptr;
    QPushButton* align_ = nullptr;
    QPushButton* recorded_ = nullptr;
};

}  // namespace skein
