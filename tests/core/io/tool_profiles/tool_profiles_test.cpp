// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles of other tools: numbers that Hatchet gives, and damaged files.
#include "algorithms/profile/aggregate.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <map>
#include <random>
#include <sstream>

namespace skein::tool_profiles_test {

using namespace skein::test;

namespace {

ExperimentPtr opened(const std::filesystem::path& path)
{
    const auto experiment = openExperiment(path, Task());
    INFO((experiment ? std::string() : experiment.error().text()));
    REQUIRE(experiment);
    return *experiment;
}

ExperimentPtr openedText(const std::string& name, const std::string& text)
{
    const TemporaryFolder folder;
    return opened(fileWith(folder, name, text));
}

std::size_t columnOf(const Experiment& experiment, const std::string& metric)
{
    const auto column = metricColumn(experiment, *experiment.profile, metric);
    REQUIRE(column);
    return *column;
}

/// Values by the path of names, summed over locations.
std::map<std::string, ProfileValues> valuesOf(const Experiment& experiment, const std::string& metric = "")
{
    std::map<std::string, ProfileValues> values;
    std::vector<std::string> paths;
    for (const CallPathRow& row :
         profileByCallPath(experiment, *experiment.profile, columnOf(experiment, metric))) {
        paths.resize(row.depth);
        paths.push_back((paths.empty() ? "" : paths.back() + ";") + row.name);
        values[paths.back()] = row.values;
    }
    return values;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

const std::string kSplit =
    R"({"data": [[10, 0, 4, 0], [6, 0, 6, 1], [20, 1, 8, 0], [12, 1, 12, 1], [99, 0, 1, null]],
 "columns": ["inclusive#sum#time.duration", "mpi.rank", "sum#time.duration", "path"],
 "column_metadata": [{"is_value": true}, {"is_value": true}, {"is_value": true}, {"is_value": false}],
 "nodes": [{"column": "path", "label": "main"}, {"column": "path", "label": "solve", "parent": 0}]})";

const std::string kRecords = "__rec=node,id=12,attr=10,data=276,parent=3\n"
                             "__rec=node,id=13,attr=8,data=region,parent=12\n"
                             "__rec=node,id=14,attr=10,data=85,parent=5\n"
                             "__rec=node,id=15,attr=8,data=sum#time.duration.ns,parent=14\n"
                             "__rec=node,id=16,attr=8,data=max#time.duration.ns,parent=14\n"
                             "__rec=node,id=17,attr=8,data=count,parent=14\n"
                             "__rec=node,id=20,attr=13,data=main\n"
                             "__rec=node,id=21,attr=13,data=a\\,b\\=c,parent=20\n"
                             "__rec=ctx,ref=20,attr=15=16=17,data=100=60=2\n"
                             "__rec=ctx,ref=21,attr=15=16=17,data=40=30=3\n"
                             "__rec=ctx,ref=21,attr=15=16=17,data=2=40=1\n"
                             "__rec=globals,attr=15,data=1\n";

const std::string kPyinstrument =
    R"({"program": "x", "root_frame": {"function": "f", "file_path": "a.py", "line_no": 3, "time": 2.5,
 "children": [{"function": "g", "time": 1.0, "children": []}, {"function": "g", "time": 0.5}]}})";

const std::string kTimemory =
    R"({"timemory": {"WALL_CLOCK": {"type": "wall", "unit_repr": "sec", "mpi": [[{"node": {"prefix": "unknown-hash=0"},
 "children": [{"node": {"prefix": "f@a.cpp:7/x", "inclusive": {"entry": {"repr_data": 3.0, "laps": 2}},
 "exclusive": {"entry": {"repr_data": 2.0}}}, "children": [{"node": {"prefix": "g", "inclusive": {"entry":
 {"repr_data": 1.0, "laps": 4}}, "exclusive": {"entry": {"repr_data": 1.0}}}, "children": []}]}]}],
 [{"node": {"prefix": "f@a.cpp:7/x", "inclusive": {"entry": {"repr_data": 5.0, "laps": 1}},
 "exclusive": {"entry": {"repr_data": 5.0}}}, "children": []}]]}}})";

const std::string kFolded = "main;solve;dot 7\nmain;solve 2\nmain 1\nmain;solve;dot 3\n";

const std::string kXml =
    "<?xml version=\"1.0\"?>\n<HPCToolkitExperiment "
    "version=\"2.0\">\n<SecCallPathProfile><SecHeader><MetricTable>"
    "<Metric i=\"2\" n=\"CPUTIME (usec):Sum (I)\" t=\"inclusive\"/><Metric i=\"3\" n=\"CPUTIME (usec):Sum "
    "(E)\" "
    "t=\"exclusive\"/></MetricTable><MetricDBTable><MetricDB i=\"0\" n=\"CPUTIME (usec) (I)\" "
    "t=\"inclusive\" "
    "db-id=\"0\"/><MetricDB i=\"1\" n=\"CPUTIME (usec) (E)\" t=\"exclusive\" db-id=\"1\"/></MetricDBTable>"
    "<LoadModuleTable><LoadModule i=\"1\" n=\"app\"/></LoadModuleTable><FileTable><File i=\"2\" "
    "n=\"src/a.c\"/>"
    "</FileTable><ProcedureTable><Procedure i=\"3\" n=\"main\"/><Procedure i=\"4\" "
    "n=\"f&lt;T&gt;\"/></ProcedureTable>"
    "</SecHeader><SecCallPathProfileData><PF i=\"1\" l=\"5\" lm=\"1\" f=\"2\" n=\"3\"><M n=\"2\" v=\"10\"/>"
    "<M n=\"3\" v=\"0\"/><C i=\"2\" l=\"27\"><PF i=\"3\" l=\"9\" lm=\"1\" f=\"2\" n=\"4\"><M n=\"2\" "
    "v=\"10\"/>"
    "<M n=\"3\" v=\"10\"/><S i=\"4\" l=\"12\"><M n=\"2\" v=\"10\"/><M n=\"3\" v=\"10\"/></S></PF></C></PF>"
    "</SecCallPathProfileData></SecCallPathProfile></HPCToolkitExperiment>\n";

}  // namespace

TEST_CASE("Caliper's split JSON has inclusive and exclusive times of each rank")
{
    const ExperimentPtr experiment = openedText("split.json", kSplit);
    CHECK(experiment->definitions.locations.size() == 2);
    auto values = valuesOf(*experiment);
    REQUIRE(values.size() == 2);
    CHECK(values["main"].inclusive == 30e3);
    CHECK(values["main"].exclusive == 12e3);
    CHECK(values["main;solve"].exclusive == 18e3);
}

TEST_CASE("Caliper's records are summed by path, with escapes, calls and maxima")
{
    const ExperimentPtr experiment = openedText("a.cali", kRecords);
    auto values = valuesOf(*experiment);
    CHECK(values["main"].inclusive == 142.0);
    CHECK(values["main"].calls == 2.0);
    CHECK(values["main;a,b=c"].exclusive == 42.0);
    CHECK(values["main;a,b=c"].calls == 4.0);
    CHECK(valuesOf(*experiment, "max#time.duration.ns")["main;a,b=c"].inclusive == 40.0);
}

TEST_CASE("Caliper's records that are cut off say so, and half a number does not count")
{
    const std::string whole = kRecords;
    REQUIRE(whole.back() == '\n');
    const TemporaryFolder folder;
    std::size_t shown = 0;
    for (std::size_t size = 6; size < whole.size(); ++size) {
        const auto experiment = openExperiment(fileWith(folder, "cut.cali", whole.substr(0, size)), Task());
        const bool inLine = whole[size - 1] != '\n';
        INFO(whole.substr(0, size));
        if (!experiment) {
            CHECK(experiment.error().message.find(inLine ? "was cut off in line"
                                                         : "ends without its last record")
                  != std::string::npos);
            continue;
        }
        ++shown;
        CHECK((*experiment)->report.count(IssueKind::Truncated) == (inLine ? 1 : 0));
        // The numbers are those of the whole lines before.
        const std::string lines = whole.substr(0, whole.rfind('\n', size - 1) + 1);
        CHECK(valuesOf(**experiment).at("main").inclusive
              == valuesOf(*openedText("lines.cali", lines)).at("main").inclusive);
    }
    CHECK(shown > 20);
}

TEST_CASE("an experiment.xml that ends before the first call path is told to be cut off")
{
    const TemporaryFolder folder;
    const std::string cut = kXml.substr(0, kXml.find("<SecCallPathProfileData"));
    REQUIRE(cut.size() < kXml.size());
    const auto experiment = openExperiment(fileWith(folder, "experiment.xml", cut), Task());
    REQUIRE_FALSE(experiment);
    CHECK(experiment.error().message.find("as it was cut off") != std::string::npos);
}

TEST_CASE("Caliper's attribute without a name is a metric with one")
{
    std::string records = kRecords;
    const std::string name = "data=max#time.duration.ns";
    records.replace(records.find(name), name.size(), "data=");
    const ExperimentPtr experiment = openedText("a.cali", records);
    auto values = valuesOf(*experiment, "attribute 16 without a name");
    CHECK(values["main"].exclusive == 60.0);
    for (const Metric& metric : experiment->definitions.metrics) CHECK_FALSE(metric.name.empty());
}

TEST_CASE("pyinstrument's frames keep their source, and equal ones are one")
{
    const ExperimentPtr experiment = openedText("p.json", kPyinstrument);
    auto values = valuesOf(*experiment);
    CHECK(values["f"].inclusive == 2.5e9);
    CHECK(values["f"].exclusive == Approx(1e9));
    CHECK(values["f;g"].inclusive == 1.5e9);
    CHECK(experiment->definitions.regions[0].sourceFile == "a.py");
    CHECK(experiment->definitions.regions[0].beginLine == 3);
}

TEST_CASE("timemory's trees are processes, and what holds them together is left out")
{
    const ExperimentPtr experiment = openedText("t.json", kTimemory);
    CHECK(experiment->definitions.locations.size() == 2);
    auto values = valuesOf(*experiment);
    REQUIRE(values.size() == 2);
    CHECK(values["f@a.cpp:7/x"].inclusive == 8e9);
    CHECK(values["f@a.cpp:7/x"].exclusive == 7e9);
    CHECK(values["f@a.cpp:7/x"].calls == 3.0);
    CHECK(values["f@a.cpp:7/x;g"].calls == 4.0);
    CHECK(experiment->definitions.regions[0].beginLine == 7);
}

TEST_CASE("folded stacks add up, and tables of numbers are none")
{
    const ExperimentPtr experiment = openedText("perf.folded", kFolded);
    auto values = valuesOf(*experiment);
    CHECK(values["main"].inclusive == 13.0);
    CHECK(values["main;solve"].exclusive == 2.0);
    CHECK(values["main;solve;dot"].exclusive == 10.0);
    const TemporaryFolder folder;
    const auto numbers = openExperiment(fileWith(folder, "n.txt", "1;2 3\n4;5 6\n"), Task());
    CHECK((!numbers || (*numbers)->format != "Folded stacks"));
    CHECK_FALSE(openExperiment(fileWith(folder, "w.txt", "some words;\nand more\n"), Task()));
}

TEST_CASE("folded stacks whose last line has no end say that its number may be cut, and lose nothing")
{
    const std::string text = "main;solve 12\nmain;io 345";
    const ExperimentPtr open = openedText("perf.folded", text),
                        ended = openedText("perf.folded", text + "\n");
    CHECK(valuesOf(*open)["main;io"].exclusive == 345.0);
    CHECK(open->report.count(IssueKind::UnendedLine) == 1);
    CHECK(open->report.issues().front().detail == "its number is 345");
    CHECK(ended->report.count(IssueKind::UnendedLine) == 0);
}

TEST_CASE("HPCToolkit's XML alone has sums, and statements take theirs off their procedures")
{
    const ExperimentPtr experiment = openedText("experiment.xml", kXml);
    CHECK(experiment->report.count(IssueKind::AbsentFile) == 1);
    auto values = valuesOf(*experiment);
    CHECK(values["main"].inclusive == 10e3);
    CHECK(values["main;27:f<T>"].exclusive == 0.0);
    CHECK(values["main;27:f<T>;a.c:12"].exclusive == 10e3);
}

TEST_CASE("HPCToolkit's cpi run has the numbers that Hatchet gives")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/hatchet");
    const ExperimentPtr experiment = opened(folder / "hpctoolkit-cpi-database");
    CHECK(experiment->definitions.locations.size() == 4);
    // By name and rank: names repeat in the tree, so that sums of both are compared.
    std::map<std::pair<std::string, int>, std::pair<double, double>> theirs, ours;
    std::istringstream table(contentOf(folder / "hpctoolkit-cpi-graphframe.csv"));
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream fields(line.substr(line.rfind('}') + 3));
        std::string rank, inclusive, exclusive, nid, name;
        for (std::string* field : {&rank, &inclusive, &exclusive, &nid, &name})
            std::getline(fields, *field, ',');
        // Hatchet gives a statement the file of the procedure that was read last, not of its own.
        if (name == "interp.c:0") name = "<unknown file>:0";
        auto& values = theirs[{name, std::stoi(rank)}];
        values.first += std::stod(inclusive);
        values.second += std::stod(exclusive);
    }
    REQUIRE(theirs.size() > 50);
    const MetricCube& cube = experiment->profile->callPaths;
    for (std::size_t location = 0; location < cube.locations(); ++location)
        for (auto row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1]; ++row) {
            const RegionId region = experiment->callTree->region(CallPathId(cube.items[row]));
            std::string name = experiment->definitions.region(region).name;
            if (name == "interp.c:0") name = "<unknown file>:0";
            const auto rank = static_cast<int>(experiment->definitions.locations[location].rank);
            auto& values = ours[{name, rank}];
            values.first += cube.inclusive[0][row] / 1e3;
            values.second += cube.exclusive[0][row] / 1e3;
        }
    REQUIRE(ours.size() == theirs.size());
    for (const auto& [key, values] : theirs) {
        INFO(key.first << " on " << key.second);
        CHECK(ours[key].first == Approx(values.first));
        CHECK(ours[key].second == Approx(values.second));
    }
}

TEST_CASE("profiles of other tools in the reference data open without losses")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/hatchet");
    const auto check = [&](const std::string& path, const std::string& format, std::size_t locations) {
        INFO(path);
        const ExperimentPtr experiment = opened(folder / path);
        CHECK(experiment->format == format);
        CHECK(experiment->definitions.locations.size() == locations);
        CHECK_FALSE(experiment->report.lostData());
        CHECK_FALSE(valuesOf(*experiment).empty());
    };
    check("caliper-lulesh-json/lulesh-annotation-profile.json", "Caliper profile", 8);
    check("caliper-cpi-json/cpi-callpath-profile.json", "Caliper profile", 4);
    check("caliper-ordered-json/caliper-region-node-order.json", "Caliper profile", 1);
    check("caliper-lulesh-cali/lulesh-annotation-profile.cali", "Caliper profile", 1);
    check("caliper-example-cali/example-profile.cali", "Caliper profile", 1);
    check("spotdb/0.cali", "Caliper profile", 1);
    check("hpctoolkit-allgather-database", "HPCToolkit profile", 20);
    check("pyinstrument-hatchet-json/pyinstrument-hatchet-profile.json", "pyinstrument profile", 1);
    check("timemory/wall.tree.json", "timemory profile", 2);
    const ExperimentPtr lulesh = opened(folder / "caliper-lulesh-json/lulesh-annotation-profile.json");
    CHECK(valuesOf(*lulesh)["main"].inclusive == Approx(47119293e3));
}

TEST_CASE("damaged profiles of other tools never fail but with a sentence")
{
    std::mt19937_64 random(17);
    const TemporaryFolder folder;
    for (const auto& [name, whole] :
         {std::pair("a.json", kSplit), std::pair("a.cali", kRecords), std::pair("b.json", kPyinstrument),
          std::pair("c.json", kTimemory), std::pair("d.folded", kFolded), std::pair("experiment.xml", kXml)})
        for (int round = 0; round < 120; ++round) {
            std::string text = whole.substr(0, round % 2 == 0 ? random() % (whole.size() + 1) : whole.size());
            for (int change = 0; change < round % 5 && !text.empty(); ++change)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            const auto experiment = openExperiment(fileWith(folder, name, text), Task());
            if (!experiment) CHECK_FALSE(experiment.error().message.empty());
            else CHECK((*experiment)->callTree->size() > 0);
        }
}

TEST_CASE("metric-db files that are cut off or of another kind are told, the rest is shown")
{
    SKEIN_SHARED_OR_SKIP(from, "data/hatchet/hpctoolkit-cpi-database");
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(from)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    int number = 0;
    for (const auto& file : files) {
        std::string text = contentOf(file);
        if (file.extension() == ".metric-db" && ++number == 1) text.resize(text.size() / 2);
        else if (file.extension() == ".metric-db" && number == 2) text[0] = 'X';
        fileWith(folder, file.filename().string(), text);
    }
    const ExperimentPtr experiment = opened(folder.path());
    CHECK(experiment->report.count(IssueKind::Truncated) == 1);
    CHECK(experiment->report.count(IssueKind::CorruptRecord) == 1);
    CHECK(experiment->definitions.locations.size() == 3);
}

TEST_CASE("trees of 100 000 levels are read whatever tool wrote them")
{
    constexpr int kLevels = 100'000;
    std::string folded = "f", python = R"({"root_frame": )", ends,
                split = R"({"data": [[5, )" + std::to_string(kLevels - 1) + R"(]],
 "columns": ["time", "path"], "column_metadata": [{"is_value": true}, {"is_value": false}], "nodes": [)",
                records = "__rec=node,id=12,attr=10,data=256,parent=3\n"
                          "__rec=node,id=13,attr=8,data=region,parent=12\n"
                          "__rec=node,id=14,attr=8,data=sum#time.duration,parent=5\n";
    for (int level = 0; level < kLevels; ++level) {
        if (level > 0) folded += ";f";
        python += R"({"function": "f", "time": 1.0, "children": [)";
        ends += "]}";
        split += std::string(level > 0 ? "," : "") + R"({"column": "path", "label": "f")"
            + (level > 0 ? R"(, "parent": )" + std::to_string(level - 1) : "") + "}";
        records += "__rec=node,id=" + std::to_string(20 + level) + ",attr=13,data=f"
            + (level > 0 ? ",parent=" + std::to_string(19 + level) : "") + "\n";
    }
    folded += " 3\n";
    records += "__rec=ctx,ref=" + std::to_string(19 + kLevels) + ",attr=14,data=1\n";
    for (const auto& [name, text] :
         {std::pair("deep.folded", folded), std::pair("deep.json", python + ends + "}"),
          std::pair("split.json", split + "]}"), std::pair("deep.cali", records)}) {
        const ExperimentPtr experiment = openedText(name, text);
        INFO(name);
        CHECK(experiment->callTree->size() == static_cast<std::size_t>(kLevels));
    }
}

TEST_CASE("values that are no numbers are left out, the rest is shown")
{
    std::string split = kSplit;
    split.replace(split.find("[10, 0, 4, 0]"), 13, "[null, 0, 4, 0]");
    CHECK(valuesOf(*openedText("split.json", split)).contains("main;solve"));
    const ExperimentPtr folded = openedText("perf.folded", "main;a nan\nmain;b 3\nmain;c 2\n");
    CHECK(valuesOf(*folded)["main"].inclusive == 5.0);
}

TEST_CASE("nodes that are their own parents end somewhere")
{
    const std::string circle =
        R"({"data": [[1, 0]], "columns": ["time", "path"], "column_metadata": [{"is_value": true}, {"is_value": false}],
 "nodes": [{"column": "path", "label": "a", "parent": 1}, {"column": "path", "label": "b", "parent": 0}]})";
    const ExperimentPtr experiment = openedText("circle.json", circle);
    CHECK(experiment->report.count(IssueKind::ContradictoryRecord) == 1);
    CHECK(experiment->callTree->size() > 0);
    const ExperimentPtr records = openedText(
        "circle.cali",
        "__rec=node,id=12,attr=10,data=256,parent=3\n__rec=node,id=13,attr=8,data=region,parent=12\n"
        "__rec=node,id=14,attr=8,data=sum#time.duration,parent=5\n"
        "__rec=node,id=20,attr=13,data=a,parent=21\n__rec=node,id=21,attr=13,data=b,parent=20\n"
        "__rec=ctx,ref=20,attr=14,data=1\n");
    CHECK(records->report.count(IssueKind::ContradictoryRecord) == 1);
}

}  // namespace skein::tool_profiles_test
