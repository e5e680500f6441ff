// SPDX-License-Identifier: GPL-3.0-or-later
// Which headers may be compiled behind each other, on trees whose answer is plain.
#include "tests/checks/header_batches.h"
#include "tests/support/catch.h"

namespace skein::checks {

namespace {

using Paths = std::vector<std::string>;
using Batches = std::vector<Paths>;

Batches batchesOf(const std::vector<SourceFile>& files)
{
    return headerBatches(files, [](std::string_view) { return true; });
}

}  // namespace

TEST_CASE("what a header defines and declares is told, and what it names")
{
    const HeaderNames names = namesOfHeader("#pragma once\n"
                                            "#include <vector>\n"
                                            "namespace skein::inner {\n"
                                            "class Widget;\n"
                                            "enum class Kind : int { First, Second };\n"
                                            "using Row = std::vector<Cell>;\n"
                                            "constexpr int kMost{3}, kLeast = kMost;\n"
                                            "struct Table final : public Base {\n"
                                            "    Row row(int number) const { return all.rows[number]; }\n"
                                            "    int hidden = 0;\n"
                                            "};\n"
                                            "/// Not Commented\n"
                                            "int total(const Table& table, int from = 0);\n"
                                            "}  // namespace skein::inner\n");
    CHECK(names.declared == Paths{"Widget"});
    CHECK(names.defined == Paths{"Kind", "Row", "Table", "kLeast", "kMost", "total"});
    for (const char* used : {"Base", "Cell", "Kind", "Row", "Widget", "all", "vector"}) {
        INFO(used);
        CHECK(std::find(names.used.begin(), names.used.end(), used) != names.used.end());
    }
    for (const char* unused : {"rows", "Commented"}) {
        INFO(unused);
        CHECK(std::find(names.used.begin(), names.used.end(), unused) == names.used.end());
    }
}

TEST_CASE("headers that name nothing of each other share a batch, the included ones first")
{
    CHECK(batchesOf({{"c.h", "#include \"b.h\"\nstruct C { B b; };\n"},
                     {"b.h", "#include \"a.h\"\nstruct B { A a; };\n"},
                     {"a.h", "struct A {};\n"},
                     {"z.h", "struct Z {};\n"},
                     {"a.cpp", "#include \"z.h\"\nstruct NoHeader {};\n"}})
          == Batches{{"a.h", "z.h", "b.h", "c.h"}});
}

TEST_CASE("a header does not stand behind what it names and does not include")
{
    const Batches apart{{"a.h"}, {"b.h"}};
    CHECK(batchesOf({{"a.h", "struct A {};\n"}, {"b.h", "struct B { A a; };\n"}}) == apart);
    CHECK(batchesOf({{"a.h", "int total(int);\n"}, {"b.h", "inline int twice() { return 2 * total(1); }\n"}})
          == apart);
    CHECK(batchesOf({{"a.h", "constexpr int kMost = 3;\n"}, {"b.h", "struct B { int b[kMost]; };\n"}})
          == apart);
    CHECK(batchesOf({{"a.h", "using Row = int;\n"}, {"b.h", "Row last(int);\n"}}) == apart);
    // Nor behind what it declares, of which it may need the definition.
    CHECK(batchesOf({{"a.h", "struct A {};\n"}, {"b.h", "struct A;\nstruct B { A* a; };\n"}}) == apart);
    // Nor behind somebody else's declaration.
    CHECK(batchesOf({{"a.h", "struct D;\nstruct A {};\n"},
                     {"b.h", "struct B { D* d; };\n"},
                     {"d.h", "#include \"a.h\"\nstruct D { A a; };\n"}})
          == Batches{{"a.h", "d.h"}, {"b.h"}});
}

TEST_CASE("names of open enumerations, behind parameters of templates, and of arrays are told")
{
    const HeaderNames names = namesOfHeader("enum Role : int { kSort = 1, kBar };\n"
                                            "enum class Closed { First };\n"
                                            "template <typename T = int, template <class> class U = Row>\n"
                                            "struct Box { int inside; };\n"
                                            "constexpr int kTable[] = {1, 2};\n"
                                            "template <typename... Types> void all(Types... types);\n");
    CHECK(names.defined == Paths{"Box", "Closed", "Role", "all", "kBar", "kSort", "kTable"});
    CHECK(std::find(names.used.begin(), names.used.end(), "Types") != names.used.end());
}

TEST_CASE("a header does not stand behind a type that its includes only declare")
{
    CHECK(batchesOf({{"a.h", "struct Foo { int v; };\n"},
                     {"b.h", "struct Foo;\nFoo& get();\n"},
                     {"c.h", "#include \"b.h\"\ninline int h() { return get().v; }\n"}})
          == Batches{{"a.h"}, {"b.h", "c.h"}});
}

TEST_CASE("classes of Qt are there by an include or a declaration of the header's own")
{
    const Batches apart{{"a.h"}, {"b.h"}};
    CHECK(batchesOf({{"a.h", "class QLabel;\n"}, {"b.h", "struct B { QLabel* b; };\n"}}) == apart);
    CHECK(batchesOf({{"a.h", "#include <QLabel>\n"}, {"b.h", "struct B { QLabel* b; };\n"}})
          == Batches{{"b.h", "a.h"}});
    CHECK(batchesOf({{"a.h", "#include <QLabel>\n"}, {"b.h", "#include <QRect>\nstruct B { QLabel b; };\n"}})
          == apart);
    CHECK(batchesOf({{"a.h", "#include <QLabel>\n"}, {"b.h", "#include <QLabel>\nstruct B { QLabel b; };\n"}})
          == Batches{{"a.h", "b.h"}});
}

TEST_CASE("what comes with a header counts as the header does")
{
    CHECK(batchesOf({{"a.h", "struct A {};\n"},
                     {"b.h", "#include \"a.h\"\nstruct B { A a; };\n"},
                     {"c.h", "#include \"x.h\"\nstruct C { A* a; X x; };\n"},
                     {"x.h", "#include \"y.h\"\nstruct X {};\n"},
                     {"y.h", "struct Y {};\n"}})
          == Batches{{"a.h", "y.h", "b.h", "x.h"}, {"c.h"}});
}

TEST_CASE("only wanted headers are in batches, and the others are known all the same")
{
    const std::vector<SourceFile> files{{"a.h", "struct A {};\n"},
                                        {"b.h", "struct B { A* a; };\n"},
                                        {"c.h", "#include \"a.h\"\nstruct C {};\n"}};
    CHECK(headerBatches(files, [](std::string_view path) { return path != "a.h"; })
          == Batches{{"b.h", "c.h"}});
    CHECK(headerBatches(files, [](std::string_view path) { return path == "c.h"; }) == Batches{{"c.h"}});
}

}  // namespace skein::checks
