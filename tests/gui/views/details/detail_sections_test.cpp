// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_sections.h"

#include "core/select/translate.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"
#include "views/details/detail_messages.h"

namespace skein::detail_sections_test {

namespace {

Session smallSession()
{
    test::ExperimentBuilder builder("small");
    builder.process("node", {{0, 100'000, "main", 0}, {10'000, 40'000, "work", 1}});
    builder.process("node", {{0, 100'000, "main", 0}});
    builder.message(0, 20'000, 1, 45'000, 4096);
    return Session{{builder.finish()}};
}

std::string valueOf(const std::vector<DetailSection>& sections, const std::string& name)
{
    for (const DetailSection& section : sections)
        for (const auto& [key, value] : section.lines)
            if (key == name) return value;
    return "absent";
}

}  // namespace

TEST_CASE("details of nothing are those of the archive")
{
    const Session session = smallSession();
    const auto sections = detailsOf(session, {});
    REQUIRE(sections.size() == 1);
    CHECK(sections[0].title == "small");
    CHECK(valueOf(sections, "Duration") == "100 µs");
    CHECK(valueOf(sections, "Import") == "nothing was lost");
}

TEST_CASE("details of a call tell its times, place and callers")
{
    const Session session = smallSession();
    ViewState state;
    state.selected = select(session, IntervalRef{0, LocationId(0), 1});
    const auto sections = detailsOf(session, state);
    CHECK(sections[0].title == "Call of work");
    CHECK(valueOf(sections, "Duration") == "30 µs");
    CHECK(valueOf(sections, "Begin") == "10 µs");
    CHECK(valueOf(sections, "Called from") == "main");
    CHECK(valueOf(sections, "Depth") == "2");
    state.selected = select(session, IntervalRef{0, LocationId(0), 0});
    CHECK(valueOf(detailsOf(session, state), "In callees") == "30 µs");
}

TEST_CASE("details of a message tell its ends, size and time under way")
{
    const Session session = smallSession();
    ViewState state;
    state.selected = select(session, MessageRef{0, 0});
    state.brushed = TimeSpan{0, 1500};
    const auto sections = detailsOf(session, state);
    CHECK(sections[0].title == "Marked span");
    CHECK(valueOf(sections, "Size") == "4 KiB");
    CHECK(valueOf(sections, "Under way") == "25 µs");
}

TEST_CASE("several messages are a table with a row each, whose ends are not told again")
{
    test::ExperimentBuilder builder("three");
    builder.process("node", {{0, 100'000, "main", 0}});
    builder.process("node", {{0, 100'000, "main", 0}});
    builder.message(0, 20'000, 1, 45'000, 4096);
    builder.message(1, 30'000, 0, 80'000, 1024);
    const Session session{{builder.finish()}};
    ViewState state;
    state.selected.messages = {MessageRef{0, 0}};
    CHECK(messageDetails(session, state).empty());
    state.selected.messages = {MessageRef{0, 0}, MessageRef{0, 1}, MessageRef{0, 99}};
    const std::vector<DetailTable> tables = messageDetails(session, state);
    REQUIRE(tables.size() == 1);
    const DetailTable& table = tables.front();
    REQUIRE(table.rows.size() == 2);
    CHECK(table.columns
          == std::vector<std::string>{"From", "To", "Size", "Sent", "Received", "Under way", "Bandwidth",
                                      "Tag"});
    CHECK(std::vector<std::string>(table.rows[0].begin(), table.rows[0].begin() + 6)
          == std::vector<std::string>{"Rank 0", "Rank 1", "4 KiB", "20 µs", "45 µs", "25 µs"});
    CHECK(table.rows[1][0] == "Rank 1");
    CHECK(table.spans[1] == TimeSpan{30'000, 80'000});
}

TEST_CASE("details of a stale selection are those of the archive")
{
    const Session session = smallSession();
    ViewState state;
    state.selected.intervals = {IntervalRef{3, LocationId(7), 9}};
    state.selected.regions = {RegionRef{0, RegionId(99)}};
    CHECK(detailsOf(session, state)[0].title == "small");
}

TEST_CASE("details tell moments of long runs to the nanosecond")
{
    test::ExperimentBuilder builder("long");
    builder.process("node", {{0, 9'000'000'000, "main", 0}, {1'507'113'702, 1'507'115'000, "work", 1}});
    const Session session{{builder.finish()}};
    ViewState state;
    state.selected = select(session, IntervalRef{0, LocationId(0), 1});
    state.brushed = TimeSpan{1'507'000'001, 1'508'000'000};
    const auto sections = detailsOf(session, state);
    CHECK(valueOf(sections, "Begin") == "1.507113702 s");
    CHECK(valueOf(sections, "End") == "1.507115 s");
    CHECK(valueOf(sections, "From") == "1.507000001 s");
}

}  // namespace skein::detail_sections_test
