// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/elided_label.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

namespace skein::elided_label_test {

TEST_CASE(
    "a caption that has no room ends early, tells the rest in its tool tip, and does not keep its panel wide")
{
    test::guiApplication();
    ElidedLabel label;
    const QString text = "Visible window: 188.4 ms, from 438 ms · 1.507 s over all locations · 56 regions";
    label.setText(text);
    const int wide = label.sizeHint().width();
    CHECK(label.minimumSizeHint().width() < wide / 2);
    label.resize(wide, 30);
    label.show();
    CHECK(label.text() == text);
    CHECK(label.toolTip().isEmpty());
    label.resize(wide / 2, 30);
    CHECK(label.text().endsWith(QChar(0x2026)));
    CHECK(label.fontMetrics().horizontalAdvance(label.text()) <= wide / 2);
    CHECK(label.toolTip() == text);
    CHECK(label.sizeHint().width() == wide);
    label.resize(wide, 30);
    CHECK(label.text() == text);
    label.setText("short");
    CHECK(label.minimumSizeHint().width() == label.sizeHint().width());
}

}  // namespace skein::elided_label_test
