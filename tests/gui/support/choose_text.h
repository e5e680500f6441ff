// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"

#include <QComboBox>
#include <QWidget>

namespace skein::test {

/// Chooses the entry with the text, as a user would, from whichever list of the view has it.
inline void chooseText(const QWidget& view, const char* text)
{
    for (QComboBox* box : view.findChildren<QComboBox*>())
        if (const int at = box->findText(text); at >= 0) {
            box->setCurrentIndex(at);
            Q_EMIT box->activated(at);
            return;
        }
    FAIL("no choice " << text);
}

}  // namespace skein::test
