// SPDX-License-Identifier: GPL-3.0-or-later
// What scripts can ask a window over its socket, and what they cannot.
#include "app/gui/remote/window_server.h"

#include "tests/gui/support/window_fixture.h"

#include <QFileInfo>
#include <QLocalSocket>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skein::window_server_test {
namespace {

using Json = nlohmann::json;

struct Served : test::WindowFixture {
    test::TemporaryFolder folder;
    std::string place = (folder.path() / "skein").string();

    Served() { REQUIRE(window->letScriptsIn(place).has_value()); }

    std::filesystem::path addressFile() const
    {
        for (const auto& entry : std::filesystem::directory_iterator(place))
            if (entry.path().extension() == ".json") return entry.path();
        return {};
    }
    Json address() const
    {
        std::ostringstream text;
        text << std::ifstream(addressFile()).rdbuf();
        return Json::parse(text.str());
    }
};

/// A script at the other end.
class Script {
public:
    explicit Script(const Served& served) : address_(served.address())
    {
        socket_.connectToServer(QString::fromStdString(address_["socket"].get<std::string>()));
        REQUIRE(socket_.waitForConnected(5000));
    }

    void say(const std::string& line) { sayPart(line + "\n"); }
    void sayPart(const std::string& text)
    {
        socket_.write(text.data(), static_cast<qint64>(text.size()));
        socket_.flush();
    }
    Json hear()
    {
        // A line of 64 MiB takes half a minute under sanitizers on a busy machine.
        REQUIRE(test::waitFor([this] { return socket_.canReadLine(); }, 120000));
        return Json::parse(socket_.readLine().toStdString());
    }
    Json greet()
    {
        say(Json{{"skein", 1}, {"token", address_["token"]}}.dump());
        return hear();
    }
    Json ask(Json request)
    {
        request["id"] = ++last_;
        say(request.dump());
        for (;;) {
            Json answer = hear();
            if (answer.contains("event")) events.push_back(answer);
            else return answer;
        }
    }
    bool ended()
    {
        return test::waitFor([this] { return socket_.state() == QLocalSocket::UnconnectedState; }, 10000);
    }

    std::vector<Json> events;

private:
    QLocalSocket socket_;
    Json address_;
    int last_ = 0;
};

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

/// A request of so many bytes, its end not counted.
std::string lineOf(std::size_t bytes)
{
    std::string line = R"({"id": 7, "do": "get", "pad": ")";
    line.append(bytes - line.size() - 2, 'x');
    return line + "\"}";
}

Json setting(const Json& state) { return {{"do", "set"}, {"state", state}}; }

}  // namespace

TEST_CASE("the socket and its token are for this user alone")
{
    Served served;
    struct stat status {};
    REQUIRE(stat(served.addressFile().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    REQUIRE(stat(served.place.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    REQUIRE(stat(served.address()["socket"].get<std::string>().c_str(), &status) == 0);
    CHECK((status.st_mode & 0077) == 0);
    CHECK(served.address()["token"].get<std::string>().size() == 64);

    test::TemporaryFolder open;
    std::filesystem::permissions(open.path(), std::filesystem::perms(0755));
    test::WindowFixture other;
    const auto refused = other.window->letScriptsIn(open.path().string());
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::AccessDenied);
}

TEST_CASE("no script is let in where others can replace the folder")
{
    test::TemporaryFolder open;
    const std::string place = (open.path() / "skein").string();
    test::WindowFixture fixture;
    std::filesystem::permissions(open.path(), std::filesystem::perms(0777));
    const auto refused = fixture.window->letScriptsIn(place);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::AccessDenied);
    CHECK(refused.error().text().find(open.path().string()) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(place));

    std::filesystem::permissions(open.path(), std::filesystem::perms(01777));  // as /tmp
    CHECK(fixture.window->letScriptsIn(place).has_value());
}

TEST_CASE("what killed windows have left is removed, and nothing else")
{
    const pid_t child = fork();
    if (child == 0) _exit(0);
    REQUIRE(waitpid(child, nullptr, 0) == child);  // from now on there is no such process
    test::TemporaryFolder folder;
    const std::filesystem::path place = folder.path() / "skein";
    REQUIRE(mkdir(place.c_str(), 0700) == 0);
    const std::string dead = "window-" + std::to_string(child);
    for (const std::string& name :
         {dead + ".json", dead + ".sock", dead + ".json.part", std::string("window-1.json"),
          std::string("window-x.json"), std::string("notes.txt")})
        std::ofstream(place / name) << "{}";

    test::WindowFixture fixture;
    REQUIRE(fixture.window->letScriptsIn(place.string()).has_value());
    std::set<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(place))
        left.insert(entry.path().filename().string());
    const std::string own = "window-" + std::to_string(getpid());
    CHECK(left
          == std::set<std::string>{"notes.txt", "window-1.json", "window-x.json", own + ".json",
                                   own + ".sock"});
}

TEST_CASE("a line may have 64 MiB")
{
    Served served;
    Script script(served);
    REQUIRE(script.greet()["ok"] == true);
    script.say(lineOf(kLongestLine));
    const Json answer = script.hear();
    CHECK(answer["id"] == 7);
    CHECK(answer["ok"] == true);
}

TEST_CASE("a line may have no byte more than 64 MiB")
{
    Served served;
    Script script(served);
    REQUIRE(script.greet()["ok"] == true);
    SECTION("with an end") { script.say(lineOf(kLongestLine + 1)); }
    SECTION("without one") { script.sayPart(std::string(kLongestLine + 1, ' ')); }
    const Json refused = script.hear();
    CHECK(refused["ok"] == false);
    CHECK(refused["error"] == "This line is too long.");
    CHECK(script.ended());
}

TEST_CASE("before the token was said a line is short")
{
    Served served;
    Script script(served);
    script.say(std::string(5000, ' '));
    CHECK(script.hear()["error"] == "This line is too long.");
    CHECK(script.ended());
}

TEST_CASE("the address goes with the window")
{
    Served served;
    const auto file = served.addressFile();
    REQUIRE(std::filesystem::exists(file));
    served.window.reset();
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("who does not say the token is sent away")
{
    Served served;
    for (const std::string line : {R"({"skein": 1, "token": "no"})", R"({"skein": 1})", "[]", "no JSON",
                                   R"({"do": "get", "id": 1})"}) {
        Script script(served);
        script.say(line);
        INFO(line);
        CHECK(script.hear()["ok"] == false);
        CHECK(script.ended());
    }
    Script tedious(served);
    tedious.say(std::string(10000, 'x'));
    CHECK(tedious.hear()["ok"] == false);
    Script wrongVersion(served);
    wrongVersion.say(Json{{"skein", 2}, {"token", served.address()["token"]}}.dump());
    CHECK(wrongVersion.hear()["error"] == "This window speaks version 1 of its protocol.");
}

TEST_CASE("a script opens archives and hears why it cannot")
{
    Served served;
    Script script(served);
    CHECK(script.greet()["ok"] == true);
    CHECK(script.ask(setting(Json::object()))["error"] == "Nothing is open in the window.");
    const Json missing = script.ask({{"do", "open"}, {"paths", {"no/such/archive"}}});
    CHECK(missing["ok"] == false);
    CHECK_FALSE(missing["error"].get<std::string>().empty());
    served.settle();
    const std::string path = test::example("lulesh-8/trace-otf2").toStdString();
    const Json opened = script.ask({{"do", "open"}, {"paths", {path}}});
    CHECK(opened["ok"] == true);
    CHECK(opened["paths"].size() == 1);
    CHECK(served.address()["paths"] == opened["paths"]);
    served.settle();
}

TEST_CASE("span, selection, metric and prunes go both ways")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    const Json state{{"span", {100, 2000}},
                     {"marked", {200, 300}},
                     {"selection", {{"call_paths", {{0, 3}}}, {"rank_pairs", {{0, 1, 2}}}}},
                     {"tree", {{"collapsed", {{0, 5}}}, {"query", R"(MATCH ("*")->(n))"}}}};
    CHECK(script.ask(setting(state))["ok"] == true);
    const ViewState& shown = served.window->selection().state();
    CHECK(shown.visible == TimeSpan{100, 2000});
    CHECK(shown.brushed == TimeSpan{200, 300});
    REQUIRE(shown.selected.callPaths.size() == 1);
    CHECK(shown.selected.callPaths.front() == CallPathRef{0, CallPathId(3)});
    CHECK(shown.selected.regions.size() == 1);
    CHECK(shown.selected.rankPairs == std::vector{RankPairRef{0, 1, 2}});
    CHECK(shown.tree.collapsed == std::vector{CallPathRef{0, CallPathId(5)}});
    const Json got = script.ask({{"do", "get"}});
    CHECK(got["state"]["span"] == Json({100, 2000}));
    CHECK(got["state"]["selection"]["call_paths"] == Json::parse("[[0, 3]]"));
    CHECK(got["state"]["tree"]["query"] == R"(MATCH ("*")->(n))");
    // What is not named stays; null is all of it.
    CHECK(script.ask(setting({{"span", nullptr}}))["ok"] == true);
    CHECK_FALSE(shown.visible);
    CHECK(shown.brushed == TimeSpan{200, 300});
    served.window->selection().undo();
    served.settle();
}

TEST_CASE("messages and links are selected from outside, and those that are not there are refused")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    const auto list = [&](const char* text) {
        return script.ask(setting({{"selection", Json::parse(text)}}))["ok"] == true;
    };
    CHECK(list(R"({"messages": [[0, 7], [0, 3]], "links": [4, 1, 4]})"));
    const Selection& selected = served.window->selection().state().selected;
    CHECK(selected.messages == std::vector{MessageRef{0, 3}, MessageRef{0, 7}});
    CHECK(selected.links == std::vector{LinkRef{1}, LinkRef{4}});
    // A message is what its sender and receiver did.
    CHECK_FALSE(selected.locations.empty());
    const Json got = script.ask({{"do", "get"}});
    CHECK(got["state"]["selection"]["messages"] == Json::parse("[[0, 3], [0, 7]]"));
    CHECK(got["state"]["selection"]["links"] == Json::parse("[1, 4]"));
    for (const char* wrong : {R"({"messages": [[0, 99999999]]})", R"({"messages": [[1, 0]]})",
                              R"({"messages": [3]})", R"({"links": [-1]})", R"({"links": [[0, 1]]})"}) {
        INFO(wrong);
        CHECK_FALSE(list(wrong));
    }
    CHECK(selected.links == std::vector{LinkRef{1}, LinkRef{4}});
}

TEST_CASE("what is wrong with a request changes nothing and is told in a sentence")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    const ViewState before = served.window->selection().state();
    for (const char* state :
         {R"({"span": [5]})", R"({"span": [5, 5]})", R"({"span": ["a", 1]})", R"({"span": 7})",
          R"({"selection": [1]})", R"({"selection": {"call_paths": [[0, 99999]]}})",
          R"({"selection": {"call_paths": [[0, -1]]}})", R"({"selection": {"call_paths": 3}})",
          R"({"selection": {"calls": [[0, 0, 4294967294]]}})", R"({"selection": {"calls": [[9, 0, 0]]}})",
          R"({"selection": {"moons": []}})", R"({"tree": {"removed": [[1, 0]]}})",
          R"({"tree": {"query": 1}})", R"({"tree": 1})", R"({"metric": "no such"})", R"({"metric": 3})",
          R"({"other": 1})", R"([])", "7"}) {
        INFO(state);
        const Json answer = script.ask(setting(Json::parse(state)));
        CHECK(answer["ok"] == false);
        CHECK(answer["error"].get<std::string>().ends_with('.'));
    }
    for (const Json& request :
         {Json{{"do", "dance"}}, Json{{"do", 1}}, Json::object(), Json{{"do", "listen"}},
          Json{{"do", "open"}, {"paths", 1}}, Json{{"do", "metrics"}}})
        CHECK(script.ask(request)["ok"] == false);
    CHECK(served.window->selection().state() == before);
}

TEST_CASE("a script hears of changes once it asks to")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    served.window->selection().setVisible(TimeSpan{1, 1000}, nullptr);
    served.settle();
    CHECK(script.ask({{"do", "listen"}, {"on", true}})["ok"] == true);
    CHECK(script.events.empty());
    served.window->selection().setVisible(TimeSpan{5, 5000}, nullptr);
    served.settle();
    const Json event = script.hear();
    CHECK(event["event"] == "changed");
    CHECK(event["parts"] == Json({"span"}));
    CHECK(event["state"]["span"] == Json({5, 5000}));
    CHECK(event["by_script"] == false);
    CHECK(script.ask({{"do", "listen"}, {"on", false}})["ok"] == true);
    served.window->selection().setVisible(TimeSpan{6, 6000}, nullptr);
    served.settle();
    CHECK(script.ask({{"do", "get"}})["ok"] == true);
    CHECK(script.events.empty());
}

TEST_CASE("what was pruned by hand comes back as a query")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    const Json whole = script.ask({{"do", "query"}});
    REQUIRE(whole["ok"] == true);
    const Session& session = *served.window->loader().session();
    std::vector<CallPathRef> mpi;
    for (std::uint32_t node = 0; node < session.experiments[0]->callTree->size(); ++node) {
        const Region& region = session.experiments[0]->definitions.region(
            session.experiments[0]->callTree->region(CallPathId(node)));
        if (region.name.starts_with("MPI_Wait")) mpi.push_back({0, CallPathId(node)});
    }
    REQUIRE_FALSE(mpi.empty());
    TreeEdits edits;
    edits.removed = mpi;
    served.window->selection().setTree(edits, nullptr);
    const Json pruned = script.ask({{"do", "query"}});
    REQUIRE(pruned["ok"] == true);
    CHECK(pruned["query"] != whole["query"]);
    CHECK(pruned["query"].get<std::string>().find("MPI_Wait\"") == std::string::npos);
    served.settle();
}

TEST_CASE("two scripts that ask for the same at once both hear of it")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script one(served), other(served);
    one.greet();
    other.greet();
    one.say(R"({"do": "query", "id": 1})");
    other.say(R"({"do": "query", "id": 1})");
    const Json heard = one.hear();
    CHECK(heard["ok"] == true);
    CHECK(other.hear() == heard);
}

TEST_CASE("scripts that open at the same time hear of what they wanted alone")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script one(served), other(served);
    one.greet();
    other.greet();
    const std::string trace = test::example("lulesh-8/trace-otf2").toStdString();
    one.say(Json{{"do", "open"}, {"id", 1}, {"paths", {"no/such/archive"}}}.dump());
    other.say(Json{{"do", "open"}, {"id", 2}, {"paths", {trace}}}.dump());
    const Json opened = other.hear();
    CHECK(opened["ok"] == true);
    CHECK(opened["paths"].size() == 1);
    CHECK(one.hear()["ok"] == false);
    other.say(Json{{"do", "open"}, {"id", 3}, {"paths", {trace}}}.dump());
    one.say(Json{{"do", "open"}, {"id", 4}, {"paths", {"no/such/archive"}}}.dump());
    const Json missing = one.hear();
    CHECK(missing["ok"] == false);
    // It was open before the other request came, or never.
    const Json first = other.hear();
    if (first["ok"] == false) CHECK(first["error"] != missing["error"]);
    served.settle();
}

TEST_CASE("a script waits for so many answers and no more")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    constexpr int kAsked = 4 * static_cast<int>(gui::WindowServer::kMostWaiting);
    std::string lines;
    for (int i = 0; i < kAsked; ++i)
        lines += Json{{"do", "query"}, {"id", i}}.dump() + (i + 1 < kAsked ? "\n" : "");
    script.say(lines);
    int done = 0, refused = 0;
    for (int i = 0; i < kAsked; ++i) ++(script.hear()["ok"] == true ? done : refused);
    CHECK(done >= static_cast<int>(gui::WindowServer::kMostWaiting));
    CHECK(refused > 0);
    // Once they are answered there is room again.
    CHECK(script.ask({{"do", "query"}})["ok"] == true);
}

TEST_CASE("a request that is nested deeply is answered like any other")
{
    Served served;
    Script script(served);
    script.greet();
    const std::string open(200'000, '['), close(200'000, ']');
    script.say(R"({"do": "get", "id": )" + open + close + "}");
    CHECK(script.hear()["ok"] == true);
    script.say(R"({"do": "set", "state": )" + open + close + "}");
    CHECK(script.hear()["ok"] == false);
}

TEST_CASE("metrics of a script stand beside those that were measured")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    Script script(served);
    script.greet();
    served.window->selection().setVisible(TimeSpan{7, 7000}, nullptr);
    const Json request{{"do", "metrics"},
                       {"experiment", 0},
                       {"call_path", {0, 2, 3}},
                       {"columns", {{"cost", {1.0, 2.5, nullptr}}}},
                       {"unit", "EUR"}};
    REQUIRE(script.ask(request)["ok"] == true);
    served.settle();
    CHECK(served.window->selection().state().visible == TimeSpan{7, 7000});
    CHECK(script.ask(setting({{"metric", "cost"}}))["ok"] == true);
    served.settle();
    const Experiment& experiment = *served.window->loader().session()->experiments[0];
    const MetricRef metric = served.window->selection().state().metric;
    REQUIRE(metric.valid());
    CHECK(experiment.definitions.metric(metric.id).unit == "EUR");
    REQUIRE(experiment.profile);
    const MetricCube& cube = experiment.profile->callPaths;
    REQUIRE(cube.metrics.back() == metric.id);
    double own = 0, root = 0;
    for (std::size_t row = 0; row < cube.rows(); ++row) {
        own += cube.exclusive.back()[row];
        if (cube.items[row] == 0) root += cube.inclusive.back()[row];
    }
    CHECK(own == 3.5);
    CHECK(root == 3.5);
    // Once more: replaced, not added.
    const std::size_t metrics = experiment.definitions.metrics.size();
    REQUIRE(script.ask(request)["ok"] == true);
    served.settle();
    CHECK(served.window->loader().session()->experiments[0]->definitions.metrics.size() == metrics);
    for (const Json& wrong : {Json{{"call_path", {0}}, {"columns", {{"cost", {1, 2}}}}},
                              Json{{"call_path", {-1}}, {"columns", {{"a", {1}}}}},
                              Json{{"call_path", {0}}, {"columns", {{"a", {"x"}}}}},
                              Json{{"call_path", {0}}, {"columns", Json::object()}},
                              Json{{"call_path", {0}}, {"columns", {{"PAPI", {1}}}}, {"experiment", 3}}}) {
        Json asked = wrong;
        asked["do"] = "metrics";
        CHECK(script.ask(asked)["ok"] == false);
    }
}

TEST_CASE("scripts that go away, and a second one, do no harm")
{
    Served served;
    served.open({test::example("lulesh-8/trace-otf2")});
    {
        Script gone(served);
        gone.greet();
        gone.ask({{"do", "listen"}, {"on", true}});
        gone.say(R"({"do": "query", "id": 1})");
    }
    Script second(served), third(served);
    second.greet();
    third.greet();
    served.window->selection().setVisible(TimeSpan{5, 5000}, nullptr);
    served.settle();
    CHECK(second.ask({{"do", "get"}})["state"]["span"] == Json({5, 5000}));
    CHECK(third.ask({{"do", "get"}})["state"]["span"] == Json({5, 5000}));
}

}  // namespace skein::window_server_test
