// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/ross_statistics.h"

#include "core/base/file_bytes.h"
#include "core/series/series_csv.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <array>
#include <cmath>

namespace skein::ross_statistics_test {
namespace {

template <typename Value>
void append(std::string& bytes, Value value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A sample of a KP with these sends.
std::string sample(double time, std::uint32_t pe, std::uint32_t kp, std::uint32_t sends)
{
    std::string bytes;
    append<std::int32_t>(bytes, 1);
    append<std::int32_t>(bytes, 44);
    append(bytes, time);
    append(bytes, 100.0 + time);
    for (const std::uint32_t number : {pe, kp, 9U, 0U, 0U, 0U, 0U, sends, 1U}) append(bytes, number);
    append(bytes, 0.5F);
    append(bytes, 100.0F);
    return bytes;
}

/// A sample of an LP with these events and sends.
std::string sampleOfLp(double time, const std::array<std::uint32_t, 3>& place, std::uint32_t events,
                       std::uint32_t sends)
{
    std::string bytes;
    append<std::int32_t>(bytes, 2);
    append<std::int32_t>(bytes, 36);
    append(bytes, time);
    append(bytes, 100.0 + time);
    for (const std::uint32_t number : {place[0], place[1], place[2], events, 0U, 2U, sends, 1U})
        append(bytes, number);
    append(bytes, 75.0F);
    return bytes;
}

void checkSameSeries(const std::vector<SeriesTable>& found, const std::vector<SeriesTable>& wanted)
{
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        INFO(wanted[i].metric);
        CHECK(found[i].metric == wanted[i].metric);
        CHECK(found[i].columns == wanted[i].columns);
        REQUIRE(found[i].rows() == wanted[i].rows());
        double farthest = 0;
        for (std::size_t row = 0; row < found[i].rows(); ++row)
            farthest = std::max(farthest, std::abs(found[i].times[row] - wanted[i].times[row]));
        CHECK(farthest <= 1e-6);
        double apart = 0;
        for (std::size_t at = 0; at < found[i].values.size(); ++at)
            apart = std::max(apart,
                             std::abs(found[i].values[at] - wanted[i].values[at])
                                 / std::max(1e-3, std::abs(wanted[i].values[at])));
        CHECK(apart <= 1e-5);  // the table has six digits
    }
}

}  // namespace

TEST_CASE("records of ROSS become a table a metric, a row a sample and a column an entity")
{
    const std::string bytes = sample(2, 0, 1, 5) + sample(2, 0, 0, 6) + sample(3, 0, 1, 7)
        + sample(3, 0, 0, 8) + sample(3, 0, 1, 9);
    REQUIRE(looksLikeRossStatistics(bytes));
    const auto tables =
        parseRossStatistics(bytes, {"kp", "", {"network_sends", "time_ahead_gvt"}}, "x", Task());
    REQUIRE(tables);
    REQUIRE(tables->size() == 2);
    const SeriesTable& sends = tables->front();
    CHECK(sends.columns == std::vector<std::string>{"0/0", "0/1"});
    CHECK(sends.times == std::vector<double>{2, 3, 3});
    CHECK(sends.at(0, 0) == 6);
    CHECK(sends.at(1, 1) == 7);
    CHECK(sends.at(2, 1) == 9);
    CHECK(std::isnan(sends.at(2, 0)));
    CHECK(sends.notes.missing == 1);
    CHECK(sends.notes.repeatedTimes == 1);  // 0/1 at 3
    CHECK((*tables)[1].at(0, 0) == 0.5);
    const auto real = parseRossStatistics(bytes, {"kp", "real_time_s", {"network_sends"}}, "x", Task());
    REQUIRE(real);
    CHECK(real->front().times == std::vector<double>{0, 1, 1});
}

TEST_CASE("samples of LPs are read beside those of KPs, and a file tells what it has samples of")
{
    std::string bytes;
    for (std::uint32_t time = 1; time <= 3; ++time)
        bytes += sample(time, 1, 0, 5) + sampleOfLp(time, {1, 0, 17}, 10 * time, time)
            + sampleOfLp(time, {0, 2, 4}, 7, 8);
    CHECK(rossEntities(bytes) == std::vector<std::string>{"kp", "lp"});
    CHECK(rossEntities(sample(1, 0, 0, 5)) == std::vector<std::string>{"kp"});
    const auto tables = parseRossStatistics(bytes, {"lp", "", {}}, "x", Task());
    REQUIRE(tables);
    REQUIRE(tables->size() == 6);
    CHECK(tables->front().metric == "events_processed");
    CHECK(tables->front().columns == std::vector<std::string>{"0/2/4", "1/0/17"});
    CHECK(tables->front().at(2, 1) == 30);
    CHECK(tables->front().at(0, 0) == 7);
    CHECK(tables->at(3).metric == "network_sends");
    CHECK(tables->at(3).at(1, 1) == 2);
    CHECK(tables->at(5).at(0, 0) == 75);
    // LPs do not tell who rolled them back.
    CHECK_FALSE(parseRossStatistics(bytes, {"lp", "", {"rollbacks_primary"}}, "x", Task()));
    CHECK(rossAttributes("1/0/17") == std::vector<std::string>{"pe", "kp", "lp"});
    CHECK(rossAttributes("1") == std::vector<std::string>{"pe"});
}

TEST_CASE("of ROSS's statistics entities are chosen by the numbers of what they belong to")
{
    std::string bytes;
    for (std::uint32_t pe = 0; pe < 3; ++pe)
        for (std::uint32_t kp = 0; kp < 4; ++kp) bytes += sample(2, pe, kp, 10 * pe + kp);
    const auto columns = [&](const char* where) {
        const auto tables = parseRossStatistics(
            bytes, {"kp", "", {"network_sends"}, *parseAttributeConditions(where)}, "x", Task());
        return tables ? tables->front().columns : std::vector<std::string>{tables.error().text()};
    };
    CHECK(columns("pe=1") == std::vector<std::string>{"1/0", "1/1", "1/2", "1/3"});
    CHECK(columns("PE>=1; kp=3") == std::vector<std::string>{"1/3", "2/3"});
    CHECK(columns("pe!=0|2; kp<1") == std::vector<std::string>{"1/0"});
    CHECK(columns("pe=7").front() == "No kp of x is like pe=7.");
    CHECK(columns("lp=1").front() == "A kp of ROSS has no attribute \"lp\".");
}

TEST_CASE("what is cut of ROSS's statistics, or of no known kind, is counted, and what is none is refused")
{
    std::string strange = sample(3, 0, 0, 1);
    strange[0] = 3;  // of a model
    const std::string bytes = sample(2, 0, 0, 5) + sample(3, 0, 0, 6) + strange + sample(4, 0, 0, 7);
    for (std::size_t length = 68 * 2; length <= bytes.size(); ++length) {
        const auto tables = parseRossStatistics(std::string_view(bytes).substr(0, length),
                                                {"kp", "", {"network_sends"}}, "x", Task());
        REQUIRE(tables);
        CHECK(tables->front().rows() == (length == bytes.size() ? 3U : 2U));
        CHECK(tables->front().notes.unreadRecords
              == (length >= 68 * 3 ? 1U : 0U) + (length % 68 != 0 ? 1U : 0U));
    }
    CHECK_FALSE(parseRossStatistics(bytes, {}, "x", Task()));              // no PE
    CHECK_FALSE(parseRossStatistics(bytes, {"lp", "", {}}, "x", Task()));  // no LP
    CHECK_FALSE(parseRossStatistics(bytes, {"model", "", {}}, "x", Task()));
    CHECK_FALSE(parseRossStatistics(bytes, {"kp", "never", {}}, "x", Task()));
    CHECK_FALSE(parseRossStatistics(bytes, {"kp", "", {"never"}}, "x", Task()));
    for (const std::string& text : {std::string(), std::string("time,a\n1,2\n"), std::string(200, '\0')}) {
        CHECK_FALSE(looksLikeRossStatistics(text));
        CHECK_FALSE(parseRossStatistics(text, {}, "x", Task()));
    }
}

TEST_CASE("a file of ROSS of which a table would be too large is refused before memory is taken")
{
    std::string bytes;
    for (std::uint32_t number = 0; number < 45'000; ++number)
        bytes += sample(number, 0, number, 1) + sample(number, 1, 0, 1);
    CHECK_FALSE(parseRossStatistics(bytes, {"kp", "", {"network_sends"}}, "x", Task()));
}

TEST_CASE("primary rollbacks of the simulator are all less those that others brought about")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/ross-dflow-8");
    const auto bytes = openFileBytes(folder / "raw/gvt.bin");
    REQUIRE(bytes);
    for (const char* entity : {"pe", "kp"}) {
        INFO(entity);
        const auto tables = parseRossStatistics(
            bytes->text(), {entity, "", {"rollbacks_primary", "rollbacks_total", "rollbacks_secondary"}}, "x",
            Task());
        REQUIRE(tables);
        CHECK((*tables)[0].metric == "rollbacks_primary");
        double sum = 0;
        for (std::size_t i = 0; i < (*tables)[0].values.size(); ++i) {
            const double primary = (*tables)[0].values[i];
            if (!std::isfinite(primary)) continue;
            CHECK(primary == (*tables)[1].values[i] - (*tables)[2].values[i]);
            sum += primary;
        }
        CHECK(sum == 13'715 - 2'169);
        const auto all = parseRossStatistics(bytes->text(), {entity, "", {}}, "x", Task());
        REQUIRE(all);
        CHECK(all->back().metric == "rollbacks_primary");
    }
}

TEST_CASE("the simulator's own file says what its tables say")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/ross-dflow-8");
    const auto bytes = openFileBytes(folder / "raw/gvt.bin");
    REQUIRE(bytes);
    CHECK(isRossStatisticsFile(folder / "raw/gvt.bin"));
    CHECK_FALSE(isRossStatisticsFile(folder / "pe_series.csv"));
    struct Wanted {
        std::string file, entity;
        std::vector<std::string> columns, metrics;
    };
    for (const Wanted& wanted :
         {Wanted{"pe_series.csv", "pe", {"pe"}, {"network_sends", "pq_size", "efficiency", "t_gvt", "t_avl"}},
          Wanted{"kp_series.csv",
                 "kp",
                 {"pe", "kp"},
                 {"events_processed", "network_recvs", "time_ahead_gvt"}}}) {
        const auto text = openFileBytes(folder / wanted.file);
        REQUIRE(text);
        const auto tables =
            parseSeries(text->text(), {"virtual_time", wanted.columns, wanted.metrics}, "x", Task());
        const auto found =
            parseRossStatistics(bytes->text(), {wanted.entity, "", wanted.metrics}, "y", Task());
        REQUIRE(tables);
        REQUIRE(found);
        checkSameSeries(*found, *tables);
    }
}

}  // namespace skein::ross_statistics_test
