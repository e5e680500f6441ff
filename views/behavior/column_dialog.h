// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>

#include "core/io/stream/stream_rows.h"

class QComboBox;

namespace skein {

class CellTable;

/// Asks what the columns of a stream are that is a table of text: of a wide one each is an entity, of a long
/// one some name entities and the others are metrics.
class ColumnDialog : public QDialog {
    Q_OBJECT

public:
    /// `names` are those of all columns.
    ColumnDialog(const std::vector<std::string>& names, const StreamColumns& now, QWidget* parent);

    StreamColumns columns() const;

private:
    void fill(const StreamColumns& now);

    std::vector<std::string> names_;
    std::vector<bool> naming_;  ///< entities, a column
    CellTable* table_;
    QComboBox* time_;
};

}  // namespace skein
