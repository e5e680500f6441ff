// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/series_csv.h"

#include "tests/support/catch.h"

#include <cmath>

namespace skein::series_csv_test {

namespace {

SeriesTable wide(std::string_view text, const SeriesColumns& columns = {})
{
    auto tables = parseSeries(text, columns, "x.csv", Task());
    INFO((tables ? std::string() : tables.error().text()));
    REQUIRE(tables);
    REQUIRE(tables->size() == 1);
    return std::move(tables->front());
}

std::string refusal(std::string_view text, const SeriesColumns& columns = {})
{
    const auto tables = parseSeries(text, columns, "x.csv", Task());
    REQUIRE_FALSE(tables);
    return tables.error().message;
}

}  // namespace

TEST_CASE("a wide table of numbers alone has rows as times and columns as entities")
{
    const SeriesTable table = wide("1,2,3\n4,5,6\n");
    CHECK(table.columns == std::vector<std::string>{"0", "1", "2"});
    CHECK(table.times == std::vector<double>{0, 1});
    CHECK(table.values == std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(table.notes == SeriesNotes());
}

TEST_CASE("a wide table may have names, times, other separators, quotes, comments and blank lines")
{
    const SeriesTable table = wide("\xEF\xBB\xBF# made by hand\r\ntime_ns;\"rank; 0\";b\r\n\r\n10; 1.5 ;2\r\n"
                                   "20;\"2.5\";-3e2");
    CHECK(table.columns == std::vector<std::string>{"rank; 0", "b"});
    CHECK(table.times == std::vector<double>{10, 20});
    CHECK(table.values == std::vector<double>{1.5, 2, 2.5, -300});
    const SeriesTable named = wide("a\twhen\tb\n1\t7\t2\n", {"when", {}, {}});
    CHECK(named.columns == std::vector<std::string>{"a", "b"});
    CHECK(named.times == std::vector<double>{7});
    CHECK(wide("a,b,c\n1,2,3\n", {"", {}, {"c", "a"}}).values == std::vector<double>{3, 1});
}

TEST_CASE("columns that were only numbered, and times with a unit in their name, are known")
{
    const SeriesTable numbered = wide(",0,1\n0,5,6\n1,7,8\n");
    CHECK(numbered.columns == std::vector<std::string>{"0", "1"});
    CHECK(numbered.times == std::vector<double>{0, 1});
    CHECK(numbered.values == std::vector<double>{5, 6, 7, 8});
    CHECK(wide("0,1,2\n5,6,7\n").values == std::vector<double>{5, 6, 7});
    CHECK(wide("0,2,1\n5,6,7\n").rows() == 2);
    CHECK(wide("Time (s),a\n3,6\n").times == std::vector<double>{3});
    CHECK(wide("timer,a\n3,6\n").columns.size() == 2);
}

TEST_CASE("gaps, texts, uneven lines and times that run backwards are put right and told")
{
    const SeriesTable table = wide("time,a,b,c\n5,1,,7\n3,2,x,7\n4,nan,inf\n6,1,2,7,9\n");
    CHECK(table.times == std::vector<double>{3, 4, 5, 6});
    CHECK(table.at(0, 0) == 2);
    CHECK(std::isnan(table.at(0, 1)));
    CHECK(std::isnan(table.at(1, 1)));
    CHECK(std::isnan(table.at(1, 2)));
    CHECK(table.notes.missing == 5);
    CHECK(table.notes.texts == 1);
    CHECK(table.notes.unevenRows == 2);
    CHECK(table.notes.backwardTimes == 1);
    CHECK(table.notes.constant == 2);
    CHECK(table.notes.sentences().size() == 5);
}

TEST_CASE("a table without one number is an error, and so is one in UTF-16")
{
    const auto problem = [](std::string_view text) {
        const auto tables = parseSeries(text, {}, "x.csv", Task());
        return tables ? std::string() : tables.error().message;
    };
    CHECK(problem("a,b\nx,y\nz,\n") == "x.csv holds not one number in its columns of values.");
    CHECK(problem("time,a\n1,nan\n2,inf\n") == "x.csv holds not one number in its columns of values.");
    CHECK(problem("time,a\n1,nan\n2,3\n").empty());
    CHECK(problem("time;a;b\n1,5;2,5;3,5\n2,5;2,5;3,5\n")
          == "x.csv holds not one number in its columns of values: numbers must have a decimal point, not a "
             "comma.");
    for (const std::string_view mark : {"\xFF\xFE", "\xFE\xFF"})
        CHECK(problem(std::string(mark) + std::string("a\0,\0", 4))
              == "x.csv is text in UTF-16, not in UTF-8: save it as UTF-8.");
}

TEST_CASE("numbers beyond those of the machine are no texts")
{
    const SeriesTable table = wide("a,b\n1e999,1\n-1e999,2\n3,4\n");
    CHECK(table.notes.texts == 0);
    CHECK(table.notes.missing == 2);
}

TEST_CASE("a long table is put in order of its times, and what comes twice is two rows")
{
    const SeriesColumns columns{"t", {"pe", "kp"}, {"x", "y"}};
    const auto tables = parseSeries("t,pe,kp,x,y\n1,0,0,10,0\n2,0,0,20,0\n2,0,0,21,0\n3,0,0,30,0\n"
                                    "1,0,1,11,1\n3,0,1,31,1\n2,0,1,22,1\n,0,1,5,5\n",
                                    columns, "x.csv", Task());
    REQUIRE(tables);
    REQUIRE(tables->size() == 2);
    const SeriesTable& table = tables->front();
    CHECK(table.metric == "x");
    CHECK(table.columns == std::vector<std::string>{"0/0", "0/1"});
    CHECK(table.times == std::vector<double>{1, 2, 2, 3});
    CHECK(table.at(0, 0) == 10);
    CHECK(table.at(1, 0) == 20);
    CHECK(table.at(2, 0) == 21);
    CHECK(table.at(1, 1) == 22);
    CHECK(std::isnan(table.at(2, 1)));
    CHECK(table.notes.repeatedTimes == 1);
    CHECK(table.notes.backwardTimes == 1);
    CHECK(table.notes.missing == 1);
}

TEST_CASE("a long table whose entities have times of their own is refused before it takes gigabytes")
{
    std::string text = "entity,time,value\n";
    for (int i = 0; i < 12'000; ++i) {
        const std::string number = std::to_string(i);
        text += "e" + number + "," + number + ",1\n";
    }
    const auto refused = parseSeries(text, {"time", {"entity"}, {"value"}}, "x.csv", Task());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().text().find("12000 bins of 12000 series") != std::string::npos);
}

TEST_CASE("what cannot be series is refused with a sentence that names the file")
{
    CHECK(refusal("") == "x.csv holds no lines of numbers.");
    CHECK(refusal("# nothing\n\n") == "x.csv holds no lines of numbers.");
    CHECK(refusal("a,b\n") == "x.csv holds no lines of numbers.");
    CHECK(refusal("a,b\n1,2\n", {"c", {}, {}}) == "x.csv has no column \"c\"; it has a, b.");
    CHECK(refusal("a,b\n1,2\n", {"a", {"b"}, {}}).find("--metric") != std::string::npos);
    CHECK(refusal("a,b,c\n1,2,x\n", {"c", {"b"}, {"a"}}) == "The column \"c\" of x.csv holds no times.");
}

TEST_CASE("values are added up in bins of time, the last time in the last bin")
{
    const SeriesTable table = wide("t,a,b\n0,1,\n1,2,5\n9,4,\n10,8,\n");
    const SeriesTable binned = sumInBins(table, 5);
    CHECK(binned.times == std::vector<double>{0, 2, 4, 6, 8});
    CHECK(binned.at(0, 0) == 3);
    CHECK(binned.at(0, 1) == 5);
    CHECK(std::isnan(binned.at(1, 0)));
    CHECK(binned.at(4, 0) == 12);
    CHECK(sumInBins(wide("t,a\n5,1\n5,2\n"), 3).at(0, 0) == 3);
}

TEST_CASE("of one time there is one bin, however many are asked for")
{
    const SeriesTable binned = sumInBins(wide("t,a\n3,1\n3,2\n3,4\n"), 10);
    CHECK(binned.times == std::vector<double>{3});
    CHECK(binned.at(0, 0) == 7);
    CHECK(binned.notes.sentences().back() == "10 bins would be narrower than samples are apart: 1 was made.");
}

TEST_CASE("bins are not narrower than samples are apart, and it is told where fewer are made")
{
    std::string text = "t,a,b\n", gappy = "t,a\n";
    for (int i = 0; i <= 300; ++i) {
        // The second column has every third sample only.
        text += std::to_string(i) + ",2," + (i % 3 == 0 ? "6\n" : "\n");
        if (i < 100 || i > 160) gappy += std::to_string(i) + ",1\n";
    }
    const SeriesTable table = wide(text);
    CHECK(mostSampledBins(table) == 101);
    const SeriesTable few = sumInBins(table, 1000);
    CHECK(few.rows() == 101);
    CHECK(few.notes.binsAsked == 1000);
    CHECK(few.notes.binsMade == 101);
    for (const double value : few.values) CHECK(value > 0);
    CHECK(few.notes.sentences().back()
          == "1000 bins would be narrower than samples are apart: 101 were made.");
    const SeriesTable asAsked = sumInBins(table, 60);
    CHECK(asAsked.rows() == 60);
    CHECK(asAsked.notes == table.notes);
    // A gap makes no bins wider: it stays one.
    const SeriesTable withGap = sumInBins(wide(gappy), 400);
    CHECK(withGap.rows() == 301);
    CHECK(std::isnan(withGap.at(130, 0)));
    CHECK(withGap.at(50, 0) == 1);
    CHECK(mostSampledBins(wide("t,a\n5,1\n5,2\n")) > 1000000);
}

TEST_CASE("text of any kind is read without harm")
{
    for (const std::string_view text :
         {"\"", "\"a\n", ",,,\n,,,", "\n\n\n1", "a;b\tc,d\n1;2\t3,4", "1\r2\r3"})
        (void)parseSeries(text, {}, "x.csv", Task());
    const SeriesTable open = wide("a,b\n1,\"2\n");
    CHECK(open.rows() == 1);
}

}  // namespace skein::series_csv_test
