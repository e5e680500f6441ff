// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stream/stream_rows.h"

#include "core/io/stream/line_splitter.h"
#include "tests/support/catch.h"

#include <cmath>
#include <random>

namespace skein::stream_rows_test {

namespace {

std::vector<std::string> linesOf(const std::string& text, std::size_t piece, LineSplitter& splitter)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size(); at += piece)
        splitter.add(std::string_view(text).substr(at, piece),
                     [&](std::string_view line) { lines.emplace_back(line); });
    return lines;
}

StreamRows rowsOf(const std::vector<std::string>& lines)
{
    StreamRows rows;
    for (const std::string& line : lines) CHECK(rows.addLine(line).empty());
    return rows;
}

}  // namespace

TEST_CASE("lines are the same whatever pieces they come in")
{
    const std::string text = "one\r\ntwo\n\nthree and more\nrest";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        LineSplitter splitter(100);
        CHECK(linesOf(text, piece, splitter) == std::vector<std::string>{"one", "two", "", "three and more"});
        CHECK(splitter.rest() == "rest");
        CHECK(splitter.tooLong() == 0);
    }
}

TEST_CASE("a line that is too long is left out and its memory is bounded")
{
    LineSplitter splitter(10);
    std::vector<std::string> lines;
    const auto take = [&](std::string_view line) { lines.emplace_back(line); };
    const std::string block(1000, 'x');
    splitter.add("good\n", take);
    for (int i = 0; i < 1000; ++i) {
        splitter.add(block, take);
        CHECK(splitter.rest().size() <= 10);
    }
    CHECK(splitter.inLongLine());
    CHECK(splitter.tooLong() == 1);
    splitter.add("end\nagain\n01234567890\n0123456789\n", take);
    CHECK(lines == std::vector<std::string>{"good", "again", "0123456789"});
    CHECK(splitter.tooLong() == 2);
}

TEST_CASE("records say values by place, by name, of one entity, and of several metrics")
{
    const auto wide =
        parseStreamRecord(R"({"time": 2.5, "metric": "m", "values": [1, null, 3e2], "x": {"y": [1]}})");
    REQUIRE(wide);
    CHECK(wide->time == 2.5);
    REQUIRE(wide->samples.size() == 1);
    CHECK(wide->samples[0].metric == "m");
    CHECK(wide->samples[0].values[0] == 1);
    CHECK(std::isnan(wide->samples[0].values[1]));
    CHECK(wide->samples[0].values[2] == 300);
    const auto named = parseStreamRecord(R"({"values": {"a": 1, "b": 2}, "metric": "m", "time": 1})");
    REQUIRE(named);
    CHECK(named->samples[0].metric == "m");
    CHECK(named->samples[0].entities == std::vector<std::string>{"a", "b"});
    const auto one = parseStreamRecord(R"({"time": 1, "entity": "a", "metric": "m", "value": 7})");
    REQUIRE(one);
    CHECK(one->samples[0].entities == std::vector<std::string>{"a"});
    CHECK(one->samples[0].values == std::vector<double>{7});
    const auto several = parseStreamRecord(
        R"({"time": 1, "metrics": {"p": [1, 2], "q": {"a": 3}}, "messages": [["a", "b", 100], ["b", "a", 5, 2]]})");
    REQUIRE(several);
    REQUIRE(several->samples.size() == 2);
    CHECK(several->samples[0].metric == "p");
    CHECK(several->samples[1].entities == std::vector<std::string>{"a"});
    CHECK(several->messages == std::vector<StreamMessages>{{"a", "b", 100, 1}, {"b", "a", 5, 2}});
    const auto mine = parseStreamRecord(R"({"time": 1, "entity": "a", "metrics": {"p": 1, "q": 2}})");
    REQUIRE(mine);
    CHECK(mine->samples[1].metric == "q");
    CHECK(mine->samples[1].entities == std::vector<std::string>{"a"});
    CHECK(parseStreamRecord(R"({"end": true})")->end);
}

TEST_CASE("what is no record is refused with a sentence, and nothing is thrown")
{
    for (const char* text : {"{", "[1]", "5", "\"text\"", "{\"time\": \"soon\"}", "{\"a\": }", "\xff\xfe",
                             "nul", "{\"values\": [1,}"}) {
        const auto record = parseStreamRecord(text);
        INFO(text);
        if (std::string_view(text) == "\"text\"") continue;
        REQUIRE_FALSE(record);
        CHECK(record.error().message.find("left out") != std::string::npos);
    }
    CHECK_FALSE(parseStreamRecord(std::string(100'000, '[')));
    CHECK_FALSE(parseStreamRecord("{\"a\":" + std::string(100'000, '[')));
    std::mt19937 random(3);
    const std::string letters = "{}[]\",:0123456789.eEntimvalus \\";
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (int k = 0; k < 30; ++k) text += letters[random() % letters.size()];
        StreamRows rows;
        rows.addLine(text);
        rows.finish();
        rows.takeRows();
    }
}

TEST_CASE("a value without a name among named ones is refused, and read nowhere")
{
    CHECK_FALSE(parseStreamRecord(R"({"time": 1, "values": {"": 1, "b": 2}})"));
    CHECK_FALSE(parseStreamRecord(R"({"time": 1, "metrics": {"m": {"a": 1, "": 2}}})"));
    StreamRows rows;
    CHECK_FALSE(rows.addLine(R"({"time": 1, "values": {"": 1, "b": 2}})").empty());
    CHECK(rows.notes().badLines == 1);
    StreamRecord record;
    record.time = 1;
    record.samples.push_back({"m", {"a"}, {1, 2, 3}});
    rows.add(record);
    rows.finish();
    CHECK(rows.takeRows().at(0).values == std::vector<double>{1});
    CHECK(rows.notes().surplusValues == 2);
}

TEST_CASE("messages without a time have the last one that was told, whenever they are taken")
{
    StreamRows rows;
    rows.addLine(R"({"time": 7, "messages": [["a", "b", 1]]})");
    CHECK(rows.takeTraffic().at(0).time == 7);
    rows.addLine(R"({"messages": [["a", "b", 2]]})");
    CHECK(rows.takeTraffic().at(0).time == 7);
}

TEST_CASE("rows are put together from whole rows at once and from parts when a later time comes")
{
    StreamRows rows = rowsOf({R"({"entities": ["a", "b"]})", R"({"time": 1, "values": [1, 2]})"});
    auto ready = rows.takeRows();
    REQUIRE(ready.size() == 1);
    CHECK(ready[0].values == std::vector<double>{1, 2});
    rows.addLine(R"({"time": 2, "entity": "a", "value": 3})");
    CHECK(rows.takeRows().empty());
    rows.addLine(R"({"time": 2, "entity": "b", "value": 4})");
    CHECK(rows.takeRows().empty());
    rows.addLine(R"({"time": 3, "entity": "b", "value": 5})");
    ready = rows.takeRows();
    REQUIRE(ready.size() == 1);
    CHECK(ready[0].time == 2);
    CHECK(ready[0].values == std::vector<double>{3, 4});
    rows.finish();
    ready = rows.takeRows();
    REQUIRE(ready.size() == 1);
    CHECK(std::isnan(ready[0].values[0]));
}

TEST_CASE("times that run backwards are left out and counted, others are kept")
{
    StreamRows rows = rowsOf({R"({"time": 5, "values": [1, 2]})", R"({"time": 3, "values": [8, 9]})",
                              R"({"time": 5, "values": [8, 9]})", R"({"time": 6, "values": [3, 4]})"});
    CHECK(rows.takeRows().size() == 2);
    CHECK(rows.notes().backwardTimes == 4);
    REQUIRE(rows.notes().sentences().size() == 1);
}

TEST_CASE("entities come and go, and who sends late is waited for as long as there is room")
{
    StreamRows rows;
    for (int t = 0; t < 30; ++t) {
        rows.addLine("{\"time\": " + std::to_string(t) + ", \"values\": {\"a\": 1, \"b\": 2}}", 1);
        if (t >= 10) rows.addLine("{\"time\": " + std::to_string(t - 2) + ", \"values\": {\"c\": 3}}", 2);
    }
    rows.finish();
    const auto ready = rows.takeRows();
    REQUIRE(ready.size() == 30);
    CHECK(ready[3].values.size() == 2);
    CHECK(ready[20].values == std::vector<double>{1, 2, 3});
    CHECK(std::isnan(ready[29].values[2]));
    StreamRows silent;
    for (int t = 0; t < 30; ++t) {
        if (t == 0) silent.addLine(R"({"time": 0, "values": {"a": 1, "b": 2}})");
        else silent.addLine("{\"time\": " + std::to_string(t) + ", \"values\": {\"a\": 1}}");
    }
    CHECK(silent.takeRows().size() == 22);
}

TEST_CASE("senders have lists of their own, and one that comes again need not tell it again")
{
    StreamRows rows;
    rows.addLine(R"({"entities": ["a", "b"], "time": 0, "values": [1, 2]})", 1);
    rows.addLine(R"({"entities": ["c"], "time": 1, "values": [3]})", 2);
    rows.addLine(R"({"time": 1, "values": [4, 5]})", 1);
    rows.addLine(R"({"time": 2, "values": [4, 5]})", 1);
    const auto ready = rows.takeRows();
    REQUIRE(ready.size() == 2);
    CHECK(ready[1].values == std::vector<double>{4, 5, 3});
    rows.forget(2);
    rows.addLine(R"({"time": 2, "values": [7]})", 3);
    rows.finish();
    CHECK(rows.takeRows()[0].values == std::vector<double>{4, 5, 7});
}

TEST_CASE("entities and metrics beyond the limits are counted and take no memory")
{
    StreamRows rows({3, 2, 8});
    for (int i = 0; i < 100; ++i)
        rows.addLine("{\"time\": " + std::to_string(i) + ", \"metric\": \"m" + std::to_string(i % 4)
                     + "\", \"values\": {\"e" + std::to_string(i) + "\": 1}}");
    CHECK(rows.entities().size() == 3);
    CHECK(rows.metrics().size() == 2);
    CHECK(rows.notes().tooManyEntities == 47);
    CHECK(rows.notes().tooManyMetrics == 50);
}

TEST_CASE("values of a list are not all there is where others name theirs")
{
    StreamRows rows;
    rows.addLine(R"({"time": 0, "values": {"c": 9}})", 2);
    for (int t = 1; t <= 20; ++t) {
        const std::string time = "{\"time\": " + std::to_string(t);
        rows.addLine(time + R"(, "entities": ["a", "b"], "values": [1, 2]})", 1);
        rows.addLine(time + R"(, "values": {"c": 3}})", 2);
    }
    rows.finish();
    CHECK(rows.notes().backwardTimes == 0);
    const auto ready = rows.takeRows();
    REQUIRE(ready.size() == 21);
    for (std::size_t t = 1; t < ready.size(); ++t) CHECK(ready[t].values == std::vector<double>{3, 1, 2});
    // A sender alone whose list changes is still all there is.
    StreamRows alone = rowsOf({R"({"entities": ["a", "b"], "time": 0, "values": [1, 2]})",
                               R"({"entities": ["c"], "time": 1, "values": [3]})"});
    CHECK(alone.takeRows().size() == 2);
}

TEST_CASE("rows take no more memory than they may, and what is left out is told")
{
    StreamRowLimits limits;
    limits.entities = 1000;
    limits.bytes = 10 * 1000 * sizeof(double);
    StreamRows rows(limits);
    std::string names;
    for (int i = 0; i < 1000; ++i) names += (i ? ",\"e" : "\"e") + std::to_string(i) + "\"";
    REQUIRE(rows.addLine("{\"entities\": [" + names + "]}").empty());
    const auto line = [](int time) {
        std::string text = "{\"time\": " + std::to_string(time) + ", \"entity\": \"e999\", \"metrics\": {";
        for (int metric = 0; metric < 100; ++metric)
            text += (metric ? ",\"m" : "\"m") + std::to_string(metric) + "\": 1";
        return text + "}}";
    };
    // Ten rows wait and are done early for nine more; the others are left out.
    rows.addLine(line(0));
    CHECK(rows.notes().noRoom == 81);
    CHECK(rows.takeRows().size() == 10);
    // What is taken makes room again.
    rows.addLine(line(1));
    const auto ready = rows.takeRows();
    REQUIRE(ready.size() == 10);
    for (const StreamRow& row : ready) {
        CHECK(row.values.size() == 1000);
        CHECK(row.values[999] == 1);
    }
    CHECK(rows.notes().noRoom == 171);
    REQUIRE(rows.notes().sentences().size() == 1);
    // Rows of few values stay in what they need, whoever comes later.
    StreamRows narrow(limits);
    for (int metric = 0; metric < 500; ++metric)
        narrow.addLine("{\"time\": 0, \"metric\": \"" + std::to_string(metric) + R"(", "values": {"a": 1}})");
    narrow.addLine("{\"entities\": [" + names + "]}");
    narrow.finish();
    CHECK(narrow.notes().noRoom == 0);
    for (const StreamRow& row : narrow.takeRows()) CHECK(row.values.size() == 1);
}

TEST_CASE("a table that grows gives the rows of the whole table")
{
    StreamTable table({});
    StreamRows rows;
    for (const char* line : {"time,a,b", "1,2,3", "# note", "2,,5", "3,x,7"}) {
        auto record = table.add(line);
        REQUIRE(record);
        rows.add(std::move(*record));
    }
    const auto ready = rows.takeRows();
    REQUIRE(ready.size() == 3);
    CHECK(ready[0].time == 1);
    CHECK(ready[0].values == std::vector<double>{2, 3});
    CHECK(std::isnan(ready[1].values[0]));
    CHECK(rows.entities() == std::vector<std::string>{"a", "b"});
    CHECK_FALSE(table.add("4,5"));
    CHECK(table.names() == std::vector<std::string>{"time", "a", "b"});
    StreamTable lines({"t", {"who"}, {"m"}});
    StreamRows of;
    for (const char* line : {"t;who;m", "1;x;5", "1;y;6", "2;x;7"}) of.add(*lines.add(line));
    REQUIRE(of.takeRows().size() == 1);
    CHECK(of.metrics() == std::vector<std::string>{"m"});
    CHECK_FALSE(StreamTable({"when", {}, {}}).add("t,a"));
}

TEST_CASE("values in whose place others of the same entity and time come are counted")
{
    StreamTable table({"t", {"pe"}, {"load"}});
    StreamRows rows;
    for (const char* line : {"t,pe,kp,load", "1,0,0,5", "1,0,1,6", "1,1,0,7", "2,0,0,8"})
        rows.add(*table.add(line));
    CHECK(rows.notes().toldAgain == 1);
    CHECK(rows.notes().sentences().size() == 1);
}

TEST_CASE("entities have attributes: told in lists, by name or of one, by levels of their groups, and a name")
{
    StreamRows rows;
    const std::vector<std::string> lines{
        R"({"entities": ["a", "b"], "groups": ["r1/n1", "r1/n2"], "levels": ["rack", "node"]})",
        R"({"attributes": {"kind": ["io", "compute"], "weight": [3, null]}})",
        R"({"attributes": {"zone": {"b": "north", "c": "south"}}})",
        R"({"entity": "c", "attributes": {"kind": "io"}, "value": 1, "time": 1})"};
    for (const std::string& line : lines) CHECK(rows.addLine(line).empty());
    REQUIRE(rows.entities() == std::vector<std::string>{"a", "b", "c"});
    const auto is = [&](std::size_t entity, const char* name, const char* value) {
        INFO(name);
        CHECK(rows.attributeOf(entity, name) == std::string_view(value));
    };
    is(0, "kind", "io");
    is(1, "KIND", "compute");
    is(2, "kind", "io");
    is(0, "weight", "3");
    is(1, "zone", "north");
    is(0, "rack", "r1");
    is(1, "node", "n2");
    is(2, "name", "c");
    CHECK_FALSE(rows.attributeOf(1, "weight"));
    CHECK_FALSE(rows.attributeOf(0, "zone"));
    CHECK_FALSE(rows.attributeOf(2, "node"));
    CHECK(rows.placeOf("b") == 1U);
    CHECK_FALSE(rows.placeOf("d"));
}

TEST_CASE("names, groups and attributes take no more memory than they may, and what has no room is counted")
{
    constexpr std::size_t kWord = sizeof(std::string);
    StreamRowLimits limits;
    // Two entities with places of their groups, a metric, an attribute with two values; and 16 letters more.
    limits.wordBytes = 2 * (3 * kWord + 2) + (2 * kWord + 2) + (1 + 2 * kWord) + 16;
    StreamRows rows(limits);
    REQUIRE(rows.addLine(R"({"entities": ["a", "b"], "metric": "m", "values": [1, 2]})").empty());
    CHECK(rows.addLine(R"({"attributes": {"k": ["12345678", "123456789"]}})").empty());
    CHECK(rows.attributeOf(0, "k") == std::string_view("12345678"));
    CHECK_FALSE(rows.attributeOf(1, "k"));
    CHECK(rows.notes().tooManyAttributes == 1);
    // What has no room does not leave what was said before.
    CHECK(rows.addLine(R"({"attributes": {"k": ["1", "12345678"]}})").empty());
    CHECK(rows.attributeOf(1, "k") == std::string_view("12345678"));
    CHECK(rows.addLine(R"({"groups": ["abc", "0123456789"]})").empty());
    REQUIRE(rows.groups().size() == 2);
    CHECK(rows.groups()[0] == "abc");
    CHECK(rows.groups()[1].empty());
    CHECK(rows.notes().tooManyGroups == 1);
    CHECK(rows.addLine(R"({"groups": ["0123456789", ""]})").empty());
    CHECK(rows.groups()[0].empty());
    CHECK(rows.notes().tooManyGroups == 2);
    CHECK(rows.addLine(R"({"metric": "m", "values": {"a long name": 1}})").empty());
    CHECK(rows.entities().size() == 2);
    CHECK(rows.notes().tooManyEntities == 1);
    // What is there still counts.
    CHECK(rows.addLine(R"({"metric": "m", "values": {"b": 3}})").empty());
}

TEST_CASE("attributes beyond the limit are left out and counted, and odd ones harm nobody")
{
    StreamRowLimits limits;
    limits.attributes = 2;
    StreamRows rows(limits);
    CHECK(rows.addLine(R"({"entities": ["a"], "attributes": {"p": ["1"], "q": ["2"], "r": ["3"]}})").empty());
    CHECK(rows.attributeOf(0, "q") == std::string_view("2"));
    CHECK_FALSE(rows.attributeOf(0, "r"));
    CHECK(rows.notes().tooManyAttributes == 1);
    for (const char* odd : {R"({"attributes": 5})", R"({"attributes": "x"})", R"({"attributes": ["x", 1]})",
                            R"({"attributes": {"p": [["x"], {"y": 1}, 4, "5", 6]}})", R"("attributes")"})
        rows.addLine(odd);
    CHECK(rows.entities() == std::vector<std::string>{"a"});
}

TEST_CASE("truth values are attributes like others, and what follows them keeps its place")
{
    StreamRows rows{StreamRowLimits()};
    rows.addLine(R"({"entities": ["a", "b"], "attributes": {"gpu": [true, false], "kind": [true, "io"]}})");
    CHECK(rows.attributeOf(0, "gpu") == std::string_view("true"));
    CHECK(rows.attributeOf(1, "gpu") == std::string_view("false"));
    CHECK(rows.attributeOf(1, "kind") == std::string_view("io"));
}

TEST_CASE("messages have a type where one is told")
{
    const auto record =
        parseStreamRecord(R"({"messages": [["a", "b", 5, 2, "halo"], ["a", "b", 7, "io"], ["a", "b", 9]]})");
    REQUIRE(record);
    CHECK(record->messages
          == std::vector<StreamMessages>{
              {"a", "b", 5, 2, "halo"}, {"a", "b", 7, 1, "io"}, {"a", "b", 9, 1, {}}});
}

TEST_CASE("other columns of a long table are attributes of its entities where they are asked for")
{
    StreamTable table({"time", {"rank"}, {"load"}}, *parseAttributeConditions("kind=io"));
    REQUIRE(table.add("time,rank,kind,load,other"));
    CHECK(table.add("1,8,compute,5,6")->samples.empty());
    const auto record = table.add("1,7,io,5,6");
    REQUIRE(record);
    REQUIRE(record->attributes.size() == 1);
    CHECK(record->attributes[0].name == "kind");
    CHECK(record->attributes[0].entities == std::vector<std::string>{"7"});
    CHECK(record->attributes[0].values == std::vector<std::string>{"io"});
    CHECK_FALSE(StreamTable({"time", {"rank"}, {"load"}}, *parseAttributeConditions("colour=red"))
                    .add("time,rank,kind,load"));
}

namespace {

std::vector<std::string> metricsOf(const StreamRecord& record)
{
    std::vector<std::string> names;
    for (const StreamValues& sample : record.samples) names.push_back(sample.metric);
    return names;
}

}  // namespace

TEST_CASE("columns of numbers are metrics though a condition is on them, and columns of texts never are")
{
    StreamTable table({"t", {"rank"}, {}}, *parseAttributeConditions("load>2; name=*"));
    REQUIRE(table.add("t,rank,kind,load,events"));
    const auto record = table.add("1,7,io,5,");
    REQUIRE(record);
    CHECK(metricsOf(*record) == std::vector<std::string>{"load"});
    REQUIRE(record->attributes.size() == 1);
    CHECK(record->attributes[0].name == "load");
    // A line is left out by what it says itself, whatever its entity said before.
    CHECK(table.add("2,7,io,2,8")->samples.empty());
    CHECK(metricsOf(*table.add("3,7,io,3,8")) == std::vector<std::string>{"load", "events"});
    // What has had a number once is a metric, and has a gap where it has none.
    const auto gap = table.add("4,7,io,3,none");
    CHECK(metricsOf(*gap) == std::vector<std::string>{"load", "events"});
    CHECK(std::isnan(gap->samples[1].values[0]));
}

TEST_CASE("what the columns of a table are can be chosen while its lines come")
{
    StreamTable table({});
    REQUIRE(table.add("t,rank,load,other"));
    CHECK(table.add("1,7,5,6")->samples[0].values.size() == 3);
    REQUIRE(table.choose({"t", {"rank"}, {}}, *parseAttributeConditions("rank<9")));
    const auto record = table.add("2,7,5,6");
    CHECK(record->time == 2);
    CHECK(metricsOf(*record) == std::vector<std::string>{"load", "other"});
    CHECK(record->samples[0].entities == std::vector<std::string>{"7"});
    CHECK(table.add("2,10,5,6")->samples.empty());
    CHECK_FALSE(table.choose({"when", {"rank"}, {}}, {}));
    CHECK_FALSE(table.add("3,7,5,6"));
}

}  // namespace skein::stream_rows_test
