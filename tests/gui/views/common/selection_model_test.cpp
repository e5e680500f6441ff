// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/selection_model.h"

#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QCoreApplication>
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

}  // namespace skein::selection_model_test
