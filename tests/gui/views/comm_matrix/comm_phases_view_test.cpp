// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/comm_matrix/comm_matrix_view.h"

#include "algorithms/comm/comm_phases.h"
#include "core/base/units.h"
#include "core/io/importer.h"
#include "tests/gui/support/choose_text.h"
#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/paths.h"
#include "views/comm_matrix/comm_matrix_canvas.h"
#include "views/common/draw_list_painter.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <QAccessible>
#include <QTest>

#include <map>
#include <utility>

namespace skein::comm_phases_view_test {
namespace {

struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    CommMatrixView view{ViewContext{selection, tasks}, nullptr};
    CommMatrixCanvas* canvas = view.findChild<CommMatrixCanvas*>();
    SessionPtr session;

    Opened()
    {
        auto made = std::make_shared<Session>();
        made->experiments.push_back(
            openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task()).value());
        session = made;
        view.resize(900, 700);
        view.QWidget::show();
        view.setSession(session);
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 3; ++turn) {
            QTest::qWait(30);
            REQUIRE(test::waitFor([this] { return !tasks.anyRunning() && canvas->upToDate(); }, 30000));
        }
    }
    void choose(const char* text)
    {
        test::chooseText(view, text);
        settle();
    }
};

using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

/// Bytes of all messages that were sent in a span, message by message.
Sums sentIn(const Experiment& experiment, TimeSpan span)
{
    Sums sums;
    const auto rankOf = [&](LocationId location) {
        const LocationGroupId group = experiment.definitions.locations[location.index()].group;
        return static_cast<std::uint32_t>(experiment.definitions.locationGroups[group.index()].rank);
    };
    for (std::size_t i = 0; i < experiment.trace->messages.size(); ++i) {
        const Message& message = experiment.trace->messages[i];
        if (message.sendTime >= span.begin && message.sendTime < span.end)
            sums[{rankOf(message.sender), rankOf(message.receiver)}] += message.bytes;
    }
    return sums;
}

}  // namespace

TEST_CASE("communication matrix view: every phase shows what was sent in it, and a click marks it")
{
    Opened opened;
    opened.choose("Phases");
    REQUIRE(opened.canvas->picture());
    const CommMatrixPicture picture = *opened.canvas->picture();
    REQUIRE(picture.phases.size() == 24);
    const Experiment& experiment = *opened.session->experiments[0];
    std::size_t sending = 0;
    const auto phases = commPhases(experiment, std::nullopt, Task()).value();
    for (const TimeSpan& span : phases) sending += sentIn(experiment, span).empty() ? 0 : 1;
    CHECK(picture.sendingPhases == sending);
    const QString told =
        QString("24 of %1 phases between synchronizing operations, those that send most").arg(sending);
    bool said = false;
    const auto drawn = opened.canvas->drawnPicture(900, 700);
    REQUIRE(drawn);
    for (const DrawItem& item : drawn->items)
        if (const auto* text = std::get_if<TextItem>(&item))
            said |= QString::fromStdString(text->text).contains(told);
    CHECK(said);
    TimeNs before = 0;
    std::uint64_t bytes = 0;
    for (const CommPhasePart& part : picture.phases) {
        CHECK(part.span.begin >= before);
        before = part.span.end;
        Sums shown;
        for (const CommMatrixCell& cell : part.table->cells) shown[{cell.row, cell.column}] = cell.bytes;
        const Sums expected = sentIn(experiment, part.span);
        CHECK_FALSE(expected.empty());
        CHECK(shown == expected);
        for (const auto& [pair, amount] : shown) bytes += amount;
    }
    CHECK(bytes > 0);
    CHECK(bytes < 22'118'400);  // all that was sent
    // Somewhere on the picture of the fifth phase.
    const SceneFonts fonts(opened.canvas->font(), 1.0);
    const QtTextMeasure measure(fonts);
    const SceneStyle style{lightTheme(), 1, {}};
    const Canvas canvas{opened.canvas->width(), opened.canvas->height(), style, measure};
    for (int y = 0; y < canvas.height; y += 7)
        for (int x = 0; x < canvas.width; x += 7) {
            if (commPhaseAt(picture, canvas, {x * 1.0, y * 1.0}) != 4u) continue;
            QTest::mouseClick(opened.canvas, Qt::LeftButton, {}, {x, y});
            opened.settle();
            CHECK(opened.selection.state().brushed == picture.phases[4].span);
            return;
        }
    FAIL("the fifth phase is nowhere");
}

TEST_CASE("screen readers get the values of the matrix that are in sight")
{
    Opened opened;
    QAccessibleInterface* found = QAccessible::queryAccessibleInterface(opened.canvas);
    REQUIRE(found);
    QAccessibleTableInterface* table = found->tableInterface();
    REQUIRE(table);
    const Sums sums = sentIn(*opened.session->experiments[0], opened.session->experiments[0]->trace->extent);
    REQUIRE(table->rowCount() > 16);
    REQUIRE(table->columnCount() >= 17);
    std::size_t exchanged = 0;
    for (std::uint32_t sender = 0; sender < 16; ++sender) {
        const auto row = static_cast<int>(sender) + 1;
        CHECK(table->rowDescription(row) == QString("Rank %1").arg(sender));
        for (std::uint32_t receiver = 0; receiver < 16; ++receiver) {
            const auto column = static_cast<int>(receiver) + 1;
            CHECK(table->columnDescription(column) == QString("to Rank %1").arg(receiver));
            const auto sent = sums.find({sender, receiver});
            const std::string expected =
                sent == sums.end() ? "nothing" : formatBytes(static_cast<double>(sent->second));
            exchanged += sent != sums.end();
            CHECK(table->cellAt(row, column)->text(QAccessible::Name).toStdString() == expected);
        }
    }
    CHECK(exchanged > 16);
}

}  // namespace skein::comm_phases_view_test
