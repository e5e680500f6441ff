// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStringList>

namespace skein {

/// A choice in a row of controls: as wide as its longest words, up to a limit; where a panel is narrower it
/// shrinks, and what is cut then ends in an ellipsis.
class ChoiceBox : public QComboBox {
    Q_OBJECT

public:
    explicit ChoiceBox(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void measureMore(int first, int last);
    void measureAll();

    int mostLetters_ = 0;  ///< of the widest words, as wide ones as QComboBox counts in, whatever the font
};

/// Marks a text, a number or a list that can be written in as a choice of its panel, so that what is written
/// is kept and undone as what is chosen from lists.
void keepWithPanel(QWidget& field);
bool isKeptWithPanel(const QWidget& field);

/// A choice of `parent` by its object name; `label` says what is chosen, to those who point and to screen
/// readers.
ChoiceBox* newChoice(QWidget* parent, const QString& name, const QString& label,
                     const QStringList& items = {});

}  // namespace skein
