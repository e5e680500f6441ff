// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/tau_monitoring.h"

#include "core/base/file_bytes.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cmath>
#include <map>

namespace skein::tau_monitoring_test {

TEST_CASE("samples of TAU's monitoring become a table a metric, a row a step and a column a rank")
{
    const std::string text = "\"rank\",\"name\",\"step\",\"value\"\n"
                             "10,\"load\",0,5\n"
                             "2,\"load\",0,1.5\n"
                             "2,\"cpu: User %\",1,40\n"
                             "2,\"load\",2,2.5\n"
                             "10,\"cpu: User %\",0,60\n";
    CHECK(looksLikeTauMonitoring(text));
    const auto tables = parseTauMonitoring(text, {}, "x.csv", Task());
    REQUIRE(tables);
    REQUIRE(tables->size() == 2);
    const SeriesTable& load = (*tables)[0];
    CHECK(load.metric == "load");
    CHECK(load.columns == std::vector<std::string>{"Rank 2", "Rank 10"});
    CHECK(load.times == std::vector<double>{0, 1, 2});
    CHECK(load.at(0, 0) == 1.5);
    CHECK(load.at(0, 1) == 5);
    CHECK(std::isnan(load.at(1, 0)));
    CHECK(load.at(2, 0) == 2.5);
    CHECK((*tables)[1].times == load.times);
    CHECK((*tables)[1].at(1, 0) == 40);
    const auto one = parseTauMonitoring(text, {{"cpu: User %"}}, "x.csv", Task());
    REQUIRE(one);
    REQUIRE(one->size() == 1);
    CHECK(one->front().times == std::vector<double>{0, 1});
}

TEST_CASE("what is odd about TAU's monitoring is counted or refused with a sentence")
{
    const auto tables = parseTauMonitoring(
        "value;step;name;rank\n1;3;a;0\n2;3;a;0\n3;1;a;0\nx;4;a;0\n5;a;0\n", {}, "x.csv", Task());
    REQUIRE(tables);
    const SeriesTable& table = tables->front();
    CHECK(table.times == std::vector<double>{1, 3, 3, 4});
    CHECK(table.at(0, 0) == 3);
    CHECK(table.at(1, 0) == 1);
    CHECK(table.at(2, 0) == 2);
    CHECK(std::isnan(table.at(3, 0)));
    CHECK(table.notes.repeatedTimes == 1);
    CHECK(table.notes.backwardTimes == 1);
    CHECK(table.notes.texts == 1);
    CHECK(table.notes.unevenRows == 1);
    const auto none = parseTauMonitoring("rank,name,step,value\n0,a,0,1\n", {{"b"}}, "x.csv", Task());
    REQUIRE_FALSE(none);
    CHECK(none.error().text().find("it has \"a\".") != std::string::npos);
    CHECK_FALSE(parseTauMonitoring("rank,name,step,value\n", {}, "x.csv", Task()));
    CHECK_FALSE(parseTauMonitoring("", {}, "x.csv", Task()));
    CHECK_FALSE(looksLikeTauMonitoring("time,rank 0,rank 1\n"));
    CHECK_FALSE(looksLikeTauMonitoring(""));
}

TEST_CASE("ranks that each tell other steps are refused before memory is taken for all of both")
{
    // 12 000 ranks × 12 000 steps are more than 2^27 values; one rank's steps are few.
    std::string text = "rank,name,step,value\n", narrow = text;
    for (int i = 0; i < 12'000; ++i) {
        const std::string number = std::to_string(i);
        text += number + ",load," + number + ",1\n";
        narrow += "0,load," + number + ",1\n";
    }
    const auto refused = parseTauMonitoring(text, {}, "x.csv", Task());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().text().find("12000 bins of 12000 series") != std::string::npos);
    CHECK(parseTauMonitoring(narrow, {}, "x.csv", Task()));
}

TEST_CASE("every sample of a run that TAU monitored is found again")
{
    SKEIN_SHARED_OR_SKIP(file, "data/tau2/monitoring/monitoring.csv");
    const auto bytes = openFileBytes(file);
    REQUIRE(bytes);
    const auto tables = parseTauMonitoring(bytes->text(), {}, "monitoring.csv", Task());
    REQUIRE(tables);
    CHECK(tables->size() == 54);
    std::size_t samples = 0;
    std::vector<std::size_t> ofRank(6, 0);
    for (const SeriesTable& table : *tables) {
        REQUIRE(table.columns.size() == 6);
        CHECK(table.columns[5] == "Rank 5");
        // 28 steps, of which the first was told twice by some ranks.
        CHECK(table.rows() == 29);
        CHECK(table.times.front() == 0);
        CHECK(table.times[1] == 0);
        CHECK(table.times.back() == 27);
        for (std::size_t row = 0; row < table.rows(); ++row)
            for (std::size_t rank = 0; rank < 6; ++rank) {
                const bool known = std::isfinite(table.at(row, rank));
                samples += known ? 1 : 0;
                ofRank[rank] += known ? 1 : 0;
            }
    }
    CHECK(samples == 3839);
    CHECK(ofRank == std::vector<std::size_t>{625, 648, 648, 635, 635, 648});
    CHECK(tables->front().metric == "Page faults (minor)");
    CHECK(tables->front().at(0, 0) == 4682);
}

}  // namespace skein::tau_monitoring_test
