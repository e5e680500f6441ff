// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <array>

class QComboBox;
class QLabel;
class QLineEdit;

namespace skein {

/// A form whose fields are the clauses of a query, see parseAnomalyQuery(). Stays open while calls are looked
/// at; says what is wrong with a field.
class AnomalyQueryDialog : public QDialog {
    Q_OBJECT

public:
    explicit AnomalyQueryDialog(QWidget* parent);

    /// Fills the fields; what is no query leaves them as they are.
    void setQuery(const QString& text);

Q_SIGNALS:
    /// A query without mistakes; empty: nothing is asked.
    void asked(const QString& text);

private:
    static constexpr std::size_t kFields = 6;

    void ask();
    void clear();

    std::array<QLineEdit*, kFields> fields_{};
    QComboBox* label_ = nullptr;
    QLabel* problem_ = nullptr;
};

}  // namespace skein
