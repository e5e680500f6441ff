// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/attribute_condition.h"

#include "tests/support/catch.h"

namespace skein::attribute_condition_test {

namespace {

bool holds(std::string_view condition, const std::optional<std::string_view>& value)
{
    const auto parsed = parseAttributeCondition(condition);
    REQUIRE(parsed);
    return parsed->holds(value);
}

}  // namespace

TEST_CASE("a condition on an attribute is a pattern of several texts, or compares numbers")
{
    CHECK(holds("kind=io|comp*", "compute"));
    CHECK(holds(" kind = IO | compute ", "io"));
    CHECK_FALSE(holds("kind=io|comp*", "memory"));
    CHECK(holds("kind!=io", "memory"));
    CHECK_FALSE(holds("kind!=io|mem*", "memory"));
    CHECK(holds("kind=", ""));
    CHECK_FALSE(holds("kind=", "io"));
    struct Compared {
        const char* condition;
        bool seven, eight, nine;
    };
    for (const Compared& each : {Compared{"rank<8", true, false, false},
                                 {"rank<=8", true, true, false},
                                 {"rank>8", false, false, true},
                                 {"rank >= 8", false, true, true}}) {
        INFO(each.condition);
        CHECK(holds(each.condition, "7") == each.seven);
        CHECK(holds(each.condition, "8") == each.eight);
        CHECK(holds(each.condition, "9") == each.nine);
        CHECK_FALSE(holds(each.condition, "eight"));
    }
}

TEST_CASE("conditions hold of whole numbers as they do of their texts")
{
    for (const char* text : {"n=7|9", "n!=7|9", "n=1*|7", "n=?", "n<9", "n<=9", "n>9", "n>=7.5", "n=seven"}) {
        INFO(text);
        const AttributeCondition condition = *parseAttributeCondition(text);
        for (const std::uint64_t value : {0u, 7u, 8u, 9u, 10u, 17u, 4'000'000'000u})
            CHECK(condition.holdsOf(value) == condition.holds(std::to_string(value)));
    }
}

TEST_CASE("what is not told fulfils no condition but that it is not something")
{
    for (const char* condition : {"kind=io", "kind=*", "rank<8", "rank>=0"})
        CHECK_FALSE(holds(condition, std::nullopt));
    CHECK(holds("kind!=io", std::nullopt));
}

TEST_CASE("conditions are read again from their text, and what is none is refused with a sentence")
{
    const auto parsed = parseAttributeConditions("kind=io|comp*; ;rack!=r1;rank<=2.5;");
    REQUIRE(parsed);
    CHECK(parsed->size() == 3);
    CHECK(textOf(*parsed) == "kind=io|comp*; rack!=r1; rank<=2.5");
    const auto again = parseAttributeConditions(textOf(*parsed));
    REQUIRE(again);
    CHECK(*again == *parsed);
    CHECK(parseAttributeConditions("  ")->empty());
    for (const char* wrong : {"kind", "=io", "rank<many", "rank<", "rank<nan", "a=b; kind"}) {
        INFO(wrong);
        const auto refused = parseAttributeConditions(wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().text().find("is no condition") != std::string::npos);
    }
}

TEST_CASE("all conditions have to hold of attributes that are asked for by name")
{
    const auto valueOf = [](std::string_view name) -> std::optional<std::string_view> {
        if (name == "kind") return "io";
        if (name == "rank") return "3";
        return std::nullopt;
    };
    CHECK(allHold(*parseAttributeConditions("kind=io; rank<8"), valueOf));
    CHECK_FALSE(allHold(*parseAttributeConditions("kind=io; rank<3"), valueOf));
    CHECK_FALSE(allHold(*parseAttributeConditions("kind=io; rack=r1"), valueOf));
    CHECK(allHold({}, valueOf));
}

}  // namespace skein::attribute_condition_test
