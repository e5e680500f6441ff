// SPDX-License-Identifier: GPL-3.0-or-later
// The checks themselves, on texts whose answer is plain.
#include "tests/checks/source_tree.h"
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

}  // namespace skein::checks
