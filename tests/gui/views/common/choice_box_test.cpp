// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/choice_box.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QStandardItemModel>

namespace skein::choice_box_test {
namespace {

const QStringList kWords = {"Mean", "Difference from the mean", "Largest"};

/// Counts how often it is asked for its text.
class CountingItem : public QStandardItem {
public:
    CountingItem(const QString& text, int& asked) : QStandardItem(text), asked_(asked) {}

    QVariant data(int role) const override
    {
        if (role == Qt::DisplayRole) ++asked_;
        return QStandardItem::data(role);
    }

private:
    int& asked_;
};

}  // namespace

TEST_CASE("a choice is as wide as its longest words, however they come and go")
{
    test::guiApplication();
    ChoiceBox together;
    together.addItems(kWords);
    ChoiceBox apart;
    const int emptyPx = apart.sizeHint().width();
    for (const QString& words : kWords) apart.addItem(words);
    REQUIRE(together.sizeHint().width() > emptyPx);
    CHECK(apart.sizeHint() == together.sizeHint());

    apart.removeItem(1);
    ChoiceBox rest;
    rest.addItems({kWords[0], kWords[2]});
    CHECK(apart.sizeHint() == rest.sizeHint());
    apart.clear();
    CHECK(apart.sizeHint().width() == emptyPx);
}

TEST_CASE("words that come one by one into a choice are each measured once")
{
    test::guiApplication();
    ChoiceBox choice;
    auto* words = qobject_cast<QStandardItemModel*>(choice.model());
    REQUIRE(words);
    constexpr int kCount = 200;
    int asked = 0;
    for (int i = 0; i < kCount; ++i)
        words->appendRow(new CountingItem(QString("metric %1 of some hardware").arg(i), asked));
    REQUIRE(choice.count() == kCount);
    REQUIRE(asked >= kCount);
    CHECK(asked < 4 * kCount);  // measured again with each that comes, they would be asked for 20,000 times
}

}  // namespace skein::choice_box_test
