// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/go_to_time.h"
#include "app/gui/session/mark_store.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/small_session.h"
#include "views/common/selection_model.h"

#include <QInputDialog>

namespace skein::go_to_time_test {

using namespace skein::gui;

namespace {

Session tickingSession()
{
    Experiment experiment =
        *test::ExperimentBuilder("run").process("n", {{0, 1'000'000, "main", 0}}).finish();
    experiment.definitions.clock.present = true;
    experiment.definitions.clock.ticksPerSecond = 1'000'000;
    experiment.definitions.clock.originTicks = 5'000;
    return {{std::make_shared<const Experiment>(std::move(experiment))}};
}

}  // namespace

TEST_CASE("a time that is asked for comes to the middle of the window, a span becomes the window")
{
    const Session session = tickingSession();
    const TimeSpan whole{0, 1'000'000}, visible{0, 100'000};
    CHECK(windowAsked("500us", visible, whole, session).value() == TimeSpan{450'000, 550'000});
    CHECK(windowAsked(" 0.5 ms ", visible, whole, session).value() == TimeSpan{450'000, 550'000});
    CHECK(windowAsked("10us", visible, whole, session).value() == TimeSpan{0, 100'000});
    CHECK(windowAsked("200us:300us", visible, whole, session).value() == TimeSpan{200'000, 300'000});
    CHECK(windowAsked("5400 ticks", visible, whole, session).value() == TimeSpan{350'000, 450'000});
    for (const char* wrong : {"", "soon", "5 s", "12x ticks", "3:2:1", "-1us"}) {
        INFO(wrong);
        CHECK_FALSE(windowAsked(wrong, visible, whole, session).has_value());
    }
}

TEST_CASE("Ctrl+G asks for a time and shows it")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    QTest::keyClick(fixture.window.get(), Qt::Key_G, Qt::ControlModifier);
    auto* dialog = fixture.child<QInputDialog>("goToTime");
    REQUIRE(dialog);
    dialog->setTextValue("580ms:600ms");
    dialog->accept();
    CHECK(fixture.window->selection().state().visible == TimeSpan{580'000'000, 600'000'000});
}

TEST_CASE("what is no time is asked for again, with what was typed and what is wrong with it")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    QTest::keyClick(fixture.window.get(), Qt::Key_G, Qt::ControlModifier);
    const QPointer<QInputDialog> first = fixture.child<QInputDialog>("goToTime");
    first->setTextValue("soon");
    first->accept();
    REQUIRE(test::waitFor([&] { return first.isNull(); }));
    auto* again = fixture.child<QInputDialog>("goToTime");
    REQUIRE(again);
    CHECK(again->textValue() == "soon");
    CHECK(again->labelText().contains("\n\n"));
    again->setTextValue("600ms:610ms");
    again->accept();
    CHECK(fixture.window->selection().state().visible == TimeSpan{600'000'000, 610'000'000});
}

TEST_CASE("marks and notes are there again when the archive is opened again, and only then")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(fixture.window->selection().state().marks.empty());
    const std::vector<Mark> marks{{{10, 10}, "first"}, {{20, 500}, "ünder"}};
    fixture.window->selection().setMarks(marks, nullptr);
    fixture.settle();
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(fixture.window->selection().state().marks.empty());
    fixture.reopen();
    fixture.open({test::example("lulesh-8/trace-otf2")});
    CHECK(fixture.window->selection().state().marks == marks);
    CHECK_FALSE(fixture.window->selection().edits().canUndo());
    fixture.window->selection().setMarks({}, nullptr);
    fixture.settle();
    CHECK(MarkStore::load({test::example("lulesh-8/trace-otf2")}).empty());
}

}  // namespace skein::go_to_time_test
