// SPDX-License-Identifier: GPL-3.0-or-later
// What the fuzzers found, and where they start: every file of the corpus is read without harm.
#include "tests/fuzz/fuzz_targets.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace skein::fuzz_corpus_test {

namespace {

void readAll(const std::string& target, void (*read)(std::string_view))
{
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(skein::test::sourcePath("tests/fuzz/corpus/" + target))) {
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
        INFO(entry.path());
        read(bytes);
        // A file that was cut off anywhere is the commonest damage.
        for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 40)
            read(bytes.substr(0, length));
        ++files;
    }
    CHECK(files > 0);
}

}  // namespace

TEST_CASE("damaged tables, matrices and routes of the fuzzer's corpus are read without harm")
{
    readAll("comm_text", skein::fuzz::readCommText);
}

TEST_CASE("damaged Cube profiles of the fuzzer's corpus are read without harm")
{
    readAll("cube", skein::fuzz::readCube);
}

TEST_CASE("damaged map files of the fuzzer's corpus are read without harm")
{
    readAll("rank_map", skein::fuzz::readRankMap);
}

TEST_CASE("damaged machine descriptions of the fuzzer's corpus are read without harm")
{
    readAll("topology", skein::fuzz::readTopology);
}

TEST_CASE("damaged OTF2 archives of the fuzzer's corpus are read without harm")
{
    readAll("otf2", skein::fuzz::readOtf2);
}

TEST_CASE("damaged TAU profiles of the fuzzer's corpus are read without harm")
{
    readAll("tau_profile", skein::fuzz::readTauProfile);
}

TEST_CASE("damaged TAU traces of the fuzzer's corpus are read without harm")
{
    readAll("tau_trace", skein::fuzz::readTauTrace);
}

}  // namespace skein::fuzz_corpus_test
