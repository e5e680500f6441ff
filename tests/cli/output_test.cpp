// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/records.h"
#include "app/cli/output/text.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

namespace skein::output_test {

using namespace skein::cli;

namespace {

const std::vector<Field> kFields{{"name", "Name", FieldKind::Text},
                                 {"calls", "Calls", FieldKind::Count},
                                 {"time_ns", "Time", FieldKind::Duration}};

std::string written(Format format)
{
    std::string text;
    Sink sink(text);
    RecordWriter writer(sink, format, kFields);
    writer.row({std::string("main, \"the\" Ünit"), std::int64_t{1234567}, 1500.0});
    writer.row({std::string("line\nbreak"), std::int64_t{2}, 0.25});
    writer.row({std::string("bad \xff"), Cell(), Cell()});
    writer.finish();
    return text;
}

}  // namespace

TEST_CASE("a table is aligned whatever alphabet its names use, and never breaks a line")
{
    CHECK(written(Format::Table)
          == "Name                  Calls     Time\n"
             "────────────────  ─────────  ───────\n"
             "main, \"the\" Ünit  1,234,567   1.5 µs\n"
             "line\\nbreak               2  0.25 ns\n"
             "bad \xEF\xBF\xBD\n");
}

TEST_CASE("CSV is quoted as RFC 4180 wants it, with plain numbers and empty unknowns")
{
    CHECK(written(Format::Csv)
          == "name,calls,time_ns\n\"main, \"\"the\"\" Ünit\",1234567,1500\n\"line\nbreak\",2,0.25\nbad "
             "\xff,,\n");
}

TEST_CASE("JSON is valid whatever bytes a name holds")
{
    const auto rows = nlohmann::json::parse(written(Format::Json));
    REQUIRE(rows.size() == 3);
    CHECK(rows[0]["calls"] == 1234567);
    CHECK(rows[0]["time_ns"].is_number_integer());
    CHECK(rows[1]["name"] == "line\nbreak");
    CHECK(rows[2]["name"] == "bad \xEF\xBF\xBD");
    CHECK(rows[2]["calls"].is_null());
}

TEST_CASE("no records are still a header, a list and a table")
{
    for (const auto& [format, expected] :
         {std::pair{Format::Csv, "name,calls,time_ns\n"}, std::pair{Format::Json, "[]\n"}}) {
        std::string text;
        Sink sink(text);
        RecordWriter writer(sink, format, kFields);
        writer.finish();
        CHECK(text == expected);
    }
}

TEST_CASE("long names lose their middle and keep both ends")
{
    CHECK(elided("abcdefghij", 10) == "abcdefghij");
    CHECK(elided("abcdefghij", 5) == "ab…ij");
    CHECK(elided("漢字漢字漢字", 7) == "漢…字");
    CHECK(displayWidth("漢字é") == 5);
    CHECK(displayWidth(elided("漢字漢字漢字", 7)) <= 7);
}

TEST_CASE("no name can steer the terminal")
{
    CHECK(printable("a\x1b[31mb") == "a\\x1b[31mb");
    CHECK(printable("tab\there\xC2\x85") == "tab\\there\\x85");
}

}  // namespace skein::output_test
