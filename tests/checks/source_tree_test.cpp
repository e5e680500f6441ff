// SPDX-License-Identifier: GPL-3.0-or-later
// The checks themselves, on texts whose answer is plain.
#include "tests/checks/source_tree.h"
#include "tests/checks/standard_names.h"
#include "tests/support/catch.h"

namespace skein::checks {

TEST_CASE("comments and literals are blanked and code is not")
{
    CHECK(withoutCommentsAndLiterals("a // {\nb") == "a     \nb");
    CHECK(withoutCommentsAndLiterals("a /* {\n} */ b") == "a     \n     b");
    CHECK(withoutCommentsAndLiterals("f(\"{\\\"\", '{', 1'000)") == "f(     ,    , 1'000)");
    CHECK(withoutCommentsAndLiterals("x = R\"y({)\" )y\";") == "x =            ;");
}

TEST_CASE("includes are found with quotes and with brackets")
{
    const std::string text = "#include \"a/b.h\"\n#  include <QtCore/QObject>\n// #include \"no.h\"\n";
    CHECK(quotedIncludes(text) == std::vector<std::string>{"a/b.h"});
    CHECK(systemIncludes(text) == std::vector<std::string>{"QtCore/QObject"});
}

TEST_CASE("function bodies are measured in namespaces, classes and after initialiser lists")
{
    const std::string text = "namespace a {\n"
                             "struct S {\n"
                             "    int x{3};\n"
                             "    S() : x{4}\n"
                             "    {\n"
                             "        if (x) { x = 1; }\n"
                             "    }\n"
                             "};\n"
                             "int table[] = {1, 2};\n"
                             "int f(int y) { return y; }\n"
                             "}\n";
    const auto bodies = functionBodies(text);
    REQUIRE(bodies.size() == 2);
    CHECK(bodies[0].firstLine == 5);
    CHECK(bodies[0].lines == 3);
    CHECK(bodies[1].firstLine == 10);
    CHECK(bodies[1].lines == 1);
}

TEST_CASE("the ids of a registry are read from its table")
{
    CHECK(registryIds("x = {\n    {\"a\", 1},\n    {.id = \"b\"},\n};")
          == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what a header forgets to include is named, and what it has through others is not")
{
    const std::vector<SourceFile> files{
        {"a.h",
         "#include <map>\n#include <string>\nstd::map<int, std::string_view> a;\nstd::pair<int, int> b;\n"},
        {"b.h", "#include \"a.h\"\nstd::vector<std::string> b; // std::optional\n"},
        {"c.h", "#include \"c.h\"\n#include \"b.h\"\nfmt::format(c); tl::unexpected(std::any{});\n"},
        {"d.cpp", "std::vector<int> d;\n"}};
    const std::vector<MissingInclude> expected{{"b.h", "std::vector", "vector"},
                                               {"c.h", "fmt::format", "fmt/format.h"},
                                               {"c.h", "tl::unexpected", "tl/expected.hpp"}};
    CHECK(missingStandardIncludes(files) == expected);
}

}  // namespace skein::checks
