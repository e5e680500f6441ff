// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/selection_model.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QCoreApplication>
#include <QTest>
#include <QWidget>
#include <memory>

namespace skein::selection_model_test {

namespace {

struct Heard {
    int times = 0;
    ViewChange last;

    SelectionModel::Listener listener()
    {
        return [this](const ViewChange& change) {
            ++times;
            last = change;
        };
    }
};

}  // namespace

TEST_CASE("the changes of one turn of the event loop arrive together and once")
{
    test::guiApplication();
    SelectionModel model;
    QObject one;
    QObject two;
    Heard heard;
    model.listen(&one, heard.listener());
    model.setBrushed(TimeSpan{1, 2}, &two);
    model.setVisible(TimeSpan{0, 5}, &two);
    model.setBrushed(TimeSpan{1, 3}, &two);
    CHECK(model.state().brushed == TimeSpan{1, 3});
    CHECK(heard.times == 0);
    QCoreApplication::processEvents();
    CHECK(heard.times == 1);
    CHECK(heard.last.parts == (ViewParts::kBrushed | ViewParts::kVisible));
    CHECK(heard.last.origin == &two);
}

TEST_CASE("a view does not hear what it changed itself, only what others did in the same turn")
{
    test::guiApplication();
    SelectionModel model;
    QObject one;
    QObject two;
    Heard heardByOne;
    Heard heardByTwo;
    model.listen(&one, heardByOne.listener());
    model.listen(&two, heardByTwo.listener());
    model.setBrushed(TimeSpan{1, 2}, &one);
    model.setVisible(TimeSpan{0, 5}, &two);
    QCoreApplication::processEvents();
    CHECK(heardByOne.last.parts == ViewParts::kVisible);
    CHECK(heardByTwo.last.parts == ViewParts::kBrushed);
}

TEST_CASE("setting what is already so tells nobody")
{
    test::guiApplication();
    SelectionModel model;
    QObject view;
    Heard heard;
    model.listen(&view, heard.listener());
    model.setBrushed(std::nullopt, nullptr);
    model.setSelected({}, nullptr);
    QCoreApplication::processEvents();
    CHECK(heard.times == 0);
}

TEST_CASE("a hidden widget hears everything at once when it is shown")
{
    test::guiApplication();
    SelectionModel model;
    QWidget widget;
    Heard heard;
    model.listen(&widget, heard.listener());
    model.setBrushed(TimeSpan{1, 2}, nullptr);
    QCoreApplication::processEvents();
    model.setVisible(TimeSpan{0, 5}, nullptr);
    QCoreApplication::processEvents();
    CHECK(heard.times == 0);
    widget.show();
    QCoreApplication::processEvents();
    CHECK(heard.times == 1);
    CHECK(heard.last.parts == (ViewParts::kBrushed | ViewParts::kVisible));
}

TEST_CASE("a destroyed view is not called any more")
{
    test::guiApplication();
    SelectionModel model;
    Heard heard;
    auto view = std::make_unique<QObject>();
    model.listen(view.get(), heard.listener());
    model.setBrushed(TimeSpan{1, 2}, nullptr);
    view.reset();
    QCoreApplication::processEvents();
    CHECK(heard.times == 0);
}

TEST_CASE("going back reaches the view that made the zoom")
{
    test::guiApplication();
    SelectionModel model;
    QObject view;
    Heard heard;
    model.listen(&view, heard.listener());
    model.setVisible(TimeSpan{0, 5}, &view);
    QCoreApplication::processEvents();
    CHECK(heard.times == 0);
    model.goBack();
    QCoreApplication::processEvents();
    CHECK(heard.times == 1);
    CHECK_FALSE(model.state().visible.has_value());
    model.goForward();
    CHECK(model.state().visible == TimeSpan{0, 5});
}

TEST_CASE("steps of a movement reach those that move along at once, the others when it rests")
{
    test::guiApplication();
    SelectionModel model;
    QObject along, sums;
    Heard every, rested, signalled;
    model.listen(&along, every.listener(), SelectionModel::Steps::All);
    model.listen(&sums, rested.listener());
    QObject::connect(&model, &SelectionModel::changed, &sums,
                     [&](ViewParts parts) { signalled.times += parts.has(ViewParts::kVisible); });
    for (TimeNs step = 1; step <= 5; ++step) {
        model.moveVisible(TimeSpan{step, step + 10}, nullptr);
        CHECK(model.state().visible == TimeSpan{step, step + 10});
        QCoreApplication::processEvents();
    }
    CHECK(model.moves());
    CHECK(every.times == 5);
    CHECK(rested.times == 0);
    CHECK(signalled.times == 0);
    // Other parts do not wait for it.
    model.setBrushed(TimeSpan{1, 2}, nullptr);
    QCoreApplication::processEvents();
    CHECK(rested.times == 1);
    CHECK(rested.last.parts == ViewParts::kBrushed);
    REQUIRE(test::waitFor([&] { return !model.moves(); }, 10000));
    CHECK(rested.times == 2);
    CHECK(rested.last.parts == ViewParts::kVisible);
    CHECK(every.times == 6);
    CHECK(signalled.times == 1);
}

TEST_CASE("a span that is set ends a movement: everybody hears of it at once")
{
    test::guiApplication();
    SelectionModel model;
    QObject sums;
    Heard rested;
    model.listen(&sums, rested.listener());
    model.moveVisible(TimeSpan{1, 11}, nullptr);
    model.setVisible(TimeSpan{0, 50}, nullptr);
    CHECK_FALSE(model.moves());
    QCoreApplication::processEvents();
    CHECK(rested.times == 1);
    model.moveVisible(TimeSpan{1, 51}, nullptr);
    model.goBack();
    CHECK_FALSE(model.moves());
    QCoreApplication::processEvents();
    CHECK(rested.times == 2);
}

TEST_CASE("a model that follows another one moves while that does")
{
    test::guiApplication();
    SelectionModel window, panel;
    window.moveVisible(TimeSpan{1, 11}, nullptr);
    panel.follow(window, ViewParts::kVisible, nullptr);
    CHECK(panel.moves());
    CHECK(panel.state().visible == TimeSpan{1, 11});
    window.setVisible(TimeSpan{2, 20}, nullptr);
    panel.follow(window, ViewParts::kVisible, nullptr);
    CHECK_FALSE(panel.moves());
    CHECK(panel.state().visible == TimeSpan{2, 20});
}

}  // namespace skein::selection_model_test
