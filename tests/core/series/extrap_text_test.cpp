// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/extrap_text.h"
#include "tests/support/catch.h"

#include <random>

namespace skein::extrap_text_test {

namespace {

Result<ScalingStudy> parsed(std::string_view text) { return parseExtrapText(text, "study.txt", Task()); }

}  // namespace

TEST_CASE("Extra-P's text input is read with several parameters, metrics and repetitions")
{
    const auto study =
        parsed("# a comment\nPARAMETER p\nPARAMETER size\n\nPOINTS ( 4 10 ) ( 8 10 )\n"
               "POINTS (16 20)\nMETRIC time\nREGION main->solve\nDATA 1 2 3\nDATA 4\nDATA 5e-1\n"
               "METRIC visits\nREGION main->solve\nDATA 1\nDATA 1\nDATA 1\r\n");
    REQUIRE(study);
    CHECK(study->parameters == std::vector<std::string>{"p", "size"});
    CHECK(study->points == std::vector<std::vector<double>>{{4, 10}, {8, 10}, {16, 20}});
    REQUIRE(study->series.size() == 2);
    CHECK(study->series[0].path == "main->solve");
    CHECK(study->series[0].metric == "time");
    CHECK(study->series[0].values == std::vector<std::vector<double>>{{1, 2, 3}, {4}, {0.5}});
    CHECK(study->series[1].metric == "visits");
    CHECK(study->notes.empty());
}

TEST_CASE("points of one parameter may stand without parentheses")
{
    const auto study = parsed("PARAMETER p\nPOINTS 4 8 16\nREGION r\nDATA 1\nDATA 2\nDATA 3\n");
    REQUIRE(study);
    CHECK(study->points == std::vector<std::vector<double>>{{4}, {8}, {16}});
}

TEST_CASE("what is wrong with Extra-P's text input is told with its line")
{
    CHECK_FALSE(parsed(""));
    CHECK_FALSE(parsed("PARAMETER p\n"));
    CHECK_FALSE(parsed("PARAMETER p\nPOINTS 1 2\n"));
    const auto point = parsed("PARAMETER p q\nPOINTS ( 1 )\n");
    REQUIRE_FALSE(point);
    CHECK(point.error().message.find("line 2") != std::string::npos);
    const auto study =
        parsed("PARAMETER p\nPOINTS 1 2 3\nREGION r\nDATA 1 x\nDATA 2\nDATA 3\nDATA 4\nREGION s\nDATA 1\n"
               "NONSENSE 3\n");
    REQUIRE(study);
    CHECK(study->notes.size() == 4);
    CHECK(study->series[0].values == std::vector<std::vector<double>>{{1}, {2}, {3}});
    CHECK(study->series[1].values.size() == 3);
}

TEST_CASE("damaged text input of Extra-P never fails but with a sentence")
{
    std::mt19937_64 random(3);
    const std::string whole =
        "PARAMETER p q\nPOINTS ( 4 1 ) ( 8 2 )\nMETRIC m\nREGION r\nDATA 1 2\nDATA 3 4\n";
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        std::string text = whole.substr(0, length);
        if (!text.empty()) text[random() % text.size()] = static_cast<char>(random() % 256);
        const auto study = parsed(text);
        if (!study) CHECK_FALSE(study.error().message.empty());
    }
}

TEST_CASE("only Extra-P's words make a text input")
{
    CHECK(looksLikeExtrapText("\n# comment\nPARAMETER p"));
    CHECK_FALSE(looksLikeExtrapText("PARAMETERS p"));
    CHECK_FALSE(looksLikeExtrapText(""));
    CHECK_FALSE(looksLikeExtrapText("a;b;c 3"));
}

}  // namespace skein::extrap_text_test
