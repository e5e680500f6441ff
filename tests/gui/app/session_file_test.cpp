// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/arguments.h"
#include "app/gui/session/recent_paths.h"
#include "app/gui/session/session_file.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_arranger.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMessageBox>

#include <filesystem>

namespace skein::session_file_test {

using namespace skein::gui;
namespace fs = std::filesystem;

namespace {

constexpr auto kTrace = "eztrace-lulesh-8/trace-otf2";

QString path(const test::TemporaryFolder& folder, const char* name)
{
    return QString::fromStdString((folder.path() / name).string());
}

void write(const QString& file, const QByteArray& text)
{
    QFile out(file);
    REQUIRE(out.open(QIODevice::WriteOnly));
    out.write(text);
}

QString copied(const char* example, const test::TemporaryFolder& folder)
{
    fs::copy(test::sourcePath(std::string("examples/") + example), folder.path() / "archive",
             fs::copy_options::recursive);
    return path(folder, "archive");
}

/// A state with something of everything.
ViewState fullState(const Session& session)
{
    ViewState state;
    state.visible = TimeSpan{1'000'000, 40'000'000};
    state.brushed = TimeSpan{2'000'000, 9'000'000};
    state.selected = select(session, IntervalRef{0, LocationId(3), 17});
    state.selected.links = {{3}, {9}};
    state.selected.nodes = {{1}};
    state.selected.handOvers = {{7}};
    state.selected.changePoints = {{0, 12'000'000}};
    state.selected.clusters = {{0, 2}};
    state.filters = {
        regionFilter(FilterEffect::Hide, "MPI_Wait", regionsMatching(session, "MPI_Wait")),
        locationFilter(FilterEffect::Keep, "two ranks", {{0, LocationId(3)}, {0, LocationId(5)}}),
        spanFilter({500'000, 60'000'000}),
        messageFilter(FilterEffect::Hide, *parseAttributeConditions("tag=1|2*; bytes>=4096; within!=main"))};
    state.marks = {{{3'000'000, 3'000'000}, "here"}, {{5'000'000, 8'000'000}, ""}};
    state.rows.collapsed = {{0, RowGroupKind::Process, 1}};
    state.rows.pinned = {{0, LocationId(5)}};
    state.rows.order = {{0, LocationId(5)}, {0, LocationId(3)}};
    state.tree = {{{0, CallPathId(1)}},
                  {{0, CallPathId(2)}, {0, CallPathId(4)}},
                  {{{0, CallPathId(1)}, "why?"}},
                  "MATCH (n)"};
    state.verdicts = {{{0, LocationId(3), 17}, CallVerdict::Kind::Anomaly},
                      {{0, LocationId(3), 18}, CallVerdict::Kind::Normal}};
    state.verdictUse = VerdictUse::Teach;
    state.placements = {
        {0,
         "Candidate 1",
         "max-load",
         "annealing: best",
         {.topology = "torus:4x4"},
         false,
         7,
         1234,
         2.5,
         std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{3, 1, 2, 0}),
         std::make_shared<const KeptSearch>(
             KeptSearch{1000,
                        {{0.25, 100, 900}, {1.5, 900, 700}},
                        {{0, 1000, 2000, {0, 1, 2, 3}}, {2, 700, 1500, {3, 1, 2, 0}}}})}};
    state.derived = "time.inc / calls";
    state.colors = ColorMode::Duration;
    state.grouping = RegionGrouping::Recorded;
    state.waitMarks = WaitMarks::Shown;
    state.messageLines = MessageLines::Hidden;
    return state;
}

void saveAs(test::WindowFixture& fixture, const QString& file)
{
    fixture.window->keeper().save(file, fixture.window->docks().layout());
    fixture.settle();
    REQUIRE(QFile::exists(file));
}

QString toldIn(const test::WindowFixture& fixture)
{
    const auto* box = fixture.window->findChild<QMessageBox*>("sessionChanges");
    return box ? box->informativeText() : QString();
}

std::string errorOf(const QByteArray& text)
{
    const auto parsed = parseSessionFile(text, "/");
    return parsed ? std::string() : parsed.error().text();
}

}  // namespace

TEST_CASE("a metric that one panel alone shows comes back with the session file")
{
    const test::TemporaryFolder folder;
    const QString file = path(folder, "mine.session.json");
    const QString size = "Message size for all-reduce";
    const auto metricsOf = [](const test::WindowFixture& fixture) {
        auto* list = fixture.window->docks().find("profile")->view->findChild<QComboBox*>("profile.metric");
        REQUIRE(list);
        return list;
    };
    {
        test::WindowFixture fixture;
        fixture.open({test::example("lulesh-8/profile-flat")});
        fixture.trigger("panel.profile");
        fixture.settle();
        QComboBox* metrics = metricsOf(fixture);
        REQUIRE(metrics->currentText() == "Time");
        metrics->setCurrentText(size);
        Q_EMIT metrics->activated(metrics->currentIndex());
        fixture.settle();
        saveAs(fixture, file);
    }
    test::WindowFixture again;
    again.open({file});
    again.settle();
    CHECK(metricsOf(again)->currentText() == size);
    CHECK(again.window->selection().state().metric == MetricRef());
}

TEST_CASE("a session that was saved comes back: archives, view state, layout")
{
    const test::TemporaryFolder folder;
    const QString file = path(folder, "mine.session.json");
    test::WindowFixture fixture;
    fixture.open({copied(kTrace, folder)});
    const ViewState state = fullState(*fixture.window->loader().session());
    fixture.window->selection().setState(state, nullptr);
    fixture.window->docks().find("jobs")->dock->close();
    saveAs(fixture, file);
    CHECK(RecentPaths::all().front() == QStringList{file});
    fixture.trigger("file.close");
    fixture.settle();
    fixture.window->panels().reset();
    fixture.open({file});
    REQUIRE(fixture.window->loader().session());
    ViewState back = fixture.window->selection().state();
    back.hover = {};
    CHECK((back.selected == state.selected));
    CHECK((back.filters == state.filters));
    CHECK((back.marks == state.marks));
    CHECK((back.rows == state.rows));
    CHECK((back == state));
    CHECK_FALSE(fixture.window->selection().edits().canUndo());
    CHECK(fixture.window->docks().find("jobs")->dock->isHidden());
    CHECK(toldIn(fixture).isEmpty());
    CHECK(fixture.window->keeper().file() == file);
}

TEST_CASE("a session file that is dropped on the window is opened as one, and refused beside what is open")
{
    const test::TemporaryFolder folder;
    const QString file = path(folder, "mine.session.json");
    test::WindowFixture fixture;
    fixture.open({copied(kTrace, folder)});
    fixture.window->selection().setVisible(TimeSpan{1000, 9000}, nullptr);
    saveAs(fixture, file);
    fixture.trigger("file.close");
    fixture.settle();
    test::dropOn(*fixture.window, {file}, Qt::NoModifier);
    fixture.settle();
    REQUIRE(fixture.window->loader().session());
    CHECK(fixture.window->selection().state().visible == TimeSpan{1000, 9000});
    CHECK(fixture.window->keeper().file() == file);
    const SessionPtr before = fixture.window->loader().session();
    test::dropOn(*fixture.window, {file}, Qt::ShiftModifier);
    fixture.settle();
    CHECK(fixture.window->loader().session() == before);
}

TEST_CASE("a session moves with its archives, and corrected clocks are corrected again")
{
    const test::TemporaryFolder folder;
    test::WindowFixture fixture;
    fixture.open({copied(kTrace, folder)});
    saveAs(fixture, path(folder, "a.session.json"));
    QFile saved(path(folder, "a.session.json"));
    REQUIRE(saved.open(QIODevice::ReadOnly));
    QByteArray text = saved.readAll();
    CHECK(text.contains("\"path\": \"archive\""));
    const test::TemporaryFolder other;
    fs::rename(folder.path() / "archive", other.path() / "archive");
    write(path(other, "a.session.json"), text.replace("\"recorded\"", "\"corrected\""));
    fixture.open({path(other, "a.session.json")});
    CHECK(fixture.window->loader().paths() == QStringList{path(other, "archive")});
    CHECK(fixture.window->loader().isDerived());
    CHECK(toldIn(fixture).isEmpty());
}

TEST_CASE("a session without the hash of its archive does not say that the archive has changed")
{
    const test::TemporaryFolder folder;
    const QString file = path(folder, "a.session.json");
    test::WindowFixture fixture;
    fixture.open({copied(kTrace, folder)});
    SelectionModel& selection = fixture.window->selection();
    const auto openWithoutHash = [&] {
        saveAs(fixture, file);
        QFile saved(file);
        REQUIRE(saved.open(QIODevice::ReadOnly));
        QByteArray text = saved.readAll();
        REQUIRE(text.count("\"hash\"") == 1);
        write(file, text.replace("\"hash\"", "\"not a hash\""));
        fixture.open({file});
    };
    selection.setVisible(TimeSpan{1000, 9000}, nullptr);
    openWithoutHash();
    CHECK(toldIn(fixture).isEmpty());
    CHECK(selection.state().visible == TimeSpan{1000, 9000});
    const SessionPtr session = fixture.window->loader().session();
    selection.setSelected(select(*session, IntervalRef{0, LocationId(1), 5}), nullptr);
    openWithoutHash();
    // Calls are known by their numbers, which another archive has, too.
    CHECK(selection.state().selected.intervals.empty());
    CHECK(toldIn(fixture).contains("Not found again"));
    CHECK(toldIn(fixture).contains("has no hash of an archive"));
    CHECK_FALSE(toldIn(fixture).contains("has changed"));
}

TEST_CASE("what is missing or has changed is told, and the rest is brought back")
{
    const test::TemporaryFolder folder;
    const QString file = path(folder, "a.session.json");
    test::WindowFixture fixture;
    fixture.open({copied(kTrace, folder), test::example("lulesh-8/profile-flat")});
    fixture.window->selection().setState(fullState(*fixture.window->loader().session()), nullptr);
    saveAs(fixture, file);
    write(path(folder, "archive/notes.txt"), "changed");
    fixture.open({file});
    CHECK(toldIn(fixture).contains("has changed"));
    const ViewState& state = fixture.window->selection().state();
    CHECK(state.selected.intervals.empty());
    CHECK(state.selected.locations.size() == 1);
    CHECK(state.filters.size() == 4);
    CHECK(state.marks.size() == 2);
    fixture.reopen();
    fs::remove_all(folder.path() / "archive");
    fixture.open({file});
    REQUIRE(fixture.window->loader().session());
    CHECK(fixture.window->loader().paths() == QStringList{test::example("lulesh-8/profile-flat")});
    CHECK(toldIn(fixture).contains("could not be opened"));
    CHECK(fixture.window->selection().state().marks.size() == 2);
}

TEST_CASE("a file that is no session, or a damaged one, is refused with a sentence")
{
    CHECK(errorOf("not JSON") != "");
    CHECK(errorOf("{\n\n\"format\": \"skein-session\", oops}").find("line 3") != std::string::npos);
    CHECK(errorOf("[]").find("no session") != std::string::npos);
    CHECK(errorOf("{\"format\": \"skein-session\"}").find("version") != std::string::npos);
    CHECK(errorOf("{\"format\": \"skein-session\", \"version\": 99}").find("later version")
          != std::string::npos);
    CHECK(
        errorOf("{\"format\": \"skein-session\", \"version\": 1, \"sources\": []}").find("names no archives")
        != std::string::npos);
    CHECK(errorOf("{\"format\": \"skein-session\", \"version\": 1, \"sources\": [{\"hash\": \"x\"}]}")
              .find("Source 1")
          != std::string::npos);
    CHECK(readSessionFile("/nowhere.session.json").error().code == ErrorCode::NotFound);
    CHECK_FALSE(readSessionFile("/").has_value());
}

TEST_CASE("whatever stands in the state of a session file, the window opens what it names")
{
    const test::TemporaryFolder folder;
    const QString file = path(folder, "odd.session.json");
    const QByteArray states[] = {
        "7", "{\"visible_ns\": \"now\", \"filters\": {\"a\": 1}, \"rows\": [], \"marks\": 3}",
        "{\"visible_ns\": [5], \"brushed_ns\": [9, 2], \"selected\": {\"calls\": [[0, 99999, 1], [7], 4], "
        "\"messages\": [[0, -1]], \"call_paths\": [[0, 1e15]]}}",
        "{\"filters\": [{}, {\"effect\": \"keep\", \"regions\": [{\"experiment\": 12, \"name\": \"x\"}]}], "
        "\"metric\": {\"name\": \"nothing\"}}",
        "{\"rows\": {\"collapsed\": [{\"kind\": \"tree\"}, {\"experiment\": 0, \"kind\": \"node\", \"id\": "
        "1e12}], \"order\": [{\"index\": -3}]}, \"colors\": \"taste\", \"grouping\": [\"recorded\"], "
        "\"clock_shifts_ns\": [\"a\", 5, 6]}"};
    test::WindowFixture fixture;
    for (const QByteArray& state : states) {
        write(file,
              "{\"format\": \"skein-session\", \"version\": 1, \"layout\": \"!\", \"sources\": [{\"path\": \""
                  + test::example("lulesh-8/trace-otf2").toUtf8() + "\"}], \"state\": " + state + "}");
        fixture.open({file});
        INFO(state.toStdString());
        CHECK(fixture.window->loader().session());
        CHECK(fixture.window->selection().state().filters.empty());
        // Files of programs that knew no groupings have none.
        CHECK(fixture.window->selection().state().grouping == RegionGrouping::Role);
        CHECK(fixture.window->selection().state().messageLines == MessageLines::Shown);
        fixture.trigger("file.close");
        fixture.settle();
    }
}

TEST_CASE("the option --session wants a session file and nothing beside it, and --outliers one of two words")
{
    const auto parse = [](std::vector<const char*> words) {
        words.insert(words.begin(), "skein");
        return parseArguments(static_cast<int>(words.size()), const_cast<char**>(words.data()));
    };
    CHECK(parse({"--session", "a.session.json"}).arguments.sources()
          == std::vector<std::string>{"a.session.json"});
    CHECK(parse({"--session", "a.json"}).exitCode == 2);
    CHECK(parse({"--session", "a.session.json", "traces.otf2"}).exitCode == 2);
    CHECK(parse({"--render", "outliers", "traces.otf2", "-o", "a.png", "--outliers", "aggregated"})
              .arguments.outliers
          == "aggregated");
    CHECK(parse({"--render", "outliers", "traces.otf2", "-o", "a.png"}).arguments.outliers.empty());
    CHECK(parse({"--outliers", "nodes"}).exitCode == 2);
}

}  // namespace skein::session_file_test
