// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/elided_label.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QPaintEvent>
#include <QTest>

namespace skein::elided_label_test {
namespace {

/// What is painted of it.
class PaintedLabel : public ElidedLabel {
public:
    QRegion painted;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        painted |= event->region();
        ElidedLabel::paintEvent(event);
    }
};

/// Of what `after` shows in the place of `before` once the event loop has rested.
QRect paintedOf(const QString& before, const QString& after)
{
    PaintedLabel label;
    label.setText(before);
    label.resize(label.sizeHint().width() + 40, 30);
    label.show();
    QTest::qWait(20);
    label.painted = {};
    label.setText(after);
    QTest::qWait(20);
    CHECK(label.text() == after);
    return label.painted.boundingRect();
}

}  // namespace

TEST_CASE("letters that stay at the beginning of a caption are not painted again, all behind them are")
{
    test::guiApplication();
    const QString before = "Visible window · 62.59 s over all locations";
    ElidedLabel label;
    const int same = label.fontMetrics().horizontalAdvance("Visible window · 62.");
    const QRect painted = paintedOf(before, "Visible window · 62.61 s over all locations");
    CHECK(painted.left() > same / 2);
    CHECK(painted.left() <= same);
    CHECK(painted.right() >= label.fontMetrics().horizontalAdvance(before));
    CHECK(paintedOf(before, "another").left() == 0);
    CHECK(paintedOf(before, before).isEmpty());
    CHECK(paintedOf("run שלום", "run שלומי").left() == 0);
    CHECK(paintedOf(before, "Visible").right() >= label.fontMetrics().horizontalAdvance(before));
}

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

TEST_CASE("a label that asks for room in steps has room for its text and the same for one a little longer")
{
    test::guiApplication();
    ElidedLabel exact, inSteps;
    inSteps.stepRoom();
    int changes = 0, last = 0;
    QString text;
    for (int letters = 0; letters < 60; ++letters) {
        exact.setText(text);
        inSteps.setText(text);
        CHECK(inSteps.sizeHint().width() >= exact.sizeHint().width());
        CHECK(inSteps.sizeHint().width() <= exact.sizeHint().width() + 32);
        changes += inSteps.sizeHint().width() != last;
        last = inSteps.sizeHint().width();
        text += '1';
    }
    CHECK(changes < 30);
}

}  // namespace skein::elided_label_test
