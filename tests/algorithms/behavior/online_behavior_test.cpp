// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/live_stream.h"

#include "tests/support/catch.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

namespace skein::online_behavior_test {

namespace {

SeriesTable randomSeries(std::size_t rows, std::size_t columns, std::uint32_t seed, std::size_t shiftAt)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (std::size_t i = 0; i < columns; ++i) table.columns.push_back(fmt::format("e{}", i));
    for (std::size_t row = 0; row < rows; ++row) {
        table.times.push_back(static_cast<double>(row) * 0.5);
        for (std::size_t i = 0; i < columns; ++i)
            table.values.push_back(normal(random) + (row >= shiftAt && i % 3 == 1 ? 8.0 : 0.0)
                                   + static_cast<double>(i % 3) * 20.0);
    }
    return table;
}

/// A clock that moves on by so much each time it is asked.
LatencyBudget::Clock steppingClock(double by)
{
    return [time = 0.0, by]() mutable { return time += by; };
}

std::string recordOf(const SeriesTable& table, std::size_t row, const std::string& metric)
{
    std::string text =
        fmt::format("{{\"time\": {}, \"metric\": \"{}\", \"values\": [", table.times[row], metric);
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += fmt::format("{}{}", i ? ", " : "", table.at(row, i));
    return text + "]}";
}

}  // namespace

TEST_CASE("changes that are found row by row are those of the whole table")
{
    const SeriesTable table = randomSeries(400, 12, 5, 250);
    const auto whole = findChanges(table, ChangeParams{}, Task());
    REQUIRE(whole);
    REQUIRE_FALSE(whole->changes.empty());
    OnlineParams params;
    params.windowRows = 50;
    OnlineSeries series(params);
    series.setEntities(table.columns);
    std::vector<double> scores;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        series.add(table.times[row], table.row(row));
        scores.push_back(series.representative().back());
        CHECK(series.window().rows() <= 63);
    }
    CHECK(scores == whole->representative);
    std::vector<std::size_t> found;
    for (const OnlineChange& change : series.changes()) {
        found.push_back(static_cast<std::size_t>(change.row));
        CHECK(change.time == table.times[change.row]);
        CHECK(change.pValue == whole->pValues[change.row]);
    }
    CHECK(found == whole->changes);
    for (const std::size_t row : series.windowChanges().changes)
        CHECK(std::find(found.begin(), found.end(), row + series.firstWindowRow()) != found.end());
    const auto shift = std::find_if(series.changes().begin(), series.changes().end(),
                                    [](const OnlineChange& change) { return change.row >= 250; });
    REQUIRE(shift != series.changes().end());
    REQUIRE_FALSE(shift->moved.empty());
    CHECK(shift->moved.front().entity % 3 == 1);
    CHECK(shift->moved.front().after - shift->moved.front().before > 3);
}

TEST_CASE("looking again finds in the window what its table alone would tell, and goes on with it")
{
    const SeriesTable table = randomSeries(400, 12, 5, 250);
    OnlineParams params;
    params.windowRows = 200;
    OnlineSeries series(params);
    series.setEntities(table.columns);
    const auto feed = [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row) series.add(table.times[row], table.row(row));
    };
    feed(0, 260);
    const OnlineHistory history = series.history();
    const ChangeParams other{0.001, 0.01, 20};
    series.lookAgain(other);
    // Fewer than make the window drop its first rows, which were looked at again.
    feed(260, 280);
    CHECK(series.rows() == 280);
    CHECK(series.history().means.size() == history.means.size() + 20);
    CHECK(series.changeParams() == other);
    SeriesTable seen = series.window();
    REQUIRE(seen.rows() > 100);
    CHECK(seen.times.back() == table.times[279]);
    const auto alone = findChanges(seen, other, Task());
    REQUIRE(alone);
    CHECK(series.representative() == alone->representative);
    std::vector<std::size_t> found;
    for (const OnlineChange& change : series.changes()) {
        found.push_back(static_cast<std::size_t>(change.row - series.firstWindowRow()));
        CHECK(change.time == table.times[change.row]);
    }
    CHECK(found == alone->changes);
    CHECK(std::any_of(series.changes().begin(), series.changes().end(),
                      [](const OnlineChange& change) { return change.row >= 250 && change.row < 260; }));
}

TEST_CASE("clusters and places are of the window, within a budget, and say what they have seen")
{
    const SeriesTable table = randomSeries(60, 300, 2, 1000);
    OnlineParams params;
    params.clusters = 3;
    params.clock = steppingClock(0.02);
    OnlineSeries hasty(params);
    CHECK_FALSE(hasty.refresh(Task()));
    hasty.setEntities(table.columns);
    for (std::size_t row = 0; row < 40; ++row) hasty.add(table.times[row], table.row(row));
    REQUIRE(hasty.refresh(Task()));
    CHECK(hasty.clusterShare() > 0);
    CHECK(hasty.clusterShare() < 1);
    CHECK(hasty.placeShare() > 0);
    CHECK(hasty.placeShare() < 1);
    CHECK(hasty.clusters().labels.size() == 300);
    params.clock = steppingClock(0);
    OnlineSeries patient(params);
    patient.setEntities(table.columns);
    for (std::size_t row = 0; row < 40; ++row) patient.add(table.times[row], table.row(row));
    REQUIRE(patient.refresh(Task()));
    CHECK(patient.clusterShare() == 1);
    CHECK(patient.placeShare() == 1);
    const std::vector<std::uint32_t> before = patient.clusters().labels;
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(before[i] == before[i % 3]);
    for (std::size_t row = 40; row < 60; ++row) patient.add(table.times[row], table.row(row));
    REQUIRE(patient.refresh(Task()));
    CHECK(patient.clusters().labels == before);
    // Each centre is the mean of its entities: centres have the order of the labels.
    const Clustering& clusters = patient.clusters();
    const std::size_t rows = patient.window().rows();
    REQUIRE(clusters.centers.size() == 3 * rows);
    for (std::uint32_t cluster = 0; cluster < 3; ++cluster)
        for (std::size_t row = 0; row < rows; ++row) {
            double sum = 0.0, count = 0.0;
            for (std::size_t entity = 0; entity < 300; ++entity)
                if (clusters.labels[entity] == cluster) sum += patient.window().at(row, entity), ++count;
            CHECK(clusters.centers[cluster * rows + row] == Approx(sum / count).margin(0.5));
        }
}

TEST_CASE("entities that come later widen the window, and nothing is lost")
{
    OnlineSeries series(OnlineParams{});
    series.setEntities({"a", "b"});
    for (int t = 0; t < 30; ++t) series.add(t, std::vector<double>{t % 3 + 0.0, t % 2 + 0.0});
    series.setEntities({"a", "b", "c"});
    for (int t = 30; t < 60; ++t) series.add(t, std::vector<double>{t % 3 + 0.0, t % 2 + 0.0, 5.0});
    CHECK(series.window().at(29, 0) == 29 % 3);
    CHECK(std::isnan(series.window().at(29, 2)));
    CHECK(series.window().at(30, 2) == 5);
    CHECK(series.changes().empty());
    REQUIRE(series.refresh(Task()));
    CHECK(series.clusters().labels.size() == 3);
}

TEST_CASE("memory of a stream is bounded in rows, bytes and history")
{
    OnlineParams params;
    params.windowBytes = 8 * 100 * 20;
    OnlineSeries series(params);
    std::vector<std::string> names(100, "x");
    series.setEntities(names);
    const std::vector<double> row(100, 1.0);
    double sum = 0;
    for (int t = 0; t < 20'000; ++t) series.add(t, row);
    CHECK(series.window().rows() <= 25);
    CHECK(series.history().times.size() <= 4096);
    CHECK(series.history().rowsEach == 8);
    for (const double mean : series.history().means) sum += mean;
    CHECK(sum == static_cast<double>(series.history().means.size()));
}

TEST_CASE("rows without values leave no gaps in the history of those around them")
{
    OnlineParams params;
    params.windowRows = 50;
    OnlineSeries series(params);
    series.setEntities({"a", "b"});
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (int row = 0; row < 20'000; ++row) {
        const double value = row % 2 == 1 ? none : 3.0;
        series.add(row, std::vector<double>{value, none});
    }
    REQUIRE(series.history().rowsEach == 8);
    for (const double mean : series.history().means) REQUIRE(mean == 3.0);
}

TEST_CASE("a stream of lines gives changes by metric, clusters, and which metric leads")
{
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    StreamRows rows;
    OnlineBehaviorParams params;
    params.metrics = {"c*", "effect"};
    params.transform.messageTypes = {"HALO", ""};
    params.series.clock = steppingClock(0);
    OnlineBehavior online(params);
    std::vector<OnlineFinding> found;
    double before = 0;
    for (int t = 0; t < 300; ++t) {
        const double cause = normal(random) + (t >= 200 ? 30 : 0);
        rows.addLine(fmt::format(
            "{{\"time\": {}, \"metrics\": {{\"cause\": [{}], \"effect\": [{}], "
            "\"other\": [1]}}, \"messages\": [[\"0\", \"0\", {}, \"halo\"], [\"0\", \"0\", 7, \"io\"], "
            "[\"0\", \"b\", 5]]}}",
            t, cause, 0.9 * before + 0.3 * normal(random), t));
        before = cause;
        for (OnlineFinding& finding : online.take(rows)) found.push_back(std::move(finding));
    }
    CHECK(online.metricCount() == 2);
    for (const char* metric : {"cause", "effect"}) {
        INFO(metric);
        CHECK(std::any_of(found.begin(), found.end(), [&](const OnlineFinding& finding) {
            return online.metricName(finding.metric) == metric && finding.change.row >= 200
                && finding.change.row <= 215;
        }));
    }
    REQUIRE(online.lastTraffic());
    // Of a type that is wanted, between entities that have values.
    REQUIRE(online.lastTraffic()->messages.size() == 1);
    CHECK(online.lastTraffic()->messages[0].bytes == 299);
    const auto causes = online.causality(Task());
    REQUIRE(causes);
    REQUIRE(causes->links.size() == 2);
    CHECK(causes->metrics[causes->links[0].from] == "cause");
    CHECK(causes->links[0].pValue < 1e-6);
    CHECK(causes->share() == 1);
    CHECK(online.refresh(Task()));
}

TEST_CASE("transforms of a stream can be chosen while it comes: its senders' entities are still known")
{
    const auto lines = [](int from, int to) {
        std::vector<StreamEvent> events;
        if (from == 0) {
            events.push_back({StreamEvent::Kind::Began, 1, "a"});
            events.push_back({StreamEvent::Kind::Line, 1, R"({"entities": ["rank 0", "rank 1"]})"});
        }
        for (int t = from; t < to; ++t)
            events.push_back({StreamEvent::Kind::Line, 1,
                              fmt::format("{{\"time\": {}, \"values\": [{}, {}]}}", t, t, 10 * t)});
        return events;
    };
    LiveStream stream({});
    stream.take(lines(0, 40));
    CHECK(stream.rowCount() == 40);
    StreamTransformParams transform;
    transform.rows = 4;
    transform.entities = {"*1"};
    stream.setTransform(transform);
    CHECK(stream.rowCount() == 0);
    stream.take(lines(40, 60));
    REQUIRE(stream.online().metricCount() == 1);
    const OnlineSeries& series = stream.online().series(0);
    CHECK(series.window().columns == std::vector<std::string>{"rank 1"});
    REQUIRE(series.rows() == 5);
    CHECK(series.window().at(0, 0) == 415);
    CHECK(stream.online().transform(0).seen() == 20);
    CHECK(stream.online().transform(0).passed() == 5);
    stream.lookAgain({0.05, 0.01, 5});
    CHECK(stream.online().series(0).changeParams().burnIn == 5);
    stream.setTransform({});
    stream.take(lines(60, 70));
    CHECK(stream.rowCount() == 10);
    CHECK(stream.online().series(0).changeParams().burnIn == 5);
}

TEST_CASE("columns and conditions of a table that is sent can be chosen while it comes")
{
    const auto lines = [](int from, int to) {
        std::vector<StreamEvent> events;
        if (from == 0)
            for (const char* text : {"", "t,rank,kind,load"})
                events.push_back({*text ? StreamEvent::Kind::Line : StreamEvent::Kind::Began, 1, text});
        for (int t = from; t < to; ++t)
            for (int rank = 0; rank < 3; ++rank)
                events.push_back({StreamEvent::Kind::Line, 1,
                                  fmt::format("{},{},{},{}", t, rank, rank == 1 ? "io" : "net", t + rank)});
        return events;
    };
    const auto entities = [](const LiveStream& stream) { return stream.online().series(0).window().columns; };
    LiveStream stream({});
    stream.take(lines(0, 20));
    CHECK(stream.columnNames() == std::vector<std::string>{"t", "rank", "kind", "load"});
    CHECK(entities(stream) == std::vector<std::string>{"rank", "kind", "load"});
    stream.setColumns({"t", {"rank"}, {}});
    CHECK(stream.rowCount() == 0);
    stream.take(lines(20, 40));
    REQUIRE(stream.online().metricCount() == 1);
    CHECK(stream.online().metricName(0) == "load");
    CHECK(entities(stream) == std::vector<std::string>{"0", "1", "2"});
    CHECK(stream.rowCount() >= 19);
    StreamTransformParams transform;
    transform.where = *parseAttributeConditions("kind=io");
    stream.setTransform(transform);
    stream.take(lines(40, 60));
    CHECK(entities(stream) == std::vector<std::string>{"1"});
    CHECK(stream.online().series(0).window().at(4, 0) == stream.online().series(0).window().times[4] + 1);
    // Where some send lines of JSON nothing can be chosen: what they said once would be forgotten.
    stream.take({{StreamEvent::Kind::Began, 2, ""}, {StreamEvent::Kind::Line, 2, R"({"values": [1]})"}});
    CHECK(stream.columnNames().empty());
}

TEST_CASE("a stream in pieces and a stream at once give the same bits")
{
    const SeriesTable table = randomSeries(120, 30, 9, 60);
    OnlineBehaviorParams params;
    params.transform.rows = 2;
    params.series.clock = steppingClock(0.001);
    std::vector<std::vector<std::uint32_t>> labels;
    for (const std::size_t piece : {1u, 7u, 120u}) {
        StreamRows rows;
        params.series.clock = steppingClock(0.001);
        OnlineBehavior online(params);
        for (std::size_t row = 0; row < table.rows(); ++row) {
            rows.addLine(recordOf(table, row, "m"));
            if (row % piece == piece - 1) online.take(rows);
        }
        online.take(rows);
        online.flush();
        REQUIRE(online.refresh(Task()));
        CHECK(online.series(0).rows() == 60);
        labels.push_back(online.series(0).clusters().labels);
    }
    CHECK(labels[0] == labels[1]);
    CHECK(labels[0] == labels[2]);
}

TEST_CASE("clusters and places of one metric are made again without a look at the others")
{
    StreamRows rows;
    OnlineBehavior online({});
    for (int t = 0; t < 20; ++t) {
        rows.addLine(
            fmt::format("{{\"time\": {0}, \"metrics\": {{\"a\": [{0}, 1, 7], \"b\": [2, {0}, 9]}}}}", t));
        online.take(rows);
    }
    REQUIRE(online.metricCount() == 2);
    REQUIRE(online.refresh(1, Task()));
    CHECK(online.series(0).clusters().labels.empty());
    CHECK(online.series(1).clusters().labels.size() == 3);
    REQUIRE(online.refresh(Task()));
    CHECK(online.series(0).clusters().labels.size() == 3);
}

}  // namespace skein::online_behavior_test
