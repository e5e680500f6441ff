// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_view.h"

#include "core/io/launcher/map_files.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "views/comm_matrix/comm_matrix_canvas.h"
#include "views/common/draw_list_painter.h"
#include "views/common/selection_model.h"
#include "views/common/trial_model.h"
#include "views/machine/machine_canvas.h"
#include "views/metric_rank/metric_rank_canvas.h"
#include "views/remap/map_export_dialog.h"
#include "views/remap/remap_canvas.h"

#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

namespace skein::mapping_walk_test {

namespace {

struct Opened : test::WindowFixture {
    explicit Opened(const QString& path) { open({path}); }

    void raise(const char* panel)
    {
        const auto* found = window->docks().find(panel);
        REQUIRE(found);
        found->dock->show();
        found->dock->raise();
        settleAll();
    }
    void settleAll()
    {
        QTest::qWait(300);  // what is typed is taken after a pause
        settle();
    }
    void type(const char* field, const char* text)
    {
        auto* box = child<QComboBox>(field);
        REQUIRE(box);
        box->lineEdit()->setFocus();
        box->lineEdit()->selectAll();
        QTest::keyClicks(box->lineEdit(), text);
        settleAll();
    }
    void press(const char* button)
    {
        auto* found = child<QAbstractButton>(button);
        REQUIRE(found);
        REQUIRE(found->isEnabled());
        QTest::mouseClick(found, Qt::LeftButton);
    }
    const ViewState& state() const { return window->selection().state(); }
};

/// From a point of a scene to one of the widget.
QPoint onWidget(const QWidget& widget, double x, double y)
{
    return (QPointF(x, y) / widget.devicePixelRatioF()).toPoint();
}

/// 512 ranks with four partners each, anywhere: a search finds something better for long. Returns the
/// hop-bytes of one rank on each node of a torus of 8 × 8 × 8, counted by hand.
std::uint64_t writeScattered(const std::filesystem::path& file)
{
    std::ofstream out(file);
    std::mt19937 random(7);
    const auto around = [](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t away = a > b ? a - b : b - a;
        return std::min(away, 8 - away);
    };
    std::uint64_t sum = 0;
    for (std::uint32_t rank = 0; rank < 512; ++rank)
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t to = random() % 512, bytes = 1000 + random() % 1000;
            if (to == rank) continue;
            const std::uint32_t hops =
                around(rank / 64, to / 64) + around(rank / 8 % 8, to / 8 % 8) + around(rank % 8, to % 8);
            out << rank << ' ' << to << ' ' << bytes << ' ' << hops << '\n';
            sum += std::uint64_t{bytes} * hops;
        }
    return sum;
}

/// What all links together carry.
std::uint64_t allLoads(const MachinePicture& picture)
{
    std::uint64_t sum = 0;
    for (LinkIndex link = 0; link < picture.loads.size(); ++link) sum += picture.loads[link];
    return sum;
}

}  // namespace

TEST_CASE("the whole way: from a trace to a checked rankfile, by mouse and keys")
{
    Opened opened(test::example("heatflow-16x2/trace-otf2"));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "mesh:16x");
    CHECK_FALSE(opened.child<QLabel>("machine_setup.problem")->text().isEmpty());
    CHECK(opened.state().machine.topology != "mesh:16x");
    opened.type("machine_setup.topology", "mesh:16");
    opened.type("machine_setup.placement", "block");
    CHECK(opened.child<QLabel>("machine_setup.problem")->text().isEmpty());
    REQUIRE(opened.state().machine.topology == "mesh:16");
    CHECK(opened.child<QLabel>("machine_setup.facts")->text().startsWith("Grid of 16 nodes"));

    opened.raise("comm_matrix");
    auto* matrix = opened.child<CommMatrixCanvas>("comm_matrix.canvas");
    REQUIRE(matrix->picture());
    CHECK(matrix->picture()->table->communication->matrix->totalBytes() == 7200ull * 3072);
    const CommMatrixLayout layout = matrix->sceneLayout();
    const double step = layout.body.width / 16;
    test::dragOver(*matrix, onWidget(*matrix, layout.body.x + step / 4, layout.body.y + step / 4),
                   onWidget(*matrix, layout.body.x + 1.7 * step, layout.body.y + 1.7 * step));
    CHECK(opened.state().selected.rankPairs == std::vector<RankPairRef>{{0, 0, 1}, {0, 1, 0}});

    opened.raise("metric_rank");
    auto* ranks = opened.child<MetricRankCanvas>("metric_rank.canvas");
    REQUIRE(ranks->picture().list);
    auto* quantity = opened.child<QComboBox>("metric_rank.quantity");
    quantity->setCurrentIndex(static_cast<int>(RankedQuantity::LinkBytes));
    Q_EMIT quantity->activated(quantity->currentIndex());
    opened.settleAll();
    CHECK(ranks->picture().list->size() == 30);
    opened.child<QDoubleSpinBox>("metric_rank.top")->setValue(10);
    opened.settleAll();
    CHECK(opened.state().selected.links.size() == 3);
    CHECK_FALSE(opened.state().selected.rankPairs.empty());

    opened.raise("remap");
    CHECK(opened.child<QLabel>("remap.worth")->text().startsWith("At most"));
    opened.window->selection().setSelected({.locations = {{0, LocationId(0)}}}, nullptr);
    opened.press("remap.pinned.others");
    CHECK(opened.child<QLineEdit>("remap.pinned")->text() == "1-15");
    opened.child<QLineEdit>("remap.pinned")->clear();
    opened.press("remap.pinned.add");
    CHECK(opened.child<QLineEdit>("remap.pinned")->text() == "0");
    opened.child<QDoubleSpinBox>("remap.seconds")->setValue(3);
    opened.settleAll();
    opened.press("remap.start");
    opened.settleAll();
    auto* view = opened.window->findChild<RemapView*>();
    REQUIRE(view->candidates().size() == 1);
    const RemapCandidate& found = *view->candidates().front();
    CHECK(found.objectiveAfter < found.objectiveBefore);
    CHECK(found.placement.nodeOf(0) == 0);

    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "rankfile";
    opened.press("remap.write");
    auto* dialog = opened.child<MapExportDialog>("mapExportDialog");
    REQUIRE(dialog);
    auto* name = dialog->findChild<QLineEdit*>("map_export.file");
    name->selectAll();
    QTest::keyClicks(name, QString::fromStdString(file.string()));
    CHECK(dialog->findChild<QPlainTextEdit*>("map_export.text")->toPlainText().contains("rank 15="));
    CHECK(dialog->findChild<QLabel*>("map_export.check")
              ->text()
              .startsWith("Read back and compared: 16 ranks"));
    QTest::mouseClick(dialog->findChild<QPushButton*>("map_export.write"), Qt::LeftButton);
    for (const char* end : {"", ".mapping.csv", ".json", ".sh"})
        CHECK(std::filesystem::exists(file.string() + end));
    const auto read = readMapFile(file, findLauncherFormat("openmpi"), {}, {});
    REQUIRE(read);
    REQUIRE(read->places.size() == 16);
    for (std::uint32_t rank = 0; rank < 16; ++rank) {
        for (std::uint32_t other = 0; other < rank; ++other)
            CHECK((read->hostOf(rank).name == read->hostOf(other).name)
                  == (found.placement.nodeOf(rank) == found.placement.nodeOf(other)));
    }
}

TEST_CASE("a point of the front that is clicked becomes a candidate, whose name is that which it is given")
{
    Opened opened(test::example("heatflow-16x2/trace-otf2"));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "mesh:16");
    opened.type("machine_setup.placement", "block");
    opened.raise("remap");
    opened.child<QDoubleSpinBox>("remap.seconds")->setValue(3);
    opened.press("remap.start");
    opened.settleAll();
    auto* view = opened.window->findChild<RemapView*>();
    REQUIRE(view->candidates().size() == 1);
    REQUIRE_FALSE(view->candidates().front()->front.empty());
    auto* canvas = view->findChild<RemapCanvas*>();
    REQUIRE(canvas);
    const SceneFonts fonts(canvas->font(), 1.0);
    const QtTextMeasure measure(fonts);
    const SceneStyle style{lightTheme(), 1, {}};
    const Canvas drawn{canvas->width(), canvas->height(), style, measure};
    const RemapLayout layout = remapLayout(drawn);
    std::optional<std::size_t> point;
    for (double x = layout.front.x; x < layout.front.right() && !point; x += 2)
        for (double y = layout.front.y; y < layout.front.bottom() && !point; y += 2) {
            point = frontPointAt(canvas->picture(), layout, drawn, {x, y});
            if (point) QTest::mouseClick(canvas, Qt::LeftButton, {}, onWidget(*canvas, x, y));
        }
    REQUIRE(point);
    opened.settleAll();
    REQUIRE(view->candidates().size() == 2);
    const RemapCandidatePtr picked = view->candidates()[1];
    CHECK(picked->moved == view->candidates()[0]->front[*point].moved);
    auto* list = opened.child<QListWidget>("remap.candidates");
    auto* beside = opened.child<QComboBox>("remap.compared");
    const auto tried = [&] {
        std::vector<std::string> names;
        for (const CommunicationTrialPtr& trial : TrialModel::of(opened.window->selection()).trials())
            names.push_back(trial->name);
        return names;
    };
    CHECK(tried() == std::vector{view->candidates()[0]->name, picked->name});
    list->item(1)->setText("few moves");
    CHECK(view->candidates()[1]->name == "few moves");
    CHECK(beside->itemText(2) == "few moves");
    CHECK(tried() == std::vector<std::string>{view->candidates()[0]->name, "few moves"});
    // Names tell candidates apart.
    list->item(1)->setText(list->item(0)->text());
    CHECK(list->item(1)->text() == "few moves");
    list->item(1)->setText(" ");
    CHECK(list->item(1)->text() == "few moves");
    CHECK(view->candidates()[1]->placement.slotOfRank().size() == 16);
}

TEST_CASE("while a search runs its best map so far is drawn in the views; it is stopped, and goes on")
{
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "scattered_hopbyte.txt";
    const std::uint64_t before = writeScattered(file);
    Opened opened(QString::fromStdString(file.string()));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "torus:8x8x8");
    opened.type("machine_setup.placement", "block");
    opened.raise("machine");
    auto* compare = opened.child<QComboBox>("machine.compare");
    compare->setCurrentIndex(1);  // as tried
    opened.raise("remap");
    opened.child<QDoubleSpinBox>("remap.seconds")->setValue(600);
    opened.settleAll();
    auto* view = opened.window->findChild<RemapView*>();
    const auto* canvas = opened.child<MachineCanvas>("machine.plan");
    const auto* stop = opened.child<QAbstractButton>("remap.stop");
    REQUIRE(canvas);
    // What is drawn of a search that runs: all links together, where that is below `most`.
    const auto drawnBelow = [&](std::uint64_t most) {
        const MachinePicturePtr& shown = canvas->shown();
        if (!stop->isEnabled() || !shown || !shown->head.starts_with("Search under way")) return false;
        return allLoads(*shown) < most;
    };
    const auto drawn = [&] { return allLoads(*canvas->shown()); };
    opened.press("remap.start");
    const auto* plan = opened.window->docks().find("machine");
    plan->dock->raise();
    REQUIRE(test::waitFor([&] { return drawnBelow(before); }, 60000));
    // It improves, and the picture follows.
    const std::uint64_t first = drawn();
    REQUIRE(test::waitFor([&] { return drawnBelow(first); }, 60000));
    CHECK(view->candidates().empty());
    opened.window->docks().find("remap")->dock->raise();
    opened.press("remap.stop");
    REQUIRE(test::waitFor([&] { return view->candidates().size() == 1; }, 60000));
    const RemapCandidate stopped = *view->candidates().front();
    CHECK(stopped.stopped);
    CHECK(static_cast<std::uint64_t>(stopped.objectiveBefore) == before);
    plan->dock->raise();
    opened.settleAll();
    // No search is under way any more: what it found is drawn.
    CHECK(canvas->shown()->head.starts_with(stopped.name));
    CHECK(drawn() == static_cast<std::uint64_t>(stopped.objectiveAfter));

    opened.window->docks().find("remap")->dock->raise();
    opened.press("remap.go_on");
    plan->dock->raise();
    REQUIRE(test::waitFor([&] { return drawnBelow(drawn() + 1) && drawn() < before; }, 60000));
    opened.window->docks().find("remap")->dock->raise();
    opened.press("remap.stop");
    REQUIRE(test::waitFor([&] { return view->candidates().size() == 2; }, 60000));
    CHECK(view->candidates()[1]->objectiveAfter <= stopped.objectiveAfter);
    opened.settleAll();
}

TEST_CASE("what a search may not move is marked on the machine plan as it is typed")
{
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "ring_hopbyte.txt";
    std::ofstream(file) << "0 1 1000 1\n1 2 1000 1\n2 3 1000 1\n3 0 1000 1\n";
    Opened opened(QString::fromStdString(file.string()));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "torus:2x4");
    opened.type("machine_setup.placement", "cyclic");
    opened.raise("machine");
    const auto* canvas = opened.child<MachineCanvas>("machine.plan");
    REQUIRE(canvas->shown());
    CHECK(canvas->shown()->held == HeldNodes());
    opened.raise("remap");
    const auto typed = [&](const char* field, const char* text) {
        auto* line = opened.child<QLineEdit>(field);
        REQUIRE(line);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        opened.settleAll();
    };
    typed("remap.pinned", "2,0");
    typed("remap.free_nodes", "7");
    const Placement& placement = canvas->shown()->users[0].communication->machine->placement;
    CHECK(canvas->shown()->held.pinned == std::vector<VertexIndex>{placement.nodeOf(0), placement.nodeOf(2)});
    CHECK(canvas->shown()->held.keptFree == std::vector<VertexIndex>{7});
    typed("remap.pinned", "no rank");
    CHECK(canvas->shown()->held == HeldNodes());
}

TEST_CASE("candidates stay while their run is open, and nodes without ranks are left free by selecting them")
{
    Opened opened(test::example("heatflow-16x2/trace-otf2"));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "mesh:5x4");
    opened.type("machine_setup.placement", "block");
    opened.raise("remap");
    // A node that no rank runs on, as a click on the machine plan selects it.
    opened.window->selection().setSelected({.nodes = {{18}}}, nullptr);
    opened.press("remap.free_nodes.add");
    CHECK(opened.child<QLineEdit>("remap.free_nodes")->text() == "18");
    opened.child<QDoubleSpinBox>("remap.seconds")->setValue(0.2);
    opened.settleAll();
    opened.press("remap.start");
    opened.settleAll();
    auto* view = opened.window->findChild<RemapView*>();
    REQUIRE(view->candidates().size() == 1);
    const RemapCandidatePtr found = view->candidates().front();
    const auto* list = opened.child<QListWidget>("remap.candidates");
    // The rerun beside it: what was found is still there to compare with.
    opened.window->loader().add({test::example("eztrace-lulesh-8/trace-otf2")});
    opened.settleAll();
    REQUIRE(view->candidates().size() == 1);
    CHECK(view->candidates().front() == found);
    CHECK(list->count() == 1);
    const auto& trials = TrialModel::of(opened.window->selection()).trials();
    REQUIRE(trials.size() == 1);
    CHECK(trials.front()->name == found->name);
    CHECK(opened.state().machine.topology == "mesh:5x4");
    // It is part of the session's state: undo takes it away, and it is known when it comes again.
    opened.window->selection().setPlacements({}, nullptr);
    opened.settleAll();
    CHECK(view->candidates().empty());
    CHECK(trials.empty());
    opened.window->selection().undo();
    opened.settleAll();
    REQUIRE(view->candidates().size() == 1);
    CHECK(view->candidates().front() == found);
    opened.open({test::example("lulesh-8/trace-otf2")});
    CHECK(view->candidates().empty());
    CHECK(list->count() == 0);
    CHECK(TrialModel::of(opened.window->selection()).trials().empty());
}

TEST_CASE("a search that runs while an archive comes beside its run leaves the best until then")
{
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "scattered_hopbyte.txt";
    writeScattered(file);
    Opened opened(QString::fromStdString(file.string()));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "torus:8x8x8");
    opened.type("machine_setup.placement", "block");
    opened.raise("remap");
    opened.child<QDoubleSpinBox>("remap.seconds")->setValue(3600);
    opened.settleAll();
    opened.press("remap.start");
    QTest::qWait(200);
    opened.window->loader().add({test::example("eztrace-lulesh-8/trace-otf2")});
    REQUIRE(test::waitFor([&] { return opened.window->loader().session()->experiments.size() == 2; }, 60000));
    opened.settleAll();
    opened.raise("remap");
    auto* view = opened.window->findChild<RemapView*>();
    REQUIRE(test::waitFor([&] { return view->candidates().size() == 1; }, 60000));
    CHECK(view->candidates().front()->stopped);
    CHECK_FALSE(opened.child<QPushButton>("remap.stop")->isEnabled());
    CHECK(opened.child<QPushButton>("remap.go_on")->isEnabled());
}

TEST_CASE("candidates, their names and what a search may do come back with the session file")
{
    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "found.session.json").string());
    std::vector<std::uint32_t> slots;
    std::int64_t before = 0, after = 0;
    std::size_t progress = 0;
    std::vector<MovedTradeOff> front;
    {
        Opened opened(test::example("heatflow-16x2/trace-otf2"));
        opened.raise("machine_setup");
        opened.type("machine_setup.topology", "mesh:20");
        opened.type("machine_setup.placement", "block");
        opened.raise("remap");
        opened.child<QDoubleSpinBox>("remap.seconds")->setValue(0.25);
        opened.child<QLineEdit>("remap.pinned")->setText("0,1");
        opened.settleAll();
        opened.press("remap.start");
        opened.settleAll();
        auto* view = opened.window->findChild<RemapView*>();
        REQUIRE(view->candidates().size() == 1);
        opened.child<QListWidget>("remap.candidates")->item(0)->setText("for the meeting");
        opened.settleAll();
        const RemapCandidate& found = *view->candidates().front();
        CHECK(found.name == "for the meeting");
        const auto of = found.placement.slotOfRank();
        slots.assign(of.begin(), of.end());
        before = found.objectiveBefore;
        after = found.objectiveAfter;
        progress = found.curve.size();
        front = found.front;
        REQUIRE(progress > 0);
        REQUIRE_FALSE(front.empty());
        opened.window->keeper().save(file, {});
        REQUIRE(test::waitFor([&] { return QFileInfo::exists(file); }, 30000));
    }
    Opened opened(file);
    opened.raise("remap");
    opened.settleAll();
    CHECK(opened.child<QLineEdit>("remap.pinned")->text() == "0,1");
    CHECK(opened.child<QDoubleSpinBox>("remap.seconds")->value() == 0.25);
    auto* view = opened.window->findChild<RemapView*>();
    REQUIRE(test::waitFor([&] { return view->candidates().size() == 1; }, 30000));
    const RemapCandidate& back = *view->candidates().front();
    CHECK(back.name == "for the meeting");
    CHECK(std::ranges::equal(back.placement.slotOfRank(), slots));
    CHECK(back.objectiveBefore == before);
    CHECK(back.objectiveAfter == after);
    CHECK(back.curve.size() == progress);
    CHECK(back.curve.back().objective == after);
    REQUIRE(back.front.size() == front.size());
    for (std::size_t i = 0; i < front.size(); ++i) {
        CHECK(back.front[i].moved == front[i].moved);
        CHECK(back.front[i].objective == front[i].objective);
        CHECK(back.front[i].slotOfRank == front[i].slotOfRank);
    }
    CHECK(opened.child<QPushButton>("remap.write")->isEnabled());
    // One that is of other ranks is told, and the others stay. What a search told of other messages is not
    // shown.
    auto placements = opened.state().placements;
    auto other = std::make_shared<KeptSearch>(*placements.front().search);
    ++other->objectiveBefore;
    placements.push_back(placements.front());
    placements.back().name = "of other messages";
    placements.back().search = std::move(other);
    placements.push_back(placements.front());
    placements.back().name = "of two";
    placements.back().slotOfRank = std::make_shared<const std::vector<std::uint32_t>>(2, 0);
    opened.window->selection().setPlacements(placements, nullptr);
    opened.settleAll();
    REQUIRE(view->candidates().size() == 2);
    CHECK(view->candidates().back()->name == "of other messages");
    CHECK(view->candidates().back()->curve.empty());
    CHECK(view->candidates().back()->front.empty());
    CHECK(opened.child<QLabel>("remap.problem")->text().contains("is of 2 ranks, here are 16"));
}

TEST_CASE("a machine is kept in the session's state and taken back with undo")
{
    Opened opened(test::example("heatflow-16x2/trace-otf2"));
    opened.raise("machine_setup");
    opened.type("machine_setup.topology", "torus:4x4");
    REQUIRE(opened.state().machine.topology == "torus:4x4");
    opened.window->selection().undo();
    opened.settleAll();
    CHECK(opened.state().machine.topology.empty());
    CHECK(opened.child<QComboBox>("machine_setup.topology")->currentText().isEmpty());
}

TEST_CASE("a topology file that is dropped on the machine panel becomes the machine")
{
    Opened opened(test::example("heatflow-16x2/trace-otf2"));
    opened.raise("machine_setup");
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "topology.conf";
    std::ofstream(file)
        << "SwitchName=s0 Nodes=n[1-8]\nSwitchName=s1 Nodes=n[9-16]\nSwitchName=s2 Switches=s[0-1]\n";
    auto* panel = opened.window->docks().find("machine_setup")->view;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file.string()))});
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(panel, &enter);
    CHECK(enter.isAccepted());
    QDropEvent drop(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(panel, &drop);
    opened.settleAll();
    CHECK(opened.state().machine.topology == "topology:" + file.string());
}

}  // namespace skein::mapping_walk_test
