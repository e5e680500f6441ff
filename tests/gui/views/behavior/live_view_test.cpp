// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_view.h"

#include "app/gui/settings/preference_keeper.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/paths.h"
#include "views/common/scene/drawing/theme.h"
#include "views/common/table/cell_table.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QLocalSocket>
#include <QMouseEvent>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <map>

namespace skein::live_view_test {

namespace {

struct Opened : test::WindowFixture {
    Opened()
    {
        window->preferences().setAppearance(gui::Appearance::Light);  // whatever a test before has chosen
        open({test::example("lulesh-8/trace-otf2")});
    }
};

/// The panel of streams in sight, with what it has been told to follow.
struct Stream {
    explicit Stream(Opened& opened)
    {
        const auto* panel = opened.window->docks().find("stream");
        REQUIRE(panel);
        panel->dock->show();
        panel->dock->raise();
        opened.settle();
        view = qobject_cast<LiveView*>(panel->view);
        REQUIRE(view);
        address = opened.child<QLineEdit>("stream.address");
    }

    /// Follows a file of that name and contents until so many rows are there, or fails.
    void follow(const char* name, const std::string& text, std::size_t rows)
    {
        address->setText(QString::fromStdString(test::fileWith(folder, name, text)));
        view->toggle();
        const auto read = [&] { return view->canvas().live() && view->canvas().live()->rows >= rows; };
        REQUIRE(test::waitFor(read, 5'000));
        REQUIRE(view->canvas().live()->picture);
    }

    const SessionBehavior& behavior() const { return *view->canvas().live()->picture->behavior; }

    test::TemporaryFolder folder;
    LiveView* view = nullptr;
    QLineEdit* address = nullptr;
};

}  // namespace

TEST_CASE("a stream is drawn while it comes, and what cannot be followed is a sentence")
{
    Opened opened;
    Stream stream(opened);
    std::string text = "time,a,b,c\n";
    for (int t = 0; t < 60; ++t)
        text += std::to_string(t) + "," + std::to_string(t % 5 + (t > 40 ? 90 : 0)) + ","
            + std::to_string(t % 3) + ",7\n";
    stream.address->setText("tcp:nowhere");
    stream.view->toggle();
    CHECK_FALSE(stream.view->canvas().live());
    stream.follow("grows.csv", text, 60);
    CHECK(stream.view->canvas().live()->rows == 60);
    const SessionBehavior& behavior = stream.behavior();
    CHECK(behavior.table.columns.size() == 3);
    CHECK_FALSE(behavior.changes.changes.empty());
    stream.view->toggle();
}

TEST_CASE("beside a stream stand who is alike and who sends to whom; any of its metrics can be chosen")
{
    Opened opened;
    Stream stream(opened);
    std::string text = "{\"entities\": [\"a\", \"b\", \"c\"]}\n";
    for (int t = 0; t < 30; ++t)
        text += "{\"time\": " + std::to_string(t) + ", \"metrics\": {\"sent\": [" + std::to_string(t % 4)
            + ", 9, " + std::to_string(t % 3) + "], \"load\": [1, " + std::to_string(t % 5)
            + ", 3]}, \"messages\": [[\"a\", \"b\", 100, 2], [\"c\", \"a\", " + std::to_string(t)
            + "], [\"a\", \"nobody\", 7]]}\n";
    stream.follow("grows.jsonl", text, 30);
    LiveView* view = stream.view;
    REQUIRE(test::waitFor([&] { return view->side().live() && view->side().live()->rows >= 30; }, 5'000));
    const LivePicture& live = *view->side().live();
    REQUIRE(live.picture);
    CHECK(live.metrics == std::vector<std::string>{"sent", "load"});
    CHECK(live.trafficTime == 29);
    REQUIRE(live.traffic.size() == 2);
    CHECK(live.traffic[0].bytes == 100);
    CHECK(live.traffic[0].messages == 2);
    CHECK(live.traffic[1].from == 2);
    CHECK(live.traffic[1].bytes == 29);
    CHECK(live.picture->behavior->projection.places.size() == 6);
    CHECK(view->side().isVisible());
    // Its picture does not give way to that of the lines, which is drawn at the same time.
    CHECK(test::waitFor([&] { return view->side().upToDate() && view->canvas().upToDate(); }, 5'000));
    auto* metric = opened.child<QComboBox>("stream.metric");
    REQUIRE(metric->count() == 3);
    metric->setCurrentText("load");
    Q_EMIT metric->activated(metric->currentIndex());
    const auto shown = [&] { return view->canvas().live()->picture->behavior->request.metric; };
    CHECK(test::waitFor([&] { return shown() == "load"; }, 5'000));
    CHECK(view->canvas().live()->picture->behavior->table.at(6, 1) == 1);
    CHECK(view->canvas().live()->panes.empty());
    metric->setCurrentIndex(2);
    Q_EMIT metric->activated(2);
    REQUIRE(test::waitFor([&] { return view->canvas().live()->panes.size() == 2; }, 5'000));
    const auto& panes = view->canvas().live()->panes;
    CHECK(panes[0]->picture->behavior->request.metric == "sent");
    CHECK(panes[1]->picture->behavior->request.metric == "load");
    CHECK(panes[1]->picture->behavior->table.at(6, 1) == 1);
    // Both stand one above the other, each with its own title.
    const auto drawn = view->drawnPicture(900, 500);
    REQUIRE(drawn);
    std::map<std::string, double> titles;
    for (const DrawItem& item : drawn->items)
        if (const auto* title = std::get_if<TextItem>(&item))
            for (const char* name : {"sent", "load"})
                if (title->text.starts_with(name)) titles.emplace(name, title->box.y);
    REQUIRE(titles.size() == 2);
    CHECK(titles["load"] - titles["sent"] == 250);
    stream.view->toggle();
}

namespace {

/// Six entities, the first three of which jump at the last third.
std::string growingTable(int rows)
{
    std::string text = "time";
    for (int i = 0; i < 6; ++i) text += ",rank " + std::to_string(i);
    for (int t = 0; t < rows; ++t) {
        text += "\n" + std::to_string(t);
        for (int i = 0; i < 6; ++i)
            text += "," + std::to_string((i + 2) * (t % 5) + (i < 3 && t > 2 * rows / 3 ? 900 : 0));
    }
    return text + "\n";
}

void drag(QWidget* widget, const std::vector<Point>& way)
{
    const double scale = widget->devicePixelRatioF();
    const auto at = [&](Point point) { return QPointF(point.x / scale, point.y / scale).toPoint(); };
    QTest::mousePress(widget, Qt::LeftButton, {}, at(way.front()));
    for (const Point& point : way) {
        QMouseEvent move(QEvent::MouseMove, at(point), widget->mapToGlobal(at(point)), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, {}, at(way.back()));
}

}  // namespace

TEST_CASE("a line around dots of a stream, a name of its legend or a line choose entities, until Esc")
{
    Opened opened;
    Stream stream(opened);
    stream.follow("grows.csv", growingTable(90), 90);
    LiveView* view = stream.view;
    REQUIRE(test::waitFor([&] { return view->side().live() && view->side().live()->rows >= 90; }, 5'000));
    const SessionBehavior& behavior = stream.behavior();
    const LiveSideLayout layout = view->side().sceneLayout();
    const Rect& body = layout.places.body;
    drag(&view->side(),
         {{body.x + 1, body.y + 1},
          {body.right() - 2, body.y + 1},
          {body.right() - 2, body.bottom() - 2},
          {body.x + 1, body.bottom() - 2}});
    CHECK(view->selected().locations.size() == 6);
    const Point dot = layout.places.placeOf(behavior, 1);
    drag(&view->side(), {dot, dot});
    REQUIRE(view->selected().locations.size() == 1);
    const auto chosen = view->selected().locations.front().id.index();
    // Lines of the others are grey, and so are their dots.
    const auto greys = [&](const DrawList& list) {
        return std::any_of(list.items.begin(), list.items.end(), [](const DrawItem& item) {
            const auto* line = std::get_if<LineItem>(&item);
            return line && line->color == withAlpha(lightTheme().secondaryText, 70);
        });
    };
    CHECK(greys(*view->drawnPicture(900, 500)));
    CHECK(chosen < 6);
    QTest::keyClick(view, Qt::Key_Escape);
    CHECK(view->selected().empty());
    CHECK_FALSE(greys(*view->drawnPicture(900, 500)));
    stream.view->toggle();
}

TEST_CASE("of a file that begins again with other entities none is selected")
{
    Opened opened;
    Stream stream(opened);
    stream.follow("grows.csv", growingTable(90), 90);
    LiveView* view = stream.view;
    REQUIRE(test::waitFor([&] { return view->side().live() && view->side().live()->rows >= 90; }, 5'000));
    const Point dot = view->side().sceneLayout().places.placeOf(stream.behavior(), 1);
    drag(&view->side(), {dot, dot});
    REQUIRE(view->selected().locations.size() == 1);
    test::fileWith(stream.folder, "grows.csv", "time,x,y,z\n0,1,2,3\n1,2,3,4\n2,3,4,5\n");
    CHECK(test::waitFor([&] { return view->selected().empty(); }, 5'000));
    CHECK(stream.behavior().table.columns.size() == 3);
    view->toggle();
}

TEST_CASE("alpha, burn-in and transforms of a stream can be chosen, and it says what they pass on")
{
    Opened opened;
    Stream stream(opened);
    stream.follow("grows.csv", growingTable(90), 90);
    const auto choose = [&](const char* name, int index) {
        auto* choice = opened.child<QComboBox>(name);
        REQUIRE(choice);
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
    };
    const auto blindRows = [&] {
        const auto& blind = stream.behavior().changes.blind;
        return blind.empty() ? 0U : static_cast<unsigned>(blind.front().last);
    };
    CHECK(blindRows() == 10);
    choose("stream.burn_in", 2);
    CHECK(test::waitFor([&] { return blindRows() == 20; }, 5'000));
    CHECK(stream.view->canvas().live()->rows == 90);
    stream.view->askForTransforms();
    auto* dialog = opened.child<QDialog>("transforms.dialog");
    REQUIRE(dialog);
    dialog->findChild<QSpinBox*>("transforms.rows")->setValue(3);
    dialog->findChild<QLineEdit*>("transforms.entities")->setText("rank 1, rank [, rank 4*");
    dialog->accept();
    const auto& canvas = stream.view->canvas();
    REQUIRE(test::waitFor(
        [&] { return canvas.live() && canvas.live()->picture && canvas.live()->rows == 30; }, 5'000));
    CHECK(stream.behavior().table.columns == std::vector<std::string>{"rank 1", "rank 4"});
    CHECK(stream.behavior().table.at(0, 0) == 3);
    CHECK(liveStatus(*canvas.live()).find("30 of 90 passed on") != std::string::npos);
    CHECK(blindRows() == 20);
    stream.view->toggle();
}

namespace {

/// These columns name entities.
void chooseNaming(Opened& opened, std::initializer_list<std::size_t> naming)
{
    opened.child<QToolButton>("stream.columns")->click();
    auto* dialog = opened.window->findChild<QDialog*>("columns.dialog");
    REQUIRE(dialog);
    auto* table = dialog->findChild<CellTable*>("columns.table");
    REQUIRE(table);
    for (const std::size_t row : naming)
        table->cells().setData(table->cellOf(row, 0), Qt::Checked, Qt::CheckStateRole);
    dialog->accept();
    opened.settle();
}

/// Two lines a time, of ranks 0 and 1, whose kinds are texts.
std::string ranksWithKinds(int from, int to)
{
    std::string text;
    for (int t = from; t < to; ++t)
        for (const char* rank : {"0,io,", "1,net,"})
            text += std::to_string(t) + "," + rank + std::to_string(t % 5) + "\n";
    return text;
}

}  // namespace

TEST_CASE("columns of a table that is sent through a socket can be chosen while it comes")
{
    Opened opened;
    Stream stream(opened);
    const std::string path = (stream.folder.path() / "s").string();
    stream.address->setText(QString::fromStdString("unix:" + path));
    stream.view->toggle();
    QLocalSocket sender;
    sender.connectToServer(QString::fromStdString(path));
    REQUIRE(sender.waitForConnected(5'000));
    const auto send = [&](const std::string& text) {
        sender.write(text.data(), static_cast<qint64>(text.size()));
        sender.flush();
    };
    send("time,rank,kind,load\n" + ranksWithKinds(0, 20));
    const auto live = [&] { return stream.view->canvas().live(); };
    REQUIRE(test::waitFor([&] { return live() && live()->columns.size() == 4; }, 5'000));
    CHECK_FALSE(opened.child<QToolButton>("stream.columns")->isHidden());
    chooseNaming(opened, {1});
    send(ranksWithKinds(20, 40));
    const std::vector<std::string> ranks{"0", "1"};
    REQUIRE(test::waitFor(
        [&] { return live() && live()->picture && stream.behavior().table.columns == ranks; }, 5'000));
    CHECK(live()->metrics == std::vector<std::string>{"load"});
    send("40,0,");
    REQUIRE(test::waitFor(
        [&] { return liveStatus(*live()).find("A line waits for its end: 5 B") != std::string::npos; },
        8'000));
    send("io,1\n");
    QLocalSocket other;
    other.connectToServer(QString::fromStdString(path));
    REQUIRE(other.waitForConnected(5'000));
    other.write("{\"values\": {\"2\": 1}}\n");
    other.flush();
    CHECK(test::waitFor([&] { return opened.child<QToolButton>("stream.columns")->isHidden(); }, 5'000));
    stream.view->toggle();
}

TEST_CASE("columns of a table name entities, and the others are metrics, as the user says")
{
    Opened opened;
    Stream stream(opened);
    std::string text = "time,pe,kp,load,events\n";
    for (int t = 0; t < 20; ++t)
        for (int kp = 0; kp < 4; ++kp)
            text += std::to_string(t) + "," + std::to_string(kp / 2) + "," + std::to_string(kp) + ","
                + std::to_string(t % 5 + kp) + "," + std::to_string(kp) + "\n";
    // As a wide one it has one time point a time, and the rest is told as left out.
    stream.follow("long.csv", text, 20);
    const auto live = [&] { return stream.view->canvas().live(); };
    CHECK(live()->columns == std::vector<std::string>{"time", "pe", "kp", "load", "events"});
    CHECK(stream.behavior().table.columns == std::vector<std::string>{"pe", "kp", "load", "events"});
    REQUIRE_FALSE(live()->notes.empty());
    chooseNaming(opened, {1, 2});
    const auto entities = [&] {
        return live() && live()->picture ? stream.behavior().table.columns : std::vector<std::string>();
    };
    const std::vector<std::string> both{"0/0", "0/1", "1/2", "1/3"};
    REQUIRE(test::waitFor([&] { return entities() == both && live()->rows >= 19; }, 5'000));
    CHECK(live()->metrics == std::vector<std::string>{"load", "events"});
    CHECK(stream.behavior().table.at(6, 3) == 4);
    CHECK(live()->notes.empty());
    CHECK(opened.child<QComboBox>("stream.metric")->itemText(1) == "events");
    stream.view->toggle();
}

TEST_CASE("series of TAU's monitoring are a stream that is there as a whole")
{
    Opened opened;
    Stream stream(opened);
    std::string text = "\"rank\",\"name\",\"step\",\"value\"\n";
    for (int rank = 0; rank < 3; ++rank)
        for (int step = 0; step < 20; ++step)
            text += std::to_string(rank) + ",\"load\"," + std::to_string(step) + ","
                + std::to_string(rank * 10 + step % 3) + "\n";
    stream.follow("monitoring.csv", text, 20);
    const SessionBehavior& behavior = stream.behavior();
    CHECK(behavior.table.columns == std::vector<std::string>{"Rank 0", "Rank 1", "Rank 2"});
    CHECK(behavior.table.at(4, 2) == 21);
    stream.view->toggle();
}

namespace {

/// Four ranks on two nodes: 0 and 1 on the first.
std::string nodesOfRanks(int rows)
{
    std::string text = R"({"entities": ["a", "b", "c", "d"], "groups": ["n0/a", "n0/b", "n1/c", "n1/d"], )"
                       R"("levels": ["node"], "attributes": {"kind": ["io", "compute", "io", "compute"]}})"
                       "\n";
    for (int t = 0; t < rows; ++t)
        text += "{\"time\": " + std::to_string(t) + ", \"values\": [" + std::to_string(t % 3) + ", "
            + std::to_string(t % 3 + 2) + ", 7, 9], \"messages\": [[\"a\", \"c\", 100, 1, \"halo\"], "
            + "[\"b\", \"d\", 60, 1, \"io\"]]}\n";
    return text;
}

}  // namespace

TEST_CASE("a line of a stream stands for an entity or a group of any level, and messages follow")
{
    Opened opened;
    Stream stream(opened);
    stream.follow("grows.jsonl", nodesOfRanks(30), 30);
    const auto& canvas = stream.view->canvas();
    auto* granularity = opened.child<QComboBox>("stream.granularity");
    REQUIRE(granularity->count() == 2);
    CHECK(granularity->isVisible());
    CHECK(granularity->itemText(0) == "By node");
    CHECK(granularity->currentText() == "Each entity");
    granularity->setCurrentIndex(0);
    Q_EMIT granularity->activated(0);
    const auto columns = [&] {
        return canvas.live() && canvas.live()->picture ? stream.behavior().table.columns
                                                       : std::vector<std::string>();
    };
    REQUIRE(test::waitFor([&] { return columns() == std::vector<std::string>{"n0", "n1"}; }, 5'000));
    REQUIRE(test::waitFor([&] { return canvas.live()->rows == 30; }, 5'000));
    CHECK(stream.behavior().table.at(4, 0) == 2);
    // A cell is the mean over four pairs of ranks.
    REQUIRE(canvas.live()->traffic.size() == 1);
    CHECK(canvas.live()->traffic[0].bytes == 40);
    CHECK(granularity->currentText() == "By node");
    stream.view->toggle();
}

TEST_CASE("entities of a stream are filtered by attributes and messages by type, and what is none is said")
{
    Opened opened;
    Stream stream(opened);
    stream.follow("grows.jsonl", nodesOfRanks(30), 30);
    stream.view->askForTransforms();
    auto* dialog = opened.child<QDialog>("transforms.dialog");
    REQUIRE(dialog);
    auto* where = dialog->findChild<QLineEdit*>("transforms.where");
    const auto* accept = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    where->setText("kind");
    CHECK_FALSE(accept->isEnabled());
    CHECK(dialog->findChild<QLabel*>("transforms.problem")->text().contains("is no condition"));
    where->setText("kind=io");
    CHECK(accept->isEnabled());
    dialog->findChild<QLineEdit*>("transforms.message_types")->setText("halo");
    dialog->accept();
    const auto& canvas = stream.view->canvas();
    REQUIRE(test::waitFor(
        [&] {
            return canvas.live() && canvas.live()->picture && canvas.live()->rows == 30
                && stream.behavior().table.columns.size() == 2;
        },
        5'000));
    CHECK(stream.behavior().table.columns == std::vector<std::string>{"a", "c"});
    REQUIRE(canvas.live()->traffic.size() == 1);
    CHECK(canvas.live()->traffic[0].bytes == 100);
    stream.view->toggle();
}

TEST_CASE("statistics of ROSS are shown of processing elements and of kernel processes")
{
    SKEIN_SHARED_OR_SKIP(file, "data/ours/ross-dflow-8/raw/gvt.bin");
    Opened opened;
    Stream stream(opened);
    stream.address->setText(QString::fromStdString(file.string()));
    stream.view->toggle();
    const auto& canvas = stream.view->canvas();
    const auto entities = [&] {
        return canvas.live() && canvas.live()->picture ? stream.behavior().table.columns.size() : 0U;
    };
    REQUIRE(test::waitFor([&] { return entities() == 8; }, 5'000));
    auto* granularity = opened.child<QComboBox>("stream.granularity");
    REQUIRE(granularity->count() == 2);
    CHECK(granularity->itemText(1) == "By KP");
    granularity->setCurrentIndex(1);
    Q_EMIT granularity->activated(1);
    REQUIRE(test::waitFor([&] { return entities() == 64; }, 10'000));
    CHECK(stream.behavior().table.columns.front() == "0/0");
    CHECK(granularity->currentText() == "By KP");
    stream.view->toggle();
}

}  // namespace skein::live_view_test
