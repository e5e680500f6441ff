// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

#include <QStringList>

#include <vector>

class QAction;
class QComboBox;
class QHBoxLayout;
class QStackedWidget;
class QVBoxLayout;

namespace skein {

class CellModel;
class CellTable;
class ControlStrip;
class SceneView;

/// A panel with a row of choices, a picture, and the same as a table in the picture's place.
class PicturePanel : public View {
    Q_OBJECT

public:
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::vector<KeyHint> keyHints() const override;
    bool showsTable() const;
    void showTable(bool shown);

Q_SIGNALS:
    /// The table is shown and wants its rows.
    void tableWanted();
    /// The user has chosen lines of the table: rows as they came.
    void rowsChosen(const std::vector<std::size_t>& rows);

protected:
    PicturePanel(const ViewContext& context, const char* name, QWidget* parent);

    /// Once, by the constructor of the panel.
    void setPicture(SceneView* picture, const QString& tableName);
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& items);
    void addControl(QWidget* control);
    /// A line above the choices.
    void setHead(QWidget* head);
    /// What stays at the right of the picture and the table.
    void setSide(QWidget* side);
    /// Of the table, which gives columns widths that fit when there are others.
    CellModel& rows() const;

private:
    void tellChosen();

    SceneView* picture_ = nullptr;
    ControlStrip* controls_ = nullptr;
    QVBoxLayout* all_ = nullptr;
    QHBoxLayout* middle_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    CellTable* table_ = nullptr;
    QAction* tableShown_ = nullptr;
};

}  // namespace skein
