// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

namespace skein {

class CellTable;
class ElidedLabel;
class EmptyState;

/// The marks of the session with their notes; two that are chosen are measured against each other.
class MarksView : public View {
    Q_OBJECT

public:
    explicit MarksView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Column { kBegin, kLength, kNote };

    void fill();
    void showMeasure();
    void goTo(std::size_t mark);
    void keepNote(std::size_t mark, const QString& note);
    void removeChosen();

    SessionPtr session_;
    EmptyState* pages_ = nullptr;
    CellTable* table_ = nullptr;
    ElidedLabel* measure_ = nullptr;
};

}  // namespace skein
