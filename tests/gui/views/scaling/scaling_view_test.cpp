// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scaling/scaling_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/scaling/scaling_canvas.h"

#include <QAction>
#include <QComboBox>
#include <QTreeView>

#include <fstream>

namespace skein::scaling_view_test {
namespace {

void writeRun(const std::filesystem::path& folder, int p)
{
    std::filesystem::create_directories(folder);
    const double solve = 0.1 * p * p, whole = solve + 10;
    std::ofstream(folder / "tree.json")
        << R"json([{"frame":{"name":"main"},"metrics":{"time":10,"time (inc)":)json" << whole
        << R"json(},"children":[{"frame":{"name":"solve"},"metrics":{"time":)json" << solve
        << R"json(,"time (inc)":)json" << solve << "}}]}]";
}

struct Opened : test::WindowFixture {
    test::TemporaryFolder folder;
    ScalingCanvas* canvas = nullptr;

    Opened()
    {
        QStringList paths;
        for (const int p : {2, 4, 8, 16, 32}) {
            const auto run = folder.path() / ("run.p" + std::to_string(p) + ".r1");
            writeRun(run, p);
            paths << QString::fromStdString((run / "tree.json").string());
        }
        open(paths);
        window->docks().focusView("scaling");
        settleAll();
        canvas = child<ScalingCanvas>("scaling.canvas");
    }
    void settleAll()
    {
        settle();
        QTest::qWait(120);
        settle();
    }
    void type(const char* name, const QString& text)
    {
        auto* box = child<QComboBox>(name);
        box->setEditText(text);
        Q_EMIT box->activated(box->currentIndex());
        settleAll();
    }
    const ScalingData& data() const { return *canvas->picture().data; }
};

}  // namespace

TEST_CASE("runs that are open together are modelled, what dominates at the next scale first")
{
    Opened opened;
    REQUIRE(opened.canvas->picture().data);
    CHECK(opened.data().target == std::vector<double>{64});
    REQUIRE(opened.data().rows.size() == 2);
    CHECK(opened.data().rows[0].series->path == "main/solve");
    CHECK(opened.data().rows[0].model->predictions.front().value == Approx(0.1 * 64 * 64));
    opened.type("scaling.at", "p=128");
    CHECK(opened.data().rows[0].model->predictions.front().value == Approx(0.1 * 128 * 128));
    opened.type("scaling.at", "q=1");
    CHECK_FALSE(opened.canvas->picture().data);
    opened.type("scaling.at", "");
    // An empty field is the usual one.
    REQUIRE(opened.canvas->picture().data);
    CHECK(opened.data().target == std::vector<double>{64});
    QTest::keyClick(opened.canvas, Qt::Key_Down);
    opened.settleAll();
    CHECK(opened.canvas->picture().chosen == 1);
    CHECK(opened.window->selection().state().selected.callPaths.size() == 5);
    opened.type("scaling.source", "n=2,4,8");
    CHECK_FALSE(opened.canvas->picture().data);
    opened.type("scaling.source", "n=1,2,3,4,5");
    REQUIRE(opened.canvas->picture().data);
    CHECK(opened.data().parameters() == std::vector<std::string>{"n"});
}

TEST_CASE("a text in Extra-P's form is modelled beside what is open, and as a table")
{
    Opened opened;
    const auto file = opened.folder.path() / "study.txt";
    std::ofstream(file) << "PARAMETER n\nPOINTS 1 2 4 8 16\nMETRIC bytes\nREGION a\nDATA 1\nDATA 2\nDATA 4\n"
                           "DATA 8\nDATA 16\n";
    opened.type("scaling.source", QString::fromStdString(file.string()));
    REQUIRE(opened.canvas->picture().data);
    CHECK(opened.data().rows[0].series->metric == "bytes");
    CHECK(opened.data().rows[0].model->predictions.front().value == Approx(32));
    opened.child<QAction>("scaling.asTable")->trigger();
    opened.settleAll();
    const auto* table = opened.child<QTreeView>("scaling.table");
    REQUIRE(table->model()->rowCount() == 1);
    CHECK(table->model()->index(0, 0).data().toString() == "a");
}

}  // namespace skein::scaling_view_test
