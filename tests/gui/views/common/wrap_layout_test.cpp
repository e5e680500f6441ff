// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/wrap_layout.h"

#include "views/common/choice_box.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

#include <algorithm>
#include <vector>

namespace skein::wrap_layout_test {
namespace {

/// Three choices, a stretch, and a button.
struct Controls {
    QWidget panel;
    std::vector<QWidget*> widgets;

    Controls()
    {
        auto* row = new WrapLayout(&panel);
        row->setContentsMargins(4, 2, 4, 2);
        for (const char* words : {"Difference from the mean", "Largest first", "By location"})
            widgets.push_back(newChoice(&panel, words, words, {words}));
        for (QWidget* choice : widgets) row->addWidget(choice);
        row->addStretch();
        auto* button = new QToolButton(&panel);
        button->setText("Table");
        row->addWidget(button);
        widgets.push_back(button);
        panel.show();
    }

    void resize(int widthPx) { panel.resize(widthPx, std::max(40, panel.layout()->heightForWidth(widthPx))); }
    int hintPx() const { return panel.layout()->sizeHint().width(); }
    std::vector<QRect> places() const
    {
        std::vector<QRect> places;
        for (const QWidget* widget : widgets)
            if (!widget->isHidden()) places.push_back(widget->geometry());
        return places;
    }
    std::size_t lines() const
    {
        std::vector<int> middles;
        for (const QRect& place : places()) middles.push_back(place.center().y());
        std::ranges::sort(middles);
        std::size_t lines = 1;
        for (std::size_t i = 1; i < middles.size(); ++i) lines += middles[i] - middles[i - 1] > 4 ? 1 : 0;
        return lines;
    }
};

}  // namespace

TEST_CASE("controls that have room stand in one line, and what follows a stretch at its end")
{
    test::guiApplication();
    Controls controls;
    controls.resize(controls.hintPx() + 200);
    CHECK(controls.lines() == 1);
    CHECK(controls.widgets.back()->geometry().right() == controls.panel.width() - 5);
    CHECK(controls.widgets.front()->width() == controls.widgets.front()->sizeHint().width());
}

TEST_CASE("where room is short controls shrink a little, then go on in further lines")
{
    test::guiApplication();
    Controls controls;
    controls.resize(controls.hintPx() * 95 / 100);
    CHECK(controls.lines() == 1);
    CHECK(controls.widgets.front()->width() < controls.widgets.front()->sizeHint().width());
    std::size_t before = 1;
    for (int width = controls.hintPx() * 95 / 100; width > 150; width -= 7) {
        controls.resize(width);
        const auto places = controls.places();
        CHECK(controls.lines() >= before);
        before = controls.lines();
        for (std::size_t i = 0; i < places.size(); ++i) {
            CHECK(controls.panel.rect().contains(places[i]));
            for (std::size_t other = 0; other < i; ++other) CHECK_FALSE(places[i].intersects(places[other]));
        }
    }
    CHECK(before >= 3);
}

TEST_CASE("hidden controls take no room, and what is written in takes all that is left")
{
    test::guiApplication();
    Controls controls;
    auto* search = new QLineEdit(&controls.panel);
    auto* row = static_cast<WrapLayout*>(controls.panel.layout());
    row->insertWidget(0, search);
    search->show();
    CHECK(row->itemAt(0)->widget() == search);
    CHECK(row->count() == 6);
    const int wide = controls.hintPx();
    controls.widgets.front()->hide();
    CHECK(controls.hintPx() < wide);
    controls.resize(wide + 300);
    CHECK(controls.lines() == 1);
    CHECK(search->width() > search->sizeHint().width() + 100);
    CHECK(row->itemAt(6) == nullptr);
    CHECK(row->takeAt(-1) == nullptr);
}

}  // namespace skein::wrap_layout_test
